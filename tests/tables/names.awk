# Prints docs/coverage.md from the rows of scripts/coverage: module, name, kind, text, namespaces. `places` holds the line of
# the probe for each name, `absent` the lines that did not compile. A name that is neither there nor explained is an error.

function text(s) { gsub(/[|]/, "\\|", s); return s }
function percent(a, b) { return b == 0 ? "" : sprintf("%d %%", int(100 * a / b)) }

BEGIN {
  while ((getline line < absent) > 0) missing[line] = 1
  while ((getline line < places) > 0) {
    split(line, part, "\t")
    if (!(part[1] in missing)) found[part[2], part[3]] = part[4]
  }
}

!($1 in size) { module[++modules] = $1 }
{
  size[$1]++
  there = ($1, $2) in found
  if ($3 == "=" && !there) problem($2 " is said to be " $4 " here, which is not declared")
  if ($3 == "same" && !there) problem($2 " is not there, and has no explanation in tests/tables/names/" $1 ".txt")
  if ($3 == "~") { senseless[$1]++; no_sense[$1] = no_sense[$1] "| " $2 " | " text($4) " |\n" }
  else if (there) {
    has[$1]++
    if ($3 == "=") other[$1] = other[$1] "| " $2 " | `jq::" $4 "` |\n"
  } else if ($3 == "-") { lacks[$1]++; left_out[$1] = left_out[$1] "| " $2 " | " text($4) " |\n" }
}

function problem(what) {
  print "scripts/coverage: " $1 ": " what >"/dev/stderr"
  problems = 1
}
function list(title, head, rows) {
  if (rows != "") printf "\n%s:\n\n| name | %s |\n|---|---|\n%s", title, head, rows
}

END {
  print "# Names of JAX, and what is here\n"
  print "Written by `scripts/coverage` from the lists in `tests/tables/names`, which follow JAX's public documentation; the compiler"
  print "looks each name up. Names that make no sense in C++ do not count; each that is left out says what to write instead."
  print "[functions.md](functions.md) says which dtypes functions take, [primitives.md](primitives.md) which rules primitives have.\n"
  print "| module | names | make no sense in C++ | there | left out | share |\n|---|---|---|---|---|---|"
  for (i = 1; i <= modules; i++) {
    m = module[i]
    counted = size[m] - senseless[m]
    all += size[m]; all_senseless += senseless[m]; all_has += has[m]; all_lacks += lacks[m]
    printf "| [%s](#%s) | %d | %d | %d | %d | %s |\n", m, anchor(m), size[m], senseless[m], has[m], lacks[m], percent(has[m], counted)
  }
  printf "| all | %d | %d | %d | %d | %s |\n", all, all_senseless, all_has, all_lacks, percent(all_has, all - all_senseless)
  for (i = 1; i <= modules; i++) {
    m = module[i]
    printf "\n## %s\n", m
    if (other[m] left_out[m] no_sense[m] == "") printf "\nEvery name is there.\n"
    list("Under another name", "here", other[m])
    list("Left out", "instead", left_out[m])
    list("Make no sense in C++", "reason", no_sense[m])
  }
  exit problems
}
function anchor(m) { gsub(/[.]/, "", m); return m }

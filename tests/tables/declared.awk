# Prints `file<tab>namespace::name` for each function that our headers declare for users: at namespace scope, not under detail, not an operator.
# Reads headers as they are written here: declarations start in the first column, namespaces are closed with a comment.

FNR == 1 { depth = 0 }
/^(inline )?namespace .*[{]$/ { space[++depth] = $0; sub(/^(inline )?namespace /, "", space[depth]); sub(/ *[{]$/, "", space[depth]); next }
/^}  \/\/ namespace/ { depth--; next }
/^JACQUARD_ELEMENTARY\(/ { name = $0; sub(/^[A-Z_]*\(/, "", name); sub(/,.*/, "", name); declare(name); next }
/^(constexpr|inline|auto|template|array|std::)/ && /[a-z0-9_]\(/ {
  name = $0
  sub(/^template <.*> (constexpr|auto|inline)/, "constexpr", name)
  if (name ~ /^template/) next
  sub(/\(.*/, "", name)
  if (name ~ /=/ || name ~ /operator/ || name ~ /::[a-z0-9_]+$/) next
  sub(/.*[ &*]/, "", name)
  declare(name)
}
function declare(name,   i, path) {
  for (i = 1; i <= depth; i++) path = path space[i] "::"
  gsub(/lax::lax::/, "lax::", path)
  if (path ~ /detail/ || path == "") return
  sub(/^jacquard::/, "", path)
  if (!((path name) in seen)) print FILENAME "\t" path name
  seen[path name] = 1
}

#pragma once
// Donation: which argument buffers a computation may take over. The vector of flags per leaf, its arithmetic with static
// arguments, and the matching of donated arguments with outputs of the same type.

#include <algorithm>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/merge_sort.hpp"
#include "jacquard/core/tree.hpp"
#include "jacquard/transforms/options.hpp"

namespace jacquard {

namespace detail {
inline void put_ints(text& out, const std::vector<int>& v) {
  out << '[';
  for (std::size_t i = 0; i < v.size(); ++i) out << (i ? ", " : "") << v[i];
  out << ']';
}
template <class Number = int>
bool contains(const std::vector<lazy<Number>>& v, int wanted) {
  for (int i : v)
    if (i == wanted) return true;
  return false;
}
}  // namespace detail

/// Donated argument numbers counted without the static arguments before them.
/// Errors: value_error if an argument is both static and donated, or counted from the last one. Example: ((3, 4), (0, 1)) gives (1, 2).
template <class Number = int>
std::vector<int> rebase_donate_argnums(std::vector<lazy<Number>> donate, std::vector<lazy<Number>> statics) {
  detail::sort_unique(donate);
  detail::sort_unique(statics);
  for (const std::vector<int>* v : {&donate, &statics})
    if (!v->empty() && v->front() < 0)
      raise(error_kind::value, "rebase_donate_argnums: got the argument number ", v->front(), ", wanted numbers that count from the first argument, which is 0: how many "
            "arguments there are is not known here; add their number to it");
  std::vector<int> r;
  for (int d : donate) {
    if (detail::contains(statics, d)) {
      text m("`static_argnums` ");
      detail::put_ints(m, statics);
      m << " and `donate_argnums` ";
      detail::put_ints(m, donate);
      raise(error_kind::value, m, " cannot intersect. A static argument has no buffer; drop it from the donated ones.");
    }
    int before = 0;
    for (int s : statics) before += s < d;
    r.push_back(d - before);
  }
  return r;
}

/// One flag per leaf of args...: whether its argument is donated; -1 is the last argument.
/// Errors: value_error for a number of no argument.
template <class... A>
std::vector<char> donation_vector(const std::vector<int>& donate, const A&... args) {
  constexpr int count = sizeof...(A);
  for (int d : donate)
    if (d < -count || d >= count) {
      text m("donation_vector: got donate_argnums=");
      detail::put_ints(m, donate);
      raise(error_kind::value, m, " but was called with only ", count, " positional argument", count == 1 ? "" : "s", "; drop ", d, ", or pass the argument");
    }
  std::vector<char> r;
  int i = 0;
  [[maybe_unused]] const auto one = [&](const auto& arg) {
    const bool wanted = detail::contains(donate, i) || detail::contains(donate, i - count);
    r.insert(r.end(), leaf_count(arg), char(wanted));
    ++i;
  };
  (one(args), ...);
  return r;
}

namespace detail {

/// Which output takes over which argument: by argument, the number of the output, or -1. Each output takes the oldest donated
/// argument of its dtype and shape that is still there. Complexity: linear, for each type there is.
JACQUARD_ONCE std::vector<int> matched_donations(const std::vector<aval>& in, const std::vector<aval>& out, const std::vector<char>& donated) {
  struct waiting {
    aval type;
    std::vector<std::size_t> arguments;
    std::size_t next = 0;
  };
  std::vector<waiting> groups;
  const auto group_of = [&](const aval& t) {
    return std::find_if(groups.begin(), groups.end(), [&](const waiting& g) { return same_type(g.type, t); });
  };
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!donated[i]) continue;
    auto g = group_of(in[i]);
    if (g == groups.end()) g = groups.insert(groups.end(), {in[i], {}});
    g->arguments.push_back(i);
  }
  std::vector<int> taken_by(in.size(), -1);
  for (std::size_t o = 0; o < out.size(); ++o)
    if (const auto g = group_of(out[o]); g != groups.end() && g->next < g->arguments.size()) taken_by[g->arguments[g->next++]] = int(o);
  return taken_by;
}
/// The flags of the arguments that are taken over. Donated ones that are not are listed in `unusable`.
JACQUARD_ONCE std::vector<char> usable_donations(const std::vector<aval>& in, const std::vector<aval>& out,
                                                 const std::vector<char>& donated, text& unusable) {
  std::vector<char> usable;
  for (int o : matched_donations(in, out, donated)) usable.push_back(o >= 0);
  for (std::size_t i = 0; i < in.size(); ++i)
    if (donated[i] && !usable[i]) {
      unusable << (unusable.empty() ? "" : ", ") << long_name(in[i].type) << '[';
      for (int d = 0; d < in[i].rank(); ++d) unusable << (d ? "," : "") << in[i].dims[d];
      unusable << ']';
    }
  return usable;
}

/// `i` and `j` are one buffer, and one of them at least is donated.
[[noreturn, gnu::cold]] inline void refuse_second_use(std::size_t i, std::size_t j, const std::vector<char>& donated) {
  raise(error_kind::value, "Attempt to donate the same buffer twice in Execute() (flattened argument ", std::max(i, j), ", first use: ",
        std::min(i, j), "). Toy example for this bug: `f(donate(a), ", donated[i] && donated[j] ? "donate(a)" : "a", ")`.");
}
[[noreturn, gnu::cold]] inline void refuse_captured(std::size_t i) {
  raise(error_kind::value, "Attempt to donate a buffer that the compiled function has captured (flattened argument ", i,
        "), which every call reads; donate a copy, or pass the captured array as an argument");
}
/// Of few arguments each donated one is compared with all others.
inline void check_few_donations(view<const array> args, const std::vector<char>& donated, view<const array> captured) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const buffer* const b = args[i].as_buffer();
    if (!donated[i] || !b) continue;
    for (std::size_t j = 0; j < args.size(); ++j)
      if (j != i && args[j].as_buffer() == b) refuse_second_use(i, j, donated);
    for (const array& x : captured)
      if (x.as_buffer() == b) refuse_captured(i);
  }
}
/// Of many, all are found in a table by their address.
inline void check_many_donations(view<const array> args, const std::vector<char>& donated, view<const array> captured) {
  constexpr std::size_t most_on_stack = 1024;
  std::size_t size = 64;
  while (size < 2 * args.size()) size *= 2;
  std::uint32_t few[most_on_stack];
  std::vector<std::uint32_t> many(size > most_on_stack ? size : 0);
  std::uint32_t* const table = many.empty() ? few : many.data();  // numbers of arguments, from 1 on
  std::fill_n(table, size, 0);
  const auto place_of = [&](const buffer* b) {
    std::size_t at = std::size_t(reinterpret_cast<std::uintptr_t>(b) / 16 * 0x9E3779B97F4A7C15u >> 20) & (size - 1);
    while (table[at] != 0 && args[table[at] - 1].as_buffer() != b) at = (at + 1) & (size - 1);
    return at;
  };
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i].as_buffer()) continue;
    std::uint32_t& known = table[place_of(args[i].as_buffer())];
    if (known == 0) known = std::uint32_t(i + 1);
    else if (donated[i] || donated[known - 1]) refuse_second_use(i, known - 1, donated);
  }
  for (const array& x : captured)
    if (x.as_buffer())
      if (const std::uint32_t known = table[place_of(x.as_buffer())]; known != 0 && donated[known - 1]) refuse_captured(known - 1);
}

/// Errors: type_error for an argument that nothing was ever assigned to.
inline void check_value(const array& x, std::size_t i) {
  if (x.is_none()) raise(error_kind::type, "jit: got an empty jq::array as argument leaf ", i, "; assign it a value first");
}

/// Arguments of a compiled program must have values and be alive, and one that is donated must neither be passed a second time nor be among the arrays that the
/// function has captured. Nor may one of these be deleted then, since the run would fail after it took the donated ones. `Waits`: also until they are computed.
template <bool Waits = true>
void check_arguments(view<const array> args, const std::vector<char>& donated, view<const array> captured) {
  bool donates = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    check_value(args[i], i);
    if (!args[i].as_buffer()) {
      if (args[i].as_constant()) concrete(args[i]);  // throws: this is a type without a value
      continue;
    }
    if (Waits || args[i].as_buffer()->is_deleted()) args[i].as_buffer()->check_alive();
    donates = donates || donated[i];
  }
  if (!donates) return;
  for (const array& x : captured)
    if (const buffer* b = x.as_buffer(); b && (Waits || b->is_deleted())) b->check_alive();
  if (args.size() * (args.size() + captured.size()) <= 128) check_few_donations(args, donated, captured);
  else check_many_donations(args, donated, captured);
}

/// The array, or a copy of what was only borrowed for the call.
inline array owned(const array& x) {
  const buffer* b = x.as_buffer();
  if (!b || !b->borrowed) return x;
  buffer* copy = make_buffer(b->type);
  if (b->type.bytes() != 0) std::memcpy(copy->data, b->data, std::size_t(b->type.bytes()));
  return array(copy);
}

}  // namespace detail
}  // namespace jacquard

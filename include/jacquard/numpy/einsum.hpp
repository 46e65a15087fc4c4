#pragma once
// einsum: sums of products in Einstein's notation, e.g. einsum("ij,jk->ik", a, b). Letters name dimensions, "..." stands for
// leading ones that broadcast; a letter twice in a term takes the diagonal. Products are taken in the order that costs least.

#include <string>

#include "jacquard/numpy/contraction.hpp"
#include "jacquard/numpy/contraction_order.hpp"

namespace jacquard {

/// The text of an einsum, with the user's line.
struct einsum_spec {
  std::string_view text;
  location where;
  constexpr einsum_spec(const char* s, location l = location::current()) : text(s), where(l) {}
  constexpr einsum_spec(std::string_view s, location l = location::current()) : text(s), where(l) {}
  einsum_spec(const std::string& s, location l = location::current()) : text(s), where(l) {}
};

namespace detail {

/// Reads the text and names the dimensions of the operands by it.
template <class Array>
class einsum_reader {
 public:
  std::vector<labelled> terms;
  int_list output;
  array bad;  ///< none, or the result after an error

  constexpr einsum_reader(const einsum_spec& spec, view<const Array> operands) : spec_(spec), operands_(operands) {
    split();
    if (ok() && texts_.size() != operands.size())
      fail(error_kind::value, "got ", operands.size(), " operands for ", texts_.size(), " terms; wanted one term per operand");
    for (std::size_t i = 0; ok() && i < operands.size(); ++i)
      terms.push_back({operands[i], labels_of(texts_[i], operands[i].ndim(), i)});
    if (ok()) check_sizes();
    if (ok()) find_output();
  }

 private:
  static constexpr std::int64_t dots = -1, leading = 256;  // leading dimensions are labelled by their distance from the end
  static constexpr bool is_letter(std::int64_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  constexpr bool ok() const { return bad.is_none(); }
  template <class... Parts>
  constexpr void fail(error_kind kind, const Parts&... parts) {
    if (ok()) bad = operand_error(operands_, make_error(kind, "einsum: ", parts..., " (in \"", spec_.text, "\")"), spec_.where);
  }

  /// Splits the text into one list of letters and `dots` per term; the last one is the output if it is given.
  constexpr void split() {
    texts_.emplace_back();
    const std::string_view s = spec_.text;
    for (std::size_t i = 0; i < s.size(); ++i) {
      label_set& term = has_output_ ? output_text_ : texts_.back();
      if (s[i] == ' ') continue;
      if (is_letter(s[i])) term.push_back(s[i]);
      else if (s[i] == ',' && !has_output_) texts_.emplace_back();
      else if (s.substr(i, 2) == "->" && !has_output_) has_output_ = true, ++i;
      else if (s.substr(i, 3) == "..." && !has_label(term, dots)) term.push_back(dots), i += 2;
      else return fail(error_kind::value, "got the character '", s[i], "' at position ", i,
                       "; wanted letters, commas, at most one \"...\" per term and one \"->\"");
    }
  }
  constexpr int_list labels_of(const label_set& text, int rank, std::size_t term) {
    const int extra = rank - int(text.size()) + (has_label(text, dots) ? 1 : 0);
    int_list r;
    if (extra < 0 || (extra > 0 && !has_label(text, dots)))
      fail(error_kind::value, "operand ", term, " has ", rank, " dimensions; wanted the ", text.size(), " of its term");
    for (std::int64_t c : text) {
      if (c != dots) r.push_back(c);
      else
        for (int d = extra; d > 0; --d) r.push_back(leading + d);
      if (c == dots && extra > dots_) dots_ = extra;
    }
    return r;
  }
  /// Equal labels have equal sizes, but for 1.
  constexpr void check_sizes() {
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (int d = 0; d < terms[i].labels.size(); ++d)
        for (std::size_t j = 0; j <= i; ++j)
          for (int e = 0; e < terms[j].labels.size(); ++e) {
            if (terms[i].labels[d] != terms[j].labels[e]) continue;
            const std::int64_t n = terms[i].value.shape()[d], m = terms[j].value.shape()[e];
            if (n != m && (i == j || (n != 1 && m != 1)))
              return fail(error_kind::shape, "got sizes ", m, " and ", n, " for one dimension, of operands of shapes ",
                          terms[j].value.shape(), " and ", terms[i].value.shape(), "; wanted equal sizes");
          }
  }
  constexpr void find_output() {
    if (has_output_) {
      for (std::int64_t c : output_text_)
        if (c == dots) put_leading();
        else put(c);
      return;
    }
    put_leading();
    for (std::int64_t c = 'A'; c <= 'z'; ++c)
      if (count(c) == 1) put(c);
  }
  constexpr void put_leading() {
    for (int d = dots_; d > 0; --d) put(leading + d);
  }
  constexpr void put(std::int64_t label) {
    if (count(label) == 0)
      return fail(error_kind::value, "the output names '", char(label),
                  "', which no operand has; wanted letters of the operands");
    if (output.contains(label))
      return fail(error_kind::value, "the output names a dimension twice; wanted each at most once");
    output.push_back(label);
    if (output.overflowed()) fail(error_kind::shape, "the result would have more than ", max_rank, " dimensions");
  }
  constexpr int count(std::int64_t label) const {
    int n = 0;
    for (const labelled& t : terms)
      for (std::int64_t l : t.labels) n += l == label;
    return n;
  }

  const einsum_spec& spec_;
  view<const array> operands_;
  std::vector<label_set> texts_;
  label_set output_text_;
  bool has_output_ = false;
  int dots_ = 0;  ///< the largest number of dimensions that "..." stands for
};

/// Replaces two dimensions of one label by their diagonal. Returns false if there are none.
template <class Array = array>
constexpr bool take_diagonal(labelled& x, const location& where) {
  for (int d = 0; d < x.labels.size(); ++d)
    for (int e = d + 1; e < x.labels.size(); ++e) {
      if (x.labels[d] != x.labels[e]) continue;
      const std::int64_t label = x.labels[d];
      x.value = diagonal(operand(x.value, where), 0, d, e);
      x.labels = x.labels.without(e).without(d);
      x.labels.push_back(label);
      return true;
    }
  return false;
}
/// A term without repeated labels, by diagonals, and without labels that are not needed, by sums.
template <class Array = array>
constexpr labelled reduced_term(labelled x, const label_set& needed, const location& where) {
  while (take_diagonal(x, where)) {
  }
  int_list axes, kept;
  for (int d = 0; d < x.labels.size(); ++d)
    if (has_label(needed, x.labels[d])) kept.push_back(x.labels[d]);
    else axes.push_back(d);
  x.value = lax::reduce_sum(x.value, axes, where);
  x.labels = kept;
  return x;
}

/// The dimensions of an einsum as sets of numbers.
constexpr contraction_problem problem_of(const auto& r) {
  label_set labels;
  contraction_problem p;
  const auto set_of = [&](const int_list& l) {
    dimension_set s = 0;
    for (std::int64_t label : l) {
      std::size_t i = 0;
      while (i < labels.size() && labels[i] != label) ++i;
      if (i == labels.size()) labels.push_back(label), p.sizes.push_back(1);
      s |= dimension_set(1) << (i & 63);
    }
    return s;
  };
  for (const labelled& t : r.terms) {
    p.terms.push_back(set_of(t.labels));
    for (int d = 0; d < t.labels.size(); ++d)
      for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] == t.labels[d] && double(t.value.shape()[d]) > p.sizes[i]) p.sizes[i] = double(t.value.shape()[d]);
  }
  p.output = set_of(r.output);
  return p;
}
/// Labels of the output and of all that is still to be multiplied, but for two of them.
template <class Array = array>
constexpr label_set needed_labels(const int_list& output, const std::vector<labelled>& all, const std::vector<char>& used, std::size_t but,
                                  std::size_t and_but) {
  label_set s(output.begin(), output.end());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!used[i] && i != but && i != and_but) s.insert(s.end(), all[i].labels.begin(), all[i].labels.end());
  return s;
}

}  // namespace detail

/// The sum of products that `spec` describes; without "->", the output has the letters that occur once, in alphabetical
/// order. Up to 8 terms are multiplied in the order with the fewest multiplications, more in a greedy one.
/// Errors: value_error for a text that does not fit the operands; shape_error for sizes that differ.
template <class Array = array>
constexpr array einsum(const einsum_spec& spec, view<const lazy<Array>> operands) {
  std::vector<array> values;
  const array bad = detail::joined_operands("einsum", operands, spec.where, values);
  if (!bad.is_none()) return bad;
  const detail::einsum_reader r(spec, view<const array>(values));
  if (!r.bad.is_none()) return r.bad;
  std::vector<detail::labelled> all = r.terms;
  std::vector<char> used(all.size(), 0);
  for (const auto& [i, j] : detail::find_order(detail::problem_of(r))) {
    const detail::label_set later = detail::needed_labels(r.output, all, used, i, j);
    const detail::labelled first = detail::reduced_term(all[i], detail::needed_labels(r.output, all, used, i, i), spec.where);
    const detail::labelled second = detail::reduced_term(all[j], detail::needed_labels(r.output, all, used, j, j), spec.where);
    all.push_back(detail::reduced_term(detail::contract(first, second, later, spec.where), later, spec.where));
    used[i] = used[j] = 1;
    used.push_back(0);
  }
  const detail::label_set output(r.output.begin(), r.output.end());
  return detail::in_order(detail::reduced_term(all.back(), output, spec.where), r.output, spec.where);
}
template <class... T>
  requires((std::constructible_from<operand, const T&, location>) && ...)
constexpr array einsum(const einsum_spec& spec, const T&... operands) {
  const std::vector<array> values{operand(operands, spec.where).value...};
  return einsum(spec, view<const array>(values));
}

}  // namespace jacquard

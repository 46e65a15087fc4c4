#pragma once
// The leaves of the arguments of a call, foreign ones borrowed for the call. Whatever still holds a borrowed buffer when
// the list goes - a result, a residual, something the user's function stored - then gets memory of its own, so that
// nothing dangles and nothing is copied that does not outlive the call.

#include "jacquard/core/tree_node.hpp"

namespace jacquard {

/// Flat arguments. The trees they come from must outlive the list.
class leaf_list {
 public:
  constexpr leaf_list() = default;
  constexpr leaf_list(leaf_list&&) noexcept = default;
  leaf_list& operator=(leaf_list&&) = delete;
  constexpr ~leaf_list() {
    if (views_ == 0) return;
    for (const array& x : leaves_)
      if (buffer* b = x.as_buffer(); b && b->borrowed && b->is_shared()) keep_borrowed(*b);
  }

  template <leaf T>
  constexpr void push_back(const T& x) {
    leaves_.push_back(to_array(x));
    if (__builtin_is_constant_evaluated()) return;
    const buffer* b = leaves_.back().as_buffer();
    if (!b || !b->borrowed) return;
    ++views_;
    // The user's own handle of a view stays a view.
    if constexpr (std::same_as<T, array>) leaves_.back() = array(borrow_buffer(b->type, b->data));
  }
  constexpr std::size_t size() const { return leaves_.size(); }
  constexpr bool empty() const { return leaves_.empty(); }
  constexpr const array& operator[](std::size_t i) const { return leaves_[i]; }
  constexpr const array* begin() const { return leaves_.begin(); }
  constexpr const array* end() const { return leaves_.end(); }
  constexpr operator view<const array>() const { return {leaves_.data(), leaves_.size()}; }
  /// The leaves without the guard: borrowed ones are copied when the list goes.
  constexpr operator std::vector<array>() const { return {leaves_.begin(), leaves_.end()}; }

 private:
  small_vector<array, 6> leaves_;
  std::size_t views_ = 0;
};

/// Appends the leaves of `t` as arrays; foreign leaves are copied.
template <class T>
constexpr void flatten_into(const T& t, std::vector<array>& out) {
  for_each_leaf(t, [&]<class Leaf>(const Leaf& x) {
    out.push_back(to_array(x));
    if constexpr (foreign_array<Leaf>)
      if (buffer* b = out.back().as_buffer(); b && b->borrowed) keep_borrowed(*b);
  });
}

/// The leaves of all trees, in order; foreign ones are borrowed.
template <class... T>
constexpr leaf_list flatten_all(const T&... trees) {
  leaf_list out;
  [[maybe_unused]] const auto one = [&](const auto& tree) {
    for_each_leaf(tree, [&](const auto& x) { out.push_back(x); });
  };
  (one(trees), ...);
  return out;
}

}  // namespace jacquard

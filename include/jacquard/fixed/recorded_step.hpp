#pragma once
// A small arithmetic kernel as straight-line code, from its recording. Deliberately doubles only: kernels add up narrower types in
// wider ones.

#include "jacquard/fixed/equation_shape.hpp"
#include "jacquard/fixed/recorded_kernel.hpp"

namespace jacquard {
namespace detail {

template <const auto& Code, class Values, std::size_t I>
class recorded_step : equation_shape<Code, I> {
  using shape = equation_shape<Code, I>;
  using P = typename shape::P;
  using shape::in_types, shape::out_types, shape::outputs;
  using shape::input, shape::output, shape::output_type;
  using stores = value_stores<Code, Values>;
  using result = typename Values::template of<output_type(0).type>;

 public:
  static constexpr bool applies() { return recorded_sizes[1] != 0; }
  JACQUARD_INLINE static constexpr void run(stores& s) { run_steps(s, std::make_index_sequence<recorded_sizes[0]>{}); }

 private:
  static constexpr auto make_record() { return recording<P>(shape::parameter_view(), in_types, out_types[0]); }
  /// Number of steps and of results; no steps where the kernel is not recorded.
  static constexpr std::array<std::size_t, 2> recorded_sizes = [] {
    if constexpr (recordable<P> && outputs == 1) {
      bool fits = is_small(output_type(0)) && output_type(0).type == f64;
      for (const aval& a : in_types) fits = fits && is_small(a) && a.type == f64 && a.elements() > 0;
      if (fits) {
        const auto r = make_record();
        if (r.steps.size() <= straight_line_steps) return std::array{r.steps.size(), r.results.size()};
      }
    }
    return std::array<std::size_t, 2>{0, 0};
  }();
  struct fixed_recording {
    std::array<arithmetic_step, recorded_sizes[0]> steps{};
    std::array<std::int32_t, recorded_sizes[1]> results{};
  };
  static constexpr fixed_recording recorded_steps = [] {
    fixed_recording f{};
    if constexpr (recorded_sizes[1] != 0) {
      const auto r = make_record();
      for (std::size_t i = 0; i < f.steps.size(); ++i) f.steps[i] = r.steps[i];
      for (std::size_t i = 0; i < f.results.size(); ++i) f.results[i] = r.results[i];
    }
    return f;
  }();
  static constexpr std::int32_t operand_elements() {
    std::int32_t n = 0;
    for (const aval& a : in_types) n += std::int32_t(a.elements());
    return n;
  }
  /// Number `N` of the recording: an element of an operand, or what a step made.
  template <std::int32_t N, class Made>
  JACQUARD_INLINE static constexpr decltype(auto) number(stores& s, const Made& made) {
    if constexpr (N == zero_number) return result(0.0);
    else if constexpr (N >= operand_elements()) return (made[std::size_t(N - operand_elements())]);
    else {
      constexpr std::array<std::size_t, 2> at = [] {
        std::size_t k = 0, j = std::size_t(N);
        for (; j >= std::size_t(in_types[k].elements()); ++k) j -= std::size_t(in_types[k].elements());
        return std::array{k, j};
      }();
      return small_element<Code, Values, input(at[0]), at[1]>(s);
    }
  }
  template <std::size_t I2, class Made>
  JACQUARD_INLINE static constexpr result step_result(stores& s, const Made& made) {
    constexpr arithmetic_step a = recorded_steps.steps[I2];
    const result x = number<a.a>(s, made), y = number<a.b>(s, made);
    if constexpr (a.what == arithmetic::add) return math::add(x, y);
    else if constexpr (a.what == arithmetic::multiply) return math::multiply(x, y);
    else if constexpr (a.what == arithmetic::max) return math::max(x, y);
    else return math::min(x, y);
  }
  template <std::size_t... N>
  JACQUARD_INLINE static constexpr void run_steps(stores& s, std::index_sequence<N...>) {
    std::array<result, sizeof...(N)> made;
    ((made[N] = step_result<N>(s, made)), ...);
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((small_element<Code, Values, atom::of_variable(output(0)), J>(s) = number<recorded_steps.results[J]>(s, made)), ...);
    }(std::make_index_sequence<recorded_sizes[1]>{});
  }
};

}  // namespace detail
}  // namespace jacquard

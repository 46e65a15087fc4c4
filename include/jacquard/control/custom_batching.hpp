#pragma once
// custom_batching: a function whose form for many examples the user gives. Evaluation, compilation and derivatives see the function
// itself; where it is mapped, the rule runs instead.

#include "jacquard/control/rule.hpp"
#include "jacquard/transforms/linearize.hpp"

namespace jacquard {

/// What a rule of custom_batching is told of the call: how many examples there are, and which arguments differ between them.
struct mapped_arguments {
  std::int64_t size = 0;
  std::vector<char> flags;  ///< by argument
  constexpr bool is_mapped(std::size_t argument) const { return flags[argument] != 0; }
};

namespace detail {

/// A rule on flat arrays, those that differ between examples mapped along their first dimension. All results are.
struct batching_rule : function_state {
  constexpr virtual std::vector<array> run(std::vector<array> in, const std::vector<int>& dims, std::int64_t size) const = 0;
  constexpr virtual ~batching_rule() {}
};
template <class Rule, class Arguments, class Result>
struct batching_rule_of final : batching_rule {
  [[no_unique_address]] Rule rule;
  Arguments like;
  Result result;
  batching_rule_of* whole = this;  // as rule_of
  constexpr batching_rule_of(Rule r, Arguments a, Result s) : rule(std::move(r)), like(std::move(a)), result(std::move(s)) {
    destroy = [](function_state* s2) { delete static_cast<batching_rule_of*>(s2)->whole; };
  }
  constexpr ~batching_rule_of() override {}

  /// An argument of which one array is mapped is mapped as a whole.
  constexpr std::vector<array> run(std::vector<array> in, const std::vector<int>& dims, std::int64_t size) const override {
    mapped_arguments m{size, {}};
    std::size_t at = 0;
    const auto look_at = [&](const auto& tree) {
      const std::size_t count = leaf_count(tree);
      bool any = false;
      for (std::size_t i = at; i < at + count; ++i) any = any || dims[i] != not_mapped;
      for (std::size_t i = at; i < at + count && any; ++i) in[i] = batch_materialise(in[i], dims[i], size);
      m.flags.push_back(any);
      at += count;
    };
    std::apply([&](const auto&... tree) { (look_at(tree), ...); }, like);
    const array* next = in.data();
    const auto y = std::apply([&](const auto&... x) { return call_function(rule, m, x...); }, rebuild_arguments(like, next));
    std::vector<array> outs;
    flatten_into(y, outs);
    const text got = structure_text(y), want = structure_text(result);
    if (!(got == want)) {
      fail_in_rule(in, make_error(error_kind::type, "the rule of custom_batching must return the results of the function, of structure ", want, ", but got ", got));
      return {};
    }
    return outs;
  }
};

}  // namespace detail

/// The body applied to the operands, of which the first are captured values; `rule` says how it is mapped.
/// Rules   batch: the rule; others are those of the body, laid out. A masked function is mapped as its body is: the sizes may differ
///         between examples, which the rule knows nothing of.
struct custom_batching_p : detail::function_with_rule {
  static constexpr std::string_view name = "custom_batching_call";
  struct params {
    jaxpr_ref body;
    function_ref rule;
    std::int64_t num_consts = 0;
    static constexpr std::string_view fields = "jaxpr rule num_consts";
  };

  static constexpr void joint_jvp(auto& c, const params& p) {
    const jvp_values r = jvp_jaxpr(*p.body, {}, c.x, c.t);
    for (std::size_t i = 0; i < c.y.size(); ++i) c.y[i] = r.primals[i], c.ty[i] = r.tangents[i];
  }
  static constexpr void linearize(auto& c, const params& p) {
    const linearized l = linearize_jaxpr(*p.body, {}, c.x, detail::tangent_flags(c.x, c.t));
    std::vector<array> t;
    for (std::size_t i = 0; i < c.t.size(); ++i)
      if (!c.t[i].is_none() && is_inexact(c.x[i].dtype())) t.push_back(c.t[i]);
    const std::vector<array> ty = eval_jaxpr(l.program, t);
    for (std::size_t i = 0; i < c.y.size(); ++i) {
      c.y[i] = l.primals[i];
      if (l.tangent_of[i] >= 0) c.ty[i] = ty[std::size_t(l.tangent_of[i])];
    }
  }

  static constexpr void batch(auto& c, const params& p) {
    const std::size_t first = std::size_t(p.num_consts);
    for (std::size_t i = 0; i < first; ++i)
      if (c.dims[i] != not_mapped)
        return detail::fail_in_rule(c.x, make_error(error_kind::tracer, "a custom_batching function captures a value that is mapped; pass it as an argument"));
    if (!p.rule.state())
      return detail::fail_in_rule(c.x, make_error(error_kind::not_implemented, "a custom rule is not part of a program in static storage; transform the "
                                                                               "function itself"));
    const std::vector<array> in(c.x.begin() + p.num_consts, c.x.end());
    const std::vector<int> dims(c.dims.begin() + p.num_consts, c.dims.end());
    const std::vector<array> out = static_cast<const detail::batching_rule*>(p.rule.state())->run(in, dims, c.size);
    const jaxpr& b = *p.body;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const aval want = detail::stacked_type_of(b.type_of(b.outvars[i]), c.size);
      if (!same_type(out[i].aval(), want))
        return detail::fail_in_rule(c.x, make_error(error_kind::type, "the rule of custom_batching must return results for all ", c.size,
                                                    " examples, of type ", detail::long_type_text(want), ", but got ",
                                                    detail::long_type_text(out[i].aval())));
      c.outputs.push_back({out[i], 0});
    }
  }

  static constexpr void mask(auto& c, const params& p) {
    c.reads_sizes = true;
    for (const masked& y : c.scope.evaluate(*p.body, *decode<params>(c.twin).body, c.scope.name_values(), c.x, c.dims, dimension(1))) c.outputs.push_back(y);
  }
};

#if defined(__clang__)
// As call_p.
static_assert((static_cast<void>(&custom_batching_p::joint_jvp<joint_call>), static_cast<void>(&custom_batching_p::linearize<joint_call>),
               static_cast<void>(&custom_batching_p::batch<batch_call>),
               static_cast<void>(&custom_batching_p::mask<mask_call>), true));
#endif

namespace detail {

template <class F, class Rule>
struct custom_batching_function {
  [[no_unique_address]] F f;
  [[no_unique_address]] Rule rule;

  template <class... A>
  constexpr auto operator()(const A&... args) const {
    return call_with_rule<custom_batching_p>(*this, f, "custom_batching", [&]<class X, class Y>(std::tuple<>, const X& like, const Y& result) {
      return function_ref(nullptr, new batching_rule_of<Rule, X, Y>(rule, like, result));
    }, args...);
  }
};

}  // namespace detail

/// f, mapped as rule(const mapped_arguments&, args...) says: arguments that differ between examples come with these along their
/// first axis, and so do all results. The rule may itself be mapped and differentiated.
/// Errors  type_error: results of another structure, dtype or shape.
template <class F, class Rule>
constexpr auto custom_batching(F f, Rule rule) {
  return detail::custom_batching_function<F, Rule>{std::move(f), std::move(rule)};
}

}  // namespace jacquard

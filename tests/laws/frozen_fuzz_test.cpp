// Random programs of the compile-time lane: traced, transformed, simplified, frozen and laid out as the compiler does it, but while the test runs,
// so that thousands are tried. The steps that are left are run one by one, and compared with dual numbers in long double, which know nothing
// of traces; what they may differ by is what rounding of every operation may do. JACQUARD_FUZZ="count seed" in the environment tries
// that many from that seed on.
#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

#include <map>
#include <memory>

#include "frozen_programs.hpp"
#include "random_trials.hpp"

namespace jq = jacquard;
using jq::array;
using jq::testing::report;
using laws::direction, laws::exact, laws::expected, laws::frozen_program, laws::transform;

namespace {

constexpr jq::frozen_sizes room{8192, 512, 32768, 8192, 16384, 64, 8192, 64, 4096};
using program = jq::frozen<room>;

/// What is known of primitives, for those that such programs have.
template <class... P>
std::map<const jq::primitive*, jq::detail::equation_facts> facts_of() {
  return {{&jq::table_of<P>(), jq::detail::facts_of<P>()}...};
}
const auto& known_facts() {
  using namespace jq;
  static const auto all = facts_of<add_p, sub_p, mul_p, div_p, neg_p, sin_p, cos_p, exp_p, log_p, sqrt_p, rsqrt_p, integer_pow_p, max_p, min_p, eq_p, ne_p, lt_p, le_p, gt_p, ge_p,
                                   select_n_p, broadcast_in_dim_p, reduce_sum_p, reshape_p, squeeze_p, slice_p, pad_p, concatenate_p, transpose_p, dot_general_p, convert_element_type_p,
                                   iota_p>();
  return all;
}

/// A frozen program, laid out, whose steps run one after the other.
class laid_out {
 public:
  static constexpr jq::detail::layout_sizes most{32768, 32768, 16384, 8192, 32768, 64};
  using tables = jq::detail::layout<room.variables, room.equations, most>;

  laid_out(const jq::closed_jaxpr& p, bool in_lanes) : layout_(std::make_unique<tables>()) {
    static jq::detail::wide_program* const wide = new jq::detail::wide_program;  // some megabytes, used again
    std::construct_at(wide)->add(p);
    if (p.problem || wide->too_large() || !wide->used.fits(room)) return;
    code_ = std::make_unique<program>(*wide);
    std::vector<const jq::primitive*> primitives;
    for (std::uint32_t n = 0; n < wide->used.equations; ++n) {
      const jq::primitive* const op = code_->equations[n].op;
      const auto found = std::find(primitives.begin(), primitives.end(), op);
      numbers_.push_back(std::uint32_t(found - primitives.begin()));
      operands_.push_back(code_->equations[n].in.count);
      if (found != primitives.end()) continue;
      primitives.push_back(op);
      const auto known = known_facts().find(op);
      if (known == known_facts().end()) {
        unknown = std::string(op->name);
        return;
      }
      facts_.push_back(known->second);
    }
    std::uint64_t floats = 0, doubles = 0;
    for (std::uint32_t v = 0; v < wide->used.variables; ++v) {
      const jq::aval& a = code_->type_of_variable(v);
      (a.type == jq::f32 ? floats : doubles) += a.type == jq::f32 || a.type == jq::f64 ? std::uint64_t(a.elements()) : 0;
    }
    view_ = {code_->atoms.data(), code_->literals.data(), code_->equations.data(), code_->programs.data(), code_->types.data(), code_->type_numbers.data(), code_->words.data(),
             wide->used.variables, wide->used.equations, wide->used.literals, wide->used.types, in_lanes, floats > doubles ? jq::f32 : jq::f64, facts_.data(), numbers_.data(),
             operands_.data(), std::uint32_t(primitives.size())};
    jq::detail::small_arrays<room.variables> small;
    small.counts = jq::detail::find_small_arrays(view_, small.small.all, small.elements.all);
    if (jq::detail::most_values(view_, small.counts) > most.steps) return;
    jq::detail::layout_builder<jq::detail::program_view> builder(view_, small.small.all, small.elements.all, small.counts);
    builder.build();
    builder.write(*layout_);
    all_small_ = true;
    for (std::uint32_t v = 0; v < wide->used.variables; ++v) all_small_ = all_small_ && small.small[v];
    for (std::uint32_t i = 0; i < layout_->used.steps; ++i) all_small_ = all_small_ && (layout_->steps[i].kind & jq::detail::run_step::whole) == 0;
  }
  std::string unknown;  ///< a primitive whose facts the test would have to name
  bool runs() const { return all_small_; }

  std::vector<double> run(const double* arguments, std::size_t count) {
    for (int t = 0; t < jq::dtype_count; ++t) slots_[t].assign(layout_->slots[std::size_t(t)], jq::literal());
    for (std::size_t i = 0; i < count; ++i) slots_[int(view_.number_type)][i] = number(arguments[i]);
    for (std::uint32_t i = 0; i < layout_->used.steps; ++i) {
      const jq::detail::run_step& s = layout_->steps[i];
      if ((s.kind & jq::detail::run_step::plain_arithmetic) == 0 && (s.kind & jq::detail::run_step::group) != 0) {
        const jq::detail::step_group& g = layout_->groups[s.kind & ~jq::detail::run_step::group];
        // All that a group reads is there before it, and it writes at once.
        std::vector<jq::literal> made;
        for (std::uint32_t k = 0; k < g.count; ++k) made.push_back(result_of(layout_->grouped[g.first + k]));
        for (std::uint32_t k = 0; k < g.count; ++k) place_of(layout_->grouped[g.first + k]) = made[k];
      } else place_of(s) = result_of(s);
    }
    std::vector<double> r;
    const jq::frozen_program& p = code_->programs[0];
    for (std::uint32_t k = 0; k < p.outputs.count; ++k) {
      const jq::atom a = code_->atoms[p.outputs.first + k];
      const std::uint32_t n = std::uint32_t(code_->type_of(a).elements());
      for (std::uint32_t i = 0; i < n; ++i)
        r.push_back((a.is_literal() ? code_->literals[a.index()] : value(layout_->elements[layout_->first[a.index()] + i], code_->type_of(a).type)).get<double>());
    }
    return r;
  }

 private:
  jq::literal number(double x) const { return jq::literal(x).as(view_.number_type); }
  jq::literal value(std::uint32_t code, jq::dtype type) const {
    if ((code & jq::atom::literal_bit) == 0) return slots_[int(type)][code];
    const jq::detail::constant_bits& c = layout_->constants[code & ~jq::atom::literal_bit];
    jq::literal l;
    l.type = jq::dtype(c.type), l.low = c.low, l.high = c.high;
    return l;
  }
  jq::literal& place_of(const jq::detail::run_step& s) {
    if ((s.kind & jq::detail::run_step::plain_arithmetic) != 0) return slots_[int(view_.number_type)][s.out];
    return slots_[int(code_->type_of(code_->atoms[code_->equations[s.kind].out.first]).type)][s.out];
  }
  jq::literal result_of(const jq::detail::run_step& s) const {
    if ((s.kind & jq::detail::run_step::plain_arithmetic) != 0) {
      const auto what = jq::detail::arithmetic(s.kind & ~jq::detail::run_step::plain_arithmetic);
      const jq::literal a = value(s.in[0], view_.number_type), b = value(s.in[1], view_.number_type);
      if (view_.number_type == jq::f32) return number(double(jq::detail::computed(what, a.get<float>(), b.get<float>())));
      return number(jq::detail::computed(what, a.get<double>(), b.get<double>()));
    }
    const jq::frozen_equation& e = code_->equations[s.kind];
    std::vector<jq::literal> in;
    for (std::uint32_t k = 0; k < e.in.count; ++k) in.push_back(value(s.in[k], code_->type_of(code_->atoms[e.in.first + k]).type));
    const jq::detail::equation_facts& f = view_.facts(s.kind);
    if (f.picks) return in[in[0].low != 0 ? 2 : 1];
    return f.fold(view_.params(e), in, code_->type_of(code_->atoms[e.out.first]).type);
  }

  std::unique_ptr<program> code_;
  std::unique_ptr<tables> layout_;
  std::vector<jq::detail::equation_facts> facts_;
  std::vector<std::uint32_t> numbers_, operands_;
  jq::detail::program_view view_{};
  bool all_small_ = false;
  std::vector<jq::literal> slots_[jq::dtype_count];
};

/// The program of a transform of a random function of an array of three numbers.
jq::closed_jaxpr traced(const frozen_program& p, transform t, const array& like) {
  const auto many = [&p](const array& x, std::size_t count) { return p(std::vector<array>{x(0), x(1), x(2)}, count); };
  const auto f = [many](const array& x) { return many(x, 1)[0]; };
  const auto g = [many](const array& x) {
    const std::vector<array> all = many(x, 3);
    return jq::stack({all[0], all[1], all[2]});
  };
  switch (t) {
    case transform::value: return jq::make_jaxpr(f)(like);
    case transform::gradient: return jq::make_jaxpr(jq::grad(f))(like);
    case transform::value_and_gradient: return jq::make_jaxpr(jq::value_and_grad(f))(like);
    case transform::tangent:
      return jq::make_jaxpr([f](const array& x) {
        const array to = jq::stack({direction[0] + 0.0 * x(0), direction[1] + 0.0 * x(1), direction[2] + 0.0 * x(2)});
        return jq::jvp(f, jq::primals(x), jq::tangents(to));
      })(like);
    case transform::jacobian_backwards: return jq::make_jaxpr(jq::jacrev(g))(like);
    case transform::jacobian_forwards: return jq::make_jaxpr(jq::jacfwd(g))(like);
    case transform::hessian: return jq::make_jaxpr(jq::hessian(f))(like);
    default:
      return jq::make_jaxpr(jq::grad([f](const array& x) {
        const array s = jq::grad(f)(x);
        return direction[0] * s(0) + direction[1] * s(1) + direction[2] * s(2);
      }))(like);
  }
}

struct tally {
  int run = 0, unsure = 0, no_steps = 0;
} counted;

report one(std::uint64_t seed) {
  report r;
  jq::testing::sampler s(seed * 7919);
  const auto t = transform(s.below(int(transform::count)));
  const bool single = s.below(4) == 0, second_order = t == transform::hessian || t == transform::gradient_of_gradient;
  const frozen_program p(seed, !second_order && s.below(3) == 0);
  const std::vector<exact> want = expected(p, t, p.arguments);
  const double unit = single ? 0x1p-24 : 0x1p-53;
  if (!laws::is_sure(want, unit)) {
    ++counted.unsure;
    return r;
  }
  const array like = jq::zeros({frozen_program::inputs}, single ? jq::f32 : jq::f64);
  laid_out l(jq::simplify(traced(p, t, like), jq::no_effect), s.below(4) == 0);
  if (!l.unknown.empty()) return r.fail("seed ", seed, ": the test does not know of ", std::string_view(l.unknown));
  if (!l.runs()) {
    ++counted.no_steps;
    return r;
  }
  ++counted.run;
  return r.add(jq::cat("seed ", seed, ", transform ", int(t), ", ", p.size(), " operations").view(), laws::compared(l.run(p.arguments, frozen_program::inputs), want, unit, 4));
}

}  // namespace

TEST_CASE("random programs of the compile-time lane give what dual numbers in long double give") {
  const auto asked = laws::try_seeds(&one, 10000);
  MESSAGE(counted.run, " of ", asked, " run, ", counted.unsure, " unsure, ", counted.no_steps, " not of single numbers");
  CHECK(std::uint64_t(counted.run) * 2 > asked);
}

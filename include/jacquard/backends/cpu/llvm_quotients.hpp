#pragma once
// Divisions by one number for a whole row, or for each column, within the loops of a kernel: multiplications by its inverse, of twice as many
// digits where the last bit matters. Such loops are written twice, since inverses of very large and very small numbers lose bits. Deliberately
// not for precision::strict, and nothing about single divisions.

#include "jacquard/backends/cpu/llvm_puts.hpp"

namespace jacquard::cpu::detail {

/// By step: whether it goes into sums as a term, or as a factor of one, and nowhere else within stages. Then it may be off by a bit: sums round as
/// much. A difference that is a factor is not followed further, for it may leave nothing but such bits. Complexity: linear.
inline std::vector<char> only_summed(const loop_kernel& k) {
  enum kind : char { exact, factor, term, unused };
  std::vector<char> kinds(k.body.steps.size(), unused);
  const auto use = [&](std::int32_t step, kind as) { kinds[std::size_t(step)] = std::min<char>(kinds[std::size_t(step)], as); };
  for (const stage& s : k.stages) use(s.step, s.combine == scalar_op::add ? term : exact);
  for (std::size_t n = k.body.steps.size(); n-- > 0;) {
    const scalar_step& s = k.body.steps[n];
    const bool adds = s.op == scalar_op::add || s.op == scalar_op::subtract, scales = s.op == scalar_op::multiply || s.op == scalar_op::divide;
    for (int i = 0; i < operand_count(s.op) && kinds[n] != unused; ++i) {
      if (s.op == scalar_op::negate || (adds && kinds[n] == term)) use(s.in[i], kind(kinds[n]));
      else use(s.in[i], scales && kinds[n] != exact && !(s.op == scalar_op::divide && i == 1) ? factor : exact);
    }
  }
  for (char& c : kinds) c = c == factor || c == term;
  return kinds;
}

class quotient_writer : protected put_writer {
 protected:
  using put_writer::put_writer;

  std::uint32_t inner_loops() const {
    std::uint32_t m = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner) m |= 1u << i;
    return m;
  }
  bool vector_is_inner() const { return vector_.loop >= 0 && k_.loops[std::size_t(vector_.loop)].inner; }

  /// Whether a step divides all elements of a row, or of each lane's column, by one number, known before these begin.
  bool divides_alike(std::int32_t step) const {
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    if (s.op != scalar_op::divide || t_.strict || t_.isa == 'b' || !is_inexact(s.type) || vector_.loop < 0) return false;
    const std::uint32_t along = vector_is_inner() ? 1u << vector_.loop : inner_loops();
    const bool changes = (depends_[std::size_t(s.in[0])] & along) != 0, stays = (depends_[std::size_t(s.in[1])] & inner_loops()) == 0;
    return changes && stays && k_.body.steps[std::size_t(s.in[1])].op != scalar_op::constant;
  }
  /// Writes loops in which these divisors, known by now, have inverses, and once more without, for where one of them has none of use.
  void with_inverses(const std::vector<std::int32_t>& divisors, loop_body body) {
    std::string fits;
    for (std::int32_t d : divisors)
      if (!inverse_of(d)) inverses_.push_back(inverted(d, fits));
    if (inverses_.empty() || t_.fast_math) {
      body();
      inverses_.clear();
      return;
    }
    const std::string n = std::to_string(labels_++);
    const std::vector<registers> known = values_;
    const auto version = [&](const std::string& label) {
      line({label, n, ":"});
      block_ = label + n;
      body();
      values_ = known;
      line({"  br label %both", n});
      inverses_.clear();
    };
    line({"  br i1 ", fits, ", label %usual", n, ", label %other", n});
    version("usual");
    version("other");
    line({"both", n, ":"});
    block_ = concat({"both", n});
  }
  /// x divided by the divisor of that step, whose inverse is known here; else nothing.
  registers quotients(std::int32_t divisor, dtype t, const registers& x, const registers& y, bool is_summed) {
    const known_inverse* const by = inverse_of(divisor);
    const std::string v = vector_of(t);
    registers r;
    for (std::size_t u = 0; by && u < std::max(x.size(), y.size()); ++u) {
      const std::size_t n = by->whole.size() == 1 ? 0 : std::size_t(copy_) + u;
      const std::string& of = pick(x, int(u));
      if (is_summed || t_.fast_math) r.push_back(set({"fmul ", v, " ", of, ", ", by->whole[n]}));
      else r.push_back(times_inverse(t, of, by->most[n], by->rest[n]));
    }
    return r;
  }

  std::vector<std::uint32_t> depends_;  ///< by step: the loops it depends on

 private:
  struct known_inverse {
    std::int32_t step;
    registers whole, most, rest;  ///< rounded, and for times_inverse
  };
  const known_inverse* inverse_of(std::int32_t step) const {
    for (const known_inverse& k : inverses_)
      if (k.step == step) return &k;
    return nullptr;
  }
  /// The inverse of what a step is; `fits` says in addition whether that loses no bits. One number for all lanes is inverted once.
  known_inverse inverted(std::int32_t step, std::string& fits) {
    const dtype t = k_.body.steps[std::size_t(step)].type == f64 ? f64 : f32;  // in which numbers of 16 bits are computed
    const bool in_lanes = !vector_is_inner();
    const int width = std::exchange(width_, in_lanes ? width_ : 1);
    const std::string type = vector_of(t), own = in_lanes ? type : std::string(computed(t)), truth = in_lanes ? mask_type() : "i1";
    const auto everywhere = [&](const std::string& x) { return in_lanes ? x : lanes_of(t, 1, x, 0, width); };
    known_inverse r{step, {}, {}, {}};
    for (const std::string& known : values_[std::size_t(step)]) {
      const std::string by = in_lanes ? known : lanes_of(t, width, known, 0, 1), sizes = intrinsic("fabs", t, by);
      const std::string size = in_lanes ? sizes : set({"extractelement ", type, " ", sizes, ", i32 0"});
      const auto is = [&](const char* how, double limit) {
        return set({"fcmp ", how, " ", own, " ", size, ", ", in_lanes ? all(computed(t), number(limit)) : number(limit)});
      };
      std::string within = set({"and ", truth, " ", is("ogt", 1 / largest_inverted(t)), ", ", is("olt", largest_inverted(t))});
      if (in_lanes) within = in_all_lanes(within);
      fits = fits.empty() ? within : set({"and i1 ", fits, ", ", within});
      const std::string whole = set({"fdiv ", type, " ", constant(1.0, t), ", ", by}), most = set({"fmul ", type, " ", whole, ", ", constant(below_one(t), t)});
      const std::string left = fused(t, set({"fneg ", type, " ", most}), by, constant(1.0, t));
      r.rest.push_back(everywhere(set({"fmul ", type, " ", left, ", ", most})));
      r.most.push_back(everywhere(most));
      r.whole.push_back(everywhere(whole));
    }
    width_ = width;
    return r;
  }

  std::vector<known_inverse> inverses_;  ///< of divisors, within the loops that have them
};

}  // namespace jacquard::cpu::detail

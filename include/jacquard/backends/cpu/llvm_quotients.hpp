#pragma once
// Divisions by one number for a whole row, or for each column, within the loops of a kernel: multiplications by its inverse, with what corrects
// them where their last bit matters. Such loops are written twice, since inverses of very large and very small numbers lose bits. Deliberately
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
  template <class Body>
  void with_inverses(const std::vector<std::int32_t>& divisors, Body&& body) {
    std::string fits;
    for (std::int32_t d : divisors)
      if (!inverse_of(d)) inverses_.push_back({d, inverted(k_.body.steps[std::size_t(d)].type, values_[std::size_t(d)], fits)});
    if (inverses_.empty() || t_.fast_math) {
      body();
      inverses_.clear();
      return;
    }
    const std::string n = std::to_string(labels_++);
    const std::vector<registers> known = values_;
    const auto version = [&](const std::string& label) {
      line(label + n + ":");
      block_ = label + n;
      body();
      values_ = known;
      line("  br label %both" + n);
      inverses_.clear();
    };
    line("  br i1 " + fits + ", label %usual" + n + ", label %other" + n);
    version("usual");
    version("other");
    line("both" + n + ":");
    block_ = "both" + n;
  }
  /// x divided by the divisor of that step, whose inverse is known here; else nothing.
  registers quotients(std::int32_t divisor, dtype t, const registers& x, const registers& y, bool is_summed) {
    const registers* const inverse = inverse_of(divisor);
    registers r;
    for (std::size_t u = 0; inverse && u < std::max(x.size(), y.size()); ++u) {
      const std::string& by = (*inverse)[inverse->size() == 1 ? 0 : std::size_t(copy_) + u];
      r.push_back(is_summed || t_.fast_math ? set("fmul " + vector_of(t) + " " + pick(x, int(u)) + ", " + by) : quotient(t, pick(x, int(u)), pick(y, int(u)), by));
    }
    return r;
  }

  std::vector<std::uint32_t> depends_;  ///< by step: the loops it depends on

 private:
  struct known_inverse {
    std::int32_t step;
    registers inverse;
  };
  const registers* inverse_of(std::int32_t step) const {
    for (const known_inverse& k : inverses_)
      if (k.step == step) return &k.inverse;
    return nullptr;
  }
  /// 1 / y; `fits` says in addition whether that loses no bits.
  registers inverted(dtype t, const registers& y, std::string& fits) {
    const std::string type = vector_of(t);
    const double largest = t == f64 ? 0x1p900 : 0x1p100;
    const bool in_lanes = !vector_is_inner();
    registers inverse;
    for (const std::string& by : y) {
      const std::string one = in_lanes ? by : set("extractelement " + type + " " + by + ", i32 0"), own = in_lanes ? type : std::string(computed(t));
      const auto is = [&](const char* how, double limit) {
        return set("fcmp " + std::string(how) + " " + own + " " + one + ", " + (in_lanes ? all(computed(t), number(limit)) : number(limit)));
      };
      const std::string truth = in_lanes ? mask_type() : "i1";
      const std::string apart = set("or " + truth + " " + is("ogt", 1 / largest) + ", " + is("olt", -1 / largest));
      const std::string below = set("and " + truth + " " + is("olt", largest) + ", " + is("ogt", -largest));
      std::string within = set("and " + truth + " " + apart + ", " + below);
      if (in_lanes) {
        if (!mask_.empty()) within = select(mask_, bool_, within, all("i1", "1"));
        within = call("i1", "llvm.vector.reduce.and.v" + std::to_string(width_) + "i1", {mask_type() + " " + within}, {mask_type()});
      }
      fits = fits.empty() ? within : set("and i1 " + fits + ", " + within);
      inverse.push_back(set("fdiv " + type + " " + constant(1.0, t) + ", " + by));
    }
    return inverse;
  }

  std::vector<known_inverse> inverses_;  ///< of divisors, within the loops that have them
};

}  // namespace jacquard::cpu::detail

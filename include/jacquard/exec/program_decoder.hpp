#pragma once
// Reads programs that exec/program_encoder wrote. Whatever the bytes are, what comes out is a well-typed program or an error: types are
// inferred anew and compared, nothing is read beyond the end. Deliberately without names of primitives, which the caller looks up.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/byte_stream.hpp"
#include "jacquard/core/param_visitor.hpp"
#include "jacquard/core/read.hpp"

namespace jacquard::detail {

/// The name of a source file, kept for as long as the process: locations only point to it.
inline const char* kept_file_name(std::string_view name) {
  struct known {
    std::string name;
    known* next;
  };
  static constinit known* first = nullptr;
  if (name.empty()) return nullptr;
  known* head = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
  for (const known* k = head; k; k = k->next)
    if (k->name == name) return k->name.c_str();
  known* const mine = new known{std::string(name), head};
  while (!__atomic_compare_exchange_n(&first, &mine->next, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {}
  return mine->name.c_str();
}

class program_decoder {
 public:
  program_decoder(byte_reader& in, primitive_lookup lookup) : in_(in), lookup_(lookup) {}

  /// What is wrong with the bytes, once something is.
  const error_record& problem() const { return problem_; }

  closed_jaxpr read() {
    jaxpr p = read_program();
    closed_jaxpr r;
    for (variable v : p.constvars) {
      const aval type = read_type();
      if (!(type == p.avals[v])) fail("got a constant of another type than it has in the program");
      const std::string_view elements = ok() ? in_.characters(std::size_t(type.bytes())) : std::string_view();
      if (!ok()) break;
      r.constants.push_back(array(make_buffer(type)));
      if (!elements.empty()) std::memcpy(r.constants.back().as_buffer()->data, elements.data(), elements.size());
    }
    r.program = jaxpr_ref(std::move(p));
    return r;
  }
  aval read_type() {
    const std::uint64_t head = in_.number_below(2 * (std::uint64_t(dtype::c128) + 1));
    const aval r(dtype(head >> 1), shape(read_list()), (head & 1) != 0);
    for (std::int64_t d : r.dims)
      if (d < 0) return fail("got a negative dimension"), aval();
    if (r.bytes() == std::numeric_limits<std::int64_t>::max()) return fail("got a type that does not fit into memory"), aval();
    return r;
  }

 private:
  /// Reads the parameters of one equation, one field after the other.
  class field_reader final : public param_visitor {
   public:
    explicit field_reader(program_decoder& d) : d_(d), in_(d.in_) {}
    void field(std::string_view, bool& v) override { v = in_.number_below(2) != 0; }
    void field(std::string_view, std::int64_t& v) override { v = in_.integer(); }
    void field(std::string_view, double& v) override { v = std::bit_cast<double>(in_.number()); }
    void field(std::string_view, dtype& v) override { v = dtype(in_.number_below(std::uint64_t(dtype::c128) + 1)); }
    void field(std::string_view, int_list& v) override { v = d_.read_list(); }
    void field(std::string_view, std::vector<std::int64_t>& v) override {
      v.clear();
      for (std::size_t n = in_.count(); n > 0 && !in_.failed(); --n) v.push_back(in_.integer());
    }
    void field(std::string_view, name_text& v) override {
      const std::string_view s = in_.string();
      if (s.size() > name_text::most) d_.fail("got a name of more than 31 characters");
      v = name_text(s);
    }
    void field(std::string_view, aval& v) override { v = d_.read_type(); }
    void field(std::string_view, jaxpr_ref& v) override { v = d_.read_body(); }
    void field(std::string_view, list<jaxpr_ref>& v) override {
      v.clear();
      for (std::size_t n = in_.count(); n > 0 && d_.ok(); --n) v.push_back(d_.read_body());
    }
    void field(std::string_view, function_ref&) override {}  // the equation runs without

   private:
    program_decoder& d_;
    byte_reader& in_;
  };

  bool ok() const { return !problem_ && !in_.failed(); }
  template <class... Parts>
  void fail(const Parts&... parts) {
    if (!problem_ && !in_.failed()) problem_ = make_error(error_kind::value, parts...);
    in_.fail();
  }
  int_list read_list() {
    int_list r;
    const std::uint64_t n = in_.number_below(max_rank + 1);
    for (std::uint64_t i = 0; i < n; ++i) r.push_back(in_.integer());
    return r;
  }
  jaxpr read_program() {
    jaxpr p;
    if (++depth_ > 100) fail("programs are nested more than 100 deep");
    std::vector<variable> names;
    for (std::vector<variable>* inputs : {&p.constvars, &p.invars})
      for (std::size_t n = in_.count(); n > 0 && ok(); --n) {
        inputs->push_back(p.new_variable(read_type()));
        names.push_back(inputs->back());
      }
    for (std::size_t n = in_.count(); n > 0 && ok(); --n) read_equation(p, names);
    for (atom a : read_atoms(p, names)) p.outvars.push_back(a);
    --depth_;
    return p;
  }
  jaxpr_ref read_body() {
    if (in_.number_below(2) == 0) return fail("an equation lacks a body"), jaxpr_ref(jaxpr{});
    jaxpr p = read_program();
    if (!p.constvars.empty()) fail("a body holds constants");
    return jaxpr_ref(std::move(p));
  }
  void read_equation(jaxpr& p, std::vector<variable>& names) {
    const std::string_view name = in_.string();
    const location where = read_location();
    const primitive* const op = in_.failed() ? nullptr : lookup_(name);
    if (!op) return fail("got the primitive '", name, "', which is not known here");
    param_pack pack;
    field_reader fields(*this);
    if (op->visit_params) op->visit_params(pack, fields);
    const small_vector<atom, 4> operands = read_atoms(p, names);
    if (!ok()) return;
    small_vector<aval, 4> types;
    for (atom a : operands) types.push_back(p.type_of(a));
    const param_view params = pack;
    inference c{op->name, view<const aval>(types.data(), types.size()), params, nullptr};
    op->abstract_eval(c);
    if (!c.problem && c.in.missing()) return fail(op->name, " lacks operands");
    if (c.problem) return fail(c.problem.message);
    if (in_.count() != c.outputs.size()) return fail("got another number of results of ", op->name, " than ", c.outputs.size());
    for (const aval& want : c.outputs)
      if (const aval got = read_type(); !(got == want)) return fail("got the type ", got, " for a result of ", op->name, ", wanted ", want);
    const variable first = p.append(*op, view<const atom>(operands.data(), operands.size()), params,
                                    view<const aval>(c.outputs.data(), c.outputs.size()), effects_of(*op, params), where);
    for (std::size_t i = 0; i < c.outputs.size(); ++i) names.push_back(variable(first + i));
  }
  small_vector<atom, 4> read_atoms(jaxpr& p, const std::vector<variable>& names) {
    small_vector<atom, 4> r;
    for (std::size_t n = in_.count(); n > 0 && ok(); --n) {
      const std::uint64_t number = in_.number_below(names.size() + 1);
      if (number != 0) r.push_back(atom::of_variable(names[number - 1]));
      else r.push_back(p.add_literal(read_literal()));
    }
    return r;
  }
  literal read_literal() {
    const std::uint64_t head = in_.number_below(2 * (std::uint64_t(dtype::c128) + 1));
    literal l;
    l.type = dtype(head >> 1);
    l.weak = (head & 1) != 0;
    l.low = in_.number();
    l.high = in_.number();
    return l;
  }
  location read_location() {
    const std::uint64_t head = in_.number();
    if ((head & 1) == 0) file_ = kept_file_name(in_.string());
    return {file_, std::uint32_t(head >> 1)};
  }

  byte_reader& in_;
  primitive_lookup lookup_;
  error_record problem_;
  const char* file_ = nullptr;
  int depth_ = 0;
};

}  // namespace jacquard::detail

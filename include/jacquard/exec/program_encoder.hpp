#pragma once
// Programs as bytes. Unlike the text of core/print, these keep weakness, literals bit by bit, the user's lines and the elements of
// captured constants. Calls within bodies are inlined, as compiling them does. Deliberately not for programs that call the host:
// functions live in their process only. exec/program_decoder reads the bytes.

#include "jacquard/core/byte_stream.hpp"
#include "jacquard/core/param_visitor.hpp"
#include "jacquard/transforms/simplify.hpp"

namespace jacquard::detail {

class program_encoder {
 public:
  /// `where`: the user's line that errors name where an equation has none of its own.
  explicit program_encoder(byte_writer& out, const location& where = {}) : out_(out), where_(where) {}

  /// Errors: value_error that names an equation which holds a function of the host, and its line.
  void put(const closed_jaxpr& p) {
    put(*p);
    for (const array& x : p.constants) {
      const array value = x.kind() == array_kind::literal ? concrete_constant(x) : x;
      const buffer& b = *value.as_buffer();
      b.check_alive();
      put(b.type);
      out_.bytes.append(static_cast<const char*>(b.data), std::size_t(b.type.bytes()));
    }
  }
  void put(const aval& a) {
    out_.number(std::uint64_t(a.type) << 1 | std::uint64_t(a.weak));
    put(static_cast<const int_list&>(a.dims));
  }

 private:
  /// Writes the parameters of one equation, one field after the other.
  class field_writer final : public param_visitor {
   public:
    field_writer(program_encoder& e, const equation& of) : e_(e), out_(e.out_), of_(of) {}
    void field(std::string_view, bool& v) override { out_.number(v); }
    void field(std::string_view, std::int64_t& v) override { out_.integer(v); }
    void field(std::string_view, double& v) override { out_.number(std::bit_cast<std::uint64_t>(v)); }
    void field(std::string_view, dtype& v) override { out_.number(std::uint64_t(v)); }
    void field(std::string_view, int_list& v) override { e_.put(v); }
    void field(std::string_view, std::vector<std::int64_t>& v) override {
      out_.number(v.size());
      for (std::int64_t x : v) out_.integer(x);
    }
    void field(std::string_view, name_text& v) override { out_.string(v.view()); }
    void field(std::string_view, aval& v) override { e_.put(v); }
    void field(std::string_view, jaxpr_ref& v) override { e_.put_body(v); }
    void field(std::string_view, list<jaxpr_ref>& v) override {
      out_.number(v.size());
      for (const jaxpr_ref& body : v) e_.put_body(body);
    }
    /// Not missed where the equation runs by its bodies alone, as one with a rule for laid out memory does.
    void field(std::string_view, function_ref&) override {
      if (of_.op->place) return;
      error_record r = make_error(error_kind::value, "serialize: the equation ", of_.op->name, " calls a function of this process, which cannot "
                                  "be kept in a file; compile a function without it to save, or return the value that it is given");
      r.where = of_.where.known() ? of_.where : e_.where_;
      throw_error(r);
    }

   private:
    program_encoder& e_;
    byte_writer& out_;
    const equation& of_;
  };

  static array concrete_constant(const array& x) {
    buffer* const b = make_buffer(x.aval());
    x.as_literal().store_to(b->data);
    return array(b);
  }
  void put(const int_list& v) {
    out_.number(std::uint64_t(v.size()));
    for (std::int64_t x : v) out_.integer(x);
  }
  /// Variables are numbered in the order in which they are defined.
  void put(const jaxpr& p) {
    std::vector<std::uint32_t> outer = std::exchange(number_, std::vector<std::uint32_t>(p.avals.size(), 0));
    const std::uint32_t before = std::exchange(defined_, 0);
    for (const std::vector<variable>* inputs : {&p.constvars, &p.invars}) {
      out_.number(inputs->size());
      for (variable v : *inputs) define(p, v);
    }
    out_.number(p.equations.size());
    for (const equation& e : p.equations) put(p, e);
    put(p, view<const atom>(p.outvars));
    number_ = std::move(outer);
    defined_ = before;
  }
  void define(const jaxpr& p, variable v) {
    put(p.avals[v]);
    number_[v] = defined_++;
  }
  void put(const jaxpr& p, const equation& e) {
    out_.string(e.op->name);
    put(e.where);
    if (e.op->visit_params) {
      param_pack pack = p.params(e).pack();
      field_writer fields(*this, e);
      e.op->visit_params(pack, fields);
    }
    put(p, p.inputs(e));
    out_.number(e.out.count);
    for (variable v : p.outputs(e)) define(p, v);
  }
  void put(const jaxpr& p, view<const atom> atoms) {
    out_.number(atoms.size());
    for (atom a : atoms) {
      out_.number(a.is_literal() ? 0 : std::uint64_t(number_[a.index()]) + 1);
      if (!a.is_literal()) continue;
      const literal& l = p.literals[a.index()];
      out_.number(std::uint64_t(l.type) << 1 | std::uint64_t(l.weak));
      out_.number(l.low);
      out_.number(l.high);
    }
  }
  /// A file is named where it is not that of the line before.
  void put(const location& where) {
    const std::string_view file = where.file ? where.file : "";
    const bool same = file == file_;
    out_.number(std::uint64_t(where.line) << 1 | std::uint64_t(same));
    if (!same) out_.string(file_ = file);
  }
  void put_body(const jaxpr_ref& body) {
    out_.number(bool(body));
    if (body) put(*inline_calls(closed_jaxpr{body, {}, {}}));
  }

  byte_writer& out_;
  location where_;
  std::vector<std::uint32_t> number_;  ///< by variable of the program that is being written
  std::uint32_t defined_ = 0;
  std::string_view file_;
};

}  // namespace jacquard::detail

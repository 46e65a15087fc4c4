#pragma once
// Reads jaxprs back from the typed text form that core/print writes: printing what was read gives the same text. Output
// types are inferred anew and compared with those in the text. Weakness is not part of the text, nor are the functions that
// taps and custom rules hold: a program with such a parameter cannot be read.

#include "jacquard/core/bind.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/core/scanner.hpp"
#include "jacquard/core/variable_names.hpp"

namespace jacquard {

/// The primitive of a name, or null.
using primitive_lookup = const primitive* (*)(std::string_view name);

namespace detail {

/// What the parts of one text share.
struct reading {
  scanner in;
  primitive_lookup lookup;
  const axis_binding* axes;
  int depth = 0;
};
constexpr jaxpr read_program(reading& r);

/// Lists the names of all fields.
class field_names final : public param_visitor {
 public:
  std::vector<std::string_view> names;
  constexpr void field(std::string_view n, bool&) override { names.push_back(n); }
  constexpr void field(std::string_view n, std::int64_t&) override { names.push_back(n); }
  constexpr void field(std::string_view n, double&) override { names.push_back(n); }
  constexpr void field(std::string_view n, dtype&) override { names.push_back(n); }
  constexpr void field(std::string_view n, int_list&) override { names.push_back(n); }
  constexpr void field(std::string_view n, std::vector<std::int64_t>&) override { names.push_back(n); }
  constexpr void field(std::string_view n, name_text&) override { names.push_back(n); }
  constexpr void field(std::string_view n, aval&) override { names.push_back(n); }
  constexpr void field(std::string_view n, jaxpr_ref&) override { names.push_back(n); }
  constexpr void field(std::string_view n, list<jaxpr_ref>&) override { names.push_back(n); }
  constexpr void field(std::string_view n, function_ref&) override { names.push_back(n); }
};

/// Reads the value of the one field with the given name; leaves the others as they are.
class field_reader final : public param_visitor {
 public:
  constexpr field_reader(reading& r, std::string_view wanted) : r_(r), wanted_(wanted) {}
  constexpr void field(std::string_view n, bool& v) override {
    if (n == wanted_) v = r_.in.boolean();
  }
  constexpr void field(std::string_view n, std::int64_t& v) override {
    if (n == wanted_) v = r_.in.integer<std::int64_t>();
  }
  constexpr void field(std::string_view n, double& v) override {
    if (n == wanted_) v = r_.in.floating(float_kind::double_);
  }
  constexpr void field(std::string_view n, dtype& v) override {
    if (n == wanted_) v = r_.in.type_name(true);
  }
  constexpr void field(std::string_view n, int_list& v) override {
    if (n != wanted_) return;
    v = {};
    list('(', ')', [&] { v.push_back(r_.in.integer<std::int64_t>()); });
    if (v.overflowed()) r_.in.unexpected("at most ", max_rank, " numbers in ", n);
  }
  constexpr void field(std::string_view n, std::vector<std::int64_t>& v) override {
    if (n == wanted_) list('[', ']', [&] { v.push_back(r_.in.integer<std::int64_t>()); });
  }
  constexpr void field(std::string_view n, name_text& v) override {
    if (n == wanted_) v = r_.in.user_name();
  }
  constexpr void field(std::string_view n, aval& v) override {
    if (n == wanted_) v = r_.in.type();
  }
  constexpr void field(std::string_view n, jaxpr_ref& v) override {
    if (n == wanted_) v = jaxpr_ref(read_program(r_));
  }
  constexpr void field(std::string_view n, list<jaxpr_ref>& v) override {
    if (n != wanted_) return;
    for (r_.in.expect('('); r_.in.peek() == '{' && !r_.in.failed();) v.push_back(jaxpr_ref(read_program(r_)));
    r_.in.expect(')');
  }
  constexpr void field(std::string_view n, function_ref&) override {
    if (n == wanted_) r_.in.fail_at(r_.in.position(), "the function in ", n, " cannot be read from text; trace it instead");
  }

 private:
  template <class Item>
  constexpr void list(char open, char close, Item item) {
    r_.in.expect(open);
    while (!r_.in.failed() && r_.in.peek() != close) {
      item();
      if (!r_.in.take(',')) break;
    }
    r_.in.expect(close);
  }
  reading& r_;
  std::string_view wanted_;
};

/// "[axes=(0,) ...]", in any order. Every parameter must be there once.
constexpr param_pack read_params(reading& r, const primitive& op) {
  param_pack pack;
  if (!op.visit_params) return pack;
  field_names known;
  op.visit_params(pack, known);
  std::vector<char> seen(known.names.size(), false);
  r.in.expect('[');
  while (!r.in.failed() && r.in.peek() != ']') {
    const std::size_t start = r.in.position();
    const std::string_view name = r.in.word();
    std::size_t i = 0;
    while (i < known.names.size() && known.names[i] != name) ++i;
    if (i == known.names.size() || seen[i]) {
      text names;
      for (std::string_view n : known.names) names << (names.empty() ? "" : ", ") << n;
      r.in.fail_at(start, "got the parameter '", name, i < known.names.size() ? "' twice" : "'", ", wanted each of ", names,
                   " of ", op.name, " once");
      break;
    }
    seen[i] = true;
    r.in.expect('=');
    field_reader reader(r, name);
    if (!r.in.failed()) op.visit_params(pack, reader);
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i]) r.in.unexpected("the parameter ", known.names[i], " of ", op.name);
  r.in.expect(']');
  return pack;
}

class jaxpr_reader {
 public:
  constexpr explicit jaxpr_reader(reading& r) : r_(r), in_(r.in) {}

  constexpr jaxpr read() {
    in_.expect('{');
    in_.expect_word("lambda");
    for (const binder& b : binders()) p_.constvars.push_back(define(b, p_.new_variable(b.type)));
    in_.expect(';');
    for (const binder& b : binders()) p_.invars.push_back(define(b, p_.new_variable(b.type)));
    in_.expect('.');
    in_.expect_word("let");
    for (in_.take(';'); !in_.failed() && !at_outputs(); in_.take(';')) read_equation();
    in_.expect_word("in");
    in_.expect('(');
    while (!in_.failed() && in_.peek() != ')') {
      p_.outvars.push_back(read_atom());
      if (!in_.take(',')) break;
    }
    in_.expect(')');
    in_.expect('}');
    return std::move(p_);
  }

 private:
  struct binder {
    std::string_view name;
    aval type;
    std::size_t at = 0;
  };
  static constexpr bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

  /// "a:f32[2] b:f32[]".
  constexpr std::vector<binder> binders() {
    std::vector<binder> r;
    while (!in_.failed() && (is_letter(in_.peek()) || in_.peek() == '_')) {
      binder b{in_.word(), {}, in_.position()};
      in_.expect(':');
      b.type = in_.type();
      r.push_back(b);
    }
    return r;
  }
  constexpr variable define(const binder& b, variable v) {
    if (b.name == "_") return v;  // nothing reads it
    if (names_.find(b.name) != variable_names::nothing_found) in_.fail_at(b.at, "the variable ", b.name, " is defined twice");
    else names_.add(b.name, v);
    return v;
  }
  /// Whether "in (" comes next; `in` is also the name of a variable, which a complex literal may follow.
  constexpr bool at_outputs() {
    in_.skip_space();
    const std::size_t start = in_.position();
    bool r = in_.word() == "in" && in_.peek() == '(';
    if (r)
      if (const auto z = parse_complex(in_.rest())) r = in_.rest().substr(z.used).substr(0, 1) != ":";
    in_.return_to(start);
    return r;
  }
  constexpr atom read_atom() {
    const std::size_t start = (in_.skip_space(), in_.position());
    const bool is_value = scanner::is_word(in_.peek()) || in_.peek() == '-' || in_.peek() == '(';
    if (!is_value) in_.unexpected("a variable or a literal such as 2.0:f32[]");
    if (!is_letter(in_.peek())) return p_.add_literal(in_.typed_literal());
    const std::string_view name = in_.word();
    if (in_.next() == ':') {
      in_.return_to(start);
      return p_.add_literal(in_.typed_literal());
    }
    const variable v = names_.find(name);
    if (v != variable_names::nothing_found) return atom::of_variable(v);
    in_.fail_at(start, "the variable ", name, " is not defined");
    return p_.add_literal(literal(0.0f));
  }
  /// Operands end with the line or at ';'.
  constexpr small_vector<atom, 4> read_operands() {
    small_vector<atom, 4> r;
    while (!in_.failed()) {
      while (in_.next() == ' ' || in_.next() == '\t') in_.advance();
      const char c = in_.next();
      if (c == '\n' || c == '\r' || c == ';' || c == '}' || c == '\0' || at_outputs()) break;
      r.push_back(read_atom());
    }
    return r;
  }
  constexpr void read_equation() {
    const std::vector<binder> out = binders();
    in_.expect('=');
    const std::size_t start = (in_.skip_space(), in_.position());
    const std::string_view name = in_.word();
    const primitive* op = in_.failed() ? nullptr : r_.lookup(name);
    if (!op) return in_.fail_at(start, "got '", name, "', wanted the name of a known primitive");
    const param_pack pack = read_params(r_, *op);
    const small_vector<atom, 4> operands = read_operands();
    if (in_.failed()) return;
    small_vector<aval, 4> types;
    for (atom a : operands) types.push_back(p_.type_of(a));
    const param_view params = pack;
    inference c{op->name, view<const aval>(types.data(), types.size()), params, r_.axes};
    op->abstract_eval(c);
    if (c.problem) return in_.fail_at(start, c.problem.message);
    check_outputs(*op, out, c, start);
    if (in_.failed()) return;
    const variable first = p_.append(*op, view<const atom>(operands.data(), operands.size()), params,
                                     view<const aval>(c.outputs.data(), c.outputs.size()), effects_of(*op, params), {});
    for (std::size_t i = 0; i < out.size(); ++i) define(out[i], variable(first + i));
  }
  constexpr void check_outputs(const primitive& op, const std::vector<binder>& out, const inference& c, std::size_t start) {
    if (out.size() != c.outputs.size())
      return in_.fail_at(start, "got ", out.size(), " results of ", op.name, ", wanted ", c.outputs.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      if (!same_type(out[i].type, c.outputs[i]))
        in_.fail_at(out[i].at, "got the type ", out[i].type, " for a result of ", op.name, ", wanted ", c.outputs[i]);
  }

  reading& r_;
  scanner& in_;
  jaxpr p_;
  variable_names names_;
};

constexpr jaxpr read_program(reading& r) {
  if (++r.depth > 100) r.in.fail_at(r.in.position(), "jaxprs are nested more than 100 deep");
  if (r.in.failed()) return {};
  jaxpr p = jaxpr_reader(r).read();
  --r.depth;
  return p;
}

}  // namespace detail

/// The program of a text as to_text prints it. Constvars have types but no values: their constants are empty arrays.
/// `axes` are the mapped axes that collectives in the text may name.
/// Errors: value_error that says where the text is wrong and what was wanted there.
/// Complexity: linear in the length of the text.
constexpr closed_jaxpr read_jaxpr(std::string_view text, primitive_lookup lookup, const axis_binding* axes = nullptr) {
  detail::reading r{detail::scanner(text), lookup, axes};
  jaxpr p = detail::read_program(r);
  if (!r.in.failed() && r.in.peek() != '\0') r.in.unexpected("the end of the text");
  const error_record& problem = r.in.problem();
  if (problem && !__builtin_is_constant_evaluated()) throw_error(problem);
  if (problem) return {jaxpr_ref(jaxpr{}), {}, problem};
  const std::size_t constants = p.constvars.size();
  return {jaxpr_ref(std::move(p)), std::vector<array>(constants), {}};
}

}  // namespace jacquard

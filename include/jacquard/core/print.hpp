#pragma once
// Prints jaxprs in the typed text form: { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }, on one line where 80 columns
// suffice. Works in constant evaluation, so that a program can be a static_assert. core/array_text prints values.

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/float_text.hpp"
#include "jacquard/core/jaxpr.hpp"
#include "jacquard/core/list.hpp"
#include "jacquard/core/param_visitor.hpp"

namespace jacquard {

namespace detail {

inline constexpr std::size_t line_width = 80;

/// "a" ... "z", then base-26 digits: "ba", "bb", ...
constexpr text variable_name(std::uint32_t n) {
  text reversed;
  do reversed << char('a' + n % 26);
  while ((n /= 26) != 0);
  text r;
  for (std::size_t i = reversed.size(); i-- > 0;) r << reversed[i];
  return r;
}

/// A literal with its type: "2.0:f32[]", "True:bool[]".
constexpr void put_literal(text& out, const literal& l) {
  switch (category_of(l.type)) {
    case category::boolean: out << (l.low ? "True" : "False"); break;
    case category::integer:
      if (is_signed_integer(l.type)) out << std::int64_t(l.low);
      else out << l.low;
      break;
    case category::floating:
      if (l.type == f64) put_float(out, l.get<double>());
      else put_float(out, l.get<float>(), l.type == f16 ? float_kind::half : l.type == bf16 ? float_kind::brain : float_kind::single);
      break;
    default:
      if (l.type == c128) put_complex(out, std::bit_cast<double>(l.low), std::bit_cast<double>(l.high), float_kind::double_);
      else put_complex(out, std::bit_cast<double>(l.low), std::bit_cast<double>(l.high), float_kind::single);
  }
  out << ':' << l.aval();
}

/// A user's name: as it is if it looks like one, else quoted.
constexpr void put_name(text& out, std::string_view name) {
  bool plain = !name.empty();
  for (char c : name)
    plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  if (plain) {
    out << name;
    return;
  }
  out << '\'';
  for (char c : name) {
    if (c == '\n') out << "\\n";
    else if (c == '\'' || c == '\\') out << '\\' << c;
    else out << c;
  }
  out << '\'';
}

/// Names shared by a program and the jaxprs nested in it.
struct name_counter {
  std::uint32_t next = 0;
};

/// How many names a program takes, those of programs nested in it included. A result of an equation that nothing reads has none.
constexpr std::uint32_t count_names(const jaxpr& p) {
  std::size_t n = p.constvars.size() + p.invars.size();
  const std::vector<char> read = read_variables(p);
  for (const equation& e : p.equations)
    for (variable v : p.outputs(e)) n += read[v] ? 1 : 0;
  for (const jaxpr_ref& body : p.subs) n += count_names(*body);
  return std::uint32_t(n);
}

/// Collects the parameters of one equation: the texts of their values, or programs and which names they begin with, since names follow the order
/// of fields and texts that of their names.
class param_printer final : public param_visitor {
 public:
  constexpr explicit param_printer(name_counter& names) : names_(names) {}
  struct entry {
    std::string_view name;
    text value;
    std::vector<jaxpr_ref> programs = {};
    bool is_list = false;  ///< of programs, which begins a line for each
    std::uint32_t first_name = 0;
  };
  list<entry> entries;

  constexpr void field(std::string_view name, bool& v) override { add(name, v ? "True" : "False"); }
  constexpr void field(std::string_view name, std::int64_t& v) override { add(name, cat(v)); }
  constexpr void field(std::string_view name, double& v) override {
    text t;
    put_float(t, v);
    add(name, t);
  }
  constexpr void field(std::string_view name, dtype& v) override { add(name, long_name(v)); }
  constexpr void field(std::string_view name, int_list& v) override { add(name, cat(v)); }
  constexpr void field(std::string_view name, std::vector<std::int64_t>& v) override {
    text t("[");
    for (std::size_t i = 0; i < v.size(); ++i) t << (i ? ", " : "") << v[i];
    add(name, t << ']');
  }
  constexpr void field(std::string_view name, name_text& v) override {
    text t;
    put_name(t, v.view());
    add(name, t);
  }
  constexpr void field(std::string_view name, aval& v) override { add(name, cat(v)); }
  constexpr void field(std::string_view name, function_ref&) override { add(name, "<function>"); }
  constexpr void field(std::string_view name, jaxpr_ref& v) override { add(name, std::vector<jaxpr_ref>(1, v), false); }
  constexpr void field(std::string_view name, list<jaxpr_ref>& v) override { add(name, std::vector<jaxpr_ref>(v.begin(), v.end()), true); }

 private:
  /// Kept sorted by name, as the text form wants them.
  constexpr void add(entry e) {
    std::size_t at = entries.size();
    entries.push_back({});
    for (; at > 0 && entries[at - 1].name > e.name; --at) entries[at] = std::move(entries[at - 1]);
    entries[at] = std::move(e);
  }
  constexpr void add(std::string_view name, text value) { add({name, std::move(value)}); }
  constexpr void add(std::string_view name, std::vector<jaxpr_ref> programs, bool is_list) {
    const std::uint32_t first = names_.next;
    for (const jaxpr_ref& p : programs) names_.next += count_names(*p);
    add({name, {}, std::move(programs), is_list, first});
  }
  name_counter& names_;
};

/// Writes a program at the end of a text, which takes every character once: a line that might hold all of it is begun, and taken back when it
/// gets too long. Complexity: linear in what is written.
class jaxpr_printer {
 public:
  constexpr jaxpr_printer(text& out, const jaxpr& p, name_counter& names) : out_(out), p_(p), names_(names), read_(read_variables(p)), ids_(p.avals.size(), -1) {}

  /// `used` characters of the first line are taken, besides the indentation.
  constexpr void print(std::size_t indent, std::size_t used) {
    const std::size_t start = out_.size();
    const std::uint32_t first_name = names_.next;
    if (indent + used < line_width && put_on_one_line(start + line_width - indent - used)) return;
    out_.drop_back(out_.size() - start);
    names_.next = first_name;
    for (std::int64_t& id : ids_) id = -1;
    put_head();
    for (const equation& e : p_.equations) {
      new_line(indent + 4);
      put_equation(e, indent + 4);
    }
    new_line(indent + 2);
    put_tail();
  }

 private:
  /// Gives up, with false, when the text becomes longer than `limit` or would begin a line.
  constexpr bool put_on_one_line(std::size_t limit) {
    put_head();
    out_ << ' ';
    for (std::size_t i = 0; i < p_.equations.size(); ++i) {
      const equation& e = p_.equations[i];
      if (i) out_ << "; ";
      put_results(e);
      const param_printer params = params_of(e);
      if (!put_rest_on_one_line(e, params, limit)) return false;
    }
    out_ << ' ';
    put_tail();
    return out_.size() <= limit;
  }
  /// Parameters and operands.
  constexpr bool put_rest_on_one_line(const equation& e, const param_printer& params, std::size_t limit) {
    for (std::size_t i = 0; i < params.entries.size(); ++i) {
      const param_printer::entry& f = params.entries[i];
      out_ << (i ? ' ' : '[') << f.name << '=' << f.value;
      if (f.is_list || out_.size() > limit) return false;
      if (f.programs.empty()) continue;
      name_counter names{f.first_name};
      if (!jaxpr_printer(out_, *f.programs[0], names).put_on_one_line(limit)) return false;
    }
    if (!params.entries.empty()) out_ << ']';
    put_operands(e);
    return out_.size() <= limit;
  }
  constexpr void put_equation(const equation& e, std::size_t indent) {
    const std::size_t start = out_.size();
    put_results(e);
    const param_printer params = params_of(e);
    const std::size_t rest = out_.size();
    if (params.entries.empty()) return put_operands(e);
    if (indent < line_width && put_rest_on_one_line(e, params, start + line_width - indent)) return;
    out_.drop_back(out_.size() - rest);
    out_ << '[';
    for (const param_printer::entry& f : params.entries) {
      new_line(indent + 2);
      out_ << f.name << '=' << f.value;
      put_programs(f, indent + 2);
    }
    new_line(indent);
    out_ << ']';
    put_operands(e);
  }
  constexpr void put_programs(const param_printer::entry& f, std::size_t indent) {
    name_counter names{f.first_name};
    if (!f.is_list) {
      if (!f.programs.empty()) jaxpr_printer(out_, *f.programs[0], names).print(indent, f.name.size() + 1);
      return;
    }
    out_ << '(';
    for (const jaxpr_ref& p : f.programs) {
      new_line(indent + 2);
      jaxpr_printer(out_, *p, names).print(indent + 2, 0);
    }
    new_line(indent);
    out_ << ')';
  }

  constexpr void new_line(std::size_t indent) { (out_ << '\n').append(indent, ' '); }
  constexpr void put_head() {
    out_ << "{ lambda ";
    put_binders(p_.constvars);
    out_ << "; ";
    put_binders(p_.invars);
    out_ << ". let";
  }
  constexpr void put_tail() {
    out_ << "in (";
    for (std::size_t i = 0; i < p_.outvars.size(); ++i) {
      if (i) out_ << ", ";
      put_atom(p_.outvars[i]);
    }
    if (p_.outvars.size() == 1) out_ << ',';
    out_ << ") }";
  }
  constexpr void put_results(const equation& e) {
    put_binders(p_.outputs(e), false);
    out_ << (e.out.count ? " = " : "= ") << e.op->name;
  }
  constexpr param_printer params_of(const equation& e) {
    param_printer params(names_);
    if (e.op->visit_params) {
      param_pack pack = p_.params(e).pack();
      e.op->visit_params(pack, params);
    }
    return params;
  }
  constexpr void put_operands(const equation& e) {
    for (atom a : p_.inputs(e)) out_ << ' ', put_atom(a);
  }
  constexpr void put_name(variable v) {
    if (ids_[v] < 0) ids_[v] = std::int64_t(names_.next++);
    out_ << variable_name(std::uint32_t(ids_[v]));
  }
  constexpr void put_binders(view<const variable> vars, bool all_named = true) {
    for (std::size_t i = 0; i < vars.size(); ++i) {
      if (i) out_ << ' ';
      if (all_named || read_[vars[i]]) put_name(vars[i]);
      else out_ << '_';
      out_ << ':' << p_.avals[vars[i]];
    }
  }
  constexpr void put_atom(atom a) {
    if (a.is_literal()) put_literal(out_, p_.literals[a.index()]);
    else put_name(a.index());
  }

  text& out_;
  const jaxpr& p_;
  name_counter& names_;
  const std::vector<char> read_;
  std::vector<std::int64_t> ids_;
};

}  // namespace detail

/// The typed text form of a program. Variables are named in order of appearance, across nested programs; "_" stands for a result that nothing
/// reads.
JACQUARD_ONCE constexpr text to_text(const jaxpr& p) {
  detail::name_counter names;
  text out;
  detail::jaxpr_printer(out, p, names).print(0, 0);
  return out;
}
constexpr text to_text(const closed_jaxpr& p) { return to_text(*p); }

/// The same as a std::string.
inline std::string to_string(const jaxpr& p) { return std::string(to_text(p).view()); }
inline std::string to_string(const closed_jaxpr& p) { return to_string(*p); }

}  // namespace jacquard

#pragma once
// Prints jaxprs in the typed text form: { lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }, on one line where 80 columns
// suffice. Works in constant evaluation, so that a program can be a static_assert. core/array_text prints values.

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

class jaxpr_printer;
/// `used` characters of the first line are taken.
constexpr text print_program(const jaxpr& p, name_counter& names, std::size_t indent, std::size_t used = 0);

/// Collects "field=value" texts of one equation.
class param_printer final : public param_visitor {
 public:
  constexpr param_printer(name_counter& names, std::size_t indent) : names_(names), indent_(indent) {}
  struct entry {
    std::string_view name;
    text value;
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
  constexpr void field(std::string_view name, jaxpr_ref& v) override {
    add(name, print_program(*v, names_, indent_ + 2, name.size() + 1));
  }
  constexpr void field(std::string_view name, list<jaxpr_ref>& v) override {
    text t("(");
    for (const jaxpr_ref& p : v) {
      t << '\n';
      t.append(indent_ + 4, ' ') << print_program(*p, names_, indent_ + 4);
    }
    t << '\n';
    add(name, t.append(indent_ + 2, ' ') << ')');
  }

 private:
  /// Kept sorted by name, as the text form wants them.
  constexpr void add(std::string_view name, text value) {
    std::size_t at = entries.size();
    entries.push_back({});
    for (; at > 0 && entries[at - 1].name > name; --at) entries[at] = entries[at - 1];
    entries[at] = {name, value};
  }
  name_counter& names_;
  std::size_t indent_;
};

class jaxpr_printer {
 public:
  constexpr jaxpr_printer(const jaxpr& p, name_counter& names) : p_(p), names_(names), ids_(p.avals.size(), -1) {}

  constexpr text print(std::size_t indent, std::size_t used) {
    text head("{ lambda ");
    put_binders(head, p_.constvars);
    head << (p_.constvars.empty() ? "; " : " ; ");
    put_binders(head, p_.invars);
    head << ". let";
    list<text> lines;
    for (const equation& e : p_.equations) lines.push_back(print_equation(e, indent + 4));
    text tail("in (");
    for (std::size_t i = 0; i < p_.outvars.size(); ++i) {
      if (i) tail << ", ";
      put_atom(tail, p_.outvars[i]);
    }
    if (p_.outvars.size() == 1) tail << ',';
    tail << ") }";
    return arrange(head, lines, tail, indent, used);
  }

 private:
  constexpr text arrange(const text& head, const list<text>& lines, const text& tail, std::size_t indent,
                         std::size_t used) {
    text flat(head.view());
    flat << ' ';
    bool fits = true;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      flat << (i ? "; " : "") << lines[i];
      for (char c : lines[i].view()) fits = fits && c != '\n';
    }
    flat << ' ' << tail;
    if (fits && flat.size() + indent + used <= line_width) return flat;
    text out(head.view());
    for (const text& line : lines) {
      out << '\n';
      out.append(indent + 4, ' ') << line;
    }
    out << '\n';
    out.append(indent + 2, ' ') << tail;
    return out;
  }
  constexpr void put_name(text& out, variable v) {
    if (ids_[v] < 0) ids_[v] = std::int64_t(names_.next++);
    out << variable_name(std::uint32_t(ids_[v]));
  }
  constexpr void put_binders(text& out, view<const variable> vars) {
    for (std::size_t i = 0; i < vars.size(); ++i) {
      if (i) out << ' ';
      put_name(out, vars[i]);
      out << ':' << p_.avals[vars[i]];
    }
  }
  constexpr void put_atom(text& out, atom a) {
    if (a.is_literal()) put_literal(out, p_.literals[a.index()]);
    else put_name(out, a.index());
  }
  constexpr text print_equation(const equation& e, std::size_t indent) {
    text left;
    put_binders(left, p_.outputs(e));
    left << (e.out.count ? " = " : "= ") << e.op->name;
    text operands;
    param_printer params(names_, indent);
    if (e.op->visit_params) {
      param_pack pack = p_.params(e).pack();
      e.op->visit_params(pack, params);
    }
    for (atom a : p_.inputs(e)) {
      operands << ' ';
      put_atom(operands, a);
    }
    if (params.entries.empty()) return left << operands;
    text inline_params;
    bool one_line = true;
    for (const auto& f : params.entries) {
      inline_params << (inline_params.empty() ? "" : " ") << f.name << '=' << f.value;
      for (char c : f.value.view()) one_line = one_line && c != '\n';
    }
    if (one_line && left.size() + inline_params.size() + operands.size() + 2 + indent <= line_width)
      return left << '[' << inline_params << ']' << operands;
    left << '[';
    for (const auto& f : params.entries) {
      left << '\n';
      left.append(indent + 2, ' ') << f.name << '=' << f.value;
    }
    left << '\n';
    return left.append(indent, ' ') << ']' << operands;
  }

  const jaxpr& p_;
  name_counter& names_;
  std::vector<std::int64_t> ids_;
};

constexpr text print_program(const jaxpr& p, name_counter& names, std::size_t indent, std::size_t used) {
  return jaxpr_printer(p, names).print(indent, used);
}

}  // namespace detail

/// The typed text form of a program. Variables are named in order of appearance, across nested programs.
constexpr text to_text(const jaxpr& p) {
  detail::name_counter names;
  return detail::print_program(p, names, 0);
}
constexpr text to_text(const closed_jaxpr& p) { return to_text(*p); }

/// The same as a std::string.
inline std::string to_string(const jaxpr& p) { return std::string(to_text(p).view()); }
inline std::string to_string(const closed_jaxpr& p) { return to_string(*p); }

}  // namespace jacquard

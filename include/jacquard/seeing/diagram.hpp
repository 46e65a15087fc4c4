#pragma once
// Programs as diagrams: boxes for arguments, equations, kernels and results, who reads whom, and the programs that equations hold as
// diagrams within. Deliberately without positions: seeing/layered_layout finds those, and Graphviz finds its own.

#include "jacquard/core/analysis.hpp"
#include "jacquard/core/print.hpp"

namespace jacquard::detail {

enum class box_kind : std::uint8_t { argument, constant, equation, kernel, result };

struct diagram;
/// A program, or the equations of a kernel, within a box.
struct inner_diagram;

struct diagram_box {
  box_kind kind = box_kind::equation;
  text title;                     ///< "mul a 2.0:f32[]"
  text params;                    ///< "axes=(0,)"; empty lists are left out
  list<text> lines;               ///< the values it makes: "c:f32[3]"
  list<text> places;              ///< by line: where the value lies in memory, or ""
  list<std::uint32_t> reads;      ///< boxes of the same diagram, each once
  list<inner_diagram> inner;
};
/// Boxes by number. `shows_places`: it is known which values lie in memory, so that "" means: in none.
struct diagram {
  list<diagram_box> boxes;
  bool shows_places = false;
  text scope;  ///< whose memory that is: "" of the whole program's, "body_jaxpr of while c: " of a program's in it
};
struct inner_diagram {
  text label;
  diagram content;
};

/// The parameters of an equation in short, and the names of the programs among them.
class short_params final : public param_visitor {
 public:
  list<text> programs;
  text others;

  void field(std::string_view name, bool& v) override { printer_.field(name, v); }
  void field(std::string_view name, std::int64_t& v) override { printer_.field(name, v); }
  void field(std::string_view name, double& v) override { printer_.field(name, v); }
  void field(std::string_view name, dtype& v) override { printer_.field(name, v); }
  void field(std::string_view name, int_list& v) override { printer_.field(name, v); }
  void field(std::string_view name, std::vector<std::int64_t>& v) override { printer_.field(name, v); }
  void field(std::string_view name, name_text& v) override { printer_.field(name, v); }
  void field(std::string_view name, aval& v) override { printer_.field(name, v); }
  void field(std::string_view, function_ref&) override {}
  void field(std::string_view name, jaxpr_ref& v) override {
    if (v) programs.push_back(name);
  }
  void field(std::string_view name, list<jaxpr_ref>& v) override {
    for (std::size_t i = 0; i < v.size(); ++i) programs.push_back(cat(name, ' ', i));
  }
  void read(const jaxpr& p, const equation& e) {
    if (!e.op->visit_params) return;
    param_pack pack = p.params(e).pack();
    e.op->visit_params(pack, *this);
    for (const auto& f : printer_.entries)
      if (!(f.value == "()")) others << (others.empty() ? "" : " ") << f.name << '=' << f.value;
  }

 private:
  name_counter no_names_;
  param_printer printer_{no_names_};
};

/// Makes the diagram of one program. Variables get the names that the printed program has.
class diagram_builder {
 public:
  /// `layout`: what a backend made of the program; null if nobody compiled it.
  diagram_builder(const jaxpr& p, const program_layout* layout, name_counter& names, text scope = {})
      : scope_(std::move(scope)), p_(p), layout_(layout), names_(names), read_(read_variables(p)), ids_(p.avals.size(), -1),
        box_of_(p.avals.size(), -1), inner_of_(p.avals.size(), -1) {}

  diagram build() {
    d_.shows_places = layout_ && !layout_->place.empty();
    d_.scope = scope_;
    for (variable v : p_.constvars) add_binder(box_kind::constant, v);
    for (variable v : p_.invars) add_binder(box_kind::argument, v);
    for (std::size_t n = 0; n < p_.equations.size(); ++n) add_equation(n);
    for (std::size_t i = 0; i < p_.outvars.size(); ++i) add_result(i);
    return std::move(d_);
  }

 private:
  text label(variable v) {
    if (ids_[v] < 0) ids_[v] = std::int64_t(names_.next++);
    return variable_name(std::uint32_t(ids_[v]));
  }
  text label(atom a) {
    if (!a.is_literal()) return label(a.index());
    text t;
    put_literal(t, p_.literals[a.index()]);
    return t;
  }
  text place(variable v) const { return layout_ && v < layout_->place.size() ? layout_->place[v] : text(); }
  /// A result that nothing reads has no name.
  void add_value(diagram_box& b, variable v, bool has_name = true) {
    b.lines.push_back(cat(has_name ? label(v) : text("_"), ':', p_.avals[v]));
    b.places.push_back(place(v));
  }
  void add_binder(box_kind kind, variable v) {
    diagram_box b;
    b.kind = kind;
    add_value(b, v);
    box_of_[v] = std::int64_t(d_.boxes.size());
    d_.boxes.push_back(std::move(b));
  }
  static void add_once(list<std::uint32_t>& to, std::int64_t box) {
    for (std::uint32_t known : to)
      if (known == std::uint32_t(box)) return;
    to.push_back(std::uint32_t(box));
  }

  void add_equation(std::size_t n) {
    const equation& e = p_.equations[n];
    diagram_box b;
    for (variable v : p_.outputs(e)) add_value(b, v, read_[v]);
    short_params params;
    params.read(p_, e);
    add_programs(b, n, params);
    b.title = e.op->name;
    b.params = params.others;
    for (atom a : p_.inputs(e)) b.title << ' ' << label(a);
    const std::int32_t kernel = layout_ && n < layout_->cluster.size() ? layout_->cluster[n] : -1;
    if (kernel < 0) {
      for (atom a : p_.inputs(e))
        if (!a.is_literal()) add_once(b.reads, box_of_[a.index()]);
      for (variable v : p_.outputs(e)) box_of_[v] = std::int64_t(d_.boxes.size());
      d_.boxes.push_back(std::move(b));
      return;
    }
    add_to_kernel(kernel, e, std::move(b));
  }
  void add_programs(diagram_box& b, std::size_t n, const short_params& params) {
    const param_view subs = p_.params(p_.equations[n]);
    list<const program_layout*> compiled;
    for (std::size_t i = 0; layout_ && i < layout_->bodies.size(); ++i)
      if (layout_->body_of[i] == n) compiled.push_back(&layout_->bodies[i]);
    for (std::uint32_t k = 0; k < subs.sub_count; ++k) {
      const program_layout* own = k < compiled.size() && compiled[k]->program ? compiled[k] : nullptr;
      const jaxpr& body = own ? *own->program : *subs.subs[k];
      const text label = k < params.programs.size() ? params.programs[k] : text("program");
      text scope = cat(scope_, label, " of ", p_.equations[n].op->name);
      if (!b.lines.empty()) scope << ' ' << b.lines[0].view().substr(0, b.lines[0].view().find(':'));
      b.inner.push_back({label, diagram_builder(body, own, names_, scope << ": ").build()});
    }
  }
  void add_to_kernel(std::int32_t kernel, const equation& e, diagram_box b) {
    while (kernels_.size() <= std::size_t(kernel)) kernels_.push_back(-1);
    std::int64_t& box = kernels_[std::size_t(kernel)];
    if (box < 0) {
      box = std::int64_t(d_.boxes.size());
      diagram_box k;
      k.kind = box_kind::kernel;
      k.title = cat("kernel ", kernel);
      k.inner.push_back({});
      k.inner[0].content.shows_places = d_.shows_places;
      k.inner[0].content.scope = scope_;
      d_.boxes.push_back(std::move(k));
    }
    diagram_box& k = d_.boxes[std::size_t(box)];
    diagram& own = k.inner[0].content;
    for (atom a : p_.inputs(e)) {
      if (a.is_literal()) continue;
      if (box_of_[a.index()] == box) add_once(b.reads, inner_of_[a.index()]);
      else add_once(k.reads, box_of_[a.index()]);
    }
    for (variable v : p_.outputs(e)) box_of_[v] = box, inner_of_[v] = std::int64_t(own.boxes.size());
    own.boxes.push_back(std::move(b));
  }
  void add_result(std::size_t i) {
    const atom a = p_.outvars[i];
    diagram_box b;
    b.kind = box_kind::result;
    b.lines.push_back(cat("result ", i, ": ", label(a)));
    b.places.push_back({});
    if (!a.is_literal()) b.reads.push_back(std::uint32_t(box_of_[a.index()]));
    d_.boxes.push_back(std::move(b));
  }

  text scope_;
  const jaxpr& p_;
  const program_layout* layout_;
  name_counter& names_;
  const std::vector<char> read_;
  std::vector<std::int64_t> ids_, box_of_, inner_of_;  ///< by variable: its name's number, its box, its box within a kernel
  std::vector<std::int64_t> kernels_;                  ///< by kernel: its box, or -1
  diagram d_;
};

inline diagram diagram_of(const jaxpr& p, const program_layout* layout = nullptr) {
  name_counter names;
  return diagram_builder(p, layout, names).build();
}

/// What can be drawn: a program, a lowered or compiled function, or the layout of one.
inline diagram diagram_of(const closed_jaxpr& p) { return diagram_of(*p); }
inline diagram diagram_of(const program_layout& l) { return diagram_of(*l.program, &l); }
template <class Compiled>
  requires requires(const Compiled& c) { c.layout().program; }
diagram diagram_of(const Compiled& c) {
  return diagram_of(c.layout());
}
template <class Lowered>
  requires requires(const Lowered& l) { l.jaxpr().program; }
diagram diagram_of(const Lowered& l) {
  return diagram_of(l.jaxpr());
}
template <class T>
concept drawable = requires(const T& x) { diagram_of(x); };

}  // namespace jacquard::detail

#pragma once
// Clustering: which equations of a program become one loop kernel. A kernel is pulled from the value that must be in memory:
// through elementwise equations and through views, which become index maps, through results made of operands side by side, where it is one
// of several kernels for boxes of the value, and through reductions whose rows are the kernel's own. Deliberately greedy, with one correction:
// an expensive value that would be computed more than once is put in memory.

#include <algorithm>
#include <limits>

#include "jacquard/core/merge_sort.hpp"
#include "jacquard/exec/lowering/boxes.hpp"
#include "jacquard/exec/lowering/kernel_reads.hpp"

namespace jacquard::lowering {

/// A lowered program: kernels and single equations in order of execution.
struct lowered_step {
  int kernel = -1;              ///< number of a kernel, or -1:
  std::uint32_t equation = 0;   ///< an equation that runs by itself
  bool alias = false;           ///< its result is its operand's memory under another shape
};
struct lowered_program {
  std::vector<loop_kernel> kernels;
  std::vector<lowered_step> steps;
  std::vector<std::vector<variable>> computed;  ///< by kernel: the values it computes, in memory or not, in order of their numbers

  /// The equations that a kernel computes, in their order; `makers` as makers_of gives them.
  std::vector<std::size_t> equations_of(int kernel, const std::vector<std::int32_t>& makers) const {
    std::vector<std::size_t> r;
    for (variable v : computed[std::size_t(kernel)])
      if (makers[v] >= 0) r.push_back(std::size_t(makers[v]));
    jacquard::detail::sort_unique(r);
    return r;
  }
};
/// By variable: the number of the equation that makes it, or -1.
inline std::vector<std::int32_t> makers_of(const jaxpr& p) {
  std::vector<std::int32_t> r(p.avals.size(), -1);
  for (std::size_t n = 0; n < p.equations.size(); ++n)
    for (variable v : p.outputs(p.equations[n])) r[v] = std::int32_t(n);
  return r;
}

namespace detail {

inline constexpr std::size_t largest_body = 400;
inline constexpr std::size_t largest_inputs = 48;
inline constexpr int longest_chain = 200;  ///< of equations, each an operand of the one before: pulling recurses along it

/// Pulls values into one kernel.
class kernel_builder : kernel_reader {
 public:
  explicit kernel_builder(const program_facts& f) : kernel_reader(f) {}

  /// Starts the kernel with a box of `v`, a result that a kernel can compute.
  void start(variable v, const box& where) {
    for (std::size_t d = 0; d < where.size(); ++d) {
      full_.push_back(where[d].size());
      k_.loops.push_back({where[d].size(), false});
      full_map_.push_back({int(d), where[d].begin, 1});
    }
    may_cut_ = true;
    pull(v, index_map(full_map_));
    may_cut_ = false;
  }
  /// Starts the kernel with a result whose elements are put where they belong, in a copy of its operand. That takes no pass where the memory
  /// of the operand is free, so nothing else here may read it, but for the elements that are replaced.
  void start_put(variable v) {
    const equation& e = *f_->made_by(v);
    std::vector<aval> in;
    const lookup_call c = put_of(f_->p, e, in);
    const index_map at = identity_map(c.out.dims);
    for (int d = 0; d < c.out.rank(); ++d) k_.loops.push_back({c.out.dims[d], false});
    root_ = v;
    is_closed_ = true;
    const computed_place p = place_of(c, e, at, in, false);
    const atom operand = f_->p.inputs(e)[0], updates = f_->p.inputs(e)[e.op->puts];
    const std::int32_t step = value(updates, at).real;
    access base{operand, in[0].type, 0, small_vector<std::int64_t, 4>(k_.loops.size(), 0), true};
    k_.inputs.push_back(base);
    const std::int32_t number = std::int32_t(k_.inputs.size() - 1);
    k_.outputs.push_back({place(atom::of_variable(v), in[0], composed(c.from, at)), step, p.further, p.inside, number, in[0].dims.elements(), e.op->puts_by});
    computed.push_back({v, elements_at(at)});
    for (std::int32_t i = 0; i < number; ++i) {
      if (!(k_.inputs[std::size_t(i)].value == operand) || reads_what_it_replaces(k_, k_.inputs[std::size_t(i)], k_.outputs[0])) continue;
      for (atom a : f_->p.inputs(e).subspan(1))
        if (!a.is_literal() && !f_->in_memory[a.index()] && is_computed(a.index())) needed.push_back(a.index());
    }
  }
  /// Whether a kernel would compute v: else it lies in memory as it is.
  bool is_computed(variable v) const {
    if (f_->maker[v] < 0) return false;
    const role r = f_->roles[std::size_t(f_->maker[v])];
    return r != role::opaque && r != role::alias && r != role::put;
  }
  /// Where the elements of `v` belong in the loops of a kernel that was started. False: nowhere, or the kernel is large enough.
  bool finds_place(variable v, index_map& at) const {
    if (is_closed_ || f_->roles[std::size_t(f_->maker[v])] == role::put) return false;
    if (k_.body.steps.size() > largest_body / 2 || k_.inputs.size() > largest_inputs / 2) return false;
    const equation& e = *f_->made_by(v);
    const shape& dims = f_->p.avals[v].dims;
    if (f_->roles[std::size_t(f_->maker[v])] == role::reduction) {
      const aval in = f_->p.type_of(f_->p.inputs(e)[0]);
      const int_list axes = e.op->reduce(in.type, f_->p.params(e)).axes;
      if (!(in.dims == full_)) return false;
      for (int d = 0; d < in.rank(); ++d)
        if (!axes.contains(d)) at.push_back(full_map_[std::size_t(d)]);
    } else if (dims == full_) at = full_map_;
    else return finds_rows(dims, at);
    return true;
  }
  /// Adds `v` there. False: it needs loops of its own, throw this builder away.
  bool add(variable v, const index_map& at) {
    const std::size_t loops = k_.loops.size();
    pull(v, at);
    return k_.loops.size() == loops;
  }
  /// Says that the kernel is one of `count` for boxes of its value.
  void make_part(int number, int count) { k_.part = number, k_.parts = count; }
  const loop_kernel& kernel() const { return k_; }
  /// Variables read from memory although a kernel could have computed them: these need kernels of their own.
  std::vector<variable> needed;
  /// Where the box has to be cut before it can be computed: this builder is to be thrown away, and each piece to be started by itself.
  std::vector<cut> cuts;
  /// Equations whose results it would be cut for.
  std::vector<std::int32_t> cut_for;
  /// Variables computed here, and for how many elements: one that is computed for several places is here several times.
  struct computed_value {
    variable v;
    std::int64_t elements;
  };
  std::vector<computed_value> computed;

 private:
  /// The same for a value that has an element for each row, whatever dimensions of one element it has besides.
  bool finds_rows(const shape& dims, index_map& at) const {
    int d = 0;
    const auto skip_ones = [&] {
      for (; d < dims.rank() && dims[d] == 1; ++d) at.push_back({-1, 0, 0});
    };
    for (int f = 0; f < full_.rank(); ++f) {
      const index_source& row = full_map_[std::size_t(f)];  // of no loop over one element
      if (full_[f] == 1 || (row.loop >= 0 && k_.loops[std::size_t(row.loop)].inner)) continue;
      skip_ones();
      if (d == dims.rank() || dims[d++] != full_[f]) return false;
      at.push_back(row);
    }
    skip_ones();
    return d == dims.rank();
  }
  void pull(variable v, const index_map& at) {
    root_ = v;
    const element_steps step = value(atom::of_variable(v), at);
    const atom a = atom::of_variable(v);
    k_.outputs.push_back({place(a, f_->p.avals[v], at), step.real});
    if (step.imaginary < 0) return;
    k_.outputs.push_back({place(a, f_->p.avals[v], at, 1), step.imaginary});
    k_.outputs.back().is_imaginary = true;
  }
  struct known_value {
    variable v;
    index_map at;
    element_steps step;
  };
  static bool same(const index_map& a, const index_map& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

  /// The steps that compute the element of `a` whose indices come from `at`.
  element_steps value(atom a, const index_map& at) {
    if (a.is_literal()) return constant(f_->p.literals[a.index()]);
    const variable v = a.index();
    for (const known_value& k : known_)
      if (k.v == v && same(k.at, at)) return k.step;
    const equation* e = f_->made_by(v);
    const role r = e ? f_->roles[std::size_t(f_->maker[v])] : role::opaque;
    if (r == role::opaque || r == role::alias || r == role::put || (v != root_ && f_->in_memory[v])) return load(a, at);
    if (k_.body.steps.size() > largest_body || k_.inputs.size() > largest_inputs || chain_ == longest_chain) return from_memory(v, at);
    ++chain_;
    element_steps step;
    if (r == role::view) step = value(f_->p.inputs(*e)[0], viewed_map(f_->p, *e, at));
    else if (r == role::map) step = mapped(*e, v, at);
    else if (r == role::parts) step = side_by_side(*e, at);
    else if (r == role::lookup) step = looked_up(*e, at);
    else if (r == role::spot) step = spotted(*e, at);
    else if (r == role::contraction) step = contracted(*e, v, at);
    else step = reduced(*e, v, at);
    --chain_;
    if (step.real < 0) return from_memory(v, at);
    known_.push_back({v, at, step});
    computed.push_back({v, elements_at(at)});
    return step;
  }
  /// How many elements the loops that `at` comes from go through.
  std::int64_t elements_at(const index_map& at) const {
    std::uint32_t loops = 0;
    for (const index_source& s : at)
      if (s.loop >= 0) loops |= is_computed_index(s) ? loop_dependence(k_)[std::size_t(s.loop - scalar_program::first_computed)] : 1u << s.loop;
    std::int64_t n = 1;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (loops >> i & 1u) n *= k_.loops[i].extent;
    return n;
  }
  element_steps from_memory(variable v, const index_map& at) {
    needed.push_back(v);
    return load(atom::of_variable(v), at);
  }
  element_steps mapped(const equation& e, variable v, const index_map& at) {
    std::vector<std::int32_t> in, imaginary;
    for (atom a : f_->p.inputs(e)) {
      const element_steps x = value(a, leading(at, f_->p.type_of(a).rank()));
      in.push_back(x.real), imaginary.push_back(x.imaginary);
    }
    const view<const variable> all = f_->p.outputs(e);
    const aval& out = f_->p.avals[v];
    if (is_boolean(out.type))  // what has been stored may be compared with what it was made of, which still has more digits
      for (std::size_t i = 0; i < in.size(); ++i)
        if (const dtype t = f_->p.type_of(f_->p.inputs(e)[std::uint32_t(i)]).type; is_inexact(t) && size_of(t) == 2) in[i] = k_.body.round(in[i]);
    record_call c{k_.body, view<const std::int32_t>(in), out, at, f_->p.params(e), -1, std::uint32_t(std::find(all.begin(), all.end(), v) - all.begin()),
                  view<const std::int32_t>(imaginary)};
    e.op->record(c);
    if (f_->rounds == rounding::strict && c.result >= 0 && is_inexact(out.type) && size_of(out.type) == 2) return {k_.body.round(c.result)};
    return {c.result, c.imaginary};
  }
  /// An element of the operand whose part of the result all iterations are in, or of none; no step if they are in several and no cut helps.
  element_steps side_by_side(const equation& e, const index_map& at) {
    std::vector<aval> in;
    const parts_call c = parts_of(f_->p, e, in);
    for (const result_part& part : c.parts) {
      const index_source* undecided = nullptr;
      std::int64_t edge = 0;
      bool any = true;
      for (std::size_t d = 0; d < at.size(); ++d) {
        if (is_computed_index(at[d])) return {};
        const cover here = cover_of(at[d], at[d].loop < 0 ? 1 : k_.loops[std::size_t(at[d].loop)].extent, {part.begin[int(d)], part.end[int(d)]});
        any = any && here.any;
        if (here.any && !here.all && !undecided) undecided = &at[d], edge = here.edge;
      }
      if (!any) continue;
      if (!undecided) return value(f_->p.inputs(e)[part.operand], shifted(at, part));
      if (!may_cut_) return {};
      cuts.push_back({undecided->loop, edge});
      cut_for.push_back(std::int32_t(&e - f_->p.equations.data()));
      return {};
    }
    return value(f_->p.inputs(e)[std::size_t(c.elsewhere)], is_one_value(c) ? index_map{} : at);
  }

  /// The steps that say how many elements further on something lies, and whether it is not outside; -1: it never is.
  struct computed_place {
    std::int32_t further = -1, inside = -1;
  };
  /// The index that an entry has: clamped, so that nothing else is read; or left as it is where nothing is, but something is put if it is inside.
  computed_place index_of(const lookup_call::entry& each, const equation& e, const index_map& at, bool clips, bool reads = true) {
    const auto number = [&](std::int64_t n) { return k_.body.constant(literal(n)); };
    std::int32_t i = k_.body.convert(value(f_->p.inputs(e)[each.operand], composed(each.from, at)).real, i64);
    const std::int32_t first = number(0);
    if (each.wraps != 0) {
      const std::int32_t below = k_.body.apply(scalar_op::less, i, first), wrapped = k_.body.apply(scalar_op::add, i, number(each.wraps));
      i = k_.body.apply(scalar_op::select, below, wrapped, i);
    }
    if (!clips && !reads) return {i, k_.body.apply(scalar_op::less, k_.body.convert(i, u64), k_.body.constant(literal(std::uint64_t(each.most) + 1)))};
    const std::int32_t not_below = k_.body.apply(scalar_op::max, i, first), within = k_.body.apply(scalar_op::min, not_below, number(each.most));
    return {within, clips ? -1 : k_.body.apply(scalar_op::equal, within, i)};
  }
  computed_place place_of(const lookup_call& c, const equation& e, const index_map& at, const std::vector<aval>& in, bool reads = true) {
    const int_list dense = in[0].dims.strides();
    computed_place r;
    for (const lookup_call::entry& each : c.entries) {
      const computed_place own = index_of(each, e, at, c.clips, reads);
      r.further = sum(r.further, times(own.further, dense[each.dim]));
      r.inside = both(r.inside, own.inside);
    }
    return r;
  }
  /// Two conditions; the first may be -1, which holds.
  std::int32_t both(std::int32_t a, std::int32_t b) { return a < 0 ? b : k_.body.apply(scalar_op::bit_and, a, b); }
  /// An element of the operand, but where an update is put: that one, if this is its place.
  element_steps spotted(const equation& e, const index_map& at) {
    std::vector<aval> in;
    const lookup_call c = put_of(f_->p, e, in);
    const index_map update = *only_update(c, at);
    const element_steps number = value(f_->p.inputs(e)[0], at), put = value(f_->p.inputs(e)[e.op->puts], update);
    std::int32_t is_here = -1;
    for (const lookup_call::entry& each : c.entries) {
      const computed_place place = index_of(each, e, update, c.clips);
      const index_source& own = at[std::size_t(each.dim)];
      const dtype t = in[0].dims[each.dim] <= std::numeric_limits<std::int32_t>::max() ? i32 : i64;  // the narrower one fills vectors
      is_here = both(is_here, k_.body.apply(scalar_op::equal, k_.body.convert(k_.body.index_at(own.loop, own.start, own.step), t), k_.body.convert(place.further, t)));
      if (place.inside >= 0) is_here = both(is_here, place.inside);
    }
    return each_part(in[0].type, [&](int part) {
      const std::int32_t here = part ? number.imaginary : number.real, own = part ? put.imaginary : put.real;
      return k_.body.apply(scalar_op::select, is_here, e.op->puts_by == scalar_op::load ? own : k_.body.apply(e.op->puts_by, here, own), here);
    });
  }
  /// An element of the first operand, at indices that are computed here. If it is not in memory, that one alone is computed.
  element_steps looked_up(const equation& e, const index_map& at) {
    std::vector<aval> in;
    const lookup_call c = lookup_of(f_->p, e, in);
    const atom table = f_->p.inputs(e)[0];
    index_map from = composed(c.from, at);
    std::int32_t inside = -1;
    element_steps element;
    if (table.is_literal() || f_->in_memory[table.index()]) {
      const computed_place p = place_of(c, e, at, in);
      inside = p.inside;
      element = load(table, from, p.further);
    } else {
      for (const lookup_call::entry& each : c.entries) {
        const computed_place own = index_of(each, e, at, c.clips);
        inside = both(inside, own.inside);
        if (in[0].dims[each.dim] == 1) continue;
        index_source& index = from[std::size_t(each.dim)];
        index = computed_index(sum(k_.body.index_at(index.loop, index.start, index.step), own.further));
      }
      element = value(table, from);
    }
    if (c.clips) return element;
    const element_steps outside = constant(c.outside);
    return each_part(in[0].type, [&](int part) {
      return k_.body.apply(scalar_op::select, inside, part ? element.imaginary : element.real, part ? outside.imaginary : outside.real);
    });
  }

  /// A reduction whose rows are those of this kernel; no step if they are others.
  element_steps reduced(const equation& e, variable v, const index_map& at) {
    if (is_closed_) return {};
    const atom x = f_->p.inputs(e)[0];
    const aval in = f_->p.type_of(x);
    const reduction r = e.op->reduce(f_->p.avals[v].type, f_->p.params(e));
    std::vector<int> inner;
    if (!rows_fit(in, r, at, inner)) return {};
    may_cut_ = false;  // stages run over whole rows
    index_map operand;
    std::size_t kept = 0, next = 0;
    for (int d = 0; d < in.rank(); ++d) {
      if (r.axes.contains(d)) operand.push_back({inner[next++], 0, 1});
      else operand.push_back(at[kept++]);
    }
    return staged(value(x, operand), r, in.type);
  }
  element_steps staged(const element_steps& x, const reduction& r, dtype t) {
    return each_part(t, [&](int part) { return staged(part ? x.imaginary : x.real, r, real_dtype(t)); });
  }
  /// The result of a stage that reduces a step. f16 and bf16 sums are kept in f32, those of f32 in f32: lanes are summed apart, which is as
  /// exact as pairwise sums.
  std::int32_t staged(std::int32_t step, const reduction& r, dtype t) {
    if (size_of(t) == 2 && is_inexact(t)) step = k_.body.convert(step, f32);
    const dtype work = k_.body.steps[std::size_t(step)].type;
    if (const std::int32_t known = multiple_of_known(step, r); known >= 0) return k_.body.convert(known, t);
    k_.stages.push_back({step, r.combine, r.initial.as(work)});
    const std::int32_t result = k_.body.load(stage_access(k_.stages.size() - 1), work);
    return k_.body.convert(result, t);
  }
  /// The sum of c x over a row, where c is one number all along it and the sum of x is known already: c times that, which takes no pass over
  /// the row. -1 if it is no such sum. So the tangent of a maximum within a softmax costs nothing but what it adds. Only for exponentials that are
  /// shifted along the row, whose sum does not overflow where the shift is what it should be: 0 times infinity would be NaN.
  std::int32_t multiple_of_known(std::int32_t step, const reduction& r) {
    const dtype t = k_.body.steps[std::size_t(step)].type;
    if (r.combine != scalar_op::add || f_->rounds == rounding::strict || (t != f32 && t != f64) || r.initial.get<double>() != 0) return -1;
    const std::vector<std::uint32_t> depends = loop_dependence(k_);
    std::uint32_t inner = 0;
    for (std::size_t i = 0; i < k_.loops.size(); ++i) inner |= std::uint32_t(k_.loops[i].inner) << i;
    bool negated = false;
    std::vector<std::int32_t> factors;
    std::int32_t x = step;
    const auto known = [&] {
      for (std::size_t n = 0; n < k_.stages.size(); ++n)
        if (k_.stages[n].step == x && k_.stages[n].combine == r.combine && k_.stages[n].initial.get<double>() == 0) return std::int32_t(n);
      return -1;
    };
    while (known() < 0) {
      const scalar_step& s = k_.body.steps[std::size_t(x)];
      if (s.op == scalar_op::negate) negated = !negated, x = s.in[0];
      else if (s.op == scalar_op::multiply && (depends[std::size_t(s.in[0])] & inner) == 0) factors.push_back(s.in[0]), x = s.in[1];
      else if (s.op == scalar_op::multiply && (depends[std::size_t(s.in[1])] & inner) == 0) factors.push_back(s.in[1]), x = s.in[0];
      else return -1;
    }
    const auto step_of = [&](std::int32_t n) -> const scalar_step& { return k_.body.steps[std::size_t(n)]; };
    const bool is_exp = step_of(x).op == scalar_op::exp && step_of(step_of(x).in[0]).op == scalar_op::subtract;
    if (!is_exp || (depends[std::size_t(step_of(step_of(x).in[0]).in[1])] & inner) != 0) return -1;
    std::int32_t sum = k_.body.load(stage_access(std::size_t(known())), t);
    for (std::size_t i = factors.size(); i-- > 0;) sum = k_.body.apply(scalar_op::multiply, factors[i], sum);
    return negated ? k_.body.apply(scalar_op::negate, sum) : sum;
  }
  /// A contraction as a reduction of its result with the dimensions that are summed over behind the others; its operands lie in memory.
  element_steps contracted(const equation& e, variable v, const index_map& at) {
    if (is_closed_) return {};
    const contraction c = e.op->contract(f_->p.params(e));
    const atom lhs = f_->p.inputs(e)[0], rhs = f_->p.inputs(e)[1];
    const aval x = f_->p.type_of(lhs), y = f_->p.type_of(rhs);
    aval products = f_->p.avals[v];
    reduction r{{}, scalar_op::add, literal(0.0, x.type, false)};
    for (std::int64_t d : c.lhs_contracting) {
      if (products.dims.rank() == max_rank) return {};
      r.axes.push_back(products.dims.rank());
      products.dims.push_back(x.dims[int(d)]);
    }
    std::vector<int> inner;
    if (r.axes.size() != 0 && !rows_fit(products, r, at, inner)) return {};
    std::size_t next = std::size_t(c.lhs_batch.size());
    const auto element = [&](atom a, const aval& t, const int_list& contracting, const int_list& batch) {
      index_map own(std::size_t(t.rank()), index_source{});
      for (int i = 0; i < contracting.size(); ++i) own[std::size_t(contracting[i])] = {inner[std::size_t(i)], 0, 1};
      for (int i = 0; i < batch.size(); ++i) own[std::size_t(batch[i])] = at[std::size_t(i)];
      for (std::int64_t d : dimensions_besides(t.rank(), contracting, batch)) own[std::size_t(d)] = at[next++];
      return value(a, own);
    };
    const element_steps left = element(lhs, x, c.lhs_contracting, c.lhs_batch), right = element(rhs, y, c.rhs_contracting, c.rhs_batch);
    const element_steps product = multiplied(left, right);
    if (r.axes.size() == 0) return product;
    return staged(product, r, x.type);
  }
  element_steps multiplied(const element_steps& a, const element_steps& b) {
    const auto product = [&](std::int32_t x, std::int32_t y) { return k_.body.apply(scalar_op::multiply, x, y); };
    if (a.imaginary < 0) return {product(a.real, b.real)};
    const std::int32_t real = k_.body.apply(scalar_op::subtract, product(a.real, b.real), product(a.imaginary, b.imaginary));
    return {real, k_.body.apply(scalar_op::add, product(a.real, b.imaginary), product(a.imaginary, b.real))};
  }
  /// Finds or makes the inner loops of a reduction read at `at`.
  bool rows_fit(const aval& in, const reduction& r, const index_map& at, std::vector<int>& inner) {
    std::vector<std::int64_t> extents;
    shape kept;
    for (int d = 0; d < in.rank(); ++d) {
      if (r.axes.contains(d)) extents.push_back(in.dims[d]);
      else kept.push_back(in.dims[d]);
    }
    std::vector<char> in_image(k_.loops.size(), false);
    for (std::size_t d = 0; d < at.size(); ++d) {
      const index_source& s = at[d];
      if (s.loop < 0 || is_computed_index(s)) {
        if (kept[int(d)] != 1) return false;
        continue;
      }
      if (s.start != 0 || s.step != 1 || in_image[std::size_t(s.loop)] || k_.loops[std::size_t(s.loop)].extent != kept[int(d)]) return false;
      in_image[std::size_t(s.loop)] = true;
    }
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!in_image[i] && (k_.loops[i].extent != 1 || k_.loops[i].inner)) inner.push_back(int(i));
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (in_image[i] && k_.loops[i].inner) return false;
    bool has_inner = false;
    for (const loop& l : k_.loops) has_inner = has_inner || l.inner;
    if (inner.empty() && !has_inner) {  // every loop is kept: the reduction brings its own
      for (std::int64_t n : extents) {
        inner.push_back(int(k_.loops.size()));
        k_.loops.push_back({n, true});
      }
      full_ = in.dims;
      full_map_.clear();
      for (int d = 0, reduced = 0, row = 0; d < in.rank(); ++d) {
        if (r.axes.contains(d)) full_map_.push_back({inner[std::size_t(reduced++)], 0, 1});
        else full_map_.push_back(at[std::size_t(row++)]);
      }
      return true;
    }
    if (inner.size() != extents.size()) return false;
    for (std::size_t i = 0; i < inner.size(); ++i)
      if (k_.loops[std::size_t(inner[i])].extent != extents[i] || (has_inner && !k_.loops[std::size_t(inner[i])].inner)) return false;
    for (int i : inner) k_.loops[std::size_t(i)].inner = true;
    return true;
  }

  shape full_;           ///< the shape of values that have an element for each iteration
  index_map full_map_;   ///< where their indices come from
  variable root_ = 0;
  bool is_closed_ = false;  ///< has the loops it has, and one output
  bool may_cut_ = false;  ///< its loops may run over boxes
  int chain_ = 0;        ///< how many values wait for their operands
  std::vector<known_value> known_;
};

}  // namespace detail
}  // namespace jacquard::lowering

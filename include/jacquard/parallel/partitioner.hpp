#pragma once
// Partitions a program over the members of an axis: from how its arguments are cut follows how each value is, and from that the program that every
// member runs on its tiles, with collectives where members need each other's. What it knows of an operation are properties that every primitive may
// have: elementwise, reduction, contraction, view, parts side by side. All others run whole on each member. (The ideas are those of GSPMD,
// arXiv 2105.04663.) Deliberately one walk forward, after one backward that only passes on how results are wanted.

#include <optional>

#include "jacquard/control/body.hpp"
#include "jacquard/control/branches.hpp"
#include "jacquard/parallel/tile_exchange.hpp"
#include "jacquard/prims/dynamic_slice.hpp"
#include "jacquard/prims/sharding_constraint.hpp"

namespace jacquard::detail {

/// A value as a member has it; `type` is that of the whole.
struct member_part {
  array value;
  tiling tiles;
  aval type;
};
/// Errors: shape_error for an array that cannot be cut so.
inline void check_tiling(const tiling& t, const aval& type) {
  if (t.fits(type.dims)) return;
  throw_error(make_error(error_kind::shape, "sharded_jit: got partitions ", t.pieces, " for an array of shape ", type.dims,
                         "; wanted one number of pieces for each dimension, which divides it"));
}

template <class Array = array>
class partitioner {
 public:
  using part = member_part;

  /// `index`: the member's number, i32.
  partitioner(const jaxpr& p, const name_text& axis, std::int64_t members, const array& index)
      : p_(p), axis_(axis), members_(members), index_(index), values_(p.avals.size()), pieces_(p.avals.size()), wanted_(p.avals.size()), views_(p.avals.size()), view_depth_(p.avals.size()) {}

  /// `in`: constants and arguments. `out_tiles`: how results are wanted, where that is said.
  std::vector<part> run(std::vector<part> in, view<const std::optional<tiling>> out_tiles) {
    for (std::size_t i = 0; i < out_tiles.size(); ++i)
      if (const atom a = p_.outvars[i]; !a.is_literal()) wanted_[a.index()] = out_tiles[i];
    pass_on_wishes();
    std::size_t next = 0;
    for (variable v : p_.constvars) values_[v].push_back(std::move(in[next++]));
    for (variable v : p_.invars) values_[v].push_back(std::move(in[next++]));
    for (const equation& e : p_.equations) {
      const rule_location_scope here(e.where);
      place(e);
    }
    std::vector<part> out;
    for (atom a : p_.outvars) out.push_back(first_of(a));
    return out;
  }

 private:
  using parts = std::vector<part>;

  /// An equation whose results are to have a tiling would like its operands of the same shape to have it.
  void pass_on_wishes() {
    for (std::size_t n = p_.equations.size(); n-- > 0;) {
      const equation& e = p_.equations[n];
      if (!e.op->elementwise || e.out.count == 0) continue;  // constraints are elementwise, too
      std::optional<tiling> wish = wanted_[p_.outputs(e)[0]];
      if (is_constraint(e)) wish = constraint_of(e);
      for (atom a : p_.inputs(e))
        if (wish && !a.is_literal() && !wanted_[a.index()] && wish->fits(p_.type_of(a).dims)) wanted_[a.index()] = wish;
    }
  }
  static bool is_constraint(const equation& e) { return e.op == &table_of<sharding_constraint_p>(); }
  tiling constraint_of(const equation& e) const {
    const int_list pieces = decode<sharding_constraint_p::params>(p_.params(e)).pieces;
    if (pieces.empty()) return tiling::whole(p_.avals[p_.outputs(e)[0]].rank());
    return tiling::row_major(pieces);
  }
  const aval& result_type(const equation& e) const { return p_.avals[p_.outputs(e)[0]]; }

  void place(const equation& e) {
    if (is_constraint(e)) return place_constraint(e);
    if (e.effects & ~effect_set(collective_effect)) return place_once(e);
    const std::size_t operands = e.in.count;
    if (e.subs.count == 0 && e.effects == 0 && e.out.count != 0) {
      if (e.op->elementwise) return place_elementwise(e);
      if (e.op->reduce && operands == 1 && place_reduction(e)) return;
      if (e.op->contract && operands == 2 && place_contraction(e)) return;
      if (e.op->view_of && operands == 1 && place_view(e)) return;
      if (e.op->parts && place_parts(e)) return;
    }
    place_whole(e);
  }

  /// The value in the form that came first.
  part first_of(atom a) {
    if (a.is_literal()) return {array(p_.literals[a.index()]), tiling::whole(0), p_.type_of(a)};
    if (values_[a.index()].empty()) make_view(a.index());
    return values_[a.index()].front();
  }
  tiling tiles_of(atom a) const {
    if (a.is_literal() || values_[a.index()].empty()) return tiling::whole(p_.type_of(a).rank());
    return values_[a.index()].front().tiles;
  }
  /// The value cut as `t` says; what was made once is there for the next who asks.
  array as(atom a, const tiling& t) {
    if (a.is_literal()) return array(p_.literals[a.index()]);
    parts& known = values_[a.index()];
    if (const part* x = find(known, t)) return x->value;
    if (known.empty() && !t.is_whole()) {
      parts& pieces = pieces_[a.index()];
      if (const part* x = find(pieces, t)) return x->value;
      if (const array piece = piece_of_view(a.index(), t); !piece.is_none()) {
        pieces_[a.index()].push_back({piece, t, p_.type_of(a)});
        return piece;
      }
    }
    if (known.empty()) make_view(a.index());
    if (const part* x = find(known, t)) return x->value;
    const part from = known.front();
    const array value = from.tiles.is_whole() ? own_piece(from.value, t) : retiled(from, t);
    known.push_back({value, t, p_.type_of(a)});
    return value;
  }
  static const part* find(const parts& known, const tiling& t) {
    for (const part& x : known)
      if (x.tiles == t) return &x;
    return nullptr;
  }
  array whole(atom a) { return as(a, tiling::whole(p_.type_of(a).rank())); }
  /// This member's tile of what it has whole.
  array own_piece(const array& x, const tiling& t) const {
    std::vector<array> start;
    const shape dims = t.tile_of(x.shape());
    for (int d = 0; d < t.rank(); ++d) {
      if (!t.cuts(d)) {
        start.push_back(array(std::int32_t(0)));
        continue;
      }
      array digit = index_;
      if (t.strides[d] != 1) digit = lax::div(digit, array(std::int32_t(t.strides[d])));
      if (t.strides[d] * t.pieces[d] != members_) digit = lax::rem(digit, array(std::int32_t(t.pieces[d])));
      start.push_back(lax::mul(digit, array(std::int32_t(dims[d]))));
    }
    return lax::dynamic_slice(x, view<const array>(start), dims);
  }
  array retiled(const part& x, const tiling& t) const {
    return bind<retile_p>({axis_, x.tiles.pieces, x.tiles.strides, t.pieces, t.strides}, location{}, x.value);
  }

  void set(const equation& e, const array_list& results, const tiling& t) {
    for (std::size_t i = 0; i < results.size(); ++i) values_[p_.outputs(e)[i]].push_back({results[i], t, p_.avals[p_.outputs(e)[i]]});
  }
  array_list run_equation(const equation& e, const std::vector<array>& in, const param_view& params) const { return jacquard::bind(*e.op, in, params, e.where); }

  void place_constraint(const equation& e) {
    const atom x = p_.inputs(e)[0];
    const tiling t = constraint_of(e);
    check_tiling(t, p_.type_of(x));
    set(e, array_list{as(x, t)}, t);
  }
  /// The most finely cut operand says how all are.
  void place_elementwise(const equation& e) {
    const aval& type = result_type(e);
    tiling t = tiling::whole(type.rank());
    for (atom a : p_.inputs(e))
      if (const tiling own = tiles_of(a); own.rank() == t.rank() && own.tiles() > t.tiles()) t = own;
    if (const auto& wish = wanted_[p_.outputs(e)[0]]; t.is_whole() && wish && wish->fits(type.dims)) t = *wish;
    std::vector<array> in;
    for (atom a : p_.inputs(e)) {
      if (p_.type_of(a).rank() == 0) in.push_back(whole(a));
      else in.push_back(as(a, t));
    }
    set(e, run_equation(e, in, p_.params(e)), t);
  }
  /// Each member reduces its tile; those that have pieces of the dimensions that go combine what they got.
  bool place_reduction(const equation& e) {
    const atom x = p_.inputs(e)[0];
    const tiling t = tiles_of(x);
    if (t.is_whole()) return false;
    const reduction r = e.op->reduce(p_.type_of(x).type, p_.params(e));
    tiling kept, gone;
    for (int d = 0; d < t.rank(); ++d) {
      if (!r.axes.contains(d)) kept.add(t.pieces[d], t.strides[d]);
      else if (t.cuts(d)) gone.add(t.pieces[d], t.strides[d]);
    }
    const combiner by = combiner_of(r.combine);
    if (gone.rank() != 0 && (by == combiner::none || result_type(e).type == dtype::bool_)) return false;
    array_list y = run_equation(e, {as(x, t)}, p_.params(e));
    if (gone.rank() != 0) y[0] = bind<combine_p>({axis_, std::int64_t(by), gone.pieces, gone.strides}, location{}, y[0]);
    set(e, y, kept);
    return true;
  }
  /// The operand that is cut more finely stays; the other one is cut likewise along the dimensions that they share, and keeps its own cuts along others
  /// where these are other digits.
  bool place_contraction(const equation& e) {
    const atom x = p_.inputs(e)[0], y = p_.inputs(e)[1];
    tiling tx = tiles_of(x), ty = tiles_of(y);
    const contraction c = e.op->contract(p_.params(e));
    if (tx.is_whole() && ty.is_whole()) cut_for_result(e, c, tx, ty);
    if (tx.is_whole() && ty.is_whole()) return false;
    const bool leads = tx.tiles() > ty.tiles() || (tx.tiles() == ty.tiles() && p_.type_of(x).bytes() >= p_.type_of(y).bytes());
    if (leads) follow(ty, tx, {c.rhs_contracting, c.rhs_batch}, {c.lhs_contracting, c.lhs_batch});
    else follow(tx, ty, {c.lhs_contracting, c.lhs_batch}, {c.rhs_contracting, c.rhs_batch});
    tiling result, summed;
    for (std::int64_t d : c.lhs_batch) result.add(tx.pieces[int(d)], tx.strides[int(d)]);
    for (int d = 0; d < tx.rank(); ++d) {
      if (c.lhs_contracting.contains(d) && tx.cuts(d)) summed.add(tx.pieces[d], tx.strides[d]);
      if (!c.lhs_contracting.contains(d) && !c.lhs_batch.contains(d)) result.add(tx.pieces[d], tx.strides[d]);
    }
    for (int d = 0; d < ty.rank(); ++d)
      if (!c.rhs_contracting.contains(d) && !c.rhs_batch.contains(d)) result.add(ty.pieces[d], ty.strides[d]);
    array_list z = run_equation(e, {as(x, tx), as(y, ty)}, p_.params(e));
    const combiner by = result_type(e).type == dtype::bool_ ? combiner::max : combiner::add;  // true where any product is
    if (summed.rank() != 0) z[0] = bind<combine_p>({axis_, std::int64_t(by), summed.pieces, summed.strides}, location{}, z[0]);
    set(e, z, result);
    return true;
  }
  /// Whole operands of a contraction are cut as its result is to be.
  void cut_for_result(const equation& e, const contraction& c, tiling& tx, tiling& ty) const {
    const std::optional<tiling>& wish = wanted_[p_.outputs(e)[0]];
    if (!wish || !wish->fits(result_type(e).dims)) return;
    int at = 0;
    for (; at < c.lhs_batch.size(); ++at) tx.cut_as(int(c.lhs_batch[at]), *wish, at), ty.cut_as(int(c.rhs_batch[at]), *wish, at);
    for (int d = 0; d < tx.rank(); ++d)
      if (!c.lhs_contracting.contains(d) && !c.lhs_batch.contains(d)) tx.cut_as(d, *wish, at++);
    for (int d = 0; d < ty.rank(); ++d)
      if (!c.rhs_contracting.contains(d) && !c.rhs_batch.contains(d)) ty.cut_as(d, *wish, at++);
  }
  static void follow(tiling& t, const tiling& leader, std::array<int_list, 2> own, std::array<int_list, 2> others) {
    for (int d = 0; d < t.rank(); ++d) {
      bool shared = false;
      for (std::size_t k = 0; k < 2; ++k)
        if (const int i = own[k].index_of(d); i >= 0) {
          shared = true;
          t.cut_as(d, leader, int(others[k][i]));
        }
      if (!shared && leader.uses(t.pieces[d], t.strides[d])) t = t.joined(d);
    }
  }

  /// A view is cut as its operand is, along those dimensions that it has whole and in order. Of an operand that all members have whole it is made
  /// when somebody asks for it: most ask for a piece.
  bool place_view(const equation& e) {
    const atom x = p_.inputs(e)[0];
    tiling t = tiles_of(x);
    if (t.is_whole()) {
      std::uint32_t depth = 1;  // of views of views, which are made one within the other
      if (!x.is_literal() && values_[x.index()].empty()) depth += view_depth_[x.index()];
      if (depth > deepest) make_view(x.index()), depth = 1;
      views_[p_.outputs(e)[0]] = &e;
      view_depth_[p_.outputs(e)[0]] = depth;
      return true;
    }
    const aval &in = p_.type_of(x), &out = result_type(e);
    view_call v{in, out, p_.params(e)};
    e.op->view_of(v);
    tiling made = tiling::whole(out.rank());
    if (v.same_order) made = of_reshape(t, in.dims, out.dims);
    else
      for (int d = 0; d < t.rank(); ++d) {
        const index_source& from = v.from[std::size_t(d)];
        if (!t.cuts(d)) continue;
        if (from.loop < 0 || from.start != 0 || from.step != 1 || in.dims[d] != out.dims[from.loop]) t = t.joined(d);
        else made.cut_as(from.loop, t, d);
      }
    if (t.is_whole() || made.is_whole()) return false;
    param_pack local;
    if (!localized(e, in.with(t.tile_of(in.dims)), out.with(made.tile_of(out.dims)), local)) return false;
    set(e, run_equation(e, {as(x, t)}, local), made);
    return true;
  }
  /// The parameters with which an operation makes a tile of a tile; false if there are none.
  bool localized(const equation& e, const aval& in, const aval& out, param_pack& local) const {
    if (e.op->resized) local = e.op->resized(p_.params(e), out.dims);
    else local = p_.params(e).pack();
    inference c(e.op->name, view<const aval>(&in, 1), local);
    e.op->abstract_eval(c);
    return !c.problem && c.outputs.size() == 1 && same_type(c.outputs[0], out);
  }
  /// Elements in the same order: dimensions stay cut as long as they stay as they are, and the first one that does not is cut as far as its pieces are
  /// pieces of the new dimension. Cuts of what follows go.
  static tiling of_reshape(tiling& t, const shape& in, const shape& out) {
    tiling made = tiling::whole(out.rank());
    int i = 0, o = 0;
    for (;; ++i, ++o) {
      while (i < in.rank() && in[i] == 1) ++i;
      while (o < out.rank() && out[o] == 1) ++o;
      if (i == in.rank() || o == out.rank()) break;
      const bool same = in[i] == out[o];
      if (same || out[o] % t.pieces[i] == 0) made.cut_as(o, t, i);
      else t = t.joined(i);
      if (!same) {
        ++i;
        break;
      }
    }
    for (; i < in.rank(); ++i)
      if (t.cuts(i)) t = t.joined(i);
    return made;
  }
  void make_view(variable v) {
    const equation& e = *views_[v];
    values_[v].push_back({run_equation(e, {whole(p_.inputs(e)[0])}, p_.params(e))[0], tiling::whole(p_.avals[v].rank()), p_.avals[v]});
  }
  /// A tile of a view of a whole operand, made of what it needs of that; none if it cannot be.
  array piece_of_view(variable of, const tiling& t) {
    const equation& e = *views_[of];
    const atom x = p_.inputs(e)[0];
    const aval &in = p_.type_of(x), &out = p_.avals[of];
    view_call v{in, out, p_.params(e)};
    e.op->view_of(v);
    if (v.same_order) return {};
    tiling needed = tiling::whole(in.rank());
    for (int d = 0; d < in.rank(); ++d) {
      const index_source& from = v.from[std::size_t(d)];
      if (from.loop < 0 || !t.cuts(from.loop)) continue;
      if (from.start != 0 || from.step != 1 || in.dims[d] != out.dims[from.loop]) return {};
      needed.cut_as(d, t, from.loop);
    }
    param_pack local;
    if (!localized(e, in.with(needed.tile_of(in.dims)), out.with(t.tile_of(out.dims)), local)) return {};
    return run_equation(e, {as(x, needed)}, local)[0];
  }

  /// Operands side by side along some dimensions are cut along the others.
  bool place_parts(const equation& e) {
    std::vector<aval> types;
    tiling t = tiling::whole(result_type(e).rank());
    for (atom a : p_.inputs(e)) {
      types.push_back(p_.type_of(a));
      if (const tiling own = tiles_of(a); own.rank() == t.rank() && own.tiles() > t.tiles()) t = own;
    }
    if (t.is_whole()) return false;
    parts_call c{types, result_type(e), p_.params(e)};
    e.op->parts(c);
    for (const result_part& r : c.parts)
      for (int d = 0; d < t.rank(); ++d)
        if (t.cuts(d) && (r.begin[d] != 0 || r.shift[d] != 0 || r.end[d] != result_type(e).dims[d])) t = t.joined(d);
    if (t.is_whole() || c.parts.empty()) return false;
    std::vector<array> in;
    for (atom a : p_.inputs(e)) {
      if (p_.type_of(a).rank() == t.rank()) in.push_back(as(a, t));
      else in.push_back(whole(a));
    }
    set(e, run_equation(e, in, p_.params(e)), t);
    return true;
  }

  void place_whole(const equation& e) {
    std::vector<array> in;
    for (atom a : p_.inputs(e)) in.push_back(whole(a));
    const array_list y = run_equation(e, in, p_.params(e));
    for (std::size_t i = 0; i < y.size(); ++i) values_[p_.outputs(e)[i]].push_back({y[i], tiling::whole(y[i].ndim()), y[i].aval()});
  }
  /// What acts on the host does so once: the first member runs it, and the others get its results.
  void place_once(const equation& e) {
    std::vector<array> in;
    for (atom a : p_.inputs(e)) in.push_back(whole(a));
    const auto act = [&](const std::vector<array>& x) {
      const array_list y = run_equation(e, x, p_.params(e));
      return std::vector<array>(y.begin(), y.end());
    };
    const auto skip = [&](const std::vector<array>& x) {
      if (e.op->identity) return x;
      std::vector<array> y;
      for (variable v : p_.outputs(e)) y.push_back(lax::zeros(p_.avals[v]));
      return y;
    };
    const std::vector<array> y = lax::cond(lax::eq(index_, array(std::int32_t(0))), act, skip, in);
    for (std::size_t i = 0; i < y.size(); ++i) {
      const variable v = p_.outputs(e)[i];
      array all = y[i];
      if (!e.op->identity) all = bind<from_first_p>({axis_}, location{}, all);
      values_[v].push_back({all, tiling::whole(all.ndim()), p_.avals[v]});
    }
  }
  const jaxpr& p_;
  name_text axis_;
  std::int64_t members_;
  array index_;
  std::vector<parts> values_;                  ///< by variable, in the forms in which it was needed; nothing of a view that is not made
  std::vector<parts> pieces_;                  ///< by variable: pieces of such a view that were needed
  std::vector<std::optional<tiling>> wanted_;  ///< by variable
  std::vector<const equation*> views_;         ///< by variable: the view of a whole operand that it is, if it is one
  std::vector<std::uint32_t> view_depth_;      ///< by variable: how many of these lie within each other
  static constexpr std::uint32_t deepest = 64;
};

}  // namespace jacquard::detail

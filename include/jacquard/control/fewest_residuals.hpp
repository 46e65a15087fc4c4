#pragma once
// Which values a loop stacks for its derivative: of those that the linear program of its body could be given, with the residuals computed
// again from them, the ones that take the fewest bytes. Only what costs about as little as reading memory is computed again.
// Deliberately without a choice for users, which checkpoint and its policies are.
//
// What is computed again lies between a cut of the graph of values and the residuals: a minimum cut where values weigh what they take.
// Source: Horace He, Shangdi Yu, "Transcending runtime-memory tradeoffs in checkpointing by being fusion aware", MLSys 2023; for the
// flow, Edmonds and Karp, "Theoretical improvements in algorithmic efficiency for network flow problems", 1972.

#include "jacquard/control/body.hpp"

namespace jacquard::detail {

/// A network whose edges have capacities, and what flows through it. A template with one instance, which programs without loops do not compile.
template <class Capacity = std::int64_t>
class flow_network {
 public:
  static constexpr Capacity unlimited = Capacity(1) << 60;
  constexpr explicit flow_network(std::size_t nodes) : first_(nodes, -1) {}
  constexpr void connect(std::size_t from, std::size_t to, Capacity capacity) {
    edges_.push_back({to, first_[from], capacity});
    first_[from] = int(edges_.size()) - 1;
    edges_.push_back({from, first_[to], 0});
    first_[to] = int(edges_.size()) - 1;
  }
  /// Lets as much flow as can. Complexity: at most nodes times edges squared; about edges times nodes that limit the flow.
  constexpr void fill(std::size_t source, std::size_t sink) {
    for (;;) {
      std::vector<int> by(first_.size(), -1);  // the edge by which a node was reached
      std::vector<std::size_t> reached{source};
      for (std::size_t n = 0; n < reached.size() && by[sink] < 0; ++n)
        for (int e = first_[reached[n]]; e >= 0; e = edges_[std::size_t(e)].next) {
          const edge& along = edges_[std::size_t(e)];
          if (along.left == 0 || by[along.to] >= 0 || along.to == source) continue;
          by[along.to] = e;
          reached.push_back(along.to);
        }
      if (by[sink] < 0) return;
      Capacity most = unlimited;
      const auto each = [&](auto&& f) {
        for (std::size_t at = sink; at != source; at = edges_[std::size_t(by[at] ^ 1)].to) f(by[at]);
      };
      each([&](int e) { most = edges_[std::size_t(e)].left < most ? edges_[std::size_t(e)].left : most; });
      each([&](int e) {
        edges_[std::size_t(e)].left -= most;
        edges_[std::size_t(e ^ 1)].left += most;
      });
    }
  }
  /// By node: whether more could flow from it to the sink. The edges that lead there from other nodes are the minimum cut next to the sink.
  constexpr std::vector<char> beyond_cut(std::size_t sink) const {
    std::vector<char> r(first_.size(), false);
    std::vector<std::size_t> open{sink};
    r[sink] = true;
    for (std::size_t n = 0; n < open.size(); ++n)
      for (int e = first_[open[n]]; e >= 0; e = edges_[std::size_t(e)].next) {
        const std::size_t from = edges_[std::size_t(e)].to;
        if (edges_[std::size_t(e ^ 1)].left == 0 || r[from]) continue;
        r[from] = true;
        open.push_back(from);
      }
    return r;
  }

 private:
  struct edge {
    std::size_t to;
    int next;
    Capacity left;
  };
  std::vector<int> first_;   ///< by node: its last edge, or -1
  std::vector<edge> edges_;  ///< each followed by the one back
};

/// Whether an equation costs about as little as reading its result would: it shows its operand, or does a few additions and the like to it.
constexpr bool is_cheap(const jaxpr& p, const equation& e) {
  if (e.effects != 0 || e.out.count != 1) return false;
  if (e.op->view_of) return true;
  if (!e.op->elementwise || !e.op->record) return false;
  bool real = !is_complex(p.avals[p.outputs(e)[0]].type);
  for (atom a : p.inputs(e)) real = real && !is_complex(p.type_of(a).type);
  if (!real) return false;
  const scalar_program body = recorded_alone(p, e);
  int cost = 0;
  for (const scalar_step& s : body.steps) cost += s.op == scalar_op::load || s.op == scalar_op::constant ? 0 : cost_of(s.op);
  return body.steps.size() != 0 && cost < 5;
}

/// The linearized body of a scan with those residuals that take the fewest bytes: what depends on the first `consts` inputs alone takes
/// none, nor do inputs behind the carries, which are elements of operands, and outputs behind them, which are stacked anyway.
/// Complexity: see flow_network; linear where nothing can be computed again.
template <class Array = array>
constexpr linearized_body with_fewest_residuals(const linearized_body& from, std::size_t consts, std::size_t carries,
                                                const axis_binding* axes) {
  const jaxpr& p = *from.known;
  const std::size_t variables = p.avals.size(), outputs = from.tangent_of.size();
  std::vector<char> again(p.equations.size(), false), wanted(variables, false), costless(variables, true);
  for (std::size_t i = consts; i < consts + carries; ++i) costless[p.invars[i]] = false;
  std::vector<char> varies(variables, false);
  for (std::size_t i = consts; i < p.invars.size(); ++i) varies[p.invars[i]] = true;
  for (const equation& e : p.equations) {
    bool any = e.effects != 0;
    for (atom a : p.inputs(e)) any = any || (!a.is_literal() && varies[a.index()]);
    for (variable v : p.outputs(e)) varies[v] = any, costless[v] = !any;
  }
  for (std::size_t i = carries; i < outputs; ++i)
    if (!p.outvars[i].is_literal()) costless[p.outvars[i].index()] = true;
  for (std::size_t i = outputs; i < p.outvars.size(); ++i)
    if (!p.outvars[i].is_literal()) wanted[p.outvars[i].index()] = true;
  bool any = false;
  std::vector<char> needed = wanted;
  for (std::size_t n = p.equations.size(); n-- > 0;) {
    const equation& e = p.equations[n];
    if (e.out.count != 1 || !needed[p.outputs(e)[0]] || costless[p.outputs(e)[0]] || !is_cheap(p, e)) continue;
    again[n] = any = true;
    for (atom a : p.inputs(e))
      if (!a.is_literal()) needed[a.index()] = true;
  }
  if (!any) return from;

  // Each value is an edge of its bytes, from node 2v to node 2v + 1.
  const std::size_t source = 2 * variables, sink = source + 1;
  flow_network<> net(sink + 1);
  std::vector<char> made(variables, false);
  for (std::size_t n = 0; n < p.equations.size(); ++n) {
    if (!again[n]) continue;
    const variable v = p.outputs(p.equations[n])[0];
    made[v] = true;
    for (atom a : p.inputs(p.equations[n]))
      if (!a.is_literal()) net.connect(2 * std::size_t(a.index()) + 1, 2 * std::size_t(v), net.unlimited);
  }
  for (std::size_t v = 0; v < variables; ++v) {
    if (!needed[v]) continue;
    net.connect(2 * v, 2 * v + 1, costless[v] ? 0 : p.avals[v].bytes());
    if (!made[v]) net.connect(source, 2 * v, net.unlimited);
    if (wanted[v]) net.connect(2 * v + 1, sink, net.unlimited);
  }
  net.fill(source, sink);
  const std::vector<char> beyond = net.beyond_cut(sink);

  std::vector<variable> kept;
  std::vector<aval> types;
  for (std::size_t v = 0; v < variables; ++v)
    if (needed[v] && beyond[2 * v + 1] && !beyond[2 * v]) kept.push_back(variable(v)), types.push_back(p.avals[v]);
  for (std::size_t n = 0; n < p.equations.size(); ++n)
    again[n] = again[n] && beyond[2 * std::size_t(p.outputs(p.equations[n])[0])];
  linearized_body r;
  r.tangent_of = from.tangent_of;
  jaxpr known = p;
  known.outvars.resize(outputs);
  for (variable v : kept) known.outvars.push_back(atom::of_variable(v));
  r.known = jaxpr_ref(drop_dead(known));
  for (variable v : from.linear.invars) types.push_back(from.linear.avals[v]);
  r.linear = *build_tidy_body(types, axes, [&](view<const array> in) {
    environment inside(p, {}, {});
    for (std::size_t i = 0; i < kept.size(); ++i) inside.write(kept[i], in[i]);
    eval_equations<Array>(p, inside, again);
    std::vector<array> residuals;
    for (std::size_t i = outputs; i < p.outvars.size(); ++i) residuals.push_back(inside.read(p.outvars[i]));
    return eval_jaxpr(from.linear, residuals, in.subspan(kept.size()));
  });
  for (std::size_t i = 0; i < kept.size(); ++i) r.linear.constvars.push_back(r.linear.invars[i]);
  r.linear.invars.erase(r.linear.invars.begin(), r.linear.invars.begin() + std::ptrdiff_t(kept.size()));
  return r;
}

}  // namespace jacquard::detail

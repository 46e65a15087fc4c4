#pragma once
// Positions for the boxes of an acyclic graph, in layers from top to bottom, and paths for its edges. Layers by the longest path,
// order within layers by barycentres, places by moving each box towards what it is connected with.
// Source of the method: Sugiyama, Tagawa, Toda, "Methods for visual understanding of hierarchical system structures", 1981.
// Deliberately simple: a few sweeps, no crossing minimum; edges of one box share a path until they part.

#include <algorithm>
#include <string_view>
#include <vector>

#include "jacquard/core/list.hpp"

namespace jacquard::detail {

/// A box: `width` and `height` are given, the rest is found. `last`: it stands in the last layer.
struct placed_box {
  double width = 0, height = 0;
  list<std::uint32_t> reads;
  bool last = false;
  double x = 0, y = 0;  ///< the upper left corner
};
struct path_point {
  double x = 0, y = 0;
  bool straight = false;  ///< reached by a line, not by a curve
};
/// An edge, or a part of several.
struct edge_path {
  list<path_point> points;
  bool ends = true;  ///< at a box, where the arrow is
};

class layered_layout {
 public:
  static constexpr double gap = 22, layer_gap = 34;

  explicit layered_layout(list<placed_box> given) : boxes(std::move(given)) {
    find_layers();
    make_nodes();
    for (int sweep = 0; sweep < 8; ++sweep) order(sweep % 2 == 0);
    find_x();
    find_y();
    draw_edges();
  }

  list<placed_box> boxes;
  list<edge_path> edges;
  double width = 0, height = 0;

 private:
  /// A box, or the place where an edge crosses a layer.
  struct node {
    std::int64_t box = -1;
    std::size_t layer = 0;
    double width = 0, centre = 0;
    std::vector<std::size_t> up, down;
    double rank = 0;
  };

  void find_layers() {
    const std::size_t n = boxes.size();
    layer_.assign(n, 0);
    std::vector<std::size_t> missing(n, 0), ready;
    std::vector<std::vector<std::size_t>> readers(n);
    for (std::size_t i = 0; i < n; ++i) {
      missing[i] = boxes[i].reads.size();
      for (std::uint32_t from : boxes[i].reads) readers[from].push_back(i);
      if (missing[i] == 0) ready.push_back(i);
    }
    std::size_t deepest = 0;
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const std::size_t i = ready[k];
      deepest = std::max(deepest, layer_[i]);
      for (std::size_t to : readers[i]) {
        layer_[to] = std::max(layer_[to], layer_[i] + 1);
        if (--missing[to] == 0) ready.push_back(to);
      }
    }
    for (std::size_t i = 0; i < n; ++i)
      if (boxes[i].last) layer_[i] = std::max(layer_[i], deepest);
    // A box goes down to the first one that reads it, unless more edges would grow longer than shorter; those from boxes that read
    // nothing do not count, because these come along.
    for (std::size_t k = ready.size(); k-- > 0;) {
      const std::size_t i = ready[k];
      std::size_t held = 0, first = deepest + 1;
      for (std::uint32_t from : boxes[i].reads) held += !boxes[from].reads.empty();
      for (std::size_t to : readers[i]) first = std::min(first, layer_[to]);
      if (!readers[i].empty() && held <= readers[i].size()) layer_[i] = first - 1;
    }
    layers_.resize(n == 0 ? 0 : deepest + 1);
  }

  void make_nodes() {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      node_of_.push_back(nodes_.size());
      add_node({std::int64_t(i), layer_[i], boxes[i].width, 0, {}, {}, 0});
    }
    std::vector<std::vector<std::size_t>> chain(boxes.size());  // by box: its crossings of the layers below
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::uint32_t from : boxes[i].reads) {
        std::size_t above = node_of_[from];
        for (std::size_t l = layer_[from] + 1; l < layer_[i]; ++l) {
          const std::size_t k = l - layer_[from] - 1;
          if (k == chain[from].size()) {
            chain[from].push_back(nodes_.size());
            add_node({-1, l, 4, 0, {}, {}, 0});
            link(above, chain[from][k]);
          }
          above = chain[from][k];
        }
        link(above, node_of_[i]);
      }
  }
  void add_node(node n) {
    layers_[n.layer].push_back(nodes_.size());
    nodes_.push_back(std::move(n));
  }
  void link(std::size_t above, std::size_t below) {
    nodes_[above].down.push_back(below);
    nodes_[below].up.push_back(above);
  }

  void order(bool downwards) {
    number();
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      std::vector<std::size_t>& layer = layers_[downwards ? k : layers_.size() - 1 - k];
      std::vector<std::pair<double, std::size_t>> keys;
      for (std::size_t i : layer) {
        const std::vector<std::size_t>& others = downwards ? nodes_[i].up : nodes_[i].down;
        double sum = 0;
        for (std::size_t o : others) sum += nodes_[o].rank;
        keys.push_back({others.empty() ? nodes_[i].rank : sum / double(others.size()), i});
      }
      std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t i = 0; i < layer.size(); ++i) layer[i] = keys[i].second;
      number(layer);
    }
  }
  void number() {
    for (auto& layer : layers_) number(layer);
  }
  void number(const std::vector<std::size_t>& layer) {
    for (std::size_t i = 0; i < layer.size(); ++i) nodes_[layer[i]].rank = (double(i) + 0.5) / double(layer.size());
  }

  void find_x() {
    for (auto& layer : layers_) settle(layer, [](const node&) { return 0.0; });
    const auto mean = [&](const std::vector<std::size_t>& of, double otherwise) {
      double sum = 0;
      for (std::size_t o : of) sum += nodes_[o].centre;
      return of.empty() ? otherwise : sum / double(of.size());
    };
    for (int sweep = 0; sweep < 24; ++sweep)
      for (std::size_t k = 0; k < layers_.size(); ++k) {
        const bool downwards = sweep % 2 == 0;
        settle(layers_[downwards ? k : layers_.size() - 1 - k], [&](const node& n) {
          if (sweep >= 20) return (mean(n.up, n.centre) + mean(n.down, n.centre)) / 2;
          return mean(downwards ? n.up : n.down, n.centre);
        });
      }
    double left = 0, right = 0;
    bool first = true;
    for (const node& n : nodes_) {
      left = first ? n.centre - n.width / 2 : std::min(left, n.centre - n.width / 2);
      right = first ? n.centre + n.width / 2 : std::max(right, n.centre + n.width / 2);
      first = false;
    }
    for (node& n : nodes_) n.centre -= left;
    width = right - left;
  }
  /// Moves the nodes of a layer to where they want to be, as far as their order and widths allow: the mean of what moving all to
  /// the right and all to the left gives.
  template <class Wanted>
  void settle(const std::vector<std::size_t>& layer, Wanted&& wanted) {
    std::vector<double> to_right, to_left(layer.size()), want;
    for (std::size_t i : layer) want.push_back(wanted(nodes_[i]));
    const auto apart = [&](std::size_t a, std::size_t b) { return (nodes_[layer[a]].width + nodes_[layer[b]].width) / 2 + gap; };
    for (std::size_t i = 0; i < layer.size(); ++i) to_right.push_back(i == 0 ? want[i] : std::max(want[i], to_right[i - 1] + apart(i - 1, i)));
    for (std::size_t i = layer.size(); i-- > 0;) to_left[i] = i + 1 == layer.size() ? want[i] : std::min(want[i], to_left[i + 1] - apart(i, i + 1));
    for (std::size_t i = 0; i < layer.size(); ++i) nodes_[layer[i]].centre = (to_right[i] + to_left[i]) / 2;
  }

  void find_y() {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      double tallest = 0;
      for (std::size_t i : layers_[l])
        if (nodes_[i].box >= 0) tallest = std::max(tallest, boxes[std::size_t(nodes_[i].box)].height);
      top_.push_back(height);
      bottom_.push_back(height + tallest);
      height += tallest + layer_gap;
    }
    if (!layers_.empty()) height -= layer_gap;
    for (const node& n : nodes_)
      if (n.box >= 0) {
        placed_box& b = boxes[std::size_t(n.box)];
        b.x = n.centre - b.width / 2;
        b.y = top_[n.layer];
      }
  }

  /// From the bottom of a node's layer to the top of the next one.
  void draw_edges() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      node& n = nodes_[i];
      std::stable_sort(n.up.begin(), n.up.end(), [&](std::size_t a, std::size_t b) { return nodes_[a].centre < nodes_[b].centre; });
      for (std::size_t k = 0; k < n.up.size(); ++k) {
        const node& above = nodes_[n.up[k]];
        const double spread = std::min(n.width * 0.6, 18.0 * double(n.up.size() - 1));
        const double port = n.centre + (n.up.size() > 1 ? spread * (double(k) / double(n.up.size() - 1) - 0.5) : 0);
        edge_path e;
        e.ends = n.box >= 0;
        if (above.box >= 0) e.points.push_back({above.centre, boxes[std::size_t(above.box)].y + boxes[std::size_t(above.box)].height, true});
        else e.points.push_back({above.centre, top_[above.layer], true});
        e.points.push_back({above.centre, bottom_[above.layer], true});
        e.points.push_back({port, top_[n.layer], false});
        edges.push_back(std::move(e));
      }
    }
  }

  std::vector<std::size_t> layer_, node_of_;  ///< by box
  std::vector<node> nodes_;
  std::vector<std::vector<std::size_t>> layers_;
  std::vector<double> top_, bottom_;  ///< by layer
};

}  // namespace jacquard::detail

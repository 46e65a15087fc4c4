#pragma once
// A kernel as code for tiles: instead of one element, each step computes a tile of some hundred, along one loop or several of the kernel, by
// a function made for its operation and dtype. Values live in registers of a tile each, which others take over when nobody reads them any
// more; what is the same for a whole tile is computed once. Deliberately does not run anything: backends/cpu/tile_program does.

#include <algorithm>

#include "jacquard/backends/cpu/row_plan.hpp"
#include "jacquard/backends/cpu/tile_code.hpp"
#include "jacquard/exec/lowering/clusters.hpp"

namespace jacquard::cpu {

using namespace jacquard::lowering;

class tile_plan {
 public:
  /// `strict`: functions are the scalar ones of the C library.
  tile_plan(loop_kernel k, bool strict, const detail::tile_set& set = detail::best_tile_set()) : k_(std::move(k)), strict_(strict), set_(set) {
    merge_loops(k_);
    depends_ = loop_dependence(k_);
    choose_loops();
    known_.assign(k_.body.steps.size(), -1);
    find_early();
    sections_.push_back({});  // what is the same for all of the kernel
    const std::vector<std::size_t> passes = stage_passes(k_);
    for (std::size_t p = 0; p < count_passes(passes); ++p) add_pass(passes, p);
    add_outputs();
    for (tile_section& s : sections_) aim(s);
    frame_bytes_ = detail::give_tile_places(slots_, sections_);
    complete_calls();
    sections_.erase(std::remove_if(sections_.begin() + 1, sections_.end(), [](const tile_section& s) { return s.code.empty(); }), sections_.end());
  }

 protected:
  /// How an access walks through the tile.
  enum class walk : std::uint8_t { stays, dense, apart };

  static constexpr std::int64_t shortest = 128, usual_bytes = 4096, longest = 2048;

  bool covers(std::size_t loop) const { return tile_ >> loop & 1u; }
  walk walk_of(const access& a) const {
    std::int64_t dense = 1;
    bool stays = true, is_dense = true;
    for (std::size_t i : tile_loops_) {
      stays = stays && a.strides[i] == 0;
      is_dense = is_dense && a.strides[i] == dense;
      dense *= k_.loops[i].extent;
    }
    return stays ? walk::stays : is_dense ? walk::dense : walk::apart;
  }

  loop_kernel k_;
  std::vector<std::uint32_t> depends_;
  std::uint32_t tile_ = 0, inner_ = 0;
  std::vector<std::size_t> tile_loops_;                 ///< from the innermost out
  std::vector<std::size_t> outer_loops_, inner_loops_;  ///< the others, from the outermost in
  bool tile_is_inner_ = false;
  std::int64_t tile_elements_ = 1, block_ = 1;          ///< of the loops that tiles cover; of one tile
  std::vector<tile_slot> slots_;
  std::vector<tile_section> sections_;
  std::vector<unsigned char> constants_;
  std::int64_t frame_bytes_ = 0;

 private:
  /// Tiles go along the loop that vectors would, and along those around it where it is short.
  void choose_loops() {
    const int v = vector_loop_of(k_);
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner) inner_ |= 1u << i;
    const auto cover = [&](std::size_t i) {
      tile_ |= 1u << i;
      tile_loops_.push_back(i);
      tile_elements_ *= k_.loops[i].extent;
    };
    if (v >= 0) {
      tile_is_inner_ = k_.loops[std::size_t(v)].inner;
      cover(std::size_t(v));
    }
    for (std::size_t i = k_.loops.size(); i-- > 0;)
      if (int(i) != v && k_.loops[i].inner == tile_is_inner_ && tile_elements_ < shortest) cover(i);
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (!covers(i)) (k_.loops[i].inner ? inner_loops_ : outer_loops_).push_back(i);
    std::int64_t widest = 4;
    for (const scalar_step& s : k_.body.steps)
      if (s.op != scalar_op::index && s.op != scalar_op::constant) widest = std::max(widest, std::int64_t(size_of(s.type)));
    block_ = tile_is_inner_ && tile_elements_ <= longest ? tile_elements_ : std::min(tile_elements_, usual_bytes / widest);
    rows_are_kept_ = tile_is_inner_ && inner_loops_.empty() && block_ == tile_elements_;
    if (tile_is_inner_ && inner_loops_.empty() && !rows_are_kept_) rows_ = row_plan(k_, depends_, v, tile_elements_, &detail::is_dear);
    else rows_ = row_plan(k_, depends_, v, std::int64_t(1) << 40, &detail::is_dear);
  }
  /// Steps that neither depend on loops nor on results of stages; and who uses which.
  void find_early() {
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n) {
      const scalar_step& s = k_.body.steps[n];
      bool early = depends_[n] == 0 && !is_stage_result(s);
      for (int i = 0; i < operand_count(s.op); ++i) early = early && early_[std::size_t(s.in[i])];
      early_.push_back(early);
    }
    uses_.assign(k_.body.steps.size(), 0);
    for (const scalar_step& s : k_.body.steps)
      for (int i = 0; i < operand_count(s.op); ++i) ++uses_[std::size_t(s.in[i])];
    for (const stage& s : k_.stages) ++uses_[std::size_t(s.step)];
    for (const output& o : k_.outputs) ++uses_[std::size_t(o.step)];
  }

  // --- code ---
  dtype computed(std::int32_t step) const { return detail::computed_in(k_.body.steps[std::size_t(step)].type); }
  bool varies(std::int32_t step) const { return (depends_[std::size_t(step)] & tile_) != 0; }
  std::int32_t new_slot(dtype t, bool varies, tile_slot::kind lies = tile_slot::own) {
    slots_.push_back({lies, varies, std::uint8_t(size_of(t)), varies ? block_ : tile_granule, 0});
    return std::int32_t(slots_.size() - 1);
  }
  void start_section(bool inner) {
    (inner ? in_inner_ : before_) = sections_.size();
    sections_.push_back({inner, {}});
  }
  /// Forgets what an inner section computed and nobody kept.
  void end_inner_section() {
    for (std::int32_t step : passing_) known_[std::size_t(step)] = -1;
    passing_.clear();
  }
  std::vector<tile_instruction>& code_for(std::int32_t step) {
    return sections_[early_[std::size_t(step)] ? 0 : (depends_[std::size_t(step)] & inner_) ? in_inner_ : before_].code;
  }
  std::int32_t constant(const literal& value, dtype t) {
    const std::int32_t slot = new_slot(t, false, tile_slot::constant);
    slots_.back().offset = std::int64_t(constants_.size());
    alignas(16) unsigned char bytes[16];
    value.as(t).store_to(bytes);
    for (std::int64_t i = 0; i < tile_granule; ++i) constants_.insert(constants_.end(), bytes, bytes + size_of(t));
    constants_.resize((constants_.size() + 63) / 64 * 64);
    return slot;
  }

  struct code_writer {
    tile_plan& plan;
    std::vector<tile_instruction>& code;

    std::int32_t compute(const tile_operation& op, dtype result, std::initializer_list<std::int32_t> in) const {
      bool varies = false;
      for (std::int32_t i : in) varies = varies || plan.slots_[std::size_t(i)].varies;
      return compute(op, result, in, varies);
    }
    std::int32_t compute(const tile_operation& op, dtype result, std::initializer_list<std::int32_t> in, bool varies) const {
      tile_instruction i{tile_action::compute, op, plan.new_slot(result, varies)};
      std::copy(in.begin(), in.end(), i.in);
      code.push_back(i);
      return i.out;
    }
    std::int32_t compute(scalar_op op, dtype t, std::initializer_list<std::int32_t> in) const {
      const bool is_bool = is_comparison(op) || op == scalar_op::is_finite;
      return compute(tile_operation_of(op, t, plan.strict_, plan.set_), is_bool ? bool_ : t, in);
    }
    /// From one dtype, as it is computed, to another one, as it is computed.
    std::int32_t convert(std::int32_t x, dtype from, dtype to) const {
      const dtype a = detail::computed_in(from), b = detail::computed_in(to);
      if (b != to) return compute(tile_conversion(to, b, plan.set_), b, {compute(tile_conversion(a, to, plan.set_), to, {x})});
      if (a == b) return x;
      if (is_boolean(to)) return compute(scalar_op::not_equal, a, {x, plan.constant(literal(0.0, a, false), a)});
      return compute(tile_conversion(a, b, plan.set_), b, {x});
    }
    /// 1 / (1 + exp(-x)) as math::logistic computes it.
    std::int32_t logistic(std::int32_t x, dtype t) const {
      const std::int32_t one = plan.constant(literal(1.0, t, false), t), zero = plan.constant(literal(0.0, t, false), t);
      const std::int32_t decay = compute(scalar_op::exp, t, {compute(scalar_op::negate, t, {compute(scalar_op::abs, t, {x})})});
      const std::int32_t below = compute(scalar_op::less, t, {x, zero}), sum = compute(scalar_op::add, t, {one, decay});
      const std::int32_t above = compute(scalar_op::select, t, {below, decay, one});
      return compute(scalar_op::divide, t, {above, sum});
    }
    /// `place`: what it is further on; -1: nothing.
    std::int32_t load(std::int32_t number, bool varies, std::int32_t place = -1) const {
      const access& a = plan.k_.inputs[std::size_t(number)];
      const bool wanders = place >= 0 && plan.slots_[std::size_t(place)].varies, looks = varies && !wanders && plan.walk_of(a) == walk::dense;
      tile_instruction i{wanders ? tile_action::lookup : !varies ? tile_action::fill : looks ? tile_action::look : tile_action::gather};
      i.of = number, i.in[0] = place;
      i.out = plan.new_slot(a.type, varies, looks ? tile_slot::given : tile_slot::own);
      code.push_back(i);
      const dtype t = detail::computed_in(a.type);
      return t == a.type ? i.out : compute(tile_conversion(a.type, t, plan.set_), t, {i.out});
    }
  };

  /// The slot of a step's value, computed where it is first needed.
  std::int32_t value(std::int32_t step) {
    if (known_[std::size_t(step)] >= 0) return known_[std::size_t(step)];
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    if (s.is_likely && !early_[std::size_t(step)] && can_go_past(s.in[2])) return usually(step);
    std::int32_t in[3] = {-1, -1, -1};
    const std::int32_t first = first_in(step);
    for (int i = 0; i < operand_count(s.op); ++i)
      if (i != first) in[i] = value(s.in[i]);
    std::int32_t inner[2] = {-1, -1};
    for (int i = 0; i < 2 && first >= 0; ++i) inner[i] = value(k_.body.steps[std::size_t(s.in[first])].in[i]);
    const code_writer to{*this, code_for(step)};
    const dtype t = computed(step);
    std::int32_t r = -1;
    if (s.op == scalar_op::constant) r = constant(s.value, t);
    else if (s.op == scalar_op::load) r = to.load(s.in[0], varies(step));
    else if (s.op == scalar_op::lookup) r = to.load(s.in[1], varies(step), in[0]);
    else if (s.op == scalar_op::index) {
      to.code.push_back({tile_action::index, {}, r = new_slot(i64, varies(step))});
      to.code.back().of = s.in[0];
    } else if (s.op == scalar_op::convert) r = to.convert(in[0], k_.body.steps[std::size_t(s.in[0])].type, s.type);
    else if (s.op == scalar_op::logistic) r = to.logistic(in[0], t);
    else if (first >= 0) r = to.compute({pair_of(step, first), nullptr}, t, {inner[0], inner[1], in[1 - first]});
    else if (divides_alike(step)) r = to.compute({set_.quotient_loop(t), nullptr}, t, {in[0], in[1], inverse_of(s.in[1])});
    else if (s.op == scalar_op::select) r = to.compute(s.op, t, {in[0], in[1], in[2]});
    else if (s.op == scalar_op::greater || s.op == scalar_op::greater_equal) r = to.compute(s.op, computed(s.in[0]), {in[1], in[0]});
    else if (operand_count(s.op) == 2) r = to.compute(s.op, computed(s.in[0]), {in[0], in[1]});
    else r = to.compute(s.op, computed(s.in[0]), {in[0]});
    remember(step, r);
    return r;
  }
  /// A choice whose condition holds nearly everywhere, and those beside it that ask the same and do not wait for it: a tile in which it holds goes
  /// past what they take elsewhere.
  std::int32_t usually(std::int32_t step) {
    const auto at = [&](std::int32_t n) -> const scalar_step& { return k_.body.steps[std::size_t(n)]; };
    std::vector<std::int32_t> all{step};
    for (std::int32_t n = 0; n < std::int32_t(k_.body.steps.size()); ++n) {
      const bool asks_the_same = n != step && at(n).is_likely && at(n).in[0] == at(step).in[0] && known_[std::size_t(n)] < 0;
      if (asks_the_same && at(n).in[1] < step && at(n).in[2] < step && &code_for(n) == &code_for(step) && can_go_past(at(n).in[2])) all.push_back(n);
    }
    const std::int32_t condition = value(at(step).in[0]);
    for (std::int32_t n : all) value(at(n).in[1]);
    std::vector<tile_instruction>& code = code_for(step);
    const std::size_t begin = code.size();
    const std::vector<std::int32_t> known = known_;
    code.push_back({tile_action::unless, {}, -1, {condition, -1, -1}});
    std::vector<std::int32_t> other;
    for (std::int32_t n : all) other.push_back(value(at(n).in[2]));
    code[begin].of = std::int32_t(code.size() - begin - 1);
    for (std::size_t n = 0; n < known.size(); ++n)
      if (&code_for(std::int32_t(n)) == &code) known_[n] = known[n];
    for (std::size_t i = 0; i < all.size(); ++i)
      remember(all[i], code_writer{*this, code}.compute(scalar_op::select, computed(all[i]), {condition, known_[std::size_t(at(all[i]).in[1])], other[i]}));
    return known_[std::size_t(step)];
  }
  /// Whether a step, and what it needs that is not known by now, leaves nothing behind for later sections.
  bool can_go_past(std::int32_t step) const {
    std::vector<char> seen(std::size_t(step) + 1, false);
    const auto visit = [&](const auto& self, std::int32_t n) -> bool {
      if (known_[std::size_t(n)] >= 0 || std::exchange(seen[std::size_t(n)], true)) return true;
      const scalar_step& s = k_.body.steps[std::size_t(n)];
      if (rows_.kept(n) || is_stage_result(s)) return false;
      for (int i = 0; i < operand_count(s.op); ++i)
        if (!self(self, s.in[i])) return false;
      return true;
    };
    return visit(visit, step);
  }
  /// The function that makes a step and its operand number i at once; null where there is none. Products are not rounded before sums, which
  /// strict programs do.
  tile_function pair_of(std::int32_t step, std::int32_t i) const {
    const scalar_step &s = k_.body.steps[std::size_t(step)], &first = k_.body.steps[std::size_t(s.in[i])];
    if (!is_floating(s.type) || first.type != s.type) return nullptr;
    if (strict_ && first.op == scalar_op::multiply && s.op != scalar_op::multiply) return nullptr;
    return set_.pair_loop(first.op, s.op, i == 1, computed(step));
  }
  /// Whether operand i of a step is needed by nobody else, not known yet, and computed along with the step by one function.
  bool can_be_first(std::int32_t step, std::int32_t i) const {
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    if (operand_count(s.op) != 2) return false;
    const std::size_t p = std::size_t(s.in[i]);
    return uses_[p] == 1 && known_[p] < 0 && varies(s.in[i]) && (depends_[p] & inner_) == (depends_[std::size_t(step)] & inner_) && pair_of(step, i);
  }
  /// Which operand that is; -1 if there is none. One whose fellow makes a pair of its own goes first.
  std::int32_t first_in(std::int32_t step) const {
    std::int32_t found = -1;
    for (std::int32_t i = 2; i-- > 0;) {
      if (!can_be_first(step, i)) continue;
      const std::int32_t fellow = k_.body.steps[std::size_t(step)].in[1 - i];
      const bool leaves_pair = known_[std::size_t(fellow)] < 0 && (can_be_first(fellow, 0) || can_be_first(fellow, 1));
      if (leaves_pair) return i;
      found = i;
    }
    return found;
  }
  /// Whether a tile is divided by one number, and its inverse is worth computing.
  bool divides_alike(std::int32_t step) const {
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    return !strict_ && set_.has_fused() && s.op == scalar_op::divide && is_floating(s.type) && varies(s.in[0]) && !varies(s.in[1]);
  }
  std::int32_t inverse_of(std::int32_t step) {
    const dtype t = computed(step);
    return code_writer{*this, code_for(step)}.compute(scalar_op::divide, t, {constant(literal(1.0, t, false), t), value(step)});
  }
  void remember(std::int32_t step, std::int32_t slot) {
    known_[std::size_t(step)] = slot;
    if ((depends_[std::size_t(step)] & inner_) == 0 || rows_are_kept_) return;
    if (!rows_.kept(step)) return passing_.push_back(step);
    if (tile_slot& row = slots_[std::size_t(slot)]; row.lies == tile_slot::own && row.varies) row.lies = tile_slot::row, row.count = tile_elements_;
    else passing_.push_back(step);
  }

  /// The stages of one pass: in a section for each iteration of the inner loops, and one after it that has their results.
  void add_pass(const std::vector<std::size_t>& passes, std::size_t pass) {
    start_section(false);
    start_section(true);
    std::vector<tile_instruction> last;
    for (std::size_t n = 0; n < k_.stages.size(); ++n)
      if (passes[n] == pass) add_stage(n, last);
    end_inner_section();
    start_section(false);
    sections_.back().is_fold = !tile_is_inner_;
    sections_.back().code = std::move(last);
  }
  /// Whether a stage sums products of two tiles that nobody else needs. They are not rounded before, which strict programs do.
  bool sums_products(const stage& s) const {
    const scalar_step& p = k_.body.steps[std::size_t(s.step)];
    return !strict_ && tile_is_inner_ && s.combine == scalar_op::add && p.op == scalar_op::multiply && is_floating(p.type) && known_[std::size_t(s.step)] < 0 &&
           uses_[std::size_t(s.step)] == 1 && varies(p.in[0]) && varies(p.in[1]);
  }
  /// `last`: what follows the iterations.
  void add_stage(std::size_t number, std::vector<tile_instruction>& last) {
    const stage& s = k_.stages[number];
    const dtype t = computed(s.step);
    const bool varies_between_rows = !tile_is_inner_ && varies(s.step);
    const std::int32_t sum = new_slot(t, varies_between_rows), result = tile_is_inner_ ? sum : new_slot(t, varies_between_rows);
    const std::int32_t initial = constant(s.initial, t);
    const bool of_products = sums_products(s);
    const std::int32_t x = value(of_products ? k_.body.steps[std::size_t(s.step)].in[1] : s.step);
    const auto add = [&](std::vector<tile_instruction>& code, const tile_operation& op, std::int32_t out, std::int32_t a, std::int32_t b) {
      tile_instruction i{tile_action::combine, op, out};
      i.in[0] = a, i.in[1] = b, i.in[2] = initial;
      code.push_back(i);
    };
    if (tile_is_inner_) {
      slots_[std::size_t(sum)].count = 8 * tile_granule;
      const std::int32_t factor = of_products ? value(k_.body.steps[std::size_t(s.step)].in[0]) : x;
      add(sections_[in_inner_].code, {of_products ? set_.products_loop(t) : set_.fold_loop(s.combine, t), nullptr}, sum, factor, x);
    } else {  // long sums are sums of shorter ones, which lose less
      const tile_operation op = tile_operation_of(s.combine, t, strict_, set_);
      tile_instruction clear{tile_action::clear, {}, sum}, from_start{tile_action::clear, {}, result};
      clear.in[0] = from_start.in[0] = initial;
      sections_[before_].code.insert(sections_[before_].code.end(), {clear, from_start});
      add(sections_[in_inner_].code, op, sum, sum, x);
      add(last, op, result, result, sum);
      last.push_back(clear);
    }
    for (std::size_t n = 0; n < k_.body.steps.size(); ++n)
      if (is_stage_result(k_.body.steps[n]) && stage_number(k_.body.steps[n]) == number) known_[n] = result;
  }
  /// First what has an element for each iteration of the inner loops: it may overwrite what only this needs.
  void add_outputs() {
    for (const bool inner : {true, false}) {
      start_section(false);
      if (inner) start_section(true);
      std::vector<tile_instruction> stores;
      for (std::size_t i = 0; i < k_.outputs.size(); ++i)
        if (rows_.reads_inner(k_.outputs[i]) == inner) stores.push_back(put(i, sections_.size() - 1));
      // What another output may overwrite goes first.
      std::stable_partition(stores.begin(), stores.end(), [&](const tile_instruction& i) { return slots_[std::size_t(i.in[0])].lies == tile_slot::given; });
      sections_.back().code.insert(sections_.back().code.end(), stores.begin(), stores.end());
      if (inner) end_inner_section();
    }
  }
  /// Computes an output. Returns what stores it.
  tile_instruction put(std::size_t number, std::size_t section) {
    const output& o = k_.outputs[number];
    std::int32_t x = value(o.step);
    const code_writer to{*this, sections_[section].code};
    const dtype t = o.to.type, wide = detail::computed_in(t);
    if (t != wide) x = to.compute(tile_conversion(wide, t, set_), t, {x});
    if (walk_of(o.to) != walk::stays && !slots_[std::size_t(x)].varies) {
      const dtype bits = size_of(t) == 1 ? u8 : size_of(t) == 2 ? u16 : size_of(t) == 4 ? u32 : u64;
      x = to.compute({set_.loop_of(scalar_op::abs, bits), nullptr}, bits, {x}, true);  // which copies
    }
    tile_instruction i{tile_action::store};
    i.in[0] = x;
    i.of = std::int32_t(number);
    return i;
  }

  // --- memory ---
  /// Lets the last operation on a value write it where the output lies, if no input that may lie there is read afterwards.
  void aim(tile_section& s) {
    std::vector<tile_instruction> aims;
    for (std::size_t n = 0; n < s.code.size(); ++n) {
      if (s.code[n].what != tile_action::store) continue;
      const access& to = k_.outputs[std::size_t(s.code[n].of)].to;
      const std::int32_t x = s.code[n].in[0];
      if (slots_[std::size_t(x)].lies != tile_slot::own || walk_of(to) != walk::dense) continue;
      std::size_t made = n;
      for (std::size_t i = 0; i < n; ++i)
        if (s.code[i].out == x) made = i;
      if (made == n || looks_after(s, made, to)) continue;
      slots_[std::size_t(x)].lies = tile_slot::given;
      tile_instruction first{tile_action::aim, {}, x};
      first.of = s.code[n].of;
      aims.push_back(first);
    }
    s.code.insert(s.code.begin(), aims.begin(), aims.end());
  }
  bool looks_after(const tile_section& s, std::size_t made, const access& to) const {
    for (std::size_t n = made + 1; n < s.code.size(); ++n)
      for (std::int32_t x : s.code[n].in) {
        if (x < 0 || slots_[std::size_t(x)].lies != tile_slot::given) continue;
        for (const tile_section& other : sections_)
          for (const tile_instruction& i : other.code)
            if (i.what == tile_action::look && i.out == x && may_lie_at(k_.inputs[std::size_t(i.of)], to)) return true;
      }
    return false;
  }
  bool may_lie_at(const access& a, const access& to) const {
    return a.type == to.type && a.offset == to.offset && same_strides(a, to);
  }

  /// Operands that there are not are the first one: what runs an operation need not ask.
  void complete_calls() {
    for (tile_section& s : sections_)
      for (tile_instruction& i : s.code) {
        const bool combines = i.what == tile_action::combine && !tile_is_inner_;
        if (i.what != tile_action::compute && !combines) continue;
        i.varies = slots_[std::size_t(i.out)].varies;
        for (int k = 0; k < 3; ++k) {
          if (i.in[k] < 0 || (combines && k == 2)) i.in[k] = i.in[0];
          i.step[k] = !i.varies || slots_[std::size_t(i.in[k])].varies;
        }
      }
  }

  bool strict_;
  const detail::tile_set& set_;
  row_plan rows_;
  bool rows_are_kept_ = false;  ///< a tile is a whole row: what one stage computes the others find
  std::vector<char> early_;            ///< by step
  std::vector<int> uses_;              ///< by step
  std::vector<std::int32_t> known_;    ///< by step: its slot
  std::vector<std::int32_t> passing_;  ///< steps known within the inner section only
  std::size_t before_ = 0, in_inner_ = 0;
};

}  // namespace jacquard::cpu

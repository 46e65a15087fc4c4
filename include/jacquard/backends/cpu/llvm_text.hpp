#pragma once
// LLVM IR of a loop kernel, as text: explicit vectors along one loop, several of them interleaved, a masked rest. Sizes and strides
// are constants of the code; exp and its kin are vector_functions, or the C library's. Deliberately no loop vectoriser: it was measured to
// cost more than it gives.

#include "jacquard/backends/cpu/kernel_calls.hpp"
#include "jacquard/backends/cpu/llvm_rows.hpp"
#include "jacquard/backends/cpu/root_plan.hpp"
#include "jacquard/backends/cpu/stream_plan.hpp"
#include "jacquard/exec/lowering/lowering.hpp"

namespace jacquard::cpu {

/// A kernel as text: a function for each phase, `void (void** pointers, i64 begin, i64 end, void* self)` of units; the last one is of use only to
/// its calls. `places` are the variables whose memory it gets, in the order of its pointers; memory for partial results follows where it has some.
struct kernel_text {
  std::string functions;
  std::set<std::string> declarations;
  std::vector<atom> places;
  range_plan ranges;
  std::vector<memory_conflict> conflicts;  ///< what must be so of the memory of outputs
  kernel_calls calls;
  std::int64_t blocks = 1;            ///< of a loop in blocks of examples: how many calls may share, and what one takes
  double nanoseconds_of_block = 0;
  std::size_t pointers = 0;
  std::vector<shared_blocks::operand> copied;  ///< of such a loop: pointers to what blocks read that results may lie over, and how many bytes
};

namespace detail {

class kernel_writer : row_writer {
 public:
  kernel_writer(loop_kernel k, const vector_target& t, std::string name, const std::vector<char>& claimed)
      : row_writer(std::move(k), t, claimed), name_(std::move(name)) {}

  kernel_text write() {
    merge_loops(k_);
    if (!t_.strict) shortcuts_ = sum_shortcuts(k_, &is_dear);
    depends_ = loop_dependence(k_);
    is_summed_ = only_summed(k_);
    in_place_ = goes_in_turn(dear_.count);
    turns_of_ = std::all_of(k_.body.steps.begin(), k_.body.steps.end(), [&](const scalar_step& s) { return !is_dear(s.op) || goes_in_pairs(s); }) ? 2 : 1;
    choose_vector_loop();
    pairs_by_halves_ = takes_pairs_in_any_order();
    plan_rows();
    range_ = range_plan(k_, depends_, vector_, plan_.keeps_rows());
    roots_take_steps_ = has_good_estimates() && roots_take_steps(k_, depends_, vector_.loop, &is_dear);
    for (const access& a : k_.inputs) place_of(a.value);
    for (const output& o : k_.outputs) place_of(o.to.value);
    if (k_.block == 0 && turned_loop() < 0) streamed_ = stream_plan(k_, vector_, plan_, range_);  // else others read it at once, or rows come in pieces
    kernel_text r;
    for (std::size_t phase = 0; phase < range_.units().size(); ++phase) r.functions += write_phase(phase);
    r.declarations = declarations_;
    r.places = places_;
    r.ranges = range_;
    r.conflicts = plan_.conflicts();
    return r;
  }

 private:
  /// Whether the processor is one that root_plan knows: Zen's divider is faster, its vectors of 64 bytes are not.
  bool has_good_estimates() const {
    return !t_.strict && t_.bytes == 64 && t_.isa == 'e' && t_.features.find("+avx512dq") != std::string::npos && t_.cpu.rfind("znver", 0) != 0;
  }
  // --- phases ---
  /// The function of a phase: all of a kernel whose stages are not split, else the blocks of one pass, their results combined, what is written for
  /// each iteration of the inner loops, or, after that, the other outputs: these may take the memory of something that is read there.
  std::string write_phase(std::size_t phase) {
    const std::string name = phase_name(name_, phase);
    streams_ = false;
    std::string r = written(phase, concat({name, ".loops"}));
    const std::vector<std::size_t> past = range_.combines(phase) ? std::vector<std::size_t>() : streamed_.outputs_in(range_.pass_of(phase));
    if (!past.empty()) {
      streams_ = true;
      r += written(phase, concat({name, ".streams"}));
    }
    return r + entry(name, past, copies());
  }
  /// The loops of a phase.
  std::string written(std::size_t phase, const std::string& name) {
    begin_function();
    in_turn_ = k_.stages.empty() && goes_in_turn(dear_.count);
    const bool in_ranges = range_.loop() >= 0 && range_.units()[phase] > 1;
    for (const kept_step& s : plan_.kept())
      if (s.output < 0) allocas_ += concat({"  ", row_of(s), " = alloca [", std::to_string(row_elements()), " x ", computed(k_.body.steps[std::size_t(s.step)].type), "], align 64\n"});
    if (range_.combines(phase))
      over_rows([&] {
        for (const auto& [number, results] : of_stages(range_.pass_of(phase), [&](std::size_t n) { return combined_partials(n); }))
          write_partials(number, results, std::to_string(range_.units()[0]));
      });
    else if (range_.splits_stages() && range_.pass_of(phase) < plan_.passes())
      repeat_while_below("%begin", "%end", 1, [&](const std::string& unit) {
        enter_range(unit, set({"add nuw nsw i64 ", unit, ", 1"}));
        over_rows([&] {
          scope_ = range_.pass_of(phase);
          for (const auto& [number, results] : found_in(scope_, unit)) write_partials(number, results, unit);
        });
      });
    else {
      if (in_ranges) enter_range("%begin", "%end");
      over_rows([&] {
        turn_rows();
        if (range_.splits_stages()) scope_ = plan_.passes();
        else
          for (scope_ = 0; scope_ < plan_.passes(); ++scope_) run_pass(scope_);
        if (!range_.splits_stages() || !in_ranges) write_rows();
        if (!range_.splits_stages() || in_ranges) write_elements();
        write_turned();
      });
    }
    if (streams_) line({"  fence seq_cst"});  // such stores are in no order, not even with what says that the phase is done
    line({"  ret void"});
    return loops_function(name);
  }
  void over_rows(loop_body body) {
    if (const int turned = turned_loop(); turned >= 0) return over_blocks(std::size_t(turned), body);
    const std::vector<std::size_t> outer = outer_loops();
    if (const int together = sums_together(outer); together > 1) {
      // Stores past the caches are of whole vectors where these lie, and other threads run other blocks of rows.
      ends_with_whole_vector_ = !streams_ && !shares_memory() && (k_.block == 0 || vector_.loop != row_loop_of(k_));
      return vector_blocks([&] { nest(outer, 0, body, false, together); });
    }
    nest(outer, 0, [&] {
      if (vector_.loop >= 0 && !vector_is_inner()) vector_blocks(body);
      else body();
    });
  }
  /// What is written once for a row, or vector of rows.
  void write_rows() {
    std::vector<const output*> each;
    for (const output& o : k_.outputs)
      if (!plan_.reads_inner(o)) each.push_back(&o);
    store_each(each);
  }
  /// What is written for each iteration of the inner loops.
  void write_elements() {
    std::vector<const output*> each;
    for (const output& o : k_.outputs)
      if (plan_.reads_inner(o)) each.push_back(&o);
    if (each.empty()) return;
    std::vector<std::int32_t> roots;
    for (const output* o : each) roots.push_back(o->step);
    if (const int members = structure_loop(each); members >= 0) return write_structures(std::size_t(members), each, roots);
    in_turn_ = vector_is_inner() && goes_in_turn(plan_.dear_in(plan_.passes(), &is_dear));
    over_elements(roots, [&] { store_each(each); });
    in_turn_ = false;
  }
  /// Small structures, one for each lane: all members are computed before whole vectors of them are stored.
  void write_structures(std::size_t loop, const std::vector<const output*>& outputs, const std::vector<std::int32_t>& roots) {
    prepare_all(roots);
    with_inverses(divisors_, [&] {
      each_column([&] {
        std::vector<std::vector<registers>> members(outputs.size());
        for (std::int64_t i = 0; i < k_.loops[loop].extent; ++i)
          count(loop, i, i + 1, 1, [&] {
            for (std::size_t o = 0; o < outputs.size(); ++o) members[o].push_back(value(outputs[o]->step));
          });
        count(loop, 0, 1, 1, [&] {
          for (std::size_t o = 0; o < outputs.size(); ++o) store_members_at(outputs[o]->to, members[o]);
        });
      });
    });
  }
  /// The inner loop that goes through the members of small structures which lie side by side along the vector loop, where all `outputs` are such
  /// structures; else -1.
  int structure_loop(const std::vector<const output*>& outputs) const {
    const int loop = members_loop();
    if (loop < 0 || !mask_.empty() || !is_shuffled(k_.loops[std::size_t(loop)].extent)) return -1;
    return std::all_of(outputs.begin(), outputs.end(), [&](const output* o) {
      const kept_step* const row = plan_.kept(o->step);
      return is_structure(o->to, std::size_t(loop)) && o->place < 0 && !o->is_imaginary && !(row && row->output >= 0);
    }) ? loop : -1;
  }
  /// What is read where outputs lie comes before they are stored. Members of structures, and with them the parts of complex numbers, are all
  /// computed before one is stored, which may lie over what the others are made of.
  void store_each(const std::vector<const output*>& outputs) {
    for (std::size_t first = 0, count = 1; first < outputs.size(); first += count) {
      const std::size_t members = members_from(outputs, first), next = first + 1;
      count = members > 1 ? members : next < outputs.size() && outputs[next]->is_imaginary ? 2 : 1;
      std::vector<registers> computed;
      for (std::size_t i = first; i < first + count; ++i) {
        for (std::int32_t load : plan_.read_before(*outputs[i])) value(load);
        if (count > 1) computed.push_back(value(outputs[i]->step));
      }
      if (members > 1) store_members_at(outputs[first]->to, computed);
      else
        for (std::size_t i = first; i < first + count; ++i) store(*outputs[i]);
    }
  }
  /// The result of a stage whose blocks have run and been combined.
  registers result_of(std::size_t number) {
    if (!range_.combines()) return combined_partials(number);
    registers r;
    for (int u = 0; u < (vector_is_inner() ? 1 : lanes_); ++u) r.push_back(partial(number, std::to_string(range_.units()[0]), u));
    return r;
  }
  /// The results of blocks, combined from the first to the last.
  registers combined_partials(std::size_t number) {
    const dtype t = type_of_stage(number);
    const auto cells = cells_of(number, vector_is_inner() ? 1 : lanes_);
    repeat_while_below("0", std::to_string(range_.units()[0]), 1, [&](const std::string& unit) {
      for (std::size_t u = 0; u < cells.size(); ++u) {
        const std::string old = set({"load ", vector_of(t), ", ptr ", cells[u]});
        line({"  store ", vector_of(t), " ", combine(k_.stages[number].combine, t, old, partial(number, unit, int(u))), ", ptr ", cells[u]});
      }
    });
    registers r;
    for (const std::string& c : cells) r.push_back(set({"load ", vector_of(t), ", ptr ", c}));
    return r;
  }

  void over_inner(loop_body body) {
    std::vector<std::size_t> loops;
    for (std::size_t i = 0; i < k_.loops.size(); ++i)
      if (k_.loops[i].inner && int(i) != vector_.loop) loops.push_back(i);
    nest(loops, 0, [&] {
      if (vector_is_inner()) vector_blocks(body);
      else body();
    }, !vector_is_inner() && !loops.empty() && is_written_out(loops.back()));
  }
  /// Whether an innermost loop is so short, and so little is done in it, that its iterations are written one after the other: rows of a small
  /// product wait for one addition after another, and the processor goes on with the next ones if what comes between them is no more than that.
  bool is_written_out(std::size_t loop) const {
    constexpr std::int64_t longest = 16, most_steps = 160;
    const std::int64_t n = k_.loops[loop].extent;
    return n <= longest && n * std::int64_t(k_.body.steps.size()) * vector_.most <= most_steps && dear_.count == 0;
  }
  void run_pass(std::size_t pass) {
    for (const auto& [number, results] : found_in(pass))
      for (std::size_t n = 0; n < k_.body.steps.size(); ++n)
        if (is_stage_result(k_.body.steps[n]) && stage_number(k_.body.steps[n]) == number) values_[n] = results;
  }
  /// The results of a pass, or what a unit has for them: those that need it not are the first unit's, so that it is decided once what is combined.
  std::vector<stage_results> found_in(std::size_t pass, const std::string& unit = {}) {
    if (!shortcuts_.covers(pass)) return pass_over_inner(pass);
    const std::string here = unit.empty() ? unit : set({"icmp eq i64 ", unit, ", 0"});
    return unless_finite(of_stages(pass, [&](std::size_t n) { return value(shortcuts_.step(n)); }), here, [&] { return pass_over_inner(pass); });
  }
  std::vector<stage_results> of_stages(std::size_t pass, callable_ref<registers(std::size_t)> result) {
    std::vector<stage_results> all;
    for (std::size_t n = 0; n < k_.stages.size(); ++n)
      if (plan_.pass_of(n) == pass) all.push_back({n, result(n)});
    return all;
  }
  /// The stages of a pass over the inner loops, or the range of them.
  std::vector<stage_results> pass_over_inner(std::size_t pass) {
    std::vector<stage_results> all;
    std::vector<std::int32_t> roots;
    for (std::size_t n = 0; n < k_.stages.size(); ++n) {
      if (plan_.pass_of(n) != pass) continue;
      all.push_back({n, cells_of(n, vector_is_inner() ? vector_.most : lanes_)});
      roots.push_back(k_.stages[n].step);
    }
    stop_early(plan_.stop_of(pass));
    in_turn_ = vector_is_inner() && goes_in_turn(plan_.dear_in(pass, &is_dear));
    in_stages_ = true;
    const std::vector<stage_results> sums = all;
    if (cut_ = cut_of_sums(); cut_.loop >= 0) {
      for (stage_results& s : all) s.results = cells_of(s.number, int(s.results.size()));
      cut_.after_piece = [&] {
        for (std::size_t i = 0; i < all.size(); ++i) add_piece(all[i], sums[i]);
      };
    }
    over_elements(roots, [&] {
      for (const stage_results& s : sums) take_in(s);
    });
    if (cut_.loop >= 0) std::exchange(cut_, {}).after_piece();
    in_turn_ = in_stages_ = false;
    stop_.clear();
    for (stage_results& s : all) s.results = combined_cells(s);
    return all;
  }
  /// Combines what this iteration has for a stage with what there is. The new element comes first: where it is NaN is then known early, and
  /// iterations wait for one instruction of the one before.
  void take_in(const stage_results& to) {
    const stage& s = k_.stages[to.number];
    const dtype t = type_of_stage(to.number);
    const std::string type = vector_of(t);
    const registers x = value(s.step);
    for (int u = 0; u < lanes_; ++u) {
      const std::string& cell = to.results[std::size_t(copy_ + u)];
      const std::string old = set({"load ", type, ", ptr ", cell});
      std::string now = combine(s.combine, t, pick(x, u), old);
      if (!mask_.empty() && vector_is_inner()) now = select(mask_, t, now, old);
      line({"  store ", type, " ", now, ", ptr ", cell});
    }
  }
  /// Combines what a piece has for a stage with what there is, and starts the next one.
  void add_piece(const stage_results& to, const stage_results& piece) {
    const dtype t = type_of_stage(to.number);
    const std::string type = vector_of(t);
    for (std::size_t u = 0; u < to.results.size(); ++u) {
      const std::string one = set({"load ", type, ", ptr ", piece.results[u]}), old = set({"load ", type, ", ptr ", to.results[u]});
      line({"  store ", type, " ", combine(k_.stages[to.number].combine, t, one, old), ", ptr ", to.results[u]});
      line({"  store ", type, " ", constant(k_.stages[to.number].initial, t), ", ptr ", piece.results[u]});
    }
  }
  registers combined_cells(const stage_results& from) {
    const stage& s = k_.stages[from.number];
    const dtype t = type_of_stage(from.number);
    registers r;
    for (const std::string& c : from.results) r.push_back(set({"load ", vector_of(t), ", ptr ", c}));
    if (vector_is_inner()) {
      while (r.size() > 1) {
        registers half;
        for (std::size_t i = 0; i + 1 < r.size(); i += 2) half.push_back(combine(s.combine, t, r[i], r[i + 1]));
        r = half;
      }
      r = {across(s.combine, t, r[0])};
    }
    return r;
  }
  /// Has the vector loop stop there, where what would follow leaves stages as they are in this row.
  void stop_early(const row_stop& at) {
    if (at.condition < 0) return;
    stop_ = first_lane(k_.body.steps[std::size_t(at.condition)].in[1]);
    for (std::size_t n : at.unsure) {
      const dtype t = type_of_stage(n);
      const std::string bits = concat({lanes(), "i", std::to_string(8 * (is_inexact(t) && t != f64 ? 4 : size_of(t))), ">"});
      const auto as_bits = [&](const std::string& x) { return is_inexact(t) ? set({"bitcast ", vector_of(t), " ", x, " to ", bits}) : x; };
      std::vector<std::string> known(k_.body.steps.size());
      const std::string rest = as_bits(beyond(k_.stages[n].step, at.condition, known)), none = as_bits(constant(k_.stages[n].initial, t));
      const std::string same = set({"icmp eq ", is_boolean(t) ? mask_type() : bits, " ", rest, ", ", none});
      stop_ = set({"select i1 ", set({"extractelement ", mask_type(), " ", same, ", i32 0"}), ", i64 ", stop_, ", i64 ", std::to_string(k_.loops[std::size_t(vector_.loop)].extent)});
    }
  }
  /// What a step is where the condition does not hold, for one that is then the same all along a row. `known`: by step, where it was asked for.
  std::string beyond(std::int32_t step, std::int32_t condition, std::vector<std::string>& known) {
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    std::string& r = known[std::size_t(step)];
    if (!r.empty()) return r;
    if ((depends_[std::size_t(step)] & inner_loops()) == 0) return r = value(step)[0];
    if (s.op == scalar_op::select && s.in[0] == condition) return r = beyond(s.in[2], condition, known);
    std::string x[3];
    for (int i = 0; i < operand_count(s.op); ++i) x[i] = beyond(s.in[i], condition, known);
    return r = operation(s, k_.body.steps[std::size_t(s.in[0])].type, x);
  }
  /// A whole number that is the same in all lanes, as i64.
  std::string first_lane(std::int32_t step) {
    const dtype t = k_.body.steps[std::size_t(step)].type;
    const std::string one = set({"extractelement ", vector_of(t), " ", value(step)[0], ", i32 0"});
    return t == i64 ? one : set({"sext ", computed(t), " ", one, " to i64"});
  }
  /// Emits what a step needs and what does not depend on the inner loops, before these begin. Complexity: linear.
  void prepare(std::int32_t root) {
    std::vector<char> seen(k_.body.steps.size(), false);
    const auto visit = [&](const auto& self, std::int32_t step) -> void {
      const scalar_step& s = k_.body.steps[std::size_t(step)];
      if (std::exchange(seen[std::size_t(step)], true) || !values_[std::size_t(step)].empty() || s.op == scalar_op::constant) return;
      if ((depends_[std::size_t(step)] & inner_loops()) == 0) return void(value(step));
      for (int i = 0; i < operand_count(s.op); ++i) self(self, s.in[i]);
      if (divides_alike(step)) divisors_.push_back(s.in[1]);
    };
    visit(visit, root);
  }
  void prepare_all(const std::vector<std::int32_t>& roots) {
    divisors_.clear();
    for (std::int32_t r : roots) prepare(r);
  }
  /// Calls body() for each iteration of the inner loops, after what these `roots` need.
  void over_elements(const std::vector<std::int32_t>& roots, loop_body body) {
    prepare_all(roots);
    with_inverses(divisors_, [&] { over_inner([&] { each_column(body); }); });
  }
  // --- values ---
  using row_writer::store;
  const registers& value(std::int32_t step) {
    registers& known = values_[std::size_t(step)];
    if (!known.empty()) return known;
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    registers made;
    const kept_step* const row = plan_.kept(step);
    if (row && row->first < scope_) {
      const std::string v = vector_of(s.type);
      if (row->output >= 0) made = load(k_.outputs[std::size_t(row->output)].to);
      else
        for (int u = 0; u < lanes_; ++u) made.push_back(set({"load ", v, ", ptr ", row_address(*row, u), ", align 4"}));
      return values_[std::size_t(step)] = made;
    }
    if (s.op == scalar_op::constant) made = {constant(s.value, s.type)};
    else if (is_stage_result(s)) made = result_of(stage_number(s));
    else if (s.op == scalar_op::load) made = loaded(step);
    else if (s.op == scalar_op::lookup) made = looked_up(s);
    else if (s.is_likely && may_branch(s)) made = usually(step);
    else if (s.op == scalar_op::index) made = index(std::size_t(s.in[0]), i64);
    else if (s.op == scalar_op::convert && s.type == i32 && k_.body.steps[std::size_t(s.in[0])].op == scalar_op::index)
      made = index(std::size_t(k_.body.steps[std::size_t(s.in[0])].in[0]), i32);
    else {
      registers in[3];
      std::size_t copies = 1;
      for (int i = 0; i < operand_count(s.op); ++i) {
        in[i] = value(s.in[i]);
        copies = std::max(copies, in[i].size());
      }
      if (divides_alike(step)) made = quotients(s.in[1], s.type, in[0], in[1], in_stages_ && is_summed_[std::size_t(step)]);
      while (made.size() < copies) compute(s, in, lanes_at_once(step, copies - made.size()), made);
    }
    if (row && row->first == scope_ && row->output >= 0)
      store(k_.outputs[std::size_t(row->output)].to, made, streams_ && streamed_.keeps(std::size_t(row->output)));
    else if (row && row->first == scope_)
      for (int u = 0; u < lanes_; ++u) line({"  store ", vector_of(s.type), " ", pick(made, u), ", ptr ", row_address(*row, u), ", align 4"});
    return values_[std::size_t(step)] = made;
  }
  /// A choice whose condition holds nearly everywhere, and those beside it that ask the same and do not wait for it.
  registers usually(std::int32_t step) {
    const std::int32_t condition = k_.body.steps[std::size_t(step)].in[0];
    std::vector<std::int32_t> all{step};
    for (std::int32_t n = 0; n < std::int32_t(k_.body.steps.size()); ++n) {
      const scalar_step& s = k_.body.steps[std::size_t(n)];
      const bool asks_the_same = s.is_likely && s.in[0] == condition && n != step && values_[std::size_t(n)].empty();
      if (asks_the_same && s.in[1] < step && s.in[2] < step && !plan_.kept(n) && may_branch(s)) all.push_back(n);
    }
    const registers holds = value(condition);
    std::vector<choice> choices;
    for (std::int32_t n : all) choices.push_back({k_.body.steps[std::size_t(n)].type, value(k_.body.steps[std::size_t(n)].in[1]), {}});
    unless_everywhere(holds, choices, [&](std::size_t i) { return value(k_.body.steps[std::size_t(all[i])].in[2]); });
    for (std::size_t i = 1; i < all.size(); ++i) values_[std::size_t(all[i])] = choices[i].result;
    return choices[0].result;
  }
  /// Whether what a choice seldom takes has the lanes of its other operands and leaves nothing behind for later passes.
  bool may_branch(const scalar_step& either) const {
    const auto depends = [&](int i) { return depends_[std::size_t(either.in[i])]; };
    if ((depends(2) & ~(depends(0) | depends(1))) != 0) return false;
    std::vector<char> seen(std::size_t(either.in[2]) + 1, false);
    const auto visit = [&](const auto& self, std::int32_t n) -> bool {
      if (std::exchange(seen[std::size_t(n)], true) || !values_[std::size_t(n)].empty()) return true;
      const scalar_step& s = k_.body.steps[std::size_t(n)];
      if (plan_.kept(n) || is_stage_result(s)) return false;
      for (int i = 0; i < operand_count(s.op); ++i)
        if (!self(self, s.in[i])) return false;
      return true;
    };
    return visit(visit, either.in[2]);
  }
  /// Appends the next vector of a step, or the next two. `lanes` are computed at once: a vector's, twice as many, or one for all of them.
  void compute(const scalar_step& s, const registers (&in)[3], int lanes, registers& made) {
    std::string x[3];
    const int u = int(made.size());
    for (int i = 0; i < operand_count(s.op); ++i) {
      const dtype t = k_.body.steps[std::size_t(s.in[i])].type;
      x[i] = lanes > width_ ? joined(t, width_, pick(in[i], u), pick(in[i], u + 1)) : lanes < width_ ? lanes_of(t, width_, pick(in[i], u), 0, lanes) : pick(in[i], u);
    }
    const int width = std::exchange(width_, lanes);
    const std::string r = operation(s, k_.body.steps[std::size_t(s.in[0])].type, x);
    width_ = width;
    for (int from = 0; from < std::max(lanes, width); from += width) made.push_back(lanes == width ? r : lanes_of(s.type, lanes, r, from, width));
  }
  /// How many lanes of a step are computed at once, where so many of its vectors are wanted yet. What is alike in all lanes and takes the divider of the
  /// processor is computed in one: a root of a whole vector takes it for four times as long.
  int lanes_at_once(std::int32_t step, std::size_t vectors) const {
    const scalar_step& s = k_.body.steps[std::size_t(step)];
    const bool is_root = s.op == scalar_op::sqrt || s.op == scalar_op::rsqrt;
    const bool divides = s.op == scalar_op::divide && k_.body.steps[std::size_t(s.in[1])].op != scalar_op::constant;
    if (is_inexact(s.type) && (is_root || divides) && vector_.loop >= 0 && !differs_by_lane(step)) return 1;
    return vectors > 1 && goes_in_pairs(s) ? 2 * width_ : width_;
  }
  registers looked_up(const scalar_step& s) {
    const access& a = k_.inputs[std::size_t(s.in[1])];
    if (!differs_by_lane(s.in[0])) return load(a, first_lane(s.in[0]));
    return load_at(a, value(s.in[0]));
  }
  void store(const output& o) {
    if (o.place >= 0) return put(o);
    if (const kept_step* row = plan_.kept(o.step); row && row->output >= 0 && &k_.outputs[std::size_t(row->output)] == &o) return;  // it lies there
    const std::size_t number = std::size_t(&o - k_.outputs.data());
    if (!put_in_turned(number, value(o.step))) store(o.to, value(o.step), streams_ && streamed_.writes(number));
  }
  void put(const output& o) {
    const registers x = value(o.step), inside = o.inside < 0 ? registers{} : value(o.inside);
    if (puts_each(o)) return put_each(o.to, o.combine, x, value(o.place), inside);
    const std::string further = first_lane(o.place);
    if (inside.empty()) put_row(o.to, o.combine, x, further);
    else when(set({"extractelement ", mask_type(), " ", inside[0], ", i32 0"}), [&] { put_row(o.to, o.combine, x, further); });
  }

  std::string name_;
  sum_shortcuts shortcuts_;
  stream_plan streamed_;
  bool streams_ = false;   ///< this text has the stores past the caches
  std::vector<char> is_summed_;          ///< by step, see only_summed
  std::vector<std::int32_t> divisors_;   ///< of what the next loops compute: the steps that these divide rows or columns by
  bool in_stages_ = false;               ///< what is computed is for stages
  std::size_t scope_ = 0;  ///< number of the pass, or of passes where outputs are written
};

}  // namespace detail

/// The code of a kernel. `claimed`: by variable, whether outputs take its memory where they can; see row_plan.
inline kernel_text emit_kernel(const loop_kernel& k, const vector_target& t, const std::string& name, const std::vector<char>& claimed = {}) {
  return detail::kernel_writer(k, t, name, claimed).write();
}

}  // namespace jacquard::cpu

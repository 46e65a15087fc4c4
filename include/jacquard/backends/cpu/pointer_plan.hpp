#pragma once
// Runs of a program over memory that is laid out once: a call fills a table of pointers and goes through kernels, equations with
// kernels of their own, loops and branches, without handles for what lies between them. Intermediate values share one frame of memory,
// in which those that are not alive at the same time overlap; bodies have frames within it, whose pointers stay from trip to trip: only those
// that change are written. Deliberately only in bodies for what calls the host, whose few bytes are copied for it there.

#include <algorithm>
#include <optional>

#include "jacquard/backends/cpu/libraries.hpp"
#include "jacquard/backends/cpu/moving_words.hpp"
#include "jacquard/backends/cpu/planned_call.hpp"
#include "jacquard/backends/cpu/value_uses.hpp"
#include "jacquard/core/block_cache.hpp"
#include "jacquard/exec/lowering/clusters.hpp"
#include "jacquard/exec/lowering/frame.hpp"

namespace jacquard::cpu {

using lowering::lowered_program;
using lowering::lowered_step;

class pointer_plan {
 public:
  using scalar_memory = detail::scalar_memory;
  /// The plan of a program with these kernels, by number in `l`, and functions of equations that hold programs, by equation; `products` computes products of matrices, `body_plan` gives the plan of a sub-jaxpr. It fits only if each step is a
  /// kernel, another view of a value, an equation with a kernel or with few bytes for the host, or one whose bodies have plans that fit.
  /// `claimed`: by variable, whether it is an argument whose memory may be the program's. `is_body`: it will run in one frame many times.
  template <class BodyPlan>
  pointer_plan(const jaxpr& p, const lowered_program& l, const std::vector<native_kernel>& kernels, const std::vector<kernel_phase>& controls, const std::vector<char>& claimed,
               bool is_body, const device_id& device, const jacquard::detail::kernel_libraries* libraries, BodyPlan body_plan)
      : device_(device), libraries_(libraries), keeps_(is_body), place_(p.avals.size(), nowhere) {
    for (const lowered_step& s : l.steps)
      if (s.alias && p.inputs(p.equations[s.equation])[0].is_literal()) return;
    const value_uses uses(p, l, kernels);
    for (std::size_t n = 0; n < l.steps.size(); ++n)
      if (!detail::can_place(p, l.steps[n], n, uses, claimed, body_plan)) return;
    root_ = uses.root;
    for (variable v : p.constvars) place_[v] = count_++;
    first_argument_ = count_;
    for (variable v : p.invars) place_[v] = count_++;
    given_ = count_;
    place_results(p);
    first_slot_ = count_;
    std::vector<planned_call> calls(l.steps.size());
    place_intermediates(p, l, uses, kernels, body_plan, calls);
    for (std::size_t n = 0; n < l.steps.size(); ++n)
      if (!l.steps[n].alias) calls_.push_back(finished(std::move(calls[n]), p, l.steps[n], kernels, controls));
    lay_out_tables();
    fits_ = true;
    is_direct_ = calls_.size() == 1 && calls_[0].whole.entry && calls_[0].places.size() <= most_direct && first_slot_ == count_ &&
                 passed_.empty() && find_pointers(calls_[0].places);
  }
  bool fits() const { return fits_ && !calls_host_; }
  /// The same, as a body of such an equation, which copies the results that are arguments or other results: where the equation's own kernel
  /// would hand on a handle, only few bytes. Carries that stay what they are lie in one place, as do results that lie over an operand, and elements of stacks are written in any case.
  template <class LiesOver>
  bool fits_as_body(const control_form& form, LiesOver lies_over) const {
    std::int64_t copied = 0;
    for (const detail::passed_result& r : passed_)
      if (!form.stacks_result(r.number) && !stays(r, form) && !lies_over(r.number)) copied += r.type.bytes();
    return fits_ && first_argument_ == 0 && copied <= detail::most_copied;
  }

  /// What a run takes from the heap; small frames lie on the stack.
  std::int64_t heap_bytes() const { return frame_bytes() > few_bytes ? frame_bytes() : 0; }
  /// Where a value lies in the frame; "" if it lies elsewhere.
  text place_of(variable v) const {
    const std::uint32_t place = place_[root_[v]];
    if (place == nowhere || place < first_slot_ || place - first_slot_ >= offsets_.size()) return {};
    return cat("frame + ", offsets_[place - first_slot_]);
  }
  /// The argument whose memory a result has, or -1.
  std::int32_t argument_of(std::size_t result, view<const char> donated) const {
    for (const detail::passed_result& r : passed_) {
      if (r.number != result || r.place == nowhere || r.place < first_argument_) continue;
      return r.place < given_ ? std::int32_t(r.place - first_argument_) : argument_of(made_[r.place - given_].number, donated);
    }
    for (const detail::overwritten& o : overwritten_)
      if (o.result == result && o.argument < donated.size() && donated[o.argument]) return std::int32_t(o.argument);
    return -1;
  }

  /// Runs on concrete arrays. Results may take the memory of arguments that `donated` marks and nobody else holds. `Observed`: each step is
  /// an event. Errors: deleted_error for one that was donated elsewhere.
  template <bool Observed = false>
  [[gnu::always_inline]] inline void run(view<const array> constants, view<const array> arguments, view<array> results, view<const char> donated = {}) const {
    if constexpr (!Observed)
      if (is_direct_ && donated.empty() && run_direct(constants, arguments, results)) return;
    run_steps<Observed>(constants, arguments, results, donated);
  }

  /// The same with results put where `room` says, which overlaps no argument; those without room are arrays.
  void run_to(view<const array> constants, view<const array> arguments, view<array> results, view<void* const> room) const {
    const auto place = [&](const detail::made_result& r) { return room[r.number] ? room[r.number] : r.memory_in(results[r.number]); };
    run_given<false>(constants, arguments, place, [&](void** table) {
      for (const detail::passed_result& r : passed_) {
        void* to = room[r.number];
        if (!to && r.place != nowhere && r.place >= given_ && room[made_[r.place - given_].number]) to = detail::new_memory(results[r.number], r.type, r.type.bytes());
        if (to) r.copy_to(to, table);
        else pass(r, constants, arguments, results);
      }
    });
  }

  /// The memory that a run takes for itself: tables of pointers, its own and those of its bodies, then values.
  std::int64_t frame_bytes() const { return tables_bytes_ + arena_bytes_; }
  /// Fills in what is the same in every run within a frame.
  void prepare(char* frame) const { prepare(frame, frame + tables_bytes_); }
  /// Whether a run as a body may be given one place for that argument and that result.
  bool overwrites(std::size_t result, std::size_t argument) const {
    for (const detail::overwritten& o : overwritten_)
      if (o.result == result && o.argument == argument) return true;
    for (const detail::passed_result& r : passed_)
      if (r.number == result && r.place == first_argument_ + argument) return true;
    return false;
  }
  /// Tells a frame that was prepared where constants, then arguments, and results lie.
  [[gnu::always_inline]] inline void attach(char* frame, void* const* in, void* const* out) const {
    const auto table = reinterpret_cast<void**>(frame);
    std::uint32_t at = given_;
    if (keeps_) {
      for (std::uint32_t i = 0; i < given_; ++i)
        if (table[i] != in[i]) change(table, i, in[i]);
      for (const detail::made_result& r : made_) {
        if (table[at] != out[r.number]) change(table, at, out[r.number]);
        ++at;
      }
      return;
    }
    for (std::uint32_t i = 0; i < given_; ++i) table[i] = in[i];
    for (const detail::made_result& r : made_) table[at++] = out[r.number];
  }
  /// Runs in such a frame.
  template <bool Observed>
  [[gnu::always_inline]] inline void run_attached(char* frame, void* const* out) const {
    const auto table = reinterpret_cast<void**>(frame);
    execute<Observed>(table);
    for (const detail::passed_result& r : passed_) r.copy_to(out[r.number], table);
  }
  /// Runs in such a frame so many times, as a body of which these pointers go on; see placed_call. False, and nothing done: they are too many.
  bool repeat(char* frame, std::int64_t trips, void** in, void** out, view<const moving_place> moving) const {
    moving_words words;
    void* last[moving_words::most];
    for (std::size_t i = 0; i < moving.size(); ++i) {
      if (!follow(reinterpret_cast<void**>(frame), moving[i], out, words)) return false;
      last[i] = moving[i].after(trips, moving[i].in(in, out));
    }
    attach(frame, in, out);
    for (std::int64_t n = 0; n < trips; ++n) {
      run_attached<false>(frame, out);
      words.go_on();
    }
    for (std::size_t i = 0; i < moving.size(); ++i) moving[i].in(in, out) = last[i];
    return true;
  }
  /// The function that is all there is to run in such a frame, and its pointers; none where there is more.
  kernel_phase only_function(char* frame, void**& pointers) const {
    if (calls_.size() != 1 || !calls_[0].whole.entry || !passed_.empty()) return {};
    const auto table = reinterpret_cast<void**>(frame);
    pointers = table + count_;
    for (std::size_t i = 0; i < calls_[0].places.size(); ++i) pointers[i] = table[calls_[0].places[i]];
    return calls_[0].whole;
  }
  /// Attaches a frame and runs in it, as a body.
  template <bool Observed>
  [[gnu::always_inline]] inline void run_in(char* frame, void* const* in, void* const* out) const {
    attach(frame, in, out);
    run_attached<Observed>(frame, out);
  }

 private:
  static constexpr std::uint32_t nowhere = planned_call::nowhere;
  static constexpr std::int64_t few_bytes = 2048;
  static constexpr std::size_t most_direct = 16;
  template <bool Observed>
  [[gnu::noinline]] void run_steps(view<const array> constants, view<const array> arguments, view<array> results, view<const char> donated) const {
    run_given<Observed>(constants, arguments, [&](const detail::made_result& r) {
      if (donated.empty()) return r.memory_in(results[r.number]);
      results[r.number] = result_on_donated(r, arguments, donated);
      return results[r.number].as_buffer()->data;
    }, [&](void**) {
      for (const detail::passed_result& r : passed_) pass(r, constants, arguments, results);
    });
  }
  /// The steps on concrete arrays. place(r) says where a result that is made goes, rest(table) does what is left while all values are there.
  template <bool Observed, class Place, class Rest>
  [[gnu::always_inline]] inline void run_given(view<const array> constants, view<const array> arguments, const Place& place, const Rest& rest) const {
    const jacquard::detail::library_scope scope(libraries_);
    alignas(jacquard::detail::buffer_alignment) char few[few_bytes];
    array many;
    char* frame = few;
    if (frame_bytes() > few_bytes) {
      many = array(make_buffer({u8, {frame_bytes()}}));
      frame = static_cast<char*>(many.as_buffer()->data);
    }
    prepare(frame);
    const auto table = reinterpret_cast<void**>(frame);
    std::size_t at = 0;
    detail::given_memory given(given_);
    for (const array& x : constants) table[at++] = given.place_of(x);
    for (const array& x : arguments) table[at++] = given.place_of(x);
    for (const detail::made_result& r : made_) table[at++] = place(r);
    execute<Observed>(table);
    rest(table);
  }
  /// A program that is one function, on arrays that are there; false, and nothing done, where some are not. What most small programs are: all that
  /// is left of `run` then.
  [[gnu::always_inline]] inline bool run_direct(view<const array> constants, view<const array> arguments, view<array> results) const {
    void* table[most_direct];
    for (const detail::pointer& p : pointers_) {
      const array& x = p.is_constant ? constants[p.of] : arguments[p.of];
      const buffer* const b = x.as_buffer();
      if (!b || !b->is_ready()) return false;
      table[p.at] = b->data;
    }
    array* next = results.data();
    for (const detail::made_result& r : made_) table[r.at] = r.memory_in(*next++);
    calls_[0].whole.run(table, 0, calls_[0].whole.units);
    return true;
  }
  /// Where `run_direct` puts the memory of what its function reads and writes; false where it does not write all results.
  bool find_pointers(const std::vector<std::uint32_t>& places) {
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      const std::uint32_t p = places[i];
      if (p >= given_) made_[p - given_].at = i;
      else pointers_.push_back({i, p < first_argument_ ? p : p - first_argument_, p < first_argument_});
    }
    return std::all_of(made_.begin(), made_.end(), [](const detail::made_result& r) { return r.at != nowhere; });
  }
  /// Where values lie in `table`, and arena that of the frame's values.
  void prepare(char* tables, char* arena) const {
    const auto table = reinterpret_cast<void**>(tables);
    std::uint32_t at = first_slot_;
    for (std::int64_t offset : offsets_) table[at++] = arena + offset;
    for (const scalar_memory& m : literals_) table[at++] = const_cast<unsigned char*>(m.bytes);
    std::fill(table, table + (keeps_ ? first_slot_ : 0), nullptr);
    for (const planned_call& c : calls_) {
      if (keeps_) c.fill(table);
      if (!c.whole.entry) prepare_bodies(c, table);
    }
  }
  static void prepare_bodies(const planned_call& c, void** table) {
    for (const planned_call::body& b : c.bodies) b.plan->prepare(b.tables_in(table), static_cast<char*>(table[b.arena]));
  }
  /// In a frame that keeps its pointers: one of what it was given lies elsewhere.
  void change(void** table, std::uint32_t place, void* to) const {
    table[place] = to;
    for (std::uint32_t i = first_use_[place]; i < first_use_[place + 1]; ++i) table[uses_[i]] = to;
  }
  /// What lies where that operand or result of a body lies goes on; false: too many words.
  bool follow(void** table, const moving_place& m, void** out, moving_words& words) const {
    std::uint32_t place = m.number;
    if (m.is_result) {
      const auto is_it = [&](const auto& r) { return r.number == m.number; };
      if (std::any_of(passed_.begin(), passed_.end(), is_it)) return words.add(out + m.number, m);
      place = given_ + std::uint32_t(std::find_if(made_.begin(), made_.end(), is_it) - made_.begin());
    }
    bool all = words.add(table + place, m);
    for (std::uint32_t i = first_use_[place]; i < first_use_[place + 1]; ++i) all = all && words.add(table + uses_[i], m);
    return all;
  }
  /// Calls have their pointers after the table: each its own, where these are kept, else all in one place. Tables of bodies follow.
  void lay_out_tables() {
    std::size_t end = count_;
    for (planned_call& c : calls_) {
      c.first = keeps_ ? end : count_;
      end = std::max(end, c.first + c.words());
    }
    tables_bytes_ = jacquard::detail::whole_lines(std::int64_t(end * sizeof(void*)));
    for (planned_call& c : calls_)
      for (planned_call::body& b : c.bodies) {
        b.tables = tables_bytes_;
        tables_bytes_ += b.plan->tables_bytes_;
      }
    if (!keeps_) return;
    std::vector<std::vector<std::uint32_t>> uses(first_slot_);
    for (const planned_call& c : calls_)
      for (std::size_t i = 0; i < c.places.size(); ++i)
        if (c.places[i] < first_slot_) uses[c.places[i]].push_back(std::uint32_t(c.word(i)));
    for (const std::vector<std::uint32_t>& own : uses) {
      first_use_.push_back(std::uint32_t(uses_.size()));
      uses_.insert(uses_.end(), own.begin(), own.end());
    }
    first_use_.push_back(std::uint32_t(uses_.size()));
  }
  template <bool Observed>
  [[gnu::always_inline]] inline void execute(void** table) const {
    for (const planned_call& c : calls_) {
      if (!keeps_) c.fill(table);
      void** const own = table + c.first;
      if constexpr (Observed) {
        const jacquard::detail::event_scope scope(event_kind::kernel, c.op ? c.op->name : c.kernel->name.view(), device_, c.where);
        run_call<Observed>(c, table, own);
      } else run_call<Observed>(c, table, own);
    }
  }
  template <bool Observed>
  [[gnu::always_inline]] inline void run_call(const planned_call& c, void** table, void** own) const {
    if (c.whole.entry && !(Observed && c.op)) c.whole.run(own, 0, c.whole.units);
    else if (c.kernel) c.kernel->run(own);
    else if (c.chooses) run_choice<Observed>(c, table, own);
    else if (c.op->place) run_bodies<Observed>(c, table, own);
    else if (c.op->evaluate) c.run_on_host(own, device_);
    else c.run_equation(own);
  }
  struct running {
    const planned_call& c;
    void** table;
  };
  template <bool Observed>
  static void run_bodies(const planned_call& c, void** table, void** own) {
    if (c.whole.entry) prepare_bodies(c, table);
    running r{c, table};
    char* const scratch = c.scratch == nowhere ? nullptr : static_cast<char*>(table[c.scratch]);
    placed_call p{{own, c.operands}, {own + c.operands, c.places.size() - c.operands}, c.params, scratch, &run_body<Observed>, &may_overwrite, &r, &repeat_body<Observed>};
    c.op->place(p);
  }
  /// What `place` does of a choice, at once.
  template <bool Observed>
  [[gnu::noinline]] static void run_choice(const planned_call& c, void** table, void** own) {
    if (c.whole.entry) prepare_bodies(c, table);
    const planned_call::body& b = c.bodies[chosen_body(*static_cast<const std::int32_t*>(own[0]), c.bodies.size())];
    b.plan->template run_in<Observed>(b.tables_in(table), own + 1, own + c.operands);
  }
  template <bool Observed>
  static void run_body(void* context, std::size_t number, void* const* in, void* const* out) {
    const running& r = *static_cast<running*>(context);
    const planned_call::body& b = r.c.bodies[number];
    b.plan->template run_in<Observed>(b.tables_in(r.table), in, out);
  }
  template <bool Observed>
  static void repeat_body(void* context, std::size_t number, std::int64_t trips, void** in, void** out, view<const moving_place> moving) {
    const running& r = *static_cast<running*>(context);
    const planned_call::body& b = r.c.bodies[number];
    if (!Observed && b.plan->repeat(b.tables_in(r.table), trips, in, out, moving)) return;
    for (std::int64_t n = 0; n < trips; ++n) {
      run_body<Observed>(context, number, in, out);
      for (const moving_place& m : moving) m.in(in, out) = static_cast<char*>(m.in(in, out)) + (n % 2 == 0 ? m.step : m.next);
    }
  }
  static bool may_overwrite(void* context, std::size_t number, std::size_t result, std::size_t operand) {
    return static_cast<running*>(context)->c.bodies[number].plan->overwrites(result, operand);
  }

  array result_on_donated(const detail::made_result& r, view<const array> arguments, view<const char> donated) const {
    for (std::uint32_t n = r.first_donor; n < r.last_donor; ++n) {
      const std::size_t i = overwritten_[n].argument;
      buffer* const b = donated[i] ? arguments[i].as_buffer() : nullptr;
      if (!b || b->is_shared() || !b->is_ours()) continue;
      b->type = r.type;  // of as many bytes
      return arguments[i];
    }
    return array(make_buffer(r.type, r.bytes));
  }
  void pass(const detail::passed_result& r, view<const array> constants, view<const array> arguments, view<array> results) const {
    if (r.place == nowhere) {
      results[r.number] = array(r.value);
      return;
    }
    const array& x = r.place >= given_             ? results[made_[r.place - given_].number]
                     : r.place < constants.size() ? constants[r.place]
                                                  : arguments[r.place - constants.size()];
    if (x.as_buffer() && (r.place < constants.size() || !same_type(x.as_buffer()->type, r.type))) results[r.number] = array(share_buffer(*x.as_buffer(), r.type));
    else results[r.number] = x;
  }

  /// Whether a result is the carry that it takes the place of.
  bool stays(const detail::passed_result& r, const control_form& form) const {
    const bool loops = form.is == control_form::kind::counted_loop || form.is == control_form::kind::conditional_loop;
    return loops && r.number < form.carries && r.place == first_argument_ + form.of_body + r.number;
  }
  void place_results(const jaxpr& p) {
    for (std::size_t i = 0; i < p.outvars.size(); ++i) {
      const atom a = p.outvars[i];
      if (a.is_literal()) {
        passed_.push_back({i, nowhere, p.type_of(a), p.literals[a.index()]});
        continue;
      }
      std::uint32_t& place = place_[root_[a.index()]];
      if (place != nowhere) {
        passed_.push_back({i, place, p.avals[a.index()], {}});
        continue;
      }
      place = count_++;
      made_.push_back({i, p.avals[a.index()], p.avals[a.index()].bytes(), nowhere});
    }
  }

  /// From the last step to the first, so that a value whose memory another one takes over gets that one's place. Calls, by step, get
  /// their bodies and scratch.
  template <class BodyPlan>
  void place_intermediates(const jaxpr& p, const lowered_program& l, const value_uses& uses, const std::vector<native_kernel>& kernels, BodyPlan& body_plan,
                           std::vector<planned_call>& calls) {
    std::vector<lowering::frame_slot> slots;
    const auto add_slot = [&](std::int64_t bytes, std::size_t first, std::size_t last) {
      slots.push_back({bytes, 0, first, std::max(first, last)});
      return count_++;
    };
    const auto place_output = [&](variable v, std::size_t n) {
      if (place_[v] == nowhere) place_[v] = add_slot(p.avals[v].bytes(), n, uses.last[v]);
      else if (place_[v] >= first_slot_) slots[place_[v] - first_slot_].first = n;
    };
    // The place of v may be that of a value which step n reads last, where no other variable shows the memory.
    const auto take_over = [&](variable donor, variable v, std::size_t n) {
      if (uses.views[donor] != 1 || uses.last[donor] != n) return;
      if (place_[donor] == nowhere) place_[donor] = place_[v];
      else if (place_[donor] >= first_argument_ && place_[donor] < given_ && place_[v] >= given_ && place_[v] < first_slot_)
        overwritten_.push_back({made_[place_[v] - given_].number, place_[donor] - first_argument_});
    };
    for (std::size_t n = l.steps.size(); n-- > 0;) {
      const lowered_step& s = l.steps[n];
      if (s.alias) continue;
      if (s.kernel < 0) {
        const equation& e = p.equations[s.equation];
        for (variable v : p.outputs(e)) place_output(root_[v], n);
        std::vector<std::int32_t> taken;
        for (std::size_t i = 0; i < e.out.count; ++i) {
          const std::int32_t k = e.op->place ? operand_under(p, e, i, body_plan) : i == 0 ? e.op->overwrites : -1;
          if (k < 0 || std::find(taken.begin(), taken.end(), k) != taken.end() || !uses.dies(p, e, p.inputs(e)[std::size_t(k)], n)) continue;
          take_over(root_[p.inputs(e)[std::size_t(k)].index()], root_[p.outputs(e)[i]], n);
          taken.push_back(k);
        }
        const param_view params = p.params(e);
        if (!e.op->place) continue;
        for (std::uint32_t i = 0; i < params.sub_count; ++i) {
          const pointer_plan* plan = body_plan(params.subs[i]);
          calls[n].bodies.push_back({plan, 0, add_slot(plan->arena_bytes_, n, n)});
        }
        if (const std::int64_t bytes = scratch_bytes(p, e, *calls[n].bodies.back().plan); bytes != 0) calls[n].scratch = add_slot(bytes, n, n);
        continue;
      }
      const native_kernel& k = kernels[std::size_t(s.kernel)];
      for (std::size_t i = 0; i < k.outputs.size(); ++i) {
        const variable v = root_[k.outputs[i]];
        place_output(v, n);
        if (k.donors[i] >= 0) take_over(root_[std::size_t(k.donors[i])], v, n);
      }
      if (k.partial_bytes != 0) calls[n].scratch = add_slot(k.partial_bytes, n, n);
    }
    std::erase_if(overwritten_, [&](const detail::overwritten& o) {  // an argument that is a result as well stays as it is
      return std::any_of(passed_.begin(), passed_.end(), [&](const detail::passed_result& r) { return r.place == first_argument_ + o.argument; });
    });
    detail::sort_by_result(overwritten_, made_);
    arena_bytes_ = lowering::place_slots(slots);
    for (const lowering::frame_slot& own : slots) offsets_.push_back(own.offset);
  }
  /// The call of a step, with the places of its values.
  planned_call finished(planned_call c, const jaxpr& p, const lowered_step& s, const std::vector<native_kernel>& kernels, const std::vector<kernel_phase>& controls) {
    if (s.kernel >= 0) {
      const native_kernel& k = kernels[std::size_t(s.kernel)];
      c.kernel = &k;
      if (k.is_one_piece()) c.whole = k.phases[0];
      for (variable v : k.places) c.places.push_back(place_[root_[v]]);
      if (c.scratch != nowhere) c.places.push_back(c.scratch);
    } else {
      const equation& e = p.equations[s.equation];
      c.op = e.op;
      c.whole = controls[s.equation];
      c.where = e.where;
      c.params = p.params(e);
      c.chooses = e.op->place && e.op->control(c.params).is == control_form::kind::choice;
      calls_host_ = calls_host_ || (!e.op->place && e.op->evaluate);
      for (atom a : p.inputs(e)) {
        c.places.push_back(a.is_literal() ? place_of_literal(p.literals[a.index()]) : place_[root_[a.index()]]);
        c.types.push_back(p.type_of(a));
      }
      c.operands = c.places.size();
      for (variable v : p.outputs(e)) {
        c.places.push_back(place_[root_[v]]);
        c.types.push_back(p.avals[v]);
      }
    }
    return c;
  }
  std::uint32_t place_of_literal(const literal& value) {
    literals_.emplace_back();
    value.store_to(literals_.back().bytes);
    return count_++;
  }

  device_id device_;
  const jacquard::detail::kernel_libraries* libraries_;
  bool fits_ = false, calls_host_ = false, is_direct_ = false;
  bool keeps_;  ///< calls find their pointers where they were left
  std::vector<variable> root_;         ///< by variable
  std::vector<std::uint32_t> place_;   ///< by root: in the table, after constants, arguments and results the slots, then literals
  std::uint32_t count_ = 0, first_argument_ = 0, given_ = 0, first_slot_ = 0;
  std::vector<detail::made_result> made_;
  std::vector<detail::pointer> pointers_;
  std::vector<detail::passed_result> passed_;
  std::vector<detail::overwritten> overwritten_;
  std::vector<std::int64_t> offsets_;  ///< of slots
  std::int64_t arena_bytes_ = 0, tables_bytes_ = 0;  ///< of the slots, and of the tables before them
  std::vector<scalar_memory> literals_;
  std::vector<planned_call> calls_;
  std::vector<std::uint32_t> first_use_, uses_;  ///< by place that is given: where calls have it among their own pointers
};

}  // namespace jacquard::cpu

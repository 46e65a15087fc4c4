#pragma once
// A program that every member of a mapped axis runs on its part of the arguments, each on a device of its own and all at the same time.
// Deliberately without the function it was traced from, and for devices that share this process's memory.

#include "jacquard/control/body.hpp"
#include "jacquard/exec/stages.hpp"
#include "jacquard/parallel/communicator/threads.hpp"
#include "jacquard/parallel/member_threads.hpp"

namespace jacquard::detail {

/// What is known of such a program once it is traced.
struct member_plan {
  closed_jaxpr program;         ///< of one member
  axis_binding axis;
  std::vector<int> dims;        ///< by argument: the dimension along which members have their parts, or not_mapped
  std::vector<int> out_axes;    ///< by result: where the axis goes, or none
  std::vector<char> donated;    ///< by argument
  std::vector<target> devices;  ///< by member
};

class member_program {
 public:
  explicit member_program(member_plan p) : plan_(std::move(p)), donor_of_(plan_.out_axes.size(), -1) {
    std::vector<aval> in, out;
    std::vector<char> in_place;  // of arguments whose parts lie one after the other, as those of such results do
    for (std::size_t i = 0; i < plan_.dims.size(); ++i) {
      const aval t = plan_.program.in_avals()[i];
      in.push_back(plan_.dims[i] == not_mapped ? t : t.with(shape(t.dims.with(plan_.dims[i], plan_.axis.size))));
      in_place.push_back(plan_.donated[i] && plan_.dims[i] == 0);
    }
    for (std::size_t o = 0; o < plan_.out_axes.size(); ++o) {
      out.push_back(type_of(o));
      if (plan_.out_axes[o] != 0) out.back().dims = {-1};  // matches nothing
    }
    const std::vector<int> taken_by = matched_donations(in, out, in_place);
    text unusable;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (taken_by[i] >= 0) donor_of_[std::size_t(taken_by[i])] = int(i);
      else if (std::exchange(plan_.donated[i], char(false))) unusable << (unusable.empty() ? "" : ", ") << long_type_text(in[i]);
    }
    warn_of_donations(unusable);
  }

  /// Runs it on concrete arguments. Errors: those of donation; what a member threw, the first one where several did.
  std::vector<array> run(view<const array> arguments, const location& where) {
    check_arguments(arguments, plan_.donated, plan_.program.constants);
    prepare();
    std::vector<array> operands, results(plan_.out_axes.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (plan_.donated[i]) operands.push_back(take_over(arguments[i], where));
      else operands.push_back(plan_.dims[i] == not_mapped ? arguments[i] : move_axis(arguments[i], plan_.dims[i], 0));
    }
    for (std::size_t o = 0; o < results.size(); ++o) {
      if (plan_.out_axes[o] == none) continue;
      if (donor_of_[o] >= 0) results[o] = operands[std::size_t(donor_of_[o])];
      else results[o] = array(make_buffer(type_of(o)));
    }
    run_members(operands, results, where);
    for (std::size_t o = 0; o < results.size(); ++o)
      if (plan_.out_axes[o] != none && plan_.out_axes[o] != 0) results[o] = move_axis(results[o], 0, plan_.out_axes[o]);
    return results;
  }

 private:
  /// The type of a result: of all members' parts one after the other, or of one member's.
  aval type_of(std::size_t o) const {
    const aval t = plan_.program.out_avals()[o];
    return plan_.out_axes[o] == none ? t : stacked_type_of(t, plan_.axis.size);
  }
  /// Compiles for the members' devices, once.
  void prepare() {
    const scoped_lock lock(preparing_);
    const axis_scope scope(&plan_.axis);
    while (compiled_.size() < plan_.devices.size())
      compiled_.push_back(compile_program(plan_.program, plan_.devices[compiled_.size()], std::vector<char>(plan_.dims.size(), false)));
  }
  void run_members(view<const array> operands, view<array> results, const location& where) {
    thread_group group(plan_.axis.size);
    const value_checks checks = checked_values;
    run_at_once(plan_.axis.size,
        [&](std::int64_t m) {
          try {
            thread_member self(plan_.axis, m, group);
            const member_scope scope(&self);
            checked_values = checks;
            run_member(m, operands, results, where);
          } catch (...) {
            group.fail(std::current_exception());
          }
          group.leave(m);
        },
        [&](std::int64_t m) {
          group.fail(std::make_exception_ptr(value_error(std::string("pmap: the system gives no thread for member ") + std::to_string(m) + "; map over fewer")));
        });
    group.rethrow_failure();
  }
  void run_member(std::int64_t m, view<const array> operands, view<array> results, const location& where) {
    std::vector<array> in, out(results.size());
    for (std::size_t i = 0; i < operands.size(); ++i) in.push_back(plan_.dims[i] == not_mapped ? operands[i] : element_at(operands[i], m, false));
    compiled_[std::size_t(m)]->run_into(in, out, where);
    for (std::size_t o = 0; o < out.size(); ++o) {
      if (plan_.out_axes[o] != none) write_elements(out[o], static_cast<char*>(results[o].as_buffer()->data) + m * out[o].aval().bytes());
      else if (m == 0) results[o] = owned(out[o]);
    }
    out.clear();
    for (array& x : in)
      if (buffer* b = x.as_buffer(); b && b->borrowed && b->is_shared()) keep_borrowed(*b);  // a function of the host has kept it
  }

  member_plan plan_;
  std::vector<int> donor_of_;  ///< by result: the argument whose memory it takes over, or -1
  mutex preparing_;
  std::vector<ref<executable>> compiled_;  ///< by member
};

}  // namespace jacquard::detail

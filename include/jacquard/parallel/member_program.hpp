#pragma once
// A program that every member of a mapped axis runs on its part of the arguments, each on a device of its own and all at the same time.
// Deliberately without the function it was traced from, and for devices that share this process's memory.

#include "jacquard/control/body.hpp"
#include "jacquard/exec/stages.hpp"
#include "jacquard/parallel/communicator/threads.hpp"
#include "jacquard/parallel/member_threads.hpp"
#include "jacquard/parallel/tiling.hpp"

namespace jacquard::detail {

/// What is known of such a program once it is traced.
struct member_plan {
  closed_jaxpr program;  ///< of one member
  axis_binding axis;
  std::vector<placement> in, out;  ///< by argument and by result; a result that is not divided is the first member's
  std::vector<char> donated;       ///< by argument
  std::vector<target> devices;     ///< by member
};

/// Refuses programs of several members with effects whose order is that of one device's program.
inline void check_order(std::string_view who, const jaxpr& p, std::int64_t members) {
  if (members < 2 || (p.effects & ordered_effect) == 0) return;
  for (const equation& e : p.equations) {
    if (e.op->on_one_device)
      raise(error_kind::value, who, ": The following ordered effects are not supported for more than 1 device: [", e.op->name, "]. Got ", members,
            " devices, which are in no order; leave jq::in_order out");
    const param_view held = p.params(e);
    for (std::uint32_t i = 0; i < held.sub_count; ++i) check_order(who, *held.subs[i], members);
  }
}

/// While it lives, a member's thread makes the checks of values that the caller's makes. The caller's runs a member, too.
class member_checks {
 public:
  explicit member_checks(value_checks of_caller) {
    of_caller.in_parallel = true;
    checked_values = of_caller;
  }
  member_checks(const member_checks&) = delete;
  ~member_checks() { checked_values = before_; }

 private:
  const value_checks before_ = checked_values;
};

class member_program {
 public:
  explicit member_program(member_plan p) : plan_(std::move(p)), donor_of_(plan_.out.size(), -1) {
    std::vector<aval> in, out;
    std::vector<char> in_place;  // of arguments whose parts lie one after the other, as those of such results do
    for (std::size_t i = 0; i < plan_.in.size(); ++i) {
      in.push_back(plan_.in[i].of_all(plan_.program.in_avals()[i], plan_.axis.size));
      in_place.push_back(plan_.donated[i] && plan_.in[i].is_stacked && plan_.in[i].axis == 0);
    }
    for (std::size_t o = 0; o < plan_.out.size(); ++o) {
      out.push_back(type_of(o));
      if (!plan_.out[o].is_stacked || plan_.out[o].axis != 0) out.back().dims = {-1};  // matches nothing
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
  template <class Array = array>
  std::vector<array> run(view<const array> arguments, const location& where) {
    check_arguments(arguments, plan_.donated, plan_.program.constants);
    prepare();
    std::vector<array> operands, results(plan_.out.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (plan_.donated[i]) operands.push_back(take_over(arguments[i], where));
      else operands.push_back(plan_.in[i].is_stacked ? move_axis<Array>(arguments[i], plan_.in[i].axis, 0) : arguments[i]);
    }
    for (std::size_t o = 0; o < results.size(); ++o) {
      if (donor_of_[o] >= 0) results[o] = operands[std::size_t(donor_of_[o])];
      else if (!plan_.out[o].is_whole()) results[o] = array(make_buffer(type_of(o)));
    }
    run_members(operands, results, where);
    for (std::size_t o = 0; o < results.size(); ++o)
      if (plan_.out[o].is_stacked) results[o] = move_axis<Array>(results[o], 0, plan_.out[o].axis);
    return results;
  }

 private:
  /// The type of a result before its axis is where it belongs.
  aval type_of(std::size_t o) const {
    placement first = plan_.out[o];
    first.axis = 0;
    return first.of_all(plan_.program.out_avals()[o], plan_.axis.size);
  }
  /// Compiles for the members' devices, once.
  void prepare() {
    const scoped_lock lock(preparing_);
    const axis_scope scope(&plan_.axis);
    while (compiled_.size() < plan_.devices.size())
      compiled_.push_back(compile_program(plan_.program, plan_.devices[compiled_.size()], std::vector<char>(plan_.in.size(), false)));
  }
  void run_members(view<const array> operands, view<array> results, const location& where) {
    thread_group group(plan_.axis.size);
    const value_checks checks = checked_values;
    run_at_once(plan_.axis.size,
        [&](std::int64_t m) {
          try {
            thread_member self(plan_.axis, m, group);
            const member_scope scope(&self);
            const member_checks scope_of_checks(checks);
            run_member(m, operands, results, where);
          } catch (...) {
            group.fail(std::current_exception());
          }
          group.leave(m);
        },
        [&](std::int64_t m) noexcept {
          group.fail(std::make_exception_ptr(value_error(std::string("the system gives no thread for member ") + std::to_string(m) + "; use fewer")));
        });
    group.rethrow_failure();
  }
  void run_member(std::int64_t m, view<const array> operands, view<array> results, const location& where) {
    std::vector<array> in, out(results.size());
    for (std::size_t i = 0; i < operands.size(); ++i) in.push_back(part_of(operands[i], plan_.in[i], m, plan_.donated[i]));
    if (!has_donations() && run_in_place(m, in, results)) return;
    compiled_[std::size_t(m)]->run_into(in, out, where);
    // What a function of the host has kept, or is a result as it is, gets memory of its own before a result takes that of a donated argument.
    for (array& x : in)
      if (buffer* b = x.as_buffer(); b && b->borrowed && b->is_shared()) keep_borrowed(*b);
    if (has_donations())
      for (array& y : out) y = owned(y);
    for (std::size_t o = 0; o < out.size(); ++o) put_part(results[o], out[o], plan_.out[o], m);
  }
  bool has_donations() const { return std::find(plan_.donated.begin(), plan_.donated.end(), char(true)) != plan_.donated.end(); }
  /// The same, where the program can write what it makes into its place among the results; false, and nothing done, where it cannot.
  bool run_in_place(std::int64_t m, view<const array> in, view<array> results) {
    std::vector<void*> room;
    for (std::size_t o = 0; o < results.size(); ++o) room.push_back(place_of(results[o], plan_.program.out_avals()[o], plan_.out[o], m));
    std::vector<array> others(results.size());
    if (!compiled_[std::size_t(m)]->run_to(in, others, room)) return false;
    for (std::size_t o = 0; o < results.size(); ++o)
      if (!room[o]) put_part(results[o], others[o], plan_.out[o], m);
    return true;
  }
  /// Where what member m makes lies among the results of all, or null: not in one piece, or it is not wanted.
  static void* place_of(const array& result, const aval& own, const placement& p, std::int64_t m) {
    if (p.is_whole()) return nullptr;
    const buffer& of = *result.as_buffer();
    std::byte* const to = static_cast<std::byte*>(of.data);
    if (p.is_stacked) return to + m * own.bytes();
    return is_in_one_piece(p.tiles, own.rank()) && is_owner(p.tiles, own.rank(), m) ? to + first_byte(p.tiles, own, m) : nullptr;
  }
  /// Whether a tile spans all dimensions but the first; and where such a one begins.
  static bool is_in_one_piece(const tiling& tiles, int rank) {
    bool r = true;
    for (int d = 1; d < rank; ++d) r = r && !tiles.cuts(d);
    return r;
  }
  static std::int64_t first_byte(const tiling& tiles, const aval& own, std::int64_t m) {
    return own.rank() == 0 || own.dims[0] == 0 ? 0 : tiles.begin_of(own.dims, m)[0] * (own.bytes() / own.dims[0]);
  }
  /// Of members with the same tile one puts it where it belongs.
  static bool is_owner(const tiling& tiles, int rank, std::int64_t m) {
    int_list number;
    for (int d = 0; d < rank; ++d) number.push_back(tiles.piece_of(d, m));
    return tiles.owner(number, 0) == m;
  }
  /// What member m has of an argument: a view of it, where that lies in one piece. One that is donated is overwritten: functions of the host may keep
  /// what they see.
  array part_of(const array& x, const placement& p, std::int64_t m, bool is_donated) const {
    if (p.is_whole()) return x;
    buffer& of = *x.as_buffer();
    const aval& all = of.type;
    if (p.is_stacked) {
      if (is_donated) return element_at(x, m, (plan_.program->effects & ~collective_effect) != 0);
      const aval one = element_type_of(all);
      return view_of(of, one, static_cast<std::byte*>(of.data) + m * one.bytes());
    }
    const aval cell = all.with(p.tiles.tile_of(all.dims));
    const int_list begin = p.tiles.begin_of(cell.dims, m);
    std::byte* const from = static_cast<std::byte*>(of.data);
    if (is_in_one_piece(p.tiles, cell.rank())) return view_of(of, cell, from + first_byte(p.tiles, cell, m));
    array part(make_buffer(cell));
    copy_box({static_cast<std::byte*>(part.as_buffer()->data), cell.dims, int_list::filled(cell.rank(), 0)}, {from, all.dims, begin}, cell.dims,
             std::int64_t(size_of(cell.type)));
    return part;
  }
  /// An array over memory of another one, which it keeps; of one that is only borrowed for the call, it is, too.
  static array view_of(buffer& of, const aval& type, std::byte* at) {
    buffer* const b = of.borrowed ? borrow_buffer(type, at) : share_buffer(of, type);
    b->data = at;
    return array(b);
  }
  /// Puts what member m has made where it belongs. Of those with the same tile one does.
  static void put_part(array& result, const array& part, const placement& p, std::int64_t m) {
    if (p.is_whole()) {
      if (m == 0) result = owned(part);
      return;
    }
    std::byte* const to = static_cast<std::byte*>(result.as_buffer()->data);
    if (p.is_stacked) return write_elements(part, to + m * part.aval().bytes());
    const shape cell = part.shape();
    const int_list begin = p.tiles.begin_of(cell, m);
    if (!is_owner(p.tiles, cell.rank(), m)) return;
    const array dense = part.materialised();
    copy_box({to, result.as_buffer()->type.dims, begin}, {static_cast<const std::byte*>(dense.as_buffer()->data), cell, int_list::filled(cell.rank(), 0)}, cell,
             std::int64_t(size_of(part.dtype())));
  }

  member_plan plan_;
  std::vector<int> donor_of_;  ///< by result: the argument whose memory it takes over, or -1
  mutex preparing_;
  std::vector<ref<executable>> compiled_;  ///< by member
};

}  // namespace jacquard::detail

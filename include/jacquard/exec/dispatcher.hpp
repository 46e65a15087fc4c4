#pragma once
// Asynchronous dispatch: a call whose results are pending until the queue of its device has run it. Errors of a computation stay with its
// results, and with those of computations that use them, for everyone who waits. Deliberately only for programs that show nothing to the
// host while they run; the others keep their place among what the caller does.

#include <exception>

#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/value_checks.hpp"
#include "jacquard/exec/device_queue.hpp"
#include "jacquard/exec/devices.hpp"
#include "jacquard/exec/donation.hpp"
#include "jacquard/exec/lowering/equation.hpp"

namespace jacquard {

namespace detail {

/// What a computation threw, held by each of its results.
struct execution_failure : counted {
  explicit execution_failure(std::exception_ptr e) : what(std::move(e)) {}
  const std::exception_ptr what;
};

/// One call on its way through a queue. The buffers of its results are pending, and point to it.
class execution final : public queued_work {
 public:
  execution(ref<executable> program, device_queue& q, const location& where) : program_(std::move(program)), queue_(q), where_(where) {
    __atomic_store_n(&await_hook, &await, __ATOMIC_RELAXED);
    __atomic_store_n(&unread_hook, &device_queue::wait_until_unread, __ATOMIC_RELAXED);
  }
  ~execution() override { forget_readers(); }  // if it never started

  std::vector<array> arguments;

  /// An argument that stays with its holders: who donates it waits until it is read.
  void read(const array& x) {
    arguments.push_back(x);
    if (!x.as_buffer()) return;
    __atomic_fetch_add(&x.as_buffer()->readers, 1, __ATOMIC_RELAXED);
    read_.push_back(x);
  }
  /// A result, of that type, that is not there yet.
  array promise(const aval& type) {
    results_.push_back(new_promise(type));
    return results_.back();
  }
  void promise_nothing() { results_.push_back({}); }
  /// Moves what will be the memory of a pending buffer into a new one, and deletes that one for its holders. One that failed stays: the
  /// execution that was to take it fails, too.
  static array take_over_pending(const array& x, const location& by) {
    buffer& b = *x.as_buffer();
    if (b.has_readers()) device_queue::wait_until_unread(b);
    {
      array before;  // goes after the lock
      const scoped_lock lock(device_queue::of(b.where).work.guard());
      if (b.state_now() == buffer_state::pending) {
        if (__atomic_exchange_n(&b.taken, true, __ATOMIC_ACQ_REL)) b.throw_deleted(by);
        execution& maker = *static_cast<execution*>(b.owner);
        const array mine = maker.new_promise(b.type);
        for (array& r : maker.results_)
          if (r.as_buffer() == &b) before = std::exchange(r, mine);
        b.owner = nullptr;
        b.deleted_by = by;
        b.become(buffer_state::deleted);
        maker.queue_.work.guard().notify_all();
        return mine;
      }
    }
    return b.state_now() == buffer_state::failed ? x : take_over(x, by);
  }
  /// Waits for a pending buffer. Throws what a failed one failed with.
  static void await(const buffer& b) {
    work_queue& w = device_queue::of(b.where).work;
    work_queue::stay_awake([&] { return b.state_now() != buffer_state::pending; });
    std::exception_ptr failure;
    {
      const scoped_lock lock(w.guard());
      const device_queue::wait_scope waits(b);
      w.wait_until([&] { return b.state_now() != buffer_state::pending; },
                   b.state_now() == buffer_state::pending ? static_cast<const execution*>(b.owner) : nullptr);
      if (b.state_now() != buffer_state::failed) return;
      failure = (*static_cast<ref<execution_failure>*>(b.owner))->what;
    }
    std::rethrow_exception(failure);
  }
  /// Has the queue run it, which may have to wait for room; where there is no thread for that, runs it here.
  static void start(const ref<execution>& e) {
    device_queue& q = e->queue_;
    {
      const scoped_lock lock(q.work.guard());
      q.work.wait_until([&] { return q.waiting < most_waiting; });
      ++q.waiting;
    }
    if (!q.work.add(ref<queued_work>(e))) e->run();
  }

  void run() override {
    std::vector<array> made(results_.size());
    std::exception_ptr failure;
    device_queue* const outer = std::exchange(device_queue::running, &queue_);
    try {
      queue_.arena.collect();
      for (const array& x : arguments)
        if (const buffer* b = x.as_buffer()) b->check_alive();
      program_->run_into(arguments, made, where_);
      for (array& x : made) x = with_block(x);
    } catch (...) {
      failure = std::current_exception();
    }
    device_queue::running = outer;
    std::vector<array> done;  // goes after the lock
    const scoped_lock lock(queue_.work.guard());
    if (failure) fail(std::move(failure));
    else
      for (std::size_t i = 0; i < made.size(); ++i)
        if (buffer* b = results_[i].as_buffer()) give(*b, *made[i].as_buffer());
    finish(done);
  }
  void drop() override {
    std::vector<array> done;
    fail(std::make_exception_ptr(value_error("the process ended before this array was computed; wait for it with block_until_ready")));
    finish(done);
  }

 private:
  static constexpr int most_waiting = 1024;

  array new_promise(const aval& type) {
    buffer* const b = new buffer(type);
    b->where = queue_.device;
    b->owner = this;
    b->state = buffer_state::pending;
    return array(b);
  }
  /// The value in a buffer that nobody else holds.
  static array with_block(const array& x) {
    if (x.kind() == array_kind::literal) {
      buffer* const b = make_buffer(x.aval());
      x.as_literal().store_to(b->data);
      return array(b);
    }
    buffer& b = *x.as_buffer();
    return b.is_shared() || b.borrowed ? array(share_buffer(b, b.type)) : x;
  }
  void give(buffer& to, buffer& from) {
    to.data = std::exchange(from.data, nullptr);
    to.owner = std::exchange(from.owner, nullptr);
    to.release = std::exchange(from.release, nullptr);
    to.outside = std::exchange(from.outside, 0);
    queue_.arena.adopt(to);
    to.become(buffer_state::ready);
  }
  void fail(std::exception_ptr e) {
    const ref<execution_failure> shared = make_ref<execution_failure>(std::move(e));
    for (array& r : results_)
      if (buffer* b = r.as_buffer()) {
        b->owner = new ref<execution_failure>(shared);
        b->release = [](buffer& x) { delete static_cast<ref<execution_failure>*>(x.owner); };
        b->become(buffer_state::failed);
      }
  }
  void forget_readers() {
    for (const array& x : read_)  // all of them are buffers; asked again, as g++ 12 -O3 warns of a store through null otherwise
      if (buffer* b = x.as_buffer()) __atomic_fetch_sub(&b->readers, 1, __ATOMIC_RELEASE);
  }
  void finish(std::vector<array>& done) {
    done.swap(results_);
    forget_readers();
    for (array& x : read_) done.push_back(std::move(x));
    read_.clear();
    for (array& x : arguments) done.push_back(std::move(x));
    arguments.clear();
    --queue_.waiting;
    queue_.work.tell_of(*this);
  }

  ref<executable> program_;
  device_queue& queue_;
  location where_;
  std::vector<array> read_;     ///< those of the arguments whose readers are counted
  std::vector<array> results_;  ///< none for those that were there at once; with the monitor held once it has started
};

/// Dispatches the calls of one compiled program.
class dispatcher : public counted {
 public:
  dispatcher(ref<executable> program, const closed_jaxpr& source, device_id device, const std::vector<char>& donated)
      : program_(std::move(program)), source_(source), types_(source.out_avals()), device_(device), donated_(donated) {
    text unusable;
    taken_ = usable_donations(source.in_avals(), types_, donated, unusable);
  }
  /// Whether calls are dispatched asynchronously now: not where the caller looks for the first NaN, nor within an execution.
  bool queues() const {
    return is_asynchronous().load(ordering::relaxed) && source_->effects == 0 && !work_queue::is_thread_of_any() && !checked_values.any();
  }
  /// The arrays that the program has captured.
  view<const array> captured() const { return source_.constants; }
  /// Begins a call; `results` are pending afterwards. Errors: deleted_error and those of donation, as for a call that is computed at once.
  JACQUARD_ONCE void run(view<const array> leaves, view<array> results, const location& where) const {
    check_arguments<false>(leaves, donated_, captured());
    const ref<execution> e = make_ref<execution>(program_, device_queue::of(device_), where);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (taken_[i]) e->arguments.push_back(taken(leaves[i], where));
      else e->read(owned(leaves[i]));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      results[i] = known_result(i, e->arguments);
      if (results[i].is_none()) results[i] = e->promise(types_[i]);
      else e->promise_nothing();
    }
    execution::start(e);
  }

 private:
  /// A donated argument, whose holders lose it now.
  static array taken(const array& x, const location& where) {
    const buffer* b = x.as_buffer();
    if (!b || b->borrowed) return owned(x);
    return b->is_ready() || b->is_deleted() ? take_over(x, where) : execution::take_over_pending(x, where);
  }
  /// A result that is an argument, a constant or a literal; else none.
  array known_result(std::size_t i, const std::vector<array>& arguments) const {
    const atom a = source_->outvars[i];
    if (a.is_literal()) return array(source_->literals[a.index()]);
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (source_->invars[k] == a.index() && !taken_[k]) return arguments[k];
    for (std::size_t k = 0; k < source_.constants.size(); ++k)
      if (source_->constvars[k] == a.index()) return shared_constant(source_.constants[k]);
    return {};
  }

  ref<executable> program_;
  closed_jaxpr source_;
  std::vector<aval> types_;
  device_id device_;
  std::vector<char> donated_, taken_;
};

}  // namespace detail

/// Waits until all leaves of a tree are computed; returns the tree. Errors: what their computation threw, deleted_error.
template <class T>
const T& block_until_ready(const T& tree) {
  for_each_leaf(tree, [](const auto& x) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, array>) x.block_until_ready();
  });
  return tree;
}
/// Waits until no device has anything to compute. Errors stay with the arrays.
template <class T = void>
void wait_for_devices() {
  detail::device_queue::wait_for_all();
}

}  // namespace jacquard

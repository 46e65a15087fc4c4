#pragma once
// The contract of a backend: compile a closed jaxpr for devices of its own, run it on buffers, and a registry by name, so
// that a backend can be plugged in from outside the library. Deliberately small: lowering, fusion and streams are private
// to a backend.

#include <cstdio>
#include <string>

#include "jacquard/backends/forks.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/hook.hpp"
#include "jacquard/core/jaxpr.hpp"
#include "jacquard/core/ref.hpp"
#include "jacquard/core/trace.hpp"

namespace jacquard {

/// When a backend makes machine code of a program: before its first run, once it has run for long enough, or never.
enum class compile_time : std::uint8_t { by_default, first_call, when_hot, never };

/// Machine code that a backend made of a program, to be kept outside the process. The backend alone knows what is in it.
struct machine_code {
  struct module {
    std::string name, code;
  };
  std::string machine;  ///< what it runs on and what made it
  std::vector<module> modules;
};

/// What a caller asks of a compilation.
struct compile_options {
  device_id device;
  bool strict = false;  ///< results are those of the interpreter, bit by bit
  bool fast_math = false;  ///< results may be off as those of loops under -ffast-math are, see jq::precision; not where they are strict
  bool flushes_denormals = false;  ///< numbers nearer to zero than the smallest of full precision may count as zero
  compile_time when = compile_time::by_default;
  /// By flat argument: the buffer may be taken over by the computation, which deletes it for the caller.
  std::vector<char> donated;
  /// Code that an executable of this program gave earlier: a backend takes of it what fits, and makes the rest. Null: there is none.
  const machine_code* code = nullptr;
};

namespace detail {
/// A constant of a program as a result of it, with a buffer of its own on the same memory: who gets one may donate it, which deletes it.
inline array shared_constant(const array& x) {
  buffer* const b = x.as_buffer();
  return b ? array(share_buffer(*b, b->type)) : x;
}
/// Makes such of the results that are constants.
inline void share_constants(view<array> results, view<const array> constants) {
  for (array& r : results)
    for (const array& c : constants)
      if (r.as_buffer() && r.as_buffer() == c.as_buffer()) {
        r = shared_constant(c);
        break;
      }
}
}  // namespace detail

/// A compiled program on memory that its caller keeps: a run reads and writes what lies there then. One run at a time.
class bound_program : public counted {
 public:
  /// `observed`: somebody wants to know of its steps (core/events). Errors: those of the operations.
  virtual void run(bool observed) = 0;
};

/// A compiled program.
class executable : public counted {
 public:
  /// Runs on concrete arguments, one array per invar of the program; returns one array per outvar.
  /// Buffers of donated arguments are deleted for their other holders. May be called by several threads at once.
  virtual std::vector<array> run(std::span<const array> arguments, const location& where) = 0;
  /// The same, with the results put where the caller has room for them. What jit calls; backends that can spare the list do.
  virtual void run_into(view<const array> arguments, view<array> results, const location& where) {
    std::vector<array> r = run({arguments.data(), arguments.size()}, where);
    for (std::size_t i = 0; i < r.size(); ++i) results[i] = std::move(r[i]);
  }
  /// The same, but for results for which `room` says where their elements shall lie, dense and in order: they are put there, and are no arrays. Room
  /// overlaps no argument; null is none. False, and nothing done: it makes arrays alone.
  virtual bool run_to([[maybe_unused]] view<const array> arguments, [[maybe_unused]] view<array> results, [[maybe_unused]] view<void* const> room) { return false; }
  /// The program on memory of the caller: where the elements of arguments and of results lie, dense and in order. What is written
  /// overlaps nothing, but for results that lie where a donated argument of the same size does. Null: it runs on arrays alone.
  virtual ref<bound_program> bind([[maybe_unused]] view<void* const> arguments, [[maybe_unused]] view<void* const> results) { return nullptr; }
  /// What was compiled, for people: the jaxpr, and what the backend made of it.
  virtual text as_text() const = 0;
  /// Says what a run takes and costs, and where values lie. False: nothing is known.
  virtual bool analyse(program_analysis&) const { return false; }
  /// Of one that goes through its program equation by equation, as exec/lowering/equation does: the program, and which arguments it
  /// takes over. Nothing more need be said of it.
  struct equation_by_equation {
    const closed_jaxpr* program = nullptr;
    view<const char> donated;
  };
  virtual equation_by_equation by_equations() const { return {}; }
  /// The names of the stages of compilation that stage_text knows, in order and separated by spaces.
  virtual std::string_view stages() const { return ""; }
  /// The program after one of these stages.
  virtual text stage_text(std::string_view) const { return {}; }
  /// The machine code that it runs on, if there is some that can be kept.
  virtual machine_code code() const { return {}; }
};

/// How values of taps reach the host. direct: the thread that executes the program calls the tapped function with views of
/// the live buffers. outfeed: the values are copied into a bounded ring, which a receiver thread per device empties.
enum class tap_delivery : std::uint8_t { direct, outfeed };

struct tap_record;  // prims/id_tap.hpp

/// Carries the values of the taps of one device to the host: the common face of both deliveries.
class tap_channel : public counted {
 public:
  /// Hands over what the tap `tap` saw. Called by the executing thread in program order; may block, must not lose anything.
  virtual void deliver(const function_ref& tap, view<const array> values, const tap_record& record) = 0;
  /// Waits until all that was delivered before has reached the tapped functions; false if that took over `seconds`.
  virtual bool settle(double seconds) = 0;
};

/// A backend: a way to execute programs on a kind of device.
class backend_interface : public counted {
 public:
  virtual std::string_view name() const = 0;
  virtual int device_count() const = 0;
  /// Compiles `program`, whose constants are concrete. Errors: not_implemented if it cannot run some primitive.
  virtual ref<executable> compile(const closed_jaxpr& program, const compile_options& options) = 0;
  /// The delivery of taps that suits the devices best; jq::set_tap_delivery and receivers override it.
  virtual tap_delivery delivery() const { return tap_delivery::direct; }
  /// The native stream (a cudaStream_t, say) that executes the programs of a device; null where there is none.
  virtual void* stream([[maybe_unused]] int ordinal) { return nullptr; }
};

/// Makes a backend on first use.
using backend_factory = ref<backend_interface> (*)();

namespace detail {

/// Makes the interpreter, whose header defines it; not there (a null address) in a program that does without.
JACQUARD_HOOK backend_factory interpreter_factory;

/// A backend; `number` is device_id::backend. Entries are never removed. One without a factory of its own is the interpreter.
struct backend_entry {
  std::string name;
  backend_factory factory;
  std::uint16_t number;
  ref<backend_interface> instance = nullptr;
  backend_entry* next = nullptr;
};
struct backend_registry {
  detail::recursive_mutex mutex;  ///< a factory may look for another backend to build upon
  backend_entry* first = nullptr;
  backend_registry() {
    first = new backend_entry{"cpu", nullptr, 0};  // the platform used where none is named
    first->next = new backend_entry{"interpreter", nullptr, 1};
    forks::hold(mutex);
  }
};
/// Never destroyed: while the process exits, threads that run on and destructors of other globals may call compiled functions.
inline backend_registry& backends() {
  static backend_registry* const r = new backend_registry;
  return *r;
}
/// Null if the header that defines it was not included.
inline backend_factory factory_of(const backend_entry& e) {
  if (e.factory) return e.factory;
  return is_there(&interpreter_factory) ? interpreter_factory : nullptr;
}

}  // namespace detail

/// Makes a backend available as jq::backend(name). A second registration of a name replaces the factory if the backend was
/// not used yet. Errors: value_error if it was.
inline void register_backend(std::string_view name, backend_factory factory) {
  detail::backend_registry& r = detail::backends();
  const detail::scoped_lock lock(r.mutex);
  if (!factory) raise(error_kind::value, "register_backend: got no factory for '", name, "'; pass a function that makes the backend");
  std::uint16_t number = 0;
  detail::backend_entry** end = &r.first;
  for (; *end; end = &(*end)->next, ++number)
    if (detail::backend_entry& e = **end; e.name == name) {
      if (e.instance) raise(error_kind::value, "register_backend: '", name, "' is in use already; choose another name");
      e.factory = factory;
      return;
    }
  *end = new detail::backend_entry{std::string(name), factory, number};
}

namespace detail {
/// For a backend of the library itself, before main or while a library is loaded, where nobody can catch an error: false if the name was used
/// already, which is told of on stderr. What was in its place goes on there.
inline bool register_early(std::string_view name, backend_factory factory) {
  try {
    register_backend(name, factory);
    return true;
  } catch (const error&) {
    std::fprintf(stderr, "jacquard: the backend '%.*s' comes too late: what ran before its file was initialised took another one, which stays\n",
                 int(name.size()), name.data());
    return false;
  }
}
}  // namespace detail

/// The backend of that name and its number. Errors: value_error listing the known names.
JACQUARD_ONCE std::pair<backend_interface*, std::uint16_t> find_backend(std::string_view name) {
  detail::backend_registry& r = detail::backends();
  const detail::scoped_lock lock(r.mutex);
  text known;
  for (detail::backend_entry* e = r.first; e; e = e->next) {
    const backend_factory factory = detail::factory_of(*e);
    if (!factory) continue;
    if (e->name == name) {
      if (!e->instance) e->instance = factory();
      if (!e->instance) raise(error_kind::value, "backend: the factory of '", name, "' returned null, wanted a backend_interface");
      return {e->instance.get(), e->number};
    }
    known << (known.empty() ? "" : ", ") << std::string_view(e->name);
  }
  raise(error_kind::value, "backend: unknown name '", name, "', known are: ", known,
        "; include its header or call jq::register_backend first");
}

}  // namespace jacquard

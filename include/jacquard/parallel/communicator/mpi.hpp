#pragma once
// Functions whose members are the ranks of an MPI communicator: each process calls the function on arguments of its own, and collectives (psum,
// ppermute, all_gather, ...) pass between the processes. The one header that includes mpi.h; whoever includes it links MPI. Deliberately without
// starting or ending MPI, which is the program's, and without devices: a rank runs its program on one.

// Programs need not link MPI's old C++ interface.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <cstring>
#include <exception>
#include <memory>
#include <new>

#include "jacquard/core/word_hash.hpp"
#include "jacquard/parallel/member_function.hpp"
#include "jacquard/transforms/axes.hpp"

namespace jacquard::mpi {

/// An option of each_rank: the ranks that take part, all of MPI_COMM_WORLD unless it is given. An intracommunicator, which must outlive the calls;
/// its ranks make one call after the other on it.
struct communicator {
  MPI_Comm handle = MPI_COMM_WORLD;
};

namespace detail {

using jacquard::detail::byte_range;
using jacquard::detail::collective_steps;
using jacquard::detail::exchange;

/// Errors: value_error with MPI's own words, where the communicator returns errors instead of ending the program.
inline void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char words[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, words, &length);
  raise(error_kind::value, "jq::mpi: ", call, " failed: ", std::string_view(words, std::size_t(length)));
}
inline int rank_in(MPI_Comm comm) {
  int r = 0;
  check(MPI_Comm_rank(comm, &r), "MPI_Comm_rank");
  return r;
}
inline int size_of(MPI_Comm comm) {
  int n = 0;
  check(MPI_Comm_size(comm, &n), "MPI_Comm_size");
  return n;
}

/// An element of an array, to MPI, which only moves it.
inline MPI_Datatype type_of_elements(dtype t) {
  switch (jacquard::size_of(t)) {
    case 1: return MPI_BYTE;
    case 2: return MPI_UINT16_T;
    case 4: return MPI_UINT32_T;
    case 8: return MPI_UINT64_T;
    default: return MPI_C_DOUBLE_COMPLEX;
  }
}
/// Parts of an array, one for each rank, as MPI counts them: in elements, of which it knows 2^31 - 1.
struct parts {
  std::vector<int> counts, places;
  /// Errors: value_error for more elements.
  void add(std::int64_t bytes, std::int64_t at, const exchange& e, dtype element) {
    const std::int64_t unit = std::int64_t(jacquard::size_of(element)), n = bytes / unit, place = bytes == 0 ? 0 : at / unit;
    if (n > 2147483647 || place > 2147483647)
      raise(error_kind::value, e.operation, ": got ", *e.x.type, ", of which more than 2147483647 elements pass between ranks; send the array in pieces");
    counts.push_back(int(n));
    places.push_back(int(place));
  }
};

/// Where the ranks of a communicator stand, while they run one program. Every rank takes part in each round, the last of which says that
/// programs have ended; so no rank waits for one that does not come, as long as all make the call. What can fail on one rank alone comes
/// before a round, which then tells of it; between a round and the end of its exchange there are calls of MPI that all ranks make.
class rank_member final : public jacquard::detail::axis_member {
 public:
  rank_member(const axis_binding& over, MPI_Comm comm)
      : axis_member(over, rank_in(comm)), comm_(comm), standings_(std::size_t(over.size)), outer_(innermost), depth_(outer_ ? outer_->depth_ + 1 : 0) {
    innermost = this;
  }
  rank_member(const rank_member&) = delete;
  ~rank_member() { innermost = outer_; }

  void meet(exchange& mine, const collective_steps& steps) override {
    message m(*this, mine, steps);
    agree({state::at_collective, digest(mine)}, cat(mine.operation, " ", *mine.x.type));
    if (m.has_parts) call(MPI_Alltoallv(mine.x.data, m.sent.counts.data(), m.sent.places.data(), m.element, m.room.get(), m.received.counts.data(),
                                        m.received.places.data(), m.element, comm_), "MPI_Alltoallv");
    else call(MPI_Allgather(mine.x.data, m.sent.counts[0], m.element, m.room.get(), m.sent.counts[0], m.element, comm_), "MPI_Allgather");
    std::exception_ptr failure;
    try {
      for (std::int64_t member : m.makers) steps.part(m.all[std::size_t(member)]);
    } catch (...) {
      failure = std::current_exception();
    }
    if (!m.written.counts.empty())
      call(MPI_Allgatherv(MPI_IN_PLACE, 0, m.result_element, mine.result(), m.written.counts.data(), m.written.places.data(), m.result_element, comm_), "MPI_Allgatherv");
    if (failure) std::rethrow_exception(failure);
  }
  /// The program has ended, or this rank has failed. Errors: value_error where the program has ended and other ranks did not end theirs.
  void end() { if (!is_over_) agree({state::ended, 0}, {}); }
  void fail(std::string_view why) noexcept {
    if (is_over_) return;
    try {
      agree({state::failed, 0}, text(why));
    } catch (...) {
    }
  }
  // Each process has functions of the host to itself.
  void begin_host_call() override {}
  void end_host_call() override {}

 private:
  /// What a collective sends, receives and makes. Memory is there before ranks meet.
  struct message {
    message(const rank_member& self, exchange& mine, const collective_steps& steps)
        : has_parts(steps.reads != nullptr), element(type_of_elements(mine.x.type->type)), result_element(type_of_elements(mine.type.type)) {
      const std::size_t n = std::size_t(self.axis.size), own = std::size_t(self.index);
      if (mine.y.is_none()) mine.y = array(make_buffer(mine.type));
      all.resize(n, mine);
      for (std::size_t m = 0; m < n; ++m) all[m].member = std::int64_t(m), seen.push_back(&all[m]);
      for (exchange& e : all) e.all = seen;
      std::int64_t total = 0;
      std::vector<std::int64_t> begins;  // of operands in `room`
      const byte_range whole{0, mine.x.type->bytes()};
      for (std::size_t m = 0; m < n; ++m) {
        const byte_range to = has_parts ? steps.reads(all[m], self.index) : whole, from = has_parts ? steps.reads(all[own], std::int64_t(m)) : whole;
        const bool stays = has_parts && m == own;
        sent.add(stays ? 0 : to.last - to.first, to.first, mine, mine.x.type->type);
        if (has_parts) received.add(stays ? 0 : from.last - from.first, total, mine, mine.x.type->type);
        begins.push_back(total - from.first);
        total += stays ? 0 : from.last - from.first;
      }
      room.reset(new std::byte[std::size_t(total)]);
      // Where a whole operand would begin, of which only what is read is there.
      for (std::size_t m = 0; m < n; ++m)
        if (!has_parts || m != own) all[m].x.data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(room.get()) + std::uintptr_t(begins[m]));
      const std::int64_t holder = steps.holder(mine);
      std::vector<std::int64_t> sharing;
      for (std::size_t m = 0; m < n; ++m)
        if (steps.holder(all[m]) == holder) all[m].y = mine.y, sharing.push_back(std::int64_t(m));
      // A result in common: ranks send each other the parts that they make. Where these are in several pieces each rank makes all of them.
      const bool sends_parts = steps.writes && sharing.size() == n && n > 1;
      if (sends_parts || sharing.size() == 1) makers = {self.index};
      else makers = sharing;
      for (std::size_t m = 0; sends_parts && m < n; ++m) {
        const byte_range part = steps.writes(all[m]);
        written.add(part.last - part.first, part.first, mine, mine.type.type);
      }
    }
    const bool has_parts;
    const MPI_Datatype element, result_element;
    std::vector<exchange> all;  ///< by rank
    std::vector<const exchange*> seen;
    parts sent, received, written;
    std::unique_ptr<std::byte[]> room;
    std::vector<std::int64_t> makers;
  };
  enum class state : std::int64_t { at_collective, ended, failed };
  struct standing {
    state at;
    std::uint64_t what;
    bool operator==(const standing&) const = default;
  };
  static constexpr std::size_t told = 240;  ///< characters of where a rank is that others are told
  /// The one whose program this thread runs, perhaps called by a function of the host within another one.
  static inline constinit thread_local rank_member* innermost = nullptr;

  static std::uint64_t digest(const exchange& e) {
    using jacquard::detail::hash_with;
    std::uint64_t h = jacquard::detail::hash_of_words(view<const std::uint64_t>(e.params.words, e.params.count));
    for (char c : e.operation) h = hash_with(h, static_cast<unsigned char>(c));
    h = hash_with(h, std::uint64_t(e.x.type->type));
    for (std::int64_t d : e.x.type->dims) h = hash_with(h, std::uint64_t(d));
    return h;
  }
  /// A call of MPI; after one that failed this rank makes no other.
  void call(int code, const char* name) {
    if (code == MPI_SUCCESS) return;
    is_over_ = true;
    check(code, name);
  }
  /// A round: all ranks say where they stand. Errors: value_error on each rank that has not failed, unless all stand at the same place.
  void agree(standing mine, const text& here) {
    if (is_over_) raise(error_kind::value, "jq::mpi::each_rank: the program has ended by an error, and came to another collective");
    mine.what ^= depth_ << 56;
    if (mine.at != state::at_collective) is_over_ = true;
    call(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, standings_.data(), sizeof mine, MPI_BYTE, comm_), "MPI_Allgather");
    std::size_t other = 0;
    while (other < standings_.size() && standings_[other] == standings_[0]) ++other;
    if (other == standings_.size() && mine.at != state::failed) return;
    for (rank_member* r = this; r; r = r->outer_) r->is_over_ = true;  // ranks that were in none of the inner ones have left the outer ones
    const std::size_t n = standings_.size();
    char own[told] = {};
    std::copy_n(here.view().data(), std::min(here.view().size(), told - 1), own);
    const std::unique_ptr<char[]> words(new (std::nothrow) char[told * n]);  // who has no memory for what others say is told nothing
    int has_room = words ? 1 : 0;
    call(MPI_Allreduce(MPI_IN_PLACE, &has_room, 1, MPI_INT, MPI_MIN, comm_), "MPI_Allreduce");
    if (has_room) call(MPI_Allgather(own, int(told), MPI_BYTE, words.get(), int(told), MPI_BYTE, comm_), "MPI_Allgather");
    if (mine.at == state::failed) return;  // with an error of its own
    const auto where = [&](std::size_t m) {
      const char* const w = has_room ? words.get() + m * told : "";
      if (standings_[m].at == state::ended) return cat("rank ", m, " has ended");
      return standings_[m].at == state::failed ? cat("rank ", m, " has failed: ", w) : cat("rank ", m, " is at ", w);
    };
    for (std::size_t m = 0; m < n; ++m)
      if (standings_[m].at == state::failed) raise(error_kind::value, "jq::mpi::each_rank: ", where(m));
    const bool looks_same = standings_[0].at == standings_[other].at && has_room && std::strcmp(words.get(), words.get() + other * told) == 0;
    raise(error_kind::value, "jq::mpi::each_rank: ", where(0), ", but ", where(other), looks_same ? ", perhaps with other parameters" : "",
          "; every rank takes part in each collective, so that none may stand in a branch or a loop of which ranks do not make the same number of rounds");
  }

  const MPI_Comm comm_;
  std::vector<standing> standings_;  ///< of all ranks, in a round
  rank_member* const outer_;
  const std::uint64_t depth_;
  bool is_over_ = false;
};

/// The program that each rank runs.
class rank_program {
 public:
  explicit rank_program(jacquard::detail::member_plan p) : plan_(std::move(p)) {
    const jacquard::detail::axis_scope scope(&plan_.axis);
    compiled_ = jacquard::detail::compile_program(plan_.program, plan_.devices[0], plan_.donated);
  }
  std::vector<array> run(view<const array> arguments, const location& where, rank_member& self) {
    if (self.axis.size != plan_.axis.size)
      raise(error_kind::value, "jq::mpi::each_rank: got a communicator of ", self.axis.size, " ranks, wanted the ", plan_.axis.size, " of the first call; make another function for it");
    jacquard::detail::check_arguments(arguments, plan_.donated, plan_.program.constants);
    std::vector<array> results(plan_.program->outvars.size());
    const jacquard::detail::member_scope scope(&self);
    compiled_->run_into(arguments, results, where);
    return results;
  }

 private:
  jacquard::detail::member_plan plan_;
  ref<executable> compiled_;
};

template <class O>
concept for_ranks = std::is_same_v<O, communicator> || std::is_same_v<O, device> || jacquard::detail::is_axis_name<O> ||
                    (jacquard::detail::for_members<O> && !jacquard::detail::is_device_list<O>);

/// Calls with arrays, of functions by their signature.
template <class... O>
class rank_calls : public jacquard::detail::member_calls<O...> {
  using base = jacquard::detail::member_calls<O...>;
  using base::options_;
  template <class Result, class... T>
  using function_of = jacquard::detail::function_of<Result, T...>;
  /// The cache of the function, which may have none: asked for once ranks can tell each other of errors.
  using cache_function = function_of<jacquard::detail::jit_cache*>;

 public:
  explicit rank_calls(const std::tuple<O...>& options) : base(options) {}

  /// Calls f as this rank.
  template <class Result, class... T, class Statics, class... D>
  rebind_t<Result> run(const function_of<Result, T...>& f, const cache_function& cache, const Statics& given, view<const array> leaves, const D&... args) const {
    using namespace jacquard::detail;
    if (trace_of(leaves))
      raise(error_kind::not_implemented, "jq::mpi::each_rank: got a tracer; the function runs on each rank's own values, so that transforms such as jq::grad and jq::vmap go inside it");
    communicator over;
    base::for_each_option([&](const auto& o) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(o)>, communicator>) over = o;
    });
    const axis_binding axis{mapped_name<O...>(), size_of(over.handle), nullptr, true};
    rank_member self(axis, over.handle);
    try {
      auto result = run_as(self, f, cache, given, leaves, args...);
      self.end();
      return result;
    } catch (const std::exception& e) {
      self.fail(e.what());
      throw;
    } catch (...) {
      self.fail("what was thrown is no std::exception");
      throw;
    }
  }

 private:
  template <class Result, class... T, class Statics, class... D>
  rebind_t<Result> run_as(rank_member& self, const function_of<Result, T...>& f, const cache_function& cache, const Statics& given, view<const array> leaves,
                          const D&... args) const {
    using namespace jacquard::detail;
    const axis_scope scope(&self.axis);
    return base::template run_members<rank_program>(*cache(), signature::of(leaves, args...), given, leaves, [&] {
      const auto t = trace_function(f, trace::purpose::staging, "jq::mpi::each_rank", avals_of(leaves), {}, nullptr, args...);
      auto result = prototype_of(t);
      const target where = target_of(options_);
      return planned_call<decltype(result)>{{simplify(t.program, tap_effect, where.strict), self.axis, {}, {}, std::vector<char>(leaves.size(), false), {where}}, std::move(result)};
    }, self);
  }
};

template <class F, class... O>
class rank_function : public jacquard::detail::member_function<F, O...> {
  using base = jacquard::detail::member_function<F, O...>;
  using base::f_, base::options_, base::statics;

 public:
  constexpr rank_function(F f, O... options) : base(std::move(f), std::move(options)...) {}

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(jacquard::detail::positions_fit(statics, sizeof...(A)), "jq::mpi::each_rank: static_argnums names an argument that was not passed");
    auto own_cache = [&] { return &base::cache(); };
    const auto cache = jacquard::detail::seen_when_called_with<>(own_cache);
    return jacquard::detail::call_with_signature<statics>(f_, [&](const auto& f, const auto& given, const auto&... own) {
      return rank_calls<O...>(options_).run(f, cache.of_signature(), given, flatten_all(own...), own...);
    }, args...);
  }
};

}  // namespace detail

/// f as a program of many processes: each rank of a communicator calls the result on arguments of its own, and gets results of its own. Collectives that
/// name the axis (jq::axis_name) have the ranks as members: psum adds over ranks, ppermute sends from rank to rank, axis_index is the rank. All ranks must make the
/// call, with arguments of the same types. f is traced and compiled once for each signature, and may differentiate and vectorise what it likes inside.
/// Constants are each rank's own. Sums are taken in the order of ranks, so that their bits depend on nothing else; of a large array of n bytes each rank
/// sends and receives 2 n.
/// Options: axis_name, an mpi::communicator, static_argnums, a device, backend(name), a precision, denormals, a compile_at.
/// MPI must be initialised, and calls be made from threads that may call it, one after the other on a communicator. Errors: value_error on every rank where
/// ranks come to collectives of different kinds, types or parameters, or one of them has ended or failed, in whose place its own error is thrown;
/// not_implemented within other transforms.
template <class F, class... O>
constexpr auto each_rank(F f, O... options) {
  static_assert((jacquard::detail::is_axis_name<O> || ...), "jq::mpi::each_rank: name the axis of the ranks with jq::axis_name<\"name\">");
  static_assert((detail::for_ranks<O> && ...), "jq::mpi::each_rank: this option is not one of jq::axis_name<\"name\">, a jq::mpi::communicator, "
                "jq::static_argnums<i...>, a jq::device, jq::backend(name), a jq::precision, jq::denormals, a jq::compile_at");
  (void)jacquard::detail::check_function<F>();
  return detail::rank_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard::mpi

#pragma once
// Functions whose members are the ranks of an MPI communicator: each process calls the function on arguments of its own, and collectives (psum,
// ppermute, all_gather, ...) pass between the processes. The one header that includes mpi.h; whoever includes it links MPI. Deliberately without
// starting or ending MPI, which is the program's, and without devices: a rank runs its program on one.

// Programs need not link MPI's old C++ interface.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include "jacquard/parallel/member_function.hpp"

namespace jacquard::mpi {

/// An option of each_rank: the ranks that take part, all of MPI_COMM_WORLD unless it is given. The communicator must outlive the calls.
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

/// Bytes as so many units of some size, of which MPI counts at most 2^31 - 1. Errors: value_error for more.
inline int units(std::int64_t bytes, std::int64_t unit, std::string_view operation) {
  const std::int64_t n = bytes / unit;
  if (n > 2147483647)
    raise(error_kind::value, operation, ": got ", n, " elements in one message between ranks, wanted fewer than 2147483648; send the array in pieces");
  return int(n);
}

/// Where the ranks of a communicator stand, while they run one program. Every rank takes part in each round, the last of which says that
/// programs have ended; so no rank waits for one that does not come, as long as all make the call.
class rank_member final : public jacquard::detail::axis_member {
 public:
  rank_member(const axis_binding& over, MPI_Comm comm) : axis_member(over, rank_in(comm)), comm_(comm) {}

  static int rank_in(MPI_Comm comm) {
    int r = 0;
    check(MPI_Comm_rank(comm, &r), "MPI_Comm_rank");
    return r;
  }
  static int size_of(MPI_Comm comm) {
    int n = 0;
    check(MPI_Comm_size(comm, &n), "MPI_Comm_size");
    return n;
  }

  void meet(exchange& mine, const collective_steps& steps) override {
    text here = cat(mine.operation, " ", *mine.x.type);
    agree({state::at_collective, digest(mine)}, here);
    const std::int64_t n = axis.size;
    std::vector<exchange> all(std::size_t(n), mine);
    std::vector<const exchange*> seen;
    for (std::int64_t m = 0; m < n; ++m) all[std::size_t(m)].member = m, seen.push_back(&all[std::size_t(m)]);
    for (exchange& e : all) e.all = seen;
    mine.all = seen;
    std::vector<std::byte> room;
    if (steps.reads) read_some(all, mine, steps, room);
    else read_all(all, mine, room);
    make_results(all, mine, steps);
    mine.all = {};
  }
  /// The program has ended, by an error if `failure` is not empty. Errors: value_error where other ranks did not end, too.
  void leave(std::string_view failure) {
    if (is_over_) return;
    agree({failure.empty() ? state::ended : state::failed, 0}, text(failure));
  }
  // Each process has functions of the host to itself.
  void begin_host_call() override {}
  void end_host_call() override {}

 private:
  enum class state : std::int64_t { at_collective, ended, failed };
  struct standing {
    state at;
    std::uint64_t what;
    bool operator==(const standing&) const = default;
  };
  static constexpr std::size_t told = 240;  ///< characters of where a rank is that others are told

  static std::uint64_t digest(const exchange& e) {
    std::uint64_t h = 1469598103934665603u;
    const auto add = [&](std::uint64_t w) { h = (h ^ w) * 1099511628211u; };
    for (char c : e.operation) add(static_cast<unsigned char>(c));
    add(std::uint64_t(e.x.type->type));
    for (std::int64_t d : e.x.type->dims) add(std::uint64_t(d));
    for (std::uint32_t i = 0; i < e.params.count; ++i) add(e.params.words[i]);
    return h;
  }
  /// A round: all ranks say where they stand. Errors: value_error on each rank, unless all stand at the same place.
  void agree(const standing& mine, const text& here) {
    std::vector<standing> all(std::size_t(axis.size));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, comm_), "MPI_Allgather");
    if (mine.at != state::at_collective) is_over_ = true;
    std::size_t other = 0;
    while (other < all.size() && all[other] == all[0]) ++other;
    if (other == all.size()) return;
    is_over_ = true;
    std::vector<char> words(told * all.size()), own(told);
    std::copy_n(here.view().data(), std::min(here.view().size(), told - 1), own.data());
    check(MPI_Allgather(own.data(), int(told), MPI_BYTE, words.data(), int(told), MPI_BYTE, comm_), "MPI_Allgather");
    const auto where = [&](std::size_t m) {
      const std::string_view w(words.data() + m * told);
      if (all[m].at == state::ended) return cat("rank ", m, " has ended");
      return all[m].at == state::failed ? cat("rank ", m, " has failed: ", w) : cat("rank ", m, " is at ", w);
    };
    if (mine.at == state::failed) return;  // with an error of its own
    for (std::size_t m = 0; m < all.size(); ++m)
      if (all[m].at == state::failed) raise(error_kind::value, "jq::mpi::each_rank: ", where(m));
    raise(error_kind::value, "jq::mpi::each_rank: ", where(0), ", but ", where(other), "; every rank takes part in each collective, so that none may stand "
          "in a branch or a loop of which ranks do not make the same number of rounds");
  }
  /// Operands of all ranks, whole.
  void read_all(std::vector<exchange>& all, const exchange& mine, std::vector<std::byte>& room) {
    const std::int64_t bytes = mine.x.type->bytes(), unit = std::int64_t(jacquard::size_of(mine.x.type->type));
    room.resize(std::size_t(bytes * axis.size));
    const element unit_type(unit);
    const int count = units(bytes, unit, mine.operation);
    check(MPI_Allgather(mine.x.data, count, unit_type.type, room.data(), count, unit_type.type, comm_), "MPI_Allgather");
    for (std::size_t m = 0; m < all.size(); ++m) all[m].x.data = room.data() + std::int64_t(m) * bytes;
  }
  /// Of each rank's operand what this rank's part reads.
  void read_some(std::vector<exchange>& all, const exchange& mine, const collective_steps& steps, std::vector<std::byte>& room) {
    const std::int64_t unit = std::int64_t(jacquard::size_of(mine.x.type->type));
    const element unit_type(unit);
    std::vector<int> counts[2], places[2];  // sent, received
    std::vector<std::int64_t> begins;
    std::int64_t total = 0;
    for (std::size_t m = 0; m < all.size(); ++m) {
      const byte_range to = steps.reads(all[m], index), from = steps.reads(all[std::size_t(index)], std::int64_t(m));
      const bool is_own = std::int64_t(m) == index;  // which stays where it is
      counts[0].push_back(is_own ? 0 : units(to.last - to.first, unit, mine.operation));
      places[0].push_back(units(to.first, unit, mine.operation));
      counts[1].push_back(is_own ? 0 : units(from.last - from.first, unit, mine.operation));
      places[1].push_back(units(total, unit, mine.operation));
      begins.push_back(total - from.first);
      total += is_own ? 0 : from.last - from.first;
    }
    room.resize(std::size_t(total));
    check(MPI_Alltoallv(mine.x.data, counts[0].data(), places[0].data(), unit_type.type, room.data(), counts[1].data(), places[1].data(),
                        unit_type.type, comm_), "MPI_Alltoallv");
    // Where a whole operand would begin, of which this part alone is there and read.
    for (std::size_t m = 0; m < all.size(); ++m)
      if (std::int64_t(m) != index) all[m].x.data = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(room.data()) + std::uintptr_t(begins[m]));
  }
  /// The result of this rank: its own, or one in common, of which ranks send each other the parts, or where these are not in one piece make all.
  void make_results(std::vector<exchange>& all, exchange& mine, const collective_steps& steps) {
    const std::int64_t holder = steps.holder(mine);
    if (mine.y.is_none()) mine.y = array(make_buffer(mine.type));
    std::vector<std::size_t> sharing;
    for (std::size_t m = 0; m < all.size(); ++m)
      if (steps.holder(all[m]) == holder) all[m].y = mine.y, sharing.push_back(m);
    if (sharing.size() == 1 || steps.writes) steps.part(all[std::size_t(index)]);
    else
      for (std::size_t m : sharing) steps.part(all[m]);
    if (sharing.size() == 1 || !steps.writes) return;
    const std::int64_t unit = std::int64_t(jacquard::size_of(mine.type.type));
    const element unit_type(unit);
    std::vector<int> counts, places;
    for (const exchange& e : all) {
      const byte_range part = steps.writes(e);
      counts.push_back(units(part.last - part.first, unit, mine.operation));
      places.push_back(units(part.first, unit, mine.operation));
    }
    check(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mine.result(), counts.data(), places.data(), unit_type.type, comm_), "MPI_Allgatherv");
  }
  /// An element of an array, to MPI: so many bytes.
  struct element {
    MPI_Datatype type;
    explicit element(std::int64_t bytes) {
      check(MPI_Type_contiguous(int(bytes), MPI_BYTE, &type), "MPI_Type_contiguous");
      check(MPI_Type_commit(&type), "MPI_Type_commit");
    }
    element(const element&) = delete;
    ~element() { MPI_Type_free(&type); }
  };

  MPI_Comm comm_;
  bool is_over_ = false;
};

/// The program that each rank runs.
class rank_program {
 public:
  explicit rank_program(jacquard::detail::member_plan p) : plan_(std::move(p)) {
    const jacquard::detail::axis_scope scope(&plan_.axis);
    compiled_ = jacquard::detail::compile_program(plan_.program, plan_.devices[0], plan_.donated);
  }
  std::vector<array> run(view<const array> arguments, const location& where, const communicator& over) {
    rank_member self(plan_.axis, over.handle);
    std::vector<array> results(plan_.program->outvars.size());
    try {
      const jacquard::detail::member_scope scope(&self);
      compiled_->run_into(arguments, results, where);
    } catch (const std::exception& e) {
      self.leave(e.what());
      throw;
    } catch (...) {
      self.leave("what was thrown is no std::exception");
      throw;
    }
    self.leave({});
    return results;
  }

 private:
  jacquard::detail::member_plan plan_;
  ref<executable> compiled_;
};

template <class O>
concept for_ranks = std::is_same_v<O, communicator> || jacquard::detail::is_axis_name<O> ||
                    (jacquard::detail::for_members<O> && !jacquard::detail::is_device_list<O>);

template <class F, class... O>
class rank_function : public jacquard::detail::member_function<F, O...> {
  using base = jacquard::detail::member_function<F, O...>;
  using base::f_, base::options_, base::statics;

 public:
  constexpr rank_function(F f, O... options) : base(std::move(f), std::move(options)...) {}

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(jacquard::detail::positions_fit(statics, sizeof...(A)), "jq::mpi::each_rank: static_argnums names an argument that was not passed");
    F f = f_;
    const jacquard::detail::bound_function<statics, F, A...> g{f, std::tuple<const A&...>(args...)};
    return jacquard::detail::call_with_picked<statics, false>([&](const auto&... own) {
      const leaf_list leaves = flatten_all(own...);
      return run(g, jacquard::detail::pick_arguments<statics, true>(args...), leaves, own...);
    }, args...);
  }

 private:
  template <class G, class Statics, class... D>
  auto run(const G& g, const Statics& given, view<const array> leaves, const D&... args) const {
    using namespace jacquard::detail;
    if (trace_of(leaves))
      raise(error_kind::not_implemented, "jq::mpi::each_rank: got a tracer; the function runs on each rank's own values, so that transforms such as jq::grad and jq::vmap go inside it");
    communicator over;
    base::for_each_option([&](const auto& o) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(o)>, communicator>) over = o;
    });
    const axis_binding axis{mapped_name<O...>(), rank_member::size_of(over.handle), nullptr};
    const axis_scope scope(&axis);
    return base::template run_members<rank_program>(signature::of(leaves, args...), given, leaves, [&] {
      G f = g;
      std::vector<aval> types;
      for (const array& x : leaves) types.push_back(x.aval());
      const auto t = trace_function(f, trace::purpose::staging, "jq::mpi::each_rank", types, {}, nullptr, args...);
      auto result = prototype_of(t);
      const target where = target_of(options_);
      return planned_call<decltype(result)>{{simplify(t.program, tap_effect, where.strict), axis, {}, {}, std::vector<char>(leaves.size(), false), {where}}, std::move(result)};
    }, over);
  }
};

}  // namespace detail

/// f as a program of many processes: each rank of a communicator calls the result on arguments of its own, and gets results of its own. Collectives that
/// name the axis (jq::axis_name) have the ranks as members: psum adds over ranks, ppermute sends from rank to rank, axis_index is the rank. All ranks must make the
/// call, with arguments of the same types. f is traced and compiled once for each signature, and may differentiate and vectorise what it likes inside.
/// Sums are taken in the order of ranks, so that their bits depend on nothing else; of an array of n bytes each rank sends and receives at most 2 n.
/// Options: axis_name, an mpi::communicator, static_argnums, a device, backend(name), a precision, denormals, a compile_at.
/// MPI must be initialised, and calls be made from threads that may call it. Errors: value_error on every rank where ranks come to different
/// collectives, or one of them has ended or failed, in whose place its own error is thrown; not_implemented within other transforms.
template <class F, class... O>
constexpr auto each_rank(F f, O... options) {
  static_assert((jacquard::detail::is_axis_name<O> || ...), "jq::mpi::each_rank: name the axis of the ranks with jq::axis_name<\"name\">");
  static_assert((detail::for_ranks<O> && ...), "jq::mpi::each_rank: this option is not one of jq::axis_name<\"name\">, a jq::mpi::communicator, "
                "jq::static_argnums<i...>, a jq::device, jq::backend(name), a jq::precision, jq::denormals, a jq::compile_at");
  (void)jacquard::detail::check_function<F>();
  return detail::rank_function<F, O...>(std::move(f), std::move(options)...);
}

}  // namespace jacquard::mpi

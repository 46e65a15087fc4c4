#pragma once
// The stages of jit that can be taken one at a time: a traced function of one signature, and a compiled one. Deliberately without
// tracing and without a cache, which are those of exec/jit.

#include <cstdio>

#include "jacquard/core/atomic.hpp"
#include "jacquard/core/call_arrays.hpp"
#include "jacquard/core/compiled_once.hpp"
#include "jacquard/core/print.hpp"
#include "jacquard/exec/analysis.hpp"
#include "jacquard/exec/bound_call.hpp"
#include "jacquard/exec/compilation.hpp"
#include "jacquard/exec/dispatcher.hpp"
#include "jacquard/exec/executable_bytes.hpp"
#include "jacquard/exec/logging.hpp"
#include "jacquard/exec/signature.hpp"

namespace jacquard {

namespace detail {

/// The user's line of a program: what stands for the call of a compiled function in messages.
inline location location_of(const closed_jaxpr& p) {
  for (const equation& e : p->equations)
    if (e.where.known()) return e.where;
  return {};
}

/// Tells of donated arguments that nothing takes over.
inline void warn_of_donations(const text& unusable) {
  if (unusable.empty()) return;
  std::fprintf(stderr, "warning: Some donated buffers were not usable: %.*s. An argument can be taken over by an output of its "
               "dtype and shape; do not donate the others.\n", int(unusable.size()), unusable.view().data());
}

/// Prepares a traced program for a backend and compiles it there; `code` is machine code that is known of it.
JACQUARD_ONCE ref<executable> compile_program(const closed_jaxpr& program, const target& where, const std::vector<char>& donated,
                                              bool warns = true, const machine_code* code = nullptr) {
  const auto [b, number] = find_backend(where.platform);
  check_ordinal(where.platform, where.ordinal, *b);
  compile_options options;
  options.device = {number, std::uint16_t(where.ordinal)};
  options.strict = where.strict;
  options.fast_math = where.fast_math;
  options.flushes_denormals = where.flushes_denormals;
  if (where.strict && where.flushes_denormals)
    raise(error_kind::value, "jit: got precision::strict and denormals::flush, which contradict each other: the interpreter, whose bits strict "
          "asks for, keeps denormal numbers; leave one of them out");
  options.when = where.when;
  options.code = code;
  text unusable;
  options.donated = usable_donations(program.in_avals(), program.out_avals(), donated, unusable);
  event_scope scope(event_kind::compile, "compile", options.device, location_of(program));
  if (event* e = scope.seen()) {
    put_types(e->detail, program.in_avals());
    put_types(e->detail << " -> ", program.out_avals());
    e->detail << ", " << program->equations.size() << (program->equations.size() == 1 ? " equation" : " equations");
  }
  if (warns) warn_of_donations(unusable);
  return b->compile(program, options);
}

/// The calls that a compiled program has been found to fit, by the types of their arguments: the next one of these types compares words
/// instead of texts. They stay for as long as the program does.
class fitting_calls : public counted {
 public:
  fitting_calls() = default;
  ~fitting_calls() override {
    for (const node* n = first_.load(ordering::relaxed); n;) delete std::exchange(n, n->next);
  }
  /// The signature of calls with these types, null if there was none yet.
  template <class... A>
  const signature* find() const {
    for (const node* n = first_.load(ordering::acquire); n; n = n->next)
      if (n->kind == &kind<A...>) return &n->key;
    return nullptr;
  }
  template <class... A>
  void add(signature key) {
    if (find<A...>()) return;
    const node* known = first_.load(ordering::acquire);
    node* const made = new node{&kind<A...>, std::move(key), known};
    while (!first_.exchange_if(known, made)) made->next = known;
  }

 private:
  struct node {
    const int* kind;
    signature key;
    const node* next;
  };
  /// Its address tells types of calls apart.
  template <class... A>
  static inline int kind = 0;

  atomic<const node*> first_{nullptr};
};

}  // namespace detail

/// A compiled program of one signature; see jit(f).lower(x...).compile().
template <class Result>
class compiled {
 public:
  compiled(ref<executable> e, closed_jaxpr p, const detail::target& target, std::vector<char> donated, text structure, Result result)
      : program_(std::move(e)), source_(std::move(p)), in_(source_.in_avals()), outputs_(source_->outvars.size()), target_(target),
        device_(target.number()), where_(detail::location_of(source_)), donated_(std::move(donated)),
        queued_(make_ref<detail::dispatcher>(program_, source_, device_, donated_)), structure_(std::move(structure)),
        result_(std::move(result)) {
    for (char d : donated_) donates_ = donates_ || d;
  }

  /// Runs the program. Errors: type_error if the arguments differ from those it was compiled for.
  template <class... A>
  rebind_t<Result> operator()(const A&... args) const {
    constexpr bool are_arrays = (has_only_arrays<A>() && ...);
    if constexpr (are_arrays) {
      const detail::signature* const known = detail::unusual_now() == 0 ? fitting_->template find<A...>() : nullptr;
      if (detail::borrowed_arrays leaves; known && known->is_of(leaves, args...)) {
        if (donates_) detail::check_arguments(leaves, donated_, source_.constants);
        return results_of(leaves, [](array&) {});
      }
    }
    const leaf_list leaves = flatten_all(args...);
    const text got = tree::structure(std::tuple<const A&...>(args...));
    if (!(got == structure_))
      raise(error_kind::type, "function compiled for ", structure_, ", called with ", got, "; pass arguments of that structure, or "
            "call the jitted function, which compiles for others too");
    if (leaves.size() != in_.size()) raise(error_kind::type, "function compiled for ", in_.size(), " arrays, called with ", leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].is_tracer())
        raise(error_kind::type, "Cannot apply JAX transformations to a function lowered and compiled for a particular signature; "
                                "transform the function and compile the result");
      detail::check_value(leaves[i], i);
      if (!same_type(leaves[i].aval(), in_[i]))
        raise(error_kind::type, "Computation compiled for input types:\n  ", long_text(in_[i]), "\ncalled with:\n  ",
              long_text(leaves[i].aval()), "\nin argument leaf ", i, "; compile it for these types too, or call the jitted function");
    }
    if constexpr (are_arrays) fitting_->template add<A...>(detail::signature::of(leaves, args...));
    detail::event_scope scope(event_kind::dispatch, "call", device_, where_);
    if (event* e = scope.seen()) detail::put_types(e->detail, leaves), scope.begin();
    if (queued_->queues()) {
      detail::call_arrays out(outputs_);
      queued_->run(leaves, out, where_);
      return rebuild<rebind_t<Result>>(result_, view<const array>(out));
    }
    detail::check_arguments(leaves, donated_, source_.constants);
    return results_of(leaves, [](array& x) { x = detail::owned(x); });
  }
  /// The function on memory that the caller keeps: of each array among the arguments, in the order of the tree's leaves, where its elements
  /// lie, and where those of each result belong. Every call of what is returned reads and writes there, without making arrays: a few
  /// nanoseconds beyond the work, no allocation, in the calling thread. A result may lie where a donated argument of its size does.
  /// Machine code is made now, unless jq::compile_at::never. Errors: type_error where dtype or number of elements differ, value_error where
  /// memory overlaps.
  bound_call bind(std::span<const readable_memory> arguments, std::span<const writable_memory> results) const {
    return {program_, in_, source_.out_avals(), donated_, {arguments.data(), arguments.size()}, {results.data(), results.size()}, device_, where_};
  }
  bound_call bind(std::initializer_list<readable_memory> arguments, std::initializer_list<writable_memory> results) const {
    return bind(std::span(arguments.begin(), arguments.size()), std::span(results.begin(), results.size()));
  }
  /// The function as bytes that jq::load_executable (exec/executable_file.hpp) turns into one that does the same, in this process or
  /// another one: the program, the constants it captured, how it was compiled, what is donated, and the machine code where it has been made
  /// (jq::compile_at::first_call makes it at once). Errors: value_error that names an equation which calls the host.
  std::vector<std::byte> serialize() const {
    const std::string s = bytes();
    const auto begin = reinterpret_cast<const std::byte*>(s.data());
    return {begin, begin + s.size()};
  }
  /// The same in a file, which is replaced as a whole. Errors: also value_error where it cannot be written.
  void save(std::string_view path) const { detail::write_executable(path, bytes()); }
  std::string as_text() const { return std::string(program_->as_text().view()); }
  /// One stage of compilation: "jaxpr" everywhere, "buffers" (where values lie) on the backends of this library, and "clusters", "loops"
  /// and "llvm" on the native one. Errors: value_error that lists the stages there are.
  std::string as_text(std::string_view stage) const { return std::string(detail::stage_text(*program_, stage).view()); }
  /// Bytes that a run takes: arguments, outputs, temporaries, and outputs that lie in the memory of arguments.
  /// Errors: not_implemented where the backend does not say; so for cost_analysis.
  program_memory memory_analysis() const { return detail::analysis_of(*program_).memory; }
  /// Operations of a run, and bytes it reads and writes.
  program_cost cost_analysis() const { return detail::analysis_of(*program_).cost; }
  /// What runs together and where values lie: what jq::to_dot and jq::to_html draw.
  /// Errors: not_implemented where the backend does not say.
  program_layout layout() const { return detail::analysis_of(*program_).layout; }

 private:
  /// Runs now; `keep` sees each result.
  template <class Keep>
  rebind_t<Result> results_of(view<const array> leaves, Keep keep) const {
    detail::call_arrays out(outputs_);
    program_->run_into(leaves, out, where_);
    for (array& x : out) keep(x);
    return rebuild<rebind_t<Result>>(result_, view<const array>(out));
  }
  static text long_text(const aval& a) {
    text t(long_name(a.type));
    t << '[';
    for (int d = 0; d < a.rank(); ++d) t << (d ? "," : "") << a.dims[d];
    return t << ']';
  }

  std::string bytes() const {
    detail::kept_executable x{target_, donated_, std::string(structure_.view()), std::string(tree::structure(result_).view()), {}, program_->code(), source_};
    detail::structure_words(result_, [&](std::uint64_t w) { x.words.push_back(w); });
    return detail::bytes_of(x, where_);
  }

  ref<executable> program_;
  closed_jaxpr source_;
  std::vector<aval> in_;
  std::size_t outputs_;
  detail::target target_;
  device_id device_;
  location where_;
  std::vector<char> donated_;
  bool donates_ = false;  ///< whether any argument is donated
  ref<detail::dispatcher> queued_;
  ref<detail::fitting_calls> fitting_ = make_ref<detail::fitting_calls>();
  text structure_;
  Result result_;
};

/// A traced, not yet compiled function of one signature; see jit(f).lower(x...).
template <class Result>
class lowered {
 public:
  lowered(closed_jaxpr p, detail::target where, std::vector<char> donated, text structure, Result result)
      : program_(std::move(p)), where_(std::move(where)), donated_(std::move(donated)), structure_(std::move(structure)),
        result_(std::move(result)) {}
  const closed_jaxpr& jaxpr() const { return program_; }
  /// By leaf of the arguments: whether it is donated.
  const std::vector<char>& donated() const { return donated_; }
  std::string as_text() const { return to_string(program_); }
  /// One stage of its compilation, as that of `compiled`: what compile() would make is made for this text alone. Errors: likewise.
  std::string as_text(std::string_view stage) const { return std::string(detail::stage_text(*made_for_a_look(), stage).view()); }
  compiled<Result> compile() const {
    return {detail::compile_program(program_, where_, donated_), program_, where_, donated_, structure_, result_};
  }
  /// The memory of the compiled program, without a word on stderr of donations that are of no use.
  program_memory memory_analysis() const { return detail::analysis_of(*made_for_a_look()).memory; }
  /// Its operations, and bytes it reads and writes.
  program_cost cost_analysis() const { return detail::analysis_of(*made_for_a_look()).cost; }

 private:
  ref<executable> made_for_a_look() const { return detail::compile_program(program_, where_, donated_, false); }

  closed_jaxpr program_;
  detail::target where_;
  std::vector<char> donated_;
  text structure_;
  Result result_;
};

}  // namespace jacquard

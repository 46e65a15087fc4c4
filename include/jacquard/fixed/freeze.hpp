#pragma once
// Freezing: a function without state is traced inside a constant expression on variables of static types, simplified, and
// copied into an object of exactly the size it needs. What is wrong with the function becomes a compiler diagnostic.
// Deliberately knows nothing of evaluation.

#include "jacquard/fixed/frozen.hpp"
#include "jacquard/fixed/lanes.hpp"
#include "jacquard/fixed/static_tree.hpp"
#include "jacquard/transforms/function.hpp"
#include "jacquard/transforms/simplify.hpp"

namespace jacquard {

/// A message as a template argument, so that every compiler prints it: one line of it, or several where the compiler cuts long ones.
#ifdef __clang__
inline constexpr std::size_t message_width = 36;
#else
inline constexpr std::size_t message_width = 0;
#endif
template <std::size_t N, std::size_t Width = message_width>
struct error_text {
  char text[N][Width + 1]{};
  constexpr bool empty() const { return text[0][0] == '\0'; }
  /// Room for a message, and its lines, which end between words where they can.
  static constexpr std::size_t room(std::string_view message) { return error_text<1, Width>{}.write(message); }
  constexpr std::size_t write(std::string_view message) {
    std::size_t lines = 0;
    for (; !message.empty(); ++lines) {
      std::size_t n = message.size() < Width ? message.size() : Width;
      if (n < message.size())
        if (const std::size_t gap = message.substr(0, n).rfind(' '); gap != message.npos) n = gap + 1;
      for (std::size_t i = 0; lines < N && i < Width; ++i) text[lines][i] = i < n ? message[i] : ' ';
      message.remove_prefix(n);
    }
    return lines;
  }
};
template <std::size_t N>
struct error_text<N, 0> {
  char text[N]{};
  constexpr bool empty() const { return text[0] == '\0'; }
  static constexpr std::size_t room(std::string_view message) { return message.size() + 1; }
  constexpr void write(std::string_view message) {
    for (std::size_t i = 0; i < message.size(); ++i) text[i] = message[i];
  }
};
/// Instantiated with the message of a function that cannot be transformed at compile time. Converts to anything, so that
/// no further errors follow.
template <error_text Message>
struct jacquard_error {
  static_assert(Message.empty(), "jacquard: the function cannot be transformed; the message is the argument of jacquard_error");
  template <class T>
  constexpr operator T() const;
  template <class Stream>
  friend Stream& operator<<(Stream&, const jacquard_error&);
};

namespace detail {

/// What simplification may drop from the program of F where its results are not used.
template <class F>
inline constexpr effect_set droppable_effects = no_effect;

/// The program of a function F on static arguments A..., simplified or as it was traced, for vectors of so many lanes. These are part of its name,
/// and so of the names of all code that is made for it: files of one program may be compiled for different processors.
template <int Lanes, bool Simplified, class F, class... A>
struct static_program_for {
  static constexpr bool has_values = (has_only_arrays<rebind_t<A>>() && ...);
  static_assert(has_values, "jacquard: an argument has members that are not of its leaf type, whose values are not "
                                                         "known while tracing at compile time; make them of that type, or keep them apart");
  using result = decltype(call_function(std::declval<F&>(), std::declval<rebind_t<A>>()...));

  /// As it was traced, with the tree of its results.
  static constexpr traced<result> trace() {
    trace_scope t(trace::purpose::staging, nullptr);
    t->name = "the compile-time lane";
    t->root = true;
    const std::vector<aval> types = static_avals<A...>();
    std::vector<array> inputs, outs;
    for (const aval& a : types) inputs.push_back(t->input(a));
    t.enter();
    F f{};
    const result r = call_with_leaves(f, inputs, std::index_sequence_for<A...>{}, A{}...);
    flatten_into(r, outs);
    return {t->finish(outs), r};
  }
  static constexpr closed_jaxpr make() {
    if constexpr (!has_values) return without_message();
    else return made();
  }

 private:
  /// What is wrong was said.
  static constexpr closed_jaxpr without_message() {
    trace_scope t(trace::purpose::staging, nullptr);
    t->root = true;
    t.enter();
    closed_jaxpr p = t->finish({});
    p.problem.kind = error_kind::type;
    return p;
  }
  static constexpr closed_jaxpr made() {
    closed_jaxpr p = trace().program;
    if (!Simplified || p.problem) return p;
    return simplify(p, droppable_effects<F>);
  }
};

template <bool Simplified, class F, class... A>
using static_program = static_program_for<preferred_lanes, Simplified, F, A...>;

template <class Source>
constexpr wide_program trace_wide() {
  wide_program r;
  r.add(Source::make());
  return r;
}
#if defined __clang__ || defined __CUDACC__
/// Not within freeze(): clang evaluates constants of a function again whenever it evaluates the function.
template <class Source>
inline constexpr wide_program wide_of = trace_wide<Source>();
#endif
template <class Source>
constexpr auto freeze() {
#if defined __clang__ || defined __CUDACC__
  constexpr const wide_program& wide = wide_of<Source>;
#else
  constexpr wide_program wide = trace_wide<Source>();  // g++ would keep a variable in objects that are not optimised
#endif
  static_assert(!wide.too_large(), "jacquard: the program of a function transformed at compile time has more equations than "
                                   "JACQUARD_STATIC_EQUATIONS (16384 unless defined); define it larger for the whole program, or "
                                   "pass a jq::array to trace the function at run time");
  return frozen<wide.used>(wide);
}
template <class Source>
inline constexpr auto frozen_of = freeze<Source>();

/// The same program to be run for an input in each lane.
template <class Source>
inline constexpr auto frozen_in_lanes = [] {
  auto r = frozen_of<Source>;
  r.in_lanes = true;
  return r;
}();

/// The message of a frozen program as a template argument.
template <class Source>
constexpr auto message_of() {
  constexpr std::string_view message(frozen_of<Source>.message.data(), frozen_of<Source>.used.message);
  error_text<error_text<1>::room(message)> r;
  r.write(message);
  return r;
}

}  // namespace detail
}  // namespace jacquard

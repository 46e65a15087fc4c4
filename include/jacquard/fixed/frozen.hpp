#pragma once
// A frozen program: a jaxpr copied into fixed-size arrays, so that it is trivially copyable and can be a constant of the
// program. Nested jaxprs lie in the same pools. Deliberately passive, and with closed_jaxpr's way of being read: whatever
// wants a jaxpr gets one thawed.

#include <iosfwd>

#include "jacquard/core/print.hpp"
#include "jacquard/fixed/wide_program.hpp"

namespace jacquard {

/// outputs = primitive[params] inputs; `subs` is a range of atoms that hold numbers of programs.
struct frozen_equation {
  const primitive* op = nullptr;
  pool_range in, out, words, subs, functions;
  effect_set effects = 0;
};
/// The parts of one program.
struct frozen_program {
  pool_range inputs, outputs, equations;
  std::uint32_t captured = 0;  ///< of the inputs, how many are constvars
};

namespace detail {

/// So many entries. What std::array is, in half the calls: an access of that is two, and every call costs the compiler microseconds.
template <class T, std::size_t N>
struct pool {
  T all[N + 1]{};
  static constexpr std::size_t size() { return N; }
  constexpr T& operator[](std::size_t i) { return all[i]; }
  constexpr const T& operator[](std::size_t i) const { return all[i]; }
  constexpr const T* data() const { return all; }
  constexpr const T* begin() const { return all; }
  constexpr const T* end() const { return all + N; }
};

/// What `->` of a frozen program leads to. Not its member: g++ 12 would recurse where the sizes are an error.
struct thawed {
  jaxpr program;
  constexpr const jaxpr* operator->() const { return &program; }
};

}  // namespace detail

/// A program in static storage. Program 0 is the main one; `Sizes` are capacities, `used` what is taken.
template <frozen_sizes Sizes>
struct frozen {
  frozen_sizes used{};
  error_kind problem = error_kind::none;
  bool in_lanes = false;  ///< it runs for an input in each lane of a vector
  detail::pool<std::uint16_t, Sizes.variables> type_numbers{};  ///< by variable
  detail::pool<aval, Sizes.types> types{};
  detail::pool<atom, Sizes.atoms> atoms{};
  detail::pool<literal, Sizes.literals> literals{};
  detail::pool<std::uint64_t, Sizes.words> words{};
  detail::pool<function_ref::thunk, Sizes.functions> functions{};
  detail::pool<frozen_equation, Sizes.equations> equations{};
  detail::pool<frozen_program, Sizes.programs> programs{};
  detail::pool<char, Sizes.message> message{};

  constexpr frozen() = default;
  /// Of a program whose sizes are these.
  constexpr explicit frozen(const detail::wide_program& p) : used(p.used), problem(p.problem) {
    for (std::uint32_t i = 0; i < used.variables; ++i) type_numbers[i] = p.type_numbers[i];
    for (std::uint32_t i = 0; i < used.types; ++i) {
      const std::int64_t* t = p.types + i * (max_rank + 3);
      types[i] = aval(dtype(t[0]), shape(view<const std::int64_t>(t + 3, std::size_t(t[2]))), t[1] != 0);
    }
    for (std::uint32_t i = 0; i < used.atoms; ++i) atoms[i].code = p.atoms[i];
    for (std::uint32_t i = 0; i < used.literals; ++i) {
      literal& l = literals[i];
      l.type = dtype(p.literals[i * 3] / 2), l.weak = p.literals[i * 3] % 2 != 0;
      l.low = p.literals[i * 3 + 1], l.high = p.literals[i * 3 + 2];
    }
    for (std::uint32_t i = 0; i < used.words; ++i) words[i] = p.words[i];
    for (std::uint32_t i = 0; i < used.functions; ++i) functions[i] = p.functions[i];
    for (std::uint32_t i = 0; i < used.message; ++i) message[i] = p.message[i];
    for (std::uint32_t i = 0; i < used.programs; ++i) {
      const std::uint32_t* r = p.programs + i * 7;
      programs[i] = {{r[0], r[1]}, {r[2], r[3]}, {r[4], r[5]}, r[6]};
    }
    for (std::uint32_t i = 0; i < used.equations; ++i) {
      const std::uint32_t* r = p.equations + i * 11;
      equations[i] = {p.operations[i], {r[0], r[1]}, {r[2], r[3]}, {r[4], r[5]}, {r[6], r[7]}, {r[8], r[9]}, effect_set(r[10])};
    }
  }
  constexpr const aval& type_of_variable(variable v) const { return types[type_numbers[v]]; }
  constexpr aval type_of(atom a) const { return a.is_literal() ? literals[a.index()].aval() : type_of_variable(a.index()); }
  /// The words of an equation's parameters, without the programs and functions among them.
  constexpr param_view params(const frozen_equation& e) const {
    param_view v;
    v.words = words.data() + e.words.first;
    v.count = e.words.count;
    return v;
  }
  constexpr std::vector<aval> in_avals() const {
    std::vector<aval> r;
    const frozen_program& p = programs[0];
    for (std::uint32_t i = p.captured; i < p.inputs.count; ++i) r.push_back(type_of(atoms[p.inputs.first + i]));
    return r;
  }
  constexpr std::vector<aval> out_avals() const {
    std::vector<aval> r;
    const frozen_program& p = programs[0];
    for (std::uint32_t i = 0; i < p.outputs.count; ++i) r.push_back(type_of(atoms[p.outputs.first + i]));
    return r;
  }

  /// The jaxpr again, at compile time or run time.
  constexpr jaxpr operator*() const { return thaw(0); }
  constexpr detail::thawed operator->() const { return {thaw(0)}; }
  constexpr closed_jaxpr closed() const { return {jaxpr_ref(thaw(0)), {}, {}}; }
  constexpr operator closed_jaxpr() const { return closed(); }
  /// One of the programs, with those within it.
  constexpr jaxpr program(std::uint32_t number) const { return thaw(number); }

 private:
  constexpr jaxpr thaw(std::uint32_t number) const {
    const frozen_program& f = programs[number];
    jaxpr p;
    for (std::uint16_t n : type_numbers) p.avals.push_back(types[n]);
    p.literals.append(literals.begin(), literals.end());
    const auto list = [&](pool_range r, auto& to) {
      for (std::uint32_t i = 0; i < r.count; ++i) {
        if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(to)>::value_type, atom>)
          to.push_back(atoms[r.first + i]);
        else to.push_back(atoms[r.first + i].index());
      }
    };
    list({f.inputs.first, f.captured}, p.constvars);
    list({f.inputs.first + f.captured, f.inputs.count - f.captured}, p.invars);
    for (std::uint32_t i = 0; i < f.equations.count; ++i) {
      const frozen_equation& e = equations[f.equations.first + i];
      equation q;
      q.op = e.op;
      q.effects = e.effects;
      p.effects |= e.effects;
      q.in = {std::uint32_t(p.operands.size()), e.in.count};
      list(e.in, p.operands);
      q.out = {std::uint32_t(p.results.size()), e.out.count};
      list(e.out, p.results);
      q.words = {std::uint32_t(p.words.size()), e.words.count};
      for (std::uint32_t k = 0; k < e.words.count; ++k) p.words.push_back(words[e.words.first + k]);
      q.subs = {std::uint32_t(p.subs.size()), e.subs.count};
      for (std::uint32_t k = 0; k < e.subs.count; ++k) p.add_program(jaxpr_ref(thaw(atoms[e.subs.first + k].code)));
      q.functions = {std::uint32_t(p.functions.size()), e.functions.count};
      for (std::uint32_t k = 0; k < e.functions.count; ++k)
        p.functions.push_back(function_ref(functions[e.functions.first + k]));
      p.equations.push_back(q);
    }
    list(f.outputs, p.outvars);
    return p;
  }
};

template <frozen_sizes S>
constexpr text to_text(const frozen<S>& p) {
  return to_text(*p);
}

/// The text of a frozen program: compares with string literals at compile time, and is a std::string wherever one is wanted.
class program_text {
 public:
  constexpr explicit program_text(text t) : text_(std::move(t)) {}
  constexpr std::string_view view() const { return text_.view(); }
  constexpr std::size_t size() const { return text_.size(); }
  constexpr std::size_t find(std::string_view part) const { return view().find(part); }
  operator std::string() const { return std::string(view()); }
  friend constexpr bool operator==(const program_text& a, const program_text& b) { return a.view() == b.view(); }
  friend constexpr bool operator==(const program_text& a, const char* b) { return a.view() == b; }
  friend bool operator==(const program_text& a, const std::string& b) { return a.view() == b; }

 private:
  text text_;
};
template <class Traits>
  requires requires(std::basic_ostream<char, Traits>& out) { out.width(); }  // not where the stream is only declared
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const program_text& t) {
  return out.write(t.view().data(), std::streamsize(t.size()));
}
template <frozen_sizes S>
constexpr program_text to_string(const frozen<S>& p) {
  return program_text(to_text(p));
}
template <class Traits, frozen_sizes S>
  requires requires(std::basic_ostream<char, Traits>& out) { out.width(); }
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const frozen<S>& p) {
  return out << to_string(p);
}

}  // namespace jacquard

#pragma once
// A frozen program: a jaxpr copied into fixed-size arrays, so that it is trivially copyable and can be a constant of the
// program. Nested jaxprs lie in the same pools. Deliberately passive, and with closed_jaxpr's way of being read: whatever
// wants a jaxpr gets one thawed.

#include <iosfwd>

#include "jacquard/core/print.hpp"

namespace jacquard {

/// How many entries each pool of a frozen program has.
struct frozen_sizes {
  std::uint32_t variables = 0, types = 0, atoms = 0, literals = 0, words = 0, functions = 0, equations = 0, programs = 0, message = 0;
  constexpr bool fits(const frozen_sizes& capacity) const {
    return variables <= capacity.variables && types <= capacity.types && atoms <= capacity.atoms && literals <= capacity.literals && words <= capacity.words &&
           functions <= capacity.functions && equations <= capacity.equations && programs <= capacity.programs &&
           message <= capacity.message;
  }
  constexpr bool operator==(const frozen_sizes&) const = default;
};

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

/// Fills the pools of a frozen program; counts on where a pool is full, so that the sizes needed are known afterwards.
template <class Frozen>
class freezer {
 public:
  constexpr explicit freezer(Frozen& to) : to_(to) {}

  constexpr void freeze(const closed_jaxpr& p) {
    add_program(*p);
    text message = p.problem.message;
    if (p.problem.where.known()) message << " [" << p.problem.where.file << ':' << p.problem.where.line << ']';
    for (char c : message.view()) put(to_.message, to_.used.message, c);
    to_.problem = p.problem.kind;
  }

 private:
  static constexpr std::uint32_t unnumbered = 0x7fffffffu;
  /// New numbers of the variables and literals of one program.
  struct numbers {
    std::vector<std::uint32_t> variables, literals;
  };
  template <std::size_t N, class T>
  static constexpr void put(std::array<T, N>& pool, std::uint32_t& used, const T& value) {
    if (used < N) pool[used] = value;
    ++used;
  }
  constexpr pool_range take(std::uint32_t& used, std::size_t count) {
    const pool_range r{used, std::uint32_t(count)};
    used += std::uint32_t(count);
    return r;
  }
  constexpr std::uint32_t add_program(const jaxpr& p) {
    const std::uint32_t number = to_.used.programs++;
    numbers n{std::vector<std::uint32_t>(p.avals.size(), unnumbered), std::vector<std::uint32_t>(p.literals.size(), unnumbered)};
    frozen_program f;
    f.captured = std::uint32_t(p.constvars.size());
    std::vector<atom> inputs;
    for (variable v : p.constvars) inputs.push_back(atom::of_variable(define(p, v, n)));
    for (variable v : p.invars) inputs.push_back(atom::of_variable(define(p, v, n)));
    f.inputs = put_atoms(inputs);
    f.equations = take(to_.used.equations, p.equations.size());
    for (std::size_t i = 0; i < p.equations.size(); ++i) {
      const frozen_equation e = add_equation(p, p.equations[i], n);
      if (f.equations.first + i < to_.equations.size()) to_.equations[f.equations.first + i] = e;
    }
    f.outputs = put_atoms(renumbered(p, p.outvars, n));
    if (number < to_.programs.size()) to_.programs[number] = f;
    return number;
  }
  constexpr frozen_equation add_equation(const jaxpr& p, const equation& e, numbers& n) {
    frozen_equation r;
    r.op = e.op;
    r.effects = e.effects;
    r.in = put_atoms(renumbered(p, p.inputs(e), n));
    const param_view params = p.params(e);
    r.words = {to_.used.words, params.count};
    for (std::uint32_t w = 0; w < params.count; ++w) put(to_.words, to_.used.words, params.words[w]);
    r.functions = {to_.used.functions, params.function_count};
    for (std::uint32_t k = 0; k < params.function_count; ++k) put(to_.functions, to_.used.functions, params.functions[k].get());
    std::vector<atom> list;
    for (std::uint32_t k = 0; k < params.sub_count; ++k) list.push_back({add_program(*params.subs[k])});
    r.subs = put_atoms(list);
    list.clear();
    for (variable v : p.outputs(e)) list.push_back(atom::of_variable(define(p, v, n)));
    r.out = put_atoms(list);
    return r;
  }
  /// A variable gets its number where it is defined; those that nothing defines are left out.
  constexpr std::uint32_t define(const jaxpr& p, variable v, numbers& n) {
    n.variables[v] = to_.used.variables;
    put(to_.type_numbers, to_.used.variables, type_number(p.avals[v]));
    return n.variables[v];
  }
  /// Programs have many variables of few types.
  constexpr std::uint16_t type_number(const aval& a) {
    for (std::size_t i = 0; i < types_.size(); ++i)
      if (types_[i] == a) return std::uint16_t(i);
    types_.push_back(a);
    put(to_.types, to_.used.types, a);
    return std::uint16_t(types_.size() - 1);
  }
  constexpr std::vector<atom> renumbered(const jaxpr& p, view<const atom> atoms, numbers& n) {
    std::vector<atom> r;
    for (atom a : atoms) {
      if (!a.is_literal()) {
        r.push_back(atom::of_variable(n.variables[a.index()]));
        continue;
      }
      std::uint32_t& at = n.literals[a.index()];
      if (at == unnumbered) {
        at = to_.used.literals;
        put(to_.literals, to_.used.literals, p.literals[a.index()]);
      }
      r.push_back(atom::of_literal(at));
    }
    return r;
  }
  constexpr pool_range put_atoms(const std::vector<atom>& list) {
    const pool_range r{to_.used.atoms, std::uint32_t(list.size())};
    for (atom a : list) put(to_.atoms, to_.used.atoms, a);
    return r;
  }

  Frozen& to_;
  std::vector<aval> types_;
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
  std::array<std::uint16_t, Sizes.variables> type_numbers{};  ///< by variable
  std::array<aval, Sizes.types> types{};
  std::array<atom, Sizes.atoms> atoms{};
  std::array<literal, Sizes.literals> literals{};
  std::array<std::uint64_t, Sizes.words> words{};
  std::array<function_ref::thunk, Sizes.functions> functions{};
  std::array<frozen_equation, Sizes.equations> equations{};
  std::array<frozen_program, Sizes.programs> programs{};
  std::array<char, Sizes.message> message{};

  constexpr frozen() = default;
  constexpr explicit frozen(const closed_jaxpr& p) { detail::freezer(*this).freeze(p); }
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
    p.literals.assign(literals.begin(), literals.end());
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
      for (std::uint32_t k = 0; k < e.subs.count; ++k) p.subs.push_back(jaxpr_ref(thaw(atoms[e.subs.first + k].code)));
      q.functions = {std::uint32_t(p.functions.size()), e.functions.count};
      for (std::uint32_t k = 0; k < e.functions.count; ++k)
        p.functions.push_back(function_ref(functions[e.functions.first + k]));
      p.equations.push_back(q);
    }
    list(f.outputs, p.outvars);
    return p;
  }
};

/// The same program in pools of exactly the sizes `To`, of which each must suffice.
template <frozen_sizes To, frozen_sizes From>
constexpr frozen<To> resized(const frozen<From>& p) {
  frozen<To> r;
  const auto copy = [](auto& to, const auto& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i];
  };
  r.used = p.used;
  r.problem = p.problem;
  copy(r.type_numbers, p.type_numbers), copy(r.types, p.types), copy(r.atoms, p.atoms), copy(r.literals, p.literals), copy(r.words, p.words);
  copy(r.functions, p.functions), copy(r.equations, p.equations), copy(r.programs, p.programs), copy(r.message, p.message);
  return r;
}

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

// Chapter 28: write a backend
//
// A backend is a way to run programs, found by its name. It gets a jaxpr that is already simplified, with jits
// inlined and trees taken apart, and returns something that maps arrays to arrays, and takes over the ones that were
// donated. Everything else, tracing, the cache, which argument is donated, errors, stays with jit. Here is a backend that runs programs of f32 in f64: where its result
// differs from the usual one, rounding is the cause.

#include <atomic>
#include <iostream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

/// What the backend did so far.
struct {
  std::atomic<int> compiled = 0, runs = 0;
} journal;

jq::array widened(const jq::array& x) { return x.dtype() == jq::f32 ? x.astype(jq::f64) : x; }
jq::array as_type(const jq::array& x, const jq::aval& t) { return x.dtype() == t.type ? x : x.astype(t.type); }

// A compiled program. This one keeps the jaxpr and walks over it, as chapter 11 did, with wider values.
class wide_program final : public jq::executable {
 public:
  wide_program(jq::closed_jaxpr p, std::vector<char> donated) : program_(std::move(p)), donated_(std::move(donated)) {}

  // One array for each invar, one for each outvar. Several threads may call it at once, so it changes nothing of
  // its own.
  std::vector<jq::array> run(std::span<const jq::array> arguments, const jq::location& where) override {
    ++journal.runs;
    const jq::jaxpr& p = *program_;
    std::vector<jq::array> in, constants;
    for (std::size_t i = 0; i < arguments.size(); ++i)  // what was donated is gone for its other holders
      in.push_back(widened(i < donated_.size() && donated_[i] ? jq::take_over(arguments[i], where) : arguments[i]));
    for (const jq::array& x : program_.constants) constants.push_back(widened(x));
    jq::environment values(p, constants, in);
    for (const jq::equation& e : p.equations) evaluate(p, e, values);
    std::vector<jq::array> out = values.read(p.outvars);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = as_type(out[i], p.type_of(p.outvars[i]));
    return out;
  }
  jq::text as_text() const override { return jq::cat("in f64: ", jq::to_text(program_)); }

 private:
  // bind applies a primitive to operands of any type that it accepts. Bodies of loops and functions of the host have
  // been written for the types that the program declares: these operands are narrowed for them.
  static void evaluate(const jq::jaxpr& p, const jq::equation& e, jq::environment& values) {
    const bool as_declared = e.subs.count != 0 || e.effects != 0;
    std::vector<jq::array> in = values.read(p.inputs(e));
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = as_declared ? as_type(in[i], p.type_of(p.inputs(e)[i])) : widened(in[i]);
    const jq::array_list out = jq::bind(*e.op, in, p.params(e), e.where);
    for (std::size_t i = 0; i < out.size(); ++i) values.write(p.outputs(e)[i], widened(out[i]));
  }

  jq::closed_jaxpr program_;
  std::vector<char> donated_;  // by argument; none at all where nothing was donated
};

// The backend: its name, its devices, and how it compiles. What it cannot run it refuses by throwing
// not_implemented in compile(), before anything is computed; the options say what the caller donated, the device,
// and whether results must have the interpreter's bits.
class wide_backend final : public jq::backend_interface {
 public:
  std::string_view name() const override { return "wide"; }
  int device_count() const override { return 1; }
  jq::ref<jq::executable> compile(const jq::closed_jaxpr& program, const jq::compile_options& options) override {
    if (options.strict) throw jq::not_implemented("the backend 'wide' computes in f64, results cannot have the interpreter's bits");
    ++journal.compiled;
    return jq::make_ref<wide_program>(program, options.donated);
  }
};

}  // namespace

int main() {
  // The factory is called when the backend is first used.
  jq::register_backend("wide", [] { return jq::ref<jq::backend_interface>(jq::make_ref<wide_backend>()); });

  // The variance as the mean of squares minus the square of the mean: fine on paper.
  const auto variance = [](const jq::array& x) { return jq::mean(x * x) - jq::square(jq::mean(x)); };
  const jq::array x = 10000.f + jq::asarray({0.25f, -0.25f, 0.25f, -0.25f});
  const jq::array usual = jq::jit(variance, jq::backend("interpreter"))(x), wide = jq::jit(variance, jq::backend("wide"))(x);
  std::cout << "usual " << usual << ", wide " << wide << '\n';

  // All transforms work, since they happen before: what arrives is one flat program.
  const auto slope = jq::jit(jq::grad(variance), jq::backend("wide"));
  std::cout << "gradient " << slope(x) << '\n';
  const auto rows = jq::jit(jq::vmap(variance), jq::backend("wide"));
  std::cout << "rows " << rows(jq::stack({x, x + 4.f})) << '\n';
  std::cout << rows.lower(jq::stack({x, x})).compile().as_text() << '\n';

  // Loops and taps need nothing more.
  const auto decay = [](const jq::array& start) {
    const jq::array seen = jq::id_print(start, jq::kw("what", "start"));
    return jq::lax::fori_loop(0, 3, [](const jq::array&, const jq::array& s) { return s * 0.5f; }, seen);
  };
  const jq::array end = jq::jit(decay, jq::backend("wide"))(jq::asarray(8.f));
  jq::barrier_wait();
  std::cout << "loop " << end << '\n';

  // A donated argument is gone after the call.
  const jq::array start = jq::asarray({1.f, 2.f});
  const auto doubled = jq::jit([](const jq::array& s) { return s * 2.f; }, jq::backend("wide"), jq::donate_argnums<0>);
  std::cout << "doubled " << doubled(start) << (start.is_deleted() ? ", its argument is gone" : "") << '\n';

  // A tool on top of the backend: is the relative error by rounding large, for any function?
  const auto rounding = [](auto f, float at) {
    const jq::array v = jq::asarray(at), want = jq::jit(f, jq::backend("wide"))(v);
    return double(jq::abs(jq::jit(f, jq::backend("interpreter"))(v) - want) / want) > 1e-3 ? "large" : "small";
  };
  const auto direct = [](const jq::array& v) { return 1.f - jq::cos(v); };
  const auto by_half = [](const jq::array& v) { return 2.f * jq::square(jq::sin(v / 2.f)); };
  std::cout << "rounding of 1 - cos(x): " << rounding(direct, 1e-3f) << ", of 2 sin(x/2)^2: " << rounding(by_half, 1e-3f) << "\n";

  try {
    jq::jit(variance, jq::backend("wide"), jq::precision::strict)(x);
  } catch (const jq::not_implemented& e) {
    std::cout << "not_implemented: " << e.what() << '\n';
  }
  std::cout << journal.compiled << " programs compiled, " << journal.runs << " runs\n";
}

// output:
// usual 0., wide 0.0625
// gradient [ 0.125 -0.125  0.125 -0.125]
// rows [0.0625 0.0625]
// in f64: { lambda ; a:f32[2,4]. let
//     b:f32[2] = reduce_sum[axes=(1,)] a
//     c:f32[2] = div b 4.0:f32[]
//     d:f32[2] = integer_pow[y=2] c
//     e:f32[2,4] = mul a a
//     f:f32[2] = reduce_sum[axes=(1,)] e
//     g:f32[2] = div f 4.0:f32[]
//     h:f32[2] = sub g d
//   in (h,) }
// what: start
// 8.
// loop 1.
// doubled [2. 4.], its argument is gone
// rounding of 1 - cos(x): large, of 2 sin(x/2)^2: small
// not_implemented: the backend 'wide' computes in f64, results cannot have the interpreter's bits
// 8 programs compiled, 7 runs

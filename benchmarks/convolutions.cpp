// needs: dnnl
// Question: what does a convolution cost next to oneDNN, which a user would pick instead? Images (N, H, W, C) of f32, filters of 3 x 3 and
// 1 x 1, as they occur in networks; one thread on both sides. oneDNN leaves images as they lie and wants filters in a layout of its own. Each
// convolution is measured twice: with a filter that stays, which oneDNN gets rearranged beforehand and the function of ours, called through
// jit, closes over; and with a filter that every call brings anew, which is an argument of ours and which oneDNN's user rearranges in each
// call. Prints ratios; the bar is 1.2.

#include <jacquard/backends/cpu/cpu.hpp>
#include <jacquard/jacquard.hpp>

#include <cmath>
#include <cstdlib>

#include <dnnl.hpp>

#include "interleaved.hpp"

namespace jq = jacquard;
using jq::array;

extern "C" void omp_set_num_threads(int) __attribute__((weak));  // oneDNN's threads, where it was built with OpenMP

namespace {

struct task {
  const char* name;
  std::int64_t images, size, in, out, taps, stride;
};

array random_array(const jq::shape& dims, std::uint64_t seed) {
  return jq::random::uniform(jq::random::key(std::int64_t(seed)), dims, jq::f32, -1.0, 1.0);
}

/// A convolution of oneDNN on memory of ours.
class library_convolution {
 public:
  library_convolution(const task& t, const array& x, const array& filter, std::vector<float>& y) {
    using dnnl::memory;
    const std::int64_t pad = t.taps / 2, size = (t.size + 2 * pad - t.taps) / t.stride + 1;
    const memory::desc images({t.images, t.in, t.size, t.size}, memory::data_type::f32, memory::format_tag::nhwc);
    const memory::desc results({t.images, t.out, size, size}, memory::data_type::f32, memory::format_tag::nhwc);
    const memory::desc plain({t.out, t.in, t.taps, t.taps}, memory::data_type::f32, memory::format_tag::hwio);
    const memory::desc any({t.out, t.in, t.taps, t.taps}, memory::data_type::f32, memory::format_tag::any);
    const dnnl::convolution_forward::desc what(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, images, any, results,
                                               {t.stride, t.stride}, {pad, pad}, {pad, pad});
    const dnnl::convolution_forward::primitive_desc plan(what, engine_);
    given_ = memory(plain, engine_, const_cast<void*>(static_cast<const void*>(filter.data<float>().data())));
    liked_ = memory(plan.weights_desc(), engine_);
    rearrange_ = dnnl::reorder(given_, liked_);
    rearrange();
    y.assign(std::size_t(t.images * size * size * t.out), 0.0f);
    run_ = dnnl::convolution_forward(plan);
    arguments_ = {{DNNL_ARG_SRC, memory(images, engine_, const_cast<void*>(static_cast<const void*>(x.data<float>().data())))},
                  {DNNL_ARG_WEIGHTS, liked_},
                  {DNNL_ARG_DST, memory(results, engine_, y.data())}};
    stream_.wait();
  }
  /// Brings the filter into the layout that run() wants.
  void rearrange() { rearrange_.execute(stream_, given_, liked_); }
  void run() {
    run_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::memory given_, liked_;
  dnnl::reorder rearrange_;
  dnnl::primitive run_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

void measure(const task& t) {
  const array x = random_array({t.images, t.size, t.size, t.in}, 1), filter = random_array({t.taps, t.taps, t.in, t.out}, 2);
  const std::int64_t pad = t.taps / 2, stride = t.stride;
  const auto convolved = [=](const array& a, const array& w) {
    return jq::lax::conv_general_dilated(a, w, {stride, stride}, {{pad, pad}, {pad, pad}}, {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}});
  };
  const auto given = jq::jit(convolved, jq::backend("cpu"));
  const auto kept = jq::jit([=](const array& a) { return convolved(a, filter); }, jq::backend("cpu"));
  std::vector<float> y;
  library_convolution hand(t, x, filter, y);
  hand.run();
  for (const array& got : {kept(x), given(x, filter)}) {
    double error = got.size() == std::int64_t(y.size()) ? 0 : 1;
    for (std::size_t i = 0; error < 1 && i < y.size(); ++i) error = std::max(error, std::fabs(double(y[i]) - double(got.data<float>()[i])));
    if (!(error < 1e-3 * double(t.taps * t.taps * t.in) / 100)) std::printf("%s: differs by %g\n", t.name, error);  // sums of f32 in other orders
  }
  interleaved::compare(t.name, 1, 0, [&] { hand.run(), interleaved::observe(y.data()); }, [&] { interleaved::observe(kept(x).data<float>().data()); }, 1.2);
  interleaved::compare((std::string(t.name) + ", new filter").c_str(), 1, 0, [&] { hand.rearrange(), hand.run(), interleaved::observe(y.data()); },
                       [&] { interleaved::observe(given(x, filter).data<float>().data()); }, 1.2);
}

}  // namespace

int main() {
  setenv("JACQUARD_THREADS", "1", 1);
  if (omp_set_num_threads) omp_set_num_threads(1);
  for (const task& t : {task{"8 x 32 x 32 x 3, 3x3, 32", 8, 32, 3, 32, 3, 1}, task{"8 x 32 x 32 x 32, 3x3, 32", 8, 32, 32, 32, 3, 1},
                        task{"8 x 32 x 32 x 32, 3x3 by 2, 64", 8, 32, 32, 64, 3, 2}, task{"1 x 56 x 56 x 64, 3x3, 64", 1, 56, 64, 64, 3, 1},
                        task{"8 x 14 x 14 x 256, 1x1, 64", 8, 14, 256, 64, 1, 1}, task{"8 x 14 x 14 x 512, 3x3, 512", 8, 14, 512, 512, 3, 1},
                        task{"1 x 28 x 28 x 512, 3x3, 512", 1, 28, 512, 512, 3, 1}, task{"1 x 14 x 14 x 512, 3x3, 512", 1, 14, 512, 512, 3, 1},
                        task{"1 x 7 x 7 x 512, 3x3, 512", 1, 7, 512, 512, 3, 1}})
    measure(t);
}

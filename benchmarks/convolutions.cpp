// needs: dnnl
// Question: what does a convolution cost next to oneDNN, which a user would pick instead? Images (N, H, W, C) of f32, filters of 3 x 3 and
// 1 x 1, as they occur in networks; one thread on both sides. oneDNN leaves images as they lie and wants filters in a layout of its own. Each
// convolution is measured twice: with a filter that stays, which oneDNN gets rearranged beforehand and the function of ours, called through
// jit, closes over; and with a filter that every call brings anew, which is an argument of ours and which oneDNN's user rearranges in each
// call. Then both gradients of a convolution, and pooling with its gradient. Prints ratios; the bar is 1.2.

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
  std::int64_t images, size, in, out, taps, stride, groups = 1;
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

struct pooling_task {
  const char* name;
  std::int64_t images, size, channels, taps, stride, pad = 0;
  bool channels_first = false, mean = false;
};

/// Memory of an array of ours for oneDNN.
dnnl::memory memory_of(const dnnl::memory::desc& d, const dnnl::engine& e, const void* p) { return dnnl::memory(d, e, const_cast<void*>(p)); }
const float* elements(const array& x) { return x.data<float>().data(); }

/// The gradients of a convolution of oneDNN on memory of ours, with the filter brought into the layout it likes, and its gradient back.
class library_gradients {
 public:
  library_gradients(const task& t, const array& x, const array& filter, const array& cotangent, std::vector<float>& of_x, std::vector<float>& of_filter) {
    using dnnl::memory;
    using tag = memory::format_tag;
    const std::int64_t pad = t.taps / 2, size = (t.size + 2 * pad - t.taps) / t.stride + 1, g = t.groups;
    const auto type = memory::data_type::f32;
    const memory::desc images({t.images, t.in, t.size, t.size}, type, tag::nhwc), results({t.images, t.out, size, size}, type, tag::nhwc);
    const memory::dims sizes = g > 1 ? memory::dims{g, t.out / g, t.in / g, t.taps, t.taps} : memory::dims{t.out, t.in, t.taps, t.taps};
    // Ours are (taps, taps, in / groups, out).
    const memory::dims strides = g > 1 ? memory::dims{t.out / g, 1, t.out, t.taps * t.in / g * t.out, t.in / g * t.out} : memory::dims{1, t.out, t.taps * t.in * t.out, t.in * t.out};
    const memory::desc plain(sizes, type, strides), any(sizes, type, tag::any);
    const auto direct = dnnl::algorithm::convolution_direct;
    const memory::dims step{t.stride, t.stride}, border{pad, pad};
    const dnnl::convolution_forward::primitive_desc forward({dnnl::prop_kind::forward_training, direct, images, any, results, step, border, border}, engine_);
    const dnnl::convolution_backward_data::primitive_desc by_x({direct, images, any, results, step, border, border}, engine_, forward);
    const dnnl::convolution_backward_weights::primitive_desc by_filter({direct, images, any, results, step, border, border}, engine_, forward);
    of_x.assign(std::size_t(x.size()), 0.0f), of_filter.assign(std::size_t(filter.size()), 0.0f);
    given_ = memory_of(plain, engine_, elements(filter)), liked_ = memory(by_x.weights_desc(), engine_);
    made_ = memory(by_filter.diff_weights_desc(), engine_), wanted_ = memory_of(plain, engine_, of_filter.data());
    there_ = dnnl::reorder(given_, liked_), back_ = dnnl::reorder(made_, wanted_);
    const memory dy = memory_of(results, engine_, elements(cotangent));
    by_x_ = dnnl::convolution_backward_data(by_x), by_filter_ = dnnl::convolution_backward_weights(by_filter);
    x_arguments_ = {{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_WEIGHTS, liked_}, {DNNL_ARG_DIFF_SRC, memory_of(images, engine_, of_x.data())}};
    filter_arguments_ = {{DNNL_ARG_SRC, memory_of(images, engine_, elements(x))}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_WEIGHTS, made_}};
  }
  void run() {
    there_.execute(stream_, given_, liked_);
    by_x_.execute(stream_, x_arguments_);
    by_filter_.execute(stream_, filter_arguments_);
    back_.execute(stream_, made_, wanted_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::memory given_, liked_, made_, wanted_;
  dnnl::reorder there_, back_;
  dnnl::primitive by_x_, by_filter_;
  std::unordered_map<int, dnnl::memory> x_arguments_, filter_arguments_;
};

/// The largest elements of windows by oneDNN, and their gradient, for which it remembers places.
class library_pooling {
 public:
  library_pooling(const pooling_task& t, const array& x, const array& cotangent, std::vector<float>& y, std::vector<float>& of_x) {
    using dnnl::memory;
    const std::int64_t size = (t.size + 2 * t.pad - t.taps) / t.stride + 1;
    const auto layout = t.channels_first ? memory::format_tag::nchw : memory::format_tag::nhwc;
    const memory::desc images({t.images, t.channels, t.size, t.size}, memory::data_type::f32, layout);
    const memory::desc results({t.images, t.channels, size, size}, memory::data_type::f32, layout);
    const auto kind = t.mean ? dnnl::algorithm::pooling_avg_include_padding : dnnl::algorithm::pooling_max;
    const memory::dims step{t.stride, t.stride}, window{t.taps, t.taps}, border{t.pad, t.pad};
    const dnnl::pooling_forward::primitive_desc alone({dnnl::prop_kind::forward_inference, kind, images, results, step, window, border, border}, engine_);
    const dnnl::pooling_forward::primitive_desc first({dnnl::prop_kind::forward_training, kind, images, results, step, window, border, border}, engine_);
    const dnnl::pooling_backward::primitive_desc second({kind, images, results, step, window, border, border}, engine_, first);
    y.assign(std::size_t(cotangent.size()), 0.0f), of_x.assign(std::size_t(x.size()), 0.0f);
    const memory source = memory_of(images, engine_, elements(x)), to = memory_of(results, engine_, y.data()), places(first.workspace_desc(), engine_);
    differentiates_alone_ = t.mean;  // the gradient of a mean asks for no result
    alone_ = dnnl::pooling_forward(alone), first_ = dnnl::pooling_forward(first), second_ = dnnl::pooling_backward(second);
    alone_arguments_ = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, to}};
    first_arguments_ = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, to}, {DNNL_ARG_WORKSPACE, places}};
    second_arguments_ = {{DNNL_ARG_DIFF_DST, memory_of(results, engine_, elements(cotangent))},
                         {DNNL_ARG_DIFF_SRC, memory_of(images, engine_, of_x.data())},
                         {DNNL_ARG_WORKSPACE, places}};
  }
  void run() {
    alone_.execute(stream_, alone_arguments_);
    stream_.wait();
  }
  void differentiate() {
    if (!differentiates_alone_) first_.execute(stream_, first_arguments_);
    second_.execute(stream_, second_arguments_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::primitive alone_, first_, second_;
  bool differentiates_alone_ = false;
  std::unordered_map<int, dnnl::memory> alone_arguments_, first_arguments_, second_arguments_;
};

/// Whether `got` is `want` but for rounding of sums of so many terms.
void check(const char* name, const array& got, const std::vector<float>& want, double terms) {
  double error = got.size() == std::int64_t(want.size()) ? 0 : 1e9, largest = 0;
  for (std::size_t i = 0; error < 1e9 && i < want.size(); ++i) {
    error = std::max(error, std::fabs(double(want[i]) - double(elements(got)[i])));
    largest = std::max(largest, std::fabs(double(want[i])));
  }
  if (!(error <= 1e-6 * std::sqrt(terms) * largest)) std::printf("%s: differs by %g of %g\n", name, error, largest), std::exit(1);
}
void measure_gradients(const task& t) {
  const std::int64_t pad = t.taps / 2, stride = t.stride, groups = t.groups;
  const array x = random_array({t.images, t.size, t.size, t.in}, 1), filter = random_array({t.taps, t.taps, t.in / groups, t.out}, 2);
  const auto convolved = [=](const array& a, const array& w) {
    return jq::lax::conv_general_dilated(a, w, {stride, stride}, {{pad, pad}, {pad, pad}},
                                         {.dimension_numbers = {"NHWC", "HWIO", "NHWC"}, .feature_group_count = groups});
  };
  const array cotangent = random_array(jq::eval_shape(convolved)(x, filter).shape(), 3);
  const auto gradients =
      jq::jit(jq::grad([=](const array& a, const array& w, const array& c) { return jq::sum(convolved(a, w) * c); }, jq::argnums<0, 1>), jq::backend("cpu"));
  std::vector<float> of_x, of_filter;
  library_gradients hand(t, x, filter, cotangent, of_x, of_filter);
  hand.run();
  const auto got = gradients(x, filter, cotangent);
  const std::string name = std::string("gradients of ") + t.name;
  check(name.c_str(), std::get<0>(got), of_x, double(t.taps * t.taps * t.out));
  check(name.c_str(), std::get<1>(got), of_filter, double(cotangent.size()));
  interleaved::compare(name.c_str(), 1, 0, [&] { hand.run(), interleaved::observe(of_x.data()), interleaved::observe(of_filter.data()); },
                       [&] {
                         const auto made = gradients(x, filter, cotangent);  // the last results are gone: theirs are written over, too
                         interleaved::observe(elements(std::get<0>(made))), interleaved::observe(elements(std::get<1>(made)));
                       },
                       1.2);
}
void measure_pooling(const pooling_task& t) {
  const std::int64_t k = t.taps, stride = t.stride;
  jq::shape dims{t.images, t.size, t.size, t.channels};
  if (t.channels_first) dims = {t.images, t.channels, t.size, t.size};
  const array x = random_array(dims, 1);
  const jq::pooling_options options{{{t.pad, t.pad}, {t.pad, t.pad}}, t.channels_first ? "NCHW" : "NHWC", true};
  const auto pooled = [=](const array& a) {
    if (t.mean) return jq::avg_pool(a, {k, k}, {stride, stride}, options);
    return jq::max_pool(a, {k, k}, {stride, stride}, options);
  };
  const auto forward = jq::jit(pooled, jq::backend("cpu"));
  const array y = forward(x);
  const array cotangent = random_array(y.shape(), 2);
  const auto gradient = jq::jit(jq::grad([=](const array& a, const array& c) { return jq::sum(pooled(a) * c); }), jq::backend("cpu"));
  std::vector<float> want, of_x;
  library_pooling hand(t, x, cotangent, want, of_x);
  hand.run(), hand.differentiate();
  const array g = gradient(x, cotangent);
  check(t.name, y, want, 1), check(t.name, g, of_x, 1);
  interleaved::compare(t.name, 1, 0, [&] { hand.run(), interleaved::observe(want.data()); }, [&] { interleaved::observe(elements(forward(x))); }, 1.2);
  interleaved::compare((std::string("gradient of ") + t.name).c_str(), 1, 0, [&] { hand.differentiate(), interleaved::observe(of_x.data()); },
                       [&] { interleaved::observe(elements(gradient(x, cotangent))); }, 1.2);
}

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
  for (const task& t : {task{"8 x 32 x 32 x 64, 3x3, 64", 8, 32, 64, 64, 3, 1}, task{"8 x 32 x 32 x 64, 3x3 by 2, 128", 8, 32, 64, 128, 3, 2},
                        task{"8 x 32 x 32 x 64, 3x3 each", 8, 32, 64, 64, 3, 1, 64}, task{"8 x 32 x 32 x 64, 3x3, 4 groups", 8, 32, 64, 64, 3, 1, 4},
                        task{"64 x 28 x 28 x 1, 5x5, 8", 64, 28, 1, 8, 5, 1}})
    measure_gradients(t);
  for (const pooling_task& t : {pooling_task{"largest of 2x2, 8 x 64 x 64 x 64", 8, 64, 64, 2, 2}, pooling_task{"largest of 3x3 by 2, 8 x 64 x 64 x 64", 8, 64, 64, 3, 2},
                                pooling_task{"largest of 3x3 by 2, padded, 8 x 64 x 64 x 64", 8, 64, 64, 3, 2, 1},
                                pooling_task{"largest of 2x2, 8 x 64 channels of 64 x 64", 8, 64, 64, 2, 2, 0, true},
                                pooling_task{"largest of 3x3 by 2, padded, 8 x 64 channels of 64 x 64", 8, 64, 64, 3, 2, 1, true},
                                pooling_task{"mean of 2x2, 8 x 64 x 64 x 64", 8, 64, 64, 2, 2, 0, false, true},
                                pooling_task{"mean of 2x2, 8 x 64 channels of 64 x 64", 8, 64, 64, 2, 2, 0, true, true}})
    measure_pooling(t);
}

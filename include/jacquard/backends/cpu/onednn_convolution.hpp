#pragma once
// Convolutions of f32 by oneDNN, version 2, whose functions are called by hand-written types: no header of it. A convolution is prepared once
// per shape and kept. Operands that do not lie as oneDNN wants them are rearranged, filters that are constants of the program once. The threads
// of thread_pool share pieces of the batch, of the rows, or of the output features; pieces depend on the shape alone. Deliberately without
// dilated operands, and without convolutions that are products of matrices: those of prims/conv_patches are as fast or faster.

#include "jacquard/backends/cpu/held_operands.hpp"
#include "jacquard/backends/cpu/onednn_library.hpp"
#include "jacquard/backends/mutex.hpp"
#include "jacquard/core/array.hpp"
#include "jacquard/prims/conv_loops.hpp"
#include "jacquard/prims/convolution_library.hpp"

namespace jacquard::cpu {

namespace detail {

using jacquard::detail::conv_plan;

/// Numbers of oneDNN 2: kinds, queries and names of arguments.
namespace onednn_number {
enum : int { processor = 1, any_layout = 1, direct_convolution = 1, f32 = 3, implementation = 8, forward_inference = 96, own_scratchpad = 1 };
enum : int { source_layout = 129, weights_layout = 131, result_layout = 133, scratchpad_layout = 136 };
enum : int { source = 1, result = 17, weights = 33, scratchpad = 80 };
}  // namespace onednn_number

/// The C functions that are called; pointers without a type are theirs.
struct onednn_functions {
  struct argument {
    int name;
    void* memory;
  };
  int (*make_engine)(void**, int, std::size_t) = nullptr;
  int (*make_stream)(void**, void*, unsigned) = nullptr;
  int (*make_attributes)(void**) = nullptr;
  int (*set_scratchpad)(void*, int) = nullptr;
  int (*layout_of_strides)(void*, int, const std::int64_t*, int, const std::int64_t*) = nullptr;
  int (*layout_of_tag)(void*, int, const std::int64_t*, int, int) = nullptr;
  int (*same_layout)(const void*, const void*) = nullptr;
  std::size_t (*layout_bytes)(const void*) = nullptr;
  int (*describe_convolution)(void*, int, int, const void*, const void*, const void*, const void*, const std::int64_t*, const std::int64_t*,
                              const std::int64_t*, const std::int64_t*) = nullptr;
  int (*choose)(void**, const void*, const void*, void*, const void*) = nullptr;
  int (*choose_reorder)(void**, const void*, void*, const void*, void*, const void*) = nullptr;
  const void* (*layout_in)(const void*, int, int) = nullptr;
  int (*ask)(const void*, int, int, void*) = nullptr;
  int (*forget_choice)(void*) = nullptr;
  int (*make)(void**, const void*) = nullptr;
  int (*execute)(const void*, void*, int, const argument*) = nullptr;
  int (*make_memory)(void**, const void*, void*, void*) = nullptr;
  int (*forget_memory)(void*) = nullptr;
  void *engine = nullptr, *stream = nullptr, *attributes = nullptr;

  /// Finds them. False: one is missing, or the library is of another version, whose functions are others.
  bool find_in(const onednn_library& l) {
    if (!l.handle || l.version->major != 2) return false;
    bool all = true;
    const auto one = [&](auto& f, const char* name) {
      l.find(f, name);
      all = all && f;
    };
    one(make_engine, "dnnl_engine_create");
    one(make_stream, "dnnl_stream_create");
    one(make_attributes, "dnnl_primitive_attr_create");
    one(set_scratchpad, "dnnl_primitive_attr_set_scratchpad_mode");
    one(layout_of_strides, "dnnl_memory_desc_init_by_strides");
    one(layout_of_tag, "dnnl_memory_desc_init_by_tag");
    one(same_layout, "dnnl_memory_desc_equal");
    one(layout_bytes, "dnnl_memory_desc_get_size");
    one(describe_convolution, "dnnl_dilated_convolution_forward_desc_init");
    one(choose, "dnnl_primitive_desc_create");
    one(choose_reorder, "dnnl_reorder_primitive_desc_create");
    one(layout_in, "dnnl_primitive_desc_query_md");
    one(ask, "dnnl_primitive_desc_query");
    one(forget_choice, "dnnl_primitive_desc_destroy");
    one(make, "dnnl_primitive_create");
    one(execute, "dnnl_primitive_execute");
    one(make_memory, "dnnl_memory_create");
    one(forget_memory, "dnnl_memory_destroy");
    return all && make_engine(&engine, onednn_number::processor, 0) == 0 && make_stream(&stream, engine, 1) == 0 && make_attributes(&attributes) == 0 &&
           set_scratchpad(attributes, onednn_number::own_scratchpad) == 0;
  }
};
/// Null where there are none.
inline const onednn_functions* onednn_calls() {
  static onednn_functions f;
  static const bool found = f.find_in(onednn());
  return found ? &f : nullptr;
}

/// How an operand lies in memory: dnnl_memory_desc_t, which has 696 bytes in version 2.6.
struct onednn_layout {
  alignas(16) unsigned char bytes[1024] = {};
};
/// dnnl_convolution_desc_t has 5976.
struct onednn_description {
  alignas(16) unsigned char bytes[16384] = {};
};

/// The layouts of one operand, the program's and oneDNN's, and what copies from one to the other; null where they are the same.
struct onednn_operand {
  onednn_layout given, wanted;
  void* reorder = nullptr;
  std::int64_t bytes = 0;  ///< of the wanted layout, where it is another

  /// False: oneDNN cannot copy it.
  bool connect(const onednn_functions& f, const void* layout, bool to_program) {
    std::memcpy(wanted.bytes, layout, sizeof wanted.bytes < 696 ? sizeof wanted.bytes : 696);
    if (f.same_layout(given.bytes, wanted.bytes)) return true;
    bytes = std::int64_t(f.layout_bytes(wanted.bytes));
    void* choice = nullptr;
    const onednn_layout &from = to_program ? wanted : given, &to = to_program ? given : wanted;
    if (f.choose_reorder(&choice, from.bytes, f.engine, to.bytes, f.engine, nullptr) != 0) return false;
    const bool made = f.make(&reorder, choice) == 0;
    f.forget_choice(choice);
    return made;
  }
};

/// Memory of the program as oneDNN knows it.
class onednn_memory {
 public:
  onednn_memory(const onednn_functions& f, const onednn_layout& l, const void* data) : f_(f) {
    if (f.make_memory(&memory_, l.bytes, f.engine, const_cast<void*>(data)) != 0) throw std::bad_alloc();
  }
  onednn_memory(const onednn_memory&) = delete;
  ~onednn_memory() { f_.forget_memory(memory_); }
  void* get() const { return memory_; }

 private:
  const onednn_functions& f_;
  void* memory_ = nullptr;
};

/// A convolution, or a piece of one, as oneDNN computes it.
struct onednn_part {
  onednn_operand source, weights, result;
  onednn_layout scratchpad;
  std::int64_t scratchpad_bytes = 0;
  void* primitive = nullptr;

  /// With weights that lie like those of `like`, where there is one. False: oneDNN is not faster at it.
  bool prepare(const onednn_functions& f, const conv_plan& p, const onednn_part* like) {
    const std::int64_t n = p.batch.count, outs = p.outs.count, g = p.groups.count;
    const int spatial = p.spatial, rank = spatial + 2, grouped = g > 1;
    std::int64_t images[5] = {n, g * p.ins.count}, image_strides[5] = {p.batch.x, p.ins.x};
    std::int64_t results[5] = {n, g * outs}, result_strides[5] = {p.batch.out, p.outs.out};
    std::int64_t filters[6] = {g, outs, p.ins.count}, filter_strides[6] = {p.groups.k, p.outs.k, p.ins.k};
    std::int64_t strides[3], dilations[3], low[3], high[3];
    for (int d = 0; d < spatial; ++d) {
      const jacquard::detail::window_dim& w = p.windows[std::size_t(d)];
      const jacquard::detail::conv_extent& s = p.strides[std::size_t(d)];
      images[d + 2] = w.size, image_strides[d + 2] = s.x;
      results[d + 2] = w.out, result_strides[d + 2] = s.out;
      filters[d + 3] = w.taps, filter_strides[d + 3] = s.k;
      strides[d] = w.stride, dilations[d] = w.tap_dilation - 1, low[d] = w.low, high[d] = w.high;
    }
    const std::int64_t *const w = filters + !grouped, *const ws = filter_strides + !grouped;
    const int filter_rank = rank + grouped;
    if (!lies(f, source, rank, images, image_strides) || !lies(f, weights, filter_rank, w, ws) || !lies(f, result, rank, results, result_strides))
      return false;
    onednn_layout any_source = source.given, any_weights, any_result = result.given;
    if (like) any_weights = like->weights.wanted;
    else if (!lies_as_liked(f, any_weights, filter_rank, w)) return false;
    if (!features_last(p) && (!lies_as_liked(f, any_source, rank, images) || !lies_as_liked(f, any_result, rank, results))) return false;
    onednn_description c;
    return f.describe_convolution(c.bytes, onednn_number::forward_inference, onednn_number::direct_convolution, any_source.bytes, any_weights.bytes, nullptr,
                                  any_result.bytes, strides, dilations, low, high) == 0 &&
           choose(f, c);
  }
  /// Which is fast as it is, unless some of the features are left out.
  static bool features_last(const conv_plan& p) { return p.ins.x == 1 && p.outs.out == 1; }

 private:
  static bool lies(const onednn_functions& f, onednn_operand& o, int rank, const std::int64_t* sizes, const std::int64_t* strides) {
    std::int64_t elements = 1;
    for (int d = 0; d < rank; ++d) elements = jacquard::detail::counted_product(elements, sizes[d]);
    return elements > 0 && elements < 0x7fffffff && f.layout_of_strides(o.given.bytes, rank, sizes, onednn_number::f32, strides) == 0;
  }
  static bool lies_as_liked(const onednn_functions& f, onednn_layout& l, int rank, const std::int64_t* sizes) {
    return f.layout_of_tag(l.bytes, rank, sizes, onednn_number::f32, onednn_number::any_layout) == 0;
  }
  bool choose(const onednn_functions& f, const onednn_description& c) {
    const onednn_scope alone;
    void* choice = nullptr;
    if (f.choose(&choice, c.bytes, f.attributes, f.engine, nullptr) != 0) return false;
    const char* name = nullptr;
    f.ask(choice, onednn_number::implementation, 0, &name);
    const bool fast = name && std::strncmp(name, "ref", 3) != 0;  // the plain loops that compute whatever has no others
    std::memcpy(scratchpad.bytes, f.layout_in(choice, onednn_number::scratchpad_layout, 0), 696);
    scratchpad_bytes = std::int64_t(f.layout_bytes(scratchpad.bytes));
    const bool made = fast && source.connect(f, f.layout_in(choice, onednn_number::source_layout, 0), false) &&
                      weights.connect(f, f.layout_in(choice, onednn_number::weights_layout, 0), false) &&
                      result.connect(f, f.layout_in(choice, onednn_number::result_layout, 0), true) && f.make(&primitive, choice) == 0;
    f.forget_choice(choice);
    return made;
  }
};

/// A convolution, prepared: cut into pieces that are worth a thread.
class onednn_convolution {
 public:
  explicit onednn_convolution(const conv_plan& p) : plan_(p) {
    const onednn_functions* const f = onednn_calls();
    usable_ = f && suits(p) && prepare(*f);
  }
  const conv_plan& plan() const { return plan_; }
  bool usable() const { return usable_; }

  /// Whether it is one of those that oneDNN is faster at, which can be told without asking it.
  static bool suits(const conv_plan& p) {
    if (p.spatial < 1 || p.spatial > 3 || p.work() < least_work || p.taps() > most_taps) return false;
    if (p.groups.count > 1 && p.groups.x != p.ins.count * p.ins.x) return false;  // groups of the batch
    bool is_product = p.groups.count == 1;
    for (int d = 0; d < p.spatial; ++d) {
      const jacquard::detail::window_dim& w = p.windows[std::size_t(d)];
      if (w.dilation != 1 || w.low < 0 || w.high < 0) return false;
      is_product = is_product && w.taps == 1 && w.stride == 1 && w.low == 0 && w.high == 0;
    }
    return !is_product;
  }

  void run(const float* x, const float* k, float* out) const {
    const onednn_functions& f = *onednn_calls();
    array shared;
    {
      const onednn_scope alone;
      if (cuts_features_) x = arranged(f, parts_[0].source, x, shared);
      else k = filter(f, parts_[0].weights, k, shared);
    }
    const std::int64_t count = std::int64_t(pieces_.size());
    jacquard::detail::share_between_threads(count, double(plan_.work()) / double(count), [&](std::int64_t begin, std::int64_t end) {
      const onednn_scope alone;
      array own, result, scratchpad;
      for (std::int64_t i = begin; i < end; ++i) {
        const piece& p = pieces_[std::size_t(i)];
        const onednn_part& part = parts_[p.part];
        if (cuts_features_) run_piece(f, part, x, filter(f, part.weights, k + p.k, own), out + p.out, result, scratchpad);
        else run_piece(f, part, arranged(f, part.source, x + p.x, own), k, out + p.out, result, scratchpad);
      }
    });
  }

 private:
  static constexpr std::int64_t least_work = 200000, most_taps = 256, least_piece = 20000000;

  /// Where the elements of a piece begin.
  struct piece {
    std::size_t part = 0;
    std::int64_t x = 0, k = 0, out = 0;
  };

  static char* memory_of(array& a, std::int64_t bytes) {
    if (a.is_none() || a.size() < bytes) a = array(make_buffer({u8, {bytes}}));
    return static_cast<char*>(a.as_buffer()->data);
  }
  static void copy(const onednn_functions& f, void* reorder, const onednn_memory& from, const onednn_memory& to) {
    const onednn_functions::argument arguments[] = {{onednn_number::source, from.get()}, {onednn_number::result, to.get()}};
    check(f.execute(reorder, f.stream, 2, arguments));
  }
  /// Layouts and sizes are known to fit: what is left is memory.
  static void check(int status) {
    if (status != 0) throw std::bad_alloc();
  }
  /// The operand as oneDNN wants it, in memory of `own` if that is not how it lies.
  static const float* arranged(const onednn_functions& f, const onednn_operand& o, const float* data, array& own) {
    if (!o.reorder) return data;
    char* const to = memory_of(own, o.bytes);
    copy(f, o.reorder, onednn_memory(f, o.given, data), onednn_memory(f, o.wanted, to));
    return reinterpret_cast<const float*>(to);
  }
  /// The same for a filter; that of a constant is kept.
  static const float* filter(const onednn_functions& f, const onednn_operand& o, const float* data, array& own) {
    jacquard::detail::held_operands* const held = jacquard::detail::libraries_here ? jacquard::detail::libraries_here->held : nullptr;
    const void* kept = nullptr;
    if (held && o.reorder) kept = held->form(&o, data, [&](array& made) { arranged(f, o, data, made); });
    return kept ? static_cast<const float*>(kept) : arranged(f, o, data, own);
  }
  static void run_piece(const onednn_functions& f, const onednn_part& p, const float* x, const float* k, float* out, array& own, array& scratchpad) {
    void* const to = p.result.reorder ? static_cast<void*>(memory_of(own, p.result.bytes)) : out;
    const onednn_memory source(f, p.source.wanted, x), weights(f, p.weights.wanted, k), result(f, p.result.wanted, to),
        scratch(f, p.scratchpad, p.scratchpad_bytes != 0 ? memory_of(scratchpad, p.scratchpad_bytes) : nullptr);
    const onednn_functions::argument arguments[] = {{onednn_number::source, source.get()},
                                                    {onednn_number::weights, weights.get()},
                                                    {onednn_number::result, result.get()},
                                                    {onednn_number::scratchpad, scratch.get()}};
    check(f.execute(p.primitive, f.stream, 4, arguments));
    if (p.result.reorder) copy(f, p.result.reorder, result, onednn_memory(f, p.result.given, out));
  }

  /// Pieces of the batch; of a single entry, or few, rows of the result where features lie last, else output features, at least 32 of them.
  /// False: oneDNN is not faster.
  bool prepare(const onednn_functions& f) {
    const std::int64_t n = plan_.batch.count, work = plan_.work();
    std::int64_t each = n;
    for (std::int64_t m = n; m-- > 1;)
      if (n % m == 0 && work / n * m >= least_piece && n / m <= 16) each = m;
    for (std::int64_t m : {4, 2}) {
      if (n / each >= 4 || m <= n / each || work / m < least_piece) continue;
      const std::int64_t rows = (m + n - 1) / n;  // pieces of each entry
      if (onednn_part::features_last(plan_) && n < m && plan_.windows[0].out >= rows && work / (n * rows) >= least_piece) return prepare_rows(f, rows);
      if (!onednn_part::features_last(plan_) && plan_.groups.count == 1 && plan_.outs.count % (32 * m) == 0) return prepare_features(f, m);
    }
    conv_plan p = plan_;
    p.batch.count = each;
    for (std::int64_t i = 0; i < n; i += each) pieces_.push_back({0, i * plan_.batch.x, 0, i * plan_.batch.out});
    return prepare_part(f, p);
  }
  bool prepare_features(const onednn_functions& f, std::int64_t count) {
    conv_plan p = plan_;
    p.outs.count /= count;
    for (std::int64_t i = 0; i < count; ++i) pieces_.push_back({0, 0, i * p.outs.count * plan_.outs.k, i * p.outs.count * plan_.outs.out});
    cuts_features_ = true;
    return prepare_part(f, p);
  }
  /// Each with those rows of the source that it needs; padding is left to the first and the last ones. Every entry is an array of its own to
  /// oneDNN, which has no fast loops for some of the rows of several.
  bool prepare_rows(const onednn_functions& f, std::int64_t count) {
    const jacquard::detail::window_dim& all = plan_.windows[0];
    const jacquard::detail::conv_extent& row = plan_.strides[0];
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t begin = all.out * i / count, end = all.out * (i + 1) / count;
      const std::int64_t first = begin * all.stride - all.low, last = (end - 1) * all.stride - all.low + all.dilated_taps() - 1;
      const std::int64_t from = first < 0 ? 0 : first, to = last < all.size ? last : all.size - 1;
      if (from > to) return false;  // a piece of padding alone
      conv_plan p = plan_;
      jacquard::detail::window_dim& w = p.windows[0];
      w.size = to - from + 1, w.low = from - first, w.high = last - to, w.out = end - begin;
      p.batch = {1, w.size * row.x, 0, w.out * row.out};
      for (std::int64_t e = 0; e < plan_.batch.count; ++e)
        pieces_.push_back({std::size_t(i), e * plan_.batch.x + from * row.x, 0, e * plan_.batch.out + begin * row.out});
      if (!prepare_part(f, p)) return false;
    }
    return true;
  }
  bool prepare_part(const onednn_functions& f, const conv_plan& p) {
    onednn_part part;
    const bool made = part.prepare(f, p, parts_.size() == 0 ? nullptr : &parts_[0]);
    parts_.push_back(part);
    return made;
  }

  conv_plan plan_;
  bool usable_ = false, cuts_features_ = false;
  list<onednn_part> parts_;
  list<piece> pieces_;
};

/// Convolutions are prepared under a lock, once per shape, and kept.
struct onednn_convolutions {
  jacquard::detail::mutex lock;
  list<const onednn_convolution*> known;

  const onednn_convolution& of(const conv_plan& p) {
    const jacquard::detail::scoped_lock hold(lock);
    for (const onednn_convolution* c : known)
      if (c->plan() == p) return *c;
    known.push_back(new onednn_convolution(p));
    return *known.back();
  }
  static onednn_convolutions& get() {
    static onednn_convolutions* const all = new onednn_convolutions;
    return *all;
  }
};

inline bool convolve(const conv_plan& p, const float* x, const float* k, float* out) {
  if (!onednn_convolution::suits(p)) return false;
  const onednn_convolution& c = onednn_convolutions::get().of(p);
  if (!c.usable()) return false;
  c.run(x, k, out);
  return true;
}

}  // namespace detail

/// The convolutions of oneDNN, where it is installed.
inline const jacquard::detail::convolution_library* convolutions_found() {
  static constexpr jacquard::detail::convolution_library library{&detail::convolve};
  return &library;
}

}  // namespace jacquard::cpu

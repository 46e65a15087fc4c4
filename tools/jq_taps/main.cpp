// jq-taps: reads streams of taps that jq::outfeed_sink writes.

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <map>

#include <jacquard/core/value_text.hpp>
#include <jacquard/prims/prims.hpp>

#include "export.hpp"
#include "plot.hpp"
#include "source.hpp"

namespace jq = jacquard;
namespace wire = jacquard::wire;
using namespace jq_taps;

namespace {

const char* const usage = R"(usage: jq-taps COMMAND STREAM [OPTIONS]
  list      which functions were tapped: how often, with what types
  print     every message
  follow    every message as it comes; of unix:PATH, waits there for a program
  summary   count, least, greatest, mean and standard deviation of every tapped array
  plot      scalars over time
  csv       all messages with scalars, a line each, to standard output
  npy       all arrays, to PREFIX_<consumer>_<leaf>.npy; messages along the first dimension
STREAM is a file, a pipe, - for standard input, or unix:PATH for a socket.
  --only NAME      messages of the function with this number, or this keyword argument as what= or name=
  --prefix PREFIX  of files (taps)
  --width N        of plots, in characters (72)
  --limit N        stop after so many messages
Exit status: 0, 1 if the stream was broken somewhere, 2 if it could not be read at all.
)";

struct options {
  std::string command, stream, only, prefix = "taps";
  int width = 72;
  std::size_t limit = SIZE_MAX;
};

std::string text_of(const jq::kw_value& v) {
  switch (v.kind()) {
    case jq::keyword_kind::text: return v.get<std::string>();
    case jq::keyword_kind::boolean: return v.get<bool>() ? "True" : "False";
    case jq::keyword_kind::integer: return std::to_string(v.get<std::int64_t>());
    default: return short_number(v.get<double>());
  }
}
/// The name of a tapped function: its keyword argument `what` or `name`, else its number.
std::string name_of(const wire::description& d) {
  for (const jq::keyword& k : d.kwargs)
    if (k.name == "what" || k.name == "name") return text_of(k.value);
  return std::to_string(d.consumer);
}
std::string transforms_of(const wire::description& d) {
  std::string s;
  for (const jq::transform_record& t : d.transforms) s += (s.empty() ? "" : ",") + t.name;
  return s;
}
/// The logical shapes of a mask, one per leaf and example: "(3,)(2,)".
std::string shapes_of(const jq::transform_record& t) {
  jq::text s;
  for (const jq::shape& d : t.logical_shapes) s << d;
  return std::string(s.view());
}
/// Printable, whatever the stream says: control characters would reach the terminal.
std::string clean(std::string s) {
  for (char& c : s)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return s;
}
std::string title_of(const wire::description& d) {
  std::string s = clean(name_of(d));
  if (!d.transforms.empty()) s += " [" + clean(transforms_of(d)) + "]";
  if (!d.device.empty()) s += " on " + clean(d.device);
  return s;
}
double number(const jq::array& x, std::int64_t i) {
  return jq::visit_dtype(x.dtype(), [&]<class T>(std::type_identity<T>) {
    return jq::literal(x.data<T>()[std::size_t(i)]).template get<double>();
  });
}

/// Messages of one function under one list of transforms on one device.
struct series {
  wire::description like;
  std::size_t messages = 0, bytes = 0;
  struct statistics {
    std::size_t count = 0, not_finite = 0;
    double least = INFINITY, greatest = -INFINITY, mean = 0, squares = 0;
    void add(double v) {
      if (!std::isfinite(v)) {
        ++not_finite;
        return;
      }
      ++count;
      const double step = v - mean;  // Welford 1962
      mean += step / double(count);
      squares += step * (v - mean);
      least = std::min(least, v), greatest = std::max(greatest, v);
    }
  };
  std::vector<statistics> leaves;
  std::vector<std::vector<point>> scalars;
  struct stacked {
    bool uniform = true;
    std::string bytes;
    std::size_t count = 0;
  };
  std::vector<stacked> stacks;
};
using key = std::tuple<std::uint64_t, std::string, std::string>;

class program {
 public:
  explicit program(const options& o) : o_(o) {}

  int run() {
    descriptor_source source(o_.stream, o_.command == "follow");
    wire::stream_reader<descriptor_source> reader(source);
    wire::message m;
    if (o_.command == "csv") std::puts("time,consumer,name,transforms,device,leaf,value");
    while (seen_ < o_.limit && reader.next(m)) {
      if (!m.problem.empty()) {
        std::fprintf(stderr, "jq-taps: at byte %" PRIu64 ": %s\n", m.offset, m.problem.c_str());
        broken_ = true;
        continue;
      }
      if (m.head.is_end()) {
        if (o_.command == "follow") break;
        continue;
      }
      if (!o_.only.empty() && o_.only != name_of(m.head) && o_.only != std::to_string(m.head.consumer)) continue;
      ++seen_;
      take(m);
    }
    finish();
    return broken_ ? 1 : 0;
  }

 private:
  void take(const wire::message& m) {
    if (o_.command == "print" || o_.command == "follow") return print(m);
    if (o_.command == "csv") return csv(m);
    auto [at, is_new] = all_.try_emplace(key{m.head.consumer, transforms_of(m.head), m.head.device});
    series& s = at->second;
    if (is_new) {
      order_.push_back(&s);
      s.like = m.head;
      s.leaves.resize(m.head.arrays.size());
      s.scalars.resize(m.head.arrays.size());
      s.stacks.resize(m.head.arrays.size());
    }
    if (begin_ == 0 && m.head.time != 0) begin_ = m.head.time;
    const double time = m.head.time != 0 ? m.head.time - begin_ : double(s.messages);
    ++s.messages;
    s.bytes += m.payload.size();
    const std::size_t leaves = std::min(s.leaves.size(), m.head.arrays.size());
    for (std::size_t i = 0; i < leaves; ++i) {
      const jq::array x = m.value(i);
      if (o_.command == "summary")
        for (std::int64_t k = 0; k < x.size(); ++k) s.leaves[i].add(number(x, k));
      if (o_.command == "plot" && x.size() == 1) s.scalars[i].push_back({time, number(x, 0)});
      if (o_.command == "npy") stack(s, i, x);
    }
  }
  static void stack(series& s, std::size_t i, const jq::array& x) {
    series::stacked& t = s.stacks[i];
    t.uniform = t.uniform && x.aval() == s.like.arrays[i];
    if (!t.uniform) return;
    t.bytes.append(static_cast<const char*>(x.as_buffer()->data), std::size_t(x.aval().bytes()));
    ++t.count;
  }
  void print(const wire::message& m) {
    std::string out = title_of(m.head);
    for (const jq::transform_record& t : m.head.transforms)
      if (!t.logical_shapes.empty()) out += " shapes=" + shapes_of(t);
    for (const jq::keyword& k : m.head.kwargs)
      if (k.name != "what" && k.name != "name") out += " " + clean(k.name) + "=" + clean(text_of(k.value));
    out += '\n';
    for (std::size_t i = 0; i < m.head.arrays.size(); ++i) out += "  " + indented(std::string(jq::to_text(m.value(i)).view())) + '\n';
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
  static std::string indented(const std::string& s) {
    std::string r;
    for (char c : s) r += c == '\n' ? "\n  " : std::string(1, c);
    return r;
  }
  void csv(const wire::message& m) {
    for (std::size_t i = 0; i < m.head.arrays.size(); ++i) {
      const jq::array x = m.value(i);
      if (x.size() == 1)
        std::printf("%.6f,%" PRIu64 ",%s,%s,%s,%zu,%.17g\n", m.head.time, m.head.consumer, csv_field(clean(name_of(m.head))).c_str(),
                    csv_field(clean(transforms_of(m.head))).c_str(), csv_field(clean(m.head.device)).c_str(), i, number(x, 0));
    }
  }
  void finish() {
    for (const series* s : order_) {
      if (o_.command == "list") list(*s);
      else if (o_.command == "summary") summary(*s);
      else if (o_.command == "plot") plot_all(*s);
      else if (o_.command == "npy") npy(*s);
    }
  }
  void list(const series& s) const {
    std::string types;
    for (const jq::aval& a : s.like.arrays) types += (types.empty() ? "" : " ") + std::string(jq::cat(a).view());
    std::printf("%6" PRIu64 "  %-32s %8zu messages %12zu bytes  %s\n", s.like.consumer, title_of(s.like).c_str(), s.messages, s.bytes, types.c_str());
  }
  void summary(const series& s) const {
    for (std::size_t i = 0; i < s.leaves.size(); ++i) {
      const series::statistics& t = s.leaves[i];
      std::printf("%-32s leaf %zu  %s  count %zu", title_of(s.like).c_str(), i, std::string(jq::cat(s.like.arrays[i]).view()).c_str(), t.count);
      if (t.count != 0)
        std::printf("  least %g  greatest %g  mean %g  deviation %g", t.least, t.greatest, t.mean, std::sqrt(t.squares / double(t.count)));
      if (t.not_finite != 0) std::printf("  not finite %zu", t.not_finite);
      std::putchar('\n');
    }
  }
  void plot_all(const series& s) const {
    for (std::size_t i = 0; i < s.scalars.size(); ++i)
      if (!s.scalars[i].empty())
        std::fputs(plot(s.scalars[i], title_of(s.like) + (s.scalars.size() > 1 ? " leaf " + std::to_string(i) : ""),
                        s.like.time != 0 ? "seconds" : "messages", o_.width).c_str(), stdout);
  }
  void npy(const series& s) {
    std::string name = o_.prefix + "_" + std::to_string(s.like.consumer);
    for (const jq::transform_record& t : s.like.transforms)
      if (t.name == "jvp" || t.name == "transpose" || t.name == "batch" || t.name == "mask") name += "_" + t.name;
    for (std::size_t i = 0; i < s.stacks.size(); ++i) {
      const std::string path = name + "_" + std::to_string(i) + ".npy";
      if (!s.stacks[i].uniform) {
        std::fprintf(stderr, "jq-taps: %s: leaf %zu has several shapes; the messages after the first other one are left out\n", title_of(s.like).c_str(), i);
        broken_ = true;
      }
      write_npy(path, s.like.arrays[i].type, s.stacks[i].count, s.like.arrays[i].dims, s.stacks[i].bytes);
      std::printf("%s: %zu x %s\n", path.c_str(), s.stacks[i].count, std::string(jq::cat(s.like.arrays[i]).view()).c_str());
    }
  }

  const options& o_;
  std::map<key, series> all_;
  std::vector<series*> order_;
  std::size_t seen_ = 0;
  double begin_ = 0;
  bool broken_ = false;
};

bool read_options(int count, char** words, options& o) {
  for (int i = 1; i < count; ++i) {
    const std::string w = words[i];
    if (w.rfind("--", 0) == 0) {
      if (i + 1 == count) return false;
      const std::string v = words[++i];
      if (w == "--only") o.only = v;
      else if (w == "--prefix") o.prefix = v;
      else if (w == "--width") o.width = std::clamp(std::atoi(v.c_str()), 8, 500);
      else if (w == "--limit") o.limit = std::size_t(std::strtoull(v.c_str(), nullptr, 10));
      else return false;
    } else if (o.command.empty()) o.command = w;
    else if (o.stream.empty()) o.stream = w;
    else return false;
  }
  for (const char* c : {"list", "print", "follow", "summary", "plot", "csv", "npy"})
    if (o.command == c) return !o.stream.empty();
  return false;
}

}  // namespace

int main(int count, char** words) {
  options o;
  if (!read_options(count, words, o)) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    return program(o).run();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "jq-taps: %s\n", e.what());
    return 2;
  }
}

#pragma once
// The report of donation: which argument became which output, which could not and why, and how many bytes that saves. It asks
// exec/donation for the decision and the backend for what it made of it; deliberately it decides nothing.

#include "jacquard/exec/jit.hpp"

namespace jacquard {

/// What became of one leaf of the arguments.
struct donation_row {
  text argument;                ///< "0", or "1[2]": leaf 2 of argument 1
  aval type;
  bool donated = false;
  int output = -1;              ///< the flat output that takes it over, or -1
  int written_by = -1;          ///< the output that the backend writes into its memory, or -1
  std::int64_t bytes_saved = 0;
  text reason;                  ///< why not, or ""
};

/// See donation_report.
struct donation_table {
  list<donation_row> rows;

  std::int64_t bytes_saved() const {
    std::int64_t sum = 0;
    for (const donation_row& r : rows) sum += r.bytes_saved;
    return sum;
  }
  template <class Text = text>
  std::string as_text() const {
    return std::string(to_text<Text>().view());
  }
  template <std::same_as<donation_table> Table>
  friend std::string to_string(const Table& t) {
    return t.as_text();
  }
  template <class Traits, std::same_as<donation_table> Table>
    requires requires(std::basic_ostream<char, Traits>& out) { out.width(); }  // not where the stream is only declared
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const Table& t) {
    const std::string s = t.as_text();
    return out.write(s.data(), std::streamsize(s.size()));
  }

 private:
  static text place_of(const donation_row& r) {
    if (r.written_by < 0) return r.reason;
    return r.written_by == r.output ? text("in place") : cat("in place of output ", r.written_by);
  }
  template <class Text>
  text to_text() const {
    list<list<Text>> lines;
    lines.push_back({"argument", "type", "bytes", "output", "saved", ""});
    for (const donation_row& r : rows) {
      const text output = r.output < 0 ? text("-") : cat(r.output);
      lines.push_back({r.argument, cat(r.type), cat(r.type.bytes()), output, cat(r.bytes_saved), place_of(r)});
    }
    text t;
    for (const list<Text>& line : lines) {
      text row;
      for (std::size_t c = 0; c < line.size(); ++c) {
        std::size_t width = 0;
        for (const list<Text>& other : lines) width = other[c].size() > width ? other[c].size() : width;
        const bool is_number = c >= 2 && c <= 4;
        if (is_number) row.append(width - line[c].size(), ' ');
        row << line[c];
        if (!is_number) row.append(width - line[c].size(), ' ');
        row << "  ";
      }
      while (!row.empty() && row.back() == ' ') row.drop_back();
      t << row << '\n';
    }
    return t << "saved: " << bytes_saved() << " bytes\n";
  }
};

namespace detail {

template <class Memory>
donation_table donation_rows(const closed_jaxpr& p, const std::vector<char>& donated, const Memory& memory, list<text> names) {
  const std::vector<aval> in = p.in_avals(), out = p.out_avals();
  const std::vector<int> taken_by = matched_donations(in, out, donated);
  const std::vector<int> possible = matched_donations(in, out, std::vector<char>(in.size(), true));
  donation_table t;
  for (std::size_t i = 0; i < in.size(); ++i) {
    donation_row r{names[i], in[i], donated[i] != 0, taken_by[i], -1, 0, {}};
    for (std::size_t o = memory.alias.size(); o-- > 0;)
      if (r.output >= 0 && memory.alias[o] == std::int32_t(i)) r.written_by = int(o);
    if (r.written_by >= 0) r.bytes_saved = in[i].bytes();
    bool fits = false;
    for (const aval& o : out) fits = fits || same_type(in[i], o);
    if (!r.donated && possible[i] >= 0) r.reason = cat("not donated; output ", possible[i], " could take it over");
    else if (!r.donated) r.reason = "not donated";
    else if (!fits) r.reason = "no output of this dtype and shape";
    else if (r.output < 0) r.reason = "all outputs of this dtype and shape have earlier arguments";
    else if (r.written_by < 0) r.reason = "given back when it has been read: no output is computed from it element by element";
    t.rows.push_back(r);
  }
  return t;
}

template <class F>
struct jitted {
  static constexpr bool value = false;
};
template <class F, class... O>
struct jitted<jit_function<F, O...>> {
  static constexpr bool value = true;
  static constexpr auto statics = int_option<static_argnums_t, O...>();
};

template <class F, class... A>
donation_table report_donations(const F& f, const A&... args) {
  const auto lowered = f.lower(args...);
  list<text> names;
  std::size_t number = 0;
  [[maybe_unused]] const auto name = [&](const auto& arg) {
    const std::size_t leaves = leaf_count(arg);
    if (!is_selected(jitted<F>::statics, number, sizeof...(A)))
      for (std::size_t i = 0; i < leaves; ++i) names.push_back(leaves == 1 ? cat(number) : cat(number, '[', i, ']'));
    ++number;
  };
  (name(args), ...);
  return donation_rows(lowered.jaxpr(), lowered.donated(), lowered.memory_analysis(), std::move(names));
}

}  // namespace detail

/// A table of what donation does to a call of f with the arguments x...: f is jit(g, options...), or a function followed by such
/// options. The call itself is not made and nothing is donated. Errors: those of tracing; not_implemented where the backend does not
/// analyse memory. Example: donation_report(step, donate_argnums<0>, state, data).
template <class F, class... A>
donation_table donation_report(const F& f, const A&... x) {
  if constexpr (detail::jitted<F>::value) return detail::report_donations(f, x...);
  else {
    constexpr std::size_t options = [] {
      std::size_t n = 0;
      bool leading = true;
      ((leading = leading && detail::for_jit<A>, n += leading), ...);
      return n;
    }();
    const std::tuple<const A&...> all(x...);
    return [&]<std::size_t... O, std::size_t... X>(std::index_sequence<O...>, std::index_sequence<X...>) {
      return detail::report_donations(jit(f, std::get<O>(all)...), std::get<options + X>(all)...);
    }(std::make_index_sequence<options>(), std::make_index_sequence<sizeof...(A) - options>());
  }
}

}  // namespace jacquard

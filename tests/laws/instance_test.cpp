// What rows stand for: functions and operands, for every law to use; and the first law, that each instance computes.
#include "row.hpp"

#include <jacquard/testing/comparison.hpp>

namespace laws {

namespace {
jq::param_pack params_of(const instance& i) {
  return i.at->params_for ? i.at->params_for(i.type) : i.at->params;
}
/// The matrices x, to whose diagonals 2, 3, 4, ... are added. (Of bool: x, which linear algebra refuses.)
array with_diagonal(const array& x) {
  if (x.dtype() == jq::bool_) return x;
  const shape s = x.shape();
  const std::int64_t columns = s[s.rank() - 1], rows = s[s.rank() - 2];
  const array more = jq::testing::detail::fill(x.aval(), [&](std::int64_t i) {
    const std::int64_t row = i / columns % rows;
    return jq::complex128(row == i % columns ? double(row + 2) : 0, 0);
  });
  return lax::add(x, more);
}
array make(const operand& o, dtype t, const shape& dims, std::uint64_t seed, double offset) {
  const jq::aval type(o.type.value_or(t), dims);
  switch (o.from) {
    case operand::uniform: return jq::testing::sample(type, seed, o.low, o.high);
    case operand::distinct: return jq::testing::distinct(type, seed, offset);
    case operand::dominant: return with_diagonal(jq::testing::sample(type, seed, o.low, o.high));
    default: return jq::testing::picked(type, seed, o.values);
  }
}
}  // namespace

leaf_function primitive_of(const instance& i) {
  return [op = i.of->op, params = params_of(i), held = i.at->held](const leaves& x) {
    leaves all;
    for (double v : held) all.push_back(array(jq::literal(v, x[0].dtype(), false)));
    all.insert(all.end(), x.begin(), x.end());
    const jq::array_list y = jq::bind(*op, all, params, jq::location::current());
    return leaves(y.begin(), y.end());
  };
}

leaf_function function_of(const instance& i) {
  if (!is_collective(*i.of)) return primitive_of(i);
  std::vector<int> axes;
  for (const operand& o : i.at->operands) axes.push_back(o.mapped ? 0 : jq::none);
  return [axes, f = primitive_of(i)](const leaves& x) {
    return jq::vmap(f, jq::in_axes_tree(axes), jq::axis_name<"i">, jq::axis_size(members))(x);
  };
}

leaves operands_of(const instance& i, const std::vector<int>& axes, std::int64_t count, std::uint64_t seed) {
  leaves r;
  for (std::size_t k = 0; k < i.at->operands.size(); ++k) {
    const operand& o = i.at->operands[k];
    shape dims = o.dims;
    if (is_collective(*i.of) && o.mapped) dims = shape(dims.with(0, members));
    if (!axes.empty() && axes[k] != jq::none) dims = shape(dims.with(axes[k], count));
    r.push_back(make(o, i.type, dims, seed * 1000 + k, 0.0625 * double(k % 3 + 1)));
  }
  return r;
}

leaves converted(const instance& i, const leaves& x, dtype to) {
  leaves r = x;
  for (std::size_t k = 0; k < r.size(); ++k)
    if (!i.at->operands[k].type) r[k] = lax::convert_element_type(x[k], to);
  return r;
}

std::vector<std::size_t> inexact_operands(const leaves& x) {
  std::vector<std::size_t> r;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (jq::is_inexact(x[k].dtype())) r.push_back(k);
  return r;
}
leaf_function restricted(const leaf_function& f, const leaves& x, const std::vector<std::size_t>& to) {
  return [=](const leaves& part) {
    leaves all = x;
    for (std::size_t k = 0; k < to.size(); ++k) all[to[k]] = part[k];
    return f(all);
  };
}
leaves chosen(const leaves& x, const std::vector<std::size_t>& from) {
  leaves r;
  for (std::size_t k : from) r.push_back(x[k]);
  return r;
}

void check_law(const instance& i, const law& f) {
  jq::testing::report r;
  try {
    r = f(i);
  } catch (const std::exception& e) {
    r.fail("threw: ", std::string_view(e.what()));
  }
  INFO(i.name() << "\n" << r.text);
  CHECK(r.ok);
}

void for_each_instance(dtype_set types, const law& f) {
  for (const row& r : all_rows())
    for (std::size_t n = 0; n < r.samples.size(); ++n)
      for (int t = 0; t < jq::dtype_count; ++t)
        if (has(types & r.types & r.samples[n].types, dtype(t))) check_law({&r, &r.samples[n], dtype(t), n}, f);
}

namespace {

/// The widest dtype of the category of `t` among those accepted.
dtype widest(dtype t, dtype_set accepted) {
  dtype r = t;
  for (int i = 0; i < jq::dtype_count; ++i)
    if (has(accepted, dtype(i)) && jq::type_set_of(dtype(i)) == jq::type_set_of(t) && jq::size_of(dtype(i)) > jq::size_of(r))
      r = dtype(i);
  return r;
}

jq::testing::report check_against_widest(const instance& i) {
  jq::testing::report r;
  instance wide = i;
  wide.type = widest(i.type, i.of->types);
  const leaves x = operands_of(i), y = function_of(i)(x), want = function_of(wide)(converted(i, x, wide.type));
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double unit = 16 * jq::testing::precision(y[k].dtype());
    r.add(jq::cat("result ", k).view(),
          jq::testing::all_close(y[k], lax::convert_element_type(want[k], y[k].dtype(), y[k].weak_type()), unit, unit));
  }
  return r;
}

/// f(x) must throw a type_error that names the operation.
jq::testing::report check_refused(const instance& i, const leaves& x) {
  jq::testing::report r;
  try {
    function_of(i)(x);
    r.fail("was accepted; wanted a type_error");
  } catch (const jq::type_error& e) {
    if (std::string_view(e.what()).find(i.of->op->name) == std::string_view::npos)
      r.fail("the message does not name the operation: ", std::string_view(e.what()));
  }
  return r;
}

bool takes_dtype(const instance& i) {
  if (!i.of->facts.refuses) return false;
  if (i.at->params_for) return true;
  for (const operand& o : i.at->operands)
    if (!o.type) return true;
  return false;
}

/// One operand of another dtype that the row accepts too.
jq::testing::report check_mixture(const instance& i) {
  leaves x = operands_of(i);
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!i.at->operands[k].type) free.push_back(k);
  if (free.size() < 2 || !i.of->facts.one_dtype) return {};
  for (int t = 0; t < jq::dtype_count; ++t) {
    if (!has(i.of->types, dtype(t)) || dtype(t) == i.type) continue;
    x[free[1]] = lax::convert_element_type(x[free[1]], dtype(t));
    return check_refused(i, x);
  }
  return {};
}

}  // namespace

void check_dtypes(const family& rows) {
  for (std::size_t k = rows.first; k < rows.first + rows.count; ++k) {
    const row& r = all_rows()[k];
    for (std::size_t n = 0; n < r.samples.size(); ++n)
      for (int t = 0; t < jq::dtype_count; ++t) {
        const instance i{&r, &r.samples[n], dtype(t), n};
        const bool accepted = has(r.types & i.at->types, i.type);
        if (accepted && r.facts.widens) check_law(i, check_against_widest);
        if (!accepted && takes_dtype(i)) check_law(i, [](const instance& at) { return check_refused(at, operands_of(at)); });
        if (accepted) check_law(i, check_mixture);
      }
  }
}

}  // namespace laws

TEST_CASE("every sample gives results of the types that its program has, and the same ones twice") {
  using namespace laws;
  for_each_instance(every, [](const instance& i) {
    jq::testing::report r;
    const leaf_function f = function_of(i);
    const leaves x = operands_of(i), y = f(x);
    const std::vector<jq::aval> types = jq::make_jaxpr(f)(x).out_avals();
    if (types.size() != y.size()) return r.fail("traced with ", types.size(), " results, computed ", y.size());
    for (std::size_t k = 0; k < y.size(); ++k)
      if (!(types[k] == y[k].aval())) r.fail("result ", k, " traced as ", types[k], ", computed as ", y[k].aval());
    return r.add("again", jq::testing::identical(f(x), y));
  });
}

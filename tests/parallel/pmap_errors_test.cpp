// pmap: the errors of arguments, results, devices and collectives, with their texts, and that calls go on after them.
#include "pmap_testing.hpp"

using namespace pmap_testing;

namespace {

const array four = jq::asarray({0.f, 1.f, 2.f, 3.f});
const array rows = jq::asarray({{0.f, 1.f}, {2.f, 3.f}, {4.f, 5.f}});
const auto sum = [](const array& x) { return lax::psum(x, "i"); };
const auto twice = [](const array& x) { return x * 2.f; };

}  // namespace

TEST_CASE("pmap: errors of arguments") {
  const auto two = [](const array& x, const array& y) { return jq::sum(x) + jq::sum(y); };
  CHECK_THROWS_WITH_AS(jq::pmap(two, jq::in_axes<0, 1>)(jq::zeros({4, 3}), jq::zeros({4, 2})),
                       doctest::Contains("pmap got inconsistent sizes for array axes to be mapped:\n"
                                         "arg 0 has shape (4, 3) and axis 0 is to be mapped\n"
                                         "arg 1 has shape (4, 2) and axis 1 is to be mapped\n"
                                         "so\n"
                                         "arg 0 has an axis to be mapped of size 4\n"
                                         "arg 1 has an axis to be mapped of size 2"),
                       jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x, const std::pair<array, array>& p) { return x + p.first + p.second; })(four, std::pair{four, jq::zeros({3})}),
                       doctest::Contains("pmap got inconsistent sizes for array axes to be mapped:\nthe tree of axis sizes is:\n(4, (4, 3))"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice)(jq::asarray(1.f)),
                       doctest::Contains("pmap was requested to map its argument along axis 0, which implies that its rank should be at least 1, but is only 0 (its shape is ())"),
                       jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice, jq::in_axes<-4>)(jq::zeros({3, 4, 5})),
                       doctest::Contains("should be at least 4, but is only 3 (its shape is (3, 4, 5))"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice, jq::in_axes<jq::none>)(four), doctest::Contains("pmap must have at least one non-None value in in_axes"), jq::value_error);
  using nothing = std::map<std::string, array>;
  CHECK_THROWS_WITH_AS(jq::pmap([](const nothing&) { return array(1); })(nothing{}),
                       doctest::Contains("pmap wrapped function must be passed at least one argument containing an array, got empty *args=({},) and **kwargs={}"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const std::vector<array>&) { return array(1); })(std::vector<array>{}),
                       doctest::Contains("pmap wrapped function must be passed at least one argument containing an array, got empty *args=([],)"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice, jq::axis_size(3))(four), doctest::Contains("Specified axis_size 3 doesn't match received axis_size 4."), jq::value_error);
  CHECK_THROWS_AS(jq::pmap(twice, jq::in_axes<jq::none>, jq::axis_size(-1))(four), jq::value_error);
  const auto list = [](const std::vector<array>& v) { return v[0]; };
  CHECK_THROWS_WITH_AS(jq::pmap(list, jq::in_axes_tree(std::vector<int>{0, 0, 0}))(std::vector<array>{four, four}),
                       doctest::Contains("pmap in_axes specification must be a tree prefix of the corresponding value, got specification ([0, 0, 0],) for value tree PyTreeDef(([*, *],))"), jq::value_error);
}
TEST_CASE("pmap: errors of results") {
  CHECK_THROWS_WITH_AS(jq::pmap(twice, jq::out_axes<2>)(four), doctest::Contains("axis 2 is out of bounds"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice, jq::out_axes<-4>)(rows), doctest::Contains("axis -4 is out of bounds"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return std::vector<array>{x, x}; }, jq::out_axes_tree(std::vector<int>{0, 0, 0}))(four),
                       doctest::Contains("pmap out_axes specification must be a tree prefix of the corresponding value"), jq::value_error);
}
TEST_CASE("pmap: errors of devices") {
  CHECK_THROWS_WITH_AS(jq::pmap(twice)(jq::zeros({9}, jq::f32)),
                       doctest::Contains("compiling computation that requires 9 logical devices, but only 8 XLA devices are available (num_replicas=9, num_partitions=1)"),
                       jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice, std::vector<jq::device>{})(four), doctest::Contains("'devices' argument to pmap must be non-empty, or None."), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(twice, jq::devices("cpu"))(jq::zeros({1}, jq::f32)),
                       doctest::Contains("Leading axis size of input to pmapped function must equal the number of local devices passed to pmap. Got axis_size=1, num_local_devices=8."),
                       jq::value_error);
  CHECK_THROWS_AS(jq::pmap(twice, std::vector<jq::device>{{"cpu", 0}, {"cpu", 99}})(jq::zeros({2}, jq::f32)), jq::value_error);
  CHECK_THROWS_AS(jq::pmap(twice, jq::backend("nowhere"))(four), jq::error);
  CHECK_THROWS_WITH_AS(jq::pmap(jq::pmap(twice, jq::devices("cpu")))(jq::zeros({2, 8}, jq::f32)), doctest::Contains("Nested pmap with explicit devices argument."), jq::value_error);
  // More devices are there for later calls.
  jq::set_host_device_count(9);
  CHECK(show(jq::pmap(sum, over_i, jq::out_axes<jq::none>)(jq::ones({9}, jq::f32))) == "f32[] 9");
  jq::set_host_device_count(8);
}
TEST_CASE("pmap: errors of collectives") {
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return lax::psum(x, "k"); }, over_i)(four),
                       doctest::Contains("unbound axis name: k. The following axis names (e.g. defined by pmap) are available to collective operations: [i]"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap(sum)(four), doctest::Contains("unbound axis name: i"), jq::value_error);
  CHECK_THROWS_WITH_AS(lax::psum(four, "i"), doctest::Contains("unbound axis name: i"), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return lax::ppermute(x, "i", {{0, 1}, {1, 1}}); }, over_i)(four),
                       doctest::Contains("ppermute sources and destinations must be unique, got [(0, 1), (1, 1)]"), jq::value_error);
  CHECK_THROWS_AS(jq::pmap([](const array& x) { return lax::ppermute(x, "i", {{0, 4}}); }, over_i)(four), jq::value_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return lax::all_to_all(x, "i", 0, 1); }, over_i)(jq::zeros({2, 3, 5})),
                       doctest::Contains("all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are 2 and 3 respectively."), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return lax::all_to_all(x, "i", 1, 0, true); }, over_i)(jq::zeros({2, 3, 5})),
                       doctest::Contains("The size of all_to_all split_axis (5) has to be divisible by the size of the named axis i (2)"), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return lax::psum_scatter(x, "i"); }, over_i)(jq::zeros({2, 3})),
                       doctest::Contains("reduce_scatter operand scatter dimension size 3 must match shard count 2"), jq::shape_error);
  CHECK_THROWS_WITH_AS(jq::pmap([](const array& x) { return lax::psum_scatter(x, "i", 0, true); }, over_i)(jq::zeros({2, 3})),
                       doctest::Contains("tiled reduce_scatter operand scatter dimension size 3 must be divisible by shard_count 2"), jq::shape_error);
  CHECK_THROWS_AS(jq::pmap([](const array& x) { return lax::pmax(x, "i"); }, over_i)(jq::zeros({2}, jq::c64)), jq::type_error);
}
TEST_CASE("pmap: after an error the same function works") {
  const auto f = jq::pmap(sum, over_i);
  for (int k = 0; k < 3; ++k) {
    CHECK_THROWS_AS(f(jq::zeros({100})), jq::value_error);
    CHECK(show(f(four)) == "f32[4] 6 6 6 6");
  }
  CHECK(f.cache_size() == 1);
}

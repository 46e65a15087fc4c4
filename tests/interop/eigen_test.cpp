// Eigen matrices and arrays as arguments and results: storage orders, ranks, fixed sizes, life times, errors.
#include <jacquard/interop/eigen.hpp>

#include <complex>

#include <doctest/doctest.h>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

namespace {

using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

auto square_sum = [](jq::array x) { return jq::lax::reduce_sum(x * x, jq::int_list::iota(x.ndim())); };
auto identity = [](jq::array x) { return x; };

template <class T>
std::vector<T> elements(const jq::array& x) {
  return {x.data<T>().begin(), x.data<T>().end()};
}
template <class F>
std::string type_error_of(F f) {
  try {
    f();
  } catch (const jq::type_error& e) {
    return e.what();
  }
  return "no error";
}
bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("vectors have rank 1 and are borrowed") {
  const Eigen::VectorXd v = Eigen::Vector3d(1, 2, 3);
  const Eigen::RowVector2f r(4, 5);
  CHECK(jq::borrow(v).shape() == jq::shape{3});
  CHECK(jq::borrow(v).data<double>().data() == v.data());
  CHECK(jq::borrow(r).shape() == jq::shape{2});
  CHECK(jq::asarray(r).data<float>().data() != r.data());
  CHECK(jq::asarray(r).dtype() == jq::f32);
}

TEST_CASE("matrices: row-major borrowed, column-major transposed into place") {
  row_major m(2, 3);
  m << 1, 2, 3, 4, 5, 6;
  CHECK(jq::borrow(m).data<double>().data() == m.data());
  const Eigen::MatrixXd c = m;
  const jq::array a = jq::borrow(c);
  CHECK(a.shape() == jq::shape{2, 3});
  CHECK(elements<double>(a) == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(elements<double>(jq::borrow(m)) == elements<double>(a));
  const Eigen::MatrixXd column = c.col(1);
  CHECK(jq::borrow(column).data<double>().data() == column.data());
  CHECK(jq::borrow(column).shape() == jq::shape{2, 1});
  const Eigen::ArrayXXi counts = Eigen::ArrayXXi::Constant(2, 2, 7);
  CHECK(jq::asarray(counts).dtype() == jq::i32);
  const Eigen::MatrixXcd z = Eigen::MatrixXcd::Constant(1, 2, {1, -1});
  CHECK(jq::asarray(z).dtype() == jq::c128);
}

TEST_CASE("arrays convert implicitly, with checks") {
  const jq::array a = jq::asarray({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  const Eigen::MatrixXd c = a;
  const row_major r = a;
  const Eigen::Matrix<double, 2, 3> fixed = a;
  const Eigen::ArrayXXd e = a;
  CHECK(c(1, 0) == 4);
  CHECK(c == r);
  CHECK(fixed == c);
  CHECK((e == c.array()).all());
  Eigen::MatrixXd assigned;
  assigned = a;
  CHECK(assigned == c);
  const jq::array b = jq::asarray({1.0, 2.0, 3.0});
  const Eigen::VectorXd v = b;
  const Eigen::RowVectorXd w = b;
  const Eigen::Vector3d u = b;
  CHECK(v(2) == 3);
  CHECK(w(2) == 3);
  CHECK(u == v);
  const Eigen::VectorXd none = jq::zeros({0}, jq::f64);
  CHECK(none.size() == 0);
  const Eigen::MatrixXd flat = jq::zeros({3, 0}, jq::f64);
  CHECK(flat.rows() == 3);

  CHECK(has(type_error_of([&] { Eigen::MatrixXf x = a; }), "wanted dtype float32"));
  CHECK(has(type_error_of([&] { Eigen::VectorXd x = a; }), "rank 1"));
  CHECK(has(type_error_of([&] { Eigen::Matrix3d x = a; (void)x; }), "got 2 rows, wanted 3"));
  CHECK(has(type_error_of([&] { Eigen::Vector2d x = b; (void)x; }), "got 3 rows, wanted 2"));
  using small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;
  CHECK(has(type_error_of([&] { small x = a; (void)x; }), "got 3 columns, wanted at most 2"));
}

TEST_CASE("gradients come back in the argument's type") {
  const Eigen::VectorXd v = Eigen::Vector3d(1, 2, 3);
  const auto g = jq::grad(square_sum)(v);
  static_assert(std::is_same_v<decltype(g), const Eigen::VectorXd>);
  CHECK(g == 2 * v);
  Eigen::MatrixXd m(2, 2);
  m << 1, 2, 3, 4;
  CHECK(jq::grad([](jq::array x) { return jq::lax::reduce_sum(x * jq::asarray({{1.0, 10.0}, {100.0, 1000.0}}), {0, 1}); })(m)(0, 1) == 10);
  const auto [y, pull] = jq::vjp(square_sum, m);
  const auto [ct] = pull(1.0);
  CHECK(ct == 2 * m);
  const std::pair<Eigen::MatrixXd, Eigen::VectorXd> both(m, v);
  const auto [gm, gv] = jq::grad([](const std::pair<jq::array, jq::array>& p) {
    return square_sum(p.first) + square_sum(p.second);
  })(both);
  CHECK(gm == 2 * m);
  CHECK(gv == 2 * v);
}

TEST_CASE("other results are arrays that convert; mixed operators") {
  const Eigen::VectorXd v = Eigen::Vector3d(1, 2, 3);
  const Eigen::VectorXd y = jq::jit([](jq::array a) { return a + a; })(v);
  CHECK(y == 2 * v);
  const jq::array a = jq::asarray({10.0, 20.0, 30.0});
  CHECK(elements<double>(a + v) == std::vector<double>{11, 22, 33});
  CHECK(elements<double>(v * a) == std::vector<double>{10, 40, 90});
}

TEST_CASE("results and residuals own their memory") {
  const auto spoiled = [](auto f) {
    Eigen::VectorXd v = Eigen::Vector3d(1, 2, 3);
    auto r = f(v);
    v.setConstant(-1);
    return r;
  };
  CHECK(elements<double>(spoiled([](auto& v) { return jq::jit(identity)(v); }))[2] == 3);
  CHECK(elements<double>(spoiled([](auto& v) { return jq::vmap(identity)(v); }))[2] == 3);
  CHECK(elements<double>(spoiled([](auto& v) { return jq::vjp(identity, v).first; }))[2] == 3);
  const auto pull = spoiled([](auto& v) { return jq::vjp(square_sum, v).second; });
  CHECK(std::get<0>(pull(1.0))(2) == 6);
}

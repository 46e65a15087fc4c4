// Chapter 8: your own arrays (here: xtensor)
// needs: xtensor
//
// A program that has its data in another array library keeps it there. One header teaches Jacquard an array
// type; from then on every transform takes arrays of that type, and gives back the same type where a result
// mirrors an argument. This chapter uses xtensor; interop/eigen.hpp does the same for Eigen, and std::vector
// is built in.

#include <iostream>
#include <map>
#include <string>

#include <xtensor/xarray.hpp>
#include <xtensor/xio.hpp>
#include <xtensor/xtensor.hpp>

#include <jacquard/interop/xtensor.hpp>
#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

// The library's functions are written for jq::array. This one neither knows nor cares where its arguments
// come from.
jq::array misfit(const jq::array& w, const jq::array& x, const jq::array& y) {
  return jq::mean(jq::square(jq::matmul(x, w) - y));
}

int main() {
  const xt::xtensor<double, 2> x{{1, 0}, {1, 1}, {1, 2}, {1, 3}};
  const xt::xarray<double> y{1, 3, 5, 7};
  xt::xarray<double> w{0, 0};

  // The gradient of an xt::xarray is an xt::xarray, so xtensor's expressions carry on with it.
  for (int i = 0; i < 200; ++i) {
    const xt::xarray<double> g = jq::grad(misfit)(w, x, y);
    w -= 0.2 * g;
  }
  std::cout << "intercept and slope: " << w << '\n';

  // Other results are jq::arrays, which convert to any registered type of the same dtype and rank.
  const auto predict = jq::jit([](const jq::array& a, const jq::array& b) { return jq::matmul(a, b); });
  const xt::xarray<double> fitted = predict(x, w);
  std::cout << "fitted: " << fitted << '\n';
  const xt::xtensor<double, 2> hessian = jq::hessian(misfit)(w, x, y);
  std::cout << "hessian:\n" << hessian << "\n\n";

  // A conversion that would change numbers does not happen by itself.
  try {
    const xt::xarray<float> narrower = predict(x, w);
  } catch (const jq::type_error& e) {
    std::cout << "type_error: " << e.what() << "\n\n";
  }

  // Operators and functions take both kinds of array side by side.
  const jq::array mixed = jq::sin(y) + jq::asarray({1.0, 2.0, 3.0, 4.0}) * y;
  std::cout << "mixed: " << mixed << "\n\n";

  // Trees may have foreign leaves. Their gradient is the same tree with the same leaves.
  std::map<std::string, xt::xarray<double>> params{{"bias", {0.5}}, {"weights", {1.0, -1.0}}};
  const auto energy = [](const std::map<std::string, jq::array>& p) {
    return jq::sum(p.at("weights") * p.at("weights")) * p.at("bias")[0];
  };
  std::map<std::string, xt::xarray<double>> gradients = jq::grad(energy)(params);
  std::cout << "tree: bias " << gradients["bias"] << ", weights " << gradients["weights"] << "\n\n";

  // Who owns the memory: an argument is borrowed for the duration of the call and not copied, if it is
  // row-major. asarray makes a copy that lives on its own. jq::borrow makes a view, which the xarray must
  // outlive.
  xt::xarray<double> source{1, 2, 3};
  const jq::array copy = jq::asarray(source), view = jq::borrow(source);
  source(0) = 100;
  std::cout << "copy " << copy << ", view " << view << '\n';
}

// output:
// intercept and slope: { 1.      ,  2.      }
// fitted: { 1.      ,  3.      ,  5.      ,  7.      }
// hessian:
// {{ 2.,  3.},
//  { 3.,  7.}}
//
// type_error: conversion of an array to xt::xarray: got f64[4], wanted dtype float32; convert it first with astype or reshape
//
// mixed: [ 1.84147098  6.14112001 14.04107573 28.6569866 ]
//
// tree: bias { 2.}, weights { 1., -1.}
//
// copy [1. 2. 3.], view [100.   2.   3.]

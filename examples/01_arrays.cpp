// Chapter 1: arrays
//
// Jacquard has one type of data, `jq::array`: numbers of one type (the dtype), arranged in zero or more
// dimensions (the shape). An array is a handle. Copying it copies no numbers, and no operation changes an
// array that exists: each one returns a new array. Because of this, later chapters can turn functions of
// arrays into programs.

#include <iostream>

#include <jacquard/jacquard.hpp>

namespace jq = jacquard;

int main() {
  // asarray copies C++ values. It keeps their exact type: float becomes float32, double float64, int int32.
  // Nested braces make rows; a std::vector or a std::span, with a shape if you want one, does as well.
  const jq::array x = jq::asarray({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  std::cout << "x =\n" << x << '\n';
  std::cout << "shape " << x.shape() << ", dtype " << x.dtype() << ", size " << x.size() << "\n\n";

  // Some arrays need no data of yours.
  std::cout << "zeros    " << jq::zeros({3}) << '\n';
  std::cout << "arange   " << jq::arange(5) << '\n';
  std::cout << "linspace " << jq::linspace(0, 1, 5) << '\n';
  std::cout << "eye\n" << jq::eye(2) << "\n\n";

  // Operators and functions work element by element. The shapes need not be equal: dimensions are compared
  // from the last one backwards, and one that is missing or has size 1 is repeated. (numpy calls this
  // broadcasting.) Here the same row is added to every row of x.
  const jq::array row = jq::asarray({10.f, 20.f, 30.f});
  std::cout << "x + row =\n" << x + row << '\n';
  std::cout << "sqrt(x) =\n" << jq::sqrt(x) << "\n\n";

  // A C++ number takes the dtype of the array that it meets, even 2.0, which is a double. Two arrays of
  // different dtypes give a dtype for both: f32 for i32 and f32. Dividing integers gives floating point.
  const jq::array count = jq::asarray({1, 2, 3});
  std::cout << "row * 2.0    " << (row * 2.0).dtype() << '\n';
  std::cout << "count + 2    " << (count + 2).dtype() << '\n';
  std::cout << "count + row  " << (count + row).dtype() << '\n';
  std::cout << "count / 2    " << (count / 2).dtype() << "\n\n";

  // Reductions remove all dimensions, or those that are named; -1 is the last one.
  std::cout << "sum(x)      " << jq::sum(x) << '\n';
  std::cout << "sum(x, 0)   " << jq::sum(x, 0) << '\n';
  std::cout << "mean(x, -1) " << jq::mean(x, -1) << '\n';
  std::cout << "argmax(x)   " << jq::argmax(x) << "\n\n";

  // An array is indexed by calling it. A number removes a dimension, jq::slice(start, stop, step) keeps a
  // range, jq::all keeps everything, and an array of integers picks entries. x[i] is short for row i.
  std::cout << "x(1, -1)                    " << x(1, -1) << '\n';
  std::cout << "x[1]                        " << x[1] << '\n';
  std::cout << "x(0, jq::slice(1, 3))       " << x(0, jq::slice(1, 3)) << '\n';
  std::cout << "x(0, jq::asarray({2, 0}))   " << x(0, jq::asarray({2, 0})) << '\n';
  std::cout << "x(jq::all, 0)               " << x(jq::all, 0) << '\n';

  // Comparisons give arrays of bool; &&, || and ! combine them, and where() chooses by them.
  std::cout << "where(row > 15, row, 0)     " << jq::where(row > 15, row, 0) << "\n\n";

  // Parts are not assigned to. `at` names a part; set, add and their like return a copy with another part
  // there.
  const jq::array y = x.at(0, jq::all).set(0).at(1, 1).add(100);
  std::cout << "y =\n" << y << '\n';
  std::cout << "and x[0] is still " << x[0] << "\n\n";

  // Shapes change by functions with numpy's names, and so do matrices multiply.
  std::cout << "transpose(x) has the shape " << jq::transpose(x).shape() << '\n';
  std::cout << "reshape(x, {3, -1}) has the shape " << jq::reshape(x, {3, -1}).shape() << '\n';
  std::cout << "matmul(x, transpose(x)) =\n" << jq::matmul(x, jq::transpose(x)) << "\n\n";

  // The way back to C++: an array of one element converts to a number on request, and data<T>() is a
  // std::span of the elements in row-major order, where T is the array's own type.
  const float total = float(jq::sum(x));
  std::cout << "total " << total << ", elements";
  for (float element : x.data<float>()) std::cout << ' ' << element;
  std::cout << "\n\n";

  // A mistake is an exception that says what was wanted. (Its last words, your file and line, are cut off
  // here.)
  try {
    x + jq::asarray({1.f, 2.f});
  } catch (const jq::shape_error& e) {
    const std::string message = e.what();
    std::cout << "shape_error: " << message.substr(0, message.find(" [")) << '\n';
  }
}

// output:
// x =
// [[1. 2. 3.]
//  [4. 5. 6.]]
// shape (2, 3), dtype float32, size 6
//
// zeros    [0. 0. 0.]
// arange   [0 1 2 3 4]
// linspace [0.   0.25 0.5  0.75 1.  ]
// eye
// [[1. 0.]
//  [0. 1.]]
//
// x + row =
// [[11. 22. 33.]
//  [14. 25. 36.]]
// sqrt(x) =
// [[1.        1.4142135 1.7320508]
//  [2.        2.236068  2.4494898]]
//
// row * 2.0    float32
// count + 2    int32
// count + row  float32
// count / 2    float64
//
// sum(x)      21.
// sum(x, 0)   [5. 7. 9.]
// mean(x, -1) [2. 5.]
// argmax(x)   5
//
// x(1, -1)                    6.
// x[1]                        [4. 5. 6.]
// x(0, jq::slice(1, 3))       [2. 3.]
// x(0, jq::asarray({2, 0}))   [3. 1.]
// x(jq::all, 0)               [1. 4.]
// where(row > 15, row, 0)     [ 0. 20. 30.]
//
// y =
// [[  0.   0.   0.]
//  [  4. 105.   6.]]
// and x[0] is still [1. 2. 3.]
//
// transpose(x) has the shape (3, 2)
// reshape(x, {3, -1}) has the shape (3, 2)
// matmul(x, transpose(x)) =
// [[14. 32.]
//  [32. 77.]]
//
// total 21, elements 1 2 3 4 5 6
//
// shape_error: add got incompatible shapes for broadcasting: (2, 3), (2,). Dimensions must be equal or 1; reshape one of the operands

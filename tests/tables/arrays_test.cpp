// Calls of the functions that make, arrange, index and sort arrays.
#include "calls.hpp"

#include <jacquard/numpy/arranging.hpp>
#include <jacquard/numpy/cumulative.hpp>
#include <jacquard/numpy/flat_trees.hpp>
#include <jacquard/numpy/grids.hpp>
#include <jacquard/numpy/padding.hpp>
#include <jacquard/numpy/searching.hpp>
#include <jacquard/numpy/sets.hpp>
#include <jacquard/numpy/unique_parts.hpp>

namespace tables {

namespace {

using namespace jacquard;

const section creation{"numpy/creation.hpp",
                       {CALL(asarray(x)), CALL(full({2}, s)), CALL(zeros({2}, t)), CALL(ones({2}, t)), CALL(full_like(x, 1)), CALL(zeros_like(x)), CALL(ones_like(x)),
                        CALL(arange(3, t)), CALL(linspace(0, 1, 3, t)), CALL(eye(3, t)), CALL(astype(x, f32))}};
const section grids{"numpy/grids.hpp",
                    {CALL(meshgrid({x, y})), CALL(indices({2, 2}, t)), CALL(tri(3, 3, 0, t)), CALL(identity(3, t)), CALL(diagflat(x)), CALL(vander(x)),
                     CALL(logspace(0, 2, 3, 10, t)), CALL(geomspace(1, 4, 3, t)), CALL(tril_indices(3)), CALL(triu_indices(3)),
                     CALL(fromfunction([](const array& row, const array& column) { return row + column; }, {2, 2}, t)),
                     CALL(linspace(s, x, 3, {.axis = 1})), CALL(linspace_with_step(s, x, 3)), CALL(mgrid({slice(0, 2), slice(0, 3)})), CALL(ogrid({slice(0, 2), slice(0, 3)}))}};
const section indexing{"numpy/indexing.hpp",
                       {CALL(x(0)), CALL(x(slice(0, 2))), CALL(x(i)), CALL(x(flags)), CALL(take(x, i)), CALL(take_along_axis(x, i, 0))}};
const section updates{"numpy/updates.hpp",
                      {CALL(x.at(i).set(y)), CALL(x.at(i).add(y)), CALL(x.at(i).multiply(y)), CALL(x.at(i).min(y)), CALL(x.at(i).max(y)), CALL(x.at(i).divide(y)),
                       CALL(x.at(i).power(y)), CALL(x.at(i).get()), CALL(put_along_axis(x, i, y, 0))}};
const section manipulation{"numpy/manipulation.hpp",
                           {CALL(reshape(x, {2, 2})), CALL(ravel(m)), CALL(transpose(m)), CALL(moveaxis(m, 0, 1)), CALL(swapaxes(m, 0, 1)), CALL(squeeze(h)),
                            CALL(expand_dims(x, 0)), CALL(broadcast_to(x, {2, 4})), CALL(concatenate({x, y})), CALL(stack({x, y})), CALL(vstack({x, y})),
                            CALL(hstack({x, y})), CALL(flip(x)), CALL(tile(x, 2)), CALL(repeat(x, 2)), CALL(roll(x, 1)), CALL(one_hot(x, 4)), CALL(tril(m)),
                            CALL(triu(m)), CALL(diagonal(m)), CALL(diag(x))}};
const section arranging{"numpy/arranging.hpp",
                        {CALL(split(x, 2)), CALL(array_split(x, 3)), CALL(vsplit(m, 3)), CALL(hsplit(m, 3)), CALL(dsplit(h, 2)), CALL(unstack(m)), CALL(atleast_1d(s)),
                         CALL(atleast_2d(s)), CALL(atleast_3d(s)), CALL(broadcast_arrays({x, s})), CALL(rollaxis(m, 1)), CALL(rot90(m)), CALL(fliplr(m)),
                         CALL(flipud(m)), CALL(column_stack({x, y})), CALL(dstack({x, y})), CALL(append(x, y)), CALL(resize(x, {2, 3})), CALL(delete_(x, 1)),
                         CALL(insert(x, 1, s)), CALL(select({flags}, {x}, y)), CALL(choose(i, {x, y, x, y})),
                         CALL(piecewise(x, {flags}, [](const array& v) { return v + v; }, [](const array& v) { return v; })),
                         CALL(block({{m, w}, {w, m}}))}};
const section padding{"numpy/padding.hpp", {CALL(pad(x, 1)), CALL(pad(x, 1, "edge"))}};
const section cumulative{"numpy/cumulative.hpp", {CALL(cumprod(x)), CALL(cummax(x)), CALL(cummin(x)), CALL(cumlogsumexp(x))}};
const section flat_trees{"numpy/flat_trees.hpp", {CALL(ravel_pytree(std::pair{x, s}).first), CALL(ravel_pytree(std::pair{x, s}).second(append(y, s)))}};
const section sorting{"numpy/sorting.hpp",
                      {CALL(sort(x)), CALL(argsort(x)), CALL(lexsort({x, y})), CALL(partition(x, 1)), CALL(argpartition(x, 1)), CALL(top_k(x, 2))}};
const section searching{"numpy/searching.hpp",
                        {CALL(searchsorted(x, y)), CALL(digitize(y, sort(x))), CALL(bincount(x, 4)), CALL(histogram(x, 3)), CALL(histogram_bin_edges(x, 3)),
                        CALL(histogram2d(x, y, 2)), CALL(histogramdd(m, 2))}};
const section sets{"numpy/sets.hpp",
                   {CALL(flatnonzero(x)), CALL(nonzero(x)), CALL(where(x)), CALL(argwhere(x)), CALL(extract(flags, x)), CALL(compress(flags, x)), CALL(unique_all(x)), CALL(unique(x)),
                    CALL(isin(x, y)), CALL(intersect1d(x, y)), CALL(setdiff1d(x, y)), CALL(union1d(x, y)),
                    CALL(setxor1d(x, y)), CALL(trim_zeros(x)), CALL(unique_counts(x)), CALL(unique_inverse(x)), CALL(unique_values(x))}};
const section unique_parts{"numpy/unique_parts.hpp", {CALL(unique(m, {.axis = 0})), CALL(unique_all(m, {.axis = 1}))}};

}  // namespace

TEST_CASE("functions that make, arrange, index and sort arrays: each dtype is taken, or refused by a type_error") {
  check_calls({&creation, &grids, &indexing, &updates, &manipulation, &arranging, &padding, &cumulative, &flat_trees, &sorting, &searching, &sets, &unique_parts});
}

}  // namespace tables

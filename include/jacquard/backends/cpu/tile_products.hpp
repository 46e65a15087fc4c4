// Products of small matrices for one instruction set: read after backends/cpu/tile_loops, once for each set, by backends/cpu/tile_functions.
// Deliberately nothing about which products are small: prims/matrix_product says so.
#ifdef JACQUARD_TILE_SET

namespace jacquard::cpu::detail::JACQUARD_TILE_SET {

// A block of rows of the result stays in registers, a row of y is `Parts` of them.
// Loops over these are unrolled by order: arrays are registers only then, where the compiler is not asked for its best.
#define JACQUARD_UNROLLED _Pragma("GCC unroll 8")
/// `y`: where its rows begin; each can be read over the whole registers. Rows of x from the last one on are that one again.
template <class T, int Parts>
JACQUARD_TILE_TARGET void product_block(const jacquard::detail::strided_product<T>& p, const T* const* y, std::int64_t first, char* const* to) {
  constexpr int lanes = register_bytes / int(sizeof(T)), rows = 8 / Parts;
  typedef T vector __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));
  vector sums[rows * Parts];
  JACQUARD_UNROLLED
  for (int i = 0; i < rows * Parts; ++i) sums[i] = vector{};
  const T* x[rows];
  for (int i = 0; i < rows; ++i) x[i] = p.x + (first + i < p.sizes.rows ? first + i : p.sizes.rows - 1) * p.x_row;
  for (std::int64_t k = 0; k < p.sizes.depth; ++k) {
    vector row[Parts];
    JACQUARD_UNROLLED
    for (int j = 0; j < Parts; ++j) row[j] = *reinterpret_cast<const vector*>(y[k] + j * lanes);
    JACQUARD_UNROLLED
    for (int i = 0; i < rows * Parts; ++i) sums[i] += row[i % Parts] * x[i / Parts][k * p.x_step];
  }
  JACQUARD_UNROLLED
  for (int i = 0; i < rows * Parts; ++i)
    if (first + i / Parts < p.sizes.rows) *reinterpret_cast<vector*>(to[i / Parts] + i % Parts * register_bytes) = sums[i];
}
/// Rows of y that end too close to the end of its memory, or lie apart, are copied; so are the last rows of the result, where whole registers
/// would reach beyond it.
template <class T, int Parts>
JACQUARD_TILE_TARGET void product_in_parts(const jacquard::detail::strided_product<T>& p) {
  constexpr std::int64_t width = Parts * register_bytes / int(sizeof(T)), rows = 8 / Parts;
  constexpr std::int64_t most_depth = jacquard::detail::strided_product<T>::most_depth;
  const std::int64_t n = p.sizes.columns, m = p.sizes.rows, depth = p.sizes.depth;
  T panel[most_depth * width];
  const T* y[most_depth];
  const std::int64_t reach = (depth - 1) * p.y_step + n;
  for (std::int64_t k = 0; k < depth; ++k) {
    y[k] = p.y + k * p.y_step;
    if (p.y_column == 1 && k * p.y_step + width <= reach) continue;
    T* const copy = panel + k * width;
    for (std::int64_t j = 0; j < width; ++j) copy[j] = j < n ? y[k][j * p.y_column] : T(0);
    y[k] = copy;
  }
  const std::int64_t direct = m * n < width ? 0 : (m * n - width) / n + 1;
  T rest[3 * width];
  for (std::int64_t i = 0; i < m; i += rows) {
    char* to[rows];
    for (std::int64_t r = 0; r < rows; ++r) to[r] = reinterpret_cast<char*>(i + r < direct ? p.out + (i + r) * n : rest + (i + r < m ? i + r - direct : 0) * n);
    product_block<T, Parts>(p, y, i, to);
  }
  if (direct < m) std::memcpy(p.out + direct * n, rest, std::size_t((m - direct) * n) * sizeof(T));
}
/// See strided_product. Sums are made one after the other, in one rounding each where there is an instruction for it.
template <class T>
JACQUARD_TILE_TARGET void small_product(const jacquard::detail::strided_product<T>& p) {
  constexpr std::int64_t lanes = register_bytes / int(sizeof(T)), most_columns = jacquard::detail::strided_product<T>::most_columns;
#if JACQUARD_TILE_BYTES == 64
  if (p.sizes.columns <= lanes / 2) return v3::small_product(p);
#endif
  if (p.sizes.columns <= lanes) return product_in_parts<T, 1>(p);
  if constexpr (lanes < most_columns)
    if (p.sizes.columns <= 2 * lanes) return product_in_parts<T, 2>(p);
  if constexpr (2 * lanes < most_columns)
    if (p.sizes.columns <= 4 * lanes) return product_in_parts<T, 4>(p);
  if constexpr (4 * lanes < most_columns) product_in_parts<T, 8>(p);
}

#undef JACQUARD_UNROLLED

}  // namespace jacquard::cpu::detail::JACQUARD_TILE_SET
#endif

// Products of small matrices, and rows times taps added up, for one instruction set: read after backends/cpu/tile_loops, once for each set, by backends/cpu/tile_functions.
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
/// `Columns` numbers that lie `apart`, as a vector that may have one more.
template <class T, int Columns, class Vector>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline Vector few_of(const T* y, std::int64_t apart, bool reaches_further) {
  Vector r{};
  if (apart == 1 && (reaches_further || sizeof r == Columns * sizeof(T))) std::memcpy(&r, y, sizeof r);
  else {
    JACQUARD_UNROLLED
    for (int j = 0; j < Columns; ++j) r[j] = y[j * apart];
  }
  return r;
}
/// Products whose right factors have so few rows and columns that they stay in registers, each row in one.
template <class T, int Columns, int Depth>
JACQUARD_TILE_TARGET void products_of_few(const jacquard::detail::strided_product<T>& p) {
  constexpr int width = Columns == 3 ? 4 : Columns;
  typedef T vector __attribute__((vector_size(width * sizeof(T)), aligned(alignof(T)), may_alias));
  const T *x = p.x, *y = p.y;
  T* out = p.out;
  for (std::int64_t n = 0; n < p.count; ++n, x += p.x_apart, y += p.y_apart) {
    vector rows[Depth];
    JACQUARD_UNROLLED
    for (int k = 0; k < Depth; ++k) rows[k] = few_of<T, Columns, vector>(y + k * p.y_step, p.y_column, k + 1 < Depth);
    for (std::int64_t i = 0; i < p.sizes.rows; ++i, out += Columns) {
      vector sum{};
      JACQUARD_UNROLLED
      for (int k = 0; k < Depth; ++k) sum += rows[k] * x[i * p.x_row + k * p.x_step];
      if (width == Columns || i + 1 < p.sizes.rows) *reinterpret_cast<vector*>(out) = sum;
      else std::memcpy(out, &sum, Columns * sizeof(T));
    }
  }
}
template <class T, int Columns>
JACQUARD_TILE_TARGET bool multiply_few(const jacquard::detail::strided_product<T>& p) {
  switch (p.sizes.depth) {
    case 2: return products_of_few<T, Columns, 2>(p), true;
    case 3: return products_of_few<T, Columns, 3>(p), true;
    case 4: return products_of_few<T, Columns, 4>(p), true;
    default: return false;
  }
}
/// A product of any small size.
template <class T>
JACQUARD_TILE_TARGET void one_small_product(const jacquard::detail::strided_product<T>& p) {
  constexpr std::int64_t lanes = register_bytes / int(sizeof(T)), most_columns = jacquard::detail::strided_product<T>::most_columns;
#if JACQUARD_TILE_BYTES == 64
  if (p.sizes.columns <= lanes / 2) return v3::one_small_product(p);
#endif
  if (p.sizes.columns <= lanes) return product_in_parts<T, 1>(p);
  if constexpr (lanes < most_columns)
    if (p.sizes.columns <= 2 * lanes) return product_in_parts<T, 2>(p);
  if constexpr (2 * lanes < most_columns)
    if (p.sizes.columns <= 4 * lanes) return product_in_parts<T, 4>(p);
  if constexpr (4 * lanes < most_columns) product_in_parts<T, 8>(p);
}
/// See strided_product. Sums are made one after the other, in one rounding each where there is an instruction for it.
template <class T>
JACQUARD_TILE_TARGET void small_product(const jacquard::detail::strided_product<T>& p) {
  if (p.sizes.columns == 2 && multiply_few<T, 2>(p)) return;
  if constexpr (4 * sizeof(T) <= register_bytes)
    if ((p.sizes.columns == 3 && multiply_few<T, 3>(p)) || (p.sizes.columns == 4 && multiply_few<T, 4>(p))) return;
  jacquard::detail::strided_product<T> one = p;
  for (std::int64_t n = 0; n < p.count; ++n, one.x += p.x_apart, one.y += p.y_apart, one.out += p.sizes.rows * p.sizes.columns) one_small_product(one);
}

/// `Registers` registers of results, from the i-th on.
template <class T, int Registers>
[[gnu::always_inline]] JACQUARD_TILE_TARGET inline void tap_block(const jacquard::detail::tap_sum<T>& p, std::int64_t i) {
  constexpr int lanes = register_bytes / int(sizeof(T));
  typedef T vector __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));
  vector sums[Registers];
  JACQUARD_UNROLLED
  for (int r = 0; r < Registers; ++r) sums[r] = vector{};
  for (std::int64_t j = 0; j < p.terms; ++j) {
    const T* const x = p.x[j] + i;
    JACQUARD_UNROLLED
    for (int r = 0; r < Registers; ++r) sums[r] += *reinterpret_cast<const vector*>(x + r * lanes) * p.taps[j];
  }
  JACQUARD_UNROLLED
  for (int r = 0; r < Registers; ++r) *reinterpret_cast<vector*>(p.out + i + r * lanes) += sums[r];
}
/// See tap_sum.
template <class T>
JACQUARD_TILE_TARGET void add_taps(const jacquard::detail::tap_sum<T>& p) {
  constexpr int lanes = register_bytes / int(sizeof(T)), registers = 8;
  std::int64_t i = 0;
  for (; i + registers * lanes <= p.count; i += registers * lanes) tap_block<T, registers>(p, i);
  for (; i + lanes <= p.count; i += lanes) tap_block<T, 1>(p, i);
  for (; i < p.count; ++i) {
    T sum = 0;
    for (std::int64_t j = 0; j < p.terms; ++j) sum += p.x[j][i] * p.taps[j];
    p.out[i] += sum;
  }
}

#undef JACQUARD_UNROLLED

}  // namespace jacquard::cpu::detail::JACQUARD_TILE_SET
#endif

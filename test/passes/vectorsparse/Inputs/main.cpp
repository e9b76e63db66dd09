//===- main.cpp - Compares loops over rows with their kernels -------------===//

#include "kernels.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sys/mman.h>
#include <type_traits>
#include <vector>

static constexpr unsigned vertices = 1000;
static std::mt19937 generator(1);

static unsigned number(unsigned least, unsigned most) {
  return std::uniform_int_distribution<unsigned>(least, most)(generator);
}

/// Returns an array that touches one of two pages that cannot be read.
template <typename T> static T *fenced(unsigned count, bool atEnd) {
  constexpr std::size_t page = 4096;
  std::size_t bytes = (count * sizeof(T) + page - 1) / page * page;
  auto *memory = static_cast<char *>(mmap(nullptr, bytes + 2 * page, PROT_NONE,
                                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + page, bytes, PROT_READ | PROT_WRITE);
  return reinterpret_cast<T *>(memory + page +
                               (atEnd ? bytes - count * sizeof(T) : 0));
}

template <typename T>
static const T *random(unsigned count, int least, int most, bool atEnd) {
  T *array = fenced<T>(count, atEnd);
  for (unsigned i = 0; i < count; ++i)
    array[i] = T(int(number(0, most - least)) + least);
  return array;
}

/// Small whole numbers, so that sums are exact in every order.
static Arrays makeArrays(bool atEnd) {
  Arrays a;
  a.f32 = random<float>(vertices, -8, 8, atEnd);
  a.one = random<float>(vertices, 1, 1, atEnd);
  a.half = random<float>(vertices / 2, -8, 8, atEnd);
  a.f64 = random<double>(vertices, -8, 8, atEnd);
  a.i8 = random<std::uint8_t>(vertices, 0, 255, atEnd);
  a.i8Half = random<std::uint8_t>(vertices / 2, 0, 255, atEnd);
  a.i16 = random<std::int16_t>(vertices, -3000, 3000, atEnd);
  a.i32 = random<std::int32_t>(vertices, -5, 5, atEnd);
  a.index = random<std::int32_t>(vertices, 0, vertices - 1, atEnd);
  a.i64 = random<std::int64_t>(vertices, -1000000, 1000000, atEnd);
  auto *bits = fenced<std::uint64_t>((vertices + 63) / 64, atEnd);
  for (unsigned i = 0; i < (vertices + 63) / 64; ++i)
    bits[i] = std::uint64_t(generator()) << 32 | generator();
  a.bits = bits;
  auto *records = fenced<Vertex>(vertices, atEnd);
  auto *matrix = fenced<float[7]>(vertices, atEnd);
  auto *nan = fenced<float>(vertices, atEnd);
  for (unsigned i = 0; i < vertices; ++i) {
    records[i] = {int(number(0, 5)), double(number(0, 9))};
    for (float &element : matrix[i])
      element = number(0, 9);
    nan[i] = number(0, 9) ? float(number(0, 99)) - 50 : NAN;
  }
  a.vertices = records;
  a.matrix = matrix;
  a.nan = nan;
  a.column = 3;
  a.scale = 3;
  return a;
}

/// A row with \p degree edges to vertices other than 0.
struct Row {
  Lane *edges;
  unsigned lanes;

  explicit Row(unsigned degree) : lanes((degree + LANES - 1) / LANES * LANES) {
    edges = static_cast<Lane *>(
        aligned_alloc(64, (lanes * sizeof(Lane) + 127) / 64 * 64));
    constexpr unsigned pieceBits = LANE_BITS == 64 ? 48 / LANES : 32 / LANES;
    for (unsigned i = 0; i < lanes; ++i) {
      Lane piece = number(0, (1u << pieceBits) - 1);
      edges[i] = piece << (LANE_BITS - 1 - pieceBits);
      if (i < degree)
        edges[i] |= Lane(1) << (LANE_BITS - 1) | number(1, vertices - 1);
    }
  }
  ~Row() { free(edges); }
};

static int failures = 0;

template <typename T, typename W>
static void
compare(const char *name,
        T (*scalarLoop)(const Lane *, const W *, long, const Arrays &, T),
        T (*vectorLoop)(const Lane *, const W *, long, const Arrays &, T),
        const Arrays &a, const Row &row, unsigned degree) {
  std::vector<W> weights(row.lanes);
  for (unsigned i = 0; i < degree; ++i)
    weights[i] = W(number(0, 9));
  std::vector<T> inits{T(number(0, 40))};
  if constexpr (std::is_floating_point_v<T>)
    inits.push_back(T(NAN));
  for (T init : inits) {
    T expected = scalarLoop(row.edges, weights.data(), degree, a, init);
    T found = vectorLoop(row.edges, weights.data(), degree, a, init);
    if (expected == found || (expected != expected && found != found))
      continue;
    ++failures;
    std::printf("%s, %u edges, from %g: %g expected, %g found\n", name, degree,
                double(init), double(expected), double(found));
  }
}

int main() {
  for (bool atEnd : {false, true}) {
    Arrays a = makeArrays(atEnd);
    // Short rows more often: in some of them nothing is a number.
    for (unsigned turn = 0; turn < 120; ++turn) {
      unsigned degree = turn < 70 ? turn : 1 + turn % 2;
      Row row(degree);
#define KERNEL(Name, W, T, ...)                                                \
  compare<T, W>(#Name, scalar::Name, vector::Name, a, row, degree);
#include "kernels.def"
    }
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}

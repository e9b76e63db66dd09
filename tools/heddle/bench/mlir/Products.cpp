//===- Products.cpp - A sparse matrix by a vector -------------------------===//
//
// y += A x, with a row for each vertex and an element for each edge to it: the
// loop over compressed rows that MLIR's sparsifier makes, its vectorised one,
// and heddle.pull_parallel over edge vectors.
//
//===----------------------------------------------------------------------===//

#include "../graph/Figures.h"
#include "MemRef.h"
#include "MlirFigures.h"

#include "heddle/graph/detail/Array.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <omp.h>

namespace heddle::bench {

namespace {

struct EdgeVectors {
  MemRef<std::int64_t> rows;
  MemRef<std::uint32_t, 2> edges;
  MemRef<float, 2> weights;
};

} // namespace

// A sparse matrix is its arrays, its two dimensions and the arrays' lengths.
extern "C" {
using ProductKernel = void(MemRef<float> *result,
                           MemRef<std::int64_t> *positions,
                           MemRef<std::uint32_t> *coordinates,
                           MemRef<float> *values, std::int64_t rows,
                           std::int64_t columns, std::int64_t positionCount,
                           std::int64_t coordinateCount,
                           std::int64_t valueCount, MemRef<float> *x,
                           MemRef<float> *y);
ProductKernel heddle_bench_product_rows, heddle_bench_product_vl8;

#define HEDDLE_BENCH_KERNELS(LANES)                                            \
  void heddle_bench_pack_##LANES(                                              \
      EdgeVectors *result, MemRef<std::int64_t> *positions,                    \
      MemRef<std::uint32_t> *coordinates, MemRef<float> *values);              \
  void heddle_bench_pull_##LANES(                                              \
      MemRef<std::int64_t> *rows, MemRef<std::uint32_t, 2> *edges,             \
      MemRef<float, 2> *weights, MemRef<float> *x, MemRef<float> *y);
HEDDLE_BENCH_KERNELS(8)
HEDDLE_BENCH_KERNELS(16)
}

namespace {

constexpr const char *Line = "{:<24}{:>8}{:>10}{:>8}";

std::string header() {
  return "A sparse matrix by a vector: the sparsifier's loop over compressed "
         "rows (rows),\nits vectorised one (vl=8), and heddle.pull_parallel "
         "with 8 and 16 lanes; speed\nrelative to vl=8 (1.00), and the time "
         "that packing takes, in products.\n\n" +
         fmt::format(fmt::runtime(Line), "graph", "threads", "vl=8 ns",
                     "rows") +
         fmt::format("{:>8}{:>8}{:>9}{:>9}\n", "pull 8", "pull 16", "pack 8",
                     "pack 16");
}

/// The matrix in all forms.
class Products {
public:
  explicit Products(const FigureInput &input)
      : input(input), x(input.graph.vertexCount()),
        y(input.graph.vertexCount()), expected(input.graph.vertexCount()) {
    const std::uint32_t vertices = input.graph.vertexCount();
    for (std::uint32_t v = 0; v < vertices; ++v)
      x[v] = float(1 + v % 1000) / 1000;
    coordinates.reserve(input.graph.edgeCount());
    values.reserve(input.graph.edgeCount());
    for (std::uint32_t v = 0; v < vertices; ++v) {
      double sum = 0;
      for (const auto [source, weight] : input.graph.inEdges(v)) {
        const float value = float(1 + (v + source) % 1024) / 1024;
        coordinates.push_back(source);
        values.push_back(value);
        sum += double(value) * x[source];
      }
      positions.push_back(static_cast<std::int64_t>(coordinates.size()));
      expected[v] = sum;
    }
    MemRef p(positions);
    MemRef c(coordinates);
    MemRef w(values);
    packSeconds[0] =
        secondsOf([&] { heddle_bench_pack_8(&vectors8, &p, &c, &w); });
    packSeconds[1] =
        secondsOf([&] { heddle_bench_pack_16(&vectors16, &p, &c, &w); });
  }
  Products(const Products &) = delete;
  Products &operator=(const Products &) = delete;
  ~Products() {
    release(vectors8);
    release(vectors16);
  }

  void measure(int threads) {
    const auto versionOf = [this](const char *name, auto multiplyBy) {
      return FigureVersion{
          name, timed([this] { std::ranges::fill(y, 0.0f); }, multiplyBy),
          [this, name] { checkSums(name, y, expected); }};
    };
    // The rival to be compared with comes first.
    const std::vector<FigureVersion> versions = {
        versionOf("vl=8", [this] { multiply(heddle_bench_product_vl8); }),
        versionOf("rows", [this] { multiply(heddle_bench_product_rows); }),
        versionOf("pull 8", [this] { pull(heddle_bench_pull_8, vectors8); }),
        versionOf("pull 16",
                  [this] { pull(heddle_bench_pull_16, vectors16); })};
    const std::vector<Standing> standings =
        input.compete(versions, fmt::format("{} threads", threads));
    print(threads, standings);
    input.addRows(input.row("products", threads), versions, standings,
                  "ns_per_edge", static_cast<double>(input.graph.edgeCount()));
  }

private:
  void multiply(ProductKernel *kernel) {
    MemRef<float> result;
    MemRef p(positions);
    MemRef c(coordinates);
    MemRef w(values);
    MemRef from(x);
    MemRef to(y);
    const std::int64_t rows = to.sizes[0];
    kernel(&result, &p, &c, &w, rows, rows, p.sizes[0], c.sizes[0], w.sizes[0],
           &from, &to);
  }

  void pull(auto *kernel, auto &vectors) {
    MemRef from(x);
    MemRef to(y);
    kernel(&vectors.rows, &vectors.edges, &vectors.weights, &from, &to);
  }

  static void release(auto &vectors) {
    std::free(vectors.rows.allocated);
    std::free(vectors.edges.allocated);
    std::free(vectors.weights.allocated);
  }

  void print(int threads, const std::vector<Standing> &standings) const {
    const double edges = static_cast<double>(input.graph.edgeCount());
    fmt::print(fmt::runtime(Line), input.name, threads,
               fmt::format("{:.2f}", standings[0].seconds * 1e9 / edges),
               fmt::format("{:.2f}", standings[1].speed));
    fmt::print("{:>8.2f}{:>8.2f}{:>9.1f}{:>9.1f}\n", standings[2].speed,
               standings[3].speed, packSeconds[0] / standings[2].seconds,
               packSeconds[1] / standings[3].seconds);
    std::fflush(stdout);
  }

  const FigureInput &input;
  // Uses pages of the usual size, like the edge vectors.
  std::vector<std::int64_t> positions{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> values;
  EdgeVectors vectors8, vectors16;
  graph::Array<float> x, y;
  graph::Array<double> expected;
  double packSeconds[2];
};

void measure(const FigureInput &input) {
  if (input.graph.edgeCount() == 0)
    return;
  input.progress.show("packing");
  Products products(input);
  for (const int threads : input.options.threads) {
    omp_set_num_threads(threads);
    products.measure(threads);
  }
}

} // namespace

Figure productsFigure() {
  return {.name = "products",
          .description = "sparse matrix by vector: the sparsifier's vector "
                         "code against heddle.pull",
          .header = header(),
          .measure = measure,
          .usualScales = {20, 25},
          .usualDegrees = {8}};
}

} // namespace heddle::bench

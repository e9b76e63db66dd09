// Runs the kernels of spmv.mlir and pagerank.mlir, as they were compiled into
// this program, on a graph file, and compares them with the graph library.
//
//   mlir-plain|mlir-interleaved|mlir-vectorsparse GRAPH

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <heddle/graph/ReadGraph.h>
#include <heddle/graph/algorithms/PageRank.h>
#include <vector>

namespace {

/// A one-dimensional tensor as functions with llvm.emit_c_interface take it.
template <typename T> struct Tensor {
  T *allocated = nullptr, *aligned = nullptr;
  std::int64_t offset = 0, size = 0, stride = 1;

  Tensor() = default;
  explicit Tensor(std::vector<T> &values)
      : allocated(values.data()), aligned(values.data()),
        size(std::int64_t(values.size())) {}
};

/// A sparse matrix, with a one for each edge in the row of its target.
struct Matrix {
  std::vector<std::int64_t> positions{0};
  std::vector<std::uint32_t> coordinates;
  std::vector<float> values;

  template <typename Graph> explicit Matrix(const Graph &graph) {
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
      for (const auto [source, weight] : graph.inEdges(v))
        coordinates.push_back(source);
      positions.push_back(std::int64_t(coordinates.size()));
    }
    values.assign(coordinates.size(), 1);
  }
};

} // namespace

// A sparse matrix is its arrays, its two dimensions and the arrays' lengths.
extern "C" {
void _mlir_ciface_spmv(Tensor<float> *result, Tensor<std::int64_t> *positions,
                       Tensor<std::uint32_t> *coordinates,
                       Tensor<float> *values, std::int64_t rows,
                       std::int64_t columns, std::int64_t positionCount,
                       std::int64_t coordinateCount, std::int64_t valueCount,
                       Tensor<float> *x, Tensor<float> *y);
void _mlir_ciface_pagerank(Tensor<float> *result,
                           Tensor<std::int64_t> *positions,
                           Tensor<std::uint32_t> *coordinates,
                           Tensor<float> *values, std::int64_t rows,
                           std::int64_t columns, std::int64_t positionCount,
                           std::int64_t coordinateCount,
                           std::int64_t valueCount, Tensor<float> *degrees,
                           float damping, std::int64_t iterations);
}

namespace {

/// Calls `kernel` with the place for the result and the arguments of a matrix,
/// prints how long it took, and returns the result.
template <typename Kernel, typename... Rest>
std::vector<float> call(const char *name, Kernel kernel, Matrix &matrix,
                        Rest... rest) {
  Tensor<float> result, values(matrix.values);
  Tensor<std::int64_t> positions(matrix.positions);
  Tensor<std::uint32_t> coordinates(matrix.coordinates);
  const std::int64_t rows = positions.size - 1;
  const auto start = std::chrono::steady_clock::now();
  kernel(&result, &positions, &coordinates, &values, rows, rows, positions.size,
         coordinates.size, values.size, rest...);
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - start;
  std::fprintf(stderr, "%s: %.3f s\n", name, time.count());
  std::vector<float> found(result.aligned, result.aligned + result.size);
  std::free(result.allocated);
  return found;
}

/// Prints the greatest relative difference from the expected values. Returns
/// whether it is so small that rounding explains it.
template <typename Expected>
bool compare(const char *name, const Expected &expected,
             const std::vector<float> &found) {
  double most = 0;
  for (std::size_t v = 0; v < found.size(); ++v)
    most = std::max(most, std::abs(double(found[v]) - expected[v]) /
                              std::max(1e-30, std::abs(double(expected[v]))));
  const bool same = most < 1e-3;
  std::printf("%s %s\n", name, same ? "is the library's" : "differs");
  return same;
}

} // namespace

int main(int count, char **arguments) try {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s GRAPH\n", arguments[0]);
    return 2;
  }
  const auto graph = heddle::graph::readGraph(arguments[1]);
  const std::uint32_t vertices = graph.vertexCount();
  Matrix matrix(graph);

  std::vector<float> x(vertices), y(vertices, 1), degrees(vertices);
  std::vector<double> product(vertices, 1);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    x[v] = float(v % 1000) / 1000;
    degrees[v] = float(graph.outDegree(v));
  }
  for (std::uint32_t v = 0; v < vertices; ++v)
    for (const auto [source, weight] : graph.inEdges(v))
      product[v] += x[source];
  Tensor<float> xs(x), ys(y), ds(degrees);
  const bool spmvSame = compare(
      "y + A x", product, call("spmv", _mlir_ciface_spmv, matrix, &xs, &ys));

  constexpr unsigned Iterations = 20;
  const auto expected = heddle::graph::pageRank(
      graph, {.damping = 0.85, .tolerance = 0, .iterations = Iterations});
  const bool rankSame = compare("PageRank", expected.rank,
                                call("pagerank", _mlir_ciface_pagerank, matrix,
                                     &ds, 0.85f, std::int64_t(Iterations)));
  return spmvSame && rankSame ? 0 : 1;
} catch (const heddle::graph::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

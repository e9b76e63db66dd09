//===- Sums.cpp - Whether a pull step is right ----------------------------===//

#include "Figures.h"

#include "../../command/Error.h"

#include <cmath>
#include <fmt/format.h>

namespace heddle::bench {

graph::Array<double> expectedSums(const graph::Csr<> &graph) {
  const std::size_t vertices = graph.vertexCount();
  graph::Array<double> sums(vertices);
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::uint32_t v = 0; v < vertices; ++v) {
    double sum = 0;
    for (auto [source, weight] : graph.inEdges(v))
      sum += 1 / static_cast<double>(graph.outDegree(source));
    sums[v] = sum;
  }
  return sums;
}

template <typename Value>
void checkSums(const std::string &version, const graph::Array<Value> &sums,
               const graph::Array<double> &expected) {
  // A float that adds up the edges of a hub one by one loses some digits.
  constexpr double Tolerance = 1e-2;
  for (std::size_t v = 0; v < expected.size(); ++v)
    // NaN is in no range.
    if (!(std::abs(sums[v] - expected[v]) <= Tolerance * expected[v]))
      throw Error(fmt::format("version {} computes {} for vertex {}, expected "
                              "{}",
                              version, sums[v], v, expected[v]));
}

template void checkSums(const std::string &, const graph::Array<float> &,
                        const graph::Array<double> &);
template void checkSums(const std::string &, const graph::Array<double> &,
                        const graph::Array<double> &);

} // namespace heddle::bench

//===- EdgeSource.cpp - Edges that come piece by piece -------------------===//

#include "heddle/graph/ooc/EdgeSource.h"

#include "EdgeReaders.h"

#include "../../generate/EdgeWeights.h"

namespace heddle::graph::ooc {

namespace {

/// The edges of a graph that this owns.
template <EdgeWeight Weight>
class OwnCsrEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  explicit OwnCsrEdges(Csr<std::uint32_t, Weight> ownGraph)
      : graph(std::move(ownGraph)), edges(graph) {}

  Edges next() override { return edges.next(); }
  std::uint64_t vertexCount() const override { return edges.vertexCount(); }
  bool isUndirected() const override { return edges.isUndirected(); }
  bool isFinished() const override { return edges.isFinished(); }

private:
  const Csr<std::uint32_t, Weight> graph;
  CsrEdges<Weight> edges;
};

/// Gives weights to the edges of another source.
template <EdgeWeight Weight>
class RandomlyWeightedEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  RandomlyWeightedEdges(std::unique_ptr<EdgeSource<Unweighted>> source,
                        std::uint64_t seed)
      : source(std::move(source)), random(seed) {}

  Edges next() override {
    piece.clear();
    for (const auto &edge : source->next())
      piece.push_back({edge.from, edge.to,
                       randomWeight<Weight>(random, edge.from, edge.to)});
    return piece;
  }

  std::uint64_t vertexCount() const override { return source->vertexCount(); }
  bool isUndirected() const override { return source->isUndirected(); }
  bool isFinished() const override { return source->isFinished(); }

private:
  const std::unique_ptr<EdgeSource<Unweighted>> source;
  const RandomSequence random;
  std::vector<Edge<std::uint32_t, Weight>> piece;
};

} // namespace

template <EdgeWeight Weight>
std::unique_ptr<EdgeSource<Weight>>
openEdgeSource(const std::string &path, const EdgeSourceOptions &options) {
  if constexpr (!std::same_as<Weight, Unweighted>)
    if (options.randomWeightSeed) {
      EdgeSourceOptions without = options;
      without.randomWeightSeed.reset();
      return std::make_unique<RandomlyWeightedEdges<Weight>>(
          openEdgeSource<Unweighted>(path, without), *options.randomWeightSeed);
    }
  switch (options.format ? *options.format : formatOfFile(path)) {
  case GraphFormat::EdgeList:
    return openEdgeList<Weight>(path, options.text);
  case GraphFormat::Pairs:
    return openPairs<Weight>(path, options.text);
  case GraphFormat::MatrixMarket:
    return openMatrixMarket<Weight>(path, options.text);
  case GraphFormat::Ligra:
    return openLigra<Weight>(path, options.text);
  case GraphFormat::Gap:
    return openGap<Weight>(path, false, options.text);
  case GraphFormat::GapWeighted:
    return openGap<Weight>(path, true, options.text);
  case GraphFormat::Native:
    return std::make_unique<OwnCsrEdges<Weight>>(
        readGraph<std::uint32_t, Weight>(path,
                                         {.format = GraphFormat::Native}));
  }
  __builtin_unreachable();
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template std::unique_ptr<EdgeSource<Weight>> openEdgeSource(                 \
      const std::string &, const EdgeSourceOptions &);
HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE)

} // namespace heddle::graph::ooc

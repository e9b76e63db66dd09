//===- EdgeSource.cpp - Edges that come piece by piece -------------------===//

#include "heddle/graph/ooc/EdgeSource.h"

#include "../../formats/Formats.h"
#include "../../generate/EdgeWeights.h"

namespace heddle::graph::ooc {

namespace {

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
  const GraphFormat format =
      options.format ? *options.format : formatOfFile(path);
  return visitFormat(format, [&](auto chosen) {
    return chosen.template open<Weight>(path, options.text);
  });
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template std::unique_ptr<EdgeSource<Weight>> openEdgeSource(                 \
      const std::string &, const EdgeSourceOptions &);
HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE)

} // namespace heddle::graph::ooc

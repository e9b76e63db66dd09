//===- EdgeSource.cpp - Edges that come piece by piece -------------------===//

#include "heddle/graph/ooc/EdgeSource.h"

#include "../generate/EdgeWeights.h"
#include "../io/EdgeText.h"
#include "../io/ParsedChunk.h"

#include <omp.h>

namespace heddle::graph::ooc {

namespace {

/// The lines of an edge list, parsed by all threads.
template <EdgeWeight Weight> class ListEdges final : public EdgeSource<Weight> {
public:
  using typename EdgeSource<Weight>::Edges;

  ListEdges(const std::string &path, const ReadOptions &readOptions)
      : path(path), options(readOptions),
        limit(vertexLimit<std::uint32_t>(path, options)), text(path, options),
        parser(limit, 0),
        chunks(2 * static_cast<std::size_t>(omp_get_max_threads())) {}

  Edges next() override {
    while (true) {
      if (current == filled && !parseMore()) {
        checkVertices();
        return {};
      }
      Chunk &chunk = chunks[current++];
      check(chunk);
      edges += chunk.edgeCount;
      if (chunk.edgeCount > 0)
        return {chunk.edges.data(), chunk.edgeCount};
    }
  }

  std::uint64_t vertexCount() const override {
    return options.vertexCount.value_or(vertices);
  }

private:
  using Chunk = ParsedChunk<std::uint32_t, Weight>;

  bool parseMore() {
    current = filled = 0;
    while (!isAtEnd && filled < chunks.size()) {
      isAtEnd = !text.nextLines(chunks[filled].text);
      if (isAtEnd)
        break;
      isAtEnd = !chunks[filled].text.problem.empty();
      ++filled;
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i < filled; ++i) {
      try {
        chunks[i].failure = nullptr;
        chunks[i].parse(parser);
      } catch (...) {
        chunks[i].failure = std::current_exception();
      }
    }
    text.reportProgress();
    return filled > 0;
  }

  void check(Chunk &chunk) {
    if (chunk.failure)
      std::rethrow_exception(chunk.failure);
    const std::uint64_t linesBefore = text.linesRead();
    if (!chunk.text.problem.empty())
      text.fail(linesBefore + 1, chunk.text.problem);
    text.countLines(chunk.lines());
    if (!chunk.mistake.empty())
      text.fail(text.linesRead(), chunk.mistake);
    if (chunk.vertexCount > vertices) {
      vertices = chunk.vertexCount;
      lineOfHighest = linesBefore + chunk.lineOfHighestVertex;
    }
  }

  void checkVertices() const {
    if (!options.vertexCount)
      checkCredible(text, vertices, edges, lineOfHighest);
  }

  const std::string path;
  const ReadOptions options;
  const std::uint32_t limit;
  TextFile text;
  const EdgeLineParser<std::uint32_t, Weight> parser;
  std::vector<Chunk> chunks;
  std::size_t current = 0, filled = 0;
  bool isAtEnd = false;
  std::uint64_t vertices = 0, edges = 0, lineOfHighest = 0;
};

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
    return std::make_unique<ListEdges<Weight>>(path, options.text);
  case GraphFormat::Native:
    return std::make_unique<OwnCsrEdges<Weight>>(
        readGraph<std::uint32_t, Weight>(path,
                                         {.format = GraphFormat::Native}));
  default:
    throw Error(path + ": expected an edge list or a .hgraph, which can be "
                       "read piece by piece; heddle convert makes one");
  }
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template std::unique_ptr<EdgeSource<Weight>> openEdgeSource(                 \
      const std::string &, const EdgeSourceOptions &);
HEDDLE_INSTANTIATE(Unweighted)
HEDDLE_INSTANTIATE(std::int32_t)
HEDDLE_INSTANTIATE(float)

} // namespace heddle::graph::ooc

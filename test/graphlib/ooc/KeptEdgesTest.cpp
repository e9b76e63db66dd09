//===- KeptEdgesTest.cpp - Edges that stay in memory ----------------------===//

#include "PreparedGraph.h"

#include "heddle/graph/messages/BreadthFirstSearch.h"

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// Pieces that meet within a segment, and segments that a step with few
/// messages has read, do not keep other data from staying in memory.
TEST(KeptEdges, ComeOnce) {
  const PreparedGraph<> graph(
      buildCsr(generateKronecker({.scale = 18, .edgesPerVertex = 16}),
               {.directed = false}),
      {.batchVertices = ooc::BatchUnit});
  // A segment may be read at each end of a chunk, and completely for less.
  std::uint64_t mostBytes = 0;
  for (const ooc::Chunk &chunk : graph.layout.chunks)
    mostBytes += chunk.edges * 4 + chunk.sources * 6 +
                 2 * ooc::CheckedFile::SegmentBytes;
  ooc::Engine<> engine(graph.path());
  breadthFirstByMessages(engine, 1);
  EXPECT_GT(engine.counts().edges, graph.layout.edges / 2);
  EXPECT_LE(engine.counts().bytes.read, mostBytes);
}

} // namespace

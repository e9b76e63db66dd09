//===- AdjacencyEdges.h - Offsets and targets read in parallel -*- C++ -*-===//
//
// A file that contains first the offsets of each vertex's edges, and then their
// targets, is read at several positions at once. Only a piece of each part is
// in memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_ADJACENCYEDGES_H
#define HEDDLE_GRAPHLIB_FORMATS_ADJACENCYEDGES_H

#include "../files/PlainFile.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/EdgeSource.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph {

/// Throws Error for a pipe or device, which can be read only once.
inline void expectSeveralReaders(const std::string &path) {
  if (!isRegularInput(path))
    throw Error(path + ": expected a regular file, which can be read at "
                       "several places at once");
}

/// The edges of an adjacency graph. An input has these functions, which throw
/// Error for what is wrong with a file:
///
///   uint64_t vertices() const, edges() const;
///   uint64_t nextOffset(); // 0, then the end of each vertex's edges: not
///   below
///                          // the last, and edges() in the end
///   void readTargets(span<Edge> edges); // and weights
///   void note(span<const Edge> edges); // which are now complete
///   void finish(); // looks at what follows the last target
///   uint64_t vertexCount() const; // as EdgeSource has it, and the others too
///   bool isUndirected() const, isFinished() const;
template <EdgeWeight Weight, typename Input>
class AdjacencyEdges final : public detail::EdgeSource<std::uint32_t, Weight> {
public:
  using typename detail::EdgeSource<std::uint32_t, Weight>::Edges;

  /// Passes its arguments to the input.
  template <typename... Arguments>
  explicit AdjacencyEdges(const Arguments &...arguments)
      : input(arguments...), rowEnd(input.nextOffset()) {}

  Edges next() override {
    constexpr std::uint64_t Many = std::uint64_t(1) << 16;
    piece.resize(std::min(Many, input.edges() - edge));
    if (piece.empty()) {
      while (rows < input.vertices())
        passRow();
      input.finish();
      return {};
    }
    input.readTargets(std::span(piece));
    for (auto &next : piece) {
      // The last row ends with the last edge.
      while (rowEnd <= edge)
        passRow();
      next.from = static_cast<std::uint32_t>(rows - 1);
      ++edge;
    }
    input.note(std::span<const Edge<std::uint32_t, Weight>>(piece));
    return piece;
  }

  std::uint64_t vertexCount() const override { return input.vertexCount(); }
  bool isUndirected() const override { return input.isUndirected(); }
  bool isFinished() const override { return input.isFinished(); }

private:
  void passRow() {
    rowEnd = input.nextOffset();
    ++rows;
  }

  Input input;
  std::uint64_t rows = 0; ///< whose ends are known
  std::uint64_t rowEnd;   ///< of the last of them
  std::uint64_t edge = 0;
  std::vector<Edge<std::uint32_t, Weight>> piece;
};

} // namespace heddle::graph

#endif

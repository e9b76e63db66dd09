//===- ReadUpdates.h - Streams of updates ----------------------*- C++ -*-===//
//
// The format: a line for each update, in the order in which they happen.
//
//     TIME + SOURCE TARGET [WEIGHT]   adds an edge
//     TIME - SOURCE TARGET            deletes an edge
//     TIME = SOURCE TARGET WEIGHT     gives an edge another weight
//     SOURCE TARGET TIME              adds an edge (SNAP's temporal networks)
//
// Times are integers that must not decrease; they may have any unit. Blanks and
// tabs separate columns. Comments, line ends and compression are as in edge
// lists (ReadEdgeList.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_READUPDATES_H
#define HEDDLE_GRAPH_READUPDATES_H

#include "heddle/graph/ReadEdgeList.h"
#include "heddle/graph/Update.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::graph {

/// Updates in the order in which they happen, and their times; both have the
/// same size.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct UpdateStream {
  std::vector<EdgeUpdate<VertexId, Weight>> updates;
  std::vector<std::int64_t> times;
};

/// Reads the stream of updates in `path`. If Weight is a number, a line that
/// adds an edge must have a weight, so lines of temporal networks are errors.
/// If it is Unweighted, a line that changes a weight is an error.
///
/// Throws std::bad_alloc, and Error if the file cannot be opened or read to its
/// end, or for the first line that is malformed, has a vertex that the options
/// do not allow, or an earlier time than the line before:
///
///   calls.txt:7: expected a time of at least 1700000000, found '17'
///
/// Takes the memory of the result, twice while it grows. Instantiated as
/// readEdgeList() is.
///
///   auto stream = readUpdates("calls.txt.gz", {.vertexCount = 1000});
template <VertexIdentifier VertexId = std::uint32_t,
          EdgeWeight Weight = Unweighted>
UpdateStream<VertexId, Weight> readUpdates(const std::string &path,
                                           const ReadOptions &options = {});

} // namespace heddle::graph

#endif

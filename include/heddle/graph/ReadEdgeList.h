//===- ReadEdgeList.h - Edge lists as SNAP publishes them ------*- C++ -*-===//
//
// The format: a line for each edge, with the two vertices and perhaps a weight
// in columns, which blanks, tabs or one comma separate. Lines that begin with
// '#' or '%' are comments; these and empty lines are skipped. Lines end in LF
// or CRLF, the last one perhaps in nothing. A byte order mark at the start of
// the file is skipped too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_READEDGELIST_H
#define HEDDLE_GRAPH_READEDGELIST_H

#include "heddle/graph/EdgeList.h"
#include "heddle/graph/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle::graph {

struct ReadOptions {
  /// How many vertices there are; by default as many as the file says, or one
  /// more than the highest that occurs. A file with a vertex beyond is in
  /// error.
  ///
  /// A file whose vertices are far more than its edges, 64 for each and 2^22
  /// beside, is taken for damaged unless the number is given here: one wrong
  /// digit must not cost the memory of billions of vertices.
  std::optional<std::uint64_t> vertexCount = {};

  /// Text that a thread parses at a time, cut at line ends. Small values are
  /// for tests.
  std::size_t chunkBytes = std::size_t(1) << 18;

  /// Called now and then by the calling thread, with the bytes of the file that
  /// are done and the bytes that it has (0 for a pipe). What it throws ends the
  /// reading.
  std::function<void(std::uint64_t doneBytes, std::uint64_t totalBytes)>
      progress = {};
};

/// Reads the edge list in `path`, in the order of the file. Names that end in
/// ".gz" and ".zst" are decompressed on the way. Text is parsed on the threads
/// of OpenMP; the result is the same whatever their number.
///
/// If Weight is a number then every line must have a weight that it can hold;
/// an integer type takes no fractions. If it is Unweighted, weights may be
/// there, as any number, and are ignored.
///
/// Throws std::bad_alloc, and Error if the file cannot be opened or read to its
/// end, or for the first line that is not as it should be:
///
///   wiki.txt:7: expected a vertex below 4294967295, found '-1'
///
/// Takes the memory of the result and some MiB, unless far more edges follow
/// than the size of the file and its first part let one expect. Different
/// threads may read at the same time. Instantiated for both kinds of vertices
/// with weights of Unweighted, int32_t, int64_t, float and double.
///
///   auto list = readEdgeList<uint32_t, float>("roads.csv.zst");
template <VertexIdentifier VertexId = std::uint32_t,
          EdgeWeight Weight = Unweighted>
EdgeList<VertexId, Weight> readEdgeList(const std::string &path,
                                        const ReadOptions &options = {});

} // namespace heddle::graph

#endif

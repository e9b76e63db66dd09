//===- ReadEdgeList.h - Edge lists as SNAP publishes them ------*- C++ -*-===//
//
// The format: a line for each edge, with the two vertices, perhaps a weight,
// and perhaps a time, which is ignored, in columns that blanks, tabs or one
// comma separate. Lines that begin with
// '#' or '%' are comments; these and empty lines are skipped. Lines end in LF
// or CRLF; the last line may lack that. A byte order mark at the start of the
// file is skipped too.
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
  /// The number of vertices. By default the number that the file gives, or one
  /// more than its highest vertex. A higher vertex in the file is an error.
  ///
  /// If this is not given, a file with more than 2^22 vertices and 64 more for
  /// each edge is rejected as damaged: one wrong digit must not allocate the
  /// memory of billions of vertices.
  std::optional<std::uint64_t> vertexCount = {};

  /// The bytes of text that a thread parses at a time. Small values are for
  /// tests.
  std::size_t chunkBytes = std::size_t(1) << 18;

  /// Called now and then by the calling thread, with the number of bytes read
  /// and the size of the file (0 for a pipe). An exception that it throws ends
  /// the reading.
  std::function<void(std::uint64_t doneBytes, std::uint64_t totalBytes)>
      progress = {};
};

/// Reads the edge list in `path`, in the order of the file; "-" is standard
/// input. Data that gzip or zstd have compressed are decompressed. Text is
/// parsed on the threads of OpenMP; the result does not depend on their number.
///
/// If Weight is a number then every line must have a weight that it can hold;
/// an integer type takes no fractions. If it is Unweighted, weights may be
/// there, as any number, and are ignored.
///
/// Throws std::bad_alloc, and Error if the file cannot be opened or read to its
/// end, if its first bytes are those of another format, or for the first
/// malformed line:
///
///   wiki.txt:7: expected a vertex below 4294967295, found '-1'
///
/// Takes the memory of the result and some MiB, or more if the first part of
/// the file made the estimate of the number of edges too low. Different threads
/// may read at the same time. Instantiated for both vertex types with weights
/// of Unweighted, int32_t, int64_t, float and double.
///
///   auto list = readEdgeList<uint32_t, float>("roads.csv.zst");
template <VertexIdentifier VertexId = std::uint32_t,
          EdgeWeight Weight = Unweighted>
EdgeList<VertexId, Weight> readEdgeList(const std::string &path,
                                        const ReadOptions &options = {});

} // namespace heddle::graph

#endif

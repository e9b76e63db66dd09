//===- MetisHeader.h - How a METIS graph begins ----------------*- C++ -*-===//
//
// Comments, which begin with %, and a line of two to four numbers: of vertices,
// of edges, three digits that say which numbers the rows contain, and how many
// weights each vertex has.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_HEADERS_METISHEADER_H
#define HEDDLE_GRAPHLIB_FORMATS_HEADERS_METISHEADER_H

#include "../../files/TextFile.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::graph {

struct MetisHeader {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0; ///< each is in the rows of both its ends
  bool hasSizes = false, hasEdgeWeights = false;
  std::uint64_t vertexWeights = 0; ///< of each vertex

  /// How many numbers precede the neighbours in a row.
  std::uint64_t numbersBeforeRow() const {
    return (hasSizes ? 1 : 0) + vertexWeights;
  }
};

/// The header that a line is, if it is one.
std::optional<MetisHeader> metisHeaderIn(std::string_view line);

/// Reads up to the first row. Throws Error.
MetisHeader readMetisHeader(TextFile &text);

} // namespace heddle::graph

#endif

//===- DimacsHeader.h - How a graph of a DIMACS challenge begins -*- C++ -*-==//
//
// Comments, which begin with c, and a problem line: p, what kind of problem it
// is, and the numbers of vertices and edges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_HEADERS_DIMACSHEADER_H
#define HEDDLE_GRAPHLIB_FORMATS_HEADERS_DIMACSHEADER_H

#include "../../files/TextFile.h"

#include <cstdint>

namespace heddle::graph {

struct DimacsHeader {
  bool directed = true; ///< shortest paths and flows; not colouring
  std::uint64_t vertices = 0, edges = 0;

  /// The letter before each edge.
  char mark() const { return directed ? 'a' : 'e'; }
};

/// Reads up to the problem line. Throws Error.
DimacsHeader readDimacsHeader(TextFile &text);

} // namespace heddle::graph

#endif

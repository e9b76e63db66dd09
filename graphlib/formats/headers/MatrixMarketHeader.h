//===- MatrixMarketHeader.h - Headers of Matrix Market ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_HEADERS_MATRIXMARKETHEADER_H
#define HEDDLE_GRAPHLIB_FORMATS_HEADERS_MATRIXMARKETHEADER_H

#include "../../files/TextFile.h"

#include <cstdint>

namespace heddle::graph {

struct MatrixMarketHeader {
  enum class Symmetry { General, Symmetric, Skew };

  Symmetry symmetry = Symmetry::General;
  bool hasValues = false;
  std::uint64_t vertices = 0, entries = 0;
};

/// Reads up to the first entry. Throws Error.
MatrixMarketHeader readMatrixMarketHeader(TextFile &text);

} // namespace heddle::graph

#endif

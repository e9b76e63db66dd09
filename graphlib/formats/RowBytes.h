//===- RowBytes.h - The arrays of a graph as bytes -------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_ROWBYTES_H
#define HEDDLE_GRAPHLIB_FORMATS_ROWBYTES_H

#include "heddle/graph/detail/Array.h"

#include <cstdint>
#include <span>

namespace heddle::graph {

template <typename T> std::span<const char> bytesOf(std::span<const T> values) {
  return {reinterpret_cast<const char *>(values.data()), values.size_bytes()};
}

/// Offsets of a graph without vertices may be missing.
inline std::span<const std::uint64_t>
offsetsOf(const Array<std::uint64_t> &offsets) {
  static constexpr std::uint64_t zero = 0;
  if (offsets.empty())
    return {&zero, 1};
  return std::span(offsets);
}

} // namespace heddle::graph

#endif

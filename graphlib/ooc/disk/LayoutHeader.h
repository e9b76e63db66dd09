//===- LayoutHeader.h - How the layout of a graph begins -------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_LAYOUTHEADER_H
#define HEDDLE_GRAPHLIB_OOC_DISK_LAYOUTHEADER_H

#include "heddle/graph/ooc/Layout.h"

#include <array>
#include <cstdint>

namespace heddle::graph::ooc {

inline constexpr std::array<char, 8> LayoutMagic = {'\x89', 'h', 'o',  'o',
                                                    'c',    'g', '\r', '\n'};
inline constexpr std::uint32_t LayoutByteOrder = 0x01020304;
inline constexpr std::uint32_t LayoutVersion = 4;

struct LayoutHeader {
  std::array<char, 8> magic;
  std::uint32_t byteOrder, version;
  WeightKind weightKind;
  std::uint32_t isUndirected;
  std::uint64_t vertices, edges, batchVertices, partitions, groupBatches;
};
static_assert(sizeof(LayoutHeader) == 64, "no padding that the compiler adds");

} // namespace heddle::graph::ooc

#endif

//===- NativeFormat.h - The contents of a .hgraph file ----------*- C++ -*-===//
//
// A header and up to six arrays, which are stored in the file as in memory,
// each at a multiple of a page: the file can be mapped and used as it is.
// Numbers are in the byte order of the machine that wrote them, which the
// header states.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_NATIVEFORMAT_H
#define HEDDLE_GRAPHLIB_FORMATS_NATIVEFORMAT_H

#include "heddle/graph/Graph.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace heddle::graph::native {

/// A byte that is no text, a name, and a line end that a transfer as text would
/// change.
inline constexpr std::array<char, 8> Magic = {'\x89', 'h', 'g',  'r',
                                              'a',    'p', '\r', '\n'};
inline constexpr std::uint32_t ByteOrder = 0x01020304;
inline constexpr std::uint32_t SwappedByteOrder = 0x04030201;
inline constexpr std::uint32_t Version = 1;
inline constexpr std::uint64_t SectionAlignment = 4096;

enum class WeightType : std::uint32_t {
  None,
  Int32,
  Int64,
  Float32,
  Float64,
};

/// An array of the file. An array that the graph does not have has 0 bytes.
struct Section {
  std::uint64_t offset, bytes;
  std::uint32_t checksum; ///< CRC-32 of the bytes
  std::uint32_t padding;
};

/// The arrays of a CsrRows, followed by those of the other direction.
enum SectionIndex {
  OutOffsets,
  OutTargets,
  OutWeights,
  InOffsets,
  InTargets,
  InWeights,
  SectionCount
};

struct Header {
  std::array<char, 8> magic;
  std::uint32_t byteOrder, version;
  std::uint32_t vertexBytes; ///< 4 or 8
  WeightType weightType;
  std::uint32_t
      directed; ///< 0 or 1; without, there are no sections for in-edges
  std::uint32_t padding;
  std::uint64_t vertices, edges;
  std::array<Section, SectionCount> sections;
  std::uint32_t paddingAtEnd;
  std::uint32_t checksum; ///< CRC-32 of the header up to here
};
static_assert(sizeof(Header) == 200, "no padding that the compiler adds");

template <EdgeWeight Weight> constexpr WeightType weightTypeOf() {
  if constexpr (std::same_as<Weight, Unweighted>)
    return WeightType::None;
  else if constexpr (std::same_as<Weight, std::int32_t>)
    return WeightType::Int32;
  else if constexpr (std::same_as<Weight, std::int64_t>)
    return WeightType::Int64;
  else if constexpr (std::same_as<Weight, float>)
    return WeightType::Float32;
  else
    return WeightType::Float64;
}

} // namespace heddle::graph::native

#endif

//===- Checksum.h - CRC-32 of large memory ---------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_CHECKSUM_H
#define HEDDLE_GRAPHLIB_FILES_CHECKSUM_H

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle::graph {

/// The CRC-32 of zlib, computed on the threads of OpenMP.
std::uint32_t checksum(std::span<const std::byte> bytes);

} // namespace heddle::graph

#endif

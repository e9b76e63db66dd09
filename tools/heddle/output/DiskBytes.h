//===- DiskBytes.h - The disk transfers of this process ---------*- C++ -*-===//
//
// For progress and for benchmarks, which show the real transfers of a program.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_DISKBYTES_H
#define HEDDLE_TOOLS_OUTPUT_DISKBYTES_H

#include <cstdint>
#include <optional>

namespace heddle {

struct DiskBytes {
  std::uint64_t read = 0, written = 0;
};

/// Returns the transfers so far; none if the system does not count them.
std::optional<DiskBytes> diskBytesOfProcess();

} // namespace heddle

#endif

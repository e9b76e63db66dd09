//===- DiskBytes.h - The disk transfers of this process ---------*- C++ -*-===//
//
// For progress and for benchmarks, which show what a program really reads.
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

/// So far, where the system counts.
std::optional<DiskBytes> diskBytesOfProcess();

} // namespace heddle

#endif

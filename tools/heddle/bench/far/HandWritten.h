//===- HandWritten.h - Loops over io_uring, by hand ------------*- C++ -*-===//
//
// The loops of FarLoops.h with requests written by hand: a ring, registered
// buffers and a registered file, requests past the page cache that are
// submitted in batches, and a state machine for each task where one access
// follows from another.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_HANDWRITTEN_H
#define HEDDLE_TOOLS_BENCH_FAR_HANDWRITTEN_H

#include "FarLoops.h"

#include <cstdint>
#include <functional>
#include <string>

namespace heddle::bench {

/// Calls `work`, in which handFarLoops run on the file with `depth` requests
/// under way of up to `bufferBytes` bytes. Throws Error.
void withRing(const std::string &path, bool writes, unsigned depth,
              std::uint64_t bufferBytes, const std::function<void()> &work);

/// Addresses are offsets. fill() waits for the device to have it.
extern const FarLoops handFarLoops;

} // namespace heddle::bench

#endif

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

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace heddle::bench {

/// A file with a ring and buffers for it. Everything here throws Error.
class HandWritten {
public:
  /// Opens a file, with room for `depth` requests in flight of up to
  /// `bufferBytes` bytes.
  HandWritten(const std::string &path, bool writes, unsigned depth,
              std::uint64_t bufferBytes);
  ~HandWritten();

  std::uint64_t gather(std::span<const std::uint64_t> index);
  std::uint64_t probe(std::uint64_t nodesOffset, std::uint64_t buckets,
                      std::span<const std::uint64_t> keys);
  std::uint64_t lists(std::span<const std::uint64_t> firsts);
  std::uint64_t scan(std::uint64_t fileBytes);
  /// Waits for the device to have it.
  void fill(std::uint64_t fileBytes);

private:
  class Ring;
  std::unique_ptr<Ring> ring;
};

} // namespace heddle::bench

#endif

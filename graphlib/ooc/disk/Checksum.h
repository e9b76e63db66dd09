//===- Checksum.h - Checksums of data on disk ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_CHECKSUM_H
#define HEDDLE_GRAPHLIB_OOC_DISK_CHECKSUM_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <xxhash.h>

namespace heddle::graph::ooc {

/// Returns XXH3_64bits of `bytes` bytes of memory.
inline std::uint64_t checksumOf(const void *memory, std::size_t bytes,
                                std::uint64_t seed = 0) {
  return XXH3_64bits_withSeed(memory, bytes, seed);
}

/// checksumOf() all added bytes together.
class RunningChecksum {
public:
  RunningChecksum() : state(XXH3_createState()) {
    if (!state)
      throw std::bad_alloc();
    XXH3_64bits_reset(state.get());
  }

  void add(std::span<const std::byte> bytes) {
    XXH3_64bits_update(state.get(), bytes.data(), bytes.size());
  }

  std::uint64_t value() const { return XXH3_64bits_digest(state.get()); }

private:
  struct Free {
    void operator()(XXH3_state_t *state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state;
};

} // namespace heddle::graph::ooc

#endif

//===- Inventory.h - A table whose look-up is elsewhere ---------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_TABLES_INVENTORY_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_TABLES_INVENTORY_H

#include <cstdint>
#include <vector>

namespace heddle::bench::HEDDLE_BENCH_FORM {

struct Part {
  std::uint64_t number;
  std::uint64_t stock;
  const Part *next;
};

struct Inventory {
  std::vector<const Part *> buckets; ///< a power of two of them
  std::vector<Part> parts;

  std::uint64_t bucketOf(std::uint64_t number) const {
    return (number * 0x9E3779B97F4A7C15 >> 20) & (buckets.size() - 1);
  }
};

/// Returns null if there is no such part.
const Part *findPart(const Inventory &inventory, std::uint64_t number);

} // namespace heddle::bench::HEDDLE_BENCH_FORM

#endif

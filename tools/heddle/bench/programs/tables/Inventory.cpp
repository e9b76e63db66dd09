//===- Inventory.cpp - The callee in another file -------------------------===//

#include "Inventory.h"

namespace heddle::bench::HEDDLE_BENCH_FORM {

const Part *findPart(const Inventory &inventory, std::uint64_t number) {
  const Part *part = inventory.buckets[inventory.bucketOf(number)];
  while (part && part->number != number)
    part = part->next;
  return part;
}

} // namespace heddle::bench::HEDDLE_BENCH_FORM

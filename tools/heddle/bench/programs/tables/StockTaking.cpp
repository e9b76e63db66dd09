//===- StockTaking.cpp - A callee in another file -------------------------===//

#include "../ByHand.h"
#include "../Program.h"
#include "Inventory.h"

#include <bit>

namespace heddle::bench {

namespace {

using namespace HEDDLE_BENCH_FORM;

class StockTaking {
public:
  explicit StockTaking(Scale scale) {
    const std::int64_t count = scale.of(3 << 20);
    inventory.parts.resize(count);
    inventory.buckets.resize(std::bit_ceil<std::uint64_t>(count) / 2);
    const Permutation place(count);
    for (std::int64_t i = 0; i < count; ++i) {
      Part &part = inventory.parts[place(i)];
      const Part *&bucket = inventory.buckets[inventory.bucketOf(2 * i)];
      part = {2 * static_cast<std::uint64_t>(i), scramble(i) % 100, bucket};
      bucket = &part;
    }
    wanted.resize(scale.of(2000000));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      wanted[i] = randomBelow(1, i, 2 * count);
  }

  std::uint64_t run() {
    std::uint64_t stock = 0;
#pragma heddle async
    for (const std::uint64_t number : wanted)
      if (const Part *part = findPart(inventory, number))
        stock += part->stock;
    return stock;
  }

  std::uint64_t runByHand() {
    constexpr std::size_t ahead = 2 * InFlight;
    struct Search {
      const Part *part;
      std::uint64_t number;
    };
    std::uint64_t stock = 0;
    std::size_t next = 0;
    interleave<Search>(
        [&](Search &state) {
          while (next < wanted.size()) {
            if (next + ahead < wanted.size())
              prefetch(
                  &inventory.buckets[inventory.bucketOf(wanted[next + ahead])]);
            state.number = wanted[next++];
            state.part = inventory.buckets[inventory.bucketOf(state.number)];
            prefetch(state.part);
            if (state.part)
              return true;
          }
          return false;
        },
        [&](Search &state) {
          if (state.part->number == state.number) {
            stock += state.part->stock;
            return false;
          }
          state.part = state.part->next;
          prefetch(state.part);
          return state.part != nullptr;
        });
    return stock;
  }

private:
  Inventory inventory;
  std::vector<std::uint64_t> wanted;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(StockTaking, "callee",
                     "look-ups by a function in another file")

//===- FlatSet.cpp - Open addressing with groups of control bytes ---------===//
//
// As in absl::flat_hash_map: eight control bytes, each with seven bits of the
// hash, are compared at once, and the slots whose bytes match are looked at.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <bit>
#include <cstring>
#include <vector>

namespace heddle::bench {

namespace {

class FlatMap {
public:
  struct Slot {
    std::uint64_t key, value;
  };

  explicit FlatMap(std::size_t count)
      : groups(std::bit_ceil(count * 5 / 4 / Group + 1), EmptyGroup),
        slots(Group * groups.size()) {}

  void insert(std::uint64_t key, std::uint64_t value) {
    const std::uint64_t hash = scramble(key);
    for (std::size_t step = 0, group = groupOf(hash);;
         group = nextGroup(group, ++step))
      if (const std::uint64_t empty = groups[group] & EmptyGroup) {
        const int byte = std::countr_zero(empty) / 8;
        groups[group] ^= (0x80 ^ (hash & 0x7F)) << 8 * byte;
        slots[Group * group + byte] = {key, value};
        return;
      }
  }

  const Slot *find(std::uint64_t key) const { return find(key, scramble(key)); }

  const Slot *find(std::uint64_t key, std::uint64_t hash) const {
    for (std::size_t step = 0, group = groupOf(hash);;
         group = nextGroup(group, ++step)) {
      for (std::uint64_t match = matchesOf(groups[group], hash); match;
           match &= match - 1) {
        const Slot &slot = slots[Group * group + std::countr_zero(match) / 8];
        if (slot.key == key)
          return &slot;
      }
      if (groups[group] & EmptyGroup)
        return nullptr;
    }
  }

  /// For the version by hand.
  void requestGroup(std::uint64_t hash) const {
    prefetch(&groups[groupOf(hash)]);
  }
  void requestSlot(std::uint64_t hash) const {
    const std::size_t group = groupOf(hash);
    const std::uint64_t match = matchesOf(groups[group], hash);
    prefetch(&slots[Group * group + (match ? std::countr_zero(match) / 8 : 0)]);
  }

private:
  static constexpr std::size_t Group = 8;
  /// The control byte of an empty slot has the highest bit, others have not.
  static constexpr std::uint64_t EmptyGroup = 0x8080808080808080;

  std::size_t groupOf(std::uint64_t hash) const {
    return (hash >> 7) & (groups.size() - 1);
  }
  std::size_t nextGroup(std::size_t group, std::size_t step) const {
    return (group + step) & (groups.size() - 1);
  }
  /// The highest bits of bytes that equal the hash's, and of some others.
  static std::uint64_t matchesOf(std::uint64_t group, std::uint64_t hash) {
    const std::uint64_t different = group ^ (hash & 0x7F) * 0x0101010101010101;
    return (different - 0x0101010101010101) & ~different & EmptyGroup;
  }

  std::vector<std::uint64_t> groups;
  std::vector<Slot> slots;
};

class FlatSet {
public:
  explicit FlatSet(Scale scale)
      : size(scale.of(3 << 20)), map(size), keys(scale.of(3000000)) {
    for (std::int64_t i = 0; i < size; ++i)
      map.insert(3 * i, scramble(i) % 1000);
    for (std::size_t i = 0; i < keys.size(); ++i)
      keys[i] = 3 * randomBelow(1, i, size) + (i % 4 == 0);
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const std::uint64_t key : keys)
      if (const FlatMap::Slot *slot = map.find(key))
        sum += slot->value;
    return sum;
  }

  std::uint64_t runByHand() {
    std::uint64_t sum = 0;
    inGroups(static_cast<std::int64_t>(keys.size()),
             [&](std::int64_t begin, auto size) {
               const std::uint64_t *group = &keys[begin];
               std::uint64_t hash[GroupSize];
               for (int i = 0; i < size; ++i)
                 hash[i] = scramble(group[i]);
               for (int i = 0; i < size; ++i)
                 map.requestGroup(hash[i]);
               for (int i = 0; i < size; ++i)
                 map.requestSlot(hash[i]);
               for (int i = 0; i < size; ++i)
                 if (const FlatMap::Slot *slot = map.find(group[i], hash[i]))
                   sum += slot->value;
             });
    return sum;
  }

private:
  std::int64_t size;
  FlatMap map;
  std::vector<std::uint64_t> keys;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(FlatSet, "flat-map",
                     "open addressing with groups of control bytes")

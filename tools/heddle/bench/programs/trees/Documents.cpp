//===- Documents.cpp - A walk of JSON trees -------------------------------===//
//
// Many documents, each a tree of objects, arrays, strings and numbers, whose
// numbers a recursive function adds up.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <vector>

namespace heddle::bench {

namespace {

struct Value {
  enum Kind { Number, Text, Array, Object } kind;
  std::uint32_t size; ///< of an array or object, or the length of a text
  union {
    std::uint64_t number;
    const char *text;
    const Value *first; ///< of the elements
  };
  std::uint64_t name; ///< as a member of an object, a hash
  const Value *next;  ///< the element behind this one
};

std::uint64_t total(const Value &value) {
  switch (value.kind) {
  case Value::Number:
    return value.number;
  case Value::Text:
    return value.size;
  case Value::Array:
  case Value::Object:
    break;
  }
  std::uint64_t sum = 0;
  for (const Value *element = value.first; element; element = element->next)
    sum += value.kind == Value::Object ? element->name % 16 * total(*element)
                                       : total(*element);
  return sum;
}

class Documents {
public:
  explicit Documents(Scale scale)
      : values(scale.of(3 << 20, 400)), place(values.size()),
        roots(scale.of(120000)) {
    // Documents begin anywhere, and share the values that they come across.
    for (std::size_t i = 0; i < values.size(); ++i)
      fill(i);
    for (std::size_t i = 0; i < roots.size(); ++i)
      roots[i] = &at(randomBelow(1, i, values.size() / 4));
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const Value *root : roots)
      sum += scramble(total(*root));
    return sum;
  }

  // A stack of elements whose containers are not done, with their factors.
  std::uint64_t runByHand() {
    struct Walk {
      struct Level {
        const Value *element;
        std::uint64_t factor;
        bool isObject;
      } levels[Depth];
      std::uint64_t sum;
      int depth;
    };
    std::uint64_t sum = 0;
    std::size_t next = 0;
    interleave<Walk>(
        [&](Walk &walk) {
          if (next == roots.size())
            return false;
          walk.levels[0] = {roots[next++], 1, false};
          walk.sum = walk.depth = 0;
          prefetch(walk.levels[0].element);
          return true;
        },
        [&](Walk &walk) {
          Walk::Level &level = walk.levels[walk.depth];
          const Value &value = *level.element;
          level.element = walk.depth > 0 ? value.next : nullptr;
          const std::uint64_t factor =
              level.isObject ? level.factor * (value.name % 16) : level.factor;
          if (value.kind <= Value::Text)
            walk.sum += factor * (value.kind == Value::Number ? value.number
                                                              : value.size);
          else
            walk.levels[++walk.depth] = {value.first, factor,
                                         value.kind == Value::Object};
          prefetch(level.element);
          while (!walk.levels[walk.depth].element)
            if (walk.depth-- == 0) {
              sum += scramble(walk.sum);
              return false;
            }
          prefetch(walk.levels[walk.depth].element);
          return true;
        });
    return sum;
  }

private:
  static constexpr int Depth = 8;

  Value &at(std::size_t index) { return values[place(index)]; }

  /// Containers of the first quarter of all values have elements in the second
  /// one, and so on; the last quarter has none.
  void fill(std::size_t index) {
    Value &value = at(index);
    const std::size_t quarter = values.size() / 4;
    const std::size_t rank = std::min<std::size_t>(index / quarter, 3);
    const std::uint64_t bits = scramble(index ^ 31);
    value.name = bits >> 8;
    // Siblings: runs of at most four in the same quarter.
    const bool isLast = index % 4 == 3 || bits % 8 == 0 ||
                        index + 1 >= values.size() ||
                        (index + 1) / quarter != index / quarter;
    value.next = isLast ? nullptr : &at(index + 1);
    value.kind = rank == 3 ? static_cast<Value::Kind>(bits / 8 % 2)
                           : static_cast<Value::Kind>(bits / 8 % 8 == 0
                                                          ? Value::Number
                                                          : 2 + bits / 64 % 2);
    value.size = bits / 128 % 32;
    if (value.kind == Value::Number)
      value.number = bits / 4096 % 1000;
    else if (value.kind == Value::Text)
      value.text = nullptr;
    else
      value.first = &at(quarter * (rank + 1) + randomBelow(2, index, quarter));
  }

  std::vector<Value> values;
  Permutation place;
  std::vector<const Value *> roots;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(Documents, "json-walk", "a recursive walk of JSON trees")

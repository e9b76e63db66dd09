// Iterations that decide by an element, and store to it, through two pointers:
// two that are equal before the loop, one that is found by a walk and one that
// is computed from an index, or two that are read from memory again and again.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-16: remark: interleaved the loop's iterations
// CHECK-NOT: remark: {{.*}}interleaved

#include "../Inputs/program.h"

#include <algorithm>
#include <iterator>
#include <string.h>
#include <vector>

enum { Slots = 1024, Distinct = 300 };

#define FAR(x) table[table[(x) % Elements]]

struct Row {
  int64_t key, value;
};

static int64_t slots[Slots], order[Elements];
static Row rows[Slots];

/// Few keys, so that iterations in flight meet at one.
static int64_t keyOf(int64_t i) { return table[table[keys[i]]] % Distinct + 1; }

template <class T> NOINLINE static T *sameAs(T *pointer) {
  asm volatile("" : "+r"(pointer));
  return pointer;
}

static int64_t filled(int64_t claims) {
  const auto full =
      std::count_if(std::begin(slots), std::end(slots),
                    [](int64_t value) { return value != 0; }) +
      std::count_if(std::begin(rows), std::end(rows),
                    [](const Row &row) { return row.value != 0; });
  memset(slots, 0, sizeof slots);
  memset(rows, 0, sizeof rows);
  return claims * 10000 + full;
}

/// A loop whose iterations claim the slot of a key if \p test says that it is
/// free, with a number that takes long to compute.
#define CLAIMED(name, declare, test, place)                                    \
  NOINLINE static int64_t name##Of(int64_t n, declare) {                       \
    int64_t claims = 0;                                                        \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t key = keyOf(i);                                            \
      if (test) {                                                              \
        place = FAR(key + i) | 1;                                              \
        ++claims;                                                              \
      }                                                                        \
    }                                                                          \
    return claims;                                                             \
  }                                                                            \
  PROGRAM(name)

#define TWO const int64_t *in, int64_t *out

#define AND ,
CLAIMED(equal, const int64_t *in AND int64_t *out, !in[key], out[key]) {
  return filled(equalOf(n, slots, sameAs(slots)));
}
CLAIMED(fromTheEnd, const int64_t *in AND int64_t *end, !in[key],
        end[key - Slots]) {
  return filled(fromTheEndOf(n, slots, sameAs(slots) + Slots));
}
CLAIMED(backwards, const int64_t *in AND std::reverse_iterator<int64_t *> out,
        !in[key], out[Slots - 1 - key]) {
  return filled(
      backwardsOf(n, slots, std::make_reverse_iterator(sameAs(slots) + Slots)));
}
CLAIMED(member, const Row *in AND int64_t *out, !in[key].value,
        out[2 * key + 1]) {
  return filled(memberOf(n, rows, sameAs(&rows[0].key)));
}
CLAIMED(bytes, const unsigned char *in AND Row *out, !in[16 * key + 8],
        out[key].value) {
  return filled(bytesOf(n, (const unsigned char *)rows, sameAs(rows)));
}
CLAIMED(atomics, const int64_t *in AND int64_t *out,
        !__atomic_load_n(in + key, __ATOMIC_RELAXED), out[key]) {
  return filled(atomicsOf(n, slots, sameAs(slots)));
}

struct Views {
  int64_t *in, *out;
};
CLAIMED(readAgain, Views *of, !of->in[key], of->out[key]) {
  Views views = {slots, slots};
  return filled(readAgainOf(n, sameAs(&views)));
}

struct Vectors {
  std::vector<int64_t> *in, *out;
};
CLAIMED(vectors, Vectors &of, !(*of.in)[key], (*of.out)[key]) {
  std::vector<int64_t> all(Slots);
  Vectors vectors = {&all, &all};
  return filled(vectorsOf(n, *sameAs(&vectors)));
}

/// One of three arrays to read from is one of three to write to.
CLAIMED(ofThree,
        const int64_t *a AND const int64_t *b AND const int64_t *c
            AND int64_t *d AND int64_t *e AND int64_t *f,
        !a[key] && !b[key] && !c[key], d[key] = e[key] = f[key]) {
  static int64_t other[5][Slots];
  int64_t sum = 0;
  for (int same = 0; same < 9; ++same) {
    int64_t *arrays[6] = {slots,    other[0], other[1],
                          other[2], other[3], other[4]};
    std::swap(arrays[0], arrays[same % 3]);
    int64_t *to[3] = {other[2], other[3], other[4]};
    to[same / 3] = sameAs(arrays[same % 3]);
    sum += filled(
        ofThreeOf(n, arrays[0], arrays[1], arrays[2], to[0], to[1], to[2]));
    memset(other, 0, sizeof other);
  }
  return sum;
}

/// An iteration may pass the values on to the next ones through the order of
/// the claims.
NOINLINE static int64_t claimInOrder(int64_t n, TWO) {
  int64_t claims = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keyOf(i);
    if (!in[key]) {
      out[key] = FAR(key + i) | 1;
      order[claims++] = i;
    }
  }
  return claims;
}
PROGRAM(inOrder) {
  int64_t sum = filled(claimInOrder(n, slots, sameAs(slots)));
  for (int64_t number : order)
    sum = sum * 31 + number;
  return sum;
}

/// The claim is in an inner loop.
NOINLINE static int64_t claimRows(int64_t n, const int32_t *in, int32_t *out,
                                  int64_t width) {
  int64_t claims = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keyOf(i);
    for (int64_t column = 0; column < width; ++column)
      if (!in[key * width + column]) {
        out[key * width + column] = int32_t(FAR(key + column)) | 1;
        ++claims;
      }
  }
  return claims;
}
PROGRAM(columns) {
  auto *as32 = reinterpret_cast<int32_t *>(slots);
  return filled(claimRows(n, as32, sameAs(as32), 3));
}

/// A list's nodes have the keys.
NOINLINE static int64_t claimOfList(const Node *list, TWO) {
  int64_t claims = 0;
  HEDDLE_PRAGMA(heddle async CLAUSES)
  for (const Node *node = list; node; node = node->next) {
    const int64_t key = keyOf(node->key);
    if (!in[key]) {
      out[key] = FAR(key) | 1;
      ++claims;
    }
  }
  return claims;
}
PROGRAM(list) {
  std::vector<Node> all(n);
  for (int64_t i = 0; i < n; ++i)
    all[i] = {i + 1 < n ? &all[i + 1] : nullptr, i, 0};
  return filled(claimOfList(all.data(), slots, sameAs(slots)));
}

/// The width of a picture is read from each of two, which are one.
struct Picture {
  int64_t width, *points;
};
NOINLINE static int64_t claimPoints(int64_t n, const Picture &in,
                                    Picture &out) {
  int64_t claims = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keyOf(i), row = key / 16, column = key % 16;
    if (!in.points[row * in.width + column]) {
      out.points[row * out.width + column] = FAR(key) | 1;
      ++claims;
    }
  }
  return claims;
}
PROGRAM(picture) {
  Picture one = {20, slots};
  return filled(claimPoints(n, one, *sameAs(&one)));
}

/// The row is found by walking, and filled in by its number.
PROGRAM(foundByWalk) {
  int64_t claims = 0;
  Row *const first = sameAs(rows), *const last = first + Slots;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keyOf(i);
    const Row *row = std::find_if(first, last, [&](const Row &some) {
      return !some.key || some.key == key;
    });
    if (!row->key) {
      const int64_t number = row - first, value = FAR(key + i) | 1;
      first[number].key = key;
      first[number].value = value;
      ++claims;
    }
  }
  return filled(claims);
}
PROGRAM(foundByHalves) {
  int64_t claims = 0;
  std::vector<Row> sorted(Slots);
  for (int64_t i = 0; i < Slots; ++i)
    sorted[i].key = i;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keyOf(i);
    auto row = std::lower_bound(
        sorted.begin(), sorted.end(), key,
        [](const Row &some, int64_t wanted) { return some.key < wanted; });
    if (row != sorted.end() && !row->value) {
      sorted[row - sorted.begin()].value = FAR(key + i) | 1;
      ++claims;
    }
  }
  return claims;
}
PROGRAM(numbered) {
  int64_t claims = 0;
  Row *const first = sameAs(rows);
  ASYNC_LOOP(CLAUSES) {
    const Row *row = &first[keyOf(i)];
    const auto number = uint32_t(row - first);
    if (!row->value) {
      first[number].value = FAR(i) | 1;
      ++claims;
    }
  }
  return filled(claims);
}

int main() {
  prepare();
  printPrograms();
}

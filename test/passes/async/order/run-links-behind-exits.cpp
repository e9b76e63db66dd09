// In a loop that may be left early, what is requested in front of the turn
// follows no link that an iteration may read behind it only.

// RUN: %plain_clangxx -w -std=c++20 -O0 %s -o %t.plain
// RUN: %clangxx -std=c++20 -O1 %s -o %t.O1 %runtime -Rpass=heddle 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++20 -O3 %s -o %t.O3 %runtime
// RUN: %t.plain > %t.expected
// RUN: for tune in off once random:7; do for o in O1 O3; do HEDDLE_TUNE=$tune %t.$o | cmp - %t.expected || exit 1; done; done
// CHECK-COUNT-7: remark: interleaved the loop's iterations

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
constexpr int N = 722;
struct Record {
  uint64_t weight;
  uint32_t link;
};
static uint32_t values32[N];
static uint64_t wide[N], bins[N];
static uint32_t indices[N];
static Record records[N];
template <typename T> static T *hide(T *p) {
  asm volatile("" : "+r"(p));
  return p;
}
struct Shape {
  virtual uint64_t area(uint64_t scale) const = 0;

protected:
  ~Shape() = default;
};
struct Square final : Shape {
  uint64_t area(uint64_t scale) const override {
    return indices[scale % N] * scale;
  }
};
struct Circle final : Shape {
  uint64_t area(uint64_t scale) const override { return 3 * scale + 1; }
};
inline const Square square;
inline const Circle circle;
inline const Shape *const shapes[3] = {&square, &circle, &square};
struct Box {
  const uint64_t *const *at;
};
static const uint64_t *ways[3] = {wide, wide + 3, wide + 5};
static const Box one{ways}, two{ways + 1}, three{ways + 2};
extern const Box *const boxes[3];
const Box *const boxes[3] = {&one, &two, &three};
static Box own[3] = {{ways}, {ways + 1}, {ways + 2}};
using Function = uint64_t (*)(uint64_t);
static uint64_t twice(uint64_t x) { return indices[x % N] * 2; }
static uint64_t thrice(uint64_t x) { return x * 3; }
static const Function functions[2] = {twice, thrice};
static const Function *tables[2] = {functions, functions};
__attribute__((noinline)) static void addTo(uint64_t *counter, uint64_t value) {
  *counter += value;
}
#define LOOP(NAME, VALUE)                                                      \
  __attribute__((noinline)) static void NAME(int64_t count) {                  \
    const uint64_t *table = hide(wide);                                        \
    const uint32_t *values = hide(values32);                                   \
    std::span<const Record> range(records, static_cast<size_t>(count));        \
    _Pragma("heddle async remote(values)") for (const Record &record :         \
                                                range) {                       \
      uint32_t x = values[indices[table[&record - records]]];                  \
      uint64_t y = VALUE;                                                      \
      if ((uint64_t)(&record - records) % 1752u == 700)                        \
        break;                                                                 \
      addTo(&bins[record.link], y + x);                                        \
    }                                                                          \
  }
LOOP(shape, shapes[record.weight % 3u]->area(record.weight))
LOOP(box, **boxes[record.weight % 3u]->at)
LOOP(owned, **own[record.weight % 3u].at)
LOOP(function, functions[record.weight % 2u](record.weight))
LOOP(functionBehind,
     tables[record.weight % 2u][record.weight % 2u](record.weight))
LOOP(shapeOfX, shapes[x % 3u]->area(record.weight))
LOOP(boxOfX, **boxes[x % 3u]->at)
LOOP(first, **boxes[0]->at + **boxes[2]->at)
LOOP(twoShapes, shapes[record.weight % 3u]->area(record.weight) +
                    shapes[record.weight % 2u]->area(x))
LOOP(conditional, (x & 1 ? shapes[record.weight % 3u]->area(x)
                         : **boxes[record.weight % 3u]->at))
int main() {
  for (int i = 0; i < N; ++i) {
    values32[i] = rand();
    wide[i] = rand() % N;
    indices[i] = rand() % N;
    records[i] = {(uint64_t)rand(), (uint32_t)rand() % N};
  }
  for (int64_t n : {516, 0, N}) {
    shape(n);
    box(n);
    owned(n);
    function(n);
    functionBehind(n);
    shapeOfX(n);
    boxOfX(n);
    first(n);
    twoShapes(n);
    conditional(n);
  }
  uint64_t r = 0;
  for (uint64_t b : bins)
    r = r * 31 + b;
  printf("%lu\n", r);
}

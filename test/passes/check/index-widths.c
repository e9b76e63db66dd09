// Where an index is computed twice, an optimizer may compute it in another
// width each time: it is one place, and the update commutes. The comment in
// front of each function says what is found.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O2 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <stdint.h>

enum { N = 500, M = 253 };
#define NOINLINE __attribute__((noinline))
typedef struct {
  uint32_t link;
  uint64_t weight;
} Record;
static Record records[N];
static double bins[256];
static uint64_t counts[256];
static uint8_t places[M];

// silent
NOINLINE void remainder_of_index(uint64_t key) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const Record *r = &records[i];
    const uint64_t x = r->weight ^ key;
    bins[places[(uint64_t)r->link % M]] =
        bins[places[(uint64_t)r->link % M]] +
        (double)(((uint64_t)r->link % 2 ? x : (uint64_t)r->link) & 7);
  }
}
// silent
NOINLINE void quotient_of_index(uint64_t key) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const Record *r = &records[i];
    const uint64_t x = r->weight ^ key;
    counts[(uint64_t)r->link / 20000] =
        counts[(uint64_t)r->link / 20000] ^
        ((uint64_t)r->link % 2 ? x : (uint64_t)r->link);
  }
}
// finds: reads what another iteration wrote
NOINLINE void other_remainder(uint64_t key) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const Record *r = &records[i];
    const uint64_t x = r->weight ^ key;
    counts[(uint64_t)r->link % 251] =
        counts[(uint64_t)r->link % 253] +
        ((uint64_t)r->link % 2 ? x : (uint64_t)r->link);
  }
}
// finds: reads what another iteration wrote
NOINLINE void cut_before(uint64_t key) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const Record *r = &records[i];
    const uint64_t x = r->weight ^ key;
    counts[(uint64_t)(uint8_t)r->link % M] =
        counts[(uint64_t)r->link % M] +
        ((uint64_t)r->link % 2 ? x : (uint64_t)r->link);
  }
}

int main(void) {
  for (uint32_t i = 0; i < N; ++i)
    records[i] = (Record){i * 7919u, i * 33u};
  for (int i = 0; i < M; ++i)
    places[i] = (uint8_t)(i % 37 * 3);
  remainder_of_index(3);
  quotient_of_index(3);
  other_remainder(3);
  cut_before(3);
}

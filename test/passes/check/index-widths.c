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
static uint8_t bytes[M];
#define LINK (uint64_t)r->link
/// One update of bytes[INDEX]: what it adds makes an optimizer narrow one of
/// the indexes.
#define UPDATE(INDEX)                                                          \
  _Pragma("heddle async") for (int i = 0; i < N; ++i) {                        \
    const Record *r = &records[i];                                             \
    const uint64_t x = r->weight;                                              \
    bytes[(INDEX) % M] =                                                       \
        (uint8_t)(bytes[(INDEX) % M] + (uint8_t)(x % 2 ? r->link : x));        \
  }
// silent
NOINLINE void quotient_by_masked(void) { UPDATE(x / ((LINK & 63) + 1)); }
// silent
NOINLINE void remainder_by_masked(void) { UPDATE(x % ((LINK & 31) + 3)); }
// silent
NOINLINE void product_with_masked(void) { UPDATE(x * ((LINK & 15) * 3)); }
// silent
NOINLINE void sum_of_masked(void) { UPDATE(x + ((LINK & 1023) + 17)); }
// silent
NOINLINE void difference_from_masked(void) { UPDATE(x / (200 - (LINK & 127))); }
// silent
NOINLINE void shifted_masked(void) { UPDATE(x ^ ((LINK & 255) << 3)); }
// silent
NOINLINE void bits_of_masked(void) { UPDATE(x ^ ((LINK & 255) | 256)); }
// silent
NOINLINE void shift_by_masked(void) { UPDATE(x >> ((LINK & 7) + 1)); }
// silent
NOINLINE void quotient_of_masked(void) { UPDATE(x + ((LINK & 4095) + 5) / 7); }
// silent
NOINLINE void nested_masks(void) {
  UPDATE(x / (((LINK & 63) * 5 + 1) % 17 + 1));
}

// finds: reads what another iteration wrote
NOINLINE void other_mask(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const Record *r = &records[i];
    const uint64_t x = r->weight;
    bytes[x / ((LINK & 31) + 1) % M] =
        (uint8_t)(bytes[x / ((LINK & 63) + 1) % M] +
                  (uint8_t)(x % 2 ? r->link : x));
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
  quotient_by_masked();
  remainder_by_masked();
  product_with_masked();
  sum_of_masked();
  difference_from_masked();
  shifted_masked();
  bits_of_masked();
  shift_by_masked();
  quotient_of_masked();
  nested_masks();
  other_mask();
  other_remainder(3);
  cut_before(3);
}

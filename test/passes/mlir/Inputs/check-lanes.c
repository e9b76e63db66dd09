/* Calls the pulls of run-lanes.mlir with one edge vector of three neighbours.
 * The other lanes and the neighbours outside of the frontier lead to memory
 * that cannot be read, and to divisors of zero. */

#include <stdint.h>
#include <stdio.h>

typedef struct {
  int32_t *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} Lanes;
typedef struct {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} Array;
#define ARRAY(a) {a, a, 0, sizeof(a) / sizeof(*a), 1}
#define LANES(a) {a, a, 0, {1, 8}, {8, 1}}

int32_t _mlir_ciface_divided(Lanes *, Array *, Array *);
int32_t _mlir_ciface_by_weight(Lanes *, Lanes *, Array *);
int8_t _mlir_ciface_in_two_steps(Lanes *, Array *, Array *);
int32_t _mlir_ciface_limited(Lanes *, Array *, Lanes *, Array *);

#define VALID INT32_MIN
enum { Far = -1000000000 };

int main(void) {
  _Alignas(32) int32_t edges[8] = {VALID | 0, VALID | 1, VALID | 2};
  int32_t weights[8] = {0, 1, 2, Far, Far, Far, Far, Far};
  int32_t outside[8] = {0, Far, 2, Far, Far, Far, Far, Far};
  int32_t numbers[] = {10, 20, 40}, zeros[] = {10, 0, 40};
  int32_t moved[] = {100000000, 100000001, 100000002}, frontier[] = {1 | 4};
  int8_t bytes[] = {10, 20, 40};
  Lanes e = LANES(edges), w = LANES(weights), o = LANES(outside);
  Array n = ARRAY(numbers), z = ARRAY(zeros), m = ARRAY(moved);
  Array f = ARRAY(frontier), b = ARRAY(bytes);
  printf("divided: %d\n", _mlir_ciface_divided(&e, &f, &z));
  printf("by weight: %d\n", _mlir_ciface_by_weight(&e, &w, &n));
  printf("in two steps: %d\n", _mlir_ciface_in_two_steps(&e, &m, &b));
  printf("limited: %d\n", _mlir_ciface_limited(&e, &f, &o, &n));
  return 0;
}

// Functions of the runtime may be in the module that calls them, as with -flto,
// and may be inlined: their calls have debug locations.
//
// RUN: %clang -O2 -g -fverify-intermediate-code -DFAR -c %s -o %t.o
// RUN: %clang -O2 -g -fverify-intermediate-code -c %s -o %t.o
// RUN: %clang -O1 -gline-tables-only -fverify-intermediate-code -fopenmp -c %s -o %t.o

#include <heddle/amu.h>
#include <heddle/far.h>
#include <stdlib.h>

#ifdef FAR
struct heddle_amu *heddle_amu_begin(uint32_t *kept, uint64_t most) {
  static struct heddle_amu amu;
  amu.tasks = most + *kept;
  return &amu;
}
void heddle_amu_end(struct heddle_amu *amu) { amu->tasks = 0; }
void heddle_amu_aload(struct heddle_amu *amu, uint64_t id, uint64_t address,
                      uint64_t bytes) {
  amu->tasks += id + address + bytes;
}
const void *heddle_far_load(uint64_t address, uint64_t bytes) {
  return (const char *)address + bytes;
}
typedef heddle_far long *pointer;
#else
typedef long *pointer;
#endif

struct heddle_site;
struct heddle_plan;
static int calls;
void heddle_site_begin(struct heddle_site *site, uint64_t remaining,
                       struct heddle_plan *plan) {
  calls += site && plan && remaining;
}
void heddle_site_end(struct heddle_site *site, const struct heddle_plan *plan,
                     uint64_t iterations, uint64_t work, uint64_t suspensions) {
  calls += site && plan && iterations + work + suspensions;
}
void *heddle_contexts_begin(uint64_t bytes, uint64_t alignment) {
  return aligned_alloc(alignment, bytes);
}
void heddle_contexts_end(void *contexts) { free(contexts); }

long sums(pointer p, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (long i = 0; i < n; ++i)
    sum += p[p[i]];
  return sum;
}

void counts(pointer p, long n) {
#pragma heddle async
  for (long i = 0; i < n; ++i)
    ++p[p[p[i]]];
}

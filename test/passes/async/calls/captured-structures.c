// Members of a structure that an OpenMP region captures are variables that the
// region captures: a function that is only declared does not set them in one
// iteration for the next, since threads would race for them.
//
// RUN: %clang -O3 -fopenmp -Rpass=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck %s

struct input {
  long particles;
  int lookups;
};
struct node {
  struct node *next;
  long key;
};

long draw(unsigned long *seed);

long simulate(struct input input, struct node *const *table) {
  long sum = 0;
  // CHECK: captured-structures.c:[[#@LINE+1]]:1: remark: interleaved
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async
  for (long p = 0; p < input.particles; ++p) {
    unsigned long seed = p * input.lookups;
    const long key = draw(&seed);
    for (int i = 0; i < input.lookups; ++i)
      for (const struct node *n = table[(key + i) % 1000]; n; n = n->next)
        sum += n->key;
  }
  return sum;
}

// What lies between a call of a function that is not seen, and the use of the
// place that the function has chosen, is not hidden. The remark names the call
// and both lines.
//
// RUN: %clang -O2 -fopenmp -Rpass=heddle -Rpass-missed=heddle -Rpass-analysis=heddle -Wno-pass-failed -S -o /dev/null %s 2>&1 | FileCheck %s

struct node {
  struct node *next;
  long key;
};

// A function with any number of arguments has no nested form.
int note(long key, ...);
__attribute__((pure)) int number(long key);
extern long notes[8], out[];

void read(struct node *const *heads, long count) {
#pragma omp parallel for
#pragma heddle async
  for (long i = 0; i < count; ++i) {
    const int place = note(i); // line 21
    long sum = 0;
    // CHECK: behind-calls.c:[[#@LINE+1]]:{{.*}}: remark: the latency of this access is not hidden: the call of 'note' may note something in memory that is used behind it (from line 21 to line 26); let the function be inlined: {{.*}}; or declare it with `__attribute__((pure))` if it writes nothing
    for (const struct node *p = heads[i]; p; p = p->next)
      sum += p->key;
    out[i] = sum + notes[place]; // line 26
  }
}

void count(struct node *const *heads, long count) {
  // CHECK: behind-calls.c:[[#@LINE+1]]:1: remark: interleaved
#pragma omp parallel for
#pragma heddle async
  for (long i = 0; i < count; ++i) {
    const int place = number(i);
    long sum = 0;
    for (const struct node *p = heads[i]; p; p = p->next)
      sum += p->key;
    out[i] = sum + notes[place];
  }
}

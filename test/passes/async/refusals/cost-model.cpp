// Loops that lose nothing to memory, or whose waiting the processor overlaps
// by itself, are left alone; a scheduler clause overrules the latter. Requests
// that suspend no task are tried nevertheless.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

void stream(double *a, const double *b, const double *c, long n) {
  ASYNC_LOOP() // expected-remark {{loop not interleaved: it has no long-latency access that a suspension could hide: its addresses are predictable and the hardware prefetches them}}
    a[i] = b[i] + 3 * c[i];
}

void forcedStream(double *a, const double *b, const double *c, long n) {
  // expected-remark@+1 {{it has no long-latency access}}
  ASYNC_LOOP(scheduler(lockstep))
    a[i] = b[i] + 3 * c[i];
}

void stencil(double *out, const double *in, long rows, long columns) {
#pragma heddle async
  // expected-remark@+1 {{it has no long-latency access}}
  for (long r = 1; r < rows - 1; ++r)
    for (long c = 1; c < columns - 1; ++c)
      out[r * columns + c] = in[r * columns + c - 1] + in[r * columns + c + 1] +
                             in[(r - 1) * columns + c] +
                             in[(r + 1) * columns + c];
}

long gather(const int *indices, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{requested ahead what the loop's iterations access (lockstep schedule): 0 suspension points, 1 request (1 early), 0 bytes of context a task, up to 32 tasks in flight; the serial version is kept and the runtime chooses}}
    sum += table[indices[i]];
  return sum;
}

long matrixRows(const long *starts, const int *indices, const double *values,
                double *out, const double *x, long n) {
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: its long-latency accesses do not depend on each other, so the processor overlaps them already (scheduler(lockstep) interleaves nevertheless)}}
    double sum = 0;
    for (long j = starts[i]; j < starts[i + 1]; ++j)
      sum += values[j] * x[indices[j]];
    out[i] = sum;
  }
  return n;
}

// Nothing overlaps in them, and no other iteration could be ahead.
int chase(const int *next, long n) {
  int at = 0;
  ASYNC_LOOP() // expected-remark {{loop not interleaved: a variable leads each iteration to what it accesses, and the iteration in front of it has to read from memory where}}
    at = next[at];
  return at;
}

struct Link {
  Link *next;
};

long length(const Link *link) {
  long links = 0;
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: a variable leads each iteration}}
  for (; link; link = link->next)
    ++links;
  return links;
}

long forcedGather(const int *indices, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations (lockstep schedule)}}
  ASYNC_LOOP(scheduler(lockstep))
    sum += table[indices[i]];
  return sum;
}

long forcedStatic(const int *indices, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{interleaved the loop's iterations (FIFO schedule)}}
  ASYNC_LOOP(scheduler(fifo))
    sum += table[indices[i]];
  return sum;
}

// A gather that another gather waits for.
long dependentGathers(const int *indices, const long *table, long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    sum += table[table[indices[i]]];
  return sum;
}

// The processor cannot run ahead of a branch on what it waits for.
long gatherAndBranch(const int *indices, const long *table, const int *more,
                     long n) {
  long sum = 0;
  ASYNC_LOOP() // expected-remark {{requested ahead}}
    for (long j = 0; j < table[indices[i]]; ++j)
      sum += more[sum & 7];
  return sum;
}

// Nor does it overlap atomic updates.
void atomicUpdates(const int *indices, long *table, long n) {
  ASYNC_LOOP() // expected-remark {{requested ahead what the loop's iterations access}}
    __atomic_fetch_add(&table[indices[i]], 1, __ATOMIC_RELAXED);
}

// The user may know better.
long remote(const int *indices, const long *table, long n) {
  long sum = 0;
  // expected-remark@+1 {{requested ahead what the loop's iterations access}}
  ASYNC_LOOP(remote(table))
    sum += table[indices[i]];
  return sum;
}

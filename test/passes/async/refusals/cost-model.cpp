// Loops that lose nothing to memory, or whose waiting the processor overlaps
// by itself, are left alone; a scheduler clause overrules the latter. Requests
// that suspend no task are tried nevertheless.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -c -o /dev/null %s

void stream(double *a, const double *b, const double *c, long n) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: it has no long-latency access that a suspension could hide: its addresses are predictable and the hardware prefetches them}}
  for (long i = 0; i < n; ++i)
    a[i] = b[i] + 3 * c[i];
}

void forcedStream(double *a, const double *b, const double *c, long n) {
#pragma heddle async scheduler(lockstep)
  // expected-remark@+1 {{it has no long-latency access}}
  for (long i = 0; i < n; ++i)
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
#pragma heddle async
  // expected-remark@+1 {{requested ahead what the loop's iterations access (lockstep schedule): 0 suspension points, 1 request (1 early), 0 bytes of context a task, up to 32 tasks in flight; the serial version is kept and the runtime chooses}}
  for (long i = 0; i < n; ++i)
    sum += table[indices[i]];
  return sum;
}

long matrixRows(const long *starts, const int *indices, const double *values,
                double *out, const double *x, long n) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: its long-latency accesses do not depend on each other, so the processor overlaps them already (scheduler(lockstep) interleaves nevertheless)}}
  for (long i = 0; i < n; ++i) {
    double sum = 0;
    for (long j = starts[i]; j < starts[i + 1]; ++j)
      sum += values[j] * x[indices[j]];
    out[i] = sum;
  }
  return n;
}

long forcedGather(const int *indices, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(lockstep)
  // expected-remark@+1 {{interleaved the loop's iterations (lockstep schedule)}}
  for (long i = 0; i < n; ++i)
    sum += table[indices[i]];
  return sum;
}

long forcedStatic(const int *indices, const long *table, long n) {
  long sum = 0;
#pragma heddle async scheduler(fifo)
  // expected-remark@+1 {{interleaved the loop's iterations (FIFO schedule)}}
  for (long i = 0; i < n; ++i)
    sum += table[indices[i]];
  return sum;
}

// A gather that another gather waits for.
long dependentGathers(const int *indices, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    sum += table[table[indices[i]]];
  return sum;
}

// The processor cannot run ahead of a branch on what it waits for.
long gatherAndBranch(const int *indices, const long *table, const int *more,
                     long n) {
  long sum = 0;
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < table[indices[i]]; ++j)
      sum += more[sum & 7];
  return sum;
}

// Nor does it overlap atomic updates.
void atomicUpdates(const int *indices, long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{requested ahead what the loop's iterations access}}
  for (long i = 0; i < n; ++i)
    __atomic_fetch_add(&table[indices[i]], 1, __ATOMIC_RELAXED);
}

// The user may know better.
long remote(const int *indices, const long *table, long n) {
  long sum = 0;
#pragma heddle async remote(table)
  // expected-remark@+1 {{requested ahead what the loop's iterations access}}
  for (long i = 0; i < n; ++i)
    sum += table[indices[i]];
  return sum;
}

// An array of the heap that every iteration fills and then reads is not one
// that iterations in flight could share.
//
// RUN: %same_output | FileCheck %s

#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) long workArray(const int *index, int n, int size,
                                         int *work) {
  long sum = 0;
// CHECK: [[@LINE+2]]:3: remark: loop not interleaved
#pragma heddle async CLAUSES
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < size; ++k)
      work[k] = index[(index[i] + k * 37) % n];
    sum += index[work[index[i] % size]] + index[work[2]];
  }
  return sum;
}

// Additions to the elements may be done in any order.
__attribute__((noinline)) void totals(const int *index, int n, int size,
                                      long *total) {
// CHECK: [[@LINE+2]]:3: remark: {{(interleaved|requested ahead)}}
#pragma heddle async CLAUSES
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < size; ++k)
      total[k] += index[(index[index[i]] + k * 37) % n];
}

int main() {
  const int n = 4000;
  int *index = static_cast<int *>(malloc(n * sizeof *index));
  int *work = static_cast<int *>(malloc(100 * sizeof *work));
  long *total = static_cast<long *>(calloc(100, sizeof *total));
  for (int i = 0; i < n; ++i)
    index[i] = i * 7919 % n;
  printf("%ld\n", workArray(index, n, 8, work));
  totals(index, n, 5, total);
  printf("%ld %ld\n", total[0], total[4]);
  free(index);
  free(work);
  free(total);
}

#include <stdio.h>
#include <stdlib.h>

static long sumOf(const long *values, const int *index, long count) {
  long sum = 0;
#pragma heddle async scheduler(lockstep) remote(values)
  for (long i = 0; i < count; ++i)
    sum += values[index[i]];
  return sum;
}

int main(void) {
  enum { count = 1000 };
  long *values = malloc(count * sizeof *values);
  int *index = malloc(count * sizeof *index);
  for (int i = 0; i < count; ++i) {
    values[i] = i;
    index[i] = (i * 7) % count;
  }
  printf("sum %ld\n", sumOf(values, index, count));
  free(index);
  free(values);
  return 0;
}

long sumOf(const long *values, const int *index, long count) {
  long sum = 0;
#pragma heddle async scheduler(lockstep) remote(values)
  for (long i = 0; i < count; ++i)
    sum += values[index[i]];
  return sum;
}

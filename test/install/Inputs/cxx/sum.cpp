#include <cstdio>
#include <vector>

static long sumOf(const std::vector<long> &table,
                  const std::vector<int> &index) {
  const long *values = table.data();
  long sum = 0;
#pragma heddle async scheduler(lockstep) remote(values)
  for (int i : index)
    sum += values[i];
  return sum;
}

int main() {
  std::vector<long> values;
  std::vector<int> index;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(i);
    index.push_back((i * 7) % 1000);
  }
  std::printf("sum %ld\n", sumOf(values, index));
}

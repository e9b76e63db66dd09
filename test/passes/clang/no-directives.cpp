// A file without directives compiles to the same bytes as without the plugin.
//
// RUN: %clangxx -O2 -c %s -o %t.o
// RUN: %plain_clangxx -O2 -c %s -o %t.plain.o
// RUN: cmp %t.o %t.plain.o
// RUN: %clangxx -O2 -g -c %s -o %t.o
// RUN: %plain_clangxx -O2 -g -c %s -o %t.plain.o
// RUN: cmp %t.o %t.plain.o
//
// OpenMP takes its constructs' lines along where they are known, as under -g or
// -Rpass; the code is the same.
// RUN: %clangxx %fopenmp -O2 -c %s -o %t.o
// RUN: %plain_clangxx %fopenmp -O2 -c %s -o %t.plain.o
// RUN: llvm-objcopy -O binary --only-section=.text %t.o %t.text
// RUN: llvm-objcopy -O binary --only-section=.text %t.plain.o %t.plain.text
// RUN: test -s %t.text && cmp %t.text %t.plain.text

#include <algorithm>
#include <map>
#include <vector>

long total(const std::map<int, std::vector<long>> &rows) {
  long sum = 0;
  for (const auto &row : rows)
#pragma omp parallel for reduction(+ : sum)
    for (long value : row.second)
      sum += std::max<long>(value, row.first);
  return sum;
}

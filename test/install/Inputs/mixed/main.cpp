#include <cstdio>
#include <heddle/heddle.h>

extern "C" int answer(void);
extern "C" long sumOf(const long *values, const int *index, long count);

int main() {
  const long values[] = {1, 2, 3, 4};
  const int index[] = {3, 1, 0, 2};
  std::printf("sum %ld answer %d\n", sumOf(values, index, 4), answer());
}

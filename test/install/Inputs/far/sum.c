#include <heddle/far.h>

#include <stdio.h>

int main(int count, char **arguments) {
  const char *path = arguments[count - 1];
  heddle_far long *numbers =
      (heddle_far long *)heddle_far_open(path, HEDDLE_FAR_CREATE, 80000);
  if (!numbers)
    return 1;
  for (long i = 0; i < 10000; ++i)
    numbers[i] = i;
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < 10000; ++i)
    sum += numbers[i * 7919 % 10000];
  printf("sum %ld\n", sum);
  return heddle_far_close(numbers);
}

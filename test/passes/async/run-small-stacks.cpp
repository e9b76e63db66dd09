// Contexts of tasks are not on the stack: a function with an annotated loop
// costs some hundred bytes of it, runs in small threads, recurses as deep as
// without the directive, and runs serially where there is no memory.
//
// RUN: %clangxx -O2 -Wframe-larger-than=512 -Werror -Rpass=heddle %s -pthread -o %t.alone 2>&1 | FileCheck %s
// RUN: %t.alone | FileCheck --check-prefix=OUTPUT %s
// RUN: %clangxx -O2 -fPIC %s -pthread %runtime -o %t.runtime
// RUN: %t.runtime | FileCheck --check-prefix=OUTPUT %s
// RUN: env HEDDLE_TUNE=off %t.runtime | FileCheck --check-prefix=OUTPUT %s
//
// CHECK: remark: requested ahead {{.*}} 64 bytes of context a task, 1024 tasks in flight
// CHECK-COUNT-3: remark: interleaved the loop's iterations

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define NOINLINE __attribute__((noinline))

enum { Elements = 1 << 12, Count = 2000 };
static int64_t table[Elements];

// 1024 tasks of 64 bytes and more.
NOINLINE static int64_t wide(int64_t n) {
  int64_t sum = 0;
#pragma heddle async tasks(1024)
  for (int64_t i = 0; i < n; ++i) {
    int64_t values[8];
    for (int64_t k = 0; k < 8; ++k)
      values[k] = table[table[(i + k * k) % Elements]];
    sum = sum + values[table[i % Elements] % 8] % 1000;
  }
  return sum;
}

NOINLINE static int64_t recursive(int64_t n, int64_t depth) {
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i)
    sum += table[table[(i + depth) % Elements]];
  return depth ? recursive(n, depth - 1) + sum % 7 : sum;
}

// The loop calls its own function.
NOINLINE static int64_t inIterations(int64_t depth) noexcept {
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < 20; ++i) {
    int64_t x = table[table[(i * depth) % Elements]];
    sum += x + (i == 7 && depth ? inIterations(depth - 1) : 0);
  }
  return sum;
}

NOINLINE static int64_t fields(int64_t n) {
  int64_t sum = 0, most = 0;
#pragma heddle async
  for (int64_t i = 0; i < n; ++i) {
    int64_t x = table[i % Elements], y = table[x];
    sum += x * y + table[(y + x) % Elements] * table[(x * y) % Elements];
    most = most > y ? most : y;
  }
  return sum + most;
}

static void *inThread(void *) {
  printf("thread %ld\n", long(wide(Count)));
  return nullptr;
}

int main() {
  for (int64_t i = 0; i < Elements; ++i)
    table[i] = i * 2654435761u % Elements;
  // OUTPUT: wide [[WIDE:[0-9]+]]
  printf("wide %ld\n", long(wide(Count)));

  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 128 << 10);
  pthread_t thread;
  if (pthread_create(&thread, &small, inThread, nullptr) != 0)
    return 1;
  pthread_join(thread, nullptr);
  // OUTPUT-NEXT: thread [[WIDE]]

  // OUTPUT-NEXT: recursive 101123
  printf("recursive %ld\n", long(recursive(20, 20000) % 1000003));
  // OUTPUT-NEXT: in iterations 1178718
  printf("in iterations %ld\n", long(inIterations(30)));
  // OUTPUT-NEXT: fields [[FIELDS:[0-9]+]]
  printf("fields %ld\n", long(fields(Count)));

  // No memory for contexts.
  fflush(stdout);
  const rlimit none = {0, 0};
  static void *all[4096];
  unsigned count = 0;
  if (setrlimit(RLIMIT_AS, &none) != 0)
    return 1;
  for (size_t bytes = 1 << 16; bytes >= 512; bytes /= 2)
    while (count < 4096 && (all[count] = malloc(bytes)))
      ++count;
  const int64_t without = fields(Count);
  while (count)
    free(all[--count]);
  // OUTPUT-NEXT: without memory [[FIELDS]]
  printf("without memory %ld\n", long(without));
}

// Inner loops that end at a sentinel in the last accessible bytes: requests for
// iterations to come read nothing behind it, divide by nothing, and follow no
// pointer that is not set yet.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-6: remark: {{(loop not )?}}interleaved

#include "Inputs/program.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { Page = 4096 };
static char *page;

PROGRAM(text) {
  memset(page, 65, Page - 1);
  page[Page - 1] = 0;
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const char *from = page + Page - 1 - keys[i] % 40;
    for (int j = 0; j < 64; ++j) {
      if (!from[j])
        break;
      sum += table[(from[j] * 7919 + i * 31 + j) % Elements];
    }
  }
  return sum;
}

PROGRAM(indices) {
  auto *last = reinterpret_cast<uint32_t *>(page + Page) - 1;
  for (uint32_t i = 0; i < Page / 4; ++i)
    last[-int64_t(i)] = i ? keys[i] : Elements;
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t *row = last - keys[i] % 30;
    for (int j = 0; j < 64; ++j) {
      if (row[j] >= Elements)
        break;
      int64_t value = table[row[j]];
      sum += value;
      if (value % 7 == 0)
        break;
    }
  }
  return sum;
}

PROGRAM(divisors) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < 9; ++j)
      if (int64_t divisor = keys[(i + j) % Elements] % 3)
        sum += table[(i * 64) / divisor % Elements];
  return sum;
}

// Each round sets the pointer that the next one follows.
PROGRAM(setOnTheWay) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    Node *way[9] = {&nodes[keys[i]]};
    for (int j = 0; j < 8; ++j) {
      sum += table[way[j]->key];
      way[j + 1] = &nodes[table[way[j]->key]];
    }
  }
  return sum;
}

// Each iteration makes what it reads accessible.
NOINLINE void unlock(const int64_t *place) noexcept {
  mprotect((void *)((uintptr_t)place & -uintptr_t(Page)), Page,
           PROT_READ | PROT_WRITE);
}

NOINLINE int64_t unlocked(const int64_t *places, int64_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    unlock(&places[i]);
    sum += table[table[places[i]]];
  }
  return sum;
}

// The program ends in the last iteration for which there is anything to read.
NOINLINE void endAt(int64_t i) noexcept {
  if (i < Page / 8)
    return;
  puts("the end");
  fflush(stdout);
  _exit(0);
}

NOINLINE int64_t ended(const int64_t *indices, int64_t n) {
  int64_t sum = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    endAt(i);
    sum += table[table[indices[i]]];
  }
  return sum;
}

int main() {
  prepare();
  page = static_cast<char *>(mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(page + Page, Page, PROT_NONE);
  printPrograms();
  void *locked =
      mmap(nullptr, 8 * Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("unlocked %lld\n",
         (long long)unlocked(static_cast<int64_t *>(locked), Page));
  memset(page, 0, Page);
  ended(reinterpret_cast<int64_t *>(page), 1000);
}

// A program's own operator delete, in another file, may keep accounts: what
// iterations read of these changes with each call.
//
// DEFINE: %{files} = %s %S/Inputs/accounts.cpp
// RUN: %heddle_clangxx -O0 -I%S/Inputs %{files} -Wno-pass-failed -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %heddle_clangxx -O2 -I%S/Inputs %{files} -Wno-pass-failed -o %t
// RUN: env HEDDLE_TUNE=off %t | diff %t.expected -
// RUN: env HEDDLE_TUNE=once %t | diff %t.expected -
// RUN: env HEDDLE_TUNE=random:5 %t | diff %t.expected -
// RUN: %heddle_clangxx -O2 -flto -fuse-ld=lld -I%S/Inputs %{files} -Wno-pass-failed -o %t.lto
// RUN: env HEDDLE_TUNE=once %t.lto | diff %t.expected -

#include "accounts.h"
#include <stdio.h>

enum { Size = 1 << 12 };

struct Node {
  Node *next;
  long value;
};

static Node nodes[Size], *heads[Size];
static long *numbers[Size];

__attribute__((noinline)) static void build() {
  for (long i = 0; i < Size; ++i) {
    nodes[i] = {i % 3 ? &nodes[i * 7 % Size / 2] : nullptr, i};
    if (nodes[i].next >= &nodes[i])
      nodes[i].next = nullptr;
    heads[i] = &nodes[i * 2654435761 % Size];
    numbers[i] = new long(i);
  }
}

static Node *last(Node *node) {
  while (node->next)
    node = node->next;
  return node;
}

__attribute__((noinline)) static long countedByName() {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < Size; ++i) {
    const long value = last(heads[i])->value;
    const long before = accounts.releases;
    ::operator delete(numbers[i]);
    numbers[i] = nullptr;
    sum += value * (accounts.releases - before);
  }
  return sum;
}

__attribute__((noinline)) static long countedByArgument(const long *count) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < Size; ++i) {
    const long value = last(heads[i])->value;
    const long before = *count;
    delete numbers[i];
    numbers[i] = nullptr;
    sum += value * (*count - before);
  }
  return sum;
}

__attribute__((noinline)) static long lastByName() {
  long wrong = 0;
#pragma heddle async
  for (long i = 0; i < Size; ++i) {
    const long value = last(heads[i])->value;
    void *place = numbers[i];
    ::operator delete(place);
    numbers[i] = nullptr;
    wrong += (accounts.lastReleased != place) + value;
  }
  return wrong;
}

__attribute__((noinline)) static long lastByArgument(void *const *released) {
  long wrong = 0;
#pragma heddle async
  for (long i = 0; i < Size; ++i) {
    const long value = last(heads[i])->value;
    void *place = numbers[i];
    ::operator delete(place);
    numbers[i] = nullptr;
    wrong += (*released != place) + value;
  }
  return wrong;
}

int main() {
  build();
  printf("%ld\n", countedByName());
  build();
  printf("%ld\n", countedByArgument(&accounts.releases));
  build();
  printf("%ld\n", lastByName());
  build();
  printf("%ld\n", lastByArgument(&accounts.lastReleased));
}

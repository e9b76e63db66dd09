// Each version of a loop has blocks of its own in the debug information: a
// debugger stops at a line in one place of a block. Without the directive it is
// one block, or one for each caller that the loop is inlined into.
//
// RUN: %clangxx -O2 -g -c -o %t.o %s && llvm-dwarfdump --verify %t.o
// RUN: for line in $(sed -n 's/.*\/\/ line \([0-9]*\)$/\1/p' %s); do \
// RUN:   %S/Inputs/blocks-of-line %t.o $line; done | FileCheck %s
// CHECK-COUNT-8: {{^([3-9]|[1-9][0-9]+) blocks$}}

// They lie beside each other, so that a debugger lists one `i`, not those of
// other versions as well: a variable's name has one indentation.
//
// RUN: for function in chains requestedAhead inBlocks; do \
// RUN:   llvm-dwarfdump --name=$function --show-children %t.o; done | \
// RUN:   grep -E 'name.*"(i|node|sum|value|first)"' | sort -u | count 6

struct Node {
  Node *next;
  long value;
};

#define NOINLINE __attribute__((noinline))

NOINLINE void chains(Node *const *heads, const int *keys, long *sums, int n) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    long sum = 0;
    for (Node *node = heads[keys[i]]; node; node = node->next)
      sum += node->value; // line 29
    sums[i] = sum;        // line 30
  }
}

NOINLINE long requestedAhead(const long *table, const int *keys, long n) {
  long all = 0;
#pragma heddle async
  for (long i = 0; i < n; ++i) {
    long value = table[keys[i]];
    all += value; // line 39
  }
  return all;
}

NOINLINE long withoutVariables(const long *table, const int *keys, long n) {
  long all = 0;
  long i = 0;
#pragma heddle async
  for (; i < n; ++i)
    all += table[table[keys[i]]]; // line 49
  return all;
}

NOINLINE void withoutBlock(long **place, long **end, long *out) {
#pragma heddle async
  while (place != end)
    *out++ = **place++; // line 56
}

inline long read(const long *table, int key) {
  long value = table[key];
  return value ^ 1; // line 61
}

NOINLINE long inBlocks(const long *table, const int *keys, int n, int times) {
  long all = 0;
  for (int time = 0; time < times; ++time) {
    long factor = time * 3;
    if (n > time) {
      long bias = factor + 1;
#pragma heddle async
      for (int i = 0; i < n; ++i) {
        long first = read(table, keys[i]);
        all += read(table, first & 1023) * factor + bias; // line 73
      }
    }
  }
  return all;
}

static inline long squares(Node *const *heads, int n) {
  long all = 0;
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    long own = heads[i]->next->value;
    all += own * own; // line 85
  }
  return all;
}
NOINLINE long twice(Node *const *heads, int n) {
  return squares(heads, n) - squares(heads + 1, n - 1);
}

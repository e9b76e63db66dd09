// A loop that is left alone becomes the instructions that it would be without
// the directive: unrolled, unswitched, vectorised, made a call of memset.
//
// RUN: %clangxx -O3 -S -Wno-pass-failed -Rpass=heddle -o %t.marked %s 2>&1 | FileCheck --allow-empty --implicit-check-not=interleaved %s
// RUN: %plain_clangxx -O3 -S -DPLAIN -o %t.plain %s
// RUN: code() { grep -Ev '\.file|\.addrsig_sym' "$1"; }
// RUN: diff <(code %t.plain) <(code %t.marked)

#ifdef PLAIN
#define ASYNC_LOOP(...) for (__typeof__(n) i = 0; i < n; ++i)
#else
#include "../../support/loop.h"
#endif

struct Node {
  Node *next;
  long key;
};

double sum(const double *values, long n) {
  double result = 0;
  ASYNC_LOOP()
    result += values[i];
  return result;
}

void triad(double *__restrict a, const double *__restrict b,
           const double *__restrict c, int n) {
  ASYNC_LOOP()
    a[i] = b[i] + 3 * c[i];
}

void rows(const long *starts, const int *columns, const double *values,
          const double *x, double *y, long n) {
  ASYNC_LOOP() {
    double result = 0;
    for (long e = starts[i]; e < starts[i + 1]; ++e)
      result += values[e] * x[columns[e]];
    y[i] = result;
  }
}

void smallRows(const float *__restrict a, float *__restrict y, long n) {
  ASYNC_LOOP() {
    float result = 0;
    for (int k = 0; k < 8; ++k)
      result += a[i * 8 + k] * k;
    y[i] = result;
  }
}

// Chains are kept rolled until it is known that no task is made of them.
long chains(Node *const *first, long key, long n) {
  ASYNC_LOOP() {
    Node *node = first[i];
    for (int step = 0; step < 24; ++step)
      node = node->next;
    if (node->key == key)
      return i;
  }
  return -1;
}

static Node *follow(Node *node) {
  for (int step = 0; step < 24; ++step)
    node = node->next;
  return node;
}

__attribute__((noinline)) long keyBehind(Node *node) {
  return follow(follow(node))->key;
}

long chainsInCallees(Node *const *first, long key, long n) {
  ASYNC_LOOP()
    if (keyBehind(first[i]) == key)
      return i;
  return -1;
}

void conditional(double *__restrict a, const double *__restrict b, bool negate,
                 long n) {
  ASYNC_LOOP() {
    if (negate)
      a[i] = -b[i];
    else
      a[i] = 2 * b[i] + 1;
  }
}

void clear(long *values, long n) {
  ASYNC_LOOP()
    values[i] = 0;
}

long occurrences(const char *text, long n) {
  long count = 0;
  ASYNC_LOOP()
    count += text[i] == 'x';
  return count;
}

void turned(const double *__restrict a, double *__restrict b, long width,
            long n) {
  ASYNC_LOOP()
    for (long j = 0; j < width; ++j)
      b[i * width + j] = a[j * n + i];
}

long found(const long *keys, long key, long n) {
  ASYNC_LOOP()
    if (keys[i] == key)
      return i;
  return -1;
}

#ifndef PLAIN
#define IF_FALSE if (0)
#else
#define IF_FALSE
#endif

long neverWanted(const long *table, const long *keys, long n) {
  long result = 0;
  ASYNC_LOOP(IF_FALSE)
    result += table[table[keys[i]]];
  return result;
}

// The bound of a loop is read from memory that an iteration might write to, as
// far as the compiler sees. No iteration changes it for another one; where one
// does by its name or in a function, the order is kept.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-6: interleaved the loop's iterations
// CHECK-COUNT-2: not interleaved

#include "../Inputs/program.h"

struct Rows {
  int64_t size;
};
struct Graph {
  int64_t n;
  Rows *rows;
  int64_t *out;
};
static int64_t out[2 * Elements], globalBound;
static Rows rows;

static int64_t sumOf(int64_t count) {
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + out[i];
  return sum;
}

static int64_t find(int64_t i) {
  const Node *node = buckets[scramble(keys[i]) % Buckets];
  while (node && node->key != keys[i])
    node = node->next;
  return node ? node->value : -1;
}

#define BOUNDED(BOUND)                                                         \
  HEDDLE_PRAGMA(heddle async CLAUSES)                                          \
  for (int64_t i = 0; i < BOUND; ++i)

static NOINLINE void member(Graph *g) {
  BOUNDED(g->n)
  g->out[i] = find(i);
}
static NOINLINE void memberOfMember(Graph *g) {
  BOUNDED(g->rows->size)
  g->out[i] = find(i) + 1;
}
static NOINLINE void global(int64_t *to) {
  BOUNDED(globalBound)
  to[i] = find(i) + 2;
}
static NOINLINE void reference(const int64_t &bound, int64_t *to) {
  BOUNDED(bound)
  to[i] = find(i) + 3;
}
static NOINLINE void difference(const int64_t *first, int64_t *to) {
  BOUNDED(first[1] - first[0])
  to[i] = find(i) + 4;
}
static NOINLINE void half(Graph *g) {
  BOUNDED(g->n / 2)
  g->out[i] = find(i) + 5;
}
// Iterations extend the work.
static NOINLINE void worklist(Graph *g) {
  BOUNDED(g->n)
  if (find(i) % 3 == 0 && g->n < Elements)
    g->out[g->n++] = i;
}
static NOINLINE void extend(Graph *g, int64_t i) {
  if (g->n < Elements)
    g->out[g->n++] = i;
}
static NOINLINE void worklistInFunction(Graph *g) {
  BOUNDED(g->n)
  if (find(i) % 3 == 0)
    extend(g, i);
}

PROGRAM(allBounds) {
  int64_t sum = 0;
  Graph graph = {n, &rows, out};
  rows.size = globalBound = n;
  const int64_t firsts[] = {7, 7 + n};
  member(&graph);
  sum = sum * 31 + sumOf(n);
  memberOfMember(&graph);
  sum = sum * 31 + sumOf(n);
  global(out);
  sum = sum * 31 + sumOf(n);
  reference(graph.n, out);
  sum = sum * 31 + sumOf(n);
  difference(firsts, out);
  sum = sum * 31 + sumOf(n);
  half(&graph);
  sum = sum * 31 + sumOf(n);
  worklist(&graph);
  sum = sum * 31 + sumOf(graph.n);
  graph.n = n;
  worklistInFunction(&graph);
  return sum * 31 + sumOf(graph.n);
}

int main() {
  prepare();
  printPrograms();
}

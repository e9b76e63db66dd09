// Loops that call functions which access far memory do what the same loops do
// with data in memory, at all levels of optimization, in C and C++, with
// threads and without. The cache is far smaller than the data, stacks of nested
// coroutines less deep than some recursions, and tasks meet at the same places.
//
// RUN: %clang -O1 -DNEAR -DDIRECTIVE= %s %far_runtime -o %t.near && %t.near > %t.expected
// RUN: %clang -O0 %s %far_runtime -o %t.O0 && %t.O0 "" | diff %t.expected - %if full %{&& env HEDDLE_FAR_CACHE=1M %t.O0 %t.data | diff %t.expected -%}
// RUN: %if full %{%clang -O1 -Rpass=heddle %s %far_runtime -o %t.O1 2>&1 | FileCheck %s%} %else %{true%}
// RUN: %if full %{env HEDDLE_FAR_CACHE=1M %t.O1 %t.data | diff %t.expected -%} %else %{true%}
// RUN: %if full %{%clang -O2 -DDIRECTIVE= %s %far_runtime -o %t.serial && env HEDDLE_FAR_CACHE=1M %t.serial %t.data | diff %t.expected -%} %else %{true%}
// RUN: %clang -O2 -g -Rpass=heddle %s %far_runtime -o %t.O2 2>&1 | FileCheck %s
// RUN: env HEDDLE_FAR_CACHE=1M %t.O2 %t.data | diff %t.expected - && %t.O2 "" | diff %t.expected -
// RUN: %clangxx -x c++ -std=c++20 -O3 -march=native %s -x none %far_runtime -o %t.O3 && env HEDDLE_FAR_CACHE=1M %t.O3 %t.data | diff %t.expected -
// RUN: %clang -O2 %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=3 %t.threads %t.data | diff %t.expected -

// All but one of them are interleaved.
// CHECK-COUNT-16: remark: interleaved the loop's iterations (dynamic schedule)

#include "Inputs/far.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLEE __attribute__((noinline)) static

enum { Nodes = 20000, Count = 3000 };

struct node {
  int64_t key;
  FAR struct node *left, *right, *next;
  int64_t sum, visits;
  int64_t values[6];
};
typedef FAR struct node *tree;

CALLEE int64_t search(tree n, int64_t key) {
  if (!n)
    return 0;
  if (n->key == key)
    return n->values[0];
  return 1 + search(key < n->key ? n->left : n->right, key);
}

CALLEE int64_t total(tree n) {
  if (!n)
    return 1;
  const int64_t left = total(n->left);
  const int64_t right = total(n->right);
  return left * 3 + right + n->key;
}

// In a circle of two, with arguments of several types.
CALLEE int64_t odd(tree n, int64_t level, double weight);
CALLEE int64_t even(tree n, int64_t level, double weight) {
  if (!n)
    return level;
  const int64_t left = odd(n->left, level + 1, weight * 0.5);
  return left + odd(n->right, level * 2, weight) + (int64_t)(weight * 8);
}
CALLEE int64_t odd(tree n, int64_t level, double weight) {
  if (!n || n->key % 7 == 0)
    return -level;
  return n->values[level & 3] - even(n->left, level + 1, weight + 1) +
         odd(n->right, level, weight);
}

// Deeper than any stack of frames.
CALLEE int64_t chain(tree n, int64_t length) {
  if (!n || length == 0)
    return 7;
  return chain(n->next, length - 1) * 31 + n->key;
}

// A recursion from within a loop.
CALLEE int64_t fan(tree n, int depth) {
  int64_t sum = n->key;
  for (int k = 0; k < 3 && depth > 0; ++k) {
    tree child = k == 0 ? n->left : k == 1 ? n->right : n->next;
    if (child)
      sum = sum * 5 + fan(child, depth - 1);
    else
      sum += n->values[k];
  }
  return sum;
}

// The variables of each call are its own.
CALLEE int64_t digits(const int64_t *values, int count) {
  int64_t sum = 0;
  for (int k = 0; k < count; ++k)
    sum = sum * 3 + values[k];
  return sum;
}
CALLEE int64_t arrays(tree n, int depth, int64_t *above) {
  int64_t values[4];
  for (int k = 0; k < 4; ++k)
    values[k] = n->values[(k + depth) % 6] + above[k & 1];
  if (depth > 0 && n->left)
    values[depth & 3] += arrays(n->left, depth - 1, values + 1);
  above[0] += n->key;
  return digits(values, 4) + n->values[5];
}

struct extent {
  int64_t least, most, count;
};
CALLEE struct extent range(tree n) {
  struct extent all = {INT64_MAX, INT64_MIN, 0};
  if (!n)
    return all;
  const struct extent left = range(n->left), right = range(n->right);
  all.least = left.least < right.least ? left.least : right.least;
  all.most = left.most > right.most ? left.most : right.most;
  if (n->key < all.least)
    all.least = n->key;
  if (n->key > all.most)
    all.most = n->key;
  all.count = left.count + right.count + 1;
  return all;
}

struct pair {
  int64_t first;
  double second;
};
CALLEE struct pair both(tree n, int depth) {
  struct pair result = {n->key, (double)(n->values[1] % 16)};
  if (depth > 0 && n->next) {
    const struct pair below = both(n->next, depth - 1);
    result.first ^= below.first;
    result.second += below.second;
  }
  return result;
}

// Not recursive, large, and called from two places.
CALLEE int64_t large(FAR const struct node *nodes, int64_t at) {
  int64_t sum = 0;
  for (int k = 0; k < 6; ++k) {
    at = (nodes[at].values[k] ^ at) & 8191;
    switch (nodes[at].key & 3) {
    case 0:
      sum += nodes[at].values[5 - k] * 3;
      break;
    case 1:
      sum ^= nodes[(at * 7) & 8191].key;
      break;
    case 2:
      sum -= nodes[at + 1].values[0];
      break;
    default:
      sum = sum * 5 + k;
    }
  }
  return sum + nodes[at].key;
}

// One calls another, recursive and not.
CALLEE int64_t leaf(FAR const struct node *nodes, int64_t at) {
  return nodes[nodes[at & 8191].values[2] & 8191].key;
}
CALLEE int64_t descend(FAR const struct node *nodes, int64_t at, int depth) {
  if (depth == 0)
    return leaf(nodes, at);
  const int64_t here = leaf(nodes, at + depth);
  return descend(nodes, here & 8191, depth - 1) -
         descend(nodes, (at * 5) & 8191, depth - 1) + here;
}

// Updates on the way, of places that tasks have in common.
CALLEE int64_t visit(tree n, int depth) {
  if (!n)
    return 0;
  __atomic_fetch_add(&n->visits, depth, __ATOMIC_RELAXED);
  return visit(depth & 1 ? n->left : n->right, depth + 1) + 1;
}

#ifndef _OPENMP
#define COUNT(place, difference) ((place) += (difference))
#else
#define COUNT(place, difference)                                               \
  ((void)__atomic_fetch_add(&(place), difference, __ATOMIC_RELAXED))
#endif

CALLEE int64_t tally(tree n, int64_t key) {
  if (!n)
    return 0;
  COUNT(n->sum, key & 15);
  const int64_t below = tally(key < n->key ? n->left : n->right, key);
  COUNT(n->values[3], 1);
  return below + 1;
}

// A value is loaded before the call and modified behind it: tasks are not
// suspended in between, and nothing is left to interleave.
CALLEE int64_t around(tree n, int64_t key) {
  if (!n)
    return 1;
#ifdef _OPENMP
  const int64_t below = around(key < n->key ? n->left : n->right, key);
  COUNT(n->sum, below);
#else
  const int64_t before = n->sum;
  const int64_t below = around(key < n->key ? n->left : n->right, key);
  n->sum = before + below;
#endif
  return below + 1;
}

// The halves of an update are in the callee and in the loop.
CALLEE int64_t get(FAR const struct node *nodes, int64_t at) {
  const int64_t now = nodes[at].sum;
  return now + (nodes[nodes[at].values[4] & 8191].key & 7);
}
CALLEE void set(FAR struct node *nodes, int64_t at, int64_t to) {
  if (nodes[nodes[at].values[4] & 8191].key != -1)
    nodes[at].sum = to;
}

static uint64_t random_state = 1;
static int64_t next_random(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(random_state >> 33);
}

static tree insert(tree root, tree n) {
  if (!root)
    return n;
  tree at = root;
  while (1) {
    tree down = n->key < at->key ? at->left : at->right;
    if (!down)
      break;
    at = down;
  }
  if (n->key < at->key)
    at->left = n;
  else
    at->right = n;
  return root;
}

static int64_t nodes_sum(FAR const struct node *nodes) {
  int64_t sum = 0;
  for (int i = 0; i < Nodes; ++i)
    sum = sum * 31 + nodes[i].sum + nodes[i].visits * 3 + nodes[i].values[3];
  return sum;
}

static void say(const char *what, int64_t value) {
  printf("%s %lld\n", what, (long long)value);
}

int main(int arguments, char **argument) {
  const char *path = arguments > 1 ? argument[1] : "";
  tree nodes = (tree)allocate(path, Nodes * sizeof(struct node));
  // A hundred trees, and a chain through all nodes.
  static tree roots[100];
  for (int i = 0; i < Nodes; ++i) {
    tree n = &nodes[i];
    n->key = next_random() % 100000;
    n->left = n->right = NULL;
    n->sum = n->visits = 0;
    n->next = i % 1000 ? &nodes[i - 1] : NULL;
    for (int k = 0; k < 6; ++k)
      n->values[k] = next_random();
    tree *root = &roots[next_random() % 100];
    *root = insert(*root, n);
  }
  static int at[Count];
  for (int i = 0; i < Count; ++i)
    at[i] = (int)(next_random() % Nodes);
  int count = Count;
  int64_t sum = 0;

  LOOP sum += search(roots[at[i] % 100], at[i] * 5);
  say("search", sum);
  LOOP if (i < 200) sum += total(roots[i % 100]);
  say("total", sum);
  LOOP sum += even(&nodes[at[i]], i & 3, i * 0.25);
  say("even and odd", sum);
  LOOP if (i % 10 == 0) sum += chain(&nodes[at[i]], i % 700);
  say("chain", sum);
  LOOP sum += fan(&nodes[at[i]], i % 4);
  say("fan", sum);
  LOOP {
    int64_t above[2] = {i, 1};
    sum += arrays(roots[at[i] % 100], i % 9, above) + above[0];
  }
  say("arrays", sum);
  LOOP {
    if (i % 5 == 0) {
      const struct extent all = range(&nodes[at[i]]);
      sum += all.least + all.most * 3 + all.count * 5;
    }
  }
  say("range", sum);
  LOOP {
    const struct pair result = both(&nodes[at[i]], i % 20);
    sum += result.first + (int64_t)result.second;
  }
  say("both", sum);
  LOOP {
    if (at[i] & 1)
      sum += large(nodes, at[i] & 8191);
    else
      sum -= large(nodes, i & 4095);
  }
  say("large", sum);
  LOOP sum += descend(nodes, at[i], i & 3);
  say("descend", sum);
  // Two recursions in one iteration.
  LOOP sum += search(roots[i % 100], at[i]) * search(roots[at[i] % 100], i);
  say("search twice", sum);
  LOOP sum += visit(roots[at[i] % 7], 1);
  say("visit", sum);
  LOOP sum += tally(roots[at[i] % 7], at[i]);
  say("tally", sum);
  LOOP sum += around(roots[at[i] % 7], at[i] * 3);
  say("around", sum);
#ifdef _OPENMP
  for (int i = 0; i < count; ++i) {
#else
  DIRECTIVE for (int i = 0; i < count; ++i) {
#endif
    const int64_t k = at[i] & 63;
    nodes[k].sum = get(nodes, k) + 1;
  }
#ifdef _OPENMP
  for (int i = 0; i < count; ++i) {
#else
  DIRECTIVE for (int i = 0; i < count; ++i) {
#endif
    const int64_t k = at[i] & 63;
    set(nodes, k, nodes[k].sum + 3);
  }
  LOOP sum += nodes[at[i]].key + leaf(nodes, at[i]);
  say("get and set", sum);
  say("nodes", nodes_sum(nodes));
  return 0;
}

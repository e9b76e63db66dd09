// Recursive callees: with results, accumulators of the iteration, early
// returns, variables of their own, updates, and deeper than their stacks.
//
// RUN: %same_output -fwrapv | FileCheck %s
// CHECK-COUNT-21: became a nested coroutine

#include "../async/Inputs/program.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#define FOR ASYNC_LOOP(CLAUSES)

struct Tree {
  Tree *left, *right;
  int64_t key, value, visits;
};

/// A search tree in which nodes lie in no order, and a tree that is a list.
static Tree nodesOfTree[Elements], nodesOfList[Elements];
static int64_t used;

static Tree *build(int64_t low, int64_t high) {
  if (low >= high)
    return nullptr;
  const int64_t middle = (low + high) / 2;
  Tree *tree = &nodesOfTree[used++];
  *tree = {build(low, middle), build(middle + 1, high), middle, table[middle],
           0};
  return tree;
}

static const Tree *start(int64_t i) { return &nodesOfTree[keys[i]]; }

static void setUp() {
  used = 0;
  build(0, Elements);
  for (int64_t i = 0; i < Elements; ++i)
    nodesOfList[i] = {i ? &nodesOfList[i - 1] : nullptr, nullptr, i, table[i],
                      0};
}

static int64_t digest(const int64_t *values) {
  uint64_t all = 0;
  for (int64_t i = 0; i < Elements; ++i)
    all = scramble(all ^ values[i]);
  return all;
}

static int64_t total(const Tree *t, int depth) {
  if (!t || !depth)
    return 1;
  return total(t->left, depth - 1) * 3 + total(t->right, depth - 1) * 5 +
         t->value;
}
PROGRAM(results) {
  uint64_t sum = 0;
  FOR sum += total(start(i), i % 7);
  return sum;
}

static int64_t chain(const Tree *t, int64_t length) {
  return t && length ? chain(t->left, length - 1) * 31 + t->key : 7;
}
PROGRAM(deeperThanTheStack) {
  uint64_t sum = 0;
  FOR sum += chain(&nodesOfList[keys[i]], keys[i] % 300);
  return sum;
}

static void nearest(const Tree *t, int64_t key, int64_t *best, int64_t *seen) {
  if (!t)
    return;
  ++*seen;
  const int64_t distance = (t->value - key) * (t->value - key);
  *best = std::min(*best, distance);
  if (t->key > key) {
    nearest(t->left, key, best, seen);
    if (*best > 100)
      nearest(t->right, key, best, seen);
  } else {
    nearest(t->right, key, best, seen);
    if (*best > 50)
      nearest(t->left, key, best, seen);
  }
}
PROGRAM(accumulators) {
  uint64_t sum = 0;
  FOR {
    int64_t best = 1 << 30, seen = 0;
    nearest(start(i), table[i], &best, &seen);
    sum += best * seen;
  }
  return sum;
}

static int64_t fan(const Tree *t, int depth) {
  int64_t sum = t->value;
  for (int k = 0; k < 5 && depth > 0; ++k) {
    const Tree *child = k % 3 == 0 ? t->left
                        : k % 3 == 1
                            ? t->right
                            : &nodesOfTree[(t->key * 7 + k) % Elements];
    if (child)
      sum = sum * 3 + fan(child, depth - 1);
  }
  return sum;
}
PROGRAM(loopsOfCalls) {
  uint64_t sum = 0;
  FOR sum += fan(start(i), i % 4);
  return sum;
}

static int64_t odd(const Tree *t, int64_t level, double weight);
static int64_t even(const Tree *t, int64_t level, double weight) {
  if (!t)
    return level;
  const int64_t left = odd(t->left, level + 1, weight * 0.5);
  return left + odd(t->right, level * 2, weight) + int64_t(weight * 8);
}
static int64_t odd(const Tree *t, int64_t level, double weight) {
  if (!t || t->key % 7 == 0)
    return -level;
  return t->value - even(t->left, level + 1, weight + 1) +
         odd(t->right, level, weight);
}
PROGRAM(circles) {
  uint64_t sum = 0;
  FOR sum += even(start(i), 1, 2.5);
  return sum;
}

static int64_t counts[Elements];

static void count(const Tree *t, int depth) {
  if (!t || !depth)
    return;
  ++counts[t->key];
  count(t->left, depth - 1);
  counts[t->value] += depth;
  count(t->right, depth - 1);
}
PROGRAM(updates) {
  memset(counts, 0, sizeof(counts));
  FOR count(start(i), i % 6);
  return digest(counts);
}

static void visit(Tree *t, int depth) {
  if (!t || !depth)
    return;
  const int64_t old = t->visits;
  visit(t->left, depth - 1);
  t->visits = old + 1;
  visit(t->right, depth - 1);
}
PROGRAM(updatesAroundCalls) {
  FOR visit(&nodesOfTree[keys[i]], i % 6);
  uint64_t all = 0;
  for (const Tree &t : nodesOfTree)
    all = scramble(all ^ t.visits);
  return all;
}

static int64_t ownVariables(const Tree *t, int depth, int64_t *up) {
  int64_t mine[3] = {depth, 0, 0};
  if (!t || !depth) {
    *up += 1;
    return depth;
  }
  const int64_t left = ownVariables(t->left, depth - 1, &mine[1]);
  const int64_t right = ownVariables(t->right, depth - 1, &mine[2]);
  *up += mine[1] * 2 + mine[2];
  return left + right * mine[0] + mine[1];
}
PROGRAM(variables) {
  uint64_t sum = 0;
  FOR {
    int64_t up = 0;
    sum += ownVariables(start(i), i % 6, &up);
    sum += up;
  }
  return sum;
}

struct Large {
  int64_t values[12];
};
static Large large(const Tree *t, int depth) {
  if (!t || !depth) {
    Large leaf;
    for (int k = 0; k < 12; ++k)
      leaf.values[k] = depth + k;
    return leaf;
  }
  Large left = large(t->left, depth - 1);
  const Large right = large(t->right, depth - 1);
  for (int k = 0; k < 12; ++k)
    left.values[k] += right.values[11 - k] * t->value;
  return left;
}
PROGRAM(largeResults) {
  uint64_t sum = 0;
  FOR {
    const Large result = large(start(i), i % 5);
    for (int64_t value : result.values)
      sum = sum * 3 + value;
  }
  return sum;
}

typedef float Four __attribute__((vector_size(16)));
static Four types(const Tree *t, Four a, bool b, signed char c, __int128 w) {
  if (!t || c <= 0)
    return a;
  const Four left = types(t->left, a * 0.5f, !b, c - 1, w * 3);
  return left + types(t->right, a + float(t->value % 10), b, c - 2, w + b) +
         float(int64_t(w) & 7);
}
PROGRAM(manyTypes) {
  int64_t sum = 0;
  FOR {
    const Four a =
        types(start(i), Four{1, 2, 3, float(i % 5)}, i & 1, i % 8, i);
    sum += int64_t(a[0] + a[1] * 2 + a[2] + a[3]);
  }
  return sum;
}

static bool contains(const Tree *t, int64_t value) {
  return t && (t->value == value || contains(t->left, value) ||
               contains(t->right, value));
}
PROGRAM(earlyReturns) {
  int64_t found = 0;
  FOR found += contains(start(i), table[i]);
  return found;
}

static int64_t ackermann(int64_t m, int64_t k) {
  if (!m)
    return table[k] % 50;
  return k ? ackermann(m - 1, ackermann(m, k - 1) % 40) : ackermann(m - 1, 1);
}
PROGRAM(callsInArguments) {
  uint64_t sum = 0;
  FOR sum += ackermann(keys[i] % 3, keys[i] % 10);
  return sum;
}

PROGRAM(severalCallees) {
  uint64_t sum = 0;
  FOR {
    sum += total(start(i), i % 5);
    for (int k = 0; k < 3; ++k)
      sum += fan(start((i + k) % Elements), k);
    sum += chain(&nodesOfList[keys[i]], i % 70);
    if (i % 3 == 0)
      sum += total(start(i), 3);
  }
  return sum;
}

static int64_t out[Elements];

static void write(const Tree *t, int depth, int64_t i) {
  if (!t || !depth)
    return;
  out[i] += t->value * depth;
  write(t->left, depth - 1, i);
  write(t->right, depth - 1, i);
  out[i] ^= table[table[t->value]];
}
PROGRAM(ownElement) {
  memset(out, 0, sizeof(out));
  FOR write(start(i), i % 7, i);
  return digest(out);
}

static int64_t known[Elements];
static int64_t remember(int64_t k) {
  if (k < 2)
    return k;
  if (known[k])
    return known[k];
  const int64_t value = remember(k - 1) * 3 + remember(table[k] % k);
  known[k] = value;
  return value;
}
PROGRAM(memories) {
  memset(known, 0, sizeof(known));
  uint64_t sum = 0;
  FOR sum += remember(keys[i] % 200);
  return sum;
}

struct Document {
  int64_t kind, number;
  std::vector<Document> members;
};
static int64_t read(const Document &document) {
  int64_t result = 1;
  switch (document.kind) {
  case 0:
    return document.number;
  case 1:
    for (const Document &member : document.members)
      result = result * 31 + read(member);
    return result;
  default:
    for (const Document &member : document.members)
      result = std::max(result, read(member));
    return result;
  }
}
static Document make(uint64_t seed, int depth) {
  Document document{
      depth ? int64_t(scramble(seed) % 3) : 0, int64_t(seed % 1000), {}};
  if (document.kind)
    for (unsigned k = 0; k < scramble(seed * 3) % 5; ++k)
      document.members.push_back(make(scramble(seed + k + 1), depth - 1));
  return document;
}
static std::vector<Document> documents;
PROGRAM(walksOverDocuments) {
  uint64_t sum = 0;
  FOR sum += read(documents[keys[i] % 512]);
  return sum;
}

PROGRAM(loopsInCallees) {
  auto scan = [](auto &self, const Tree *t, int depth) -> int64_t {
    int64_t sum = 0;
    for (int k = 0; t && k < 3; ++k)
      for (const Node *p = buckets[(t->key + k) % Buckets]; p; p = p->next) {
        if (p->key % 11 == 0)
          break;
        sum += p->value;
        if (depth > 0 && p->key % 3 == 0) {
          sum += self(self, k ? t->left : t->right, depth - 1);
          continue;
        }
        sum ^= k;
      }
    return sum;
  };
  uint64_t sum = 0;
  FOR sum += scan(scan, start(i), i % 4);
  return sum;
}

struct Best {
  int64_t distance = INT64_MAX, key = 0;
};
/// Where a search begins and its result goes is read from memory.
struct Searcher {
  const Tree *root;
  int64_t *results;
  int64_t visited = 0, *counter = &visited;
  Best best;

  void search(const Tree *t, int64_t value, Best &nearest) {
    if (!t)
      return;
    const int64_t apart =
        t->value > value ? t->value - value : value - t->value;
    if (apart < nearest.distance)
      nearest = {apart, t->key};
    search(value < t->key ? t->left : t->right, value, nearest);
    if (nearest.distance > 100)
      search(value < t->key ? t->right : t->left, value, nearest);
  }
  void count(const Tree *t, int64_t value) {
    if (!t)
      return;
    ++*counter;
    count(value < t->key ? t->left : t->right, value);
    if (t->value % 5 == 0)
      count(t->left, value + 1);
  }
  void searchShared(const Tree *t, int64_t value) {
    if (!t)
      return;
    if (std::abs(t->value - value) < best.distance)
      best = {std::abs(t->value - value), t->key};
    searchShared(value < t->key ? t->left : t->right, value);
    if (best.distance > 100)
      searchShared(value < t->key ? t->right : t->left, value);
  }
};
static Searcher searcher;
PROGRAM(membersThatAreRead) {
  Searcher *s = &searcher;
  *s = {nodesOfTree, out};
  FOR {
    Best best;
    s->search(s->root, table[i], best);
    s->results[i] = best.key;
  }
  return digest(out);
}
PROGRAM(membersThatCount) {
  Searcher *s = &searcher;
  *s = {nodesOfTree, out};
  FOR {
    s->count(s->root, keys[i]);
    s->results[i] = s->root->value + i;
  }
  return digest(out) ^ s->visited;
}
PROGRAM(membersThatAreWritten) {
  Searcher *s = &searcher;
  *s = {nodesOfTree, out};
  FOR {
    s->best = {};
    s->searchShared(s->root, table[i]);
    s->results[i] = s->best.key;
  }
  return digest(out);
}

static int64_t throws(const Tree *t, int depth) {
  if (!t)
    return depth;
  if (t->key < 0)
    throw depth;
  return throws(t->left, depth - 1) + throws(t->right, depth - 1);
}
PROGRAM(mayThrow) {
  uint64_t sum = 0;
  FOR sum += throws(&nodesOfTree[keys[i] / 4 * 4], 3) + table[table[keys[i]]];
  return sum;
}

int main() {
  prepare();
  setUp();
  for (uint64_t i = 0; i < 512; ++i)
    documents.push_back(make(i, 4));
  printPrograms();
}

#include "search.h"

int64_t state;
thread_local int64_t ofThread;
Node *lists[64];

static const Node *look(const Table &table, uint64_t key) {
  const Node *node = table.buckets[table.bucketOf(key)];
  while (node && node->key != key)
    node = node->next;
  return node;
}

int64_t find(const Table &table, uint64_t key) {
  const Node *node = look(table, key);
  return node ? node->value : -1;
}

Node *findNode(const Table *table, uint64_t key) {
  return const_cast<Node *>(look(*table, key));
}

bool contains(const Table &table, uint64_t key) { return look(table, key); }

Pair findTwo(const Table &table, uint64_t key) {
  const Node *node = look(table, key);
  if (!node)
    return {1, 2};
  const Node *other = look(table, node->value & 1023);
  return {node->value, other ? other->value : 7};
}

unsigned char narrow(const Table &table, signed char key, short more,
                     bool add) {
  const Node *node = look(table, static_cast<int64_t>(key + more));
  return node ? node->value + add : 9;
}

double weigh(const Table &table, uint64_t key, double by, float factor) {
  for (const Node *node = table.buckets[table.bucketOf(key)]; node;
       node = node->next)
    by = by * 0.5 + node->value * factor;
  return by;
}

__int128 wide(const Node *node, __int128 sum) {
  for (; node; node = node->next)
    sum = sum * 3 + node->value;
  return sum;
}

int64_t many(const Node *node, int a, int b, int c, int d, int e, int f,
             int64_t g, const Node *other) {
  uint64_t sum = a;
  for (; node; node = node->next)
    sum = sum * b + node->value % (c | 1);
  for (; other; other = other->next)
    sum += other->value * d - e;
  return sum + f - g;
}

int64_t fill(const Table &table, uint64_t key) {
  uint64_t sums[8] = {};
  for (const Node *node = table.buckets[table.bucketOf(key)]; node;
       node = node->next)
    sums[node->value & 7] += node->key;
  uint64_t result = 0;
  for (int i = 0; i < 8; ++i)
    result = result * 31 + sums[(i * 3 + key) & 7];
  return result;
}

int root(const int *parents, int at) {
  while (parents[at] != at)
    at = parents[at];
  return at;
}

int64_t sumUpTo(const Node *node, int64_t most) {
  int64_t sum = 0;
  for (; node && sum < most; node = node->next)
    sum += node->value & 15;
  return sum;
}

const Tree *lowest(const Tree *tree, int64_t key) {
  const Tree *best = nullptr;
  while (tree) {
    if (tree->key >= key)
      best = tree;
    tree = tree->key >= key ? tree->left : tree->right;
  }
  return best;
}

int64_t visit(const Tree *tree, int64_t way) {
  if (!tree)
    return 0;
  int64_t sum = tree->key % 7;
  if (way & 1)
    sum += visit(tree->left, way >> 1);
  if (way & 2)
    sum += 3 * visit(tree->right, way >> 1);
  return sum;
}

int64_t sumWithState(uint64_t key) {
  int64_t sum = state;
  for (const Node *node = lists[key & 63]; node; node = node->next)
    sum += node->value;
  return sum + 2 * state;
}

int64_t sumOfThread(const Node *node) {
  int64_t sum = ofThread;
  for (; node; node = node->next)
    sum += node->value;
  return sum ^ ofThread;
}

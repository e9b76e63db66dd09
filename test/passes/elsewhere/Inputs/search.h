// Functions in another file, for run-files.cpp.

#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

struct Node {
  uint64_t key;
  int64_t value;
  Node *next;
};
struct Table {
  Node **buckets;
  unsigned shift;

  uint64_t bucketOf(uint64_t key) const {
    return key * 0x9E3779B97F4A7C15 >> shift;
  }
};
struct Tree {
  int64_t key;
  const Tree *left, *right;
};
struct Pair {
  int64_t first, second;
};

extern int64_t state;
extern thread_local int64_t ofThread;
extern Node *lists[64];

int64_t find(const Table &table, uint64_t key);
Node *findNode(const Table *table, uint64_t key);
bool contains(const Table &table, uint64_t key);
Pair findTwo(const Table &table, uint64_t key);
unsigned char narrow(const Table &table, signed char key, short more, bool add);
double weigh(const Table &table, uint64_t key, double by, float factor);
__int128 wide(const Node *node, __int128 sum);
int64_t many(const Node *node, int a, int b, int c, int d, int e, int f,
             int64_t g, const Node *other);
int64_t fill(const Table &table, uint64_t key);
int root(const int *parents, int at);
int64_t sumUpTo(const Node *node, int64_t most);
const Tree *lowest(const Tree *tree, int64_t key);
int64_t visit(const Tree *tree, int64_t way);
int64_t sumWithState(uint64_t key);
int64_t sumOfThread(const Node *node);

#endif

// What a function of another file waits for first is requested for a later
// iteration, where its arguments follow from the number of the iteration; and
// what it returns a pointer to is there.
//
// DEFINE: %{flags} = -std=c++20 -w -fwrapv -I%S/Inputs
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: clang++-22 %{flags} -O0 %s %S/Inputs/search.cpp -o plain
// RUN: ./plain > expected && test -s expected
//
// RUN: %heddle_clangxx %{flags} -O2 -Rpass=heddle -c %s -o loops.o 2> remarks
// RUN: FileCheck %s < remarks
// RUN: %heddle_clangxx %{flags} -O2 -c %S/Inputs/search.cpp -o search.o
// RUN: %heddle_clangxx loops.o search.o -o object
// RUN: env HEDDLE_TUNE=off ./object | diff expected -
// RUN: env HEDDLE_TUNE=random:1 ./object | diff expected -
// RUN: env HEDDLE_TUNE=random:2 ./object | diff expected -
//
// Memory behind the last key is not read, nor what stands in front of tests.
// RUN: %heddle_clangxx %{flags} -O1 -fsanitize=address,undefined -c %s -o checked.o
// RUN: %heddle_clangxx -fsanitize=address,undefined checked.o search.o -o checked
// RUN: env HEDDLE_TUNE=random:1 ./checked | diff expected -

#include "search.h"

#include <cstdio>
#include <memory>
#include <vector>

static Table table;
static std::vector<Node *> buckets(64);
static std::vector<Node> nodes(4000);
static std::vector<Tree> trees(2000);

static void setUp() {
  table = {buckets.data(), 58};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node *&bucket = buckets[table.bucketOf(i)];
    nodes[i] = {i, static_cast<int64_t>(i * 7 % 4001), bucket};
    bucket = &nodes[i];
  }
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const std::size_t left = 2 * i + 1, right = 2 * i + 2;
    trees[i] = {static_cast<int64_t>(i * 31 % 2003),
                left < trees.size() ? &trees[left] : nullptr,
                right < trees.size() ? &trees[right] : nullptr};
  }
}

// Exactly as many as there are, so that a sanitizer sees what is behind.
static std::unique_ptr<uint64_t[]> keysOf(int count) {
  std::unique_ptr<uint64_t[]> keys(new uint64_t[count]);
  for (int i = 0; i < count; ++i)
    keys[i] = i * 2654435761u % 5000;
  return keys;
}

// CHECK-DAG: run-early.cpp:[[#@LINE+4]]:{{.*}} interleaved {{.*}}(1 early)
[[gnu::noinline]] static int64_t reads(const uint64_t *keys, int count) {
  int64_t sum = 0;
#pragma heddle async
  for (int i = 0; i < count; ++i)
    sum += find(table, keys[i]) * (i + 1);
  return sum;
}

// CHECK-DAG: run-early.cpp:[[#@LINE+3]]:{{.*}} interleaved {{.*}}(1 early)
[[gnu::noinline]] static void replaces(uint64_t *keys, int count) {
#pragma heddle async
  for (int i = 0; i < count; ++i)
    keys[i] = find(table, keys[i]);
}

// CHECK-DAG: run-early.cpp:[[#@LINE+5]]:{{.*}} interleaved {{.*}}(1 early)
[[gnu::noinline]] static int64_t followsPointers(Node **starts, int count,
                                                 int64_t *sums) {
  int64_t sum = 0;
#pragma heddle async
  for (int i = 0; i < count; ++i)
    sums[i] = sumUpTo(starts[i], i) + i;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + sums[i];
  return sum;
}

[[gnu::noinline]] static int64_t testsFirst(Node **starts, int count) {
  int64_t sum = 0;
#pragma heddle async
  for (int i = 0; i < count; ++i)
    if (starts[i])
      sum += sumUpTo(starts[i], i) ^ i;
  return sum;
}

[[gnu::noinline]] static int64_t stops(const uint64_t *keys, int count,
                                       int64_t least) {
  int64_t sum = 0;
#pragma heddle async
  for (int i = 0; i < count; ++i) {
    const int64_t value = find(table, keys[i]);
    if (value < least)
      return sum + i;
    sum += value;
  }
  return sum;
}

[[gnu::noinline]] static int64_t readsResults(const uint64_t *keys, int count) {
  int64_t sum = 0;
#pragma heddle async
  for (int i = 0; i < count; ++i) {
    if (const Node *node = findNode(&table, keys[i]))
      sum += node->value + (node->next ? node->next->value : 3);
    if (const Tree *tree = lowest(&trees[0], keys[i]))
      sum += tree->key * (tree->left ? tree->left->key : 5);
  }
  return sum;
}

int main() {
  setUp();
  for (int count : {0, 1, 2, 47, 48, 49, 500, 3000}) {
    auto keys = keysOf(count);
    std::vector<Node *> starts(count);
    std::vector<int64_t> sums(count);
    for (int i = 0; i < count; ++i)
      starts[i] = i % 3 ? &nodes[keys[i] % nodes.size()] : nullptr;
    printf("%d reads %lld\n", count, (long long)reads(keys.get(), count));
    printf("stops %lld\n", (long long)stops(keys.get(), count, 3));
    printf("results %lld\n", (long long)readsResults(keys.get(), count));
    printf("pointers %lld\n",
           (long long)followsPointers(starts.data(), count, sums.data()));
    printf("tests %lld\n", (long long)testsFirst(starts.data(), count));
    replaces(keys.get(), count);
    printf("replaced %lld\n", (long long)reads(keys.get(), count));
  }
}

// Loops that call functions of another file, which is compiled with the plugin
// or without it, linked as an object, from an archive or a shared library, or
// replaced by a definition elsewhere. Few keys make iterations meet.
//
// DEFINE: %{flags} = -std=c++20 -w -fwrapv -I%S/Inputs
// DEFINE: %{run} = diff expected -
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: clang++-22 %{flags} -O0 -fopenmp %s %S/Inputs/search.cpp -o plain
// RUN: ./plain > expected && test -s expected
//
// RUN: %heddle_clangxx %{flags} -fopenmp -O2 -Rpass=heddle -c %s -o loops.o 2>&1 | FileCheck %s
// RUN: %heddle_clangxx %{flags} -O2 -fPIC -c %S/Inputs/search.cpp -o search.o
// RUN: %heddle_clangxx -fopenmp loops.o search.o -o object
// RUN: env HEDDLE_TUNE=off ./object | %{run}
// RUN: env HEDDLE_TUNE=once ./object | %{run}
// RUN: env HEDDLE_TUNE=random:1 ./object | %{run}
// RUN: env HEDDLE_TUNE=random:2 ./object | %{run}
//
// Without the runtime, and at other levels.
// RUN: %clangxx %{flags} -fopenmp -O1 -c %s -o loops1.o && %clangxx %{flags} -O3 -c %S/Inputs/search.cpp -o search3.o
// RUN: clang++-22 -fopenmp loops1.o search3.o -o bare
// RUN: ./bare | %{run}
//
// Without a nested form.
// RUN: clang++-22 %{flags} -O2 -c %S/Inputs/search.cpp -o without.o
// RUN: %heddle_clangxx -fopenmp loops.o without.o -o alone
// RUN: env HEDDLE_TUNE=random:1 ./alone | %{run}
//
// From an archive, with sections that nobody uses dropped.
// RUN: rm -f libsearch.a && llvm-ar rc libsearch.a search.o
// RUN: %heddle_clangxx -fopenmp loops.o libsearch.a -Wl,--gc-sections -o archive
// RUN: env HEDDLE_TUNE=random:1 ./archive | %{run}
//
// From a shared library, also where the program does not move.
// RUN: %heddle_clangxx -shared search.o -o libsearch.so
// RUN: %heddle_clangxx -fopenmp loops.o -L. -lsearch -Wl,-rpath,. -o shared
// RUN: env HEDDLE_TUNE=random:1 ./shared | %{run}
// RUN: %heddle_clangxx %{flags} -fopenmp -O2 -fno-pic -c %s -o fixed.o
// RUN: %heddle_clangxx -fopenmp -no-pie fixed.o -L. -lsearch -Wl,-rpath,. -o fixed
// RUN: env HEDDLE_TUNE=random:1 ./fixed | %{run}
//
// The program's own definition, or a preloaded one, counts, not the library's.
// RUN: clang++-22 %{flags} -O0 -fPIC -shared %S/Inputs/search.cpp -o libplain.so
// RUN: clang++-22 %{flags} -O0 -fopenmp %s %S/Inputs/replacement.cpp -L. -lplain -Wl,-rpath,. -o plainown
// RUN: ./plainown > expectedown
// RUN: not diff expected expectedown
// RUN: clang++-22 %{flags} -O1 -fPIC -c %S/Inputs/replacement.cpp -o replacement.o
// RUN: %heddle_clangxx -fopenmp loops.o replacement.o -L. -lsearch -Wl,-rpath,. -o own
// RUN: env HEDDLE_TUNE=random:1 ./own | diff expectedown -
// RUN: clang++-22 -shared replacement.o -o libreplacement.so
// RUN: env HEDDLE_TUNE=random:1 LD_PRELOAD=./libreplacement.so ./shared | diff expectedown -
//
// With sanitizers, and where the link sees one of the files.
// RUN: %heddle_clangxx %{flags} -fopenmp -O1 -fsanitize=address,undefined -c %s -o checked.o
// RUN: %heddle_clangxx -fopenmp -fsanitize=address,undefined checked.o search.o -o checked
// RUN: ./checked | %{run}
// RUN: %heddle_clangxx %{flags} -fopenmp -O2 -flto -c %s -o lto.o
// RUN: %heddle_clangxx -fopenmp -flto -fuse-ld=lld lto.o search.o -o lto
// RUN: env HEDDLE_TUNE=random:1 ./lto | %{run}
//
// CHECK-COUNT-17: becomes a nested coroutine if it only reads memory

#include "search.h"

#include <stdio.h>
#include <string>
#include <vector>

static constexpr int Count = 6000;
static constexpr int Nodes = 2048;

static Node nodes[Nodes];
static Node *buckets[256];
static Table table{buckets, 56};
static Tree trees[1024];
static const Tree *top;
static uint64_t keys[Count];
static int places[Count];

static uint64_t next() {
  static uint64_t seed = 12345;
  seed = seed * 6364136223846793005 + 1442695040888963407;
  return seed >> 33;
}

static const Tree *build(int low, int high) {
  if (low >= high)
    return nullptr;
  const int middle = (low + high) / 2;
  trees[middle] = {2 * middle, build(low, middle), build(middle + 1, high)};
  return &trees[middle];
}

static void setUp() {
  for (Node *&bucket : buckets)
    bucket = nullptr;
  for (int i = 0; i < Nodes; ++i) {
    const uint64_t key = i % 1500;
    Node *&bucket = buckets[table.bucketOf(key)];
    Node &node = nodes[i * 1237 % Nodes];
    node = {key, static_cast<int64_t>(next() % 1000), bucket};
    bucket = &node;
  }
  top = build(0, 1024);
  for (uint64_t &key : keys)
    key = next() % 1700;
  for (int &place : places)
    place = next() % Nodes;
  for (Node *&list : lists)
    list = &nodes[next() % Nodes];
}

template <typename Range> static int64_t digest(const Range &range) {
  uint64_t sum = 0;
  for (auto x : range)
    sum = sum * 31 + static_cast<uint64_t>(x);
  return sum;
}

#define LOOP _Pragma("heddle async") for (int i = 0; i < Count; ++i)

static int64_t sums() {
  int64_t sum = 0;
  LOOP sum += find(table, keys[i]);
  LOOP {
    const Pair two = findTwo(table, keys[i]);
    sum += two.first * 3 + two.second;
  }
  LOOP sum += narrow(table, keys[i], keys[i] >> 3, i & 1);
  LOOP sum +=
      many(lists[keys[i] & 63], i, 3, keys[i], 2, 5, -i, i * 7, lists[i & 63]);
  LOOP sum ^= fill(table, keys[i]) + i;
  LOOP {
    const Tree *found = lowest(top, keys[i]);
    sum += found ? found->key * 3 : 1;
  }
  LOOP sum += visit(top, keys[i]);
  return sum;
}

static int64_t types() {
  __int128 sum = 0;
  LOOP sum += wide(lists[keys[i] & 63], static_cast<__int128>(i) << 70);
  std::vector<double> weights(Count);
  LOOP weights[i] = weigh(table, keys[i], i * 0.5, 2.5F);
  double all = 0;
  for (double weight : weights)
    all += weight;
  return static_cast<int64_t>(sum >> 64) ^ static_cast<int64_t>(sum) ^
         static_cast<int64_t>(all);
}

/// Iterations update what the functions read, or may read.
static int64_t updates() {
  LOOP if (Node *node = findNode(&table, keys[i])) node->value += i;
  std::vector<int> parents(512);
  for (int i = 0; i < 512; ++i)
    parents[i] = i;
  int *p = parents.data();
#pragma heddle async
  for (int i = 0; i < 500; ++i) {
    const int a = root(p, places[i] & 511), b = root(p, places[i + 1] & 511);
    if (a < b)
      p[b] = a;
    else if (b < a)
      p[a] = b;
  }
  LOOP if (i % 40 == 0) {
    const int at = places[i] & 511;
    p[at] = root(p, at);
  }
  int64_t sum = digest(parents);
  LOOP {
    const int at = places[i] & 511;
    const int before = p[at];
    p[at] = at;
    sum += root(p, at) * (1 + (i & 3));
    p[at] = before;
  }
  LOOP {
    state = i;
    sum ^= sumWithState(keys[i]) * (i | 1);
  }
  LOOP {
    ofThread = i & 7;
    sum += sumOfThread(lists[keys[i] & 63]);
  }
  std::vector<int64_t> claims(64, -1), most(32, -5);
  LOOP {
    const int at = keys[i] & 63;
    if (claims[at] < 0)
      claims[at] = find(table, at + 1480) < 0 ? 5 : at * 3;
  }
  LOOP {
    int64_t &best = most[keys[i] & 31];
    const int64_t old = best;
    const int64_t now = find(table, keys[i] * 7 & 1023);
    best = old < now ? now : old;
  }
  LOOP {
    Node *node = findNode(&table, keys[i]);
    if (node && node->next)
      node->value = node->key * 3 + contains(table, node->key + 1);
  }
  for (const Node &node : nodes)
    sum = sum * 31 + node.value;
  return sum + digest(claims) + digest(most);
}

static int64_t orders() {
  std::vector<int> found(Count);
  int count = 0;
  LOOP if (contains(table, keys[i])) found[count++] = i;
  found.resize(count);
  int64_t best = 0, at = -1;
  LOOP {
    const int64_t sum = sumUpTo(lists[keys[i] & 63], best + 100);
    if (sum > best) {
      best = sum;
      at = i;
    }
  }
  int64_t first = -1;
  LOOP if (find(table, keys[i]) == 777) {
    first = i;
    break;
  }
  return digest(found) + best * 100000 + at + first * 7;
}

/// Buffers and objects of the iteration, and what may throw.
static int64_t objects() {
  uint64_t sum = 0;
  LOOP {
    int64_t own[16];
    for (int j = 0; j < 16; ++j)
      own[j] = i * j;
    own[keys[i] & 15] += find(table, keys[i]);
    own[3] += find(table, own[4] & 1023);
    sum += own[keys[i] & 7] * own[3];
  }
  LOOP {
    std::string text(3 + i % 40, 'x');
    text[1] += find(table, keys[i]) & 7;
    text += static_cast<char>('a' + (find(table, text[1] + i) & 15));
    sum += text.back() * 3 + text[1];
  }
  for (int round = 0; round < 50; ++round) {
#pragma heddle async
    for (uint8_t i = 0; i < 100; ++i)
      sum += find(table, keys[i + round]) * (i + 1);
  }
  for (int few : {0, 1, 2, 63, 65}) {
#pragma heddle async
    for (int i = 0; i < few; ++i)
      sum += find(table, keys[i]) * (i + 1);
  }
  return sum;
}

static int64_t recurse(int depth) {
  int64_t sum = 1;
#pragma heddle async
  for (int i = 0; i < (depth ? 3 : 0); ++i)
    sum += find(table, keys[i + depth]) + recurse(depth - 1);
  return sum;
}

static int64_t threads() {
  int64_t sum = 0;
  std::vector<int64_t> counts(64);
  std::vector<int> all(Count);
#pragma omp parallel for num_threads(2) schedule(dynamic, 64) reduction(+ : sum)
#pragma heddle async
  for (int i = 0; i < Count; ++i) {
    const int64_t value = find(table, keys[i]);
    sum += value;
#pragma omp atomic
    counts[value & 63] += i;
  }
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
#pragma heddle async
  for (int i = 0; i < Count; ++i)
    all[i] = find(table, keys[i]);
  return sum + digest(counts) + digest(all);
}

int main() {
  setUp();
  printf("sums %lld\n", (long long)sums());
  printf("types %lld\n", (long long)types());
  printf("orders %lld\n", (long long)orders());
  printf("objects %lld\n", (long long)objects());
  printf("recurse %lld\n", (long long)recurse(6));
  // The replacement counts its calls, in any order.
  if (find(table, 1) == find(table, 1))
    printf("threads %lld\n", (long long)threads());
  printf("updates %lld\n", (long long)updates());
}

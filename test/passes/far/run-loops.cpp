// Loops over far memory do what the same loops do with arrays in memory, with
// and without the directive, at all levels of optimization. The cache is far
// smaller than the data.
//
// RUN: %clangxx -std=c++20 -O0 %s %far_runtime -o %t.O0 && env HEDDLE_FAR_CACHE=1M %t.O0 %t.data
// RUN: %if full %{%clangxx -std=c++20 -O2 -DDIRECTIVE= %s %far_runtime -o %t.serial && env HEDDLE_FAR_CACHE=1M %t.serial %t.data%} %else %{true%}
// RUN: %clangxx -std=c++20 -O2 -Rpass=heddle %s %far_runtime -o %t.O2 2>&1 | FileCheck %s
// RUN: env HEDDLE_FAR_CACHE=1M %t.O2 %t.data
// RUN: %clangxx -std=c++20 -O3 -march=native %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=3 %t.threads %t.data
//
// So they do where far memory is memory.
// RUN: env OMP_NUM_THREADS=3 %t.threads "" && %t.O2 "" %if full %{&& %t.serial ""%} && %t.O0 ""

// All of them are interleaved.
// CHECK-COUNT-7: remark: interleaved the loop's iterations (dynamic schedule)

#include "Inputs/far.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Node {
  int64_t key;
  float weight;
  int32_t next; // -1 at the end
  int64_t padding[5];
};

// For memory and for far memory alike.
template <typename Pointer>
int64_t gather(Pointer table, const uint32_t *at, size_t count) {
  int64_t sum = 0;
  LOOP sum += table[at[i]].key;
  return sum;
}

template <typename Pointer>
int64_t chains(Pointer table, const uint32_t *at, size_t count) {
  int64_t sum = 0;
  LOOP {
    int32_t node = static_cast<int32_t>(at[i]);
    int64_t length = 0;
    while (node >= 0) {
      sum += table[node].key * ++length;
      node = table[node].next;
    }
  }
  return sum;
}

template <typename Pointer>
int64_t dependent(Pointer table, const uint32_t *at, size_t count,
                  size_t nodes) {
  int64_t sum = 0;
  LOOP {
    const uint64_t first = static_cast<uint64_t>(table[at[i]].key);
    const uint64_t second = static_cast<uint64_t>(table[first % nodes].key);
    if (second % 3 != 0)
      sum += table[(first + second) % nodes].padding[second % 5];
    else
      sum -= table[at[i]].padding[4];
  }
  return sum;
}

template <typename Pointer>
int64_t inner(Pointer table, const uint32_t *at, size_t count, size_t nodes) {
  int64_t sum = 0;
  LOOP {
    const size_t length = at[i] % 23;
    for (size_t k = 0; k < length; ++k)
      sum += table[(at[i] + k * k * 977) % nodes].key;
  }
  return sum;
}

// The elements of the iterations differ.
template <typename Pointer> void scatter(Pointer table, size_t nodes) {
  DIRECTIVE
  for (size_t i = 0; i < nodes; i += 2)
    table[i * 7919 % nodes].weight += 0.5f;
}

// Several iterations may have the same element.
template <typename Pointer>
void histogram(Pointer table, const uint32_t *at, size_t count) {
  DIRECTIVE
  for (size_t i = 0; i < count; ++i)
    table[at[i] % 5000].key += i;
}

template <typename Pointer>
uint64_t ordered(Pointer table, const uint32_t *at, size_t count) {
  uint64_t hash = 1;
  DIRECTIVE
  for (size_t i = 0; i < count; ++i)
    hash = hash * 31 + static_cast<uint64_t>(table[at[i]].key);
  return hash;
}

template <typename Pointer> double everything(Pointer table, size_t nodes) {
  double sum = 0;
  for (size_t i = 0; i < nodes; ++i)
    sum += table[i].weight + static_cast<double>(table[i].key);
  return sum;
}

template <typename Pointer>
std::string run(Pointer table, size_t nodes,
                const std::vector<uint32_t> &index) {
  std::string result;
  auto add = [&](auto value) { result += std::to_string(value) + "\n"; };
  const size_t count = index.size();
  const uint32_t *at = index.data();
  add(gather(table, at, count));
  add(chains(table, at, count));
  add(dependent(table, at, count, nodes));
  add(inner(table, at, count / 16, nodes));
  scatter(table, nodes);
  histogram(table, at, count);
  add(ordered(table, at, count));
  add(everything(table, nodes));
  return result;
}

int main(int, char **arguments) {
  constexpr size_t Nodes = 40000;
  std::vector<Node> nodes(Nodes);
  std::vector<uint32_t> index(6000);
  uint64_t random = 1;
  auto next = [&] {
    return (random = random * 6364136223846793005 + 1442695040888963407) >> 33;
  };
  for (Node &node : nodes) {
    node = {static_cast<int64_t>(next()), 1, -1, {}};
    if (next() % 4 != 0)
      node.next = static_cast<int32_t>(next() % Nodes);
    for (int64_t &value : node.padding)
      value = static_cast<int64_t>(next());
  }
  // No cycles: a node's next one comes behind it.
  for (size_t i = 0; i < Nodes; ++i)
    if (nodes[i].next <= static_cast<int32_t>(i))
      nodes[i].next = -1;
  for (uint32_t &i : index)
    i = static_cast<uint32_t>(next() % Nodes);

  auto *far = static_cast<heddle_far Node *>(
      allocate(arguments[1], Nodes * sizeof(Node)));
  for (size_t i = 0; i < Nodes; ++i) {
    far[i].key = nodes[i].key;
    far[i].weight = nodes[i].weight;
    far[i].next = nodes[i].next;
    for (unsigned k = 0; k < 5; ++k)
      far[i].padding[k] = nodes[i].padding[k];
  }
  const std::string expected = run(nodes.data(), Nodes, index);
  const std::string found = run(far, Nodes, index);
  if (found != expected) {
    fprintf(stderr, "expected\n%sfound\n%s", expected.c_str(), found.c_str());
    return 1;
  }
  check(heddle_far_close(far) == 0, "close");
  return 0;
}

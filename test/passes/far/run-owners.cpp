// Tasks that wait for far memory between the load and the store of an update do
// not lose the updates of others to the same element, and all of them end.
// There are many to a few elements, and the cache is small.
//
// RUN: %clangxx -std=c++20 -O0 %s %far_runtime -o %t.O0 %if full %{&& env HEDDLE_FAR_CACHE=1M %t.O0 %t.data%}
// RUN: %clangxx -std=c++20 -O2 -Rpass=heddle -Rpass-analysis=heddle %s %far_runtime -o %t.O2 2>&1 | FileCheck %s
// RUN: env HEDDLE_FAR_CACHE=1M %t.O2 %t.data
// RUN: env HEDDLE_FAR_CACHE=64M %t.O2 %t.data
// RUN: %clangxx -std=c++20 -O3 -march=native %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=3 %t.threads %t.data
// RUN: env OMP_NUM_THREADS=3 %t.threads "" && %t.O2 "" && %t.O0 ""
// RUN: rm -f %t.data*

// CHECK-COUNT-6: remark: from here, tasks that modify the same memory run one at a time

#include "Inputs/far.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Element {
  uint64_t sum;
  uint32_t link;
  uint32_t count;
  uint64_t visits[3];
};

constexpr size_t Elements = 4000, Links = 400'000, Updates = 8000, Parts = 3;

// Each is in many tasks at once, or shares its line with one that is.
size_t place(size_t i) {
  const uint64_t mixed = i * 0x9E3779B97F4A7C15 >> 32;
  return mixed % 4 ? mixed % 6 : mixed / 4 % Elements;
}

template <typename Table, typename Pointer>
void sum(Table table, Pointer links, const size_t *at) {
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i) {
    const size_t mine = at[i];
    const uint64_t old = table[mine].sum;
    table[mine].sum = old + links[table[mine].link];
  }
}

// Some do not come to the store.
template <typename Table, typename Pointer>
void sometimes(Table table, Pointer links, const size_t *at) {
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i) {
    const size_t mine = at[i];
    const uint32_t old = table[mine].count;
    const uint64_t found = links[(table[mine].link + i * 977) % Links];
    if (old != ~uint32_t{0} && found % 3 != 0)
      table[mine].count = old + static_cast<uint32_t>(found);
  }
}

// Each of the steps is an update of its own.
template <typename Table, typename Pointer>
void inner(Table table, Pointer links, const size_t *at) {
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates / 2; ++i) {
    size_t mine = at[i];
    for (unsigned step = 0; step < at[i] % 5; ++step) {
      const uint64_t old = table[mine].visits[0];
      const uint64_t found = links[table[mine].link];
      table[mine].visits[0] = old + found;
      mine = at[found % Updates];
    }
  }
}

// Two updates, one after the other, of which each waits.
template <typename Table, typename Pointer>
void two(Table table, Pointer links, const size_t *at) {
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i) {
    const size_t mine = at[i], other = at[Updates - 1 - i];
    const uint64_t old = table[mine].visits[1];
    table[mine].visits[1] = old ^ (links[table[mine].link] + i);
    const double real = links[(i * 7919) % Links] % 2 ? 0.5 : 1.0;
    const uint32_t count = table[other].count;
    table[other].count =
        count + static_cast<uint32_t>(
                    real * static_cast<double>(links[table[other].link] % 8));
  }
}

// The stored value depends on the old one: the element is taken once.
template <typename Table, typename Pointer>
uint64_t claim(Table table, Pointer links, const size_t *at) {
  uint64_t claimed = 0;
#pragma heddle async scheduler(dynamic)
  for (size_t i = 0; i < Updates; ++i) {
    const size_t mine = at[i];
    if (table[mine].visits[2] == 0 && links[table[mine].link] % 2 == 0) {
      table[mine].visits[2] = 1;
      ++claimed;
    }
  }
  return claimed;
}

// Threads have a part of the table each, and share the links.
template <typename Table, typename Pointer>
std::string run(Table table, Pointer links, const size_t *at) {
  uint64_t claimed = 0;
  PARALLEL(omp parallel for reduction(+ : claimed))
  for (size_t part = 0; part < Parts; ++part) {
    sum(table + part * Elements, links, at);
    sometimes(table + part * Elements, links, at);
    inner(table + part * Elements, links, at);
    two(table + part * Elements, links, at);
    claimed += claim(table + part * Elements, links, at);
  }
  std::string result = std::to_string(claimed) + "\n";
  auto add = [&](auto value) { result += std::to_string(value) + "\n"; };
  for (size_t i = 0; i < Parts * Elements; ++i) {
    add(table[i].sum);
    add(table[i].count);
    for (unsigned k = 0; k < 3; ++k)
      add(table[i].visits[k]);
  }
  return result;
}

template <typename T>
heddle_far T *copy(const std::string &path, const std::vector<T> &from) {
  const size_t bytes = from.size() * sizeof(T);
  auto *to = static_cast<heddle_far T *>(allocate(path.c_str(), bytes));
  __builtin_memcpy(to, from.data(), bytes);
  return to;
}

} // namespace

int main(int, char **arguments) {
  const std::string path = arguments[1];
  std::vector<size_t> at(Updates);
  for (size_t i = 0; i < Updates; ++i)
    at[i] = place(i);
  std::vector<Element> table(Parts * Elements);
  for (size_t i = 0; i < table.size(); ++i)
    table[i].link = static_cast<uint32_t>(i * 7919 % Links);
  std::vector<uint64_t> links(Links);
  for (size_t i = 0; i < Links; ++i)
    links[i] = (i + 1) * 0x9E3779B97F4A7C15 >> 20;
  auto *farTable = copy(path.empty() ? path : path + "1", table);
  auto *farLinks = copy(path.empty() ? path : path + "2", links);
  const std::string found = run(farTable, farLinks, at.data());
  check(found == run(table.data(), links.data(), at.data()), "results");
  check(heddle_far_close(farTable) == 0 && heddle_far_close(farLinks) == 0,
        "close");
  return 0;
}

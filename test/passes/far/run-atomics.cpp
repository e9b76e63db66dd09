// No update of far memory is lost, neither of several threads nor of tasks of
// one thread that update the same element. There are more pages than the cache
// has room for, so that they are written and read again between the updates.
//
// RUN: %clangxx -std=c++20 -O0 %fopenmp %s %far_runtime -o %t.O0 %if full %{&& env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=3 %t.O0 %t.data%}
// RUN: %clangxx -std=c++20 -Os -DDIRECTIVE= %fopenmp %s %far_runtime -o %t.serial && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=4 %t.serial %t.data
// RUN: %clangxx -std=c++20 -O2 -fno-openmp -Wno-source-uses-openmp -Rpass=heddle %s %far_runtime -o %t.O2 2>&1 | FileCheck %s
// RUN: env HEDDLE_FAR_CACHE=1M %t.O2 %t.data
// RUN: %clangxx -std=c++20 -O3 -march=native %fopenmp %s %far_runtime -o %t.threads && env HEDDLE_FAR_CACHE=1M OMP_NUM_THREADS=4 %t.threads %t.data
// RUN: env OMP_NUM_THREADS=4 %t.threads "" && %t.O2 "" && %t.O0 ""
// RUN: rm -f %t.data

// CHECK-COUNT-9: remark: interleaved the loop's iterations (dynamic schedule)

#include "Inputs/far.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Element {
  uint64_t sum;
  uint64_t product;
  double real;
  uint32_t most;
  uint32_t lock;
  uint16_t narrow;
  uint8_t narrowest;
  int64_t guarded[2];
  char rest[960];
};
static_assert(sizeof(Element) == 1016, "lies in two pages now and then");

constexpr size_t Elements = 2000, Updates = 30'000;

// Most are to a few elements, of which each is in many tasks at once.
size_t place(size_t i) {
  const uint64_t mixed = i * 0x9E3779B97F4A7C15 >> 32;
  return mixed % 4 ? mixed % 5 * 399 : mixed / 4 % Elements;
}

int64_t amount(size_t i) { return static_cast<int64_t>(i % 7) - 2; }

template <typename Pointer> void fetchAndAdd(Pointer table, const size_t *at) {
#pragma omp parallel for schedule(dynamic, 100)
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i)
    __atomic_fetch_add(&table[at[i]].sum, i, __ATOMIC_RELAXED);
}

template <typename Pointer> void update(Pointer table, const size_t *at) {
#pragma omp parallel for
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i) {
#pragma omp atomic
    table[at[i]].real += 0.5 * static_cast<double>(amount(i));
  }
}

// There is no instruction for it, but a loop.
template <typename Pointer> void updateInLoop(Pointer table, const size_t *at) {
#pragma omp parallel for
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i) {
#ifdef _OPENMP
#pragma omp atomic
    table[at[i]].product *= 2 * i + 1;
#else
    uint64_t old = __atomic_load_n(&table[at[i]].product, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&table[at[i]].product, &old,
                                        old * (2 * i + 1), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
#endif
  }
}

template <typename Pointer> void narrow(Pointer table, const size_t *at) {
#pragma omp parallel for
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i) {
    __atomic_fetch_add(&table[at[i]].narrow, 3, __ATOMIC_SEQ_CST);
    __atomic_fetch_xor(&table[at[i]].narrowest, i, __ATOMIC_ACQ_REL);
  }
}

template <typename Pointer> void most(Pointer table, const size_t *at) {
#pragma omp parallel for
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i) {
    const auto mine = static_cast<uint32_t>(i * 7919 % Updates);
    uint32_t old = __atomic_load_n(&table[at[i]].most, __ATOMIC_RELAXED);
    while (old < mine &&
           !__atomic_compare_exchange_n(&table[at[i]].most, &old, mine, false,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
}

// Only one iteration takes each value.
template <typename Pointer> uint64_t capture(Pointer table, const size_t *at) {
  uint64_t taken = 0;
#pragma omp parallel for reduction(+ : taken)
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i)
    taken +=
        __atomic_exchange_n(&table[at[i]].sum, uint64_t{0}, __ATOMIC_ACQ_REL);
  return taken;
}

template <typename Pointer> void scatter(Pointer table) {
#pragma omp parallel for
  DIRECTIVE
  for (size_t i = 0; i < Elements; ++i)
    __atomic_store_n(&table[i * 7919 % Elements].sum, i, __ATOMIC_RELEASE);
}

// A lock lies in far memory, and so does what it guards, in other pages.
template <typename Pointer> void locked(Pointer table, const size_t *at) {
#pragma omp parallel for
  DIRECTIVE
  for (size_t i = 0; i < Updates / 4; ++i) {
    const size_t guarded = (at[i] + 9) % Elements;
    while (__atomic_exchange_n(&table[at[i]].lock, 1, __ATOMIC_ACQUIRE) != 0)
      ;
    table[guarded].guarded[0] += amount(i);
    table[guarded].guarded[1] -= amount(i);
    __atomic_store_n(&table[at[i]].lock, 0, __ATOMIC_RELEASE);
  }
}

// Several tasks update the same element, and so far as they do so in one
// thread, nothing more is needed.
template <typename Pointer> void plain(Pointer table, const size_t *at) {
  DIRECTIVE
  for (size_t i = 0; i < Updates; ++i) {
    table[at[i]].sum += i;
    table[at[i]].narrow = static_cast<uint16_t>(table[at[i]].narrow * 3);
  }
}

template <typename Pointer> std::string run(Pointer table, const size_t *at) {
  std::string result;
  auto add = [&](auto value) { result += std::to_string(value) + "\n"; };
  scatter(table);
  fetchAndAdd(table, at);
  update(table, at);
  updateInLoop(table, at);
  narrow(table, at);
  most(table, at);
  locked(table, at);
  for (unsigned round = 0; round < 2; ++round) {
    for (size_t i = 0; i < Elements; ++i) {
      add(table[i].sum);
      add(table[i].product);
      add(table[i].real);
      add(table[i].most);
      add(table[i].lock);
      add(table[i].narrow);
      add(table[i].narrowest);
      add(table[i].guarded[0]);
      add(table[i].guarded[1]);
    }
    plain(table, at);
  }
  add(capture(table, at));
  return result;
}

} // namespace

int main(int, char **arguments) {
  std::vector<size_t> at(Updates);
  for (size_t i = 0; i < Updates; ++i)
    at[i] = place(i);
  std::vector<Element> near(Elements, Element{});
  for (Element &element : near)
    element.product = 1;
  constexpr size_t Bytes = Elements * sizeof(Element);
  auto *far = static_cast<heddle_far Element *>(allocate(arguments[1], Bytes));
  __builtin_memcpy(far, near.data(), Bytes);
  check(run(far, at.data()) == run(near.data(), at.data()), "results");
  check(heddle_far_close(far) == 0, "close");
  return 0;
}

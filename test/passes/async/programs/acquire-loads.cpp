// Values of another thread are read behind the acquire that waits for it.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-6: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <atomic>
#include <omp.h>
#include <thread>
#include <unistd.h>

static std::atomic<int> ready;
int64_t published;
int64_t *publishedTable;

NOINLINE int64_t acquireLoad(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    while (!ready.load(std::memory_order_acquire))
      ;
    sum += published * table[table[keys[i]]];
  }
  return sum;
}

NOINLINE int64_t acquireFence(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    while (!ready.load(std::memory_order_relaxed))
      ;
    std::atomic_thread_fence(std::memory_order_acquire);
    sum += published * table[table[keys[i]]];
  }
  return sum;
}

NOINLINE int64_t acquireUpdate(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    while (!ready.fetch_or(0, std::memory_order_acquire))
      ;
    sum += published * table[table[keys[i]]];
  }
  return sum;
}

NOINLINE int64_t acquireExchange(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int seen = 1;
    while (!ready.compare_exchange_strong(seen, 1, std::memory_order_acquire))
      seen = 1;
    sum += published * table[table[keys[i]]];
  }
  return sum;
}

// The addresses themselves are published.
NOINLINE int64_t addresses(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    while (!ready.load(std::memory_order_acquire))
      ;
    sum += table[publishedTable[keys[i]]];
  }
  return sum;
}

// A variable that the region captures and one of its threads assigns, and one
// that none does.
NOINLINE int64_t captured(int64_t n) {
  int64_t value = 0, sum = 0;
  const int64_t *constant = table;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
      usleep(20000);
      value = 42;
      ready.store(2, std::memory_order_release);
    }
    if (omp_get_thread_num() == 0)
      ASYNC_LOOP(CLAUSES) {
        while (ready.fetch_or(0, std::memory_order_acquire) != 2)
          ;
        sum += value * constant[table[keys[i]]];
      }
  }
  return sum;
}

/// Runs \p function beside a thread that publishes while the loop waits.
static void print(const char *name, int64_t (*function)(int64_t)) {
  for (int64_t count = 1; count <= 100; count += 99) {
    ready = 0;
    published = 0;
    publishedTable = nullptr;
    std::thread publisher([] {
      usleep(20000);
      published = 42;
      publishedTable = table;
      ready.store(1, std::memory_order_release);
    });
    printf("%s %lld: %lld\n", name, (long long)count,
           (long long)function(count));
    publisher.join();
  }
}

int main() {
  prepare();
  print("acquire load", acquireLoad);
  print("acquire fence", acquireFence);
  print("acquire update", acquireUpdate);
  print("acquire exchange", acquireExchange);
  print("addresses", addresses);
  ready = 0;
  printf("captured: %lld\n", (long long)captured(100));
}

// Locks that iterations read by a load until they have them, and give back by
// a compare-and-exchange: no iteration is suspended in between. One that was
// would have another one of its thread wait for ever.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK: remark: loop not interleaved

#include "../../Inputs/program.h"

#include <atomic>

static int64_t out[Elements];
static int64_t digest() {
  int64_t sum = 0;
  for (int64_t &value : out) {
    sum = sum * 31 + value;
    value = 0;
  }
  return sum;
}
static int64_t walk(int64_t key) {
  int64_t sum = 0;
  for (const Node *node = buckets[key % Buckets]; node; node = node->next)
    sum += node->value;
  return sum;
}

struct Ticket {
  std::atomic<int64_t> next, serving;
};
static Ticket tickets[4];
PROGRAM(ticket) {
  for (Ticket &lock : tickets)
    lock.next = lock.serving = 0;
#pragma omp parallel for schedule(dynamic, 1)
  ASYNC_LOOP(CLAUSES) {
    Ticket &lock = tickets[keys[i] % 4];
    int64_t mine = lock.next.fetch_add(1, std::memory_order_relaxed);
    while (lock.serving.load(std::memory_order_acquire) != mine)
      ;
    out[i] = walk(keys[i]);
    lock.serving.compare_exchange_strong(mine, mine + 1,
                                         std::memory_order_acq_rel);
  }
  return digest();
}

static std::atomic<int64_t> owners[4];
PROGRAM(owner) {
#pragma omp parallel for schedule(static)
  ASYNC_LOOP(CLAUSES) {
    std::atomic<int64_t> &lock = owners[keys[i] % 4];
    int64_t now;
    do {
      int64_t none = 0;
      lock.compare_exchange_strong(none, i + 1);
    } while ((now = lock.load()) != i + 1);
    out[i] = walk(keys[i] + (now < 0));
    lock.compare_exchange_strong(now, 0);
  }
  return digest();
}

PROGRAM(takenByExchange) {
#pragma omp parallel for schedule(dynamic, 1)
  ASYNC_LOOP(CLAUSES) {
    std::atomic<int64_t> &lock = owners[keys[i] % 4];
    int64_t seen;
    do
      seen = lock.load(std::memory_order_acquire);
    while (seen ||
           !lock.compare_exchange_weak(seen, 1, std::memory_order_relaxed));
    out[i] = walk(keys[i]);
    seen = 1;
    lock.compare_exchange_strong(seen, 0, std::memory_order_release);
  }
  return digest();
}

int main() {
  prepare();
  printPrograms();
}

// Locks, critical sections and atomics between tasks and between threads: no
// iteration is suspended while it holds a lock, and no update is lost.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-5: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/counts.h"
#include <omp.h>
#include <pthread.h>

enum { Places = 16 };

PROGRAM(critical) {
  clear();
  int64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 30)
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
#pragma omp critical
    {
      counts[table[value] % Places] += i;
      sum += table[table[value]];
    }
  }
  return countsSum() + sum;
}

PROGRAM(atomics) {
  clear();
  int64_t taken = 0;
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES) {
    int64_t *place = &counts[table[table[keys[i]]] % Places];
#pragma omp atomic
    *place += i;
    int64_t ticket;
#pragma omp atomic capture
    ticket = taken++;
    if (ticket < 0)
      *place = 0;
  }
  return countsSum() + taken;
}

// A lock that a suspended task held would never be released.
PROGRAM(openmpLock) {
  clear();
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    omp_set_lock(&lock);
    counts[table[value] % Places] += table[table[value]];
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return countsSum();
}

// One lock a place.
PROGRAM(spinLocks) {
  static char locks[Places];
  clear();
#pragma omp parallel for schedule(guided)
  ASYNC_LOOP(CLAUSES) {
    int64_t place = table[table[keys[i]]] % Places;
    while (__atomic_exchange_n(&locks[place], 1, __ATOMIC_ACQUIRE))
      ;
    counts[place] += table[table[i]];
    __atomic_store_n(&locks[place], 0, __ATOMIC_RELEASE);
  }
  return countsSum();
}

PROGRAM(mutexes) {
  pthread_mutex_t mutexes[Places];
  for (pthread_mutex_t &mutex : mutexes)
    pthread_mutex_init(&mutex, nullptr);
  clear();
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES) {
    int64_t place = table[table[keys[i]]] % Places;
    pthread_mutex_lock(&mutexes[place]);
    counts[place] += table[table[i]];
    pthread_mutex_unlock(&mutexes[place]);
  }
  return countsSum();
}

int main() {
  prepare();
  printPrograms();
}

// What a lock guards is loaded while the lock is held, also where functions
// that are not inlined acquire and release it, and access nothing else.
//
// RUN: %clangxx -O1 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O2 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O3 -S -emit-llvm -o - %s | FileCheck %s

#define NOINLINE __attribute__((noinline))

extern float guarded[4];
extern unsigned words[16], tickets, turn;

NOINLINE static void take(unsigned *word) {
  while (__atomic_fetch_or(word, 1u, __ATOMIC_ACQUIRE) & 1u)
    ;
}
NOINLINE static void leave(unsigned *word) {
  __atomic_fetch_and(word, ~1u, __ATOMIC_RELEASE);
}

// CHECK-LABEL: define {{.*}}ofOneLock
// CHECK: call {{.*}}take
// CHECK-NOT: call {{.*}}leave
// CHECK: load float
// CHECK: call {{.*}}leave
void ofOneLock(const int *next, int n) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    const int found = next[next[i]];
    take(&words[found & 14]);
    guarded[0] += found;
    leave(&words[found & 14]);
  }
}

NOINLINE static void takeByExchange(unsigned *word) {
  unsigned expected = 0;
  while (!__atomic_compare_exchange_n(word, &expected, 1u, true,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    expected = 0;
}
NOINLINE static void leaveByStore(unsigned *word) {
  __atomic_store_n(word, 0u, __ATOMIC_RELEASE);
}

// CHECK-LABEL: define {{.*}}byExchange
// CHECK: call {{.*}}takeByExchange
// CHECK-NOT: call {{.*}}leaveByStore
// CHECK: load float
// CHECK: call {{.*}}leaveByStore
void byExchange(const int *next, int n) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    const int found = next[next[i]];
    takeByExchange(&words[found & 15]);
    guarded[1] += found;
    leaveByStore(&words[found & 15]);
  }
}

NOINLINE static void takeBoth(unsigned *first, unsigned *second) {
  take(first);
  take(second);
}

// CHECK-LABEL: define {{.*}}ofTwoLocks
// CHECK: call {{.*}}takeBoth
// CHECK-NOT: call {{.*}}leave
// CHECK: load float
// CHECK: call {{.*}}leave
void ofTwoLocks(const int *next, int n) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    const int found = next[next[i]];
    takeBoth(&words[found & 14], &words[(found & 14) + 1]);
    guarded[0] += found;
    leave(&words[(found & 14) + 1]);
    leave(&words[found & 14]);
  }
}

NOINLINE static void waitFor(const unsigned *turn, unsigned own) {
  while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != own)
    ;
}

// CHECK-LABEL: define {{.*}}ofTickets
// CHECK: call {{.*}}waitFor
// CHECK: load float
// CHECK: store atomic i32
void ofTickets(const int *next, int n) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    const int found = next[next[i]];
    const unsigned own = __atomic_fetch_add(&tickets, 1u, __ATOMIC_RELAXED);
    waitFor(&turn, own);
    guarded[0] += found;
    __atomic_store_n(&turn, own + 1, __ATOMIC_RELEASE);
  }
}

NOINLINE static void count(unsigned *word) {
  __atomic_fetch_add(word, 1u, __ATOMIC_RELAXED);
}

// What is in no order leaves other memory alone: the sum stays in a register.
//
// CHECK-LABEL: define {{.*}}ofCounts
// CHECK: phi float
// CHECK: call {{.*}}count
// CHECK-NOT: load float
// CHECK: ret void
void ofCounts(const int *next, int n) {
#pragma heddle async
  for (int i = 0; i < n; ++i) {
    const int found = next[next[i]];
    count(&words[found & 15]);
    guarded[0] += found;
  }
}

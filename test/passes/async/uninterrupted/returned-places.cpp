// What a function writes and the same iteration reads later lies where another
// function says. Calls with the same arguments return the same place.
//
// RUN: %same_output

#include "../Inputs/program.h"

#include <errno.h>
#include <stdlib.h>

static int64_t out[Elements];

static int64_t sumOfOut() {
  int64_t sum = 0;
  for (int64_t &value : out) {
    sum = sum * 31 + value;
    value = 0;
  }
  return sum;
}

static int64_t gather(int64_t i) { return table[table[keys[i]]]; }

/// May call itself for ever, as far as a compiler knows.
static NOINLINE int64_t sumOf(const Node *node) {
  return node ? node->value + 31 * sumOf(node->next) : 17;
}

static const char *textOf(int64_t i) {
  return i & 1 ? "99999999999999999999" : "5";
}

PROGRAM(error) {
  ASYNC_LOOP(CLAUSES) {
    out[i] = sumOf(buckets[keys[i] % Buckets]);
    errno = 0;
    strtoll(textOf(i), nullptr, 10);
    const int64_t value = gather(i);
    out[i] += value + (errno == ERANGE);
  }
  return sumOfOut();
}

PROGRAM(errorBehindLoops) {
  ASYNC_LOOP(CLAUSES) {
    for (int64_t k = 0; k < keys[i] % 4; ++k)
      out[i] += sumOf(buckets[(keys[i] + k) % Buckets]);
    errno = 0;
    strtoll(textOf(i), nullptr, 10);
    const int64_t value = gather(i);
    out[i] += value + (errno == ERANGE);
  }
  return sumOfOut();
}

PROGRAM(errorUnderCondition) {
  ASYNC_LOOP(CLAUSES)
    if (sumOf(buckets[keys[i] % Buckets]) % 3) {
      errno = 0;
      strtoll(textOf(i), nullptr, 10);
      const int64_t value = gather(i);
      out[i] += value + (errno == ERANGE);
    }
  return sumOfOut();
}

struct Context {
  int64_t state, calls;
  Context *next;
};
static Context contexts[4];
static thread_local Context own;

static NOINLINE Context *context() { return &contexts[1]; }
static NOINLINE Context *ownContext() { return &own; }
static NOINLINE Context *numbered(int n) { return &contexts[n]; }
static Context *(*volatile anyContext)() = context;
static Context *(*volatile anyNumbered)(int) = numbered;

static NOINLINE Context &made() {
  static Context *only = new Context();
  return *only;
}

static NOINLINE void work(int64_t i) { context()->state = keys[i]; }
static NOINLINE void workOwn(int64_t i) { own.state = keys[i]; }
static NOINLINE void workNumbered(int64_t i) { numbered(2)->state = keys[i]; }
static NOINLINE void workMade(int64_t i) { made().state = keys[i]; }
static void (*volatile anyWork)(int64_t) = work;

PROGRAM(byFunction) {
  ASYNC_LOOP(CLAUSES) {
    out[i] = sumOf(buckets[keys[i] % Buckets]);
    work(i);
    const int64_t value = gather(i);
    out[i] += value * context()->state;
  }
  return sumOfOut();
}

PROGRAM(ofThread) {
  ASYNC_LOOP(CLAUSES) {
    out[i] = sumOf(buckets[keys[i] % Buckets]);
    workOwn(i);
    const int64_t value = gather(i);
    out[i] += value * ownContext()->state;
  }
  return sumOfOut();
}

PROGRAM(byNumber) {
  ASYNC_LOOP(CLAUSES) {
    out[i] = sumOf(buckets[keys[i] % Buckets]);
    workNumbered(i);
    const int64_t value = gather(i);
    out[i] += value * numbered(2)->state;
  }
  return sumOfOut();
}

PROGRAM(madeOnce) {
  made().state = 0;
  ASYNC_LOOP(CLAUSES) {
    workMade(i);
    const int64_t value = gather(i);
    out[i] += value * made().state;
  }
  return sumOfOut();
}

PROGRAM(byPointers) {
  ASYNC_LOOP(CLAUSES) {
    anyWork(i);
    const int64_t value = gather(i);
    out[i] += value * anyContext()->state;
  }
  return sumOfOut();
}

PROGRAM(byPointerAndName) {
  ASYNC_LOOP(CLAUSES) {
    Context *const here = anyContext();
    anyWork(i);
    const int64_t value = gather(i);
    out[i] += value * here->state;
  }
  return sumOfOut();
}

PROGRAM(byPointerAndNumber) {
  ASYNC_LOOP(CLAUSES) {
    anyNumbered(3)->state = keys[i];
    const int64_t value = gather(i);
    out[i] += value * anyNumbered(3)->state;
  }
  return sumOfOut();
}

PROGRAM(oneBehindIt) {
  contexts[1].next = &contexts[3];
  ASYNC_LOOP(CLAUSES) {
    context()->next->state = keys[i];
    const int64_t value = gather(i);
    out[i] += value * context()->next->state;
  }
  return sumOfOut();
}

int main() {
  prepare();
  printPrograms();
}

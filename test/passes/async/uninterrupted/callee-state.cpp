// Functions that are not inlined and that keep a state between their calls:
// what one writes, another reads in the same iteration.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-15: remark: loop not interleaved
// CHECK: remark: interleaved the loop
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

#include <atomic>
#include <string.h>

enum { Places = 61 };
static int64_t sums[Places];

static void clear() { memset(sums, 0, sizeof sums); }

static int64_t total() {
  int64_t sum = 0;
  for (int64_t value : sums)
    sum = sum * 31 + value;
  return sum;
}

/// What takes long, from the second load on.
#define FAR table[table[table[i]]]

static int64_t current;
NOINLINE static void note(int64_t key) noexcept { current = key; }
NOINLINE static void bump(int64_t by) noexcept { sums[current] += by; }

PROGRAM(variable) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    note(keys[i] % Places);
    bump(FAR);
  }
  return total() + current;
}

static thread_local int64_t ofThread;
NOINLINE static void noteInThread(int64_t key) { ofThread = key; }
NOINLINE static void bumpInThread(int64_t by) { sums[ofThread] += by; }

PROGRAM(threadLocal) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    noteInThread(keys[i] % Places);
    bumpInThread(FAR);
  }
  return total();
}

static char text[8];
NOINLINE static void write(int64_t number) {
  for (int digit = 0; digit < 8; ++digit, number /= 10)
    text[digit] = char('0' + number % 10);
}
NOINLINE static void addText(int64_t by) {
  uint64_t hash = 0;
  for (char digit : text)
    hash = hash * 31 + uint64_t(digit);
  sums[hash % Places] += by;
}

PROGRAM(buffer) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    write(keys[i]);
    addText(FAR);
  }
  return total();
}

struct Cursor {
  int64_t unused, place;
};
static Cursor *const cursor = new Cursor();
static Cursor *moving = cursor;
NOINLINE static void seek(int64_t place) { moving->place = place; }
NOINLINE static void add(int64_t by) { sums[moving->place] += by; }

PROGRAM(behindPointer) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    seek(keys[i] % Places);
    add(FAR);
  }
  return total() + cursor->place;
}

NOINLINE static void seekIn(Cursor *in, int64_t place) { in->place = place; }
NOINLINE static void addIn(const Cursor *in, int64_t by) {
  sums[in->place] += by;
}

PROGRAM(handedObject) {
  clear();
  Cursor *own = moving;
  ASYNC_LOOP(CLAUSES) {
    seekIn(own, keys[i] % Places);
    addIn(own, FAR);
  }
  return total();
}

struct Histogram {
  int64_t place = 0;
  NOINLINE void moveTo(int64_t to) { place = to; }
  NOINLINE void add(int64_t by) const { sums[place] += by; }
};

PROGRAM(members) {
  clear();
  Histogram histogram;
  ASYNC_LOOP(CLAUSES) {
    histogram.moveTo(keys[i] % Places);
    histogram.add(FAR);
  }
  return total() + histogram.place;
}

static int64_t key, value;
NOINLINE static void setKey(int64_t to) { key = to; }
NOINLINE static void setValue(int64_t to) { value = to; }
NOINLINE static void commit() { sums[key] += value; }

PROGRAM(twoVariables) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    setKey(keys[i] % Places);
    setValue(FAR);
    commit();
  }
  return total();
}

// Functions that call each other.
NOINLINE static void noteOdd(int64_t depth, int64_t to);
NOINLINE static void noteEven(int64_t depth, int64_t to) {
  if (depth == 0)
    current = to;
  else
    noteOdd(depth - 1, to);
}
NOINLINE static void noteOdd(int64_t depth, int64_t to) {
  if (depth > 0)
    noteEven(depth - 1, to);
}

PROGRAM(recursion) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    noteOdd(keys[i] % 3, keys[i] % Places);
    bump(FAR);
  }
  return total();
}

// Either of two objects.
static int64_t two[2];
NOINLINE static void noteEither(int64_t to) {
  int64_t *place = to % 2 ? &two[1] : &current;
  *place = to;
}
NOINLINE static void bumpEither(int64_t by) {
  sums[(current + two[1]) % Places] += by & 1;
}

PROGRAM(eitherObject) {
  clear();
  current = two[1] = 0;
  ASYNC_LOOP(CLAUSES) {
    noteEither(keys[i]);
    bumpEither(FAR);
    two[1] = 0;
    current = 0;
  }
  return total();
}

// More pointers than are followed.
struct Link {
  Link *next;
  int64_t place;
};
static Link *const links = [] {
  Link *first = nullptr;
  for (int n = 0; n < 12; ++n)
    first = new Link{first, 0};
  return first;
}();
static Link *chain = links;
#define LAST chain->next->next->next->next->next->next->next->next->next->next
NOINLINE static void noteFar(int64_t to) { LAST->place = to; }
NOINLINE static void bumpFar(int64_t by) { sums[LAST->place] += by; }

PROGRAM(longChain) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    noteFar(keys[i] % Places);
    bumpFar(FAR);
  }
  return total();
}

// A list that is searched for its last element.
NOINLINE static void noteLast(int64_t to) {
  Link *link = chain;
  while (link->next)
    link = link->next;
  link->place = to;
}
NOINLINE static void bumpLast(int64_t by) {
  const Link *link = chain;
  while (link->next)
    link = link->next;
  sums[link->place] += by;
}

PROGRAM(endOfList) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    noteLast(keys[i] % Places);
    bumpLast(FAR);
  }
  return total();
}

static Cursor copied;
NOINLINE static void copyFrom(const Cursor *from) {
  memcpy(&copied, from, sizeof copied);
}
NOINLINE static void bumpCopied(int64_t by) { sums[copied.place] += by; }

PROGRAM(copiedObject) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    Cursor own = {i, keys[i] % Places};
    copyFrom(&own);
    bumpCopied(FAR);
  }
  return total();
}

static std::atomic<int64_t> relaxed;
NOINLINE static void storeRelaxed(int64_t to) {
  relaxed.store(to, std::memory_order_relaxed);
}
NOINLINE static void bumpRelaxed(int64_t by) {
  sums[relaxed.load(std::memory_order_relaxed)] += by;
}

PROGRAM(atomicVariable) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    storeRelaxed(keys[i] % Places);
    bumpRelaxed(FAR);
  }
  return total();
}

// Functions that the compiler does not see.
static void (*volatile noteUnseen)(int64_t) noexcept = note;
static void (*volatile bumpUnseen)(int64_t) noexcept = bump;

PROGRAM(unseen) {
  clear();
  void (*const first)(int64_t) noexcept = noteUnseen,
                               (*const second)(int64_t) noexcept = bumpUnseen;
  ASYNC_LOOP(CLAUSES) {
    first(keys[i] % Places);
    second(FAR);
  }
  return total();
}

NOINLINE static void noteBoth(int64_t to) noexcept { noteUnseen(to); }

PROGRAM(unseenCallee) {
  clear();
  ASYNC_LOOP(CLAUSES) {
    noteBoth(keys[i] % Places);
    bump(FAR);
  }
  return total();
}

// What the last iteration has written is there after the loop.
PROGRAM(lastValue) {
  current = 0;
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    sum += FAR;
    note(FAR + i);
  }
  return sum * 31 + current;
}

int main() {
  prepare();
  printPrograms();
}

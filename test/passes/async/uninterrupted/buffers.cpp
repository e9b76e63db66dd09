// Appending to a buffer that a callee empties when it is full is an update of
// its own: the callee's write to the length ends where the next append reads
// it, not at the next append's write. The accesses around it wait.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-3: remark: interleaved {{.*}}: 2 suspension points
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

static int64_t sum;

struct Buffer {
  enum { Capacity = 16 };
  int64_t length = 0;
  int64_t items[Capacity];

  void append(int64_t item) {
    items[length++] = item;
    if (length == Capacity)
      flush();
  }

  NOINLINE void flush() {
    for (int64_t i = 0; i < length; ++i)
      sum += items[i];
    length = 0;
  }
};

static int64_t total(Buffer &buffer) {
  buffer.flush();
  const int64_t all = sum;
  sum = 0;
  return all;
}

PROGRAM(appendsOne) {
  Buffer buffer;
  ASYNC_LOOP(CLAUSES)
    buffer.append(table[table[table[i]]]);
  return total(buffer);
}

PROGRAM(appendsSome) {
  Buffer buffer;
  ASYNC_LOOP(CLAUSES)
    if (table[table[table[i]]] % 3)
      buffer.append(i);
  return total(buffer);
}

static Buffer global;
PROGRAM(appendsToGlobal) {
  ASYNC_LOOP(CLAUSES)
    global.append(table[table[table[i]]]);
  return total(global);
}

int main() {
  prepare();
  printPrograms();
}

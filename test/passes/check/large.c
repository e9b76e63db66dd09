// A loop that touches much may write its accesses to a log, which is worked off
// some iterations later: it finds the same. So many places and iterations that
// both ways are tried.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t silent && FileCheck %s < %t.json
// CHECK: {"conflicts": []}
// RUN: %t finds 2>&1 | FileCheck --check-prefix=FINDS %s
// FINDS-DAG: reads what another iteration wrote: 'values[{{[0-9]+}}]'
// FINDS-DAG: order-dependent output: 'records[{{[0-9]+}}].sum'
// FINDS-DAG: reads what another iteration wrote: 'records[{{[0-9]+}}].hits'
// FINDS-DAG: reads what another iteration wrote: '*at'
// FINDS: heddle: 5 conflicts between iterations, found 40000 times
//
// One that is to stop at the first conflict stops there.
// RUN: not --crash env HEDDLE_CHECK=abort %t finds 2>&1 \
// RUN:   | FileCheck --check-prefix=ABORTS %s
// ABORTS: values
// ABORTS-NOT: records

// What ends the program at once comes after what is in the log.
// RUN: %heddle_clang -fheddle-check -O1 -S -emit-llvm %s -o - \
// RUN:   | FileCheck --check-prefix=LEAVES %s
// LEAVES-LABEL: @leave(
// LEAVES: call void @heddle_check_pause(i32 0)
// LEAVES-NEXT: call void @_exit(

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 300000, APART = N / 10000, FAR = 1 << 18 };

typedef struct {
  uint32_t hits, last;
  uint64_t sum;
} Record;

static uint64_t values[N], in_callee[N];
static Record records[N], copies[N];
static uint32_t places[N], marks[N];

__attribute__((noinline)) static void update(Record *r, uint32_t i) {
  r->hits += 1;
  r->last = r->last > i ? r->last : i;
  r->sum += i;
}
__attribute__((noinline)) static uint64_t get(const uint64_t *at) {
  return *at;
}
__attribute__((noinline)) static void put(uint64_t *at, uint64_t value) {
  *at = value;
}

// Variables of the iteration, near to the loop's and far away.
__attribute__((noinline)) static uint64_t own_variables(uint32_t at,
                                                        uint64_t value) {
  uint64_t here[4], far[FAR];
  put(&here[at % 4], value);
  put(&far[at % FAR], value);
  return get(&here[at % 4]) + get(&far[at % FAR]);
}

void leave(int status) { _exit(status); }

static void silent(void) {
  uint64_t sum = 0;
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i) {
    const uint32_t at = places[i];
    values[at] = i; // its own, in another place
    values[at] = values[at] * 3 + 1;
    update(&records[at % 1000 * 300], i);
    if (!marks[at % 5000])
      marks[at % 5000] = 1;
    copies[i] = records[at % 1000 * 300 + 1];
    sum += own_variables(at, i);
    uint64_t *mine = malloc(sizeof *mine);
    put(mine, i);
    sum += get(mine);
    free(mine);
  }
  values[0] = sum;
}

// Each 30th iteration is in conflict with the one before, in one place of each
// array, and no two of them meet.
static void finds(void) {
#pragma heddle async
  for (uint32_t i = 0; i < N; ++i) {
    const uint32_t at = places[i], before = places[i ? i - 1 : 0];
    const int meets = i % APART == 1;
    values[at] = i + 1;
    if (meets)
      copies[at].sum = values[before];
    Record *r = &records[meets ? before : at];
    r->sum = i + 1;
    if (meets)
      r->hits *= 3;
    else
      r->hits += 1;
    put(&in_callee[at], i + 1);
    if (meets)
      copies[at].last = get(&in_callee[before]);
  }
}

int main(int argc, char **argv) {
  for (uint32_t i = 0; i < N; ++i)
    places[i] = (uint32_t)((uint64_t)i * 7919 % N);
  memset(records, 1, sizeof records);
  (argc > 1 && !strcmp(argv[1], "silent") ? silent : finds)();
  return argc > 2;
}

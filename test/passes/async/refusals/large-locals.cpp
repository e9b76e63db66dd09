// Variables of an iteration's own exist once for every iteration in flight.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

void fill(char *, long) noexcept;

void large(const long *keys, const long *table, long n) {
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: each iteration has 65536 bytes of local variables, too many to keep 8 iterations in flight}}
    char buffer[65536];
    fill(buffer, table[table[keys[i]]]);
  }
}

void many(const long *keys, const long *table, long n) {
  // expected-remark@+1 {{each iteration has 4096 bytes of local variables, too many to keep 100 iterations in flight}}
  ASYNC_LOOP(tasks(100)) {
    char buffer[4096];
    fill(buffer, table[table[keys[i]]]);
  }
}

// Without a number, there are as many as there is room for.
void some(const long *keys, const long *table, long n) {
  ASYNC_LOOP() { // expected-remark {{up to 8 tasks in flight}}
    char buffer[4096];
    fill(buffer, table[table[keys[i]]]);
  }
}

// Stack memory that an iteration allocates would be given back out of order.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

void fill(long *, long);

void calls_alloca(const long *keys, const long *table, long n) {
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: it allocates stack memory dynamically (line 11)}}
    long *memory = __builtin_alloca(table[table[keys[i]]]);
    fill(memory, i);
  }
}

void variable_length_array(const long *keys, const long *table, long n) {
  ASYNC_LOOP() { // expected-remark {{it allocates stack memory dynamically}}
    long memory[table[table[keys[i]]]];
    fill(memory, i);
  }
}

void fixed_array(const long *keys, const long *table, long n) {
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    long memory[4] = {table[table[keys[i]]]};
    fill(memory, i);
  }
}

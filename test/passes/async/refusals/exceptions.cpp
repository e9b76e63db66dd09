// No exception may pass through a loop while iterations are suspended.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

void maybeThrows(long);
void neverThrows(long) noexcept;

void calls(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{loop not interleaved: the call of 'maybeThrows(long)' may throw while other iterations are suspended (declare it noexcept if it does not) (line 12)}}
    maybeThrows(table[table[keys[i]]]);
}

void callsNothingThatThrows(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    neverThrows(table[table[keys[i]]]);
}

void callsByPointer(const long *keys, const long *table, long n,
                    void (*function)(long)) {
  ASYNC_LOOP() // expected-remark {{the call of a function pointer may throw}}
    function(table[table[keys[i]]]);
}

struct Guard {
  ~Guard();
};

void unwinds(const long *keys, const long *table, long n) {
  Guard guard;
  ASYNC_LOOP() // expected-remark {{loop not interleaved: an exception could leave it here while other iterations are suspended}}
    maybeThrows(table[table[keys[i]]]);
}

void throws(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{not interleaved}}
    if (table[table[keys[i]]] < 0)
      throw 0;
}

// An exception that is caught within the iteration does not leave it.
void catchesItself(const long *keys, const long *table, long *failures,
                   long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    try {
      maybeThrows(table[table[keys[i]]]);
    } catch (...) {
      failures[i] = 1;
    }
}

// Nor what ends the program.
void endsProgram(const long *keys, const long *table, long n) noexcept {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    maybeThrows(table[table[keys[i]]]);
}

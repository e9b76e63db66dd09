// An exception that leaves an iteration ends the program: only a handler around
// the loop is in the way.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s
// RUN: %clangxx -O2 -fno-inline-functions -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s
// RUN: %clangxx -O1 -fno-exceptions -DNO_EXCEPTIONS -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

void mayThrow(long);
void neverThrows(long) noexcept;
struct Guard {
  ~Guard();
};

void calls(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    mayThrow(table[table[keys[i]]]);
}

void callsNothingThatThrows(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    neverThrows(table[table[keys[i]]]);
}

void callsByPointer(const long *keys, const long *table, long n,
                    void (*function)(long)) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    function(table[table[keys[i]]]);
}

void unwinds(const long *keys, const long *table, long n) {
  Guard guard;
  ASYNC_LOOP() { // expected-remark {{interleaved the loop's iterations}}
    Guard own;
    mayThrow(table[table[keys[i]]]);
  }
}

void endsProgram(const long *keys, const long *table, long n) noexcept {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    mayThrow(table[table[keys[i]]]);
}

#ifndef NO_EXCEPTIONS

void throws(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    if (table[table[keys[i]]] < 0)
      throw 0;
}

// An exception that is caught within the iteration does not leave it.
void catchesItself(const long *keys, const long *table, long *failures,
                   long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
    try {
      mayThrow(table[table[keys[i]]]);
    } catch (...) {
      failures[i] = 1;
    }
}

void caughtAround(const long *keys, const long *table, long n) {
  try {
    ASYNC_LOOP() // expected-remark {{loop not interleaved: an exception that the call of 'mayThrow(long)' throws would leave it for the handler in line 68}}
      mayThrow(table[table[keys[i]]]);
  } catch (int) {
  }
}

void thrownAround(const long *keys, const long *table, long n) {
  try {
    ASYNC_LOOP() // expected-remark {{loop not interleaved: an exception that the call of '__cxa_throw' throws would leave it for the handler in line 77}}
      if (table[table[keys[i]]] < 0)
        throw 1L;
  } catch (...) {
  }
}

// Some are caught inside, all others around.
void caughtOnBothSides(const long *keys, const long *table, long *failures,
                       long n) {
  try {
    ASYNC_LOOP() // expected-remark {{loop not interleaved: an exception that the call of 'mayThrow(long)' throws would leave it for the handler in line 91}}
      try {
        mayThrow(table[table[keys[i]]]);
      } catch (long) {
        failures[i] = 1;
      }
  } catch (int) {
  }
}

// What cannot throw can lie in a try block.
void nothingToCatch(const long *keys, const long *table, long n) {
  try {
    ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}}
      neverThrows(table[table[keys[i]]]);
    mayThrow(0);
  } catch (int) {
  }
}

// A handler of the caller is none of the loop's function, whether or not that
// is inlined.
static inline void called(const long *keys, const long *table, long n) {
  ASYNC_LOOP() { // expected-remark 0-2 {{interleaved the loop's iterations}}
    Guard guard;
    mayThrow(table[table[keys[i]]]);
  }
}
void caughtByCaller(const long *keys, const long *table, long n) {
  try {
    called(keys, table, n);
  } catch (int) {
    mayThrow(1);
  }
}

// A break in a handler.
void leavesFromHandler(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{loop not interleaved: an exception that the call of 'mayThrow(long)' throws would leave it for the handler in line 126}}
    try {
      mayThrow(table[table[keys[i]]]);
    } catch (...) {
      break;
    }
}

#endif

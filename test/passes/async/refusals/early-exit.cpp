// A loop that may end in the middle of an iteration is left alone if later
// iterations could not begin without an effect.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify=watched -fsanitize=address -c -o /dev/null %s
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify=watched -fsanitize=thread -c -o /dev/null %s

#include "../../support/loop.h"

// A sanitizer would report what they read.
long leaves(const long *keys, const long *table, long n) {
  ASYNC_LOOP() // expected-remark {{interleaved the loop's iterations}} watched-remark {{loop not interleaved: it may be left early (break, return, goto or a condition that cannot be moved)}}
    if (table[table[keys[i]]] < 0)
      return i;
  return n;
}

// expected-remark@+4 {{everything after its memory accesses must happen in iteration order because of the call of 'take(long)', so nothing is left to interleave (line 23)}}
// watched-remark@+3 {{it may be left early}}
long take(long) noexcept;
long actsFirst(const long *keys, const long *table, long n) {
  ASYNC_LOOP() {
    long key = take(i);
    if (table[table[key]] < 0)
      return i;
  }
  return n;
}

struct Rows {
  const long *keys, *table;
  long n;
};
void note(long) noexcept;

// The call may change the condition of the loop.
// watched-remark@+4 {{an iteration decides by its own work}}
// expected-remark@+3 {{everything after its memory accesses must happen in iteration order because of the way out that an iteration may take, whose condition reads memory again, so nothing is left to interleave (line 42); if no iteration changes what its condition reads, copy that to a local variable before the loop}}
void readsAgain(Rows &rows) {
#pragma heddle async
  for (long i = 0; i < rows.n; ++i)
    note(rows.table[rows.table[rows.keys[i]]]);
}

// Jumps to computed labels.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

#include "../../support/loop.h"

void act(long);
void act_again(long);

void computed_goto(const long *keys, const long *table, long n) {
  static void *const labels[] = {&&first, &&second};
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: its control flow cannot be followed}}
    goto *labels[table[table[keys[i]]] & 1];
  first:
    act(i);
    continue;
  second:
    act_again(i);
  }
}

void computed_goto_within(const long *keys, const long *table, long n) {
  static void *const labels[] = {&&first, &&second};
  ASYNC_LOOP() { // expected-remark {{loop not interleaved: its control flow cannot be followed}}
    goto *labels[table[table[keys[i]]] & 1];
  first:
    act(i);
  second:
    act_again(i);
  }
}

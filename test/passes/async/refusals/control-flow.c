// Jumps to computed labels.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -c -o /dev/null %s

void act(long);
void act_again(long);

void computed_goto(const long *keys, const long *table, long n) {
  static void *const labels[] = {&&first, &&second};
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: its control flow cannot be followed}}
  for (long i = 0; i < n; ++i) {
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
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: its control flow cannot be followed}}
  for (long i = 0; i < n; ++i) {
    goto *labels[table[table[keys[i]]] & 1];
  first:
    act(i);
  second:
    act_again(i);
  }
}

// There must be a next iteration to go on with while this one waits.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Wno-pass-failed -Xclang -verify -c -o /dev/null %s

struct Node {
  Node *next;
  long value;
};

void wait() noexcept;
bool process(long, ...) noexcept;

long forever(const long *keys, const long *table) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: it never ends}}
  for (long i = 0;; ++i)
    process(table[table[keys[i]]]);
}

// It need not be known before this one has done its work.
void untilProcessed(const long *keys, const long *table) {
  long i = 0;
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  do {
    ++i;
  } while (process(table[table[keys[i]]]));
}

// The chain itself cannot be overlapped, but what hangs on its nodes can.
long walk(const Node *node, const long *table) {
  long sum = 0;
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  while (node) {
    sum += table[table[node->value]];
    node = node->next;
  }
  return sum;
}

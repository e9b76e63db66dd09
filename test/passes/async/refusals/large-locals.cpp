// Variables of an iteration's own exist once for every iteration in flight.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -c -o /dev/null %s

void fill(char *, long) noexcept;

void large(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: each iteration has 65536 bytes of local variables, too many to keep 8 iterations in flight}}
  for (long i = 0; i < n; ++i) {
    char buffer[65536];
    fill(buffer, table[table[keys[i]]]);
  }
}

void many(const long *keys, const long *table, long n) {
#pragma heddle async tasks(100)
  // expected-remark@+1 {{each iteration has 4096 bytes of local variables, too many to keep 100 iterations in flight}}
  for (long i = 0; i < n; ++i) {
    char buffer[4096];
    fill(buffer, table[table[keys[i]]]);
  }
}

// Without a number, there are as many as there is room for.
void some(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{up to 8 tasks in flight}}
  for (long i = 0; i < n; ++i) {
    char buffer[4096];
    fill(buffer, table[table[keys[i]]]);
  }
}

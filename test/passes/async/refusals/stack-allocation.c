// Stack memory that an iteration allocates would be given back out of order.
//
// RUN: %clang -O2 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -c -o /dev/null %s

void fill(long *, long);

void calls_alloca(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: it allocates stack memory dynamically (line 11)}}
  for (long i = 0; i < n; ++i) {
    long *memory = __builtin_alloca(table[table[keys[i]]]);
    fill(memory, i);
  }
}

void variable_length_array(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{it allocates stack memory dynamically}}
  for (long i = 0; i < n; ++i) {
    long memory[table[table[keys[i]]]];
    fill(memory, i);
  }
}

void fixed_array(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i) {
    long memory[4] = {table[table[keys[i]]]};
    fill(memory, i);
  }
}

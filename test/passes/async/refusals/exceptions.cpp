// No exception may pass through a loop while iterations are suspended.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -c -o /dev/null %s

void maybeThrows(long);
void neverThrows(long) noexcept;

void calls(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: the call of 'maybeThrows(long)' may throw while other iterations are suspended (declare it noexcept if it does not) (line 12)}}
  for (long i = 0; i < n; ++i)
    maybeThrows(table[table[keys[i]]]);
}

void callsNothingThatThrows(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    neverThrows(table[table[keys[i]]]);
}

void callsByPointer(const long *keys, const long *table, long n,
                    void (*function)(long)) {
#pragma heddle async
  // expected-remark@+1 {{the call of a function pointer may throw}}
  for (long i = 0; i < n; ++i)
    function(table[table[keys[i]]]);
}

struct Guard {
  ~Guard();
};

void unwinds(const long *keys, const long *table, long n) {
  Guard guard;
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: an exception could leave it here while other iterations are suspended}}
  for (long i = 0; i < n; ++i)
    maybeThrows(table[table[keys[i]]]);
}

void throws(const long *keys, const long *table, long n) {
#pragma heddle async
  // expected-remark@+1 {{not interleaved}}
  for (long i = 0; i < n; ++i)
    if (table[table[keys[i]]] < 0)
      throw 0;
}

// An exception that is caught within the iteration does not leave it.
void catchesItself(const long *keys, const long *table, long *failures,
                   long n) {
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    try {
      maybeThrows(table[table[keys[i]]]);
    } catch (...) {
      failures[i] = 1;
    }
}

// Nor what ends the program.
void endsProgram(const long *keys, const long *table, long n) noexcept {
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations}}
  for (long i = 0; i < n; ++i)
    maybeThrows(table[table[keys[i]]]);
}

// A task that stops everywhere costs more than it hides.
//
// RUN: %clangxx -O2 -Rpass=heddle -Rpass-missed=heddle -Xclang -verify -c -o /dev/null %s

long many(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  // expected-remark@+1 {{loop not interleaved: it has too many suspension points}}
  for (long i = 0; i < n; ++i) {
    long at = keys[i];
#define CHASE at = table[at];
#define CHASE5 CHASE CHASE CHASE CHASE CHASE
    CHASE5 CHASE5 CHASE5 CHASE CHASE sum += at;
  }
  return sum;
}

long fewer(const long *keys, const long *table, long n) {
  long sum = 0;
#pragma heddle async
  // expected-remark@+1 {{interleaved the loop's iterations (lockstep and FIFO schedules): 15 suspension points, 16 requests (1 early)}}
  for (long i = 0; i < n; ++i) {
    long at = keys[i];
    CHASE5 CHASE5 CHASE5 CHASE sum += at;
  }
  return sum;
}

// Loops in a header: whether it pays is decided for each use.

struct Node {
  Node *next;
  long value;
};

inline long sumInHeader(const long *a, long n) {
  long sum = 0;
#pragma heddle async
  for (long i = 0; i < n; i++)
    sum += a[i];
  return sum;
}

long use(const void *) noexcept;
inline long allocateInHeader(const long *a, const int *b, long n) {
  long sum = 0;
#pragma heddle async // expected-warning@+1 {{it allocates stack memory dynamically}}
  for (long i = 0; i < n; i++)
    sum += use(__builtin_alloca(a[b[i]]));
  return sum;
}

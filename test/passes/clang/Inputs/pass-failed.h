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

inline long findInHeader(const long *a, const int *b, long n) {
#pragma heddle async // expected-warning@+1 {{it may be left early}}
  for (long i = 0; i < n; i++)
    if (a[b[i]] == 7)
      return i;
  return -1;
}

//===- loops.c - Loops over a row whose code is looked at -----------------===//

#if LANE_BITS == 32
typedef unsigned Lane;
#define NEIGHBOUR (LANES == 8 ? 0x7ffffff : 0x1fffffff)
#else
typedef unsigned long Lane;
#define NEIGHBOUR 0xffffffffffff
#endif

VALUE sum(const Lane *edges, long n, const VALUE *x, VALUE s) {
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; ++i)
    s += x[edges[i] & NEIGHBOUR];
  return s;
}

int masked(const Lane *edges, long n, const unsigned *bits, const int *x,
           int s) {
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; ++i) {
    Lane u = edges[i] & NEIGHBOUR;
    if (bits[u / 32] >> (u % 32) & 1)
      s = x[u] < s ? x[u] : s;
  }
  return s;
}

// The loops that are recognised as pull nests, and their remarks.
//
// RUN: %clangxx -O2 %fopenmp -Rpass=heddle -Rpass-missed=heddle -c -o /dev/null %s 2>&1 | FileCheck %s

#include <stdint.h>

void sums(int n, const int64_t *ends, const int *sources, const double *x,
          double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}} balanced the loop by edges (static schedule): each row's sum is combined in a register and stored once
#pragma omp parallel for
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    y[v] = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      y[v] += x[sources[e]];
  }
}

void minima(int n, const unsigned *const *rows, const float *x, float *y) {
  // CHECK: [[#@LINE+1]]:{{.*}} balanced the loop by edges (dynamic schedule): each row's minimum
#pragma omp parallel for schedule(dynamic, 64)
#pragma heddle pull edges(1000)
  for (int v = 0; v < n; ++v) {
    float least = y[v];
    for (const unsigned *e = rows[v]; e != rows[v + 1]; ++e)
      least = x[*e] < least ? x[*e] : least;
    y[v] = least;
  }
}

void parents(int n, const int64_t *ends, const int *sources, const bool *in,
             int *parent) {
  // CHECK: [[#@LINE+1]]:{{.*}} each row's first value
#pragma omp parallel for
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    int first = parent[v];
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      if (first < 0 && in[sources[e]])
        first = sources[e];
    parent[v] = first;
  }
}

void notShared(int n, const int64_t *ends, const int *sources, const double *x,
               double *y) {
  // CHECK: [[#@LINE+2]]:{{.*}} loop not balanced by edges: no 'omp for' stands in front of it
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    double sum = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[sources[e]];
    y[v] = sum;
  }
}

void ordered(int n, const int64_t *ends, const int *sources, const double *x,
             double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}} loop not balanced by edges: a variable changes from edge to edge in a way that depends on the order of the edges
#pragma omp parallel for
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    double value = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      value = value / 2 + x[sources[e]];
    y[v] = value;
  }
}

void degrees(int n, const int64_t *begins, const int64_t *counts,
             const int *sources, const double *x, double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}} the compiler cannot tell that the edges of a row begin where those of the row before it end
#pragma omp parallel for
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    double sum = 0;
    for (int64_t e = begins[v]; e < begins[v] + counts[v]; ++e)
      sum += x[sources[e]];
    y[v] = sum;
  }
}

void early(int n, const int64_t *ends, const int *sources, const bool *in,
           int *parent) {
  // CHECK: [[#@LINE+1]]:{{.*}} the loop over a row's edges can be left early
#pragma omp parallel for
#pragma heddle pull
  for (int v = 0; v < n; ++v)
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      if (in[sources[e]]) {
        parent[v] = sources[e];
        break;
      }
}

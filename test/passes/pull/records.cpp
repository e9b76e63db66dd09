// The remarks are optimization records, too.
//
// RUN: %clangxx -O2 -g %fopenmp -c -o %t.o -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=heddle %s
// RUN: FileCheck %s < %t.yaml

// CHECK: --- !Passed
// CHECK-NEXT: Pass: heddle
// CHECK-NEXT: Name: BalancedByEdges
// CHECK: Schedule: static
// CHECK: Combined: sum
// CHECK: --- !Missed
// CHECK-NEXT: Pass: heddle
// CHECK-NEXT: Name: NotBalancedByEdges
// CHECK: Reason: 'no ''omp for'' stands in front of it'
// CHECK: Next: 'put the directive between
// CHECK: Refusal: NoWorksharing
//
// Code that the compiler makes itself has no line of its own.
// CHECK: Reason: 'the value ''sum'' of the last row is used after the loop'
// CHECK-NOT: Place:
// CHECK: Refusal: LastRow
// CHECK-NEXT: {{^\.\.\.}}
void sums(int n, const long *ends, const int *sources, const double *x,
          double *y) {
#pragma omp parallel for
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    double sum = 0;
    for (long e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[sources[e]];
    y[v] = sum;
  }
}

void serialSums(int n, const long *ends, const int *sources, const double *x,
                double *y) {
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    double sum = 0;
    for (long e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[sources[e]];
    y[v] = sum;
  }
}

double lastSum(int n, const long *ends, const int *sources, const double *x) {
  double sum;
#pragma omp parallel for lastprivate(sum)
#pragma heddle pull
  for (int v = 0; v < n; ++v) {
    sum = 0;
    for (long e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[sources[e]];
  }
  return sum;
}

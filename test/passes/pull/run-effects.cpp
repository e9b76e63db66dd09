// Rows that do more than combine what their edges bring.
//
// RUN: %same_output | FileCheck %s --implicit-check-not=remark:

#include "Inputs/rows.h"

static const Rows rows = skewedRows();
static const std::vector<double> x =
    values<double>(static_cast<size_t>(rows.count), 16);

NOINLINE void readsBeforeItStores(int n, const int64_t *ends,
                                  const int *sources, const double *x,
                                  double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: the code before the loop over a row's edges stores to memory that the row may read again (line [[#@LINE+3]])
  PULL_LOOP(int) {
    double old = y[v];
    y[v] = 0;
    y[v] = old / 2 + sumOfRow(v, ends, sources, x);
  }
}

NOINLINE void visitsOnce(int n, const int64_t *ends, const int *sources,
                         const double *x, double *y, bool *visited) {
  // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: the code before the loop over a row's edges stores to memory that the row may read again (line [[#@LINE+4]])
  PULL_LOOP(int) {
    if (visited[v])
      continue;
    visited[v] = true;
    y[v] = sumOfRow(v, ends, sources, x);
  }
}

NOINLINE void stores(int n, const int64_t *ends, const int *sources,
                     const double *x, double *y, float *degree, bool *empty) {
  // CHECK: [[#@LINE+1]]:{{.*}}: balanced the loop by edges
  PULL_LOOP(int) {
    degree[v] = static_cast<float>(ends[v + 1] - ends[v]);
    y[v] = 1;
    if (ends[v + 1] == ends[v]) {
      empty[v] = true;
      continue;
    }
    y[v] = sumOfRow(v, ends, sources, x);
  }
}

NOINLINE void scratch(int n, const int64_t *ends, const int *sources,
                      const double *x, double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: its body is not one inner loop over a row's edges
  PULL_LOOP(int) {
    double factors[16];
    for (int i = 0; i < 16; ++i)
      factors[i] = i + v;
    double sum = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[sources[e]] * factors[sources[e] & 15];
    y[v] = sum + factors[v & 15];
  }
}

NOINLINE void threadsOwn(int n, const int64_t *ends, const int *sources,
                         const double *x, double *y) {
#pragma omp parallel
  {
    double last[2] = {};
    // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: the code before the loop over a row's edges stores to memory that the row may read again
#pragma omp for SCHEDULE
#pragma heddle pull CLAUSES
    for (int v = 0; v < n; ++v) {
      last[0] = v;
      last[sources[v] & 1] += 1;
      y[v] = sumOfRow(v, ends, sources, x) + last[0];
    }
  }
}

struct Total {
  double sum;
  double unused[4];
};

/// A total in memory to which all rows of a thread add.
NOINLINE double totalInMemory(int n, const int64_t *ends, const int *sources,
                              const double *x, double *y) {
  double all = 0;
#pragma omp parallel
  {
    Total total = {};
    Total *own = &total;
    asm volatile("" : "+r"(own));
    // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: the loop over a row's edges does more than combine values (line [[#@LINE+6]])
#pragma omp for SCHEDULE
#pragma heddle pull CLAUSES
    for (int v = 0; v < n; ++v) {
      y[v] = v;
      for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
        own->sum += x[sources[e]];
    }
#pragma omp atomic
    all += own->sum;
  }
  return all;
}

NOINLINE long histogram(int n, const int64_t *ends, const int *sources,
                        const double *x, double *y) {
  long counts[8] = {};
  // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: the code before the loop over a row's edges stores to memory that the row may read again (line [[#@LINE+4]])
#pragma omp parallel for SCHEDULE reduction(+ : counts)
#pragma heddle pull CLAUSES
  for (int v = 0; v < n; ++v) {
    ++counts[v & 7];
    y[v] = sumOfRow(v, ends, sources, x);
  }
  long all = 0;
  for (long count : counts)
    all = all * 7 + count;
  return all;
}

struct Numbers {
  int number[4];
};

/// The row's own memory, by two names.
NOINLINE void otherName(int n, const int64_t *ends, const int *sources,
                        Numbers *numbers, double *y, int which) {
  // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: the loop over a row's edges does more than combine values (line [[#@LINE+4]])
  PULL_LOOP(int) {
    long sum = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e) {
      numbers[v].number[0] = sources[e];
      sum += numbers[v].number[which];
    }
    y[v] = static_cast<double>(sum);
  }
}

/// As `y` and `z` may be one array, for all that the loop shows.
NOINLINE void sameArrayTwice(int n, const int64_t *ends, const int *sources,
                             const double *x, double *y, double *z) {
  // CHECK: [[#@LINE+2]]:{{.*}} not balanced {{.*}}: the loop over a row's edges does more than combine values
  // CHECK: [[#@LINE+1]]:{{.*}} requested ahead what the loop's iterations
  PULL_LOOP(int)
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e) {
      if (x[sources[e]] < y[v])
        y[v] = x[sources[e]];
      if (z[v] < 100)
        z[v] += 1;
    }
}

NOINLINE int lastPrivate(int n, const int64_t *ends, const int *sources,
                         const double *x, double *y) {
  int last = 0;
  // CHECK: [[#@LINE+1]]:{{.*}} not balanced {{.*}}: a value of the last row is used after the loop
#pragma omp parallel for lastprivate(last) SCHEDULE
#pragma heddle pull CLAUSES
  for (int v = 0; v < n; ++v) {
    last = v;
    y[v] = sumOfRow(v, ends, sources, x);
  }
  return last;
}

/// The optimizer makes a loop of it for every case.
NOINLINE void unswitched(int n, const int64_t *ends, const int *sources,
                         const double *x, double *y, bool doubled,
                         bool negated) {
  // CHECK: [[#@LINE+1]]:{{.*}}: balanced the loop by edges
  PULL_LOOP(int) {
    double sum = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e) {
      if (negated)
        sum -= x[sources[e]] * 3;
      else
        sum += x[sources[e]];
    }
    if (doubled)
      sum *= 2;
    y[v] += sum;
  }
}

/// An update that depends on whether the edge is the row's last.
NOINLINE void ends(int n, const int64_t *ends, const int *sources,
                   const double *x, double *y) {
  // CHECK: [[#@LINE+1]]:{{.*}}: balanced the loop by edges
  PULL_LOOP(int) {
    double sum = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      sum += e == ends[v] ? 1000 : e + 1 < ends[v + 1] ? x[sources[e]] : 100000;
    y[v] = sum;
  }
}

int main() {
  const int n = rows.count;
  const size_t count = static_cast<size_t>(n);
  std::vector<double> y(count, 3);
  std::vector<float> degrees(count);
  std::vector<Numbers> numbers(count, Numbers{{1, 2, 3, 4}});
  bool visited[1500] = {}, empty[1500] = {};
  auto show = [&](const char *name) { print(name, y); };
#define RUN(function, ...)                                                     \
  function(n, rows.ends.data(), rows.sources.data(), x.data(),                 \
           y.data() __VA_OPT__(, ) __VA_ARGS__);                               \
  show(#function)
  RUN(readsBeforeItStores);
  RUN(visitsOnce, visited);
  RUN(stores, degrees.data(), empty);
  print("degrees", degrees);
  print("empty", empty, count);
  RUN(scratch);
  RUN(threadsOwn);
  printf("%.17g\n", totalInMemory(n, rows.ends.data(), rows.sources.data(),
                                  x.data(), y.data()));
  printf("%ld\n", histogram(n, rows.ends.data(), rows.sources.data(), x.data(),
                            y.data()));
  otherName(n, rows.ends.data(), rows.sources.data(), numbers.data(), y.data(),
            0);
  show("otherName");
  RUN(sameArrayTwice, y.data());
  RUN(lastPrivate);
  RUN(unswitched, false, false);
  RUN(unswitched, false, true);
  RUN(unswitched, true, false);
  RUN(unswitched, true, true);
  RUN(ends);
}

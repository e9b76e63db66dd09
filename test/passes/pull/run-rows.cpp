// Rows of all kinds, in all the ways that a loop can be written and run.
//
// Sums in any order are vectorised.
// RUN: %if full %{%same_output -ffast-math | FileCheck %s --implicit-check-not="not balanced"%} %else %{true%}
// RUN: %same_output | FileCheck %s --implicit-check-not="not balanced"
// CHECK-COUNT-22: balanced the loop by edges

#include "Inputs/rows.h"
#include <algorithm>

static std::vector<double> x;

NOINLINE void index32(int n, const uint32_t *ends, const int *sources,
                      const double *x, double *y) {
  PULL_LOOP(int) {
    double sum = 0;
    for (uint32_t e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[sources[e]];
    y[v] = sum;
  }
}

NOINLINE void signed32(unsigned n, const int *ends, const int *sources,
                       const double *x, double *y) {
  PULL_LOOP(unsigned) {
    double sum = 0;
    for (int e = ends[v]; e < ends[v + 1]; e++)
      sum += x[sources[e]];
    y[v] = sum;
  }
}

NOINLINE void pointers(size_t n, const int *const *ends, const double *x,
                       double *y) {
  PULL_LOOP(size_t) {
    double sum = 0;
    for (const int *e = ends[v]; e != ends[v + 1]; ++e)
      sum += x[*e];
    y[v] = sum;
  }
}

NOINLINE void pointersBelow(size_t n, const int *const *ends, const double *x,
                            double *y) {
  PULL_LOOP(size_t) {
    double sum = 0;
    for (const int *e = ends[v]; e < ends[v + 1]; ++e)
      sum += x[*e];
    y[v] = sum;
  }
}

/// Two numbers an edge; some rows have one more.
NOINLINE void pairs(size_t n, const int *const *ends, double *y) {
  PULL_LOOP(size_t) {
    double sum = 0;
    for (const int *e = ends[v]; e < ends[v + 1]; e += 2)
      sum += *e;
    y[v] = sum;
  }
}

/// Rows without edges have one of the next row's.
NOINLINE void oneAtLeast(long n, const int64_t *ends, double *y) {
  PULL_LOOP(long) {
    double sum = 0;
    int64_t e = ends[v];
    do
      sum += static_cast<double>(e & 7);
    while (++e < ends[v + 1]);
    y[v] = sum;
  }
}

NOINLINE void inMemory(long n, const int64_t *ends, const int *sources,
                       const double *x, double *y) {
  PULL_LOOP(long)
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      y[v] += x[sources[e]];
}

NOINLINE void clearedInMemory(long n, const int64_t *ends, const int *sources,
                              const double *x, double *y) {
  PULL_LOOP(long) {
    y[v] = 7;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      y[v] = y[v] < x[sources[e]] ? x[sources[e]] : y[v];
  }
}

/// Stores a value only where it is lower than the old one.
NOINLINE void loweredInMemory(long n, const int64_t *ends, const int *sources,
                              const double *x, double *y) {
  PULL_LOOP(long)
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      if (x[sources[e]] < y[v])
        y[v] = x[sources[e]];
}

NOINLINE void setAndLoweredInMemory(long n, const int64_t *ends,
                                    const int *sources, const double *x,
                                    double *y, const float *z) {
  PULL_LOOP(long) {
    y[v] = z[v];
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      if (x[sources[e]] < y[v])
        y[v] = x[sources[e]];
  }
}

NOINLINE void raisedInMemory(long n, const int64_t *ends, const int *sources,
                             const unsigned *x, unsigned *y) {
  PULL_LOOP(long)
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      if (y[v] < x[sources[e]])
        y[v] = x[sources[e]];
}

/// The number of an edge in its row counts too.
NOINLINE void numbered(long n, const int64_t *ends, const int *sources,
                       const double *x, double *y) {
  PULL_LOOP(long) {
    double sum = 0;
    int number = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e, ++number)
      sum += x[sources[e]] * (number & 7);
    y[v] = number ? sum / 8 : -1;
  }
}

NOINLINE double totals(long n, const int64_t *ends, const int *sources,
                       const double *x, double *y) {
  double total = 0, greatest = -1;
  long large = 0, skipped = 0;
#pragma omp parallel for SCHEDULE reduction(+ : total, large, skipped)         \
    reduction(max : greatest)
#pragma heddle pull CLAUSES
  for (long v = 0; v < n; ++v) {
    if (v % 5 == 4) {
      ++skipped;
      continue;
    }
    double sum = 0;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e) {
      sum += x[sources[e]];
      total += x[sources[e]];
      if (x[sources[e]] > 10)
        large += 3;
    }
    greatest = greatest < sum ? sum : greatest;
    y[v] = sum;
  }
  return total + greatest * 5 + static_cast<double>(large * 7 + skipped);
}

NOINLINE bool any(long n, const int64_t *ends, const int *sources,
                  const double *x, double *y) {
  bool any = false, changed = false;
#pragma omp parallel for SCHEDULE reduction(|| : any, changed)
#pragma heddle pull CLAUSES
  for (long v = 0; v < n; ++v) {
    bool own = false;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      own = own || x[sources[e]] > 14;
    if (own != (y[v] > 0))
      changed = true;
    y[v] = own;
    any = any || own;
  }
  return any && changed;
}

NOINLINE long thread(long n, const int64_t *ends, const int *sources,
                     const double *x, double *y) {
  long all = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for SCHEDULE nowait
#pragma heddle pull CLAUSES
    for (long v = 0; v < n; ++v) {
      double sum = 0;
      for (int64_t e = ends[v]; e < ends[v + 1]; ++e) {
        sum += x[sources[e]];
        mine += x[sources[e]] > 3;
      }
      y[v] = sum;
    }
#pragma omp atomic
    all += mine;
  }
  return all;
}

/// Threads may rely on it that two static schedules give them the same rows.
NOINLINE void withoutWait(long n, const int64_t *ends, const int *sources,
                          const double *x, double *y, double *z) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
#pragma heddle pull CLAUSES
    for (long v = 0; v < n; ++v)
      y[v] = sumOfRow(v, ends, sources, x);
#pragma omp for schedule(static)
    for (long v = 0; v < n; ++v)
      z[v] = y[v] * 2;
  }
}

NOINLINE void twice(long n, const int64_t *ends, const int *sources,
                    const double *x, double *y, double *z) {
#pragma omp parallel
  for (int round = 0; round < 3; ++round) {
#pragma omp for SCHEDULE
#pragma heddle pull CLAUSES
    for (long v = 0; v < n; ++v)
      y[v] = sumOfRow(v, ends, sources, x, z[v]);
#pragma omp for SCHEDULE nowait
#pragma heddle pull CLAUSES
    for (long v = 0; v < n; ++v) {
      double greatest = 0;
      for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
        greatest = std::max(greatest, y[sources[e]]);
      z[v] = greatest;
    }
#pragma omp barrier
  }
}

NOINLINE void orphan(long n, const int64_t *ends, const int *sources,
                     const double *x, double *y) {
#pragma omp for SCHEDULE
#pragma heddle pull CLAUSES
  for (long v = 0; v < n; ++v)
    y[v] = sumOfRow(v, ends, sources, x, 1);
}

NOINLINE void serialised(long n, const int64_t *ends, const int *sources,
                         const double *x, double *y, bool parallel) {
#pragma omp parallel for if (parallel) num_threads(3) SCHEDULE
#pragma heddle pull CLAUSES
  for (long v = 0; v < n; ++v)
    y[v] = sumOfRow(v, ends, sources, x, 1);
}

/// A class such as users wrap their stores in.
class Store {
  struct Row {
    const int *first, *last;
    const int *begin() const { return first; }
    const int *end() const { return last; }
  };
  const Rows &rows;

public:
  explicit Store(const Rows &rows) : rows(rows) {}
  size_t count() const { return static_cast<size_t>(rows.count); }
  Row operator[](size_t v) const {
    return {rows.sources.data() + rows.ends[v],
            rows.sources.data() + rows.ends[v + 1]};
  }

  template <typename T> NOINLINE void sums(T *y) const {
    auto run = [&](T factor) {
#pragma omp parallel for SCHEDULE
#pragma heddle pull CLAUSES
      for (size_t v = 0; v < count(); ++v) {
        T sum = 0;
        for (int u : (*this)[v])
          sum += static_cast<T>(x[static_cast<size_t>(u)]) * factor;
        y[v] = sum;
      }
    };
    run(3);
  }
};

static void runAll(const char *name, const Rows &rows) {
  puts(name);
  const int n = rows.count;
  const size_t count = static_cast<size_t>(n);
  const int64_t *ends = rows.ends.data();
  const int *sources = rows.sources.data();
  x = values<double>(count, 16);
  std::vector<uint32_t> ends32(rows.ends.begin(), rows.ends.end());
  std::vector<int> signedEnds(rows.ends.begin(), rows.ends.end());
  std::vector<const int *> pointerEnds;
  for (int64_t end : rows.ends)
    pointerEnds.push_back(sources + end);
  std::vector<double> y(count), z(count);
  auto show = [&](const char *what) {
    print(what, y);
    std::fill(y.begin(), y.end(), 5);
  };
#define RUN(function, ...)                                                     \
  function(n, __VA_ARGS__);                                                    \
  show(#function)
  RUN(index32, ends32.data(), sources, x.data(), y.data());
  RUN(signed32, signedEnds.data(), sources, x.data(), y.data());
  RUN(pointers, pointerEnds.data(), x.data(), y.data());
  RUN(pointersBelow, pointerEnds.data(), x.data(), y.data());
  RUN(pairs, pointerEnds.data(), y.data());
  RUN(oneAtLeast, ends, y.data());
  RUN(inMemory, ends, sources, x.data(), y.data());
  RUN(clearedInMemory, ends, sources, x.data(), y.data());
  RUN(loweredInMemory, ends, sources, x.data(), y.data());
  const std::vector<float> limits = values<float>(count, 20);
  RUN(setAndLoweredInMemory, ends, sources, x.data(), y.data(), limits.data());
  // Where nothing is lower, nothing is stored.
  static const double lowest[1500] = {};
  loweredInMemory(n, ends, sources, x.data(), const_cast<double *>(lowest));
  std::vector<unsigned> numbers = values<unsigned>(count, 1000),
                        highest(count, 600);
  raisedInMemory(n, ends, sources, numbers.data(), highest.data());
  print("raisedInMemory", highest);
  RUN(numbered, ends, sources, x.data(), y.data());
  printf("%.17g\n", totals(n, ends, sources, x.data(), y.data()));
  show("totals");
  printf("%d\n", any(n, ends, sources, x.data(), y.data()));
  show("any");
  printf("%ld\n", thread(n, ends, sources, x.data(), y.data()));
  show("thread");
  withoutWait(n, ends, sources, x.data(), y.data(), z.data());
  print("z", z);
  show("withoutWait");
  twice(n, ends, sources, x.data(), y.data(), z.data());
  print("z", z);
  show("twice");
  orphan(n, ends, sources, x.data(), y.data());
  show("orphan, alone");
#pragma omp parallel
  orphan(n, ends, sources, x.data(), y.data());
  show("orphan");
  RUN(serialised, ends, sources, x.data(), y.data(), false);
#pragma omp parallel for
  for (int i = 0; i < 2; ++i) {
    std::vector<double> own(count);
    serialised(n, ends, sources, x.data(), own.data(), true);
    if (i == 1)
      y = own;
  }
  show("nested");
  Store(rows).sums(y.data());
  show("Store");
  std::vector<float> reals(count);
  Store(rows).sums(reals.data());
  print("Store of float", reals);
}

int main() {
  runAll("no rows", Rows(0, [](int) { return 0; }));
  runAll("one row", Rows(1, [](int) { return 1000; }));
  runAll("one row without edges", Rows(1, [](int) { return 0; }));
  runAll("no edges", Rows(1000, [](int) { return 0; }));
  runAll("one edge", Rows(3, [](int v) { return v == 1; }));
  runAll("all in one row",
         Rows(400, [](int v) { return v == 200 ? 5000 : 0; }));
  runAll("all in the last row",
         Rows(400, [](int v) { return v == 399 ? 5000 : 0; }));
  runAll("all alike", Rows(700, [](int) { return 63; }));
  runAll("every row cut", Rows(9, [](int) { return 2000; }));
  runAll("skewed", skewedRows());
}

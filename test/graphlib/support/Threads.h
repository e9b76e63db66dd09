//===- Threads.h - The same with other numbers of threads ------*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_THREADS_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_THREADS_H

#include <omp.h>

namespace heddle::test {

/// Sets the number of threads of OpenMP until the end of the scope.
class ThreadCount {
public:
  explicit ThreadCount(int threads) : before(omp_get_max_threads()) {
    omp_set_num_threads(threads);
  }
  ~ThreadCount() { omp_set_num_threads(before); }
  ThreadCount(const ThreadCount &) = delete;
  ThreadCount &operator=(const ThreadCount &) = delete;

private:
  const int before;
};

inline constexpr int ThreadCounts[] = {1, 2, 3, 7};

} // namespace heddle::test

#endif

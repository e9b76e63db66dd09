//===- FuzzMain.cpp - The entry point of libFuzzer ------------------------===//

#include "Fuzz.h"

#include <gtest/gtest.h>
#include <omp.h>

extern "C" int LLVMFuzzerInitialize(int *, char ***);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size);

int LLVMFuzzerInitialize(int *, char ***) {
  GTEST_FLAG_SET(break_on_failure, true);
  omp_set_num_threads(2);
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  heddle::test::HEDDLE_FUZZ({data, size});
  return 0;
}

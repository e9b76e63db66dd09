//===- FuzzMain.cpp - The entry point of libFuzzer ------------------------===//

#include "Fuzz.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

extern "C" int LLVMFuzzerInitialize(int *count, char ***arguments);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size);

namespace {

#ifdef HEDDLE_FUZZ_SEEDS
void writeSeeds(const std::string &directory) {
  int number = 0;
  for (const std::string &seed : heddle::test::HEDDLE_FUZZ_SEEDS())
    std::ofstream(directory + "/seed-" + std::to_string(number++),
                  std::ios::binary)
        << seed;
}
#endif

} // namespace

int LLVMFuzzerInitialize([[maybe_unused]] int *count,
                         [[maybe_unused]] char ***arguments) {
#ifdef HEDDLE_FUZZ_SEEDS
  if (*count == 3 && std::string_view((*arguments)[1]) == "--seeds") {
    writeSeeds((*arguments)[2]);
    std::exit(EXIT_SUCCESS);
  }
#endif
  GTEST_FLAG_SET(break_on_failure, true);
  omp_set_num_threads(2);
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  heddle::test::HEDDLE_FUZZ({data, size});
  return 0;
}

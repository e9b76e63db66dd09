//===- FewOrAll.h - Cases of the short and of the long run -----*- C++ -*-===//
//
// A test of many cases runs all of them if the environment variable
// HEDDLE_TEST_FULL is set, and otherwise a few.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_SUPPORT_FEWORALL_H
#define HEDDLE_TEST_SUPPORT_FEWORALL_H

#include <cstdlib>
#include <vector>

namespace heddle::test {

inline bool isLongRun() { return std::getenv("HEDDLE_TEST_FULL") != nullptr; }

template <typename T>
std::vector<T> fewOrAll(std::vector<T> few, std::vector<T> all) {
  return isLongRun() ? all : few;
}

} // namespace heddle::test

#endif

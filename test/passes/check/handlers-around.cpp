// A loop in a try block: variables of its body belong to the iteration, though
// code behind the loop destroys them where an exception leaves it. Those that
// are declared around it do not.
//
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O0 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O1 %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O2 %s -o %t && %t 2>&1 | FileCheck %s

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

constexpr int Count = 400;
static uint64_t out[Count];

static void ownText() {
  try {
#pragma heddle async
    for (int i = 0; i < Count; ++i) {
      std::string own = "number ";
      own += std::to_string(i % 1000);
      own += " and a tail that is too long to be kept inside";
      if (i == -1)
        throw std::runtime_error(own);
      std::vector<int> digits(own.begin(), own.end());
      out[i] = digits.size();
    }
  } catch (const std::exception &) {
    puts("never");
  }
}

static void textAround() {
  std::string text;
  try {
#pragma heddle async
    for (int i = 0; i < Count; ++i) {
      text += std::to_string(i);
      if (text.empty())
        throw 1;
      out[i] = text.size();
    }
  } catch (int) {
    puts("never");
  }
}

int main() {
  // CHECK: own
  // CHECK-NEXT: around
  // CHECK-NEXT: conflict between iterations
  fprintf(stderr, "own\n");
  ownText();
  fprintf(stderr, "around\n");
  textAround();
}

// Everything that rows combine their edges by, in many types.
//
// RUN: %same_output | FileCheck %s --implicit-check-not="not balanced"
// CHECK-COUNT-114: balanced the loop by edges

#include "Inputs/rows.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

static const Rows rows = skewedRows();

/// Runs \p update, which updates its first argument by what an edge brings,
/// over the edges of every row.
template <typename T, typename Update>
NOINLINE void combine(const char *name, const T *from, T start, Update update) {
  std::unique_ptr<T[]> y(new T[static_cast<size_t>(rows.count)]);
  const int n = rows.count;
  const int64_t *ends = rows.ends.data();
  const int *sources = rows.sources.data();
  T *to = y.get();
  PULL_LOOP(int) {
    T value = start;
    for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
      update(value, from[sources[e]]);
    to[v] = value;
  }
  print(name, to, static_cast<size_t>(n));
}

template <typename T> void combineIntegers(const char *type) {
  auto named = [&](const char *what) { return std::string(what) + type; };
  auto x = values<T>(static_cast<size_t>(rows.count), 1000003);
#define COMBINE(name, start, statement)                                        \
  combine<T>(named(name).c_str(), x.data(), start, [](T &a, T b) { statement; })
  COMBINE("sum of ", 3, a += b);
  COMBINE("difference of ", 3, a -= b);
  COMBINE("sum of some of ", 0, if (b & 1) a += b);
  COMBINE("product of ", 1, a *= b | 1);
  COMBINE("or of ", 0, a |= b & 0x48);
  COMBINE("and of ", -1, a &= b | 1);
  COMBINE("exclusive or of ", 5, a ^= b);
  COMBINE("minimum of ", 100, a = b < a ? b : a);
  COMBINE("maximum of ", 1, a = std::max(a, b));
  COMBINE("minimum of some of ", 100, if (b & 2) a = std::min(b, a));
  COMBINE("flag of ", 2, if (b % 97 == 3) a = 9);
  COMBINE("cleared flag of ", 2, if (b % 97 == 3) a = 0);
  COMBINE("first of ", -1, if (a == T(-1) && b % 7 == 3) a = b);
#undef COMBINE
}

template <typename T> void combineReals(const char *type) {
  auto named = [&](const char *what) { return std::string(what) + type; };
  // Sums are exact.
  auto x = values<T>(static_cast<size_t>(rows.count), 512);
#define COMBINE(name, start, statement)                                        \
  combine<T>(named(name).c_str(), x.data(), start, [](T &a, T b) { statement; })
  COMBINE("sum of ", 0, a += b);
  COMBINE("difference of ", -1, a -= b);
  COMBINE("weighted sum of ", 0, a += b * 3);
  COMBINE("sum of some of ", 0, if (b > 100) a += b);
  COMBINE("product of ", 1, a *= b > 500 ? 2 : b > 10 ? 1 : T(0.5));
  COMBINE("minimum of ", INFINITY, a = b < a ? b : a);
  COMBINE("maximum of ", -1, a = a < b ? b : a);
  COMBINE("std::min of ", 200, a = std::min(a, b));
  COMBINE("std::max of ", 200, a = std::max(a, b));
  COMBINE("fmin of ", 300, a = std::fmin(a, b));
  COMBINE("fmax of ", -5, a = std::fmax(a, b));

  // Where some or all edges bring no number.
  for (int each : {3, 1}) {
    for (size_t i = 0; i < x.size(); i += static_cast<size_t>(each))
      x[i] = NAN;
    COMBINE("sum with NaN of ", 0, a += b);
    COMBINE("minimum with NaN of ", 300, a = b < a ? b : a);
    COMBINE("fmax with NaN of ", NAN, a = std::fmax(a, b));
  }
  // Nothing is lost to infinities and signed zeros.
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i % 7 ? T(-0.0) : -INFINITY;
  COMBINE("sum with infinities of ", T(-0.0), a += b);
  COMBINE("maximum with infinities of ", -INFINITY, a = a < b ? b : a);
#undef COMBINE
}

int main() {
  combineIntegers<int8_t>("int8");
  combineIntegers<uint16_t>("uint16");
  combineIntegers<int32_t>("int32");
  combineIntegers<uint32_t>("uint32");
  combineIntegers<int64_t>("int64");
  combineIntegers<__int128>("int128");
  combineReals<float>("float");
  combineReals<double>("double");

  bool some[1500], none[1500] = {};
  for (int i = 0; i < 1500; ++i)
    some[i] = i % 97 == 0;
  combine<bool>("any", some, false, [](bool &a, bool b) { a = a || b; });
  combine<bool>("all", some, true, [](bool &a, bool b) { a = a && !b; });
  combine<bool>("any of some", some, false, [](bool &a, bool b) {
    if (b)
      a = true;
  });
  combine<bool>("any of none", none, false, [](bool &a, bool b) { a |= b; });
}

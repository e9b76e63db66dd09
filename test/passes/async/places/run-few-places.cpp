// Places of which there are few, however iterations find them: in small arrays
// of a function or of a structure, in short inner loops, by functions that call
// themselves, and through addresses that are numbers. They keep the order.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <algorithm>
#include <array>

struct Variables {
  int64_t *first, *second;
  int64_t value, other;
  int64_t all[4];
};
static int64_t a, b;
static int64_t few[4], square[2][2];
static int64_t *tableOfFew[3] = {&a, &b, &few[1]};
static int8_t color[Elements];
static Variables variables;

static Variables &fresh() {
  a = b = 1;
  for (int64_t k = 0; k < 4; ++k)
    few[k] = square[k / 2][k % 2] = k;
  for (int64_t k = 0; k < Elements; ++k)
    color[k] = int8_t(k % 2);
  variables = {&a, &b, 5, 6, {1, 2, 3, 4}};
  return known(variables);
}

#define PLACES(name, variable, ...)                                            \
  PROGRAM(name) {                                                              \
    Variables &v = fresh();                                                    \
    variable;                                                                  \
    known(variables);                                                          \
    ASYNC_LOOP(CLAUSES) {                                                      \
      int64_t x = table[table[keys[i]]];                                       \
      __VA_ARGS__                                                              \
    }                                                                          \
    int64_t sum = a + b * 3 + v.value * 5 + v.other * 7;                       \
    for (int64_t k = 0; k < 4; ++k)                                            \
      sum = sum * 31 + few[k] + v.all[k] * 3 + square[k / 2][k % 2] * 7;       \
    return sum * 31 + sumOf(out, n);                                           \
  }
#define LOCAL(name, type, ...)                                                 \
  PLACES(                                                                      \
      name, type own = {}; known(own); known(color), __VA_ARGS__;              \
      if (i + 1 == n) {                                                        \
        for (auto &value : own)                                                \
          a = a * 3 + int64_t(value);                                          \
      })
using Two = std::array<int64_t, 2>;
using Three = std::array<double, 3>;
using Eight = std::array<uint8_t, 8>;

LOCAL(localSet, Two, if (x & 8) own[color[x]] = x; out[i] = own[1])
LOCAL(localRead, Two, if (x & 8) out[i] = own[color[x]]; if (x & 4) own[0] = x)
LOCAL(localUpdated, Three, double &place = own[color[x]];
      place = place * 0.5 + double(x); out[i] = int64_t(own[0]))
LOCAL(localSwapped, Two,
      if (x & 1) std::swap(own[color[x]], own[color[table[x]]]);
      else own[color[x]] = x)
LOCAL(localBytes, Eight, if (x & 4) own[color[x]] = uint8_t(x); out[i] = own[1])

#define HERE(name, ...) PLACES(name, , __VA_ARGS__)
HERE(remainder, out[i] = v.all[x % 3]; if (x & 4) v.all[1] = x;)
HERE(raisedRemainder, int64_t k = (x - 2000) % 3; if (k < 0) k += 3;
     v.all[k] = x; out[i] = v.all[2];)
HERE(twoRemainders, if (x & 4) square[x % 2][x / 2 % 2] = x;
     out[i] = square[1][0];)
HERE(byAnotherName, out[i] = v.all[x % 3]; if (x & 4) variables.all[1] = x;)

HERE(sumOfAll, int64_t sum = 0; for (int64_t value : v.all) sum += value;
     out[i] = sum; if (x & 8) v.all[x & 3] = x;)
HERE(least, int k = 0;
     for (int j = 1; j < 4; ++j) if (v.all[j] < v.all[k]) k = j; v.all[k] += x;
     out[i] = k;)
HERE(pushed, int k = 3;
     for (; k > 0 && few[k - 1] < x; --k) few[k] = few[k - 1]; few[k] = x;
     out[i] = few[2];)
HERE(
    foundInTable, for (int64_t *place : tableOfFew) if (*place < x) {
      *place = x;
      break;
    } out[i] = b;)
HERE(byPointers, int64_t *places[2] = {v.first, v.second};
     for (int64_t *place : places) if ((x ^ *place) & 1) *place = x;
     out[i] = *v.second;)
HERE(nested, for (int j = 0; j < 2; ++j) for (int k = 0; k < 2; ++k)
                 square[j][k] = square[j][k] * 3 + x * j + k;
     out[i] = square[1][0];)

NOINLINE static int64_t *pick(int64_t *one, int64_t *other, int64_t x) {
  return x > 2000 ? pick(other, one, x / 2) : x & 1 ? one : other;
}
NOINLINE static int64_t *pickLater(int64_t *one, int64_t *other, int64_t x);
NOINLINE static int64_t *pickFirst(int64_t *one, int64_t *other, int64_t x) {
  return x < 10 ? one : pickLater(other, one, x / 2);
}
NOINLINE static int64_t *pickLater(int64_t *one, int64_t *other, int64_t x) {
  return x < 30 ? other : pickFirst(one, other, x - 7);
}
NOINLINE static int64_t *pickThen(Variables &v, int64_t x) {
  int64_t *earlier = x < 100 ? v.first : pickThen(v, x / 3);
  return x & 1 ? earlier : v.second;
}
HERE(recursive, if (x & 8) * pick(v.first, v.second, x) = x; x += table[x];
     out[i] = *v.first;)
HERE(recursiveRead, out[i] = *pick(v.first, v.second, x);
     if (x & 4) *v.first = x;)
HERE(recursiveUpdate, int64_t &place = *pick(&v.value, &v.other, x);
     place = place * 3 + x;)
HERE(mutual, if (x & 8) * pickFirst(v.first, v.second, x) = x; x += table[x];
     out[i] = *v.first;)
HERE(notLast, if (x & 8) * pickThen(v, x) = x; x += table[x];
     out[i] = *v.first;)

static int64_t *placeAt(uintptr_t address) {
  return reinterpret_cast<int64_t *>(address);
}
static uintptr_t addressOf(const int64_t *place) {
  return reinterpret_cast<uintptr_t>(place);
}
HERE(tagged, uintptr_t place = addressOf(x & 1 ? v.first : v.second) | 1;
     if (x & 8) * placeAt(place & ~uintptr_t(1)) = x; x += table[x];
     out[i] = *v.second;)
HERE(offset, uintptr_t place = addressOf(v.all) + uintptr_t(x & 3) * 8;
     if (x & 8) * placeAt(place) = x; x += table[x]; out[i] = v.all[2];)
HERE(masked, const uintptr_t one = addressOf(v.first);
     const uintptr_t difference = one ^ addressOf(v.second);
     int64_t &place = *placeAt(one ^ (uintptr_t(-(x & 1)) & difference));
     place = place * 3 + x; out[i] = *v.second;)

int main() {
  prepare();
  printPrograms();
}

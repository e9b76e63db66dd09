// Variables of functions that the optimizer puts into a loop's: they are at one
// address in all iterations, or share it with those of other functions.
//
// REQUIRES: plugin
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <algorithm>
#include <cstdint>
#include <deque>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))
constexpr int N = 64;
static uint64_t A[N], out[N];

struct Pair {
  uint64_t a, b;
};
NOINLINE static void set(Pair *p, uint64_t x) {
  p->a = x;
  p->b = x + 1;
}
NOINLINE static uint64_t get(const Pair *p) { return p->a + p->b; }
NOINLINE static void set(uint64_t *p, uint64_t x) { *p = x; }
static inline uint64_t viaPair(uint64_t x) {
  Pair p;
  set(&p, x);
  return get(&p);
}
static inline uint64_t viaNumber(uint64_t x) {
  uint64_t p;
  set(&p, x);
  return p;
}
static inline uint64_t viaBoth(uint64_t x) {
  return viaPair(x) + viaNumber(x) + viaPair(x + 1);
}
__attribute__((always_inline)) static inline uint64_t always(uint64_t x) {
  Pair p;
  set(&p, x);
  return get(&p);
}
static inline Pair make(uint64_t x) {
  Pair p;
  set(&p, x);
  return p;
}
static inline uint64_t recursive(uint64_t x) {
  Pair p;
  set(&p, x);
  return x % 4 ? recursive(x - 1) + get(&p) : get(&p);
}

// silent
static void vectors() {
  std::vector<uint32_t> v(A, A + N);
#pragma heddle async
  for (auto it = v.begin(); it != v.end(); ++it) {
    uint64_t s = 0;
    for (auto x = v.rbegin(); x != v.rend(); ++x)
      s ^= *x;
    for (auto x : v)
      s += x;
    if (*it & 1)
      s += std::accumulate(v.begin(), v.begin() + (*it & 7), 3u);
    out[it - v.begin()] = s + (v.end() - it);
  }
}
// silent
static void inner() {
  std::vector<std::vector<uint32_t>> v(N, std::vector<uint32_t>(A, A + 9));
#pragma heddle async
  for (auto it = v.begin(); it != v.end(); ++it) {
    uint64_t s = 0;
    for (auto x = it->begin(); x != it->end(); ++x) {
      s ^= *x;
      for (auto y = it->rbegin(); y != it->rend(); ++y)
        s += *y * (x - it->begin());
    }
    out[it - v.begin()] = s;
  }
}
// silent
static void spans() {
  std::vector<uint32_t> v(A, A + N);
  std::span<uint32_t> w(v);
#pragma heddle async
  for (auto it = w.begin(); it != w.end(); ++it) {
    uint64_t s = 0;
    for (auto y : w.subspan(it - w.begin()))
      s = s * 3 + y;
    for (auto y = w.rbegin(); y != w.rend(); ++y)
      s += *y;
    out[it - w.begin()] = s;
  }
}
// silent
static void twoCursors() {
  std::vector<uint32_t> v(A, A + N), w(A, A + N);
#pragma heddle async
  for (auto it = v.begin(), jt = w.begin(); it != v.end() && jt != w.end();
       ++it, ++jt) {
    uint64_t s = 0;
    for (auto x = v.rbegin(); x != v.rend(); ++x)
      s ^= *x;
    out[it - v.begin()] = s + (w.end() - jt) + *jt;
    if (jt - w.begin() > 5)
      out[jt - w.begin()] += *(jt - 1) + *(w.end() - 1);
  }
}
// silent
static void deques() {
  std::deque<uint32_t> v(A, A + N);
#pragma heddle async
  for (auto it = v.begin(); it != v.end(); ++it) {
    uint64_t s = 0;
    for (auto x : v)
      s += x;
    for (auto x = v.rbegin(); x != v.rend(); x++)
      s ^= *x;
    if (*it & 1)
      s += *(it - (it - v.begin()));
    out[it - v.begin()] = s;
  }
}
// silent
static void strings() {
  std::string v;
  for (int i = 0; i < N; ++i)
    v += char('a' + i % 26);
#pragma heddle async
  for (auto it = v.begin(); it != v.end(); ++it) {
    uint64_t s = 0;
    for (auto x = v.rbegin(); x != v.rend(); x++)
      s = s * 3 ^ *x;
    for (auto x : v)
      s += x;
    if (*it & 1)
      s += std::string(it, v.end()).size();
    out[it - v.begin()] = s + v.substr(2, *it & 7).size();
  }
}
// silent
static void reverse() {
  std::vector<uint32_t> v(A, A + N);
#pragma heddle async
  for (auto it = v.rbegin(); it != v.rend(); ++it) {
    uint64_t s = 0;
    for (auto x = v.begin(); x != v.end(); x++) {
      s ^= *x;
      if (v.end() - x < 5)
        s += v.rend() - it;
    }
    out[it - v.rbegin()] = s;
  }
}
// silent
static void algorithms() {
  std::vector<uint32_t> v(A, A + N), w(N);
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto it = std::find(v.begin(), v.end(), A[i] * 5 % N);
    if (it == v.end())
      it = std::lower_bound(v.begin(), v.end(), i);
    out[i] = it - v.begin();
    if (A[i] & 1)
      out[i] += std::count(v.rbegin(), v.rend(), 3);
    else
      out[i] += std::count(v.begin(), v.end(), 3);
  }
}
// silent
static void both() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    if (A[i] & 1)
      out[i] = viaBoth(A[i]);
    else
      out[i] = viaPair(i) + viaNumber(A[i]);
  }
}
// silent
static void alwaysInline() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    out[i] = always(A[i]);
    if (A[i] & 2)
      out[i] += always(i);
  }
}
// silent
static void results() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Pair p = make(A[i]);
    out[i] = p.a;
    if (A[i] & 1) {
      Pair q = make(p.b);
      out[i] += q.b;
    }
    out[i] += get(&p);
  }
}
// silent
static void condition() {
  int i = 0;
#pragma heddle async
  while (viaNumber(i) < N && viaPair(i) < 1000) {
    out[i] = viaPair(A[i]) + viaNumber(i);
    ++i;
  }
}
// silent
static void recursion() {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    out[i] = recursive(A[i]);
}
int main() {
  for (int i = 0; i < N; ++i)
    A[i] = (i * 7 + 1) % N;
  vectors();
  inner();
  spans();
  twoCursors();
  deques();
  strings();
  reverse();
  algorithms();
  both();
  alwaysInline();
  results();
  condition();
  recursion();
}

// Loops over containers that are right in any order, in which nothing is found.
//
// REQUIRES: plugin
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O1 %fopenmp %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
constexpr int N = 300, M = 512;
static std::vector<uint64_t> A(M), B(M), out(N);
struct Slot {
  uint32_t key = 0, value = 0;
};
// silent
static std::vector<std::shared_ptr<uint64_t>> Owned;
static void silent_shared_owners() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    std::shared_ptr<uint64_t> owner = Owned[A[i] % Owned.size()];
    out[i] = *owner + owner.use_count() % 1;
  }
}
static void silent_sort_own() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    std::vector<uint64_t> v;
    for (int j = 0; j < 10; ++j)
      v.push_back(A[(B[i] + j) % M]);
    std::sort(v.begin(), v.end());
    out[i] = v[3];
  }
}
// silent
static void silent_strings() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    std::ostringstream s;
    s << A[B[i]] << "-" << i;
    std::string t = s.str();
    out[i] = t.size();
  }
}
// silent
static void silent_map_own() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    std::unordered_map<int, int> m;
    for (int j = 0; j < 20; ++j)
      ++m[A[(B[i] + j) % M] % 7];
    out[i] = m.size();
    std::map<int, std::string> n;
    n[i] = "some text that is long enough";
    n[i + 1] = n[i];
    out[i] += n.size();
  }
}
// silent
static void silent_lookup() {
  std::unordered_map<uint64_t, uint64_t> m;
  for (int i = 0; i < M; ++i)
    m[i] = A[i];
  uint64_t s = 0;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto it = m.find(A[B[i]]);
    if (it != m.end())
      s += it->second;
  }
  out[0] = s;
}
// silent
static void silent_hist() {
  std::vector<uint64_t> h(16);
  std::vector<double> d(16);
  std::array<int, 16> mx{};
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto k = A[B[i]] % 16;
    h[k] += i;
    d[k] = d[k] + 1.5;
    mx[k] = std::max(mx[k], i);
    ++h[(k + 1) % 16];
  }
  out[0] = h[3];
}
// silent
static void silent_mutex() {
  std::mutex m;
  std::vector<uint64_t> v;
  uint64_t last = 0;
#pragma omp parallel for num_threads(2)
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t x = A[B[i]];
    std::lock_guard g(m);
    v.push_back(x);
    last = x;
  }
  out[0] = v.size() + last;
}
// silent
static void silent_critical() {
  std::vector<uint64_t> v;
#pragma omp parallel for num_threads(2)
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t x = A[B[i]];
#pragma omp critical
    v.push_back(x);
  }
  out[0] = v.size();
}
// silent
static void silent_atomic() {
  std::vector<std::atomic<int>> p(M);
  for (int i = 0; i < M; ++i)
    p[i] = i;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int a = A[i] % M, b = B[i];
    while (p[a] != a)
      a = p[a];
    while (p[b] != b)
      b = p[b];
    if (a != b)
      p[a] = b;
  }
}
// silent
static void silent_static_init() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    static const std::vector<uint64_t> primes = [] {
      std::vector<uint64_t> p;
      for (int j = 2; j < 50; ++j)
        p.push_back(j);
      return p;
    }();
    out[i] = primes[A[B[i]] % 48];
  }
}
// silent
static void silent_exceptions() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    try {
      if (A[B[i]] % 3 == 0)
        throw std::string("x");
      out[i] = 1;
    } catch (std::string &s) {
      out[i] = s.size();
    }
  }
}
// silent
static void silent_compaction() {
  std::vector<uint64_t> kept(N);
  size_t n = 0;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    if (A[B[i]] % 3)
      kept[n++] = i;
  out[0] = n;
}
// silent
static void silent_new() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto p = std::make_shared<Slot>();
    p->key = A[B[i]];
    auto q = p;
    out[i] = q->key;
    int *x = new int[4]{1, 2, 3, 4};
    out[i] += x[i & 3];
    delete[] x;
  }
}
// silent
static void silent_clause() {
  std::vector<uint64_t> v;
  uint64_t buf[4];
#pragma heddle async shared(v) private(buf)
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < 4; ++j)
      buf[j] = A[i] + j;
    out[i] = A[B[i]] + buf[i & 3];
  }
}
int main() {
  for (int i = 0; i < M; i++)
    A[i] = (i * 2654435761u >> 7) % M, B[i] = (i * 7919u) % M;
  for (int i = 0; i < 8; ++i)
    Owned.push_back(std::make_shared<uint64_t>(i));
  silent_shared_owners();
  silent_sort_own();
  silent_strings();
  silent_map_own();
  silent_lookup();
  silent_hist();
  silent_mutex();
  silent_critical();
  silent_atomic();
  silent_static_init();
  silent_exceptions();
  silent_compaction();
  silent_new();
  silent_clause();
}

// Loops over containers that break the promise of the directive, and what is
// found in them: the comment in front of each function says so.
//
// REQUIRES: plugin
// RUN: %heddle_clangxx -std=c++20 -fheddle-check -O1 %fopenmp %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
constexpr int N = 300, M = 512;
static std::vector<uint64_t> A(M), B(M), out(N);
struct Slot {
  uint32_t key = 0, value = 0;
};
template <typename K, typename V> struct Table {
  std::vector<K> keys = std::vector<K>(1024);
  std::vector<V> values = std::vector<V>(1024);
  void upsert(K k, V v) {
    size_t h = k % 1024;
    while (keys[h] && keys[h] != k)
      h = (h + 1) % 1024;
    if (!keys[h]) {
      keys[h] = k;
      values[h] = v;
    } else
      values[h] += v;
  }
};
static std::vector<Slot> slots(1024);
static Table<uint32_t, uint64_t> table;
static std::unordered_map<uint64_t, uint64_t> umap;
static std::map<uint64_t, uint64_t> tmap;
static std::set<int> oset;
// finds: update torn between lines 'slots[13].value'
static void upsert_vector() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t k = A[B[i]] % 50 + 1;
    Slot &s = slots[k];
    if (s.key == k)
      s.value += i;
    else {
      s.key = k;
      s.value = i;
    }
  }
}
// finds: reads what another iteration wrote 'this->keys[13]'
static void upsert_template() {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    table.upsert(A[B[i]] % 50 + 1, i);
}
// finds: sequential variable
static void upsert_unordered_map() {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    umap[A[B[i]] % 50] += i;
}
// finds: sequential variable
static void upsert_map() {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    ++tmap[A[B[i]] % 50];
}
// finds: update torn between lines 'slots[113].value'
static void upsert_lambda() {
  auto put = [&](uint32_t k, uint32_t v) {
    auto &s = slots[k + 100];
    if (!s.key) {
      s.key = k;
      s.value = v;
    } else
      s.value ^= v;
  };
#pragma heddle async
  for (int i = 0; i < N; ++i)
    put(A[B[i]] % 50 + 1, i);
}
// finds: reads what another iteration wrote
static void upsert_find() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto it = umap.find(A[B[i]] % 90);
    if (it == umap.end())
      umap.emplace(A[B[i]] % 90, i);
    else
      it->second += i;
  }
}
struct Sum {
  uint64_t total = 1;
  void add(uint64_t x) { total = total * 7 + x; }
};
// finds: sequential variable 'this->total'
static void reduction_member() {
  Sum s;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    s.add(A[B[i]]);
  out[0] = s.total;
}
// finds: sequential variable 'this->total'
static void reduction_unique() {
  auto s = std::make_unique<Sum>();
#pragma heddle async
  for (int i = 0; i < N; ++i)
    s->add(A[B[i]]);
  out[0] = s->total;
}
// finds: sequential variable
static void reduction_string() {
  std::string s;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    s += char('a' + A[B[i]] % 26);
  out[1] = s.size();
}
// finds: sequential variable 'h'
static void reduction_lambda() {
  uint64_t h = 0;
  auto mix = [&](uint64_t x) { h = h * 31 + x; };
#pragma heddle async
  for (int i = 0; i < N; ++i)
    mix(A[B[i]]);
  out[2] = h;
}
// finds: reads what another iteration wrote 'out[1]'
static void prefix_vector() {
#pragma heddle async
  for (size_t i = 1; i < out.size(); ++i)
    out[i] = out[i - 1] + A[B[i]];
}
// finds: reads what another iteration wrote
static void prefix_iterator() {
#pragma heddle async
  for (auto it = out.begin() + 1; it != out.end(); ++it)
    *it = *(it - 1) + 3;
}
// finds: reads what another iteration wrote
static void prefix_array() {
  static std::array<uint64_t, N> a;
#pragma heddle async
  for (int i = 1; i < N; ++i)
    a[i] = a[i - 1] + A[B[i]];
}
// finds: reads what another iteration wrote 's[1].value'
static void prefix_struct() {
  static Slot s[N];
#pragma heddle async
  for (int i = 1; i < N; ++i)
    s[i].value = s[i - 1].value + A[B[i]];
}
// Whose conflict is shown depends on which thread is first.
// finds: reads what another iteration wrote
static void prefix_omp() {
#pragma omp parallel for num_threads(2) schedule(dynamic, 64)
#pragma heddle async
  for (int i = 1; i < N; ++i)
    out[i] = out[i - 1] + A[B[i]];
}
// finds: sequential variable
static void list_push_back() {
  std::vector<uint64_t> v;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    v.push_back(A[B[i]]);
  out[3] = v.size();
}
// finds: sequential variable
static void list_push_back_reserved() {
  std::vector<uint64_t> v;
  v.reserve(N);
#pragma heddle async
  for (int i = 0; i < N; ++i)
    v.push_back(A[B[i]]);
  out[3] = v.size();
}
// finds: sequential variable
static void list_emplace() {
  std::vector<Slot> v;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    if (A[i] & 1)
      v.emplace_back();
  out[3] = v.size();
}
// finds: reads what another iteration wrote
static void list_std_list() {
  std::list<uint64_t> v;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    v.push_back(A[B[i]]);
  out[3] = v.size();
}
// finds: sequential variable
static void list_deque() {
  std::deque<uint64_t> v;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    v.push_front(A[B[i]]);
  out[3] = v.size();
}
// finds: sequential variable
static void list_buckets() {
  std::vector<std::vector<uint64_t>> v(16);
#pragma heddle async
  for (int i = 0; i < N; ++i)
    v[A[B[i]] % 16].push_back(i);
  out[3] = v[0].size();
}
struct Nd {
  std::unique_ptr<Nd> next;
  uint64_t v;
};
// finds: sequential variable
static void list_unique() {
  std::unique_ptr<Nd> head;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto n = std::make_unique<Nd>();
    n->v = A[B[i]];
    n->next = std::move(head);
    head = std::move(n);
  }
  while (head)
    head = std::move(head->next);
}
// finds: reads what another iteration wrote
static void list_set() {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    oset.insert(A[B[i]] % 100);
}
// finds: reads what another iteration wrote 'w[0]'
static void worklist_vector() {
  std::vector<int> w{1};
  std::vector<bool> seen(M);
#pragma heddle async
  for (size_t i = 0; i < w.size(); ++i) {
    int v = A[w[i]] % M;
    if (!seen[v]) {
      seen[v] = true;
      w.push_back(v);
    }
    int x = B[w[i]];
    if (!seen[x]) {
      seen[x] = true;
      w.push_back(x);
    }
  }
}
// finds: reads what another iteration wrote
static void worklist_queue() {
  std::queue<int> q;
  q.push(1);
  std::vector<char> seen(M);
#pragma heddle async
  while (!q.empty()) {
    int u = q.front();
    q.pop();
    int v = A[u] % M;
    if (!seen[v]) {
      seen[v] = 1;
      q.push(v);
    }
    int x = B[u];
    if (!seen[x]) {
      seen[x] = 1;
      q.push(x);
    }
  }
}
// finds: reads what another iteration wrote
static void worklist_deque() {
  std::deque<int> q{1};
  std::vector<char> seen(M);
#pragma heddle async
  while (!q.empty()) {
    int u = q.front();
    q.pop_front();
    int v = A[u] % M;
    if (!seen[v]) {
      seen[v] = 1;
      q.push_back(v);
    }
  }
}
struct UF {
  std::vector<int> p = std::vector<int>(M);
  UF() { std::iota(p.begin(), p.end(), 0); }
  int find(int x) {
    while (p[x] != x)
      x = p[x] = p[p[x]];
    return x;
  }
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    if (a != b)
      p[a] = b;
  }
};
// finds: update torn between lines 'this->p[411]'
static void union_find_class() {
  UF u;
#pragma heddle async
  for (int i = 0; i < N; ++i)
    u.unite(A[i] % M, B[i] % M);
}
// finds: reads what another iteration wrote 'size[411]'
static void union_find_size() {
  UF u;
  std::vector<int> size(M, 1);
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    int a = u.find(A[i] % M), b = u.find(B[i]);
    if (a == b)
      continue;
    if (size[a] < size[b])
      std::swap(a, b);
    u.p[b] = a;
    size[a] += size[b];
  }
}
// finds: update torn between lines
static void union_find_omp() {
  UF u;
#pragma omp parallel for num_threads(2)
#pragma heddle async
  for (int i = 0; i < N; ++i)
    u.unite(A[i] % M, B[i] % M);
}
__attribute__((noinline)) static const std::string &name(uint64_t x) {
  static std::string s;
  s = "number " + std::to_string(x);
  return s;
}
// finds: order-dependent output
static void buffer_string() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const std::string &s = name(A[i]);
    out[i] = A[B[i]] + s[7];
  }
}
__attribute__((noinline)) static std::vector<uint64_t> &near(uint64_t x) {
  static std::vector<uint64_t> v;
  v.clear();
  for (int j = 0; j < 3; ++j)
    v.push_back(x + j);
  return v;
}
// finds: sequential variable
static void buffer_vector() {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    auto &v = near(A[i]);
    uint64_t s = A[B[i]];
    for (uint64_t x : v)
      s += x;
    out[i] = s;
  }
}
struct Parser {
  char buffer[16];
  const char *text(uint64_t x) {
    std::snprintf(buffer, sizeof buffer, "%u", unsigned(x));
    return buffer;
  }
};
// finds: order-dependent output 'this->buffer[0]'
static void buffer_member() {
  static Parser p;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const char *s = p.text(A[i]);
    out[i] = A[B[i]] + s[0];
  }
}
__attribute__((noinline)) static uint64_t *scratch(uint64_t x) {
  thread_local uint64_t t[4];
  for (int j = 0; j < 4; ++j)
    t[j] = x + j;
  return t;
}
// finds: order-dependent output 't[0]'
static void buffer_thread() {
#pragma omp parallel for num_threads(2)
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t *t = scratch(A[i]);
    out[i] = A[B[i]] + t[2];
  }
}
int main() {
  for (int i = 0; i < M; i++)
    A[i] = (i * 2654435761u >> 7) % M, B[i] = (i * 7919u) % M;
  upsert_vector();
  upsert_template();
  upsert_unordered_map();
  upsert_map();
  upsert_lambda();
  upsert_find();
  reduction_member();
  reduction_unique();
  reduction_string();
  reduction_lambda();
  prefix_vector();
  prefix_iterator();
  prefix_array();
  prefix_struct();
  prefix_omp();
  list_push_back();
  list_push_back_reserved();
  list_emplace();
  list_std_list();
  list_deque();
  list_buckets();
  list_unique();
  list_set();
  worklist_vector();
  worklist_queue();
  worklist_deque();
  union_find_class();
  union_find_size();
  union_find_omp();
  buffer_string();
  buffer_vector();
  buffer_member();
  buffer_thread();
}

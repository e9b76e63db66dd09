// Virtual functions that call each other: lists longer than the stack of a
// nested coroutine, trees of several types, virtual bases.
//
// RUN: %same_output -std=c++20 -fwrapv | FileCheck %s
// CHECK-COUNT-5: interleaved the loop's iterations

#include "../../Inputs/program.h"
#include <algorithm>
#include <vector>

#define ELSEWHERE __attribute__((weak, noinline))

namespace deep {
struct L {
  L *next = nullptr;
  int64_t v = 0;
  virtual ~L() = default;
  virtual int64_t count(int64_t d) const = 0;
  virtual void push(std::vector<int64_t> &o) const = 0;
};
struct X final : L {
  int64_t count(int64_t d) const override {
    return next ? 1 + next->count(d + 1) * 3 : d;
  }
  void push(std::vector<int64_t> &o) const override {
    o.push_back(v);
    if (next)
      next->push(o);
  }
};
struct Y final : L {
  int64_t count(int64_t d) const override {
    int64_t t[4] = {d, v, d + v, 1};
    if (next)
      t[d & 3] += next->count(d ^ 1);
    return t[0] + t[1] * 2 + t[2] * 3 + t[3];
  }
  void push(std::vector<int64_t> &o) const override {
    if (next)
      next->push(o);
    o.push_back(-v);
  }
};
struct Z final : L {
  ELSEWHERE int64_t count(int64_t d) const override {
    return next ? next->count(d) ^ v : v;
  }
  ELSEWHERE void push(std::vector<int64_t> &o) const override {
    if (next)
      next->push(o);
  }
};
static L *l[32];
static void build() {
  if (l[0])
    return;
  for (int64_t i = 0; i < Elements; ++i) {
    L *s;
    switch (scramble(i) % 5) {
    case 0:
    case 1:
      s = new X;
      break;
    case 2:
    case 3:
      s = new Y;
      break;
    default:
      s = new Z;
    }
    s->v = i;
    s->next = l[i % 32];
    l[i % 32] = s;
  }
}
PROGRAM(counts) {
  build();
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += l[keys[i] % 32]->count(i);
  return sum;
}
PROGRAM(pushes) {
  build();
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t> o;
    l[keys[i] % 32]->push(o);
    sum += o[o.size() / 2] * i;
  }
  return sum;
}
} // namespace deep

namespace tree {
template <class K> struct TNode {
  K key{};
  virtual ~TNode() = default;
  virtual const TNode *find(K k) const = 0;
  virtual int64_t height() const = 0;
};
template <class K> struct TEmpty final : TNode<K> {
  const TNode<K> *find(K) const override { return nullptr; }
  int64_t height() const override { return 0; }
};
template <class K> struct TFull final : TNode<K> {
  const TNode<K> *l, *r;
  const TNode<K> *find(K k) const override {
    if (k == this->key)
      return this;
    return k < this->key ? l->find(k) : r->find(k);
  }
  int64_t height() const override {
    return 1 + std::max(l->height(), r->height());
  }
};
template <class K> static const TNode<K> *build(int64_t lo, int64_t hi) {
  if (lo >= hi)
    return new TEmpty<K>;
  auto *t = new TFull<K>;
  t->key = (lo + hi) / 2;
  t->l = build<K>(lo, (lo + hi) / 2);
  t->r = build<K>((lo + hi) / 2 + 1, hi);
  return t;
}
template <class K> static int64_t query(int64_t n) {
  static const TNode<K> *root = build<K>(0, 2000);
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES) {
    auto *t = root->find(K(keys[i]));
    s += t ? int64_t(t->key) : -1;
  }
  return s;
}
PROGRAM(longs) { return query<int64_t>(n); }
PROGRAM(shorts) { return query<short>(n); }
PROGRAM(doubles) { return query<double>(n); }
PROGRAM(heights) {
  static const TNode<int> *ts[4] = {build<int>(0, 100), build<int>(0, 7),
                                    build<int>(3, 60), build<int>(1, 2)};
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES)
    s += ts[keys[i] & 3]->height() * i;
  return s;
}
} // namespace tree

namespace diamond {
struct Base {
  int64_t b = 1;
  virtual ~Base() = default;
  virtual int64_t f(int64_t) const { return b; }
  virtual const Base *up() const { return this; }
};
struct Le : virtual Base {
  int64_t l = 2;
  int64_t f(int64_t x) const override { return l * x + b; }
};
struct Ri : virtual Base {
  int64_t r = 3;
  const Ri *up() const override { return this; }
};
struct Bo final : Le, Ri {
  int64_t z = 4;
  int64_t f(int64_t x) const override { return z + x + l + r + b; }
  const Bo *up() const override { return this; }
};
static std::vector<const Base *> all;
PROGRAM(diamonds) {
  if (all.empty())
    for (int64_t i = 0; i < 512; ++i) {
      Base *x;
      if (i % 4 == 0)
        x = new Base;
      else if (i % 4 == 1)
        x = new Le;
      else if (i % 4 == 2)
        x = new Ri;
      else
        x = new Bo;
      x->b = i;
      all.push_back(x);
    }
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES) {
    const Base *x = all[table[keys[i]] % 512];
    s += x->up()->f(keys[i]) * 3 + x->f(1);
  }
  return s;
}
} // namespace diamond

int main() {
  prepare();
  printPrograms();
}

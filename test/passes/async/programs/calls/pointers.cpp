// Calls through pointers to functions in iterations: tables, arguments,
// callbacks, std::function, pointers to members, and functions that are weak,
// which stand for those of other files: no call is compared with them.
//
// RUN: %same_output -std=c++20 -fwrapv | FileCheck %s
// CHECK-COUNT-8: interleaved the loop's iterations

#include "../../Inputs/program.h"
#include <functional>
#include <vector>

#define ELSEWHERE __attribute__((weak, noinline))

// Pointers to functions: a table, an argument, std::function, members.
namespace pointers {
static int64_t walk(const Node *p, int64_t key) {
  while (p && p->key != key)
    p = p->next;
  return p ? p->value : -1;
}
static int64_t first(const Node *p, int64_t key) {
  return p && p->next ? p->next->value + key : key;
}
static int64_t length(const Node *p, int64_t) {
  int64_t count = 0;
  for (; p; p = p->next)
    ++count;
  return count;
}
using Question = int64_t (*)(const Node *, int64_t);
static constexpr Question questions[] = {walk, first, length};

PROGRAM(table) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum +=
        questions[keys[i] % 3](buckets[scramble(keys[i]) % Buckets], keys[i]);
  return sum;
}

static NOINLINE int64_t ask(int64_t n, Question question) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += question(buckets[scramble(keys[i]) % Buckets], keys[i]);
  return sum;
}
PROGRAM(argument) { return ask(n, walk) + 3 * ask(n, length); }

static NOINLINE int64_t
apply(int64_t n, const std::function<int64_t(const Node *, int64_t)> &f) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += f(buckets[scramble(keys[i]) % Buckets], keys[i]);
  return sum;
}
PROGRAM(wrapped) {
  return apply(n,
               [n](const Node *p, int64_t key) { return walk(p, key) + n; }) +
         5 * apply(n, length);
}

// A search of a tree by a comparison that the caller chooses.
struct Branch {
  Branch *left = nullptr, *right = nullptr;
  int64_t key;
};
using Less = bool (*)(const Branch &, int64_t);
static bool below(const Branch &at, int64_t key) { return at.key < key; }
static bool above(const Branch &at, int64_t key) { return at.key > key; }
static Branch *build(int64_t low, int64_t high) {
  if (low >= high)
    return nullptr;
  const int64_t middle = (low + high) / 2;
  return new Branch{build(low, middle), build(middle + 1, high), middle};
}
static Branch *const root = build(0, Elements);

static NOINLINE int64_t search(int64_t n, const Branch *root, Less less) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Branch *at = root, *best = nullptr;
    while (at) {
      const bool right = less(*at, keys[i]);
      best = right ? best : at;
      at = right ? at->right : at->left;
    }
    sum += best ? best->key : -1;
  }
  return sum;
}
PROGRAM(comparison) {
  return search(n, root, below) * 7 + search(n, root, above);
}

// Structures of functions, as in C.
struct Store;
struct Operations {
  int64_t (*get)(const Store *, int64_t);
  void (*note)(Store *, int64_t);
};
struct Store {
  const Operations *operations;
  const Node *const *heads;
  int64_t noted;
};
static int64_t getFirst(const Store *s, int64_t key) {
  const Node *p = s->heads[scramble(key) % Buckets];
  return p ? p->value : 0;
}
static int64_t getFound(const Store *s, int64_t key) {
  return walk(s->heads[scramble(key) % Buckets], key);
}
static void noteSum(Store *s, int64_t value) { s->noted += value; }
static void noteMost(Store *s, int64_t value) {
  s->noted = value > s->noted ? value : s->noted;
}
static constexpr Operations plain = {getFirst, noteSum},
                            full = {getFound, noteMost};
PROGRAM(operations) {
  Store stores[] = {{&plain, buckets, 0}, {&full, buckets, 0}};
  ASYNC_LOOP(CLAUSES) {
    Store *s = &stores[keys[i] % 2];
    s->operations->note(s, s->operations->get(s, keys[i]));
  }
  return stores[0].noted * 3 + stores[1].noted;
}

struct Asker {
  int64_t salt;
  int64_t one(const Node *p) const { return walk(p, salt) + 1; }
  int64_t two(const Node *p) const { return length(p, salt) * salt; }
};
static NOINLINE int64_t ask(int64_t n, const Asker *asker,
                            int64_t (Asker::*how)(const Node *) const) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += (asker->*how)(buckets[scramble(keys[i]) % Buckets]);
  return sum;
}
PROGRAM(members) {
  const Asker asker{17};
  return ask(n, &asker, &Asker::one) + 3 * ask(n, &asker, &Asker::two);
}
} // namespace pointers

namespace callbacks {
struct Ctx {
  int64_t a;
  const Node *const *b;
};
using Fn = int64_t (*)(void *, int64_t);
static int64_t f1(void *c, int64_t k) {
  auto *x = (Ctx *)c;
  const Node *p = x->b[scramble(k) % Buckets];
  return p ? p->value + x->a : 0;
}
static int64_t f2(void *c, int64_t k) {
  auto *x = (Ctx *)c;
  const Node *p = x->b[scramble(k * 3) % Buckets];
  while (p && p->next)
    p = p->next;
  return p ? p->key : x->a;
}
static int64_t f3(void *c, int64_t k) {
  if (k % 5 == 0)
    throw k;
  return f1(c, k) * 2;
}
struct Cb {
  Fn f;
  void *c;
};
PROGRAM(callbacks) {
  Ctx c{5, buckets};
  Cb cbs[4] = {{f1, &c}, {f2, &c}, {f1, &c}, {f2, &c}};
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES) {
    const Cb &x = cbs[table[keys[i]] % 4];
    s += x.f(x.c, keys[i]);
  }
  return s;
}
PROGRAM(throwing) {
  Ctx c{5, buckets};
  Cb cbs[3] = {{f1, &c}, {f2, &c}, {f3, &c}};
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES) {
    const Cb &x = cbs[table[keys[i]] % 3];
    try {
      s += x.f(x.c, keys[i]);
    } catch (int64_t k) {
      s -= k;
    }
  }
  return s;
}
static int64_t rec(const Node *p, Fn f, void *c) {
  return p ? f(c, p->key) + rec(p->next, f, c) * 3 : 1;
}
PROGRAM(recursion) {
  Ctx c{5, buckets};
  Fn fs[] = {f1, f2};
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES)
    s += rec(buckets[scramble(keys[i]) % Buckets], fs[keys[i] & 1], &c);
  return s;
}
static Fn current;
static int64_t other(void *c, int64_t k) {
  current = k & 1 ? f1 : f2;
  return f1(c, k);
}
PROGRAM(changed) {
  Ctx c{5, buckets};
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES) {
    current = keys[i] & 2 ? other : f1;
    s += current(&c, keys[i]);
    s += current(&c, table[keys[i]]) * 3;
  }
  return s;
}
static NOINLINE int64_t viaFunction(int64_t n,
                                    std::function<int64_t(int64_t)> f,
                                    std::function<bool(const Node *)> g) {
  int64_t s = 0;
  ASYNC_LOOP(CLAUSES) {
    const Node *p = buckets[scramble(keys[i]) % Buckets];
    while (p && !g(p))
      p = p->next;
    s += p ? f(p->value) : f(-1);
  }
  return s;
}
PROGRAM(functions) {
  int64_t t = n;
  return viaFunction(
             n, [&](int64_t x) { return x * 2 + t; },
             [](const Node *p) { return p->value & 1; }) +
         viaFunction(
             n, [](int64_t x) { return x; },
             [t](const Node *p) { return p->key < t; });
}
} // namespace callbacks

namespace shared {
// Most calls go to unknown functions; they note and read what they share.
static int64_t log_[8], at;
struct U {
  virtual ~U() = default;
  virtual int64_t step(const Node *&p, int64_t d) = 0;
};
struct K1 final : U {
  int64_t step(const Node *&p, int64_t d) override {
    p = p ? p->next : nullptr;
    return d;
  }
};
struct E1 final : U {
  ELSEWHERE int64_t step(const Node *&p, int64_t d) override {
    log_[at & 7] += d;
    ++at;
    p = p && p->next ? p->next : p;
    return log_[(at - 1) & 7];
  }
};
struct E2 final : U {
  ELSEWHERE int64_t step(const Node *&p, int64_t d) override {
    const int64_t r = log_[at & 7];
    log_[at & 7] = 0;
    return r + d;
  }
};
static K1 k1;
static E1 e1;
static E2 e2;
static U *us[] = {&k1, &e1, &k1, &e2};
PROGRAM(logged) {
  int64_t s = 0;
  for (auto &x : log_)
    x = 0;
  ASYNC_LOOP(CLAUSES) {
    at = 0;
    for (auto &x : log_)
      x = 0;
    const Node *p = buckets[scramble(keys[i]) % Buckets];
    for (int64_t d = 0; d < 6; ++d)
      s += us[(keys[i] >> d) & 3]->step(p, d + i) * (p ? p->value : 3);
  }
  return s;
}
// The unknown functions reset by themselves: what is noted lives from the first
// call of them to the last.
struct V {
  virtual ~V() = default;
  virtual int64_t step(const Node *p, int64_t d, bool first) = 0;
};
static int64_t noted;
struct W1 final : V {
  int64_t step(const Node *p, int64_t d, bool) override {
    return p && p->next ? p->next->value + d : d;
  }
};
struct W2 final : V {
  ELSEWHERE int64_t step(const Node *p, int64_t d, bool first) override {
    if (first)
      noted = 0;
    noted += d + (p ? p->value : 1);
    return noted;
  }
};
static W1 w1;
static W2 w2;
static V *vs[] = {&w1, &w2, &w1, &w2};
PROGRAM(session) {
  int64_t s = 0;
  noted = 0;
  ASYNC_LOOP(CLAUSES) {
    bool first = true;
    for (int64_t d = 0; d < 8; ++d) {
      V *v = vs[(keys[i] >> d) & 3];
      s +=
          v->step(buckets[scramble(keys[i] + d) % Buckets], d, first) * (d + 1);
      if (v == &w2)
        first = false;
    }
  }
  return s;
}
} // namespace shared

int main() {
  prepare();
  printPrograms();
}

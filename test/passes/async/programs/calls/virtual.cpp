// Calls of virtual functions and through pointers in iterations. Functions that
// are weak stand for those of other files: no call is compared with them.
//
// RUN: %same_output -std=c++20 -fwrapv | FileCheck %s
// CHECK-COUNT-6: interleaved the loop's iterations

#include "../../Inputs/program.h"
#include <memory>
#include <stdexcept>
#include <vector>

#define ELSEWHERE __attribute__((weak, noinline))

// A trie with nodes of three kinds, one of which is unknown.
namespace trie {
static int64_t visits, last;

struct Trie {
  int64_t value = 0;
  virtual ~Trie() = default;
  virtual const Trie *child(unsigned letter) const = 0;
};
struct Wide final : Trie {
  Trie *children[8] = {};
  const Trie *child(unsigned letter) const override { return children[letter]; }
};
struct Narrow : Trie {
  unsigned char letters[3] = {};
  unsigned count = 0;
  Trie *children[3] = {};
  const Trie *child(unsigned letter) const override {
    for (unsigned i = 0; i < count; ++i)
      if (letters[i] == letter)
        return children[i];
    return nullptr;
  }
};
// Notes something, and uses what it has noted.
struct Odd final : Narrow {
  ELSEWHERE const Trie *child(unsigned letter) const override {
    if (last && (last ^ letter) % 3 == 0)
      ++visits;
    last = letter + 1;
    return Narrow::child(letter);
  }
};

static Trie *grow(int depth, uint64_t seed, bool odd) {
  const unsigned kind = seed % 5;
  Trie *made;
  if (kind < 2) {
    auto *wide = new Wide;
    for (unsigned i = 0; depth && i < 8; ++i)
      if (scramble(seed + i) % 4)
        wide->children[i] = grow(depth - 1, scramble(seed ^ i), odd);
    made = wide;
  } else {
    auto *narrow = odd && kind == 4 ? new Odd : new Narrow;
    narrow->count = depth ? seed % 4 : 0;
    for (unsigned i = 0; i < narrow->count; ++i) {
      narrow->letters[i] = (seed >> 3 * i & 3) + 2 * i;
      narrow->children[i] = grow(depth - 1, scramble(seed * 3 + i), odd);
    }
    made = narrow;
  }
  made->value = seed % 1000;
  return made;
}

static Trie *const known = grow(5, 5, false);
static Trie *const mixed = grow(5, 5, true);

static int64_t walk(const Trie *root, int64_t word) {
  const Trie *node = root;
  int64_t sum = 0;
  for (int depth = 0; node && depth < 6; ++depth) {
    sum += node->value;
    node = node->child(word & 7);
    word >>= 3;
  }
  return node ? sum * 3 : sum;
}

PROGRAM(knownKinds) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += walk(known, scramble(keys[i]));
  return sum;
}

// What the unknown kind notes is the iteration's, from one call to the next.
PROGRAM(mixedKinds) {
  int64_t sum = 0;
  visits = last = 0;
  ASYNC_LOOP(CLAUSES) {
    last = 0;
    sum += walk(mixed, scramble(keys[i]));
  }
  return sum + visits;
}

PROGRAM(mixedKindsNoted) {
  static int64_t out[Elements];
  ASYNC_LOOP(CLAUSES) {
    visits = last = 0;
    out[i] = walk(mixed, scramble(keys[i])) + visits;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum = scramble(sum ^ out[i]);
  return sum;
}

// A member that is read again.
struct Dictionary {
  const Trie *root;
  std::vector<int64_t> words;

  NOINLINE int64_t count(int64_t n) const {
    int64_t sum = 0;
#pragma heddle async
    for (int64_t word : words) {
      const Trie *node = root;
      for (int depth = 0; node && depth < 6; ++depth, word >>= 3)
        node = node->child(word & 7);
      if (node)
        sum += node->value;
    }
    return sum + n;
  }
};

PROGRAM(member) {
  Dictionary dictionary{mixed, {}};
  for (int64_t i = 0; i < n; ++i)
    dictionary.words.push_back(scramble(keys[i]));
  return dictionary.count(n);
}
} // namespace trie

// Trees whose nodes ask each other.
namespace expressions {
struct Expression {
  virtual ~Expression() = default;
  virtual int64_t value(int64_t x) const = 0;
};
using Owned = std::unique_ptr<Expression>;
struct Constant final : Expression {
  int64_t number;
  explicit Constant(int64_t number) : number(number) {}
  int64_t value(int64_t) const override { return number; }
};
struct Variable final : Expression {
  int64_t value(int64_t x) const override { return x; }
};
struct Sum : Expression {
  Owned left, right;
  Sum(Owned left, Owned right)
      : left(std::move(left)), right(std::move(right)) {}
  int64_t value(int64_t x) const override {
    return left->value(x) + right->value(x);
  }
};
struct Product final : Sum {
  using Sum::Sum;
  int64_t value(int64_t x) const override {
    return left->value(x) * right->value(x + 1);
  }
};
struct Minimum final : Sum {
  using Sum::Sum;
  ELSEWHERE int64_t value(int64_t x) const override {
    const int64_t one = left->value(x), other = right->value(x);
    return one < other ? one : other;
  }
};

static Owned grow(int depth, uint64_t seed) {
  if (!depth || seed % 7 == 0)
    return seed % 2 ? Owned(new Constant(seed % 100)) : Owned(new Variable);
  Owned left = grow(depth - 1, scramble(seed)),
        right = grow(depth - 1, scramble(seed + 1));
  if (seed % 8 == 3)
    return Owned(new Minimum(std::move(left), std::move(right)));
  if (seed % 3)
    return Owned(new Sum(std::move(left), std::move(right)));
  return Owned(new Product(std::move(left), std::move(right)));
}

static const std::vector<Owned> &all() {
  static const std::vector<Owned> made = [] {
    std::vector<Owned> trees;
    for (uint64_t i = 0; i < 64; ++i)
      trees.push_back(grow(6, scramble(i)));
    return trees;
  }();
  return made;
}

PROGRAM(values) {
  const Owned *trees = all().data();
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += trees[keys[i] % 64]->value(i);
  return sum;
}
} // namespace expressions

// A bounding volume hierarchy, with a result that is handed on by reference.
namespace rays {
struct Hit {
  int64_t nearest = 1 << 20, shape = -1;
};
struct Shape {
  int64_t low = 0, high = 0;
  virtual ~Shape() = default;
  virtual void meet(int64_t ray, Hit &hit) const = 0;
};
struct Disc final : Shape {
  int64_t name;
  void meet(int64_t ray, Hit &hit) const override {
    const int64_t distance = (ray ^ low) & 1023;
    if (ray >= low && ray <= high && distance < hit.nearest)
      hit = {distance, name};
  }
};
struct Square final : Shape {
  int64_t name;
  void meet(int64_t ray, Hit &hit) const override {
    const int64_t distance = (ray * 3 ^ high) & 2047;
    if (ray >= low && ray <= high && distance < hit.nearest)
      hit = {distance, name};
  }
};
struct Group final : Shape {
  const Shape *one, *other;
  void meet(int64_t ray, Hit &hit) const override {
    if (ray < low || ray > high)
      return;
    one->meet(ray, hit);
    other->meet(ray, hit);
  }
};

static const Shape *grow(int64_t low, int64_t high, int64_t name) {
  Shape *made;
  if (high - low < 20) {
    if (name % 2) {
      auto *disc = new Disc;
      disc->name = name;
      made = disc;
    } else {
      auto *square = new Square;
      square->name = name;
      made = square;
    }
  } else {
    auto *group = new Group;
    group->one = grow(low, (low + high) / 2 + 3, 2 * name);
    group->other = grow((low + high) / 2 - 3, high, 2 * name + 1);
    made = group;
  }
  made->low = low;
  made->high = high;
  return made;
}

static const Shape *const scene = grow(0, Elements, 1);

PROGRAM(nearest) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Hit hit;
    scene->meet(keys[i], hit);
    sum += hit.nearest ^ hit.shape;
  }
  return sum;
}
} // namespace rays

// Several bases, so that calls go through thunks; covariant results.
namespace bases {
struct Named {
  int64_t name = 0;
  virtual ~Named() = default;
  virtual Named *self() { return this; }
};
struct Linked {
  Linked *next = nullptr;
  int64_t key = 0;
  virtual ~Linked() = default;
  virtual int64_t weight(int64_t x) const = 0;
  virtual Linked *self() { return this; }
};
namespace {
struct Both : Named, Linked {
  int64_t factor = 0;
  int64_t weight(int64_t x) const override { return factor * x + name; }
  Both *self() override { return this; }
};
struct Single final : virtual Linked {
  int64_t offset = 0;
  int64_t weight(int64_t x) const override { return x - offset; }
};
} // namespace

static Linked *lists[64];
static void build() {
  static bool built;
  if (built)
    return;
  built = true;
  for (int64_t i = 0; i < Elements; ++i) {
    Linked *made;
    if (scramble(i) % 3) {
      auto *both = new Both;
      both->name = i;
      both->factor = i % 5;
      made = both;
    } else {
      auto *single = new Single;
      single->offset = i % 11;
      made = single;
    }
    made->key = i;
    made->next = lists[i % 64];
    lists[i % 64] = made;
  }
}

PROGRAM(thunks) {
  build();
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Linked *at = lists[keys[i] % 64]; at && at->key > keys[i] / 2;
         at = at->next)
      sum += at->weight(i);
  }
  return sum;
}

PROGRAM(covariant) {
  build();
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Linked *at = lists[keys[i] % 64];
    while (at && at->key > keys[i])
      at = at->self()->next;
    sum += at ? at->weight(2) : 1;
  }
  return sum;
}
} // namespace bases

// Visitors, and targets that write.
namespace visitors {
struct Leaf;
struct Fork;
struct Visitor {
  virtual void visit(Leaf &) = 0;
  virtual void visit(Fork &) = 0;
};
struct Part {
  virtual ~Part() = default;
  virtual void accept(Visitor &) = 0;
};
struct Leaf final : Part {
  int64_t value = 0, count = 0;
  void accept(Visitor &v) override { v.visit(*this); }
};
struct Fork final : Part {
  Part *one, *other;
  void accept(Visitor &v) override { v.visit(*this); }
};
struct Adder final : Visitor {
  int64_t sum = 0;
  void visit(Leaf &leaf) override { sum += leaf.value; }
  void visit(Fork &fork) override {
    fork.one->accept(*this);
    fork.other->accept(*this);
  }
};
// The update of a leaf is whole.
struct Updater final : Visitor {
  int64_t by;
  explicit Updater(int64_t by) : by(by) {}
  void visit(Leaf &leaf) override {
    const int64_t before = leaf.value;
    leaf.value = (before + by) & 0xffff;
    leaf.count += before == leaf.value;
  }
  void visit(Fork &fork) override {
    (by & 1 ? fork.one : fork.other)->accept(*this);
  }
};

static Part *grow(int depth, uint64_t seed) {
  if (!depth || seed % 9 == 0) {
    auto *leaf = new Leaf;
    leaf->value = seed % 100;
    return leaf;
  }
  auto *fork = new Fork;
  fork->one = grow(depth - 1, scramble(seed));
  fork->other = grow(depth - 1, scramble(seed + 1));
  return fork;
}
static Part *const parts[] = {grow(4, 1), grow(3, 2), grow(4, 3), grow(5, 4)};

PROGRAM(sums) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Adder adder;
    parts[keys[i] % 4]->accept(adder);
    sum += adder.sum * i;
  }
  return sum;
}

PROGRAM(updates) {
  ASYNC_LOOP(CLAUSES) {
    Updater updater(keys[i]);
    parts[keys[i] % 4]->accept(updater);
  }
  Adder adder;
  for (Part *part : parts)
    part->accept(adder);
  return adder.sum;
}
} // namespace visitors

// Containers behind an interface: targets that claim, insert and unlink.
namespace containers {
struct Item {
  Item *next;
  int64_t key, count;
};
struct Bucket {
  Item *items = nullptr;
  int64_t size = 0, removed = 0;
  virtual ~Bucket() = default;
  virtual void add(int64_t key, Item *free) = 0;
  virtual bool remove(int64_t key) = 0;
};
struct Stack final : Bucket {
  void add(int64_t key, Item *free) override {
    for (Item *at = items; at; at = at->next)
      if (at->key == key) {
        ++at->count;
        return;
      }
    *free = {items, key, 1};
    items = free;
    ++size;
  }
  bool remove(int64_t key) override {
    for (Item **at = &items; *at; at = &(*at)->next)
      if ((*at)->key == key) {
        *at = (*at)->next;
        --size;
        return true;
      }
    return false;
  }
};
struct Sorted final : Bucket {
  ELSEWHERE void add(int64_t key, Item *free) override {
    Item **at = &items;
    while (*at && (*at)->key < key)
      at = &(*at)->next;
    if (*at && (*at)->key == key) {
      ++(*at)->count;
      return;
    }
    *free = {*at, key, 1};
    *at = free;
    ++size;
  }
  ELSEWHERE bool remove(int64_t key) override {
    Item **at = &items;
    while (*at && (*at)->key < key)
      at = &(*at)->next;
    if (!*at || (*at)->key != key)
      return false;
    *at = (*at)->next;
    --size;
    return true;
  }
};

static int64_t digest(Bucket *const *all) {
  uint64_t sum = 0;
  for (int b = 0; b < 16; ++b) {
    sum += all[b]->size;
    for (Item *at = all[b]->items; at; at = at->next)
      sum += scramble(at->key * 31 + at->count);
  }
  return sum >> 1;
}

PROGRAM(insertions) {
  static Item items[Elements];
  Stack stacks[8];
  Sorted sorted[8];
  Bucket *all[16];
  for (int b = 0; b < 16; ++b)
    all[b] = b % 2 ? static_cast<Bucket *>(&stacks[b / 2]) : &sorted[b / 2];
  ASYNC_LOOP(CLAUSES)
    all[keys[i] % 16]->add(table[keys[i]] % 512, &items[i]);
  return digest(all);
}

PROGRAM(removals) {
  static Item items[Elements];
  Stack stacks[8];
  Sorted sorted[8];
  Bucket *all[16];
  for (int b = 0; b < 16; ++b)
    all[b] = b % 2 ? static_cast<Bucket *>(&stacks[b / 2]) : &sorted[b / 2];
  for (int64_t i = 0; i < Elements; ++i)
    all[i % 16]->add(i, &items[i]);
  int64_t removed = 0;
  ASYNC_LOOP(CLAUSES)
    removed += all[keys[i] % 16]->remove(keys[i]);
  return digest(all) + removed;
}
} // namespace containers

// Exceptions that the iteration catches, and targets that throw.
namespace thrown {
struct Check {
  virtual ~Check() = default;
  virtual int64_t test(const Node *p) const = 0;
};
struct Strict final : Check {
  int64_t test(const Node *p) const override {
    if (!p)
      throw std::out_of_range("none");
    return p->value;
  }
};
struct Lenient final : Check {
  int64_t test(const Node *p) const override { return p ? p->value : -5; }
};
static Strict strict;
static Lenient lenient;
static const Check *const checks[] = {&strict, &lenient};

PROGRAM(caught) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      sum +=
          checks[keys[i] % 2]->test(buckets[scramble(keys[i] + 1) % Buckets]);
    } catch (const std::out_of_range &) {
      sum += 1000;
    }
  }
  return sum;
}
} // namespace thrown

int main() {
  prepare();
  printPrograms();
}

// Functions of the file that stay calls, and move an iterator of the
// iteration's own or end the program. What the loop reads beside it, such as a
// root, keeps its value, unless the function changes that, too.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-3: remark: interleaved the loop's iterations
// CHECK: remark: loop not interleaved: {{.*}}because of the call of 'nextAndTurn
// CHECK-NOT: remark: {{.*}}interleaved

#include "../Inputs/program.h"

#undef NDEBUG
#include <assert.h>

struct Tree {
  Tree *left, *right, *parent;
  int64_t key;
};
struct Iterator {
  const Tree *at;
  int64_t steps;
};

static Tree trees[Elements], *root;
static int64_t moved;

static void insert(Tree *added) {
  Tree **link = &root;
  while (*link) {
    added->parent = *link;
    link = added->key < (*link)->key ? &(*link)->left : &(*link)->right;
  }
  *link = added;
}

NOINLINE static void grow() {
  root = nullptr;
  moved = 0;
  for (int64_t i = 0; i < Elements; ++i) {
    trees[i] = {nullptr, nullptr, nullptr, int64_t(scramble(i) % 100000)};
    insert(&trees[i]);
  }
}

NOINLINE static void next(Iterator *iterator) {
  const Tree *tree = iterator->at;
  assert(tree);
  if (tree->right) {
    for (tree = tree->right; tree->left; tree = tree->left)
      assert(tree->parent);
  } else {
    while (tree->parent && tree == tree->parent->right)
      tree = tree->parent;
    tree = tree->parent;
  }
  iterator->at = tree;
  ++iterator->steps;
}

NOINLINE static void nextAndCount(Iterator *iterator) {
  next(iterator);
  ++moved;
}

NOINLINE static void nextAndTurn(Iterator *iterator, Tree **where) {
  next(iterator);
  if (*where == &trees[0])
    *where = trees[0].left;
}

static Iterator lowerBound(const Tree *from, int64_t key) {
  const Tree *last = nullptr;
  for (const Tree *tree = from; tree;) {
    if (tree->key < key) {
      tree = tree->right;
    } else {
      last = tree;
      tree = tree->left;
    }
  }
  return {last, 0};
}

/// A loop over look-ups that go a step further by \p step.
#define LOOK_UPS(name, step)                                                   \
  PROGRAM(name) {                                                              \
    grow();                                                                    \
    int64_t sum = 0;                                                           \
    ASYNC_LOOP(CLAUSES) {                                                      \
      Iterator iterator = lowerBound(root, keys[i] * 20);                      \
      if (iterator.at && iterator.at->key % 3)                                 \
        step;                                                                  \
      sum += iterator.at ? iterator.at->key + iterator.steps : 7;              \
    }                                                                          \
    return sum;                                                                \
  }

LOOK_UPS(steps, next(&iterator))
LOOK_UPS(counted, (nextAndCount(&iterator), sum += moved * i))
LOOK_UPS(countedBefore, (sum += moved * i, nextAndCount(&iterator)))
LOOK_UPS(turned, nextAndTurn(&iterator, &root))

int main() {
  prepare();
  printPrograms();
}

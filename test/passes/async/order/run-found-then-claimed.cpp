// A walk down a tree or along a chain finds an element, and the iteration that
// claims it first appends something. The walk is in front of the turn.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-7: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

template <class Flag> struct TreeNode {
  TreeNode *left, *right;
  int64_t key;
  Flag seen;
};

/// A tree of every third number.
template <class Tree> static Tree *makeTree() {
  static Tree trees[Elements];
  Tree *root = nullptr;
  for (int64_t k = 0; k < Elements / 3; ++k) {
    const int64_t key = 3 * (keys[k] / 3);
    Tree **place = &root;
    while (*place && (*place)->key != key)
      place = key < (*place)->key ? &(*place)->left : &(*place)->right;
    if (!*place)
      *(*place = &trees[k]) = Tree{nullptr, nullptr, key, {}};
  }
  return root;
}

template <class Tree> static Tree *find(Tree *root, int64_t key) {
  while (root && root->key != key)
    root = key < root->key ? root->left : root->right;
  return root;
}

#define CLAIMS(name, Flag, Condition, Claim)                                   \
  PROGRAM(name) {                                                              \
    auto *root = makeTree<TreeNode<Flag>>();                                   \
    int64_t count = 0;                                                         \
    ASYNC_LOOP(CLAUSES) {                                                      \
      auto *node = find(root, table[i]);                                       \
      if (node && Condition) {                                                 \
        Claim;                                                                 \
        out[count++] = i;                                                      \
      }                                                                        \
    }                                                                          \
    return sumOf(out, count);                                                  \
  }

CLAIMS(flag, bool, !node->seen, node->seen = true)
CLAIMS(number, int, !node->seen, node->seen = int(i) + 1)
CLAIMS(second, short, node->seen < 2, ++node->seen)
CLAIMS(ofTheKeysType, int64_t, !node->seen, node->seen = i + 1)

static char seen[Elements];

PROGRAM(besideTheTree) {
  auto *root = makeTree<TreeNode<int64_t>>();
  memset(seen, 0, sizeof seen);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    auto *node = find(root, table[i]);
    if (node && !seen[node->key % 100]) {
      seen[node->key % 100] = 1;
      out[count++] = i;
    }
  }
  return sumOf(out, count);
}

struct Entry {
  int64_t key;
  Entry *next;
  bool matched;
};

PROGRAM(matches) {
  static Entry entries[Elements];
  Entry *chains[Buckets] = {};
  for (int64_t k = 0; k < Elements; ++k) {
    Entry *&chain = chains[scramble(keys[k]) % Buckets];
    entries[k] = {keys[k], chain, false};
    chain = &entries[k];
  }
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Entry *e = chains[scramble(table[i]) % Buckets]; e; e = e->next)
      if (e->key == table[i] && !e->matched) {
        e->matched = true;
        out[count++] = i + e->key;
      }
  }
  return sumOf(out, count);
}

// The claim changes what the walk reads.
PROGRAM(ofTheKey) {
  auto *root = makeTree<TreeNode<int64_t>>();
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    auto *node = root;
    while (node && node->key / 2 != table[i] / 2)
      node = table[i] / 2 < node->key / 2 ? node->left : node->right;
    if (node && node->key % 2 == 0) {
      ++node->key;
      out[count++] = i;
    }
  }
  return sumOf(out, count);
}

// One of two elements of two arrays is claimed.
PROGRAM(chosenElements) {
  int64_t key[2] = {}, value[2] = {}, count = 0;
  known(key), known(value);
  ASYNC_LOOP(CLAUSES) {
    const int64_t x = table[table[keys[i]]];
    const int which = x & 4 ? 0 : 1;
    if (!key[which] || x % 100 == 7) {
      key[which] = x + 1;
      value[which] = i;
      out[count++] = i + which;
    }
  }
  return sumOf(out, count) + sumOf(key, 2) + sumOf(value, 2);
}

// Characters are part of everything.
PROGRAM(byItsBytes) {
  static Entry entries[Elements];
  memset(static_cast<void *>(entries), 0, sizeof entries);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    Entry &entry = entries[table[keys[i]] % 500];
    const auto *bytes = reinterpret_cast<const unsigned char *>(&entry);
    if (!bytes[keys[i] % 2 ? 0 : 1]) {
      entry.key = table[table[keys[i]]] | 0x101;
      out[count++] = i;
    }
  }
  return sumOf(out, count);
}

int main() {
  prepare();
  printPrograms();
}

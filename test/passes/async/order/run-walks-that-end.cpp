// Walks that run ahead of what they append, where what happens in iteration
// order ends the program or the walk.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-7: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <stdlib.h>
#include <vector>

// Behind the node at which the program ends there is nothing.
PROGRAM(exitsAtLastNode) {
  return fateOf([&] {
    makeOpenLists(n);
    int64_t count = 0;
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = lists[i];; node = node->next)
        if (node->key % 2) {
          out[count++] = node->value;
          if (node->value == Nodes - 1)
            exit(3);
        } else if (node->value == Nodes - 1) {
          break;
        }
    }
    return sumOf(out, count);
  });
}

PROGRAM(exitsWhenFull) {
  return fateOf([&] {
    makeOpenLists(n);
    int64_t count = 0;
    const int64_t full = n / 2;
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = lists[i];; node = node->next) {
        if (node->key % 2) {
          out[count++] = node->value;
          if (count == full)
            exit(3);
        }
        if (node->value == (i >= n / 8 ? 2 * Nodes : Nodes - 1))
          break;
      }
    }
    return sumOf(out, count);
  });
}

PROGRAM(abortsWhenFull) {
  return fateOf([&] {
    makeRings(n);
    std::vector<int64_t> elements, &found = known(elements);
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = lists[i];; node = node->next) {
        if (node->key % 2) {
          found.push_back(node->value);
          if (found.size() >= 1000)
            abort();
        }
        if (node->value == (i % 50 == 49 ? 2 * Nodes : Nodes - 1))
          break;
      }
    }
    return sumOf(found);
  });
}

static NOINLINE void checkOutput(std::vector<int64_t> &to, const int64_t *seen,
                                 int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    bool done = false;
    for (Node *node = lists[i]; node; node = node->next) {
      if (!done && (node->key % 3 == 0 || node->value == 3)) {
        to.push_back(node->value | 1);
        done = true;
      }
      if (done && !seen[i])
        abort();
    }
  }
}

// What the iteration has appended is there when it is looked at.
PROGRAM(checksOutput) {
  makeLists(n);
  std::vector<int64_t> elements(2 * Elements), &found = known(elements);
  const int64_t *seen = known(found).data();
  found.clear();
  checkOutput(found, seen, n);
  return sumOf(found);
}

static int64_t *const rows = out;

static void lookForRow() {
  for (int64_t i = 0; i < Elements; ++i)
    if (rows[i] == 2001)
      _exit(5);
}

// The iteration that ends the program has appended its row.
PROGRAM(exitsBehindRow) {
  return fateOf([&] {
    makeLists(n);
    for (Node &node : own)
      node.key = 0;
    Node *last = &own[n / 2 * Nodes];
    last[2] = {&last[3], 7, 2001};
    last[5].key = 1002;
    memset(out, 0, sizeof(out));
    atexit(lookForRow);
    int64_t count = 0;
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = lists[i]; node; node = node->next) {
        if (node->key == 7)
          rows[count++] = node->value;
        if (node->key == 1002)
          exit(4);
      }
    }
    return count;
  });
}

PROGRAM(throws) {
  return fateOf([&] {
    freopen("/dev/null", "w", stderr);
    makeOpenLists(n);
    std::vector<int64_t> elements, &found = known(elements);
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = lists[i];; node = node->next)
        if (node->key % 3) {
          found.push_back(node->value);
          if (node->value == Nodes - 1)
            throw 1;
        } else if (node->value == Nodes - 1) {
          break;
        }
    }
    return sumOf(found);
  });
}

PROGRAM(catches) {
  std::vector<int64_t> elements, &found = known(elements);
  ASYNC_LOOP(CLAUSES) {
    try {
      for (Node *node = chainOf(i); node; node = node->next)
        if (isMatch(node, i)) {
          found.push_back(node->value);
          if (node->value % 7 == 0)
            throw node->value;
        }
    } catch (int64_t value) {
      found.push_back(-value);
    }
  }
  return sumOf(found);
}

PROGRAM(dividesUnlessItEnds) {
  return fateOf([&] {
    makeLists(n);
    int64_t count = 0, sum = 0;
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = lists[i]; node; node = node->next) {
        if (node->key % 50 == 0) {
          out[count++] = node->value;
          if (node->key == 0)
            exit(7);
        }
        sum += 1000 / node->key;
      }
    }
    return sumOf(out, count) + sum;
  });
}

PROGRAM(returns) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        out[count++] = node->value;
        if (node->value % 100 == 7)
          return sumOf(out, count) + i;
      }
  }
  return sumOf(out, count);
}

PROGRAM(breaks) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        out[count++] = node->value;
        if (node->value % 5 == 0)
          break;
      }
  }
  return sumOf(out, count);
}

PROGRAM(breaksByCount) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        out[count++] = node->value;
        if (count % 5 == 0)
          break;
      }
  }
  return sumOf(out, count);
}

PROGRAM(goesToNext) {
  int64_t count = 0, whole = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        out[count++] = node->value;
        if (out[count - 1] % 5 == 0)
          goto next;
      }
    ++whole;
  next:;
  }
  return sumOf(out, count) + whole;
}

PROGRAM(endsByLast) {
  std::vector<int64_t> elements, &found = known(elements);
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node && (found.empty() || found.back() % 4);
         node = node->next)
      found.push_back(node->value + i);
  }
  return sumOf(found);
}

PROGRAM(endsByValue) {
  makeOpenLists(n);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i];; node = node->next) {
      if (node->key % 2)
        out[count++] = node->value;
      if (node->value == Nodes - 1)
        break;
    }
  }
  return sumOf(out, count);
}

// What ends the walk is written into memory that is new in the iteration.
struct Flags {
  int8_t seen[64];
};
static Node endless[Elements];
static Flags *kept[Elements];
PROGRAM(endedByNewMemory) {
  static int64_t out[8 * Elements];
  int64_t count = 0;
  for (int64_t i = 0; i < Elements; ++i)
    endless[i] = {i % 8 == 7 ? (Node *)-4096 : &endless[i + 1], i | 1, i % 8};
  ASYNC_LOOP(CLAUSES) {
    Flags *flags = (Flags *)calloc(1, sizeof(Flags));
    kept[i] = flags;
    for (Node *node = &endless[keys[i] / 8 * 8];; node = node->next) {
      if ((node->key & 1) || node->value > 3) {
        out[count++] = node->key;
        flags->seen[node->value * 8] = 1;
      }
      if (flags->seen[40])
        break;
    }
  }
  int64_t sum = count;
  for (int64_t k = 0; k < count; ++k)
    sum = sum * 31 + out[k];
  for (int64_t i = 0; i < n; ++i)
    free(kept[i]);
  return sum;
}

int main() {
  prepare();
  printPrograms();
}

// Where iterations append in the middle of a walk, in iteration order, the walk
// runs ahead of that.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-11: remark: interleaved the loop's iterations
// CHECK-NOT: remark: interleaved

#include "../Inputs/program.h"

#include <vector>

struct Match {
  int64_t probe, value;
};

static int64_t out[8 * Elements], ends[Elements];

static int64_t sumOf(const int64_t *values, int64_t count) {
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + values[i];
  return sum;
}

static int64_t sumOf(const std::vector<Match> &matches) {
  int64_t sum = int64_t(matches.size());
  for (const Match &match : matches)
    sum = (sum * 31 + match.probe) * 31 + match.value;
  return sum;
}

/// A vector that is not only the loop's.
template <class T> static NOINLINE T &known(T &vector) {
  T *place = &vector;
  asm volatile("" : "+r"(place) : : "memory");
  return *place;
}

static Node *chainOf(int64_t i) { return buckets[scramble(keys[i]) % Buckets]; }
static bool isMatch(const Node *node, int64_t i) {
  return node->key % 3 == keys[i] % 3;
}

PROGRAM(vector) {
  std::vector<Match> own, &matches = known(own);
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        matches.push_back({i, node->value});
  }
  return sumOf(matches);
}

static NOINLINE void join(const std::vector<int64_t> &probes,
                          std::vector<Match> &matches) {
#pragma heddle async
  for (size_t i = 0; i < probes.size(); ++i)
    for (Node *node = chainOf(probes[i]); node; node = node->next)
      if (isMatch(node, probes[i]))
        matches.push_back({int64_t(i), node->value});
}

// The bound is in memory.
PROGRAM(vectorByReference) {
  std::vector<int64_t> probes;
  for (int64_t i = 0; i < n; ++i)
    probes.push_back(scramble(i) % Elements);
  std::vector<Match> matches;
  join(probes, matches);
  join(probes, matches);
  return sumOf(matches);
}

PROGRAM(reserved) {
  std::vector<Match> own, &matches = known(own);
  matches.reserve(100);
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        matches.emplace_back(Match{node->key, i});
  }
  return sumOf(matches);
}

PROGRAM(counter) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        out[count++] = node->value;
  }
  return sumOf(out, count);
}

PROGRAM(pointer) {
  int64_t *end = out;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        *end++ = node->value;
  }
  return sumOf(out, end - out);
}

PROGRAM(rowEnds) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        out[count++] = node->value;
    ends[i] = count;
  }
  return sumOf(out, count) + sumOf(ends, n);
}

PROGRAM(twoVectors) {
  std::vector<Match> own, &matches = known(own);
  std::vector<Match> ownOthers, &others = known(ownOthers);
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        matches.push_back({i, node->value});
      else if (node->value % 2)
        others.push_back({node->value, i});
  }
  return sumOf(matches) * 3 + sumOf(others);
}

// The walk ends at the second match.
PROGRAM(twoMatches) {
  std::vector<Match> own, &matches = known(own);
  int64_t without = 0;
  ASYNC_LOOP(CLAUSES) {
    int found = 0;
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        matches.push_back({i, node->value});
        if (++found == 2)
          break;
      }
    without += !found;
  }
  return sumOf(matches) + without;
}

// What is appended decides how the walk goes on.
PROGRAM(walkTurns) {
  std::vector<Match> own, &matches = known(own);
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node)
      if (isMatch(node, i)) {
        matches.push_back({i, node->value});
        node = node->next;
        if (node && matches.size() % 2)
          node = node->next;
      } else {
        node = node->next;
      }
  }
  return sumOf(matches);
}

// An iteration reads what it has appended.
PROGRAM(readsBack) {
  std::vector<Match> own, &matches = known(own);
  ASYNC_LOOP(CLAUSES) {
    int64_t sum = 0;
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        matches.push_back({i, node->value + sum});
        sum += matches.back().value % 8;
      }
  }
  return sumOf(matches);
}

// Each iteration continues what the one before has left.
PROGRAM(recurrence) {
  std::vector<Match> own, &matches = known(own);
  int64_t last = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        last = last * 31 + node->value;
        matches.push_back({i, last});
      }
  }
  return sumOf(matches) + last;
}

// Besides, the walk sums up.
PROGRAM(sumBeside) {
  int64_t count = 0, sum = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next) {
      sum += node->value;
      if (isMatch(node, i))
        out[count++] = node->value;
    }
  }
  return sumOf(out, count) + sum;
}

// An iteration sets, in a list of its own, what the walk comes to next.
PROGRAM(ownLinks) {
  static Node own[Elements][4];
  for (int64_t i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k)
      own[i][k] = {k < 3 ? &own[i][k + 1] : nullptr, int64_t(i * k), k};
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = &own[keys[i] * 0 + i][table[i] % 2]; node;
         node = node->next)
      if (node->key % 3 == 1) {
        out[count++] = node->value;
        if (node->next)
          node->next = node->next->next;
      }
  }
  return sumOf(out, count);
}

int main() {
  prepare();
  printPrograms();
}

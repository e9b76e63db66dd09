// What iterations append, and walks in which they do so.

#ifndef APPENDED_H
#define APPENDED_H

#include "program.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

inline int64_t out[8 * Elements];

inline int64_t sumOf(const int64_t *values, int64_t count) {
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + values[i];
  return sum;
}

template <class Container> int64_t sumOf(const Container &values) {
  int64_t sum = int64_t(values.size());
  for (const auto &value : values)
    sum = sum * 31 + int64_t(value);
  return sum;
}

/// A variable that is not only the loop's.
template <class T> NOINLINE T &known(T &variable) {
  T *place = &variable;
  asm volatile("" : "+r"(place) : : "memory");
  return *place;
}

template <class Function> NOINLINE int64_t resultOf(Function something) {
  return something();
}

/// What becomes of a program that does \p something.
template <class Function> int64_t fateOf(Function something) {
  fflush(stdout);
  const pid_t child = fork();
  if (!child) {
    alarm(60);
    _exit(int(uint64_t(resultOf(something)) % 251));
  }
  int fate = 0;
  waitpid(child, &fate, 0);
  return fate;
}

inline Node *chainOf(int64_t i) { return buckets[scramble(keys[i]) % Buckets]; }
inline bool isMatch(const Node *node, int64_t i) {
  return node->key % 3 == keys[i] % 3;
}

/// A list of each iteration's own. The value of a node is its place.
enum { Nodes = 6 };
inline Node own[Elements * Nodes], *lists[Elements];

/// Begins the lists anew; \p last says what follows the last node.
template <class Function> void makeLists(int64_t n, Function last) {
  for (int64_t i = 0; i < n; ++i) {
    Node *first = &own[i * Nodes];
    for (int k = 0; k < Nodes; ++k)
      first[k] = {k + 1 < Nodes ? first + k + 1 : last(first),
                  int64_t(scramble(i * Nodes + k) % 100), k};
    lists[i] = first + table[i] % 2;
  }
}
inline void makeLists(int64_t n) {
  makeLists(n, [](Node *) -> Node * { return nullptr; });
}
inline void makeRings(int64_t n) {
  makeLists(n, [](Node *first) { return first; });
}
/// Nobody may come to the end of these lists.
inline void makeOpenLists(int64_t n) {
  makeLists(n, [](Node *) { return reinterpret_cast<Node *>(-4096); });
}

#endif

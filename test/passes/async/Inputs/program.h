// The common parts of programs that are compared with their serial builds:
// data, numbers of iterations, and a way to print.

#ifndef PROGRAM_H
#define PROGRAM_H

#include "../../support/loop.h"

#include <stdint.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

struct Node {
  Node *next;
  int64_t key, value;
};

enum { Elements = 4096, Buckets = 1024 };
inline int64_t keys[Elements], table[Elements];
inline Node nodes[Elements];
inline Node *buckets[Buckets];

inline uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 29);
}

/// Every element of keys and table is an index of both; half of the chains in
/// buckets are longer than one.
inline void prepare() {
  for (uint64_t i = 0; i < Elements; ++i) {
    keys[i] = scramble(3 * i + 1) % Elements;
    table[i] = scramble(7 * i + 5) % Elements;
    Node *&bucket = buckets[scramble(i) % Buckets];
    nodes[i] = {bucket, int64_t(i), int64_t(scramble(i) % 1000)};
    bucket = &nodes[i];
  }
}

/// None, one, around the thresholds of the generated code, around the numbers
/// of tasks, and many more.
constexpr int64_t iterationCounts[] = {0,  1,  2,  3,  7,  8,   9,   47,
                                       48, 49, 63, 64, 65, 128, 129, Elements};

template <class Function>
void printForAllCounts(const char *name, Function function) {
  for (int64_t count : iterationCounts)
    printf("%s %lld: %lld\n", name, (long long)count,
           (long long)function(count));
}

/// A function whose results are printed. Those of a source file form a list, in
/// the order of the file.
struct Program {
  Program(const char *name, int64_t (*run)(int64_t)) : name(name), run(run) {
    *end = this;
    end = &next;
  }
  const char *name;
  int64_t (*run)(int64_t);
  Program *next = nullptr;
  static inline Program *first = nullptr, **end = &first;
};

/// Begins a function of the number of iterations, `n`, which printPrograms()
/// calls with all counts.
#define PROGRAM(name)                                                          \
  int64_t name(int64_t n);                                                     \
  static Program name##Program(#name, name);                                   \
  NOINLINE int64_t name(int64_t n)

inline void printPrograms() {
  for (const Program *program = Program::first; program;
       program = program->next)
    printForAllCounts(program->name, program->run);
}

#endif

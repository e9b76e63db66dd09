// An exception that leaves an iteration ends the program, whatever runs it,
// even if a caller would have caught it.
//
// DEFINE: %{compile} = %clangxx -std=c++20 -Wno-pass-failed %s -o %t
// DEFINE: %{runs} = for way in 0 1 2 3 4 5 6 7; do %t $way > %t.out; [ $? = 42 ] || exit 1; FileCheck %s < %t.out || exit 1; done
//
// RUN: %{compile} -O0 -DCLAUSES= && %{runs}
// RUN: %{compile} -O1 -DCLAUSES= && %{runs}
// RUN: %{compile} -O3 -g -DCLAUSES='if(0)' && %{runs}
// RUN: %{compile} -O2 -DCLAUSES='scheduler(fifo)' && %{runs}
// RUN: %{compile} -O3 -DCLAUSES='scheduler(lockstep)' && %{runs}
// RUN: %{compile} -O2 -g -DCLAUSES='tasks(1)' && %{runs}
// RUN: %{compile} -O2 -fsanitize=address -DCLAUSES= && %{runs}
//
// CHECK-NOT: caught
// CHECK: terminated
// CHECK-NOT: caught

#include "Inputs/program.h"
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

static int64_t total, fatal;

NOINLINE static void throwFor(int64_t value) {
  if (value == fatal)
    throw std::runtime_error("the one");
}

static void calls(int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    throwFor(table[table[keys[i]]]);
    total += i;
  }
}

static void throws(int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    if (table[table[keys[i]]] == fatal)
      throw i;
    total += i;
  }
}

struct Guard {
  ~Guard() { ++total; }
};

static void unwinds(int64_t n) {
  Guard around;
  std::vector<int64_t> before(10, n);
  ASYNC_LOOP(CLAUSES) {
    Guard own;
    std::string text(size_t(table[table[keys[i]]] % 100), 'x');
    throwFor(table[table[keys[i]]]);
    total += int64_t(text.size()) + before[i % 10];
  }
}

static void catchesOthers(int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    try {
      throwFor(table[table[keys[i]]]);
    } catch (const std::out_of_range &) {
      puts("caught inside");
    } catch (int) {
      puts("caught inside");
    }
    total += i;
  }
}

static void rethrows(int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    try {
      throwFor(table[table[keys[i]]]);
    } catch (const std::exception &) {
      throw;
    }
    total += i;
  }
}

static void callsObject(int64_t n, const std::function<void(int64_t)> &act) {
  ASYNC_LOOP(CLAUSES)
    act(table[table[keys[i]]]);
}

static void chain(int64_t n) {
  ASYNC_LOOP(CLAUSES)
    for (const Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      throwFor(node->key);
}

static void checks(int64_t n, const std::vector<int64_t> &small) {
  ASYNC_LOOP(CLAUSES)
    total += small.at(size_t(table[table[keys[i]]]));
}

int main(int, char **argv) {
  prepare();
  fatal = table[table[keys[150]]];
  std::set_terminate([] {
    puts(std::current_exception() ? "terminated" : "no exception");
    fflush(stdout);
    _Exit(42);
  });
  try {
    switch (atoi(argv[1])) {
    case 0:
      calls(Elements);
      break;
    case 1:
      throws(Elements);
      break;
    case 2:
      unwinds(Elements);
      break;
    case 3:
      catchesOthers(Elements);
      break;
    case 4:
      rethrows(Elements);
      break;
    case 5:
      callsObject(Elements, throwFor);
      break;
    case 6:
      fatal = buckets[keys[150] % Buckets]->key;
      chain(Elements);
      break;
    case 7:
      checks(Elements, std::vector<int64_t>(100));
      break;
    }
    puts("not caught");
  } catch (...) {
    puts("caught");
  }
}

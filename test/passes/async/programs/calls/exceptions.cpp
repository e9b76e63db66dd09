// Exceptions that an iteration handles itself, and loops that are left alone
// because a handler around them may catch one.
//
// RUN: %same_output | FileCheck %s

#include "../../Inputs/program.h"
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

struct Failure {
  int64_t value;
};
struct Worse : Failure {};

NOINLINE int64_t mayThrow(int64_t value) {
  if (value % 5 == 0)
    throw int(value);
  if (value % 7 == 0)
    throw Failure{value};
  if (value % 11 == 0)
    throw Worse{{value}};
  return value * 3;
}

// CHECK-DAG: :[[#@LINE + 4]]:{{.*}}remark: loop not interleaved: an exception that the call of 'mayThrow(long)' throws would leave it for the handler in line [[#@LINE + 10]] (line [[#@LINE + 5]])
NOINLINE int64_t caughtAround(int64_t n) {
  int64_t sum = 0;
  try {
    ASYNC_LOOP(CLAUSES)
      sum += mayThrow(table[table[keys[i]]]);
  } catch (int value) {
    return sum + value;
  } catch (const Failure &failure) {
    return sum + failure.value;
  }
  return sum;
}

// A handler around the loop catches what one inside rethrows.
// CHECK-DAG: :[[#@LINE + 4]]:{{.*}}remark: loop not interleaved: an exception that the call of 'mayThrow(long)' throws would leave it for the handler in line [[#@LINE + 11]]
NOINLINE int64_t rethrown(int64_t n) {
  int64_t sum = 0;
  try {
    ASYNC_LOOP(CLAUSES) {
      try {
        sum += mayThrow(table[table[keys[i]]]);
      } catch (const Failure &) {
        sum += i;
      }
    }
  } catch (int value) {
    return sum + value;
  }
  return sum;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t catchesAll(int64_t n) {
  int64_t sum = 0, caught = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    try {
      sum += mayThrow(value);
    } catch (...) {
      ++caught;
    }
    sum += table[value];
  }
  return sum * 1000 + caught;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t catchesByType(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      sum += mayThrow(table[table[keys[i]]]);
    } catch (int value) {
      sum += value * 2;
    } catch (const Worse &worse) {
      sum += worse.value * 4;
    } catch (Failure failure) {
      sum += failure.value * 8;
    }
  }
  return sum;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t catchesInTwoSteps(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      try {
        sum += mayThrow(table[table[keys[i]]]);
      } catch (const Failure &failure) {
        if (failure.value % 2)
          throw;
        throw int(failure.value);
      }
    } catch (int value) {
      sum += value * 2;
    } catch (const Worse &worse) {
      sum += worse.value * 4;
    } catch (...) {
      sum += 1;
    }
  }
  return sum;
}

struct Guard {
  int64_t *at;
  ~Guard() { *at += table[*at % Elements]; }
};

// Clean-ups wait for memory while the exception is on its way.
// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t cleansUp(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t own = table[table[keys[i]]];
    try {
      Guard guard{&own};
      std::string text = "a text that does not fit into a short string";
      own += mayThrow(own) + int64_t(text.size());
    } catch (...) {
      own += std::uncaught_exceptions();
    }
    sum += own;
  }
  return sum;
}

struct Uncaught {
  int64_t *sum;
  ~Uncaught() { *sum += std::uncaught_exceptions() * 1000; }
};

// The handler is over before another iteration runs.
// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t countsUncaught(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = table[keys[i]];
    try {
      Uncaught count{&sum};
      at = table[at];
      mayThrow(at);
      at = table[at];
    } catch (...) {
      at = table[table[at]];
      if (std::current_exception() && std::uncaught_exceptions() == 0)
        sum += at;
    }
    sum += table[at];
  }
  return sum;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t throwsInline(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = table[table[keys[i]]];
    for (int round = 0; round < 3; ++round)
      try {
        if (at % 3 == round)
          throw Failure{at};
        at = table[at];
      } catch (const Failure &failure) {
        sum += failure.value;
        if (round == 1)
          break;
        continue;
      }
    sum += at;
  }
  return sum;
}

// The value of a call is used where both ways meet.
// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t valueOrDefault(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = i, at = table[keys[i]];
    try {
      value = at % 2 ? mayThrow(at) : at;
    } catch (...) {
    }
    sum += table[table[at]] * value;
  }
  return sum;
}

// An iteration's own handler ends the program, or never runs.
// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
NOINLINE int64_t handlerEnds(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      int64_t at = table[table[keys[i]]];
      if (at < 0)
        throw std::out_of_range("negative");
      sum += at;
    } catch (const std::exception &exception) {
      fprintf(stderr, "%s\n", exception.what());
      throw;
    }
  }
  return sum;
}

int main() {
  prepare();
  printForAllCounts("caughtAround", caughtAround);
  printForAllCounts("rethrown", [](int64_t n) {
    try {
      return rethrown(n);
    } catch (const Failure &failure) {
      return failure.value;
    }
  });
  printForAllCounts("catchesAll", catchesAll);
  printForAllCounts("catchesByType", catchesByType);
  printForAllCounts("catchesInTwoSteps", catchesInTwoSteps);
  printForAllCounts("cleansUp", cleansUp);
  printForAllCounts("countsUncaught", countsUncaught);
  printForAllCounts("throwsInline", throwsInline);
  printForAllCounts("valueOrDefault", valueOrDefault);
  printForAllCounts("handlerEnds", handlerEnds);
}

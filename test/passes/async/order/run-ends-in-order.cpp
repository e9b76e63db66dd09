// An iteration that ends the program may tell before what earlier iterations
// have done in order, and no later one has done more.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-12: remark: {{interleaved|loop not interleaved}}

#include "../Inputs/program.h"

#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

struct Instruction {
  bool ends;
  const Node **at;
};
static Instruction code[Elements];
static const Node *places[Elements];

struct State {
  int64_t count = 0, sum = 0;
  int64_t out[Elements];
};
static State state;

static void print(int64_t value) { printf("end %lld\n", (long long)value); }

template <class Values> static int64_t digest(const Values &values) {
  int64_t sum = 0;
  for (int64_t value : values)
    sum = sum * 31 + value;
  return sum;
}

/// A program that some iterations end.
struct Ending {
  Ending(const char *name, void (*run)(State &, int64_t))
      : name(name), run(run) {
    *end = this;
    end = &next;
  }
  const char *name;
  void (*run)(State &, int64_t);
  Ending *next = nullptr;
  static inline Ending *first = nullptr, **end = &first;
};

#define ENDING(name)                                                           \
  static void name(State &s, int64_t n);                                       \
  static Ending name##Ending(#name, name);                                     \
  NOINLINE static void name(State &s, int64_t n)

ENDING(appends) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(s.count);
      exit(0);
    }
    const int64_t value = (*code[i].at)->value;
    s.out[s.count++] = value;
  }
}

ENDING(updates) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(s.sum);
      exit(0);
    }
    s.sum = s.sum * 31 + (*code[i].at)->value;
  }
}

ENDING(endsInTwoPlaces) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(s.count);
      exit(0);
    }
    const int64_t value = (*code[i].at)->value;
    if (value == 999) {
      print(-s.count);
      exit(0);
    }
    s.out[s.count++] = value;
  }
}

ENDING(aborts) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(s.count);
      fflush(stdout);
      abort();
    }
    const int64_t value = (*code[i].at)->value;
    s.out[s.count++] = value;
  }
}

[[noreturn]] NOINLINE static void fail(const State &s) {
  print(s.sum);
  exit(1);
}

ENDING(addsUp) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends)
      fail(s);
    s.sum += (*code[i].at)->value;
  }
  print(s.sum);
}

static void printCount() { print(state.count); }

ENDING(countsForTheEnd) {
  atexit(printCount);
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends)
      exit(0);
    const int64_t value = (*code[i].at)->value;
    if (value & 1)
      s.out[s.count++] = value;
  }
  exit(0);
}

ENDING(pushesBack) {
  std::vector<int64_t> own, *volatile hidden = &own;
  std::vector<int64_t> &out = *hidden;
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(digest(out));
      exit(0);
    }
    const int64_t value = (*code[i].at)->value;
    if (value & 1)
      out.push_back(value);
  }
  print(digest(out));
}

ENDING(catches) {
  ASYNC_LOOP(CLAUSES) {
    try {
      if (code[i].ends)
        throw 1;
    } catch (int) {
      print(s.count);
      exit(3);
    }
    const int64_t value = (*code[i].at)->value;
    s.out[s.count++] = value;
  }
}

static int64_t counts[1000];

ENDING(countsEach) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(digest(counts));
      exit(0);
    }
    ++counts[(*code[i].at)->value];
  }
  print(digest(counts));
}

ENDING(setsItsOwn) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(digest(s.out));
      exit(0);
    }
    s.out[i] = (*code[i].at)->value;
  }
  print(digest(s.out));
}

ENDING(setsTheLatest) {
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      print(s.sum);
      exit(0);
    }
    s.sum = (*code[i].at)->value;
  }
}

ENDING(writesText) {
  std::string own, *volatile hidden = &own;
  std::string &text = *hidden;
  ASYNC_LOOP(CLAUSES) {
    if (code[i].ends) {
      puts(text.c_str());
      exit(0);
    }
    const int64_t value = (*code[i].at)->value;
    if (value % 3 == 0)
      text += char('a' + value % 26);
  }
  puts(text.c_str());
}

/// Lets iterations from \p first on end the program.
static void prepareEnds(int64_t first) {
  for (int64_t i = 0; i < Elements; ++i) {
    places[i] = &nodes[table[i]];
    code[i] = {i == first || i == first + 1 || i == first + 30,
               &places[table[keys[i]]]};
  }
}

int main() {
  prepare();
  for (const Ending *ending = Ending::first; ending; ending = ending->next)
    for (int64_t first : {0, 1, 47, 64, 2999, Elements - 1, int(Elements)}) {
      prepareEnds(first);
      printf("%s %lld: ", ending->name, (long long)first);
      fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        ending->run(state, Elements);
        fflush(stdout);
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    }
}

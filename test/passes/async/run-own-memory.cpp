// What an iteration allocates for itself is like its variables, unless others
// get to it: by a pointer that is stored, kept by a function or handed to the
// next iteration.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-7: remark: interleaved the loop's iterations

#include "Inputs/appended.h"

#include <queue>
#include <stdlib.h>
#include <string>
#include <utility>
#include <vector>

using Numbers = std::vector<int64_t>;

PROGRAM(vector) {
  ASYNC_LOOP(CLAUSES) {
    Numbers found = {keys[i]};
    for (size_t k = 0; k < found.size() && found.size() < 20; ++k) {
      const int64_t x = found[k];
      found.push_back(table[x]);
      if (nodes[x].value & 1)
        found.push_back(table[nodes[x].value]);
    }
    out[i] = sumOf(found);
  }
  return sumOf(out, n);
}

PROGRAM(queue) {
  ASYNC_LOOP(CLAUSES) {
    std::priority_queue<int64_t> queue;
    queue.push(keys[i]);
    out[i] = 0;
    for (int step = 0; step < 6; ++step) {
      const int64_t x = queue.top();
      queue.pop();
      out[i] = 7 * out[i] + x;
      queue.push(table[x] / 2);
      queue.push(table[(x + 1) % Elements] / 3);
    }
  }
  return sumOf(out, n);
}

PROGRAM(twoVectors) {
  ASYNC_LOOP(CLAUSES) {
    Numbers here, next;
    here.push_back(keys[i]);
    for (int round = 0; round < 3; ++round) {
      next.clear();
      for (int64_t x : here) {
        next.push_back(table[x]);
        if (x & 1)
          next.push_back(keys[x]);
      }
      std::swap(here, next);
    }
    out[i] = sumOf(here);
  }
  return sumOf(out, n);
}

PROGRAM(enlarged) {
  ASYNC_LOOP(CLAUSES) {
    int64_t count = 0, room = 2, x = keys[i];
    auto *found = static_cast<int64_t *>(malloc(room * sizeof(int64_t)));
    for (int k = 0; k < 12; ++k) {
      if (count == room)
        found = static_cast<int64_t *>(
            realloc(found, (room *= 2) * sizeof(int64_t)));
      found[count++] = x;
      x = table[x];
    }
    out[i] = sumOf(found, count);
    free(found);
  }
  return sumOf(out, n);
}

PROGRAM(onTheStackIfSmall) {
  ASYNC_LOOP(CLAUSES) {
    int64_t few[4], x = keys[i];
    const int64_t count = x % 9 + 1;
    int64_t *found = count <= 4 ? few : new int64_t[count];
    for (int64_t k = 0; k < count; ++k, x = table[x])
      found[k] = x;
    out[i] = sumOf(found, count);
    if (found != few)
      delete[] found;
  }
  return sumOf(out, n);
}

PROGRAM(text) {
  ASYNC_LOOP(CLAUSES) {
    std::string text;
    for (int64_t k = 0, x = keys[i]; k < 20; ++k, x = table[x])
      text += char('a' + x % 26);
    out[i] = sumOf(text);
  }
  return sumOf(out, n);
}

// Pointers to what iterations share.
PROGRAM(placesOfOthers) {
  memset(out, 0, sizeof out);
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t *> places;
    for (int64_t k = 0, x = keys[i]; k < 5; ++k, x = table[x])
      places.push_back(&out[x]);
    for (int64_t *place : places)
      *place += i;
  }
  return sumOf(out, Elements);
}

static int64_t owner[Elements];

PROGRAM(claims) {
  memset(owner, 0, sizeof owner);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    Numbers wanted;
    for (int64_t k = 0, x = keys[i]; k < 3; ++k, x = table[x])
      wanted.push_back(x % 500);
    for (int64_t k : wanted)
      if (!owner[k]) {
        owner[k] = i + 1;
        out[count++] = k;
      }
  }
  return sumOf(out, count) + sumOf(owner, Elements);
}

static int64_t *shared[Elements];

PROGRAM(published) {
  ASYNC_LOOP(CLAUSES) {
    auto *pair = new int64_t[2];
    pair[0] = table[keys[i]];
    shared[i] = pair;
    pair[1] = table[pair[0]];
  }
  for (int64_t i = 0; i < n; ++i) {
    out[i] = shared[i][0] + 3 * shared[i][1];
    delete[] shared[i];
  }
  return sumOf(out, n);
}

PROGRAM(handedOn) {
  int64_t *last = new int64_t(0);
  ASYNC_LOOP(CLAUSES) {
    auto *next = new int64_t(table[table[keys[i]]] + *last / 2);
    delete last;
    last = next;
    out[i] = *next;
  }
  delete last;
  return sumOf(out, n);
}

static int64_t *noted;
static NOINLINE void note(int64_t *place) { noted = place; }
static NOINLINE int64_t readNoted() { return noted ? *noted : 0; }

PROGRAM(keptByAFunction) {
  ASYNC_LOOP(CLAUSES) {
    auto *place = new int64_t(table[keys[i]]);
    note(place);
    *place += table[table[*place]];
    out[i] = readNoted() - *place;
    note(nullptr);
    delete place;
  }
  return sumOf(out, n);
}

static uintptr_t number;

PROGRAM(keptAsANumber) {
  ASYNC_LOOP(CLAUSES) {
    auto *pair = new int64_t[2];
    number = reinterpret_cast<uintptr_t>(pair);
    pair[0] = table[keys[i]];
    pair[1] = table[pair[0]];
    out[i] = pair[1] + *reinterpret_cast<int64_t *>(number) - pair[0];
    delete[] pair;
  }
  return sumOf(out, n);
}

// Relative to another object, as pointers in shared memory are.
PROGRAM(keptAsADistance) {
  static int64_t base;
  static uintptr_t places[Elements];
  memset(places, 0, sizeof places);
  const uintptr_t from = reinterpret_cast<uintptr_t>(&known(base));
  ASYNC_LOOP(CLAUSES) {
    uintptr_t &place = places[table[keys[i]] % 300];
    if (!place) {
      auto *pair = new int64_t[2];
      place = reinterpret_cast<uintptr_t>(pair) - from;
      pair[0] = table[table[keys[i]]];
      pair[1] = 1;
    } else {
      auto *pair = reinterpret_cast<int64_t *>(from + place);
      pair[0] += 5;
      ++pair[1];
    }
  }
  int64_t sum = 0;
  for (uintptr_t &place : places)
    if (place) {
      auto *pair = reinterpret_cast<int64_t *>(from + place);
      sum = sum * 31 + pair[0] + 3 * pair[1];
      delete[] pair;
    }
  return sum;
}

int main() {
  prepare();
  printPrograms();
}

// Iterations append to a local vector, or to an array that the loop allocates
// anew when it is full: in order, and after what they wait for. The array is
// none of those that they read through other pointers.
//
// RUN: %same_output -std=c++20 | FileCheck %s
// CHECK-NOT: remark: loop not
// CHECK-COUNT-18: remark: interleaved the loop's iterations
// CHECK: remark: loop not interleaved: everything after

#include "../Inputs/program.h"

#include <algorithm>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

template <class Vector> int64_t hash(const Vector &v) {
  int64_t sum = v.size();
  for (const auto &x : v)
    sum = int64_t(scramble(sum)) + x;
  return sum;
}

PROGRAM(filter) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    if (table[table[keys[i]]] & 1)
      out.push_back(i);
  }
  return hash(out);
}

NOINLINE static std::vector<int64_t> matches(int64_t n) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    for (const Node *node = buckets[keys[i] % Buckets]; node; node = node->next)
      if (node->value & 1)
        out.push_back(node->key);
  }
  return out;
}
PROGRAM(returned) { return hash(matches(n)); }

PROGRAM(reserved) {
  std::vector<int64_t> out;
  out.reserve(n / 3);
  ASYNC_LOOP(CLAUSES) {
    if (table[table[keys[i]]] & 1)
      out.emplace_back(table[keys[i]]);
  }
  return hash(out);
}

PROGRAM(twoVectors) {
  std::vector<int64_t> odd, low;
  ASYNC_LOOP(CLAUSES) {
    const int64_t first = table[keys[i]];
    if (table[first] & 1)
      odd.push_back(first);
    else if (first < 1000)
      low.push_back(table[first]);
  }
  return hash(odd) * 3 + hash(low);
}

struct Triple {
  int number;
  int64_t value;
  char text[5];
};
PROGRAM(ofStructures) {
  std::vector<Triple> out;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      out.push_back({int(i), value, {char(value)}});
  }
  int64_t sum = 0;
  for (const Triple &t : out)
    sum = sum * 31 + t.number + t.value * t.text[0];
  return sum;
}

PROGRAM(ofStrings) {
  std::vector<std::string> out;
  std::string all;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      out.push_back(std::to_string(value));
    else
      all += char('a' + value % 26);
  }
  for (const std::string &s : out)
    all += s;
  return hash(all);
}

PROGRAM(ofVectors) {
  std::vector<std::vector<int64_t>> rows;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1 || rows.empty())
      rows.emplace_back();
    rows.back().push_back(value);
  }
  int64_t sum = 0;
  for (const auto &row : rows)
    sum = sum * 31 + hash(row);
  return sum;
}

// What iterations decide on by what others have appended is in order, too.
PROGRAM(runs) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]] % 4;
    if (out.empty() || out.back() != value)
      out.push_back(value);
  }
  return hash(out);
}

PROGRAM(stack) {
  std::vector<int64_t> out;
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    while (!out.empty() && out.back() < value)
      out.pop_back();
    sum = sum * 31 + int64_t(out.size());
    out.push_back(value);
  }
  return hash(out) + sum;
}

PROGRAM(flushed) {
  std::vector<int64_t> buffer, sums;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      buffer.push_back(value);
    if (buffer.size() == 37) {
      sums.push_back(hash(buffer));
      buffer.clear();
    }
  }
  return hash(sums) * 3 + hash(buffer);
}

PROGRAM(readAgain) {
  std::vector<int64_t> out(table, table + 100);
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      out.push_back(out[i % 100] + value);
  }
  return hash(out);
}

PROGRAM(firstChanged) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1) {
      out.push_back(value);
      out.front() += i;
    }
  }
  return hash(out);
}

PROGRAM(sorted) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value % 9 == 1)
      out.insert(std::lower_bound(out.begin(), out.end(), value), value);
  }
  return hash(out);
}

PROGRAM(swapped) {
  std::vector<int64_t> a(1, 3), b;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      a.push_back(value);
    if (value % 100 == 7)
      a.swap(b);
  }
  return hash(a) * 3 + hash(b);
}

PROGRAM(leftEarly) {
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      out.push_back(value);
    if (out.size() == 1000)
      break;
  }
  return hash(out);
}

struct Bag {
  std::vector<int64_t> items;
  int64_t sum = 0;
  void add(int64_t x) {
    items.push_back(x);
    sum += x;
  }
};
PROGRAM(member) {
  Bag bag;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1)
      bag.add(value);
  }
  return hash(bag.items) + bag.sum;
}

// As in C.
PROGRAM(reallocated) {
  int64_t *items = nullptr;
  int64_t count = 0, room = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1) {
      if (count == room) {
        room = room ? room * 2 : 4;
        items = (int64_t *)realloc(items, room * sizeof *items);
      }
      items[count++] = value;
    }
  }
  const int64_t sum = hash(std::vector<int64_t>(items, items + count));
  free(items);
  return sum;
}

PROGRAM(copied) {
  auto *items = (int64_t *)malloc(64);
  int64_t *end = items, *room = items + 8;
  ASYNC_LOOP(CLAUSES) {
    const int64_t value = table[table[keys[i]]];
    if (value & 1) {
      if (end == room) {
        const int64_t count = end - items;
        auto *more = (int64_t *)malloc(count * 16);
        memcpy(more, items, count * 8);
        free(items);
        items = more, end = more + count, room = more + 2 * count;
      }
      *end++ = value;
    }
  }
  const int64_t sum = hash(std::vector<int64_t>(items, end));
  free(items);
  return sum;
}

// Whether there is another iteration depends on those before.
PROGRAM(queue) {
  std::vector<int64_t> queue(1, n % Elements);
  std::vector<char> seen(Elements);
#pragma heddle async CLAUSES
  for (size_t at = 0; at < queue.size(); ++at) {
    const int64_t next = table[table[queue[at]]];
    if (!seen[next]) {
      seen[next] = 1;
      queue.push_back(next);
    }
  }
  return hash(queue);
}

int main() {
  prepare();
  printPrograms();
}

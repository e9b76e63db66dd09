// Loops that are left early end as the serial ones do: by the first iteration
// that wants to leave, with its values, and without effects of later ones.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-18: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

static int64_t seen[Elements];

static int64_t deep(int64_t i) { return table[table[keys[i]]]; }

/// Makes `search` find something never, at first, at last, and in between.
template <class Search> static int64_t atAllPlaces(int64_t n, Search search) {
  int64_t sum = 0;
  const int64_t places[] = {-1,        0,         1,     2,     n / 2, n - 2,
                            n - 1,     n,         n / 3, 63,    64,    65,
                            2 * n / 3, 3 * n / 4, n + 1, n - 64};
  for (int64_t place : places)
    sum = sum * 31 + search(place);
  return sum;
}

#define SEARCH(name, ...)                                                      \
  static NOINLINE int64_t name##At(int64_t n, int64_t place)                   \
      __VA_ARGS__ PROGRAM(name) {                                              \
    return atAllPlaces(n, [&](int64_t place) { return name##At(n, place); });  \
  }

SEARCH(returnsNumber, {
  ASYNC_LOOP(CLAUSES)
    if (deep(i) >= 0 && i == place)
      return i;
  return n;
})

SEARCH(breaks, {
  int64_t i;
  _Pragma("heddle async") for (i = 0; i < n;
                               ++i) if (deep(i) + place ==
                                        i + deep(place < 0
                                                     ? 0
                                                     : place % Elements)) break;
  return i;
})

SEARCH(returnsValue, {
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    if (value % 2 && i >= place)
      return value;
  }
  return -1;
})

// What earlier iterations have added up counts, what later ones would does not.
SEARCH(sumsUp, {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    sum += value;
    if (i == place)
      break;
    sum ^= i;
  }
  return sum;
})

SEARCH(actsBehind, {
  int64_t count = 0;
  for (int64_t &s : seen)
    s = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    if (i == place)
      break;
    seen[i] = value;
    ++count;
  }
  for (int64_t i = 0; i < Elements; ++i)
    count = count * 3 + seen[i];
  return count;
})

SEARCH(actsBefore, {
  int64_t count = 0;
  for (int64_t &s : seen)
    s = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    seen[value] += i;
    if (i == place)
      break;
    seen[keys[i]] += 1;
  }
  for (int64_t i = 0; i < Elements; ++i)
    count = count * 3 + seen[i];
  return count;
})

SEARCH(severalWaysOut, {
  int64_t last = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    if (i == place)
      return value;
    if (table[value] % 1024 == 1023 && place % 2)
      goto found;
    last = value + i;
    if (i > 2000 && value % 512 == 511)
      break;
  }
  return last;
found:
  return last * 3 + 1;
})

SEARCH(switches, {
  int64_t last = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    switch (i == place ? value % 4 : 9) {
    case 0:
      return -5;
    case 1:
      goto out;
    case 2:
    case 3:
      return last;
    default:
      last = value;
    }
  }
out:
  return last + n;
})

// Out of an inner loop.
SEARCH(leavesTwoLoops, {
  int64_t h = 0;
  ASYNC_LOOP(CLAUSES)
    for (h = keys[i]; table[h] % 8; h = (h + 1) % Elements)
      if (table[h] % 4 == 1 && i == place)
        return h * 10000 + i;
  return h;
})

SEARCH(probes, {
  ASYNC_LOOP(CLAUSES) {
    int64_t h = scramble(keys[i]) % Elements;
    while (table[h] % 16 && table[h] != keys[i])
      h = (h + 1) % Elements;
    if (table[h] % 16 && (i >= place))
      return h;
  }
  return -1;
})

SEARCH(binarySearch, {
  ASYNC_LOOP(CLAUSES) {
    int64_t low = 0, high = Elements;
    while (low < high) {
      int64_t middle = (low + high) / 2;
      if (nodes[middle].key < keys[i])
        low = middle + 1;
      else
        high = middle;
    }
    if (i == place)
      return nodes[low].value;
  }
  return -1;
})

// The loop goes on as long as the condition on memory holds.
SEARCH(conditionInHead, {
  int64_t i = 0;
  _Pragma("heddle async") while (i < n && (deep(i) >= 0 && i != place))++ i;
  return i;
})

SEARCH(withoutCount, {
  int64_t i = 0;
  _Pragma("heddle async") for (;; ++i) if (deep(i % Elements) + i >= n ||
                                           i == place) break;
  return i;
})

SEARCH(doLoop, {
  int64_t i = 0;
  int64_t last;
  _Pragma("heddle async") do last = deep(i);
  while (++i < n && last != table[place & (Elements - 1)])
    ;
  return i * 1000 + last;
})

SEARCH(narrowCounter, {
  uint8_t i = 0;
  _Pragma("heddle async") for (i = 0; i < 200 && i < n;
                               ++i) if (deep(i) == table[place & 255]) return i;
  return i + 1000;
})

SEARCH(backwards, {
  int64_t found = -7;
  _Pragma("heddle async") for (int64_t i = n;
                               i-- > 0;) if (deep(i) % 64 == 3 && i <= place) {
    found = i;
    break;
  }
  return found;
})

SEARCH(divides, {
  ASYNC_LOOP(CLAUSES) {
    int64_t value = deep(i);
    if (i == place)
      return value;
    if (1000 / (value + 1) % (keys[i] + 1) == 77)
      return -2;
  }
  return -1;
})

static NOINLINE int64_t weigh(const int64_t *path) {
  return path[2] * 3 + path[1] * 2 + path[0];
}

// Each iteration has an array of its own.
SEARCH(ownArrays, {
  ASYNC_LOOP(CLAUSES) {
    int64_t path[3];
    path[0] = keys[i];
    path[1] = table[path[0]];
    path[2] = table[path[1]];
    if (weigh(path) > 99 && i >= place)
      return weigh(path);
  }
  return -1;
})

int main() {
  prepare();
  printPrograms();
}

// Walks that run ahead of what they append, where what is written in iteration
// order bears upon the walk, perhaps by another name.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-10: remark: interleaved the loop's iterations

#include "../Inputs/appended.h"

#include <vector>

static NOINLINE int64_t appendUntilSeen(int64_t *to, const int64_t *seen,
                                        int64_t n) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; seen[2 * i + 1] == 0; node = node->next)
      if (node->key % 2 || node->value == 3 || node->value == 4)
        to[count++] = node->key | 1;
  }
  return count;
}

// The walk ends by an element that it has appended itself.
PROGRAM(ownElement) {
  makeRings(n);
  memset(out, 0, sizeof(out));
  return sumOf(out, appendUntilSeen(out, out, n));
}

static NOINLINE void appendUntilSeen(std::vector<int64_t> &to,
                                     const int64_t *seen, int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; seen[2 * i + 1] == 0; node = node->next)
      if (node->key % 2 || node->value == 3 || node->value == 4)
        to.push_back(node->value | 1);
  }
}

PROGRAM(ownElementOfVector) {
  makeRings(n);
  std::vector<int64_t> appended(1 << 15);
  const int64_t *seen = known(appended).data();
  appended.clear();
  appendUntilSeen(appended, seen, n);
  return sumOf(appended);
}

static NOINLINE int64_t continueInOutput(Node **to, Node *const *seen,
                                         int64_t n) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; node;) {
      if (node->value == 2 || node->value == 4)
        to[count++] = node->next;
      if (node->value == 5)
        break;
      node = node->value == 4 ? seen[2 * i + 1] : node->next;
    }
  }
  return count;
}

// The walk goes on where an element leads that it has appended.
PROGRAM(ownPointer) {
  static Node *to[8 * Elements];
  makeRings(n);
  memset(to, 0, sizeof(to));
  const int64_t count = continueInOutput(to, to, n);
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + to[i]->key;
  return sum;
}

static NOINLINE void appendTo(int64_t *to, int64_t &count, int64_t n) {
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        to[count++] = node->value;
  }
}

PROGRAM(counterByReference) {
  int64_t count = 0;
  appendTo(out, known(count), n);
  return sumOf(out, count);
}

// The counter begins again.
PROGRAM(smallCounter) {
  uint8_t count = 0;
  memset(out, 0, 256 * sizeof(*out));
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        out[count++] = node->value + i;
  }
  return sumOf(out, 256) + count;
}

PROGRAM(bytes) {
  static char bytes[64 * Elements];
  memset(bytes, 0, sizeof(bytes));
  char *end = bytes;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i)) {
        memcpy(end, &node->value, sizeof(node->value));
        end += sizeof(node->value);
        *end++ = char(i);
      }
  }
  int64_t sum = end - bytes;
  for (const char *byte = bytes; byte != end; ++byte)
    sum = sum * 31 + *byte;
  return sum;
}

struct Buffer {
  int64_t count, padding, rows[8 * Elements];
};

PROGRAM(memberArray) {
  static Buffer buffer;
  Buffer &known = ::known(buffer);
  known.count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next)
      if (isMatch(node, i))
        known.rows[known.count++] = node->value;
  }
  return sumOf(known.rows, known.count);
}

// The output is the array of inputs, of which less and less is left.
PROGRAM(inPlace) {
  static int64_t rows[Elements];
  memcpy(rows, table, sizeof(rows));
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t row = rows[i];
    for (Node *node = chainOf(row); node; node = node->next)
      if (isMatch(node, row)) {
        rows[count++] = node->value;
        break;
      }
  }
  return sumOf(rows, n) + count;
}

// The counter chooses among the nodes, whose values change.
PROGRAM(outputInNodes) {
  static Node *all[Nodes * Elements];
  makeLists(n);
  for (int64_t i = 0; i < n * Nodes; ++i)
    all[i] = &own[i];
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; node; node = node->next)
      if (node->key % 2)
        all[count++]->value += node->key;
  }
  int64_t sum = count;
  for (int64_t i = 0; i < n * Nodes; ++i)
    sum = sum * 31 + own[i].value;
  return sum;
}

// An iteration opens a ring that it goes round.
PROGRAM(openedRing) {
  makeRings(n);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; node; node = node->next)
      if (node->key % 3 == 1 || node->value == 4) {
        out[count++] = node->value;
        own[i * Nodes + Nodes - 1].next = nullptr;
      }
  }
  return sumOf(out, count);
}

// An iteration closes a list that leads nowhere.
PROGRAM(closedList) {
  makeOpenLists(n);
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; node; node = node->next)
      if (node->key % 3 == 1 || node->value == 4) {
        out[count++] = node->value;
        own[i * Nodes + Nodes - 1].next = nullptr;
      }
  }
  return sumOf(out, count);
}

// The first hit, in an array where each iteration has a place, ends the walk.
PROGRAM(ownHit) {
  static Node *hits[Elements];
  makeRings(n);
  memset(hits, 0, sizeof(hits));
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = lists[i]; !hits[i]; node = node->next)
      if (node->key % 5 == 0 || node->value == 4) {
        out[count++] = node->value;
        hits[i] = node;
      }
  }
  return sumOf(out, count);
}

// There is something to divide by when something has been appended.
PROGRAM(dividesByOutput) {
  makeLists(n);
  memset(out, 0, sizeof(out));
  int64_t count = 0, sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t last = 0;
    for (Node *node = lists[i]; node; node = node->next) {
      if (node->key % 2) {
        out[count++] = node->key;
        last = count;
      }
      if (last)
        sum += 1000 / out[last - 1];
    }
  }
  return sumOf(out, count) + sum;
}

PROGRAM(ownArray) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t seen[4] = {-1, -1, -1, -1};
    int next = 0;
    for (Node *node = chainOf(i); node; node = node->next)
      if (node->value % 4 != seen[0] && node->value % 4 != seen[1] &&
          isMatch(node, i)) {
        out[count++] = node->value;
        seen[next++ & 3] = node->value % 4;
      }
  }
  return sumOf(out, count);
}

static Node pool[Elements], *heads[Buckets / 4];

static Node **headOf(int64_t i) { return &heads[scramble(i) % (Buckets / 4)]; }

static void makePool() {
  memset(heads, 0, sizeof(heads));
  for (int64_t i = 0; i < Elements; ++i) {
    pool[i] = {*headOf(i), i, int64_t(scramble(i) % 1000)};
    *headOf(i) = &pool[i];
  }
}

static int64_t sumOfPool() {
  int64_t sum = 0;
  for (const Node *head : heads)
    for (const Node *node = head; node; node = node->next)
      sum = sum * 31 + node->key;
  return sum;
}

// Iterations remove what they find from lists that they share.
PROGRAM(unlinks) {
  makePool();
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node **link = headOf(keys[i]); *link; link = &(*link)->next)
      if ((*link)->value % 8 == keys[i] % 8) {
        out[count++] = (*link)->value;
        *link = (*link)->next;
        break;
      }
  }
  return sumOf(out, count) + sumOfPool();
}

PROGRAM(unlinksAndFrees) {
  memset(heads, 0, sizeof(heads));
  for (int64_t i = 0; i < Elements; ++i)
    *headOf(i) = new Node{*headOf(i), i, int64_t(scramble(i) % 1000)};
  std::vector<int64_t> values, &found = known(values);
  ASYNC_LOOP(CLAUSES) {
    for (Node **link = headOf(keys[i]); *link; link = &(*link)->next)
      if (Node *node = *link; node->value % 8 == keys[i] % 8) {
        found.push_back(node->value);
        *link = node->next;
        delete node;
        break;
      }
  }
  const int64_t sum = sumOf(found) + sumOfPool();
  for (Node *head : heads)
    while (Node *node = head) {
      head = node->next;
      delete node;
    }
  return sum;
}

// Iterations lengthen lists that they share.
PROGRAM(inserts) {
  static Node fresh[Elements];
  makePool();
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    Node **link = headOf(keys[i]);
    for (; *link; link = &(*link)->next)
      if ((*link)->value % 8 == keys[i] % 8)
        out[count++] = (*link)->value;
    fresh[i] = {nullptr, i, keys[i] % 8};
    *link = &fresh[i];
  }
  return sumOf(out, count) + sumOfPool();
}

// Iterations fill a table that they share.
PROGRAM(distinct) {
  static int64_t slots[2 * Elements];
  memset(slots, 0, sizeof(slots));
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = keys[i] % 1500 + 1;
    for (uint64_t slot = scramble(key) % (2 * Elements);;
         slot = (slot + 1) % (2 * Elements)) {
      if (slots[slot] == key)
        break;
      if (!slots[slot]) {
        out[count++] = key + i;
        slots[slot] = key;
        break;
      }
    }
  }
  return sumOf(out, count) + sumOf(slots, 2 * Elements);
}

int main() {
  prepare();
  printPrograms();
}

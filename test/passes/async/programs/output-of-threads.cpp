// In a worksharing loop, what a thread's iterations have found is appended in
// any order, each append as a whole, and the code around it is interleaved.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-NOT: {{not interleaved|not hidden}}
// CHECK-COUNT-13: interleaved the loop's iterations
// CHECK-NOT: {{interleaved|not hidden}}

#include "../Inputs/program.h"

#include <algorithm>
#include <atomic>
#include <vector>

static std::vector<int64_t> all;

static void append(const int64_t *values, int64_t count) {
#pragma omp critical
  all.insert(all.end(), values, values + count);
}

/// The sum of what was appended, in order of the values.
static int64_t sumOfAll() {
  std::sort(all.begin(), all.end());
  int64_t sum = int64_t(all.size());
  for (int64_t value : all)
    sum = sum * 31 + value;
  all.clear();
  return sum;
}

static Node *chainOf(int64_t i) { return buckets[scramble(keys[i]) % Buckets]; }

PROGRAM(filter) {
#pragma omp parallel
  {
    std::vector<int64_t> own(Elements);
    int64_t *out = own.data(), count = 0;
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES) {
      Node *node = chainOf(i);
      while (node && node->key != keys[i])
        node = node->next;
      if (node)
        out[count++] = node->value;
    }
    append(out, count);
  }
  return sumOfAll();
}

// Appends in the middle of a walk.
PROGRAM(allMatches) {
#pragma omp parallel
  {
    std::vector<int64_t> own(64 * Elements);
    int64_t *out = own.data(), count = 0;
#pragma omp for schedule(dynamic, 64) nowait
    ASYNC_LOOP(CLAUSES)
      for (Node *node = chainOf(i); node; node = node->next)
        if (node->key % 5 == keys[i] % 5)
          out[count++] = node->key * 100 + i % 7;
    append(out, count);
  }
  return sumOfAll();
}

PROGRAM(pointer) {
#pragma omp parallel
  {
    std::vector<int64_t> own(64 * Elements);
    int64_t *end = own.data();
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES)
      for (Node *node = chainOf(i); node; node = node->next)
        if (node->value & 1)
          *end++ = node->key + i;
    append(own.data(), end - own.data());
  }
  return sumOfAll();
}

// A small buffer is emptied when it is full, by code that is in the loop.
PROGRAM(flushed) {
  std::vector<int64_t> shared(64 * Elements);
  int64_t *to = shared.data(), end = 0;
#pragma omp parallel
  {
    int64_t buffer[16], count = 0;
#pragma omp for schedule(dynamic, 32) nowait
    ASYNC_LOOP(CLAUSES)
      for (Node *node = chainOf(i); node; node = node->next)
        if (node->key % 3 == i % 3) {
          if (count == 16) {
            const int64_t place =
                __atomic_fetch_add(&end, count, __ATOMIC_RELAXED);
            for (int64_t k = 0; k < count; ++k)
              to[place + k] = buffer[k];
            count = 0;
          }
          buffer[count++] = node->key + i;
        }
    append(buffer, count);
  }
  append(to, end);
  return sumOfAll();
}

static NOINLINE void flush(const int64_t *values, int64_t count) noexcept {
  append(values, count);
}

PROGRAM(flushedByFunction) {
#pragma omp parallel
  {
    int64_t buffer[16], count = 0;
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES) {
      Node *node = chainOf(i);
      while (node && node->key != keys[i])
        node = node->next;
      if (node) {
        buffer[count++] = node->value;
        if (count == 16) {
          flush(buffer, count);
          count = 0;
        }
      }
    }
    append(buffer, count);
  }
  return sumOfAll();
}

/// A buffer of the thread's, on the heap.
class Found {
  int64_t count = 0, *const values;
  std::vector<int64_t> &to;
  int64_t &end;

public:
  static constexpr int64_t Room = 16;
  Found(std::vector<int64_t> &to, int64_t &end)
      : values(new int64_t[Room]), to(to), end(end) {}
  ~Found() { delete[] values; }
  void add(int64_t value) {
    if (count == Room)
      flush();
    values[count++] = value;
  }
  void flush() {
    const int64_t place = __atomic_fetch_add(&end, count, __ATOMIC_RELAXED);
    std::copy(values, values + count, to.data() + place);
    count = 0;
  }
};

struct Rows {
  std::vector<int64_t> starts, targets;
};

// A level of a breadth-first search: reads of rows between appends are not of
// what was appended.
PROGRAM(level) {
  Rows rows;
  for (int64_t i = 0; i <= Elements; ++i) {
    rows.starts.push_back(int64_t(rows.targets.size()));
    for (uint64_t j = 0; j < scramble(i) % 7; ++j)
      rows.targets.push_back(scramble(i * 8 + j) % Elements);
  }
  std::vector<int64_t> parents(Elements, -1), next(Elements);
  int64_t end = 0;
#pragma omp parallel
  {
    Found found(next, end);
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES) {
      const int64_t vertex = keys[i];
      for (int64_t j = rows.starts[vertex]; j < rows.starts[vertex + 1]; ++j) {
        const int64_t target = rows.targets[j];
        int64_t none = -1;
        if (parents[target] < 0 &&
            __atomic_compare_exchange_n(&parents[target], &none, 1, false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
          found.add(target);
      }
    }
    found.flush();
  }
  append(next.data(), end);
  return sumOfAll();
}

// Keys and values that are appended together stay together.
PROGRAM(pairs) {
#pragma omp parallel
  {
    std::vector<int64_t> ownKeys(Elements), ownValues(Elements);
    int64_t *outKeys = ownKeys.data(), *outValues = ownValues.data();
    int64_t keyCount = 0, valueCount = 0;
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES) {
      Node *node = chainOf(i);
      while (node && node->key != keys[i])
        node = node->next;
      if (node) {
        outKeys[keyCount++] = node->key;
        outValues[valueCount++] = node->value;
      }
    }
    for (int64_t k = 0; k < keyCount; ++k)
      outKeys[k] = outKeys[k] * 1000 + outValues[k];
    append(outKeys, keyCount);
  }
  return sumOfAll();
}

// The place that an iteration has taken is used later, too.
PROGRAM(reserved) {
#pragma omp parallel
  {
    std::vector<int64_t> own(Elements);
    int64_t *out = own.data(), count = 0;
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES) {
      if (keys[i] % 4 == 0)
        continue;
      const int64_t place = count++;
      Node *node = chainOf(i);
      while (node && node->key != keys[i])
        node = node->next;
      out[place] = node ? node->value : -i;
    }
    append(out, count);
  }
  return sumOfAll();
}

// A generator of a thread's own: its numbers are used in any order.
PROGRAM(generator) {
  int64_t sum = 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
  {
    uint32_t state = 1;
    int64_t count = 0;
#pragma omp for nowait
    ASYNC_LOOP(CLAUSES) {
      Node *node = chainOf(i);
      while (node && node->key != keys[i])
        node = node->next;
      if (node && node->value % 2)
        state = state * 1664525u + 1013904223u;
      count += node != nullptr;
    }
    sum += int64_t(state) + count;
  }
  return sum;
}

// The compiler reads these pointers again behind each atomic access.
struct Graph {
  Node **heads;
  int64_t *marks, *found;
};

static int64_t search(const Graph &graph, int64_t n) {
  int64_t end = 0;
#pragma omp parallel for schedule(dynamic, 64)
  ASYNC_LOOP(CLAUSES)
    for (Node *node = graph.heads[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      if (graph.marks[node->key] == 0 &&
          __sync_bool_compare_and_swap(&graph.marks[node->key], 0, 1))
        graph.found[__sync_fetch_and_add(&end, 1)] = node->key;
  return end;
}

PROGRAM(frontier) {
  std::vector<int64_t> marks(Elements), found(Elements);
  const Graph graph = {buckets, marks.data(), found.data()};
  const int64_t end = search(graph, n);
  append(found.data(), end);
  return sumOfAll();
}

PROGRAM(frontierOfCaptures) {
  std::vector<int64_t> marks(Elements), found(Elements);
  int64_t *mark = marks.data(), *queue = found.data(), end = 0;
  Node **heads = buckets;
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES)
    for (Node *node = heads[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      if (mark[node->key] == 0 &&
          __sync_bool_compare_and_swap(&mark[node->key], 0, 1))
        queue[__sync_fetch_and_add(&end, 1)] = node->key;
  append(queue, end);
  return sumOfAll();
}

/// A queue of all threads, to which each appends what is in a vector of its own
/// when that is full.
class QueueBuffer {
  static constexpr size_t Room = 16;
  std::vector<int64_t> &queue, values;
  std::atomic<size_t> &tail;
  size_t count = 0;

public:
  QueueBuffer(std::vector<int64_t> &queue, std::atomic<size_t> &tail)
      : queue(queue), values(Room), tail(tail) {}
  void push(int64_t value) {
    if (count == Room)
      flush();
    values[count++] = value;
  }
  void flush() {
    const size_t place = tail.fetch_add(count);
    std::copy(values.begin(), values.begin() + count, queue.begin() + place);
    count = 0;
  }
};

/// A level of a search, as a member: each atomic access is followed by reads of
/// what `this` points to.
struct Search {
  std::vector<int64_t> frontier, begins, targets, marks, queue;
  std::atomic<size_t> tail = 0;

  bool claim(int64_t target) {
    return marks[target] == 0 &&
           __sync_bool_compare_and_swap(&marks[target], 0, 1);
  }

  void expandIntoBuffers(int64_t n) {
#pragma omp parallel
    {
      QueueBuffer buffer(queue, tail);
#pragma omp for schedule(dynamic, 64) nowait
      ASYNC_LOOP(CLAUSES) {
        const int64_t from = frontier[i];
        for (int64_t e = begins[from]; e < begins[from + 1]; ++e)
          if (claim(targets[e]))
            buffer.push(targets[e]);
      }
      buffer.flush();
    }
  }

  void expandIntoQueue(int64_t n) {
#pragma omp parallel for schedule(dynamic, 64)
    ASYNC_LOOP(CLAUSES) {
      const int64_t from = frontier[i];
      for (int64_t e = begins[from]; e < begins[from + 1]; ++e)
        if (claim(targets[e]))
          queue[tail.fetch_add(1)] = targets[e];
    }
  }
};

static int64_t runSearch(int64_t n, void (Search::*expand)(int64_t)) {
  Search search;
  for (int64_t i = 0; i < n; ++i) {
    search.frontier.push_back(keys[i]);
    search.begins.push_back(3 * i);
    for (int64_t k = 0; k < 3; ++k)
      search.targets.push_back(scramble(3 * i + k) % Elements);
  }
  search.begins.resize(Elements + 1, 3 * n);
  search.marks.resize(Elements);
  search.queue.resize(Elements);
  (search.*expand)(n);
  append(search.queue.data(), int64_t(search.tail));
  return sumOfAll();
}

PROGRAM(levelIntoBuffers) { return runSearch(n, &Search::expandIntoBuffers); }
PROGRAM(levelIntoQueue) { return runSearch(n, &Search::expandIntoQueue); }

int main() {
  prepare();
  printPrograms();
}

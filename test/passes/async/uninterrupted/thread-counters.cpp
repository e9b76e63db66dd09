// Variables of a thread, in worksharing loops, that are more than the end of an
// output: what an iteration relies on stays whole, or in order.
//
// RUN: %same_output %fopenmp

#include "../Inputs/program.h"

#include <vector>

static Node *chainOf(int64_t i) { return buckets[scramble(keys[i]) % Buckets]; }

static const Node *find(int64_t i) {
  const Node *node = chainOf(i);
  while (node && node->key != keys[i])
    node = node->next;
  return node;
}

// A stack that each iteration leaves as it was.
PROGRAM(stack) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int64_t stack[64], top = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      stack[top++] = keys[i];
      while (top > 0) {
        const int64_t at = stack[--top];
        for (Node *node = buckets[scramble(at) % Buckets]; node;
             node = node->next)
          sum += node->value * i;
        if (at > 1 && top < 60) {
          stack[top++] = at / 5;
          stack[top++] = at / 9;
        }
      }
    }
  }
  return sum;
}

// Each iteration appends a row, and notes where it begins and ends.
PROGRAM(rows) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> values(64 * Elements), begins(Elements),
        ends(Elements);
    int64_t *out = values.data(), *begin = begins.data(), *end = ends.data();
    int64_t count = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      begin[i] = count;
      for (Node *node = chainOf(i); node; node = node->next)
        out[count++] = node->value;
      end[i] = count;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = begin[i]; k < end[i]; ++k)
        sum += out[k] * (i + 1) * (k - begin[i] + 1);
  }
  return sum;
}

static NOINLINE void note(int64_t *place, int64_t value) noexcept {
  *place = value;
}

PROGRAM(rowsNotedByFunction) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> values(64 * Elements), begins(Elements),
        sizes(Elements);
    int64_t *out = values.data(), *begin = begins.data(), *size = sizes.data();
    int64_t *end = out;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      const int64_t *first = end;
      note(&begin[i], end - out);
      for (Node *node = chainOf(i); node; node = node->next)
        *end++ = node->value;
      size[i] = end - first;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < size[i]; ++k)
        sum += out[begin[i] + k] * (i + 1) * (k + 1);
  }
  return sum;
}

// Keys and values that belong together, with a walk in between.
PROGRAM(pairs) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> firsts(Elements), seconds(Elements);
    int64_t *first = firsts.data(), *second = seconds.data();
    int64_t firstCount = 0, secondCount = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      const Node *node = find(i);
      first[firstCount++] = i;
      int64_t steps = 0;
      for (const Node *other = node ? buckets[node->value % Buckets] : nullptr;
           other; other = other->next)
        steps += other->value;
      second[secondCount++] = steps;
    }
    for (int64_t k = 0; k < firstCount; ++k)
      sum += (first[k] + 1) * second[k];
  }
  return sum;
}

// The place that an iteration has taken is filled in later, and the buffer is
// emptied in between by others.
PROGRAM(filledLate) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int64_t keysOfBuffer[8], valuesOfBuffer[8], count = 0;
    auto flush = [&] {
      for (int64_t k = 0; k < count; ++k)
        sum += (keysOfBuffer[k] + 1) * valuesOfBuffer[k];
      count = 0;
    };
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      if (count == 8)
        flush();
      const int64_t place = count++;
      keysOfBuffer[place] = i;
      const Node *node = find(i);
      valuesOfBuffer[place] = node ? node->value : 5;
    }
    flush();
  }
  return sum;
}

// The number of what came before decides, and the chunks of a static schedule
// are in order.
PROGRAM(changes) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int64_t previous = -1;
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES) {
      const Node *node = find(i / 8 * 8);
      const int64_t value = node ? node->value : -2;
      sum += value != previous && i % 8 ? 1000000 : 1;
      previous = value;
    }
  }
  return sum;
}

// Free places are a stack, too.
PROGRAM(freeList) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int64_t places[16], scratch[16], top = 0;
    for (int64_t k = 0; k < 16; ++k)
      places[top++] = k;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      const int64_t place = places[--top];
      scratch[place] = i;
      const Node *node = find(i);
      sum += (node ? node->value : 3) * (scratch[place] + 1);
      places[top++] = place;
    }
  }
  return sum;
}

// At most so many: who comes first takes the places, the number stays.
PROGRAM(limited) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int64_t taken[10], count = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      if (count < 10) {
        const Node *node = find(i);
        if (node)
          taken[count++] = 1;
      }
    }
    for (int64_t k = 0; k < count; ++k)
      sum += taken[k];
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
}

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

struct Text {
  char *bytes;
  uint8_t end;
};

// The compiler reads the pointer again behind each store of a byte.
PROGRAM(stackOfBytes) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<char> memory(Elements);
    Text text = {memory.data(), 0}, *volatile hidden = &text, *known = hidden;
    int64_t top = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      int64_t pushed = 0;
      for (Node *node = chainOf(i); node; node = node->next, ++pushed)
        known->bytes[top++] = char(node->value);
      for (; pushed; --pushed)
        sum += known->bytes[--top] * pushed;
    }
  }
  return sum;
}

// The numbers of bytes repeat every 128 iterations.
PROGRAM(ringOfBytes) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<char> memory(256);
    Text text = {memory.data(), 0}, *volatile hidden = &text, *known = hidden;
    uint8_t end = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      known->bytes[end++] = char(i);
      const Node *node = find(i);
      known->bytes[end++] = node ? char(node->value) : 5;
      sum += known->bytes[uint8_t(end - 1)] * known->bytes[uint8_t(end - 2)];
    }
  }
  return sum;
}

struct Link {
  Link *next;
  int64_t value;
};

// Elements of a pool make a list that the thread walks afterwards.
PROGRAM(pool) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<Link> links(64 * Elements);
    Link *pool = links.data(), *first = nullptr;
    int64_t used = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES)
      for (Node *node = chainOf(i); node; node = node->next)
        if (node->value & 1) {
          Link *link = &pool[used++];
          link->value = node->value;
          link->next = first;
          first = link;
        }
    for (Link *link = first; link; link = link->next)
      sum += link->value;
  }
  return sum;
}

// Each place has the distance to the one before.
PROGRAM(distances) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> values(64 * Elements);
    int64_t *out = values.data(), count = 0, last = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES)
      for (Node *node = chainOf(i); node; node = node->next)
        if (node->value & 1) {
          out[count] = count - last;
          last = count++;
        }
    for (int64_t k = 0; k < count; ++k)
      sum += out[k] * (k + 1);
  }
  return sum;
}

PROGRAM(lengthsInFront) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> values(64 * Elements);
    int64_t *out = values.data(), count = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      const int64_t at = count++;
      int64_t length = 0;
      for (Node *node = chainOf(i); node; node = node->next, ++length)
        out[count++] = node->value + i;
      out[at] = length;
    }
    for (int64_t at = 0; at < count; at += out[at] + 1)
      for (int64_t k = 1; k <= out[at]; ++k)
        sum += out[at + k] * k;
  }
  return sum;
}

PROGRAM(endsBehind) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> values(64 * Elements);
    int64_t *end = values.data();
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      for (Node *node = chainOf(i); node; node = node->next)
        *end++ = node->value + i;
      *end++ = -1;
    }
    int64_t place = 0;
    for (int64_t *at = values.data(); at != end; ++at) {
      place = *at < 0 ? 0 : place + 1;
      sum += *at * place;
    }
  }
  return sum;
}

// Two counters that advance in two branches.
PROGRAM(twoOfTwo) {
  int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    std::vector<int64_t> first(2 * Elements), second(2 * Elements);
    int64_t *a = first.data(), *b = second.data(), as = 0, bs = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      const Node *node = find(i);
      if (node) {
        a[as++] = i;
        b[bs++] = i;
        if (node->value & 1) {
          a[as++] = -i;
          b[bs++] = -i;
        }
      }
    }
    for (int64_t k = 0; k < as; ++k)
      sum += a[k] * b[k];
  }
  return sum;
}

// How deep the walk is, which ends where it began.
PROGRAM(depth) {
  int64_t sum = 0;
#pragma omp parallel reduction(max : sum)
  {
    std::vector<int64_t> counts(Elements);
    int64_t *count = counts.data(), depth = 0;
#pragma omp for
    ASYNC_LOOP(CLAUSES) {
      int64_t steps = 0;
      for (Node *node = chainOf(i); node; node = node->next, ++steps) {
        count[depth] = 1;
        ++depth;
      }
      depth -= steps;
    }
    for (int64_t k = 0; k < Elements; ++k)
      if (count[k])
        sum = k > sum ? k : sum;
  }
  return sum;
}

static struct {
  int64_t key, value;
} rowsOfTwo[64];

// Two turns of the inner loop meet at one row.
PROGRAM(rowInTwoTurns) {
  ASYNC_LOOP(CLAUSES)
    for (int64_t k = 0; k < 4; ++k) {
      auto &row = rowsOfTwo[table[(keys[i] + k / 2) % Elements] % 64];
      if (k & 1)
        row.value = i;
      for (Node *node = chainOf(i + k < n ? i + k : i); node; node = node->next)
        rowsOfTwo[0].key += node->value;
      if (!(k & 1))
        row.key = i;
    }
  int64_t torn = 0;
  for (auto &row : rowsOfTwo) {
    torn += &row != rowsOfTwo && row.key != row.value;
    row = {};
  }
  return torn;
}

int main() {
  prepare();
  printPrograms();
}

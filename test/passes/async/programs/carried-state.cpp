// Inner loops that find their data by state that goes from iteration to
// iteration: an inspector runs ahead of them and must come to what they come
// to, and to nothing else.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-9: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct Chunk {
  const Chunk *next;
  uint32_t count;
  uint32_t items[5];
};
static Chunk chunks[Elements];

// Rows end where memory does.
enum { Page = 4096 };
static uint8_t *page;

static void prepareChunks() {
  for (uint64_t i = 0; i < Elements; ++i) {
    const uint64_t dice = scramble(i * 11 + 3);
    const uint64_t next = i + 1 + dice % 200;
    chunks[i].next = dice % 5 && next < Elements ? &chunks[next] : nullptr;
    chunks[i].count = 1 + (dice >> 20) % 5;
    for (uint32_t &item : chunks[i].items)
      item = scramble(dice + (&item - chunks[i].items)) % Elements;
  }
  page = static_cast<uint8_t *>(mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (int i = 0; i < Page; ++i)
    page[i] = scramble(i);
  mprotect(page + Page, Page, PROT_NONE);
}

PROGRAM(byIndex) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Chunk *chunk = &chunks[keys[i]];
    uint32_t at = 0;
    while (chunk) {
      sum += table[chunk->items[at]];
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
  }
  return sum;
}

PROGRAM(byPointer) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Chunk *chunk = &chunks[keys[i]];
    const uint32_t *at = chunk->items, *end = at + chunk->count;
    int64_t row = 1;
    while (true) {
      row = row * 3 + table[*at];
      if (++at == end) {
        chunk = chunk->next;
        if (!chunk)
          break;
        at = chunk->items;
        end = at + chunk->count;
      }
    }
    sum ^= row;
  }
  return sum;
}

// The work of an item depends on memory that has to be waited for.
PROGRAM(underConditions) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Chunk *chunk = &chunks[keys[i]];
    uint32_t at = 0;
    do {
      const uint32_t item = chunk->items[at];
      const int64_t value = table[item];
      if (value % 3 == 0)
        sum += value;
      else if (value % 3 == 1)
        sum -= item;
      if (++at >= chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    } while (chunk);
  }
  return sum;
}

// Codes of one to four bytes up to the last byte that there is.
PROGRAM(codes) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const uint8_t *at = page + Page - 1 - keys[i] % 300;
    uint32_t item = keys[i];
    while (at < page + Page) {
      item = (item + *at) % Elements;
      sum += table[item];
      at += 1 + *at % 4;
    }
  }
  return sum;
}

// A word of bits, and another one where it is used up.
PROGRAM(bits) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    uint32_t item = keys[i];
    uint64_t word = scramble(item);
    for (int64_t left = keys[i] % 70; left > 0; --left) {
      if (!word) {
        item = (item + 1) % Elements;
        word = keys[item] + 1;
      }
      const int bit = __builtin_ctzll(word);
      word &= word - 1;
      sum += table[(item + 67 * bit) % Elements];
    }
  }
  return sum;
}

// A machine of three states, some of which access nothing.
PROGRAM(states) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const uint8_t *at = page + table[keys[i]] % 1000;
    uint32_t item = 0;
    for (int state = 0; state != 3; ++at) {
      switch (state) {
      case 0:
        item = *at * 13 % Elements;
        state = *at % 17 ? 1 : 3;
        break;
      case 1:
        sum += table[item] * 5;
        state = *at & 64 ? 2 : 0;
        break;
      default:
        item = (item + *at) % Elements;
        sum += table[item] ^ 5;
        state = 0;
      }
    }
  }
  return sum;
}

// The items lead on to others, which are not requested ahead.
PROGRAM(twoLevels) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Chunk *chunk = &chunks[keys[i]];
    uint32_t at = 0;
    while (chunk) {
      sum += table[table[chunk->items[at]]];
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
  }
  return sum;
}

// The row is left where a value says so.
PROGRAM(leftEarly) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Chunk *chunk = &chunks[keys[i]];
    uint32_t at = 0;
    while (chunk) {
      const int64_t value = table[chunk->items[at]];
      if (value % 31 == 0)
        break;
      sum += value;
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
  }
  return sum;
}

// The loop reads what it writes.
static int64_t counts[Elements];
PROGRAM(counted) {
  memset(counts, 0, sizeof(counts));
  ASYNC_LOOP(CLAUSES) {
    const Chunk *chunk = &chunks[keys[i]];
    uint32_t at = 0;
    while (chunk) {
      __atomic_fetch_add(&counts[chunk->items[at]], i, __ATOMIC_RELAXED);
      if (++at == chunk->count) {
        chunk = chunk->next;
        at = 0;
      }
    }
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < Elements; ++i)
    sum = sum * 7 + counts[i];
  return sum;
}

int main() {
  prepare();
  prepareChunks();
  printPrograms();
}

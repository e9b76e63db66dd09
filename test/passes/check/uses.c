// What one function notes in a place that the iteration chooses, and another
// one uses in the same iteration, is kept whole; so is a buffer that the loop
// fills and reads. Which iteration leaves the last value there is no conflict,
// as long as each uses what it writes.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
enum { N = 64 };

static struct {
  uint32_t key, value;
} box[4], row[2][8];
static uint64_t cell[8], in[N], out[N], bits[N];
static char text[64];

NOINLINE static void note(int at, uint64_t x) { cell[at] = x; }
NOINLINE static uint64_t use(int at) { return cell[at]; }
NOINLINE static void add_to_note(int at, uint64_t x) { cell[at] += x; }
NOINLINE static void note_box(int at, int key, int value) {
  box[at].key = key;
  box[at].value = value;
}
NOINLINE static uint32_t use_box(int at) { return box[at].key + box[at].value; }
NOINLINE static void note_text(char *at, int x) { snprintf(at, 16, "%d", x); }
NOINLINE static uint64_t use_text(const char *at) {
  uint64_t sum = 0;
  while (*at)
    sum = sum * 10 + *at++ - '0';
  return sum;
}
NOINLINE static uint64_t *place(int at) { return &cell[at]; }

// silent
static void one_place(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note(3, in[i]);
    out[i] = use(3);
  }
}
// silent
static void several_places(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note(i % 4, in[i]);
    out[i] = use(i % 4);
  }
}
// silent
static void two_at_once(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note(1, in[i]);
    note(2, i);
    out[i] = use(1) + use(2);
  }
}
// silent
static void fields(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note_box(i & 1, i, 1);
    out[i] = use_box(i & 1);
  }
}
// silent
static void changed_in_between(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note(1, in[i]);
    add_to_note(1, 3);
    out[i] = use(1);
  }
}
// silent
static void noted_by_the_loop(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    cell[in[i] & 3] = in[i];
    out[i] = use(in[i] & 3);
  }
}
// silent
static void used_by_the_loop(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note(in[i] & 3, i);
    out[i] = cell[in[i] & 3];
  }
}
// silent
static void of_any_length(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note_text(text + 8, i * i * i);
    out[i] = use_text(text + 8);
  }
}

// silent
static void read_as_a_number(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    sprintf(text + 4, " %d", i * 7);
    out[i] = atoi(text + 4) + strtoul(text + 4, NULL, 10);
  }
}

// finds: order-dependent output 'cell[1]'
static void used_by_nobody(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    note(1, i);
}
// finds: order-dependent output 'cell[1]'
static void twice_by_nobody(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    if (i == 3 || i == 40)
      note(1, i);
}
// finds: order-dependent output 'cell[3]'
static void used_at_first(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    note(3, in[i]);
    if (i < 5)
      out[i] = use(3);
  }
}
// finds: reads what another iteration wrote
static void not_always_noted(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    if (i % 3)
      note(3, in[i]);
    out[i] = use(3);
  }
}
// finds: reads what another iteration wrote
static void used_before(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    out[i] = use(3);
    note(3, in[i]);
  }
}
// finds: order-dependent output
static void through_a_hidden_address(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    *place(5) = in[i];
    out[i] = use(5);
  }
}
// silent
static void filled_by_the_loop(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < 8; ++j)
      cell[j] = in[i] + j;
    out[i] = cell[in[i] & 7];
  }
}
// silent
static void row_filled_by_the_loop(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t *at = &bits[i & 1 ? 8 : 16];
    for (uint64_t j = 0; j <= in[i] % 8; ++j)
      at[j] = in[i] * j;
    out[i] = at[in[i] % 8];
  }
}
NOINLINE static uint64_t sum_of(const uint64_t *at) {
  uint64_t sum = 0;
  for (int j = 0; j < 8; ++j)
    sum += at[j];
  return sum;
}
// silent
static void read_by_a_function(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t *at = &bits[8 * (in[i] & 3)];
    for (uint64_t j = 0; j < 8; ++j)
      at[j] = in[i] + j;
    out[i] = sum_of(at);
  }
}
// silent
static void first_is_constant(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    for (uint64_t j = 0; j < 8; ++j)
      cell[j] = in[i] * j;
    out[i] = cell[in[i] & 7];
  }
}
NOINLINE static void advance(uint64_t *at) { ++*at; }
// silent
static void on_the_stack(void) {
#pragma heddle async
  for (uint64_t i = 0;;) {
    uint64_t *at = __builtin_alloca(8 * (in[i] % 4 + 1));
    *at = i;
    advance(at);
    i = *at;
    if (i == N)
      break;
  }
}
// finds: reads what another iteration wrote
static void filled_in_part(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    cell[in[i] & 7] = i;
    out[i] = cell[in[i] & 7] + cell[7 - (in[i] & 7)];
  }
}
// finds: order-dependent output
static void filled_and_left(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    for (uint64_t j = 0; j < 8; ++j)
      cell[j] = in[i] + j;
    if (i == 7)
      out[i] = cell[in[i] & 7];
  }
}

NOINLINE static void upsert(uint32_t key, uint32_t by) {
  const int at = key & 7;
  if (row[0][at].key == key) {
    row[0][at].value += by;
  } else if (row[1][at].key == key) {
    row[1][at].value += by;
  } else {
    const int claimed = row[0][at].key != 0;
    row[claimed][at].key = key;
    row[claimed][at].value = by;
  }
}
// Which of two rows a key gets depends on the order, though it gets one.
// finds: reads what another iteration wrote
static void two_rows(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    upsert((i & 15) + 8, i);
}

int main(void) {
  for (int i = 0; i < N; ++i)
    in[i] = i * 7 + 1;
  one_place();
  several_places();
  two_at_once();
  fields();
  changed_in_between();
  noted_by_the_loop();
  used_by_the_loop();
  of_any_length();
  read_as_a_number();
  used_by_nobody();
  twice_by_nobody();
  used_at_first();
  not_always_noted();
  used_before();
  through_a_hidden_address();
  filled_by_the_loop();
  row_filled_by_the_loop();
  read_by_a_function();
  first_is_constant();
  on_the_stack();
  filled_in_part();
  filled_and_left();
  two_rows();
  return 0;
}

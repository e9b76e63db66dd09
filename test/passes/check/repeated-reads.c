// What an iteration reads once more, on all ways and without a write in
// between, is recorded once; the comment in front of each function says what is
// found.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %fopenmp %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O0 %fopenmp %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O1 %s -S -emit-llvm -o - | FileCheck %s

#include <stdint.h>
#include <stdlib.h>

enum { N = 500, M = 64 };
#define NOINLINE __attribute__((noinline))

typedef struct node {
  struct node *next;
  uint32_t key, value;
} Node;
static Node nodes[N + 1], *heads[M];
uint32_t keys[N], cells[N + 1], out[N], others[N + 1];
static int lock;

void nothing(void);

// The key is read once, and so is the link in front of what has been found.
// CHECK-LABEL: define {{.*}} @find_link(
// CHECK:         call {{.*}}@heddle_check_read_4({{.*}} %1, ptr %1)
// CHECK:         call {{.*}}@heddle_check_read_8
// CHECK-NOT:     call {{.*}}@heddle_check
// CHECK:         call {{.*}}@heddle_check_read_4
// CHECK-NOT:     call {{.*}}@heddle_check
// CHECK:         ret ptr
NOINLINE Node *find_link(Node *before, const uint32_t *key) {
  Node *found = NULL;
  if (*key > N * N)
    return NULL;
  for (Node *p = before->next; p; before = p, p = p->next)
    if (p->key == *key) {
      found = before;
      break;
    }
  return found ? found->next : NULL;
}

// Behind a call, another iteration's write may be what is read.
// CHECK-LABEL: define {{.*}} @behind_call(
// CHECK-COUNT-2: call {{.*}}@heddle_check_read_4
NOINLINE uint32_t behind_call(const uint32_t *p) {
  const uint32_t before = *p;
  free(malloc(before));
  return before + *p;
}

// Not on all ways.
// CHECK-LABEL: define {{.*}} @on_one_way(
// CHECK-COUNT-2: call {{.*}}@heddle_check_read_4
// CHECK:         ret i32
NOINLINE uint32_t on_one_way(const volatile uint32_t *p, int reads) {
  uint32_t sum = 1;
  if (reads)
    sum += *p;
  return sum * *p;
}

// Another pointer each time.
// CHECK-LABEL: define {{.*}} @along(
// CHECK-COUNT-1: call {{.*}}@heddle_check_read_4
// CHECK-NOT:     call {{.*}}@heddle_check
// CHECK:         ret i32
NOINLINE uint32_t along(const uint32_t *p, const uint32_t *end) {
  uint32_t sum = 0;
  for (; p != end; ++p)
    sum ^= *p;
  return sum;
}

static Node *link_of(uint32_t key) { return find_link(heads[key % M], &key); }
// silent
NOINLINE void silent_chains(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i)
    out[i] = find_link(heads[keys[i] % M], &keys[i])->value;
}
// finds: reads what another iteration wrote
NOINLINE void value_read_first(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Node *p = link_of(keys[i]);
    p->value = link_of(keys[(i + 7) % N])->value + 1;
  }
}
// finds: reads what another iteration wrote
NOINLINE void key_changes(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Node *p = link_of(keys[i]);
    p->key ^= 0;
    if (i % 50 == 3)
      p->key += N * M;
  }
}
// finds: reads what another iteration wrote
NOINLINE void written_by_later(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const uint32_t a = cells[i + 1];
    others[i] = a ^ cells[i + 1] ^ cells[i + 1];
    cells[i] = i + 1u;
  }
}
// The second read is of the iteration's own.
// silent
NOINLINE void own_in_between(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint32_t sum = cells[i];
    cells[i] = sum + 3;
    sum += cells[i];
    others[i] = sum + cells[i];
  }
}
static uint32_t buffer[4];
static NOINLINE void fill(uint32_t x) {
  for (int j = 0; j < 4; ++j)
    buffer[j] = x + (uint32_t)j;
}
static NOINLINE uint32_t drain(const uint32_t *p) {
  uint32_t sum = p[0] + p[1];
  for (int j = 0; j < 4; ++j)
    sum += p[j] * p[0];
  return sum;
}
// Each iteration reads what it has filled.
// silent
NOINLINE void filled(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    fill(keys[i]);
    out[i] = drain(buffer);
  }
}
static NOINLINE uint32_t read_twice(const uint32_t *p) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
    ;
  const uint32_t a = *p;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
  return a ^ *p;
}
static NOINLINE void add_locked(uint32_t *p) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
    ;
  *p += 1;
  __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}
// The second read holds no lock.
// finds: reads what another iteration wrote
NOINLINE void partly_locked(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    add_locked(&cells[keys[i] % 8]);
    out[i] = read_twice(&cells[keys[i] % 8]);
  }
}
// What was read before the loop does not count for its iterations, and what one
// iteration has read not for the next one.
// finds: reads what another iteration wrote
NOINLINE void inner_loop(const uint32_t *p, int from) {
  const uint32_t a = p[0] + p[1];
#pragma heddle async
  for (int i = from; i < 20; ++i) {
    others[i] = a + p[keys[i] % 2];
    cells[i] = others[i] + 1;
  }
}
// finds: reads what another iteration wrote
NOINLINE void nested(const uint32_t *p) {
#pragma heddle async
  for (int k = 0; k < 3; ++k) {
    const uint32_t a = p[keys[k] % 3];
#pragma heddle async
    for (int i = 0; i < 20; ++i)
      out[k * 20 + i] = a + p[keys[k] % 3];
    cells[k] = a + p[keys[k] % 3] + 1;
  }
}
// finds: reads what another iteration wrote
NOINLINE void of_threads(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 50)
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    const uint32_t *p = &cells[i + 1];
    out[i] = *p + *p * 3;
    cells[i] = *p ^ 5;
  }
}

int main(void) {
  for (uint32_t h = 0; h < M; ++h)
    heads[h] = calloc(1, sizeof(Node));
  for (uint32_t i = 0; i < N; ++i) {
    keys[i] = (i * 2654435761u) % N;
    nodes[i] = (Node){heads[i % M]->next, i, i * 3};
    heads[i % M]->next = &nodes[i];
  }
  for (int i = 0; i <= N; ++i)
    cells[i] = (uint32_t)i * 7;
  silent_chains();
  value_read_first();
  written_by_later();
  own_in_between();
  filled();
  partly_locked();
  inner_loop(&cells[9], 0);
  nested(cells);
  of_threads();
  key_changes();
}

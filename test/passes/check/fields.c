// Accesses to several fields of one element, which are recorded together where
// that is the same as one by one: the comment in front of each function says
// what is found.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
//
// Three fields take one look.
// RUN: %heddle_clang -fheddle-check -O1 -DONLY_GROUP %s -S -emit-llvm -o - \
// RUN:     | FileCheck %s
// CHECK-LABEL: define {{.*}} @silent_updates_in_callee
// CHECK-NOT:     call void @heddle_check_update
// CHECK:         call {{.*}}void @heddle.check.quick
// CHECK-NOT:     call {{.*}}@heddle.check
// CHECK:         ret void

#include <stdint.h>
#include <string.h>

enum { N = 600, M = 1024 };
#define NOINLINE __attribute__((noinline))

typedef struct {
  uint32_t a, b, c, d;
} Four;
typedef struct {
  uint32_t a, b;
  uint64_t sum;
} Mixed;
typedef struct {
  uint64_t a, b;
} Wide;
Four four[M], *at[N];
Mixed mixed[M];
Wide wide[M];
uint32_t any[N], own[N];
uint32_t out[N];

NOINLINE static void add_to(Four *p, uint32_t x) {
  p->a += x;
  p->b += 1;
  p->c ^= x;
}
// silent
NOINLINE void silent_updates_in_callee(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    add_to(&four[any[i]], (uint32_t)i);
  }
}

#ifndef ONLY_GROUP
// silent
NOINLINE static void silent_own_element(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Four *p = &four[own[i]];
    p->a = p->a * 3 + 1;
    p->b ^= p->a;
    p->c = p->c * 5 + p->b;
    p->d = p->d * 7 + p->c;
  }
}
// silent
NOINLINE static void silent_updates(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    four[any[i]].a += i;
    four[any[i]].b |= i;
    four[any[i]].d += 1;
  }
}
// silent
NOINLINE static void silent_mixed_sizes(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Mixed *p = &mixed[any[i]];
    p->a += 1;
    p->sum += i;
    p->b += 2;
  }
}
// silent
NOINLINE static void silent_same_values(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Wide *p = &wide[any[i]];
    p->a = 7;
    p->b = 8;
  }
}
// finds: reads what another iteration wrote
NOINLINE static void one_field_is_read(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Four *p = &four[own[i]];
    p->a = i;
    p->b = i + 1;
    p->d = i + 2;
    out[i] = own[i] == 9 ? four[own[i] - 2].d : 0;
  }
}
// finds: order-dependent output
NOINLINE static void last_one_wins(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Four *p = &four[own[i] / 2];
    p->a = i;
    p->b = 1;
  }
}
// finds: update torn between lines
NOINLINE static void two_kinds_of_updates(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Four *p = &four[any[i] % 64];
    if (i % 3) {
      p->a += i;
      p->b += i;
    } else {
      p->a += i;
      p->b ^= i;
    }
  }
}
// finds: reads what another iteration wrote
NOINLINE static void neighbour(void) {
#pragma heddle async
  for (int i = 0; i + 1 < N; ++i) {
    Wide *p = &wide[i];
    p[1].a = p[0].a * 3 + 1;
    p[1].b = p[0].b + p[1].a;
  }
}
// Both names are one element in each iteration.
// silent
NOINLINE static void silent_two_names(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Four *p = &four[own[i]], *q = at[i];
    p->a = i;
    p->b = q->a + 1;
    q->c = p->b;
    p->d = q->c + q->a;
  }
}
// Another one has its second half in the first half of this.
// finds: reads what another iteration wrote
NOINLINE static void overlapping(void) {
  char *bytes = (char *)four;
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    uint64_t wide_value;
    uint32_t *p = (uint32_t *)(bytes + 8 * own[i]);
    p[0] = i;
    p[1] = i + 1;
    if (own[i] % 100 == 5) {
      memcpy(&wide_value, bytes + 8 * own[i] - 4, 8);
      out[i] = (uint32_t)wide_value;
    }
  }
}
NOINLINE static void read_first(const Four *p, uint32_t *to) {
  *to = p->a + p->b;
}
NOINLINE static void write_both(Four *p, uint32_t x) {
  p->a = x;
  p->b = x;
}
// finds: reads what another iteration wrote
NOINLINE static void in_two_callees(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    read_first(&four[any[i]], &out[i]);
    write_both(&four[own[i]], (uint32_t)i);
  }
}
// A callee may get a variable of the iteration.
// silent
NOINLINE static void silent_own_variable(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    Four local;
    write_both(&local, (uint32_t)i);
    add_to(&local, 3);
    read_first(&local, &out[i]);
  }
}
typedef struct {
  uint32_t x, y, z;
} Point;
static Point points[M], moved[M];
static Wide copies[M];
#pragma pack(push, 1)
typedef struct {
  char tag;
  uint64_t value;
  uint32_t more;
} Packed;
#pragma pack(pop)
static Packed packed[M], unpacked[M];
// silent
NOINLINE static void silent_copies(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    copies[i] = wide[own[i]];
    moved[own[i]] = points[any[i]];
    unpacked[own[i]] = packed[i];
  }
}
// finds: reads what another iteration wrote
NOINLINE static void shifted_copies(void) {
#pragma heddle async
  for (int i = 0; i + 1 < N; ++i) {
    points[i + 1] = points[i];
  }
}
// finds: reads what another iteration wrote 'moved[3].z'
NOINLINE static void copied_field(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    points[i].x = 2 * i + 1;
    points[i].z = 3 * i + 1;
    moved[i] = points[i];
    if (i % 100 == 4)
      out[i] = moved[i - 1].z;
  }
}
// finds: order-dependent output
NOINLINE static void copies_to_few(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    packed[any[i] % 4].tag = 1;
    copies[any[i] % 4] = wide[i];
  }
}
NOINLINE static void write_state(Four *p, uint32_t x) {
  p->d = p->d * 3 + p->c + x;
}
// finds: sequential variable 'p->d'
NOINLINE static void one_element(void) {
#pragma heddle async
  for (int i = 0; i < N; ++i) {
    write_state(four, (uint32_t)i + 1);
  }
}
#endif

int main(void) {
  for (int i = 0; i < N; ++i) {
    any[i] = (uint32_t)(i * 7919 % 300);
    own[i] = (uint32_t)(i * 7 % N);
    at[i] = &four[own[i]];
#ifndef ONLY_GROUP
    points[i] = (Point){(uint32_t)i, (uint32_t)i * 3, (uint32_t)i * 7};
#endif
    wide[i] = (Wide){(uint64_t)i, (uint64_t)i * 3};
  }
  silent_updates_in_callee();
#ifndef ONLY_GROUP
  silent_own_element();
  silent_updates();
  silent_mixed_sizes();
  silent_same_values();
  one_field_is_read();
  last_one_wins();
  two_kinds_of_updates();
  neighbour();
  silent_two_names();
  overlapping();
  in_two_callees();
  silent_own_variable();
  silent_copies();
  shifted_copies();
  copied_field();
  copies_to_few();
  one_element();
#endif
  return 0;
}

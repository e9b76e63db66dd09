// Variables of the function that only the loop uses: outside of it, iterations
// share them. The comment in front of each function says what is found. Without
// optimisation, only what is not to be found shows.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -g -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -g -O2 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && %S/Inputs/expected-findings %s %t.json
// RUN: %heddle_clang -fheddle-check -g -O0 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t && not grep -E '(ends|leaves|fills|counts|prints)' %t.json

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 1000, Size = 4096 };
static int places[Size], n = N;
static long data[Size], out[Size];
#define ITERATIONS _Pragma("heddle async") for (int i = 0; i < n; ++i)

// finds: reads what another iteration wrote 'keep[1]'
static void reads_half(void) {
  long keep[Size];
  ITERATIONS {
    keep[i] = data[places[i]];
    out[i] = data[keep[i / 2] % Size];
  }
}
// finds: reads what another iteration wrote 'keep[0]'
static void reads_strings(void) {
  static const char *words[2] = {"a", "b"};
  const char *keep[Size];
  ITERATIONS {
    keep[i] = words[data[places[i]] & 1];
    out[i] = keep[i / 2][0];
  }
}
// finds: reads what another iteration wrote 's.list[1]'
static void reads_list(void) {
  struct {
    long list[Size];
    int used;
  } s;
  ITERATIONS {
    if (i == 0)
      s.used = 0;
    s.list[s.used++] = data[places[i]];
    out[i] = s.list[s.used / 2];
  }
}
// silent
static void reads_own(void) {
  long keep[Size];
  ITERATIONS {
    keep[i] = data[places[i]];
    out[i] = keep[i] * 2;
  }
}
// silent
static void fills(void) {
  long row[8], k;
  ITERATIONS {
    for (k = 0; k < 8; ++k)
      row[k] = data[places[(i + k) % N]];
    long sum = 0;
    for (k = 0; k < 8; ++k)
      sum += row[k] * k;
    out[i] = sum;
  }
}
// silent
static void fills_in_part(void) {
  long row[8];
  int used;
  ITERATIONS {
    used = 0;
    for (int k = 0; k < 8; ++k)
      if (data[places[(i + k) % N]] & 1)
        row[used++] = data[k];
    long sum = 0;
    for (int k = 0; k < used; ++k)
      sum += row[k];
    out[i] = sum;
  }
}
// silent
static void counts(void) {
  long counts[16];
  ITERATIONS {
    memset(counts, 0, sizeof(counts));
    for (int k = 0; k < 20; ++k)
      counts[data[places[(i + k) % N]] & 15]++;
    long most = 0;
    for (int k = 0; k < 16; ++k)
      most = counts[k] > most ? counts[k] : most;
    out[i] = most;
  }
}
// silent
static void prints(void) {
  char text[32];
  ITERATIONS {
    sprintf(text, "%ld", data[places[i]]);
    out[i] = strlen(text);
  }
}
// silent
static void sets_members(void) {
  struct {
    long a, b;
  } pair;
  ITERATIONS {
    pair.a = data[places[i]];
    pair.b = data[pair.a % Size];
    out[i] = pair.a ^ pair.b;
  }
}
// silent
static void sets_through_pointer(void) {
  long value, *to = &value;
  ITERATIONS {
    *to = data[places[i]];
    out[i] = *to + data[*to % Size];
  }
}
// silent
static void walks(void) {
  int stack[64], top;
  ITERATIONS {
    top = 0;
    stack[top++] = places[i];
    long sum = 0;
    for (int steps = 0; top && steps < 20; ++steps) {
      const int at = stack[--top];
      sum += data[at];
      stack[top++] = data[at] % N;
      if (data[at] & 1)
        stack[top++] = places[data[at] % N];
    }
    out[i] = sum;
  }
}
// silent
static void ends(void) {
  ITERATIONS {
    long row[8];
    for (int k = 0; k < 8; ++k)
      row[k] = data[places[(i + k) % N]];
    if (row[data[i] & 7] < 0) {
      printf("%ld\n", row[0]);
      exit(1);
    }
    out[i] = row[i & 7];
  }
}
// silent
static void leaves(void) {
  long found = 0;
  ITERATIONS {
    long row[8];
    for (int k = 0; k < 8; ++k)
      row[k] = data[places[(i + k) % N]];
    if (row[data[i] & 7] > 9900) {
      found = row[1] + row[2];
      break;
    }
  }
  out[0] = found;
}

int main(void) {
  for (int i = 0; i < Size; ++i) {
    places[i] = i * 2654435761u % N;
    data[i] = i * 40503u % 9973;
  }
  reads_half();
  reads_strings();
  reads_list();
  reads_own();
  fills();
  fills_in_part();
  counts();
  prints();
  sets_members();
  sets_through_pointer();
  walks();
  ends();
  leaves();
  return 0;
}

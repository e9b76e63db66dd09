// Functions of the program that have names of the C library, but other
// arguments, are like any that are only declared.
//
// RUN: %heddle_clang -fheddle-check -fno-builtin -O0 %s -DOWN -c -o %t.o
// RUN: %heddle_clang -fheddle-check -fno-builtin -O1 %s %t.o -o %t && %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{.}}

struct pair {
  long one, two;
};
#ifdef OWN
long fread(double x) { return (long)x; }
int wmemset(void) { return 1; }
struct pair strsep(long x) { return (struct pair){x, 2}; }
int strdup(char *text) { return text[0]; }
#else
long fread(double x);
int wmemset(void);
struct pair strsep(long x);
int strdup(char *text);
static long out[100];

int main(void) {
#pragma heddle async
  for (int i = 0; i < 100; ++i)
    out[i] = fread(i) + wmemset() + strsep(i).one + strdup((char *)&i);
  return 0;
}
#endif

// The condition of an if clause may be evaluated any number of times.
//
// RUN: %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -Xclang -verify -Wno-empty-body %s

struct Vector {
  unsigned long size() const;
  explicit operator bool() const;
  bool operator==(const Vector &) const;
  int count;
};
struct Plain {};
int opaque(int);
int pure(int) __attribute__((pure));
int constant(int) __attribute__((const));

#define LOOP for (int i = 0; i < n; ++i)

void conditions(int n, int *p, Vector v, Plain plain, volatile int *device) {
#pragma heddle async if (n > 3 && p && p[n] < v.count || !v.count)
  LOOP;
#pragma heddle async if (pure(n) + constant(n) > (int)sizeof(opaque(n)))
  LOOP;
#pragma heddle async if (__builtin_popcount(n) > 3)
  LOOP;

#pragma heddle async if (n = 3) // expected-error {{condition of 'if' clause has side effects}}
  LOOP;
#pragma heddle async if (n++ > 3) // expected-error {{condition of 'if' clause has side effects}}
  LOOP;
#pragma heddle async if (n ? (n += 3) : 0) // expected-error {{condition of 'if' clause has side effects}}
  LOOP;
#pragma heddle async if (*device) // expected-error {{condition of 'if' clause has side effects}}
  LOOP;
#pragma heddle async if (new int) // expected-error {{condition of 'if' clause has side effects}}
  LOOP;
#pragma heddle async if (n > 3 && (throw 3, true)) // expected-error {{condition of 'if' clause has side effects}}
  LOOP;
#pragma heddle async if (opaque(n) > 3) // expected-error {{condition of 'if' clause calls a function, which may have side effects; call it before the loop and name its result}}
  LOOP;
#pragma heddle async if (v.size() > 3) // expected-error {{condition of 'if' clause calls a function}}
  LOOP;
#pragma heddle async if (v == v) // expected-error {{condition of 'if' clause calls a function}}
  LOOP;
#pragma heddle async if (plain) // expected-error {{value of type 'Plain' is not contextually convertible to 'bool'}}
  LOOP;
#pragma heddle async if (missing > 3) // expected-error {{use of undeclared identifier 'missing'}}
  LOOP;
#pragma heddle async if (v) // expected-error {{condition of 'if' clause calls a function}}
  LOOP;
}

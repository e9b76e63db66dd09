// Mistakes that only an instantiation shows are errors there, at the clause.
//
// RUN: %clangxx -std=c++20 -fsyntax-only -ferror-limit=0 -Xclang -verify %s

template <int N> void count(int n, int *p) {
#pragma heddle async tasks(N)
  // expected-error@-1 3{{argument of 'tasks' clause must be between 1 and 1024}}
  // expected-note@-2 3{{expression evaluates to}}
  for (int i = 0; i < n; ++i)
    ++p[i];
}
template void count<0>(int, int *); // expected-note {{in instantiation of}}
template void count<1>(int, int *);
template void count<1024>(int, int *);
template void count<1025>(int, int *); // expected-note {{in instantiation of}}
template void count<-3>(int, int *);   // expected-note {{in instantiation of}}

#define LOOP for (int i = 0; i < n; ++i)

template <class T> void pointer(T p, int n) {
#pragma heddle async remote(p)
  // expected-error@-1 {{'p' in 'remote' clause must be a pointer or an array}}
  LOOP;
}
template void pointer(int *, int);
template void pointer(long, int); // expected-note {{in instantiation of}}

struct Flags {
  int bit : 1;
};
template <class T> void member(T object, int n) {
#pragma heddle async private(object.bit)
  // expected-error@-1 {{address of bit-field requested}}
  LOOP;
}
template void member(Flags, int); // expected-note {{in instantiation of}}

// These are wrong for every argument.
template <class T> void always(T p, int n) {
#pragma heddle async tasks(sizeof(T) * 1.5) // expected-error {{argument of 'tasks' clause must be an integer, not 'double'}}
  LOOP;
#pragma heddle async private(T) // expected-error {{'T' does not refer to a value}} expected-note@-3 {{declared here}}
  LOOP;
#pragma heddle async if (p.size() > 3) // expected-error {{condition of 'if' clause calls a function}}
  LOOP;
}
template <class... Ts> void pack(int n, Ts... values) {
#pragma heddle async private(values) // expected-error {{contains unexpanded parameter pack 'values'}}
  LOOP;
#pragma heddle async private(values...) // expected-error {{unexpected '...' in 'private' clause}}
  LOOP;
}

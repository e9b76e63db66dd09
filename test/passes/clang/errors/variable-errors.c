// RUN: %clang -fsyntax-only -ferror-limit=0 -Xclang -verify -Wno-empty-body %s

struct graph {
  int flag : 1; // expected-note {{'flag' declared here}}
  long *offsets;
};
void function(void); // expected-note {{'function' declared here}}
typedef int type;

#define LOOP for (int i = 0; i < n; ++i)

void f(int n, struct graph graph) {
  register int fast = 0; // expected-note {{'fast' declared here}}
#pragma heddle async private(fast) // expected-error {{register variable 'fast' cannot be named in a clause}}
  LOOP;
#pragma heddle async private(graph.flag) // expected-error {{bit-field 'flag' cannot be named in a clause}}
  LOOP;
#pragma heddle async private(function) // expected-error {{'function' in 'private' clause is not a variable}}
  LOOP;
#pragma heddle async private(type) // expected-error {{unexpected type name 'type': expected expression}}
  LOOP;
#pragma heddle async private(missing) // expected-error {{use of undeclared identifier 'missing'}}
  LOOP;
#pragma heddle async remote(graph.offsets, n) // expected-error {{'n' in 'remote' clause must be a pointer or an array, not 'int'}}
  LOOP;
#pragma heddle async if (graph) // expected-error {{used type 'struct graph' where arithmetic or pointer type is required}}
  LOOP;
  const int constant = 16;
#pragma heddle async tasks(constant)
  LOOP;
#pragma heddle async tasks(n) // expected-error {{argument of 'tasks' clause is not an integer constant expression}}
  LOOP;
}

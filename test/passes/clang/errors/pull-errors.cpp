// The errors of `#pragma heddle pull` and `#pragma heddle vectorsparse`.
//
// RUN: %clangxx %fopenmp -fsyntax-only -ferror-limit=0 -Xclang -verify %s

int next();

#define LOOP                                                                   \
  for (int i = 0; i < n; ++i)                                                  \
  ++p[i]

void clauses(int n, int *p, float f, volatile long device) {
#pragma heddle pull tasks(3) // expected-error {{unknown clause 'tasks' of '#pragma heddle pull'}} expected-note {{the only clause is 'edges'}}
  LOOP;
#pragma heddle vectorsparse edge(3) // expected-error {{unknown clause 'edge' of '#pragma heddle vectorsparse'; did you mean 'edges'?}} expected-note {{the only clause is 'edges'}}
  LOOP;
#pragma heddle async edges(3) // expected-error {{unknown clause 'edges' of '#pragma heddle async'}} expected-note {{the clauses are}}
  LOOP;
#pragma heddle pull 3 // expected-error {{expected a clause of '#pragma heddle pull'}} expected-note {{the only clause is 'edges'}}
  LOOP;
#pragma heddle pull edges // expected-error {{expected '(' after 'edges'}}
  LOOP;
#pragma heddle pull edges() // expected-error {{expected an expression in 'edges' clause}}
  LOOP;
#pragma heddle pull edges(1, 2) // expected-error {{'edges' clause takes only one argument}}
  LOOP;
#pragma heddle pull edges(1) edges(2) // expected-error {{'#pragma heddle pull' takes only one 'edges' clause}} expected-note {{the previous 'edges' clause is here}}
  LOOP;
#pragma heddle pull edges(0) // expected-error {{argument of 'edges' clause must be at least 1, not 0}}
  LOOP;
#pragma heddle pull edges(f) // expected-error {{argument of 'edges' clause must be an integer, not 'float'}}
  LOOP;
#pragma heddle pull edges(p) // expected-error {{argument of 'edges' clause must be an integer, not 'int *'}}
  LOOP;
#pragma heddle pull edges(missing) // expected-error {{use of undeclared identifier 'missing'}}
  LOOP;
#pragma heddle pull edges(next()) // expected-error {{argument of 'edges' clause calls a function}}
  LOOP;
#pragma heddle pull edges(n++) // expected-error {{argument of 'edges' clause has side effects}}
  LOOP;
#pragma heddle pull edges(n)
  LOOP;
}

void loops(int n, int *p) {
#pragma heddle pull // expected-error {{expected a 'for', 'while' or 'do' loop after '#pragma heddle pull'}}
  ++n; // expected-note {{this is not a loop}}
#pragma heddle pull // expected-error {{'#pragma heddle pull' cannot precede an OpenMP directive; put it between the OpenMP directive and its loop}}
#pragma omp parallel for // expected-note {{the OpenMP directive is here}}
  LOOP;
#pragma heddle pull // expected-note {{the previous directive is here}}
#pragma heddle async // expected-error {{more than one '#pragma heddle' on the same loop}}
  LOOP;
}

template <typename T> void instantiated(T chunk, int n, int *p) {
#pragma heddle pull edges(chunk)
  LOOP;
}
template void instantiated(long, int, int *);
template void instantiated(unsigned char, int, int *);

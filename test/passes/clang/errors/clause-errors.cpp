// RUN: %clangxx -fsyntax-only -ferror-limit=0 -Xclang -verify -Wno-empty-body %s

#define LOOP for (int i = 0; i < n; ++i)

void names(int n) {
#pragma heddle async taks(3) // expected-error {{unknown clause 'taks' of '#pragma heddle async'; did you mean 'tasks'?}} expected-note {{the clauses are 'tasks', 'scheduler', 'private', 'shared', 'sequential', 'remote', 'near', 'coalesce', 'suspensions' and 'if'}}
  LOOP;
#pragma heddle async num_threads(3) schedule(static) // expected-error-re {{unknown clause 'num_threads' of '#pragma heddle async'{{$}}}} expected-error {{unknown clause 'schedule' of '#pragma heddle async'; did you mean 'scheduler'?}} expected-note 2{{the clauses are}}
  LOOP;
#pragma heddle async foo tasks() // expected-error {{unknown clause 'foo'}} expected-note {{the clauses are}} expected-error {{expected 'auto' or an integer constant expression in 'tasks' clause}}
  LOOP;
#pragma heddle async 17 // expected-error {{expected a clause of '#pragma heddle async'}} expected-note {{the clauses are}}
  LOOP;
#pragma heddle async tasks(3); // expected-error {{expected a clause of '#pragma heddle async'}} expected-note {{the clauses are}}
  LOOP;
#pragma heddle async, tasks(3) // expected-error {{expected a clause of '#pragma heddle async'}} expected-note {{the clauses are}}
  LOOP;
#pragma heddle async tasks(3), // expected-error {{expected a clause of '#pragma heddle async'}} expected-note {{the clauses are}}
  LOOP;
}

void repetitions(int n) {
#pragma heddle async tasks(3) tasks(auto) // expected-error {{'#pragma heddle async' takes only one 'tasks' clause}} expected-note {{the previous 'tasks' clause is here}}
  LOOP;
#pragma heddle async scheduler(fifo) if (n) if (n) scheduler(fifo) // expected-error {{takes only one 'if' clause}} expected-note {{the previous 'if' clause}} expected-error {{takes only one 'scheduler' clause}} expected-note {{the previous 'scheduler' clause}}
  LOOP;
#pragma heddle async coalesce(1) coalesce(2) coalesce(3) // expected-error 2{{takes only one 'coalesce' clause}} expected-note 2{{the previous 'coalesce' clause}}
  LOOP;
#pragma heddle async private(n) private(n)
  LOOP;
}

void parentheses(int n, int *p) {
#pragma heddle async tasks 3 // expected-error {{expected '(' after 'tasks'}}
  LOOP;
#pragma heddle async private // expected-error {{expected '(' after 'private'}}
  LOOP;
#pragma heddle async tasks(3 // expected-error {{expected ')'}} expected-note {{to match this '('}}
  LOOP;
#pragma heddle async private(p[3) // expected-error {{expected ']'}} expected-note {{to match this '['}}
  LOOP;
#pragma heddle async private(n] // expected-error {{expected ')'}} expected-note {{to match this '('}}
  LOOP;
#pragma heddle async private(n)) // expected-error {{expected a clause}} expected-note {{the clauses are}}
  LOOP;
}

void arguments(int n, int *p) {
#pragma heddle async tasks() coalesce() scheduler() if () private() near() // expected-error {{expected 'auto' or an integer constant expression in 'tasks' clause}} expected-error {{expected an expression in 'coalesce' clause}} expected-error {{expected 'fifo', 'lockstep' or 'dynamic' in 'scheduler' clause}} expected-error {{expected an expression in 'if' clause}} expected-error {{'private' clause names no variable}} expected-error {{'near' clause names no variable}}
  LOOP;
#pragma heddle async scheduler(lokstep) // expected-error {{unknown scheduler 'lokstep'; did you mean 'lockstep'?}}
  LOOP;
#pragma heddle async scheduler(guided) // expected-error {{unknown scheduler 'guided'; expected 'fifo', 'lockstep' or 'dynamic'}}
  LOOP;
#pragma heddle async scheduler(fifo, 64) // expected-error {{'scheduler' clause takes only one argument}}
  LOOP;
#pragma heddle async scheduler(2) // expected-error {{expected 'fifo', 'lockstep' or 'dynamic' in 'scheduler' clause}}
  LOOP;
#pragma heddle async tasks(2, 3) coalesce(1, 2) if (n, p) // expected-error {{'tasks' clause takes only one argument}} expected-error {{'coalesce' clause takes only one argument}} expected-error {{'if' clause takes only one argument}}
  LOOP;
#pragma heddle async tasks(2 3) // expected-error {{expected ')'}} expected-note {{to match this '('}}
  LOOP;
#pragma heddle async private(n p) // expected-error {{expected ',' or ')' in 'private' clause}}
  LOOP;
#pragma heddle async private(n, ) remote(p) // expected-error {{expected expression}}
  LOOP;
#pragma heddle async private(, n) // expected-error {{expected expression}}
  LOOP;
#pragma heddle async private(n; p) // expected-error {{unexpected ';' in 'private' clause}}
  LOOP;
#pragma heddle async tasks(_Pragma("heddle async") 3) // expected-error {{'#pragma heddle' inside another '#pragma heddle'}}
  LOOP;
}

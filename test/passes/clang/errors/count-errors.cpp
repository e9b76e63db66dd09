// RUN: %clangxx -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify -Wno-empty-body %s

enum Counts { Few = 4 };
enum class Scoped { Many = 400 };
constexpr int constant = 8;
const int alsoConstant = 8;
int variable = 8;
constexpr int function(int n) { return 2 * n; }

#define LOOP for (int i = 0; i < n; ++i)

void counts(int n) { // expected-note {{declared here}}
#pragma heddle async tasks(1024) coalesce(2147483647) suspensions(2147483647)
  LOOP;
#pragma heddle async tasks(Few + constant * alsoConstant) coalesce(function(3))
  LOOP;
#pragma heddle async tasks(true ? 3 : 4) coalesce('a')
  LOOP;
#pragma heddle async tasks(0) // expected-error {{argument of 'tasks' clause must be between 1 and 1024, not 0}}
  LOOP;
#pragma heddle async tasks(1025) // expected-error {{argument of 'tasks' clause must be between 1 and 1024, not 1025}}
  LOOP;
#pragma heddle async tasks(-16) coalesce(0) // expected-error {{argument of 'tasks' clause must be between 1 and 1024, not -16}} expected-error {{argument of 'coalesce' clause must be between 1 and 2147483647, not 0}}
  LOOP;
#pragma heddle async tasks(18446744073709551615u) coalesce(2147483648) // expected-error {{must be between 1 and 1024, not 18446744073709551615}} expected-error {{must be between 1 and 2147483647, not 2147483648}}
  LOOP;
#pragma heddle async tasks(n) // expected-error {{argument of 'tasks' clause is not an integer constant expression}} expected-note {{function parameter 'n' with unknown value cannot be used in a constant expression}}
  LOOP;
#pragma heddle async tasks(variable) // expected-error {{argument of 'tasks' clause is not an integer constant expression}} expected-note {{read of non-const variable 'variable' is not allowed in a constant expression}} expected-note@7 {{declared here}}
  LOOP;
#pragma heddle async coalesce(8 / 0) // expected-error {{argument of 'coalesce' clause is not an integer constant expression}} expected-note {{division by zero}}
  LOOP;
#pragma heddle async tasks(16.0) // expected-error {{argument of 'tasks' clause must be an integer, not 'double'}}
  LOOP;
#pragma heddle async tasks("16") // expected-error {{argument of 'tasks' clause must be an integer, not 'const char[3]'}}
  LOOP;
#pragma heddle async tasks(Scoped:: Many) // expected-error {{argument of 'tasks' clause must be an integer, not 'Scoped'}}
  LOOP;
#pragma heddle async tasks(missing) // expected-error {{use of undeclared identifier 'missing'}}
  LOOP;
#pragma heddle async tasks(int) // expected-error {{expected expression}}
  LOOP;
}

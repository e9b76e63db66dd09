// RUN: %clangxx -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify -Wno-empty-body %s

void statements(int n, int *p) {
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop after '#pragma heddle async'}}
  n = 3; // expected-note {{this is not a loop}}
#pragma heddle async tasks(3) // expected-error {{expected a 'for', 'while' or 'do' loop after '#pragma heddle async'}}
  int k; // expected-note {{this is not a loop}}
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
  [[maybe_unused]] int unused; // expected-note {{this is not a loop}}
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
  [&] { ++n; }(); // expected-note {{this is not a loop}}
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
  { // expected-note {{this is not a loop}}
    for (int i = 0; i < n; ++i)
      ;
  }
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
label: // expected-note {{this is not a loop}}
  for (int i = 0; i < n; ++i)
    ;
  _Pragma("heddle async") n = 4; // expected-error {{expected a 'for', 'while' or 'do' loop}} expected-note {{this is not a loop}}
#define DECLARE(name) int name
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
  DECLARE(declared); // expected-note {{this is not a loop}}
  if (n)
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
    return; // expected-note {{this is not a loop}}
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
} // expected-note {{this is not a loop}}

#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
int global; // expected-note {{this is not a loop}}
#pragma heddle async private(global) // expected-error {{expected a 'for', 'while' or 'do' loop}}
void function(); // expected-note {{this is not a loop}}

class Class {
#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}
  int member; // expected-note {{this is not a loop}}
};

void twice(int n) {
#pragma heddle async // expected-note {{the previous directive is here}}
#pragma heddle async tasks(3) // expected-error {{more than one '#pragma heddle' on the same loop}}
  for (int i = 0; i < n; ++i)
    ;
#pragma heddle async // expected-note {{the previous directive is here}}
#pragma unroll
#pragma heddle async // expected-error {{more than one '#pragma heddle' on the same loop}}
  for (int i = 0; i < n; ++i)
#pragma heddle async
    for (int j = 0; j < n; ++j)
      ;
}

#pragma heddle async // expected-error {{expected a 'for', 'while' or 'do' loop}}

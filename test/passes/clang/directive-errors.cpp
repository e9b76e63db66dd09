// RUN: %clangxx -fsyntax-only -Wno-empty-body -ferror-limit=0 -Xclang -verify %s

void directives(int n, int *p) {
#pragma heddle // expected-error {{expected 'async' or 'vectorsparse' after '#pragma heddle'}}
#pragma heddle 3 // expected-error {{expected 'async' or 'vectorsparse' after '#pragma heddle'}}
#pragma heddle asink // expected-error {{unknown directive '#pragma heddle asink'; did you mean 'async'?}}
#pragma heddle vectorsparce // expected-error {{unknown directive '#pragma heddle vectorsparce'; did you mean 'vectorsparse'?}}
#pragma heddle thread(3) // expected-error {{unknown directive '#pragma heddle thread'; expected 'async' or 'vectorsparse'}}

#pragma heddle vectorsparse // expected-warning {{'#pragma heddle vectorsparse' is not supported by this version; the loop is compiled as it stands}}
  for (int i = 0; i < n; ++i)
    ++p[i];
#pragma heddle vectorsparse tasks(3) // expected-error {{extra tokens at end of '#pragma heddle vectorsparse'}}
  for (int i = 0; i < n; ++i)
    ++p[i];

  // Without its directive, the loop is compiled as it stands, and one error is
  // enough.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas"
#pragma heddle vectorsparse
#pragma clang diagnostic pop
  for (int i = 0; i < n; ++i)
    ++p[i];

  [[heddle_async]] while (n); // expected-error {{'heddle_async' is not an attribute to write; use '#pragma heddle async'}}
  [[heddle_async(1212498944)]] while (n); // expected-error {{'heddle_async' is not an attribute to write}}
  [[heddle_async(3)]] int k; // expected-error {{'heddle_async' is not an attribute to write}}
}

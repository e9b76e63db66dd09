// RUN: %clangxx -fsyntax-only -Wno-empty-body -ferror-limit=0 -Xclang -verify %s

void directives(int n, int *p) {
#pragma heddle // expected-error {{expected 'async', 'pull' or 'vectorsparse' after '#pragma heddle'}}
#pragma heddle 3 // expected-error {{expected 'async', 'pull' or 'vectorsparse' after '#pragma heddle'}}
#pragma heddle asink // expected-error {{unknown directive '#pragma heddle asink'; did you mean 'async'?}}
#pragma heddle vectorsparce // expected-error {{unknown directive '#pragma heddle vectorsparce'; did you mean 'vectorsparse'?}}
#pragma heddle pul // expected-error {{unknown directive '#pragma heddle pul'; did you mean 'pull'?}}
#pragma heddle thread(3) // expected-error {{unknown directive '#pragma heddle thread'; expected 'async', 'pull' or 'vectorsparse'}}

  [[heddle_async]] while (n); // expected-error {{the attribute 'heddle_async' is internal; use '#pragma heddle async'}}
  [[heddle_async(1212498944)]] while (n); // expected-error {{'heddle_async' is internal}}
  [[heddle_async(3)]] int k; // expected-error {{'heddle_async' is internal}}
}

// RUN: %clangxx %fopenmp -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// RUN: %clangxx -fsyntax-only -Wno-unknown-pragmas -ferror-limit=0 -Xclang -verify=serial %s
// serial-no-diagnostics

void f(int n, int *p) {
#pragma heddle async // expected-error {{'#pragma heddle async' cannot precede an OpenMP directive; put it between the OpenMP directive and its loop}}
#pragma omp parallel for // expected-note {{the OpenMP directive is here}}
  for (int i = 0; i < n; ++i)
    ++p[i];
  _Pragma("heddle async tasks(3)") // expected-error {{'#pragma heddle async' cannot precede an OpenMP directive}}
#pragma omp simd // expected-note {{the OpenMP directive is here}}
  for (int i = 0; i < n; ++i)
    ++p[i];
#pragma omp parallel for
#pragma heddle async
  for (int i = 0; i < n; ++i)
    ++p[i];
}

// Compilers without the plugin pass the directives by.
//
// RUN: %plain_clangxx -std=c++17 -Wall -Werror -Wno-unknown-pragmas -fsyntax-only %s
// RUN: %plain_clang -x c -Wall -Werror -Wno-unknown-pragmas -fsyntax-only %s
// RUN: %plain_clangxx %fopenmp -Wall -Werror -Wno-unknown-pragmas -fsyntax-only %s
// RUN: %gxx -std=c++17 -fopenmp -Wall -Werror -Wno-unknown-pragmas -fsyntax-only %s
// RUN: %gcc -x c -fopenmp -Wall -Werror -Wno-unknown-pragmas -fsyntax-only %s
// RUN: %clangxx -std=c++17 %fopenmp -Wall -Werror -fsyntax-only %s

long gather(const int *indices, const long *a, long n);

long gather(const int *indices, const long *a, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma heddle async tasks(auto) scheduler(lockstep) remote(a) near(indices) shared(sum) coalesce(2) if (n > 100)
  for (long i = 0; i < n; ++i)
    sum += a[indices[i]];
  _Pragma("heddle async tasks(8)") for (long i = 0; i < n; ++i) sum += a[i];
  return sum;
}

/* Every version of C and C++ takes the directive, and no warning blames it.

   RUN: %clang -std=c89 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clang -std=gnu89 -Weverything -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clang -std=c99 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clang -std=c11 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clang -std=gnu17 -Weverything -Werror -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clang -std=c23 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clangxx -x c++ -std=c++98 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clangxx -x c++ -std=c++11 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
   RUN: %clangxx -x c++ -std=c++23 -Weverything -Werror -pedantic-errors -O1 -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | FileCheck %s
*/

#ifdef __cplusplus
extern "C"
#endif
long gather(const int *indices, const long *a, long n);

/*
   CHECK-COUNT-3: call {{.*}}@__heddle_mark(
*/
long gather(const int *indices, const long *a, long n) {
  long sum = 0, i;
again:
#pragma heddle async remote(a) private(i) shared(sum) if (n > 3)
  for (i = 0; i < n; ++i)
    sum += n;
  if (sum < 3)
#pragma heddle async scheduler(fifo)
    while (sum < n)
      sum += *a;
  else
#pragma heddle async tasks(8)
    do
      sum += *indices;
    while (sum < n);
  if (sum == 17)
    goto again;
  return sum;
}

// RUN: %clang -fsyntax-only %s
// RUN: not %clang -fplugin-arg-HeddlePlugin-verbose -fsyntax-only %s 2>&1 | FileCheck %s
// CHECK: error: unknown argument 'verbose' to the Heddle plugin

int x;

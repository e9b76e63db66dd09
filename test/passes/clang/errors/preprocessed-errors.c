// Preprocessing reports no errors of the directives, it passes them on.
//
// RUN: %clang -Werror -E %s | FileCheck %s
// RUN: %clang -M %s
// RUN: not %clang -fsyntax-only %s

// CHECK: {{^}}#pragma heddle{{$}}
#pragma heddle
// CHECK: {{^}}#pragma heddle asink{{$}}
#pragma heddle asink
// CHECK: {{^}}#pragma heddle async tasks(]{{$}}
#pragma heddle async tasks(]
// CHECK: {{^}}#pragma heddle vectorsparse{{$}}
#pragma heddle vectorsparse

#!/bin/sh
# assembly.sh <clang> <opt> <llc> <bits of a lane> <lanes> <type> <flags>: the
# assembly of loops.c, where each loop has to become a kernel.
set -eu
$1 -DLANE_BITS=$4 -DLANES=$5 -DVALUE=$6 -O2 -ffreestanding -nostdlibinc $7 \
  -fno-vectorize -S -emit-llvm "$(dirname -- "$0")/loops.c" -o - |
  sed "s/!\"llvm.loop.unroll.disable\"/!\"heddle.vectorsparse\", i32 $4, i32 $5/" |
  $2 -passes='heddle-pull-kernel,default<O2>' -pass-remarks-missed=heddle |
  $3 -O3 -o -

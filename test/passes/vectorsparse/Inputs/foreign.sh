#!/bin/sh
# foreign.sh <work directory> <clang> <opt> <flags> <emulator>...: builds
# foreign.c for each layout and runs it under each emulator.
set -eu
work=$1 clang=$2 opt=$3 flags=$4
shift 4
mkdir -p "$work"
for layout in 32,8 32,16 64,4 64,8; do
  bits=${layout%,*} lanes=${layout#*,}
  $clang -DLANE_BITS=$bits -DLANES=$lanes -O2 -ffreestanding -nostdlibinc $flags \
    -fno-vectorize -S -emit-llvm "$(dirname -- "$0")/foreign.c" -o - |
    sed "s/!\"llvm.loop.unroll.disable\"/!\"heddle.vectorsparse\", i32 $bits, i32 $lanes/" |
    $opt -passes=heddle-pull-kernel -S -o "$work/kernels.ll"
  [ "$(grep -c 'call .*@heddle\.pull\.' "$work/kernels.ll")" = 9 ] ||
    { echo "loops are no kernels: $layout" >&2; exit 1; }
  $opt -passes='default<O2>' "$work/kernels.ll" -o "$work/foreign.bc"
  $clang $flags -O2 -c "$work/foreign.bc" -o "$work/foreign.o"
  ld.lld -static "$work/foreign.o" -o "$work/foreign"
  for emulator; do
    $emulator "$work/foreign" ||
      { echo "loop $? differs: $layout, $emulator" >&2; exit 1; }
  done
done

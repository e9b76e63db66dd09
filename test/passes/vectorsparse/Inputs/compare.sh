#!/bin/sh
# compare.sh <work directory> <clang++> <opt> <flags>: compiles the loops twice,
# for each layout, and compares what they give. Each loop has to become a kernel.
# HEDDLE_TEST_FULL in the environment asks for all layouts.
set -eu
inputs=$(dirname -- "$0")
work=$1 clang=$2 opt=$3 flags=$4
mkdir -p "$work"
layouts="32,16 64,4"
[ -z "${HEDDLE_TEST_FULL-}" ] || layouts="$layouts 32,8 64,8"
for layout in $layouts; do
  bits=${layout%,*} lanes=${layout#*,}
  defines="-std=c++20 -DLANE_BITS=$bits -DLANES=$lanes"
  # Without the vectoriser of loops in front of the pass.
  $clang $defines -DVERSION=vector -O2 $flags -fno-math-errno \
    -fno-vectorize -fno-slp-vectorize -S -emit-llvm \
    "$inputs/kernels.cpp" -o "$work/vector.ll"
  sed -i "s/!\"llvm.loop.unroll.disable\"/!\"heddle.vectorsparse\", i32 $bits, i32 $lanes/" \
    "$work/vector.ll"
  $opt -passes=heddle-pull-kernel -pass-remarks-missed=heddle -S \
    "$work/vector.ll" -o "$work/kernels.ll"
  [ "$(grep -c 'call .*@heddle\.pull\.' "$work/kernels.ll")" = \
    "$(grep -c '^KERNEL' "$inputs/kernels.def")" ] ||
    { echo "not all loops are kernels: $layout" >&2; exit 1; }
  $opt -passes='default<O2>' "$work/kernels.ll" -o "$work/vector.bc"
  $clang -O2 $flags -c "$work/vector.bc" -o "$work/vector.o"
  $clang $defines -DVERSION=scalar -O1 -c "$inputs/kernels.cpp" \
    -o "$work/scalar.o"
  $clang $defines "$inputs/main.cpp" "$work/vector.o" "$work/scalar.o" \
    -o "$work/run"
  "$work/run"
done

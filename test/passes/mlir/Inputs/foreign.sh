#!/bin/sh
# foreign.sh <work directory> <heddle-opt> <mlir-translate> <clang> <options of
# heddle-to-llvm> <flags> <emulator>...: builds foreign.mlir with foreign.c and
# runs them under each emulator.
set -eu
work=$1 heddle_opt=$2 translate=$3 clang=$4 options=$5 flags=$6
shift 6
inputs=$(dirname -- "$0")
mkdir -p "$work"
$heddle_opt "$inputs/foreign.mlir" "--heddle-to-llvm=$options" |
  $translate --mlir-to-llvmir -o "$work/kernels.ll"
$clang $flags -Wno-override-module -O2 -c "$work/kernels.ll" -o "$work/kernels.o"
$clang $flags -O2 -ffreestanding -nostdlibinc -c "$inputs/foreign.c" \
  -o "$work/main.o"
ld.lld -static "$work/kernels.o" "$work/main.o" -o "$work/foreign"
for emulator; do
  $emulator "$work/foreign" ||
    { echo "pull $? differs: $options, $emulator" >&2; exit 1; }
done

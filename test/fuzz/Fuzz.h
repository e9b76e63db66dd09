//===- Fuzz.h - The targets of random bytes ---------------------*- C++ -*-===//
//
// Each function turns bytes into operations on a data structure and on its
// model, and reports differences to GoogleTest. A fuzzer calls one of them
// repeatedly; the tests call all of them a few times.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_FUZZ_FUZZ_H
#define HEDDLE_TEST_FUZZ_FUZZ_H

#include <cstdint>
#include <span>

namespace heddle::test {

void fuzzPma(std::span<const std::uint8_t> bytes);
void fuzzCodec(std::span<const std::uint8_t> bytes);
void fuzzCBList(std::span<const std::uint8_t> bytes);
void fuzzCpmaGraph(std::span<const std::uint8_t> bytes);

} // namespace heddle::test

#endif

//===- Fuzz.h - The targets of random bytes ---------------------*- C++ -*-===//
//
// Each of these turns bytes into operations on something and on its model, and
// has GoogleTest say what differs. A fuzzer calls one of them again and again;
// the tests call all of them a few times.
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

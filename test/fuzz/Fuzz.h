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
#include <string>
#include <vector>

namespace heddle::test {

void fuzzPma(std::span<const std::uint8_t> bytes);
void fuzzCodec(std::span<const std::uint8_t> bytes);
void fuzzCBList(std::span<const std::uint8_t> bytes);
void fuzzCpmaGraph(std::span<const std::uint8_t> bytes);

// Bytes as files that others may have written or damaged. Random bytes are
// hardly ever such files: fuzzers begin with small ones that are made for them.
using FuzzSeeds = std::vector<std::string>;
void fuzzFormat(std::span<const std::uint8_t> bytes);
FuzzSeeds seedsOfFormat();
void fuzzLayout(std::span<const std::uint8_t> bytes);
FuzzSeeds seedsOfLayout();
void fuzzCheckpoint(std::span<const std::uint8_t> bytes);
FuzzSeeds seedsOfCheckpoint();
void fuzzJournal(std::span<const std::uint8_t> bytes);
FuzzSeeds seedsOfJournal();
void fuzzTune(std::span<const std::uint8_t> bytes);
FuzzSeeds seedsOfTune();

} // namespace heddle::test

#endif

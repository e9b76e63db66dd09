//===- Level.h - The instructions of this program's loops ------*- C++ -*-===//
//
// A figure means little to a reader who does not know what code was measured.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_LEVEL_H
#define HEDDLE_TOOLS_BENCH_LEVEL_H

#include "../output/Json.h"

#include <string>
#include <vector>

namespace heddle::bench {

/// Prints the level above a table.
void printLevel();

/// Returns an array of the rows, each with the level as its last member.
std::string arrayWithLevel(std::vector<JsonObject> rows);

} // namespace heddle::bench

#endif

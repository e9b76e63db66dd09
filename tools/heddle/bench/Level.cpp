//===- Level.cpp - The instructions of this program's loops ---------------===//
//
// Compiled for each program, with the level in HEDDLE_BENCH_LEVEL.
//
//===----------------------------------------------------------------------===//

#include "Level.h"

#include <fmt/format.h>

namespace heddle::bench {

void printLevel() {
  fmt::print("Loops are compiled for {}.\n\n", HEDDLE_BENCH_LEVEL);
}

std::string arrayWithLevel(std::vector<JsonObject> rows) {
  for (JsonObject &row : rows)
    row.add("level", HEDDLE_BENCH_LEVEL);
  return arrayOf(rows);
}

} // namespace heddle::bench

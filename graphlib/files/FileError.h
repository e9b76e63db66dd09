//===- FileError.h - Errors that name a position in a file -----*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_FILEERROR_H
#define HEDDLE_GRAPHLIB_FILES_FILEERROR_H

#include "heddle/graph/Error.h"

#include <cstdint>
#include <string>

namespace heddle::graph {

/// Reports an error in a text file: `line` is counted from 1.
[[noreturn]] inline void failAtLine(const std::string &path, std::uint64_t line,
                                    const std::string &problem) {
  throw Error(path + ":" + std::to_string(line) + ": " + problem);
}

/// Reports an error in a binary file: `byte` bytes precede it.
[[noreturn]] inline void failAtByte(const std::string &path, std::uint64_t byte,
                                    const std::string &problem) {
  throw Error(path + ": byte " + std::to_string(byte) + ": " + problem);
}

} // namespace heddle::graph

#endif

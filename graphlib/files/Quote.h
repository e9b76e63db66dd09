//===- Quote.h - Foreign bytes in messages ---------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_QUOTE_H
#define HEDDLE_GRAPHLIB_FILES_QUOTE_H

#include <string>
#include <string_view>

namespace heddle::graph {

/// The start of `text` in quotes, safe to print: bytes that are not printable
/// ASCII appear as \xHH.
std::string quoted(std::string_view text);

} // namespace heddle::graph

#endif

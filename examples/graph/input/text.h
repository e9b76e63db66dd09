//===- text.h - Text out of files and programs ------------------*- C++ -*-===//

#ifndef GRAPH_INPUT_TEXT_H
#define GRAPH_INPUT_TEXT_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Calls `visit` for every line of `file`, which may be compressed, with the
/// line (without its end) and its number from 1. Shows progress. Throws
/// InputError if the file cannot be read to its end.
void forEachLine(const std::string &file,
                 const std::function<void(std::string_view, int64_t)> &visit);

/// Returns what a program writes to its standard output; empty if it fails.
std::string outputOf(std::vector<std::string> command);

#endif

//===- Error.h - Errors of the graph library --------------------*- C++ -*-===//
//
// One type for all errors that a caller could not have known beforehand: files
// that cannot be read, edges that do not fit the graph, sizes that no graph can
// have. Files that cannot be written have a type of their own, because another
// input would not help. Lack of memory is std::bad_alloc.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ERROR_H
#define HEDDLE_GRAPH_ERROR_H

#include <stdexcept>

namespace heddle::graph {

/// what() is one line with the location, the expected and the found input,
/// ready to be shown to the user. Errors in files begin with "FILE:LINE: ".
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The input is right, but a file could not be written: there is no such
/// directory, no space or no permission.
class WriteError : public Error {
public:
  using Error::Error;
};

} // namespace heddle::graph

#endif

//===- Error.h - What the graph library throws -----------------*- C++ -*-===//
//
// One type for everything that a caller could not have known beforehand: files
// that cannot be read, edges that do not fit the graph, sizes that no graph can
// have. Lack of memory stays std::bad_alloc.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_ERROR_H
#define HEDDLE_GRAPH_ERROR_H

#include <stdexcept>

namespace heddle::graph {

/// what() is one line that says where, what was expected and what was found,
/// ready to be shown to the user. Errors in files begin with "FILE:LINE: ".
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace heddle::graph

#endif

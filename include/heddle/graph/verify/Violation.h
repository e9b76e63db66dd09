//===- Violation.h - What is wrong with a result ---------------*- C++ -*-===//
//
// Verifiers check what algorithms return, in the simplest serial way there is
// and without any of their code. They are for doubts, not for speed, but take
// seconds, not hours, on graphs with millions of edges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_VERIFY_VIOLATION_H
#define HEDDLE_GRAPH_VERIFY_VIOLATION_H

#include <cstddef>
#include <optional>
#include <sstream>
#include <string>

namespace heddle::graph {

/// A line that says what is wrong first, or nothing if all is right. It is
/// worth showing as it is:
///
///   vertex 7: expected distance 3, found 4
using Violation = std::optional<std::string>;

namespace detail {

/// Says that something of a vertex has the wrong value.
template <typename VertexId, typename Expected, typename Found>
Violation wrongValue(VertexId vertex, const char *what,
                     const Expected &expected, const Found &found) {
  std::ostringstream text;
  text.precision(17);
  text << "vertex " << vertex << ": expected " << what << ' ' << expected
       << ", found " << found;
  return text.str();
}

/// Says that a result has not one element for each vertex.
inline Violation wrongSize(std::size_t vertices, std::size_t elements) {
  return "expected a value for each of " + std::to_string(vertices) +
         " vertices, found " + std::to_string(elements) + " values";
}

} // namespace detail
} // namespace heddle::graph

#endif

//===- Violation.h - The error in a result ----------------------*- C++ -*-===//
//
// Verifiers check the results of algorithms in the simplest serial way, without
// sharing code with them. They are not fast, but take seconds, not hours, on
// graphs with millions of edges.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_VERIFY_VIOLATION_H
#define HEDDLE_GRAPH_VERIFY_VIOLATION_H

#include <cstddef>
#include <optional>
#include <sstream>
#include <string>

namespace heddle::graph {

/// A line that describes the first error, or nothing if there is none. It can
/// be shown to users as it is:
///
///   vertex 7: expected distance 3, found 4
using Violation = std::optional<std::string>;

namespace detail {

/// Reports that a property of a vertex has the wrong value.
template <typename VertexId, typename Expected, typename Found>
Violation wrongValue(VertexId vertex, const char *what,
                     const Expected &expected, const Found &found) {
  std::ostringstream text;
  text.precision(17);
  text << "vertex " << vertex << ": expected " << what << ' ' << expected
       << ", found " << found;
  return text.str();
}

/// Whether the property of each vertex has the value that it should have.
template <typename Expected, typename Found>
Violation compareValues(const char *what, const Expected &expected,
                        const Found &found) {
  for (std::size_t v = 0; v < expected.size(); ++v)
    if (found[v] != expected[v])
      return wrongValue(v, what, expected[v], found[v]);
  return {};
}

/// Reports that a result does not have one element per vertex.
inline Violation wrongSize(std::size_t vertices, std::size_t elements) {
  return "expected a value for each of " + std::to_string(vertices) +
         " vertices, found " + std::to_string(elements) + " values";
}

} // namespace detail
} // namespace heddle::graph

#endif

//===- GraphFiles.h - Graphs read from files, as tests see them -*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_GRAPHFILES_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_GRAPHFILES_H

#include "FlatGraph.h"
#include "InputFile.h"
#include "heddle/graph/ReadGraph.h"

#include <string>
#include <string_view>

namespace heddle::test {

/// Returns the error of readGraph(), without the path that it begins with;
/// "accepted" if there is none.
template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
std::string graphProblem(const std::string &path,
                         const graph::ReadGraphOptions &options = {}) {
  return problemWith(
      path, [&] { graph::readGraph<VertexId, Weight>(path, options); });
}

template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
std::string graphProblemOf(const std::string &name, std::string_view bytes,
                           const graph::ReadGraphOptions &options = {}) {
  InputFile file(name, bytes);
  return graphProblem<VertexId, Weight>(file.path, options);
}

template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
FlatGraph graphOf(const std::string &name, std::string_view bytes,
                  const graph::ReadGraphOptions &options = {}) {
  InputFile file(name, bytes);
  return FlatGraph(graph::readGraph<VertexId, Weight>(file.path, options));
}

} // namespace heddle::test

#endif

//===- InputFile.h - Files for one test ------------------------*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_INPUTFILE_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_INPUTFILE_H

#include "../../support/TemporaryDirectory.h"
#include "heddle/graph/ReadEdgeList.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace heddle::test {

/// A file that is there until the end of the test.
class InputFile {
public:
  InputFile(const std::string &name, std::string_view bytes)
      : path(directory.file(name)) {
    writeText(path, std::string(bytes));
  }

  TemporaryDirectory directory;
  const std::string path;
};

/// Returns the error that `read` throws, without the path that it begins with;
/// "accepted" if it throws none.
template <typename Read>
std::string problemWith(const std::string &path, Read read) {
  try {
    read();
    return "accepted";
  } catch (const graph::Error &error) {
    const std::string text = error.what();
    return text.starts_with(path) ? text.substr(path.size()) : text;
  }
}

/// Returns the error of readEdgeList() in the same way.
template <typename VertexId = std::uint32_t,
          typename Weight = graph::Unweighted>
std::string problemOf(const std::string &path,
                      const graph::ReadOptions &options = {}) {
  return problemWith(
      path, [&] { graph::readEdgeList<VertexId, Weight>(path, options); });
}

template <typename List> auto pairsOf(const List &list) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const auto &edge : list.edges)
    pairs.emplace_back(edge.from, edge.to);
  return pairs;
}

} // namespace heddle::test

#endif

//===- Formats.h - The description of each format ---------------*- C++ -*-===//
//
// Every format of HEDDLE_FOR_ALL_FORMATS is a class that is defined in the file
// of that name. To add one, add its name there and write such a file.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_FORMATS_H
#define HEDDLE_GRAPHLIB_FORMATS_FORMATS_H

#include "../files/ByteSource.h"
#include "../files/Instantiate.h"
#include "../files/OutputFile.h"
#include "heddle/graph/Csr.h"
#include "heddle/graph/ReadGraph.h"
#include "heddle/graph/detail/EdgeSource.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle::graph {

/// The properties of weights, if there are any.
struct WeightKind {
  bool isNumber = false, isInteger = false;
  std::size_t bytes = 0; ///< 0 without weights

  template <EdgeWeight Weight> static constexpr WeightKind of() {
    if constexpr (std::same_as<Weight, Unweighted>)
      return {};
    else
      return {.isNumber = true,
              .isInteger = std::is_integral_v<Weight>,
              .bytes = sizeof(Weight)};
  }
};

struct FormatDescription {
  std::string_view name; ///< on the command line

  /// For the help of commands; empty if the text of another format covers this
  /// one.
  std::string_view inWords = {};

  /// The file names' ends that select the format, and those that select it only
  /// for a file to be written.
  std::vector<std::string_view> endings;
  std::vector<std::string_view> outputEndings = {};

  /// The first bytes of such a file, in any case of letters, by which it is
  /// recognised if its name does not tell the format.
  std::vector<std::string_view> starts = {};

  /// The same for a format whose files do not begin with certain bytes.
  bool (*isStart)(const FileStart &) = nullptr;

  /// Whether a file may begin with any bytes, so that these do not tell that it
  /// has another format.
  bool hasAnyStart = false;

  /// Whether it has the rows of a graph, not a list of edges to build one from.
  bool isFinished = false;

  /// Whether files are mapped and therefore not compressed.
  bool isMapped = false;

  /// Returns why weights of a kind cannot be written, as "expected ..., found
  /// ..."; null if they can be. Missing: all can be written.
  const char *(*weightProblem)(WeightKind) = nullptr;
};

template <EdgeWeight Weight>
using EdgeSourcePointer =
    std::unique_ptr<detail::EdgeSource<std::uint32_t, Weight>>;

/// The functions of a format:
///
/// read() reads a whole graph, on all threads. open() gives the edges of the
/// same file piece by piece; the edges of an undirected graph may come once in
/// each direction. Both throw Error for a malformed file, at once or in next(),
/// and std::bad_alloc. write() throws Error if the format cannot hold the
/// graph, and WriteError; `path` is for errors and details that the name of the
/// file decides.
#define HEDDLE_DECLARE_FORMAT(Name)                                            \
  struct Name##Format {                                                        \
    static const FormatDescription &description();                             \
                                                                               \
    template <VertexIdentifier VertexId, EdgeWeight Weight>                    \
    static Csr<VertexId, Weight> read(const std::string &path,                 \
                                      const ReadGraphOptions &options);        \
                                                                               \
    template <EdgeWeight Weight>                                               \
    static EdgeSourcePointer<Weight> open(const std::string &path,             \
                                          const ReadOptions &options);         \
                                                                               \
    template <VertexIdentifier VertexId, EdgeWeight Weight>                    \
    static void write(OutputFile &file, const Csr<VertexId, Weight> &graph,    \
                      const std::string &path);                                \
  };
HEDDLE_FOR_ALL_FORMATS(HEDDLE_DECLARE_FORMAT)
#undef HEDDLE_DECLARE_FORMAT

/// Instantiates the functions of a format for all graphs.
#define HEDDLE_INSTANTIATE_FORMAT(Format)                                      \
  HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE_FOR_GRAPH, Format)                  \
  HEDDLE_FOR_ALL_SOURCES(HEDDLE_INSTANTIATE_FOR_SOURCE, Format)
#define HEDDLE_INSTANTIATE_FOR_GRAPH(VertexId, Weight, Format)                 \
  template Csr<VertexId, Weight> Format::read(const std::string &,             \
                                              const ReadGraphOptions &);       \
  template void Format::write(OutputFile &, const Csr<VertexId, Weight> &,     \
                              const std::string &);
#define HEDDLE_INSTANTIATE_FOR_SOURCE(Weight, Format)                          \
  template EdgeSourcePointer<Weight> Format::open(const std::string &,         \
                                                  const ReadOptions &);

/// Calls `visit` with an object of the class of a format.
template <typename Visit>
decltype(auto) visitFormat(GraphFormat format, Visit visit) {
  switch (format) {
#define HEDDLE_VISIT(Name)                                                     \
  case GraphFormat::Name:                                                      \
    return visit(Name##Format());
    HEDDLE_FOR_ALL_FORMATS(HEDDLE_VISIT)
#undef HEDDLE_VISIT
  }
  __builtin_unreachable();
}

inline const FormatDescription &descriptionOf(GraphFormat format) {
  return visitFormat(format, [](auto chosen) -> const FormatDescription & {
    return chosen.description();
  });
}

/// Throws Error if the first bytes of a file show that it has another format
/// than an edge list.
void expectEdgeList(const std::string &path);

/// The format to write a file in, if its name says so.
std::optional<GraphFormat> formatOfOutput(const std::string &path);

/// Every format there is.
inline constexpr GraphFormat AllFormats[] = {
#define HEDDLE_LIST(Name) GraphFormat::Name,
    HEDDLE_FOR_ALL_FORMATS(HEDDLE_LIST)
#undef HEDDLE_LIST
};

} // namespace heddle::graph

#endif

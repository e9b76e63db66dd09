//===- Format.h - How graphs are written to files --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_FORMAT_H
#define HEDDLE_GRAPH_DETAIL_FORMAT_H

#include <optional>
#include <string>
#include <vector>

/// Expands `Macro(Name)` for each format. Everything else about a format is in
/// the file of that name in graphlib/formats.
#define HEDDLE_FOR_ALL_FORMATS(Macro)                                          \
  Macro(EdgeList)         /* a line for each edge */                           \
      Macro(Pairs)        /* two binary numbers for each edge */               \
      Macro(MatrixMarket) /* a sparse matrix in coordinates */                 \
      Macro(Ligra)        /* AdjacencyGraph and WeightedAdjacencyGraph */      \
      Macro(Metis)        /* rows of neighbours, as METIS has them */          \
      Macro(Dimacs)       /* a problem line and a line for each edge */        \
      Macro(Gap)          /* .sg of the GAP benchmark suite */                 \
      Macro(GapWeighted)  /* .wsg */                                           \
      Macro(Native)       /* .hgraph, which can be mapped */

namespace heddle::graph {

enum class GraphFormat {
#define HEDDLE_ENUMERATOR(Name) Name,
  HEDDLE_FOR_ALL_FORMATS(HEDDLE_ENUMERATOR)
#undef HEDDLE_ENUMERATOR
};

/// Returns the format that the end of a file's name selects, ignoring .gz or
/// .zst; nullopt if it selects none.
std::optional<GraphFormat> formatOfName(const std::string &path);

/// Returns the names of the formats on command lines, in the order of the
/// enumeration.
std::vector<std::string> formatNames();

/// The format of such a name, if there is one.
std::optional<GraphFormat> formatNamed(const std::string &name);

/// Whether a file of the format has the rows of a graph, which is taken as it
/// is, and not a list of edges to build one from.
bool isFinishedGraph(GraphFormat format);

/// The formats for the help of a command: "an edge list, binary pairs (.pairs),
/// ... or .hgraph".
std::string formatsInWords();

/// Returns the ends of names that select the format of a written file, for
/// messages.
std::string outputEndingsInWords();

} // namespace heddle::graph

#endif

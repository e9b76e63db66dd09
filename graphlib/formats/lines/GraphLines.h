//===- GraphLines.h - The lines of a graph as text -------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_GRAPHLINES_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_GRAPHLINES_H

#include "../../files/OutputFile.h"
#include "heddle/graph/Csr.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::graph {

/// The most bytes of a number, in decimal and in shortest exact form.
inline constexpr std::size_t MostNumberBytes = 25;

/// Writes a number to `to`, where there is room, and returns its end.
template <typename Number> char *writeNumber(char *to, Number number) {
  return std::to_chars(to, to + MostNumberBytes, number).ptr;
}

/// Writes `count` lines of at most `mostBytes`, in parallel. `write(begin, end,
/// to)` writes the lines from `begin` to `end` and returns the end of their
/// text.
template <typename Write>
void writeLines(OutputFile &file, std::uint64_t count, std::size_t mostBytes,
                Write write) {
  constexpr std::uint64_t linesInPiece = std::uint64_t(1) << 15;
  const std::uint64_t pieces = (count + linesInPiece - 1) / linesInPiece;
  file.writePieces(pieces, [&](std::uint64_t i, std::vector<char> &bytes) {
    const std::uint64_t begin = i * linesInPiece;
    const std::uint64_t end = std::min(begin + linesInPiece, count);
    bytes.resize((end - begin) * mostBytes);
    const char *stop = write(begin, end, bytes.data());
    bytes.resize(static_cast<std::size_t>(stop - bytes.data()));
  });
}

/// The form of an edge's line.
struct EdgeLineForm {
  std::uint64_t firstVertex = 0; ///< its number in the file
  char separator = ' ';
  bool withWeights = true;  ///< if the graph has any
  bool needsWeight = false; ///< 1 if the graph has none
  char mark = 0;            ///< a letter that begins the line, if not 0
  bool withComment = false;
};

/// Writes each edge that `wanted(from, to)` chooses. `write(from, to, index,
/// text)` writes at most `mostBytes` and returns where they end.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename Wanted,
          typename Write>
void writeWantedEdges(OutputFile &file, const CsrRows<VertexId, Weight> &rows,
                      std::size_t mostBytes, Wanted wanted, Write write) {
  writeLines(file, rows.targets.size(), mostBytes,
             [&](std::uint64_t begin, std::uint64_t end, char *to) {
               const auto rowEnd = std::upper_bound(rows.offsets.begin(),
                                                    rows.offsets.end(), begin);
               auto row =
                   static_cast<std::uint64_t>(rowEnd - rows.offsets.begin()) -
                   1;
               for (std::uint64_t i = begin; i < end; ++i) {
                 while (rows.offsets[row + 1] <= i)
                   ++row;
                 const std::uint64_t target = rows.targets[i];
                 if (wanted(row, target))
                   to = write(row, target, i, to);
               }
               return to;
             });
}

/// Writes a line for each edge that is wanted. `wanted(from, to)` chooses.
template <VertexIdentifier VertexId, EdgeWeight Weight, typename Wanted>
void writeEdges(OutputFile &file, const CsrRows<VertexId, Weight> &rows,
                EdgeLineForm form, Wanted wanted) {
  writeWantedEdges(file, rows, 2 + 3 * (MostNumberBytes + 1), wanted,
                   [&](std::uint64_t from, std::uint64_t target,
                       [[maybe_unused]] std::uint64_t index, char *to) {
                     if (form.mark) {
                       *to++ = form.mark;
                       *to++ = ' ';
                     }
                     to = writeNumber(to, from + form.firstVertex);
                     *to++ = form.separator;
                     to = writeNumber(to, target + form.firstVertex);
                     if constexpr (!std::same_as<Weight, Unweighted>)
                       if (form.withWeights) {
                         *to++ = form.separator;
                         to = writeNumber(to, rows.weights[index]);
                       }
                     if (std::same_as<Weight, Unweighted> && form.needsWeight) {
                       *to++ = form.separator;
                       *to++ = '1';
                     }
                     *to++ = '\n';
                     return to;
                   });
}

/// Writes the parts of a header, one after the other.
template <typename... Parts>
void writeHeader(OutputFile &file, Parts... parts) {
  std::string line;
  ((line += parts), ...);
  file.write(line);
}

/// Returns the number of edges of an undirected graph if each is listed once.
template <VertexIdentifier VertexId, EdgeWeight Weight>
std::uint64_t countOnce(const Csr<VertexId, Weight> &graph) {
  std::uint64_t count = 0;
#pragma omp parallel for schedule(dynamic, 256) reduction(+ : count)
  for (VertexId v = 0; v < graph.vertexCount(); ++v)
    for (const auto edge : graph.outEdges(v))
      count += edge.target <= v;
  return count;
}

} // namespace heddle::graph

#endif

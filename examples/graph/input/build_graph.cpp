//===- build_graph.cpp - From a list of edges to sorted rows --------------===//

#include "input.h"
#include "progress.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace {

/// A neighbour and its weight in one word that sorts by neighbour first.
uint64_t pack(int32_t column, int32_t weight) {
  return static_cast<uint64_t>(column) << 32 | static_cast<uint32_t>(weight);
}
int32_t columnOf(uint64_t entry) { return static_cast<int32_t>(entry >> 32); }
int32_t weightOf(uint64_t entry) { return static_cast<int32_t>(entry); }

/// Turns the counts in rowStart[1..n] into the starts of the rows.
void sumUp(Array<int64_t> &rowStart) {
  for (int64_t v = 1; v < rowStart.size(); ++v)
    rowStart[v] += rowStart[v - 1];
}

/// Calls visit(from, to, weight) for the edges that the rows are to hold, on
/// all threads.
template <typename Visitor>
void forEachEdge(std::span<const Edge> edges, Direction direction,
                 Progress &progress, Visitor visit) {
  constexpr int64_t Block = 1 << 16;
#pragma omp parallel for schedule(dynamic)
  for (int64_t begin = 0; begin < std::ssize(edges); begin += Block) {
    int64_t end = std::min(begin + Block, std::ssize(edges));
    for (int64_t i = begin; i < end; ++i) {
      Edge edge = edges[i];
      if (edge.from == edge.to)
        continue;
      if (direction != Direction::Backward)
        visit(edge.from, edge.to, edge.weight);
      if (direction != Direction::Forward)
        visit(edge.to, edge.from, edge.weight);
    }
    progress.advance(end - begin);
  }
}

/// Sorts one row, keeps the lightest of parallel edges, returns how many stay.
int64_t tidyRow(uint64_t *begin, uint64_t *end) {
  std::sort(begin, end);
  return std::unique(begin, end,
                     [](uint64_t a, uint64_t b) {
                       return columnOf(a) == columnOf(b);
                     }) -
         begin;
}

} // namespace

CsrArrays buildRows(int32_t vertices, std::span<const Edge> edges,
                    Direction direction) {
  Progress progress("Sorting edges",
                    2 * std::ssize(edges) + 2 * int64_t(vertices));

  Array<int64_t> start(int64_t(vertices) + 1);
  forEachEdge(edges, direction, progress, [&](int32_t from, int32_t, int32_t) {
    fetchAdd(&start[from + 1], int64_t(1));
  });
  sumUp(start);

  Array<int64_t> cursor(vertices);
  std::copy(start.begin(), start.end() - 1, cursor.begin());
  Array<uint64_t> entry(start[vertices]);
  forEachEdge(edges, direction, progress,
              [&](int32_t from, int32_t to, int32_t weight) {
                entry[fetchAdd(&cursor[from], int64_t(1))] = pack(to, weight);
              });

  CsrArrays rows;
  rows.rowStart = Array<int64_t>(int64_t(vertices) + 1);
  constexpr int32_t Block = 1 << 12;
#pragma omp parallel for schedule(dynamic)
  for (int64_t begin = 0; begin < vertices; begin += Block) {
    int64_t end = std::min<int64_t>(begin + Block, vertices);
    for (int64_t v = begin; v < end; ++v)
      rows.rowStart[v + 1] = tidyRow(&entry[start[v]], &entry[start[v + 1]]);
    progress.advance(end - begin);
  }
  sumUp(rows.rowStart);

  rows.column = Array<int32_t>(rows.rowStart[vertices]);
  rows.weight = Array<int32_t>(rows.rowStart[vertices]);
#pragma omp parallel for schedule(dynamic)
  for (int64_t begin = 0; begin < vertices; begin += Block) {
    int64_t end = std::min<int64_t>(begin + Block, vertices);
    for (int64_t v = begin; v < end; ++v) {
      const uint64_t *from = &entry[start[v]];
      for (int64_t e = rows.rowStart[v]; e < rows.rowStart[v + 1]; ++e) {
        rows.column[e] = columnOf(*from);
        rows.weight[e] = weightOf(*from++);
      }
    }
    progress.advance(end - begin);
  }
  return rows;
}

Graph buildGraph(std::string name, int32_t vertices,
                 std::span<const Edge> edges, bool undirected) {
  Graph graph;
  graph.name = std::move(name);
  graph.undirected = undirected;
  graph.out = buildRows(vertices, edges,
                        undirected ? Direction::Both : Direction::Forward);
  if (!undirected)
    graph.reversed = buildRows(vertices, edges, Direction::Backward);
  return graph;
}

std::string Graph::vertexName(int32_t v) const {
  if (!packages.empty())
    return packages[v];
  return fmt::format("{}", numbers.size() ? numbers[v] : v);
}

int32_t Graph::findVertex(const std::string &name) const {
  if (!packages.empty()) {
    auto at = std::find(packages.begin(), packages.end(), name);
    return at == packages.end() ? -1
                                : static_cast<int32_t>(at - packages.begin());
  }
  int32_t number = -1;
  auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size())
    return -1;
  if (!numbers.size())
    return number >= 0 && number < out.vertices() ? number : -1;
  auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  return at == numbers.end() || *at != number
             ? -1
             : static_cast<int32_t>(at - numbers.begin());
}

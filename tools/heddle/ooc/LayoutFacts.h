//===- LayoutFacts.h - The facts of a prepared graph ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OOC_LAYOUTFACTS_H
#define HEDDLE_TOOLS_OOC_LAYOUTFACTS_H

#include "../output/Facts.h"

#include "heddle/graph/ooc/Layout.h"

#include <fmt/format.h>

namespace heddle {

inline void addLayout(Facts &facts, const graph::ooc::GraphLayout &layout) {
  using graph::ooc::Chunk;
  facts.add("vertices", "vertices", layout.vertices);
  facts.add("edges", "edges", layout.edges);
  facts.add("directed", "directed", !layout.isUndirected);
  facts.add("weights", "weights", graph::ooc::nameOf(layout.weightKind));
  facts.add("ranks", "ranks", layout.partitions());
  facts.add("batches", "batches", layout.batches(),
            fmt::format("{}, of {} vertices", layout.batches(),
                        layout.batchVertices));
  facts.addSilently("batch_vertices", layout.batchVertices);
  std::uint64_t bytes = 0, indexed = 0, used = 0;
  for (const graph::ooc::PartFileInfo &file : layout.files)
    bytes += file.bytes;
  for (const Chunk &chunk : layout.chunks) {
    used += chunk.edges > 0;
    indexed += chunk.hasRows;
  }
  facts.add("chunks", "chunks with edges", used,
            fmt::format("{}, {} of them with CSR", used, indexed));
  facts.addSilently("chunks_with_csr", indexed);
  // The size of the graph as a list of pairs.
  const double pairBytes =
      static_cast<double>(layout.edges) *
      static_cast<double>(8 + graph::ooc::bytesOf(layout.weightKind));
  facts.add("bytes", "bytes", bytes,
            layout.edges == 0
                ? fmt::format("{}", bytes)
                : fmt::format("{}, {:.2f} of (source, target) pairs", bytes,
                              static_cast<double>(bytes) / pairBytes));
}

} // namespace heddle

#endif

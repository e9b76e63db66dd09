//===- Unbatched.h - PageRank without batches ------------------*- C++ -*-===//
//
// The rival of DFOGraph's table 6: edges are stored in one chunk for each
// partition, of which there is one here, by source; vertex arrays are mapped
// into memory; and all threads add to the targets of edges with atomic updates.
// So the system decides which vertices are in memory, and edges access them in
// random order.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_OOC_UNBATCHED_H
#define HEDDLE_TOOLS_BENCH_OOC_UNBATCHED_H

#include "OocRun.h"

#include <string>

namespace heddle::bench {

/// Writes the edges of a graph file, and its degrees, to a directory, which is
/// made. Throws Error.
void prepareUnbatched(const std::string &graphPath,
                      const std::string &directory);

/// Iterations of PageRank on it; the ranks are written to `valuesPath` unless
/// that is empty. Cut off if following edges takes longer than that. Throws
/// Error.
OocOutcome runUnbatched(const Program &program, const std::string &directory,
                        double patienceSeconds, const std::string &valuesPath,
                        const MemoryGroup *group);

} // namespace heddle::bench

#endif

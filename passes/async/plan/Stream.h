//===- Stream.h - Accesses that walk through memory in order ----*- C++ -*-===//
//
// The hardware prefetches a stream once it runs, but each task begins a stream
// of its own in an inner loop. Its start is requested.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_STREAM_H
#define HEDDLE_PASSES_ASYNC_PLAN_STREAM_H

#include "async/analysis/LatencyAnalysis.h"

namespace heddle {

/// A stream in one iteration of the loop that is interleaved.
struct Stream {
  /// Its first address, known in front of Inner.
  const llvm::SCEV *Start;
  const llvm::Loop *Inner;
};

/// The stream of \p A, an access of kind StreamStart in \p L.
Stream streamOf(const Access &A, const llvm::Loop &L,
                llvm::ScalarEvolution &SE);

/// The offsets from its start of the lines that the stream \p S of \p A
/// touches, if it is short and of known length; else of the first.
llvm::SmallVector<int64_t, 2> linesOf(const Stream &S, const Access &A,
                                      int64_t LineBytes,
                                      llvm::ScalarEvolution &SE);

} // namespace heddle

#endif

//===- RepeatedReads.h - Reads that tell nothing new ------------*- C++ -*-===//
//
// A search compares the key, which it has by address, with one element after
// another, and reads the link to the element that it has found once more. Where
// the same iteration has read a place already, on all ways that lead here, and
// has not written to it since, another read of it is in no other conflict than
// the first one, and is not recorded.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_QUICK_REPEATEDREADS_H
#define HEDDLE_PASSES_CHECK_QUICK_REPEATEDREADS_H

#include "check/quick/GroupPath.h"

namespace llvm {
class AAResults;
class Loop;
class LoopInfo;
} // namespace llvm

namespace heddle {

/// Removes from \p Records, the calls in \p F that record accesses, and from
/// \p F those of reads that tell nothing new. \p Checked are the annotated
/// loops of \p F.
void dropRepeatedReads(llvm::Function &F,
                       llvm::SmallVectorImpl<RecordedAccess> &Records,
                       llvm::ArrayRef<llvm::Loop *> Checked,
                       const llvm::LoopInfo &LI, llvm::AAResults &AA);

} // namespace heddle

#endif

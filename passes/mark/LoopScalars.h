//===- LoopScalars.h - Scalars that only the loop sees ----------*- C++ -*-===//
//
// OpenMP hands the addresses of loop bounds and of private reduction copies to
// its run time before and after the loop. For the optimiser they have escaped,
// and so every iteration loads and stores them. But while the loop runs, no
// other code uses the address. AsyncMark gives the loop a copy of each such
// variable, which becomes a register.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_LOOPSCALARS_H
#define HEDDLE_PASSES_MARK_LOOPSCALARS_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace heddle {

/// Rewrites the accesses in \p L of eligible scalars to copies that live as
/// long as the loop. May split edges out of the loop.
void isolateLoopScalars(llvm::Loop &L, llvm::DominatorTree &DT,
                        llvm::LoopInfo &LI);

} // namespace heddle

#endif

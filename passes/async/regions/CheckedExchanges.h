//===- CheckedExchanges.h - Reads that exchanges check ----------*- C++ -*-===//
//
// A compare-and-exchange replaces nothing but the value that it expects. Other
// iterations may run between an atomic read and it where other threads may do
// so, or where nobody can tell.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_CHECKEDEXCHANGES_H
#define HEDDLE_PASSES_ASYNC_REGIONS_CHECKEDEXCHANGES_H

#include "async/analysis/LatencyAnalysis.h"
#include "loop/LoopContext.h"

namespace llvm {
class AtomicCmpXchgInst;
class LoadInst;
} // namespace llvm

namespace heddle {

class CheckedExchanges {
  const LoopContext &C;
  const LatencyAnalysis &Latency;
  /// Threads share the iterations.
  const bool IsShared;

public:
  CheckedExchanges(const LoopContext &C, const LatencyAnalysis &Latency);

  /// True if other iterations may run between \p Read and \p Write, since it
  /// is a compare-and-exchange.
  bool areChecked(const Access &Read, const Access &Write) const;
  /// True if an inner loop reads the same place until its value changes.
  bool isRepeated(const Access &Read) const;

private:
  bool isRetried(llvm::AtomicCmpXchgInst &Exchange, llvm::LoadInst &Read) const;
  bool readsTheSame(const llvm::Instruction &I) const;
};

} // namespace heddle

#endif

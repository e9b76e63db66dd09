//===- Candidates.h - The loops that a trial looks at -----------*- C++ -*-===//
//
// Marks loops of a copy of a module as the front end marks those with a
// directive, and runs AsyncMark. Variables become registers first, as far as
// they can.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ADVISE_CANDIDATES_H
#define HEDDLE_PASSES_ADVISE_CANDIDATES_H

#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace llvm {
class CallInst;
class Loop;
} // namespace llvm

namespace heddle {

/// Folders of headers that are not the user's. Set by the front end.
extern std::vector<std::string> SystemFolders;

/// True if \p Marker comes from here, not from a directive.
bool isTrial(const llvm::CallInst &Marker);

/// True if \p L contains what threads do together.
bool containsRegion(const llvm::Loop &L);

class MarkCandidatesPass : public llvm::PassInfoMixin<MarkCandidatesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif

//===- FirstWriter.h - A value that the first edge sets ---------*- C++ -*-===//
//
// `if (parent < 0 && inFrontier(u)) parent = u`: a variable that is written
// only as long as a test says that it has not been. Such updates combine like
// others: of two parts of a row, the later counts if the test still holds
// behind the earlier.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PULL_FIRSTWRITER_H
#define HEDDLE_PASSES_PULL_FIRSTWRITER_H

#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
} // namespace llvm

namespace heddle {

/// The test that holds while the variable may be written.
struct FirstWriter {
  llvm::CmpInst::Predicate Predicate;
  llvm::Constant *With;
};

/// Whether \p L writes the variable of its header phi \p Phi under such a test
/// only, and the rest of the loop does not depend on the variable.
std::optional<FirstWriter> recognizeFirstWriter(const llvm::PHINode &Phi,
                                                const llvm::Loop &L,
                                                const llvm::DominatorTree &DT);

} // namespace heddle

#endif

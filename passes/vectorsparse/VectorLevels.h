//===- VectorLevels.h - One function for several targets --------*- C++ -*-===//
//
// A program that is compiled for any x86-64 may yet meet a processor with
// masked gathers. A function with a loop over edge vectors is then compiled
// three times, for AVX-512, for AVX2 and unchanged, and its name becomes that
// of a function that asks the run time which one to call
// (runtime/host/vectors.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_VECTORSPARSE_VECTORLEVELS_H
#define HEDDLE_PASSES_VECTORSPARSE_VECTORLEVELS_H

namespace llvm {
class Function;
}

namespace heddle {

/// Whether \p F should be kept for several targets: it is for a target that may
/// have more than it says, and is no such copy already.
bool wantsVectorLevels(const llvm::Function &F);

/// Whether remarks are made on the loops of \p F: of several copies, only one
/// has them.
bool isSpokenOf(const llvm::Function &F);

/// Makes the copies, at the end of the module, and a choice between them of
/// \p F.
void makeVectorLevels(llvm::Function &F);

} // namespace heddle

#endif

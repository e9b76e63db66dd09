//===- SimplifyInlined.cpp - Tidy up behind inlining ----------------------===//

#include "inline/SimplifyInlined.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace heddle;

void heddle::simplifyInlined(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, FPM.run(F, FAM));
}

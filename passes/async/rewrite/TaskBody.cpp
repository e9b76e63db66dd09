//===- TaskBody.cpp - One iteration as a task -----------------------------===//

#include "async/rewrite/TaskBody.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace heddle;

void EarlyRequests::emitFor(Value *Iteration, IRBuilderBase &B) const {
  assert(Code && Number && "nothing is requested early");
  ValueToValueMapTy CodeMap;
  CodeMap[Number] = Iteration;
  for (Instruction &I : *Code) {
    if (&I == Number || I.isTerminator())
      continue;
    Instruction *Clone = I.clone();
    RemapInstruction(Clone, CodeMap,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    B.Insert(Clone, I.getName());
    CodeMap[&I] = Clone;
  }
}

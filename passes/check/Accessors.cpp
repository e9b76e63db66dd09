//===- Accessors.cpp - Functions that only find a place -------------------===//

#include "check/Accessors.h"
#include "ir/Instructions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

/// Instructions of a function that only finds a place, at most.
static constexpr unsigned MostInstructions = 16;
/// The levels of such functions that call each other.
static constexpr unsigned MostCallLevels = 6;

static bool isOfSystem(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  StringRef File = Program ? Program->getFilename() : StringRef();
  return File.starts_with("/usr/") || File.contains("/include/c++/");
}

static bool isAccessor(const Function &F) {
  if (F.isDeclaration() || F.isVarArg() || F.size() > 4 || !isOfSystem(F) ||
      F.getInstructionCount() > MostInstructions)
    return false;
  return all_of(instructions(F), [&](const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      return isa<DbgInfoIntrinsic>(I) || I.isLifetimeStartOrEnd() ||
             (Callee && Callee != &F && !Callee->isDeclaration() &&
              isa<CallInst>(I) && isOfSystem(*Callee));
    }
    return !I.mayWriteToMemory() && !I.isEHPad() && !isa<AllocaInst>(I);
  });
}

/// True if what \p F calls can be put in its place, too.
static bool isWhollyAccessor(const Function &F, unsigned Level) {
  return Level < MostCallLevels && isAccessor(F) &&
         all_of(
             instructions(F),
             [&](const Instruction &I) {
               const Function *Callee = calleeOf(I);
               return !Callee || Callee->isIntrinsic() ||
                      isWhollyAccessor(*Callee, Level + 1);
             });
}

bool heddle::inlineAccessors(Function &F) {
  bool Changed = false;
  for (unsigned Level = 0; Level < MostCallLevels; ++Level) {
    SmallVector<CallBase *> Calls;
    for (Instruction &I : instructions(F))
      if (const Function *Callee = calleeOf(I);
          Callee && Callee != &F && isWhollyAccessor(*Callee, 0))
        Calls.push_back(cast<CallBase>(&I));
    if (Calls.empty())
      break;
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      Changed |= InlineFunction(*Call, Info).isSuccess();
    }
  }
  return Changed;
}

DebugLoc heddle::placeInSource(const Instruction &I) {
  DILocation *Where = I.getDebugLoc().get();
  while (Where && Where->getInlinedAt())
    Where = Where->getInlinedAt();
  return Where;
}

//===- Accessors.cpp - Functions that only find a place -------------------===//

#include "check/Accessors.h"
#include "check/Order.h"
#include "ir/Instructions.h"
#include "mark/Directive.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

/// Instructions of a function that only finds a place and of those that it
/// calls, at most.
static constexpr unsigned MostInstructions = 600;
/// The levels of such functions that call each other.
static constexpr unsigned MostCallLevels = 16;

static bool isOfSystem(const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  StringRef File = Program ? Program->getFilename() : StringRef();
  return File.starts_with("/usr/") || File.contains("/include/c++/");
}

namespace {

/// Looks through what a call leads to.
class AccessorSearch {
  /// The annotated loops around the call.
  SmallVector<const Loop *> Loops;
  unsigned Instructions = 0;
  bool Throws = false;

public:
  explicit AccessorSearch(SmallVector<const Loop *> Loops)
      : Loops(std::move(Loops)) {}

  /// True if what \p Call calls finds a place and does nothing else but to
  /// fill variables that its caller, or the iteration, has for itself.
  bool isAccessor(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    BitVector Filled(Call.arg_size());
    for (unsigned I = 0; I < Call.arg_size(); ++I)
      if (auto *Variable =
              dyn_cast<AllocaInst>(getUnderlyingObject(Call.getArgOperand(I))))
        Filled[I] = all_of(
            Loops, [&](const Loop *L) { return isOfIteration(*Variable, *L); });
    return Callee && Callee != Call.getFunction() &&
           isAccessor(*Callee, Filled, 0);
  }

private:
  /// \p Filled are the arguments that it may write to.
  bool isAccessor(const Function &F, const BitVector &Filled, unsigned Level) {
    Instructions += F.getInstructionCount();
    if (Level == MostCallLevels || F.isDeclaration() || F.isVarArg() ||
        !isOfSystem(F) || Instructions > MostInstructions)
      return false;
    SmallSetVector<const BasicBlock *, 16> Blocks;
    Blocks.insert(&F.getEntryBlock());
    for (size_t At = 0; At < Blocks.size(); ++At) {
      const Instruction *End = Blocks[At]->getTerminator();
      if (auto *Invoke = dyn_cast<InvokeInst>(End)) {
        // What it calls must not throw.
        Blocks.insert(Invoke->getNormalDest());
      } else {
        Blocks.insert_range(successors(Blocks[At]));
      }
    }
    return all_of(instructionsIn(Blocks), [&](const Instruction &I) {
      if (auto *Call = dyn_cast<CallBase>(&I))
        return isHarmless(*Call, Filled, Level);
      if (auto *Store = dyn_cast<StoreInst>(&I))
        return Store->isSimple() &&
               isFilled(Store->getPointerOperand(), Filled);
      auto *Variable = dyn_cast<AllocaInst>(&I);
      return !I.mayWriteToMemory() && (!Variable || Variable->isStaticAlloca());
    });
  }

  bool isHarmless(const CallBase &Call, const BitVector &Filled,
                  unsigned Level) {
    if (isa<DbgInfoIntrinsic>(Call) || Call.isLifetimeStartOrEnd())
      return true;
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee == Call.getFunction())
      return false;
    if (Callee->isDeclaration()) {
      Throws |= Call.doesNotReturn();
      return Callee->doesNotAccessMemory() ||
             (Call.doesNotReturn() && isa<CallInst>(Call));
    }
    BitVector CalleeFilled(Call.arg_size());
    for (unsigned I = 0; I < Call.arg_size(); ++I)
      CalleeFilled[I] = isFilled(Call.getArgOperand(I), Filled);
    const bool ThrewBefore = std::exchange(Throws, false);
    if (!isAccessor(*Callee, CalleeFilled, Level + 1) ||
        (Throws && isa<InvokeInst>(Call)))
      return false;
    Throws |= ThrewBefore;
    return true;
  }

  static bool isFilled(const Value *Address, const BitVector &Filled) {
    const Value *Object = getUnderlyingObject(Address);
    auto *A = dyn_cast<Argument>(Object);
    return isa<AllocaInst>(Object) || (A && Filled[A->getArgNo()]);
  }
};

} // namespace

/// The annotated loops around \p I.
static SmallVector<const Loop *> loopsAround(const Instruction &I,
                                             const LoopInfo &LI,
                                             ArrayRef<CallInst *> Markers) {
  SmallVector<const Loop *> Loops;
  for (const CallInst *Marker : Markers)
    if (const Loop *L = LI.getLoopFor(Marker->getParent());
        L && L->contains(&I))
      Loops.push_back(L);
  return Loops;
}

bool heddle::inlineAccessors(Function &F) {
  bool Changed = false;
  const auto Markers = findMarkers(F);
  for (unsigned Level = 0; Level < MostCallLevels; ++Level) {
    const DominatorTree DT(F);
    const LoopInfo LI(DT);
    SmallVector<CallBase *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && AccessorSearch(loopsAround(I, LI, Markers)).isAccessor(*Call))
        Calls.push_back(Call);
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

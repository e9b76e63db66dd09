//===- KeepRolled.cpp - Loops that unrolling would not help ---------------===//

#include "mark/KeepRolled.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace heddle;

/// What Loop::setLoopAlreadyUnrolled() sets.
static constexpr char UnrollDisabled[] = "llvm.loop.unroll.disable";
/// The attribute of functions that may become a part of a task.
static constexpr char CalleeAttribute[] = "heddle-async-callee";

void heddle::markCallees(const Loop &L) {
  SmallVector<const BasicBlock *> Blocks(L.blocks());
  SmallPtrSet<const Function *, 8> Seen;
  while (!Blocks.empty())
    for (const Instruction &I : *Blocks.pop_back_val()) {
      Function *Callee = calleeOf(I);
      if (!Callee || Callee->isDeclaration() || !Seen.insert(Callee).second)
        continue;
      Callee->addFnAttr(CalleeAttribute);
      for (const BasicBlock &Block : *Callee)
        Blocks.push_back(&Block);
    }
}

bool heddle::isCallee(const Function &F) {
  return F.hasFnAttribute(CalleeAttribute);
}

void heddle::freeRolled(Loop &L) {
  for (Loop *Each : L.getLoopsInPreorder())
    if (findOptionMDForLoop(Each, RolledLoopProperty))
      Each->setLoopID(makePostTransformationMetadata(
          L.getHeader()->getContext(), Each->getLoopID(),
          {RolledLoopProperty, UnrollDisabled}, {}));
}

static bool isPartOfTask(const Loop &L) {
  if (isCallee(*L.getHeader()->getParent()))
    return true;
  for (const Loop *Outer = L.getParentLoop(); Outer;
       Outer = Outer->getParentLoop())
    if (findOptionMDForLoop(Outer, AsyncLoopProperty))
      return true;
  return false;
}

/// Counts the loads of \p L that the next value of \p State depends on and
/// whose addresses depend on its last.
static unsigned linksOfChain(const PHINode &State, const Loop &L) {
  assert(State.getParent() == L.getHeader() && "a variable of the loop");
  // The values that the next value is computed from, and those among them that
  // depend on `State`.
  SmallPtrSet<const Instruction *, 16> Behind, Ahead;
  findOperand(State.getIncomingValueForBlock(L.getLoopLatch()), L,
              [&](const Instruction &I) {
                Behind.insert(&I);
                return &I == &State ? OperandWalk::Pass : OperandWalk::GoOn;
              });
  unsigned Links = 0;
  SmallVector<const Instruction *> Work{&State};
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (!Behind.contains(I) || !Ahead.insert(I).second)
      continue;
    Links += isa<LoadInst>(I);
    for (const User *To : I->users())
      Work.push_back(cast<Instruction>(To));
  }
  return Links;
}

/// Returns the number of loads of \p L that wait for loads of the previous
/// iteration.
static unsigned longestChain(const Loop &L, ScalarEvolution &SE) {
  unsigned Longest = 0;
  for (const PHINode &State : L.getHeader()->phis())
    if (!SE.isSCEVable(State.getType()) ||
        !isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&State))))
      Longest = std::max(Longest, linksOfChain(State, L));
  return Longest;
}

/// Returns the number of blocks in which \p L loads from addresses that do not
/// follow from the number of the iteration.
static unsigned blocksWithIndirectLoads(const Loop &L, ScalarEvolution &SE) {
  return count_if(L.blocks(), [&](BasicBlock *Block) {
    return any_of(*Block, [&](Instruction &I) {
      const auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load)
        return false;
      const SCEV *Address =
          SE.getSCEV(const_cast<Value *>(Load->getPointerOperand()));
      return !isa<SCEVAddRecExpr>(Address) && !SE.isLoopInvariant(Address, &L);
    });
  });
}

/// Returns the number of suspension points for each iteration of \p L if it
/// were unrolled. Accesses in one block that do not depend on loads of the
/// iteration before are grouped across all iterations.
static unsigned placesOfIteration(const Loop &L, ScalarEvolution &SE) {
  if (const unsigned Links = longestChain(L, SE))
    return Links;
  return L.getNumBlocks() == 1 ? 0 : blocksWithIndirectLoads(L, SE);
}

/// True if \p L calls the function that it is in. Its copies would be as many
/// places where the recursion goes on, each with its part of a frame.
static bool callsItself(const Loop &L) {
  const Function *F = L.getHeader()->getParent();
  return any_of(instructionsIn(L.blocks()),
                [F](const Instruction &I) { return calleeOf(I) == F; });
}

/// True if \p L had too many suspension points if its \p Iterations were
/// unrolled.
static bool isBetterRolled(const Loop &L, unsigned Iterations,
                           ScalarEvolution &SE) {
  return Iterations * placesOfIteration(L, SE) > tunable::UnrolledPlaces ||
         (Iterations > 2 && callsItself(L));
}

PreservedAnalyses KeepRolledPass::run(Loop &L, LoopAnalysisManager &,
                                      LoopStandardAnalysisResults &AR,
                                      LPMUpdater &) {
  if (!L.getLoopLatch() || !isPartOfTask(L) ||
      hasUnrollTransformation(&L) != TM_Unspecified)
    return PreservedAnalyses::all();
  const unsigned Iterations = AR.SE.getSmallConstantMaxTripCount(&L);
  if (Iterations < 2 || Iterations > tunable::UnrolledIterations ||
      !isBetterRolled(L, Iterations, AR.SE))
    return PreservedAnalyses::all();
  L.setLoopAlreadyUnrolled();
  addStringMetadataToLoop(&L, RolledLoopProperty);
  return PreservedAnalyses::all();
}

//===- SharedVariables.cpp - Updates of what all tasks share --------------===//

#include "async/rewrite/task/SharedVariables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace heddle;

/// A block on the edge from \p From to \p To whose end is the edge.
static BasicBlock *edgeBlock(BasicBlock *From, BasicBlock *To, TaskBody &Body) {
  if (From->getSingleSuccessor())
    return From;
  BasicBlock *Edge = BasicBlock::Create(From->getContext(), "task.edge",
                                        From->getParent(), To);
  Body.Blocks.push_back(Edge);
  BranchInst::Create(To, Edge);
  Instruction *Terminator = From->getTerminator();
  for (unsigned I = 0; I < Terminator->getNumSuccessors(); ++I)
    if (Terminator->getSuccessor(I) == To)
      Terminator->setSuccessor(I, Edge);
  // Several switch cases become one edge.
  for (PHINode &Phi : To->phis()) {
    int First = Phi.getBasicBlockIndex(From);
    if (First < 0)
      continue;
    Phi.setIncomingBlock(First, Edge);
    while (int Again = Phi.getBasicBlockIndex(From) + 1)
      Phi.removeIncomingValue(Again - 1, false);
  }
  return Edge;
}

void heddle::rewriteShared(const LoopVariable &V, const LoopShape &Shape,
                           ValueToValueMapTy &Map, const SchedulerState &State,
                           TaskBody &Body) {
  AllocaInst *Register = State.Variable.lookup(V.Phi);
  assert(V.Class == VariableClass::Shared && Register && "nothing is shared");
  Type *Type = V.Phi->getType();
  const SharedUpdates &Updates = V.Updates;
  auto InChain = [&](Value *Operand) {
    auto *I = dyn_cast<Instruction>(Operand);
    return I && Updates.Chain.contains(I);
  };
  // A copy of update \p Original in front of \p B, applied to \p Current.
  auto Apply = [&](IRBuilder<> &B, Instruction *Original, Value *Current) {
    Instruction *Copy = cast<Instruction>(Map[Original])->clone();
    // In another order the sums in between are others and may overflow.
    Copy->dropPoisonGeneratingFlags();
    for (unsigned I = 0; I < Original->getNumOperands(); ++I)
      if (InChain(Original->getOperand(I)))
        Copy->setOperand(I, Current);
    B.Insert(Copy, Original->getName());
    return Copy;
  };
  for (Instruction *U : Updates.Eager) {
    IRBuilder<> B(cast<Instruction>(Map[U]));
    Value *Current = B.CreateLoad(Type, Register);
    B.CreateStore(Apply(B, U, Current), Register);
  }
  for (Instruction *S : Updates.Selects) {
    auto *Select = cast<SelectInst>(S);
    IRBuilder<> B(cast<Instruction>(Map[S]));
    Value *Current = B.CreateLoad(Type, Register);
    Value *Condition = Map.lookup(Select->getCondition());
    if (!Condition)
      Condition = Select->getCondition();
    auto Arm = [&](Value *V) -> Value * {
      auto *I = dyn_cast<Instruction>(V);
      if (!InChain(V))
        return V; // the assigned constant
      if (I->hasOneUse() && !isa<PHINode, SelectInst>(I) &&
          !is_contained(Updates.Eager, I))
        return Apply(B, I, Current);
      return Current;
    };
    Value *True = Arm(Select->getTrueValue());
    Value *False = Arm(Select->getFalseValue());
    B.CreateStore(B.CreateSelect(Condition, True, False), Register);
  }
  for (const SharedUpdates::OnEdge &Edge : Updates.Edges) {
    auto *From = cast<BasicBlock>(Map[Edge.From]);
    BasicBlock *To = Edge.Phi->getParent() == Shape.L->getHeader()
                         ? Body.Retire
                         : cast<BasicBlock>(Map[Edge.Phi->getParent()]);
    IRBuilder<> B(edgeBlock(From, To, Body)->getTerminator());
    if (InChain(Edge.Next)) {
      Value *Current = B.CreateLoad(Type, Register);
      B.CreateStore(Apply(B, cast<Instruction>(Edge.Next), Current), Register);
    } else
      B.CreateStore(Edge.Next, Register);
  }
  SmallVector<Instruction *> Dead;
  for (Instruction *I : Updates.Chain)
    if (I != V.Phi)
      Dead.push_back(cast<Instruction>(Map[I]));
  for (Instruction *I : Dead)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Dead)
    I->eraseFromParent();
}

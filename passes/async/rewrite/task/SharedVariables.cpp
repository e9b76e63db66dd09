//===- SharedVariables.cpp - Updates of variables that tasks share --------===//

#include "async/rewrite/task/SharedVariables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace heddle;

/// Returns a block on the edge from \p From to \p To, whose last instruction is
/// the branch along the edge.
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

namespace {

/// Makes the updates of one variable in a task's body updates of a register.
class SharedRewriter {
  const LoopVariable &V;
  const SharedUpdates &Updates;
  const LoopShape &Shape;
  ValueToValueMapTy &Map;
  TaskBody &Body;
  AllocaInst *const Register;

public:
  SharedRewriter(const LoopVariable &V, const LoopShape &Shape,
                 ValueToValueMapTy &Map, TaskBody &Body, AllocaInst *Register)
      : V(V), Updates(V.Updates), Shape(Shape), Map(Map), Body(Body),
        Register(Register) {}

  void run() {
    for (Instruction *Update : Updates.Eager) {
      IRBuilder<> B(cast<Instruction>(Map[Update]));
      B.CreateStore(apply(B, Update, load(B)), Register);
    }
    for (Instruction *Select : Updates.Selects)
      rewrite(*cast<SelectInst>(Select));
    for (const SharedUpdates::OnEdge &Edge : Updates.Edges)
      rewrite(Edge);
    eraseChain();
  }

private:
  bool isInChain(Value *Operand) const {
    auto *I = dyn_cast<Instruction>(Operand);
    return I && Updates.Chain.contains(I);
  }

  Value *load(IRBuilder<> &B) const {
    return B.CreateLoad(V.Phi->getType(), Register);
  }

  /// A copy of update \p Original in front of \p B, applied to \p Current.
  Value *apply(IRBuilder<> &B, Instruction *Original, Value *Current) {
    Instruction *Copy = cast<Instruction>(Map[Original])->clone();
    // In another order, partial sums differ and may overflow.
    Copy->dropPoisonGeneratingFlags();
    for (unsigned I = 0; I < Original->getNumOperands(); ++I)
      if (isInChain(Original->getOperand(I)))
        Copy->setOperand(I, Current);
    B.Insert(Copy, Original->getName());
    return Copy;
  }

  void rewrite(SelectInst &Select) {
    IRBuilder<> B(cast<Instruction>(Map[&Select]));
    Value *Current = load(B);
    Value *Condition = Map.lookup(Select.getCondition());
    if (!Condition)
      Condition = Select.getCondition();
    auto Arm = [&](Value *Arm) -> Value * {
      auto *I = dyn_cast<Instruction>(Arm);
      if (!isInChain(Arm))
        return Arm; // the assigned constant
      if (I->hasOneUse() && !isa<PHINode, SelectInst>(I) &&
          !is_contained(Updates.Eager, I))
        return apply(B, I, Current);
      return Current;
    };
    Value *True = Arm(Select.getTrueValue());
    Value *False = Arm(Select.getFalseValue());
    B.CreateStore(B.CreateSelect(Condition, True, False), Register);
  }

  void rewrite(const SharedUpdates::OnEdge &Edge) {
    auto *From = cast<BasicBlock>(Map[Edge.From]);
    BasicBlock *To = Edge.Phi->getParent() == Shape.L->getHeader()
                         ? Body.Retire
                         : cast<BasicBlock>(Map[Edge.Phi->getParent()]);
    IRBuilder<> B(edgeBlock(From, To, Body)->getTerminator());
    Value *Next = Edge.Next;
    if (isInChain(Next))
      Next = apply(B, cast<Instruction>(Next), load(B));
    B.CreateStore(Next, Register);
  }

  void eraseChain() {
    SmallVector<Instruction *> Dead;
    for (Instruction *I : Updates.Chain)
      if (I != V.Phi)
        Dead.push_back(cast<Instruction>(Map[I]));
    for (Instruction *I : Dead)
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    for (Instruction *I : Dead)
      I->eraseFromParent();
  }
};

} // namespace

void heddle::rewriteShared(const LoopVariable &V, const LoopShape &Shape,
                           ValueToValueMapTy &Map, const SchedulerState &State,
                           TaskBody &Body) {
  AllocaInst *Register = State.Variable.lookup(V.Phi);
  assert(V.Class == VariableClass::Shared && Register && "nothing is shared");
  SharedRewriter(V, Shape, Map, Body, Register).run();
}

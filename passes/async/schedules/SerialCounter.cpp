//===- SerialCounter.cpp - How far the serial version has come ------------===//

#include "async/schedules/SerialCounter.h"
#include "ir/Registers.h"
#include "ir/Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionPatternMatch.h"

using namespace llvm;
using namespace llvm::SCEVPatternMatch;
using namespace heddle;

/// True if \p V starts at 0 and is advanced by 1. Debuggers find it where the
/// iterations are counted.
static bool countsFromZero(const LoopVariable &V, const LoopShape &Shape) {
  return V.Class == VariableClass::Induction && V.Step->isOne() &&
         V.Phi->getType()->isIntegerTy(64) &&
         match(V.Phi->getIncomingValueForBlock(Shape.Preheader),
               PatternMatch::m_Zero());
}

/// True if the loop ends when \p V comes to a limit, and does not come to any
/// value twice before.
static bool comesToLimit(const LoopVariable &V, const LoopShape &Shape,
                         ScalarEvolution &SE) {
  const APInt *Step;
  auto *Condition = dyn_cast<ICmpInst>(Shape.latchBranch()->getCondition());
  if (!Condition || !is_contained(Condition->operands(), V.Next) ||
      V.Class != VariableClass::Induction ||
      !match(V.Step, m_scev_APInt(Step)) || Step->isZero() ||
      Step->getBitWidth() > 64)
    return false;
  const APInt Most = SE.getUnsignedRangeMax(Shape.BackedgeCount);
  if (Most.getActiveBits() > 64)
    return false;
  bool Overflows = false;
  const APInt Distance =
      Most.zextOrTrunc(64).umul_ov(Step->abs().zext(64), Overflows);
  return !Overflows && Distance.isIntN(Step->getBitWidth());
}

SerialCounter::SerialCounter(const LoopShape &Shape,
                             const VariableClasses &Classes,
                             ScalarEvolution &SE)
    : Shape(Shape), I64(Type::getInt64Ty(Shape.Latch->getContext())) {
  for (const LoopVariable &V : Classes.Variables)
    if (!Own && countsFromZero(V, Shape))
      Own = &V;
  // How often loops that are not counted are repeated is not known.
  if (Shape.BackedgeCount)
    for (const LoopVariable &V : Classes.Variables)
      if (!Own && comesToLimit(V, Shape, SE)) {
        Own = &V;
        match(V.Step, m_scev_APInt(Step));
      }
}

void SerialCounter::limit(BasicBlock *Enter, Value *From, Value *To,
                          function_ref<Value *(const PHINode *)> AtStart) {
  First = From;
  End = To;
  IRBuilder<> B(Enter->getTerminator());
  if (Step) {
    Last = stepped(B, AtStart(Own->Phi), B.getInt(*Step), To);
    AtFirst = Own->Phi->getIncomingValueForBlock(Enter);
  } else {
    Last = To;
  }
  // Optimizations are to take it for a bound of which nothing is known, like
  // that of the loop itself: they would compare something else, or find it too
  // expensive to compute how often the loop can be repeated.
  Last = opaque(B, Last);
  if (Own) {
    Phi = Own->Phi;
    Next = Own->Next;
    return;
  }
  BasicBlock *Header = Shape.L->getHeader();
  B.SetInsertPoint(Header, Header->begin());
  Phi = B.CreatePHI(I64, 2, "heddle.iteration");
  B.SetInsertPoint(Shape.latchBranch());
  Next = B.CreateAdd(Phi, B.getInt64(1), "", true);
  Phi->addIncoming(First, Enter);
  Phi->addIncoming(Next, Shape.Latch);
}

Value *SerialCounter::goesOn(IRBuilder<> &B) const {
  return B.CreateICmpNE(Next, Last);
}

Value *SerialCounter::number(IRBuilder<> &B) const {
  if (!Step)
    return Phi;
  return B.CreateAdd(First,
                     stepsBetween(B, AtFirst, Phi, Step->getSExtValue()));
}

Value *SerialCounter::lastNumber(IRBuilder<> &B) const {
  return Step ? B.CreateSub(End, B.getInt64(1)) : Phi;
}

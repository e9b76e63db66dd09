//===- PlannedExpressions.cpp - Expressions computed early ----------------===//

#include "async/rewrite/task/PlannedExpressions.h"
#include "async/analysis/ObjectAddress.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

/// Expressions over the iteration may have made an induction variable.
static void addInductions(const LoopContext &C, const LoopShape &Shape,
                          VariableClasses &Classes) {
  for (PHINode &Phi : C.L.getHeader()->phis())
    if (!Classes.find(&Phi))
      Classes.Variables.push_back(
          {&Phi,
           VariableClass::Induction,
           Phi.getIncomingValueForBlock(Shape.Latch),
           cast<SCEVAddRecExpr>(C.SE.getSCEV(&Phi))->getStepRecurrence(C.SE),
           {}});
}

/// Reads \p Link in front of \p At, where the loop has not come to it.
static Value *readEarly(const LoadInst &Link, Instruction *At) {
  const ObjectAddress Field(const_cast<Value *>(Link.getPointerOperand()));
  assert(Field.variables().empty() && "a field, not an element");
  IRBuilder<> B(At);
  Value *Address = B.CreatePtrAdd(Field.base(), B.getInt64(Field.constant()));
  return B.CreateAlignedLoad(Link.getType(), Address, Link.getAlign(),
                             Link.getName() + ".early");
}

PlannedExpressions heddle::expandPlan(const LoopContext &C,
                                      const LoopShape &Shape,
                                      const SuspensionPlan &Plan,
                                      VariableClasses &Classes) {
  assert(Shape.L == &C.L && "the shape of another loop");
  PlannedExpressions Made;
  ScalarEvolution &SE = C.SE;
  SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
  for (const SuspensionPoint &Point : Plan.Points)
    for (const Request &R : Point.Requests)
      if (R.Link)
        Made.Addresses[&R] = readEarly(*R.Link, Point.Before);
  for (const SuspensionPoint &Point : Plan.Points)
    for (const Request &R : Point.Requests)
      if (R.Start)
        Made.Addresses[&R] = Expander.expandCodeFor(
            R.Start, R.Start->getType(), Point.Before->getIterator());
  Type *I64 = Type::getInt64Ty(C.L.getHeader()->getContext());
  for (const BlockedLoop &Blocked : Plan.Blocks) {
    if (Blocked.Inspected)
      continue;
    Instruction *At = Blocked.Inner->getLoopPreheader()->getTerminator();
    const SCEV *Wide = SE.getNoopOrZeroExtend(Blocked.BackedgeCount, I64);
    Made.BlockedCounts[&Blocked] = Expander.expandCodeFor(
        SE.getAddExpr(Wide, SE.getOne(I64)), I64, At->getIterator());
  }
  if (const auto &Rows = Plan.Rows) {
    Instruction *At = Shape.Preheader->getTerminator();
    Value *Place = Expander.expandCodeFor(
        Rows->LastEnd, Rows->LastEnd->getType(), At->getIterator());
    IRBuilder<> B(At);
    Value *End = B.CreateAlignedLoad(Rows->End->getType(), Place,
                                     Rows->End->getAlign(), "rows.end");
    Made.EndOfRows = B.CreateIntCast(B.CreateFreeze(End),
                                     Rows->Index->getType(), Rows->IsSigned);
  }
  addInductions(C, Shape, Classes);
  return Made;
}

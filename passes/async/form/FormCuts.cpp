//===- FormCuts.cpp - Where a function is suspended -----------------------===//

#include "async/form/FormCuts.h"
#include "async/LoopVerdict.h"
#include "async/analysis/ObjectAddress.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

static constexpr char CutName[] = "__heddle_form_cut";

bool FormCut::mayBeNull() const {
  return cast<ConstantInt>(Call.getArgOperand(0))->isOne();
}

SmallVector<Value *, 2> FormCut::addresses() const {
  return {drop_begin(Call.args()).begin(), Call.arg_end()};
}

SmallVector<CallInst *, 4> heddle::findFormCuts(Function &F) {
  return findCalls(F, [](StringRef Name) { return Name == CutName; });
}

/// Computes the address of \p R at \p B.
static Value *addressAt(IRBuilder<> &B, const Request &R,
                        SCEVExpander &Expander) {
  if (R.Link) {
    const ObjectAddress Field(R.Link->getPointerOperand());
    return B.CreateAlignedLoad(
        R.Link->getType(),
        B.CreatePtrAdd(Field.base(), B.getInt64(Field.constant())),
        R.Link->getAlign());
  }
  if (R.Start)
    return Expander.expandCodeFor(R.Start, R.Start->getType(),
                                  B.GetInsertPoint());
  DenseMap<Value *, Value *> Copies;
  auto Copied = [&](Value *V) {
    Value *Copy = Copies.lookup(V);
    return Copy ? Copy : V;
  };
  for (Instruction *I : R.Slice) {
    Instruction *Copy = I->clone();
    for (Use &U : Copy->operands())
      U.set(Copied(U.get()));
    Copy->dropPoisonGeneratingFlags();
    Copy->dropUBImplyingAttrsAndMetadata();
    B.Insert(Copy, I->getName());
    Copies[I] = Copy;
  }
  return Copied(R.Address);
}

static void markCut(const SuspensionPoint &Point, SCEVExpander &Expander) {
  Module &M = *Point.Before->getModule();
  IRBuilder<> B(Point.Before);
  SmallVector<Value *> Operands = {nullptr};
  for (const Request &R : Point.Requests) {
    Value *Address = addressAt(B, R, Expander);
    B.SetInsertPoint(Point.Before);
    for (int64_t Line : R.Lines) {
      Value *At = Line ? B.CreatePtrAdd(Address, B.getInt64(Line)) : Address;
      const bool IsFirst = Operands.size() == 1;
      Operands.push_back(At);
      // The caller requests the first.
      if (!IsFirst)
        B.CreateIntrinsic(Intrinsic::prefetch, {At->getType()},
                          {At, B.getInt32(0), B.getInt32(3), B.getInt32(1)});
    }
  }
  const Value *Accessed = accessedAddress(*Point.Before);
  Operands.front() = B.getInt1(!Accessed || Accessed != Operands[1]);
  B.CreateCall(M.getOrInsertFunction(
                   CutName, FunctionType::get(B.getVoidTy(), {B.getInt1Ty()},
                                              /*isVarArg=*/true)),
               Operands);
}

bool heddle::markFormCuts(const LoopVerdict &Verdict) {
  SCEVExpander Expander(Verdict.C.SE, "heddle", /*PreserveLCSSA=*/false);
  bool Any = false;
  for (const SuspensionPoint &Point : Verdict.Plan.Points) {
    if (Point.AwaitsTurn || Point.Requests.empty())
      continue;
    markCut(Point, Expander);
    Any = true;
  }
  return Any;
}

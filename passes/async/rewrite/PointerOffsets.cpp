//===- PointerOffsets.cpp - Pointers that iterations advance --------------===//

#include "async/rewrite/PointerOffsets.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace heddle;

namespace {

/// One pointer: the phis of the loop that hold it, and what advances it.
class AdvancedPointer {
  const LoopContext &C;
  const LoopShape &Shape;
  Loop &L;
  PHINode &Head;
  Value *const Start;
  SmallSetVector<PHINode *, 8> Phis;
  SmallSetVector<GetElementPtrInst *, 4> Steps;
  /// The offset that each has.
  DenseMap<const Value *, Value *> Offsets;
  /// The pointer with an offset, at the end of a block.
  DenseMap<std::pair<BasicBlock *, Value *>, Value *> AtEnds;

public:
  AdvancedPointer(const LoopContext &C, const LoopShape &Shape, PHINode &Head)
      : C(C), Shape(Shape), L(C.L), Head(Head),
        Start(Head.getIncomingValueForBlock(L.getLoopPreheader())) {}

  /// Finds the phis and the steps; false if the pointer is assigned otherwise,
  /// or if the code behind the loop uses more than its final value.
  bool recognise() {
    SmallVector<Value *> Worklist{&Head};
    while (!Worklist.empty()) {
      Value *V = Worklist.pop_back_val();
      if (auto *Phi = dyn_cast<PHINode>(V); Phi && L.contains(Phi)) {
        if (Phi != &Head && Phi->getParent() == L.getHeader())
          return false;
        if (Phis.insert(Phi))
          for (BasicBlock *From : Phi->blocks())
            if (L.contains(From))
              Worklist.push_back(Phi->getIncomingValueForBlock(From));
      } else if (auto *Step = dyn_cast<GetElementPtrInst>(V);
                 Step && L.contains(Step) && Step->getType()->isPointerTy()) {
        if (Steps.insert(Step))
          Worklist.push_back(Step->getPointerOperand());
      } else {
        return false;
      }
    }
    return isOnlyUsedAtEnd();
  }

  void rewrite() {
    Type *T = C.L.getHeader()->getDataLayout().getIndexType(Head.getType());
    for (PHINode *Phi : Phis) {
      IRBuilder<> B(Phi);
      Offsets[Phi] = B.CreatePHI(T, Phi->getNumIncomingValues(),
                                 Phi->getName() + ".offset");
    }
    for (PHINode *Phi : Phis) {
      auto *Offset = cast<PHINode>(Offsets[Phi]);
      for (BasicBlock *From : Phi->blocks())
        Offset->addIncoming(L.contains(From)
                                ? offsetOf(*Phi->getIncomingValueForBlock(From))
                                : ConstantInt::get(T, 0),
                            From);
    }
    replaceAtEnd(*T);
    for (PHINode *Phi : Phis) {
      C.SE.forgetValue(Phi);
      for (Use &U : make_early_inc_range(Phi->uses()))
        replaceUse(U, *Offsets[Phi]);
    }
    for (PHINode *Phi : Phis)
      Phi->replaceAllUsesWith(PoisonValue::get(Phi->getType()));
    for (PHINode *Phi : Phis)
      Phi->eraseFromParent();
  }

private:
  bool isAtEnd(const Value &V, const User &U) const {
    auto *Phi = dyn_cast<PHINode>(&U);
    return Phi && Phi->getParent() == Shape.Exit &&
           &V == Head.getIncomingValueForBlock(Shape.Latch);
  }

  bool isOnlyUsedAtEnd() const {
    auto IsUsed = [&](const Instruction *I) {
      return all_of(I->users(), [&](const User *U) {
        return L.contains(cast<Instruction>(U)) || isAtEnd(*I, *U);
      });
    };
    return all_of(Phis, IsUsed) && all_of(Steps, IsUsed);
  }

  Value *offsetOf(Value &Pointer) {
    Value *Known = Offsets.lookup(&Pointer);
    if (Known)
      return Known;
    auto *Step = cast<GetElementPtrInst>(&Pointer);
    Value *Before = offsetOf(*Step->getPointerOperand());
    IRBuilder<> B(Step);
    Value *Bytes = emitGEPOffset(&B, Step->getDataLayout(), Step);
    return Offsets[Step] = B.CreateAdd(Before, Bytes);
  }

  /// Computes the pointer where it is used.
  void replaceUse(Use &U, Value &Offset) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Merge = dyn_cast<PHINode>(User);
    if (Merge && Phis.contains(Merge))
      return;
    if (!Merge) {
      IRBuilder<> B(User);
      U.set(B.CreatePtrAdd(Start, &Offset, Head.getName()));
      return;
    }
    // A switch may lead to a block in several ways, with one value.
    BasicBlock *From = Merge->getIncomingBlock(U);
    Value *&Known = AtEnds[{From, &Offset}];
    if (!Known)
      Known = IRBuilder<>(From->getTerminator())
                  .CreatePtrAdd(Start, &Offset, Head.getName());
    U.set(Known);
  }

  void replaceAtEnd(Type &T) {
    Value *Next = Head.getIncomingValueForBlock(Shape.Latch);
    for (PHINode &Phi : make_early_inc_range(Shape.Exit->phis()))
      if (Phi.getIncomingValueForBlock(Shape.Latch) == Next) {
        IRBuilder<> B(&Phi);
        PHINode *Last = B.CreatePHI(&T, 1);
        Last->addIncoming(offsetOf(*Next), Shape.Latch);
        B.SetInsertPoint(Shape.Exit->getFirstInsertionPt());
        Phi.replaceAllUsesWith(B.CreatePtrAdd(Start, Last));
        Phi.eraseFromParent();
      }
  }
};

} // namespace

bool heddle::makePointersOffsets(const LoopContext &C, const LoopShape &Shape,
                                 const VariableClasses &Classes) {
  bool Changed = false;
  for (const LoopVariable &V : Classes.Variables)
    if (V.Class == VariableClass::Ordered && V.Phi->getType()->isPointerTy())
      if (AdvancedPointer Pointer(C, Shape, *V.Phi); Pointer.recognise()) {
        Pointer.rewrite();
        Changed = true;
      }
  if (Changed)
    C.SE.forgetLoop(&C.L);
  return Changed;
}

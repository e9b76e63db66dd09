//===- WaysToTurn.cpp - One way to what happens in order ------------------===//

#include "async/order/WaysToTurn.h"
#include "async/order/TurnPoint.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace heddle;

namespace {

class Ways {
  const LoopContext &C;
  const LoopFacts &Facts;
  Loop &L;
  /// The variables that are read when it is a task's turn.
  SmallPtrSet<const Value *, 4> Ordered;
  /// The first use in each block.
  MapVector<BasicBlock *, Instruction *> First;
  /// The blocks behind the turn, as a whole.
  SmallSetVector<BasicBlock *, 16> Behind;
  /// A way from a block in front of the turn to one behind it.
  struct Way {
    BasicBlock *From, *To;
    /// On the way.
    BasicBlock *Edge = nullptr;
  };
  SmallVector<Way> All;
  SmallSetVector<BasicBlock *, 4> Targets;
  /// Where the ways meet, and where they part.
  BasicBlock *Meeting = nullptr, *Parting = nullptr;

public:
  Ways(const LoopContext &C, const LoopFacts &Facts)
      : C(C), Facts(Facts), L(C.L) {
    for (const LoopVariable &V : Facts.Classes.Variables)
      if (V.Class == VariableClass::Ordered)
        Ordered.insert(V.Phi);
  }

  bool join() {
    std::string Name;
    Instruction *Turn = findTurnPoint(C, Facts, Name);
    if (!Turn || !findBehind() || !hidesMore(Turn) || !findWays())
      return false;
    splitBlocks();
    countBehind();
    makeEdges();
    meet();
    part();
    C.DT.recalculate(*L.getHeader()->getParent());
    repairValues();
    formLCSSARecursively(L, C.DT, &C.LI, &C.SE);
    C.SE.forgetLoop(&L);
    return true;
  }

private:
  /// Finds the blocks that an iteration may reach behind a use; false if all
  /// are.
  bool findBehind() {
    BasicBlock *Latch = L.getLoopLatch();
    auto Note = [&](Instruction *I) {
      auto [Found, IsNew] = First.insert({I->getParent(), I});
      if (!IsNew && I->comesBefore(Found->second))
        Found->second = I;
    };
    Note(Latch->getTerminator());
    for (const OrderedUse &Use : findOrderedUses(C, Facts))
      if (isa<PHINode>(Use.By) || !L.contains(Use.By))
        Behind.insert(Use.By->getParent());
      else
        Note(Use.By);
    SmallVector<BasicBlock *> Worklist(Behind.begin(), Behind.end());
    for (auto &[Block, I] : First)
      Worklist.push_back(Block);
    while (!Worklist.empty())
      for (BasicBlock *Next : successors(Worklist.pop_back_val()))
        if (L.contains(Next) && Next != L.getHeader() && Behind.insert(Next))
          Worklist.push_back(Next);
    First.remove_if(
        [&](const auto &Entry) { return Behind.contains(Entry.first); });
    return !Behind.contains(L.getHeader());
  }

  bool isBehind(const Instruction &I) const {
    auto Found = First.find(const_cast<BasicBlock *>(I.getParent()));
    return Found == First.end()
               ? Behind.contains(const_cast<BasicBlock *>(I.getParent()))
               : !I.comesBefore(Found->second);
  }

  /// True if the task is going to wait for some access that is behind \p Turn
  /// now.
  bool hidesMore(const Instruction *Turn) const {
    return any_of(Facts.Latency.accesses(), [&](const Access &A) {
      return A.isLongLatency() && !isa<StoreInst>(A.I) && !isBehind(*A.I) &&
             A.I != Turn && C.DT.dominates(Turn, A.I);
    });
  }

  /// False if some way cannot be led elsewhere.
  bool findWays() {
    for (BasicBlock *To : Behind)
      for (BasicBlock *From : predecessors(To)) {
        if (Behind.contains(From) || First.contains(From))
          continue;
        if (!isa<BranchInst, SwitchInst>(From->getTerminator()) ||
            llvm::count(successors(From), To) != 1 || To->isEHPad())
          return false;
        All.push_back({From, To});
        Targets.insert(To);
      }
    return true;
  }

  /// Cuts blocks in front of their first use.
  void splitBlocks() {
    for (auto &[Block, I] : First) {
      BasicBlock *To = SplitBlock(Block, I, &C.DT, &C.LI);
      Behind.insert(To);
      All.push_back({Block, To});
      Targets.insert(To);
    }
  }

  /// Repeats behind the turn what says whether there is another iteration and
  /// what the induction variables are in it, as far as that follows from the
  /// variables of this iteration.
  void countBehind() {
    BasicBlock *Latch = L.getLoopLatch();
    DenseMap<Value *, Value *> Copies;
    auto Repeat = [&](Use &U) {
      SmallSetVector<Instruction *, 8> Slice;
      if (isCounted(U.get(), Slice))
        U.set(copyOf(U.get(), Slice, *Latch->getTerminator(), Copies));
    };
    for (PHINode &Phi : L.getHeader()->phis())
      Repeat(Phi.getOperandUse(Phi.getBasicBlockIndex(Latch)));
    if (auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
        Branch && Branch->isConditional())
      Repeat(Branch->getOperandUse(0));
  }

  /// True if \p V , computed in front of the turn, is a simple function of the
  /// iteration's variables and of values from outside the loop. Adds what
  /// computes it to \p Slice.
  bool isCounted(Value *V, SmallSetVector<Instruction *, 8> &Slice) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return true;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      return !Ordered.contains(I);
    if (Slice.contains(I))
      return true;
    constexpr unsigned MostInstructions = 8;
    if (Behind.contains(I->getParent()) || Slice.size() == MostInstructions ||
        !isa<BinaryOperator, CastInst, CmpInst, GetElementPtrInst>(I) ||
        !all_of(I->operand_values(),
                [&](Value *Operand) { return isCounted(Operand, Slice); }))
      return false;
    Slice.insert(I);
    return true;
  }

  static Value *copyOf(Value *V, const SmallSetVector<Instruction *, 8> &Slice,
                       Instruction &Before,
                       DenseMap<Value *, Value *> &Copies) {
    for (Instruction *I : Slice) {
      Value *&Copy = Copies[I];
      if (Copy)
        continue;
      Instruction *New = I->clone();
      New->setName(I->getName());
      New->insertBefore(Before.getIterator());
      Copy = New;
      for (Use &U : New->operands())
        if (Value *Known = Copies.lookup(U.get()))
          U.set(Known);
    }
    Value *Copy = Copies.lookup(V);
    return Copy ? Copy : V;
  }

  BasicBlock *makeBlock(const Twine &Name) {
    auto *Block =
        BasicBlock::Create(L.getHeader()->getContext(), Name,
                           L.getHeader()->getParent(), Targets.front());
    L.addBasicBlockToLoop(Block, C.LI);
    return Block;
  }

  void makeEdges() {
    for (Way &W : All) {
      W.Edge = makeBlock("turn.way");
      W.From->getTerminator()->replaceSuccessorWith(W.To, W.Edge);
      W.To->replacePhiUsesWith(W.From, W.Edge);
    }
  }

  void meet() {
    Meeting = makeBlock("turn.ways");
    Parting = makeBlock("turn");
    for (Way &W : All)
      BranchInst::Create(Meeting, W.Edge);
    BranchInst::Create(Parting, Meeting);
  }

  /// A value that is known where the ways meet: what \p Of says of each way.
  PHINode *merge(Type *T, function_ref<Value *(const Way &)> Of) {
    IRBuilder<> B(Meeting, Meeting->getFirstNonPHIIt());
    PHINode *Merged = B.CreatePHI(T, All.size());
    for (const Way &W : All)
      Merged->addIncoming(Of(W), W.Edge);
    return Merged;
  }

  void part() {
    IRBuilder<> B(Parting);
    LLVMContext &Context = Parting->getContext();
    for (BasicBlock *To : Targets)
      for (PHINode &Phi : To->phis())
        handOn(Phi, B);
    if (Targets.size() == 1) {
      B.CreateBr(Targets.front());
      return;
    }
    Type *T = Targets.size() == 2 ? Type::getInt1Ty(Context)
                                  : Type::getInt32Ty(Context);
    PHINode *Which = merge(T, [&](const Way &W) {
      return ConstantInt::get(T, llvm::find(Targets, W.To) - Targets.begin());
    });
    if (Targets.size() == 2) {
      B.CreateCondBr(Which, Targets[1], Targets[0]);
      return;
    }
    SwitchInst *Switch = B.CreateSwitch(Which, Targets[0], Targets.size() - 1);
    for (unsigned I = 1; I < Targets.size(); ++I)
      Switch->addCase(cast<ConstantInt>(ConstantInt::get(T, I)), Targets[I]);
  }

  /// Hands \p Phi, of a block behind the turn, the values of the ways to it.
  /// Ordered variables are read when it is the task's turn.
  void handOn(PHINode &Phi, IRBuilder<> &B) {
    SmallSetVector<Value *, 4> Values;
    SmallDenseMap<const BasicBlock *, Value *, 4> Of;
    for (const Way &W : All)
      if (W.To == Phi.getParent()) {
        Value *V = Phi.getIncomingValueForBlock(W.Edge);
        Of[W.Edge] = V;
        Values.insert(V);
        Phi.removeIncomingValue(W.Edge, /*DeletePHIIfEmpty=*/false);
      }
    auto IsKnown = [&](Value *V) {
      auto *I = dyn_cast<Instruction>(V);
      return !I || !L.contains(I) ||
             (isa<PHINode>(I) && I->getParent() == L.getHeader());
    };
    if (Values.size() == 1 && IsKnown(Values.front())) {
      Phi.addIncoming(Values.front(), Parting);
      return;
    }
    Type *T = Phi.getType();
    Value *Merged = merge(T, [&](const Way &W) -> Value * {
      Value *V = Of.lookup(W.Edge);
      return !V || Ordered.contains(V) ? PoisonValue::get(T) : V;
    });
    for (Value *Variable : Values)
      if (Ordered.contains(Variable)) {
        PHINode *Takes = merge(B.getInt1Ty(), [&](const Way &W) {
          return B.getInt1(Of.lookup(W.Edge) == Variable);
        });
        Merged = B.CreateSelect(Takes, Variable, Merged);
      }
    Phi.addIncoming(Merged, Parting);
  }

  /// The uses of \p I that the way on which it is computed does not come to
  /// alone.
  SmallVector<Use *> brokenUses(Instruction &I) const {
    SmallVector<Use *> Broken;
    if (!C.DT.dominates(blockWithValue(I), Meeting))
      for (Use &U : I.uses())
        if (!C.DT.dominates(&I, U))
          Broken.push_back(&U);
    return Broken;
  }

  /// Addresses are computed again behind the turn, so that they are still seen
  /// to lead to what an iteration has looked at before.
  void recomputeAddresses() {
    SmallVector<GetElementPtrInst *> Addresses;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Gep = dyn_cast<GetElementPtrInst>(&I))
        Addresses.push_back(Gep);
    while (!Addresses.empty()) {
      GetElementPtrInst *Gep = Addresses.pop_back_val();
      for (Use *U : brokenUses(*Gep)) {
        auto *User = cast<Instruction>(U->getUser());
        auto *Phi = dyn_cast<PHINode>(User);
        auto *Again = cast<GetElementPtrInst>(Gep->clone());
        Again->insertBefore(
            Phi ? Phi->getIncomingBlock(*U)->getTerminator()->getIterator()
                : User->getIterator());
        U->set(Again);
        for (Value *Operand : Again->operands())
          if (auto *Before = dyn_cast<GetElementPtrInst>(Operand))
            Addresses.push_back(Before);
      }
    }
  }

  /// What was computed on one way is used behind the turn.
  void repairValues() {
    recomputeAddresses();
    for (BasicBlock *Block : L.blocks()) {
      if (Behind.contains(Block))
        continue;
      for (Instruction &I : *Block) {
        const SmallVector<Use *> Broken = brokenUses(I);
        if (Broken.empty())
          continue;
        BasicBlock *Known = blockWithValue(I);
        SSAUpdater Updater;
        Updater.Initialize(I.getType(), I.getName());
        Updater.AddAvailableValue(L.getHeader(), PoisonValue::get(I.getType()));
        Updater.AddAvailableValue(Known, &I);
        for (Use *U : Broken)
          Updater.RewriteUse(*U);
        Updater.UpdateDebugValues(&I);
      }
    }
  }
};

} // namespace

bool heddle::joinWaysToTurn(const LoopContext &C, const LoopFacts &Facts) {
  return Ways(C, Facts).join();
}

//===- MemoryAccumulators.cpp - Rows combined in memory -------------------===//

#include "pull/MemoryAccumulators.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include <optional>

using namespace llvm;
using namespace heddle;

namespace {

/// Stores the register where the loop is left.
class RowPromoter : public LoadAndStorePromoter {
  Loop &Inner;
  SSAUpdater &Updater;
  StoreInst &Model;

public:
  /// The store behind the loop.
  StoreInst *Final = nullptr;

  RowPromoter(ArrayRef<const Instruction *> Accesses, SSAUpdater &Updater,
              Loop &Inner, StoreInst &Model)
      : LoadAndStorePromoter(Accesses, Updater), Inner(Inner), Updater(Updater),
        Model(Model) {}

  void doExtraRewritesBeforeFinalDeletion() override {
    BasicBlock *Exit = Inner.getExitBlock();
    Value *Last = Updater.GetValueInMiddleOfBlock(Exit);
    // Closed SSA: the value leaves the loop through a phi.
    if (auto *I = dyn_cast<Instruction>(Last); I && Inner.contains(I)) {
      PHINode *Phi = PHINode::Create(Last->getType(), 1, "row");
      Phi->insertBefore(Exit->begin());
      Phi->addIncoming(Last, Inner.getExitingBlock());
      Last = Phi;
    }
    Final = cast<StoreInst>(Model.clone());
    Final->setOperand(0, Last);
    Final->insertBefore(Exit->getFirstInsertionPt());
  }
};

} // namespace

/// Whether \p Access, in the loop or in front of it, is executed whenever the
/// loop runs, so that its address is valid.
static bool isCertain(const Instruction &Access, const Loop &Inner,
                      const DominatorTree &DT) {
  return DT.dominates(Access.getParent(), Inner.getLoopLatch());
}

/// Whether \p I, which has another address than \p Place, may access it. Loads
/// whose address depends on the edge do not: rows are independent. Other
/// accesses may alias the row's own address.
static bool maySee(Instruction &I, const MemoryLocation &Place,
                   const Loop &Inner, AAResults &AA) {
  if (!I.mayReadOrWriteMemory() || I.isDebugOrPseudoInst() ||
      I.isLifetimeStartOrEnd())
    return false;
  auto *Load = dyn_cast<LoadInst>(&I);
  const Value *Object = getUnderlyingObject(Place.Ptr);
  bool IsBrought = Load && !Inner.isLoopInvariant(Load->getPointerOperand()) &&
                   getUnderlyingObject(Load->getPointerOperand()) != Object &&
                   !isIdentifiedObject(Object);
  return !IsBrought && isModOrRefSet(AA.getModRefInfo(&I, Place));
}

namespace {

/// The loads and stores of one address in the inner loop.
struct RowPlace {
  SmallVector<Instruction *, 4> Accesses;
  StoreInst *Model = nullptr;
  /// Whether the row stores there in any case.
  bool IsStored = false;
};

} // namespace

/// Finds out whether \p Address can be kept in a register while \p Inner runs.
static std::optional<RowPlace> readPlace(Value &Address, const LoopContext &C) {
  const Loop &Inner = C.L;
  RowPlace Place;
  SmallVector<Instruction *, 4> Certain;
  for (User *U : Address.users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I)
      continue;
    auto *Store = dyn_cast<StoreInst>(I);
    auto *Load = dyn_cast<LoadInst>(I);
    bool IsAccess = (Store && Store->isSimple() &&
                     Store->getPointerOperand() == &Address) ||
                    (Load && Load->isSimple());
    if (IsAccess && isCertain(*I, Inner, C.DT))
      Certain.push_back(I);
    if (!Inner.contains(I))
      continue;
    if (!IsAccess ||
        (!Place.Accesses.empty() &&
         getLoadStoreType(I) != getLoadStoreType(Place.Accesses[0])))
      return std::nullopt;
    if (Store)
      Place.Model = Store;
    Place.Accesses.push_back(I);
  }
  if (!Place.Model)
    return std::nullopt;
  Type *Ty = getLoadStoreType(Place.Model);
  erase_if(Certain, [&](Instruction *I) { return getLoadStoreType(I) != Ty; });
  Place.IsStored = any_of(Certain, IsaPred<StoreInst>);
  if (Certain.empty() || (!Place.IsStored && !Ty->isIntegerTy() &&
                          !Ty->isFloatTy() && !Ty->isDoubleTy()))
    return std::nullopt;
  MemoryLocation Where = MemoryLocation::get(Place.Model);
  for (Instruction &I : instructionsIn(Inner.blocks()))
    if (getLoadStorePointerOperand(&I) != &Address &&
        maySee(I, Where, Inner, C.AA))
      return std::nullopt;
  return Place;
}

/// Returns the value at the address of \p Before when the row's edges begin:
/// the one that the row itself has just stored or loaded there, or \p Before.
/// Loading a value that the row has stored would race with another thread,
/// which runs the row's first part and stores.
static Value *startOf(LoadInst &Before, AAResults &AA) {
  BatchAAResults Batch(AA);
  for (BasicBlock *Block = Before.getParent(); Block;
       Block = Block->getSinglePredecessor()) {
    BasicBlock::iterator From =
        Block == Before.getParent() ? Before.getIterator() : Block->end();
    if (Value *Known = FindAvailableLoadedValue(&Before, Block, From,
                                                DefMaxInstsToScan, &Batch))
      return Known->getType() == Before.getType() ? Known : &Before;
    if (From != Block->begin())
      break;
  }
  return &Before;
}

/// Whether \p From contains nothing but the branch to \p To.
static bool onlyLeadsTo(BasicBlock &From, BasicBlock &To) {
  return From.getSinglePredecessor() && From.getSingleSuccessor() == &To &&
         &*From.instructionsWithoutDebug().begin() == From.getTerminator();
}

/// Replaces a branch that only decides which value is stored by a select with
/// its condition, as if the variable had never been in memory.
static void chooseByCondition(BasicBlock &Join, const DominatorTree &DT) {
  BasicBlock *Fork = DT.getNode(&Join)->getIDom()->getBlock();
  auto *Branch = dyn_cast<BranchInst>(Fork->getTerminator());
  if (!Branch || !Branch->isConditional() || !Join.hasNPredecessors(2) ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return;
  BasicBlock *From[2];
  for (unsigned Side : {0, 1}) {
    BasicBlock *Next = Branch->getSuccessor(Side);
    if (Next != &Join && !onlyLeadsTo(*Next, Join))
      return;
    From[Side] = Next == &Join ? Fork : Next;
  }
  IRBuilder<> Builder(&Join, Join.getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(Branch->getDebugLoc());
  for (PHINode &Merge : make_early_inc_range(Join.phis())) {
    Merge.replaceAllUsesWith(Builder.CreateSelect(
        Branch->getCondition(), Merge.getIncomingValueForBlock(From[0]),
        Merge.getIncomingValueForBlock(From[1])));
    Merge.eraseFromParent();
  }
  // Both ways lead to the same block.
  Branch->setCondition(Builder.getTrue());
}

/// Stores only a value that differs from \p Before, the present one: where no
/// edge has stored, the memory need not be writable.
static void storeIfChanged(StoreInst &Store, Value *Before,
                           const LoopContext &C) {
  assert(Before->getType() == Store.getValueOperand()->getType() &&
         "compared bit by bit");
  IRBuilder<> Builder(&Store);
  Type *Bits = Builder.getIntNTy(Before->getType()->getPrimitiveSizeInBits());
  Value *Changed =
      Builder.CreateICmpNE(Builder.CreateBitCast(Store.getValueOperand(), Bits),
                           Builder.CreateBitCast(Before, Bits));
  DomTreeUpdater Updater(C.DT, DomTreeUpdater::UpdateStrategy::Eager);
  Store.moveBefore(SplitBlockAndInsertIfThen(Changed, Store.getIterator(),
                                             /*Unreachable=*/false, nullptr,
                                             &Updater, &C.LI)
                       ->getIterator());
}

bool heddle::promoteRowMemory(const LoopContext &C) {
  Loop &Inner = C.L;
  BasicBlock *Preheader = Inner.getLoopPreheader();
  const Loop *Outer = Inner.getParentLoop();
  assert(Outer && "edges are visited for rows");
  if (!Preheader || !Inner.getExitBlock() || !Inner.getLoopLatch() ||
      Inner.getExitingBlock() != Inner.getLoopLatch())
    return false;
  // An address that all rows store to belongs to none of them.
  SmallSetVector<Value *, 4> Addresses;
  for (Instruction &I : instructionsIn(Inner.blocks()))
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && Inner.isLoopInvariant(Store->getPointerOperand()) &&
        !Outer->isLoopInvariant(Store->getPointerOperand()))
      Addresses.insert(Store->getPointerOperand());
  bool Changed = false;
  for (Value *Address : Addresses) {
    std::optional<RowPlace> Place = readPlace(*Address, C);
    if (!Place)
      continue;
    StoreInst &Model = *Place->Model;
    auto *Before = new LoadInst(Model.getValueOperand()->getType(), Address,
                                "row.before", false, Model.getAlign(),
                                Preheader->getTerminator()->getIterator());
    Before->setDebugLoc(Model.getDebugLoc());
    Before->setAAMetadata(Model.getAAMetadata());
    SSAUpdater Updater;
    SmallVector<const Instruction *, 4> Promoted(Place->Accesses.begin(),
                                                 Place->Accesses.end());
    RowPromoter Promoter(Promoted, Updater, Inner, Model);
    Value *Start = startOf(*Before, C.AA);
    Updater.AddAvailableValue(Preheader, Start);
    Promoter.run(Place->Accesses);
    if (!Place->IsStored)
      storeIfChanged(*Promoter.Final, Start, C);
    if (Start != Before)
      Before->eraseFromParent();
    for (BasicBlock *Block : Inner.blocks())
      if (Block != Inner.getHeader() && isa<PHINode>(Block->front()))
        chooseByCondition(*Block, C.DT);
    Changed = true;
  }
  return Changed;
}

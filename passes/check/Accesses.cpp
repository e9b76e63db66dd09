//===- Accesses.cpp - Let loads, stores and calls record ------------------===//

#include "check/Accesses.h"
#include "check/Accessors.h"
#include "check/Calls.h"
#include "check/Elements.h"
#include "check/Links.h"
#include "check/Order.h"
#include "check/Unwritten.h"
#include "check/Updates.h"
#include "check/check.h"
#include "check/quick/Groups.h"
#include "check/quick/RepeatedReads.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace heddle;

namespace {

class AccessRecorder {
  Function &F;
  ArrayRef<Loop *> Checked;
  const LoopInfo &LI;
  const DominatorTree &DT;
  AAResults &AA;
  Hooks &H;
  const DataLayout &DL;
  DenseMap<Instruction *, AccessRole> Roles;
  DenseSet<Instruction *> Linked;
  SmallPtrSet<const Loop *, 2> Workshared;
  DenseMap<const Instruction *, unsigned> Unwritten;
  /// Calls that are needed only in so many loops, or more.
  SmallVector<std::pair<CallInst *, unsigned>> IfNested;
  SmallVector<RecordedAccess> Records;
  QuickPaths &Quick;

public:
  AccessRecorder(Function &F, ArrayRef<Loop *> Checked, const LoopInfo &LI,
                 const DominatorTree &DT, AAResults &AA, Hooks &H,
                 QuickPaths &Quick)
      : F(F), Checked(Checked), LI(LI), DT(DT), AA(AA), H(H),
        DL(F.getDataLayout()), Roles(findUpdates(F, DT)),
        Unwritten(findUnwritten(Checked, AA)), Quick(Quick) {
    for (Loop *L : Checked) {
      Linked.insert_range(findLinkedPlaces(*L));
      if (isWorkshared(*L))
        Workshared.insert(L);
    }
  }

  void run() {
    recordVariables();
    SmallVector<Instruction *> Instructions;
    for (Instruction &I : instructions(F))
      Instructions.push_back(&I);
    for (Instruction *I : Instructions) {
      if (I->isAtomic())
        recordLock(*I, H);
      else if (isa<LoadInst, StoreInst>(I))
        record(*I);
      else if (auto *Call = dyn_cast<CallBase>(I)) {
        const Loop *L = loopAround(*Call);
        recordCall(*Call, H, L != nullptr);
        if (L && isOfProgram(*Call))
          recordCallOfLoop(*Call, *L);
      }
    }
    for (const Loop *L : Checked)
      for (const LinkedVariable &V : findLinkedVariables(*L))
        recordLinks(V, *L);
    for (Argument &A : F.args())
      if (A.hasByValAttr())
        // The caller's copy, in a place that the next call uses again.
        H.call("heddle_check_fresh",
               {&A, bytes(DL.getTypeAllocSize(A.getParamByValType()))},
               &*F.getEntryBlock().getFirstInsertionPt());
    dropRepeatedReads(F, Records, Checked, LI, AA);
    recordQuickly(F, Records, Quick);
    for (auto [Call, Loops] : IfNested)
      H.callIfNested(*Call, Loops);
  }

private:
  Value *bytes(uint64_t Count) {
    return ConstantInt::get(Type::getInt64Ty(F.getContext()), Count);
  }

  /// The optimizer may put the function into a loop's, where the variables that
  /// calls know are at the same addresses in all iterations, and at those of
  /// other functions that have ended.
  void recordVariables() {
    Instruction *Begin = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    for (Instruction &I : F.getEntryBlock()) {
      auto *Variable = dyn_cast<AllocaInst>(&I);
      if (!Variable || !isHandedOn(*Variable))
        continue;
      std::optional<TypeSize> Size = Variable->getAllocationSize(DL);
      if (Size && !Size->isScalable())
        H.call("heddle_check_fresh", {Variable, bytes(Size->getFixedValue())},
               Begin);
    }
  }

  /// True if a call or memory gets the address of \p Variable, which does not
  /// say where its life begins.
  static bool isHandedOn(const AllocaInst &Variable) {
    SmallVector<const Value *> Worklist{&Variable};
    bool IsHandedOn = false;
    while (!Worklist.empty())
      for (const User *U : Worklist.pop_back_val()->users()) {
        auto *I = cast<Instruction>(U);
        if (I->isLifetimeStartOrEnd())
          return false;
        if (isa<GetElementPtrInst, CastInst>(I))
          Worklist.push_back(I);
        else
          IsHandedOn |= !isa<LoadInst>(I) && !isStoreTo(*I, Variable);
      }
    return IsHandedOn;
  }

  static bool isStoreTo(const Instruction &I, const AllocaInst &Variable) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return Store && getUnderlyingObject(Store->getValueOperand()) != &Variable;
  }

  /// True if the function that \p Call calls may record.
  static bool isOfProgram(const CallBase &Call) {
    const Function *Callee = Call.getCalledFunction();
    return !Call.isInlineAsm() && (!Callee || !Callee->isDeclaration());
  }

  /// The innermost annotated loop around \p I, or null.
  const Loop *loopAround(const Instruction &I) const {
    for (const Loop *L = LI.getLoopFor(I.getParent()); L;
         L = L->getParentLoop())
      if (is_contained(Checked, L))
        return L;
    return nullptr;
  }

  /// True if an object is copied into \p Variable as a whole.
  static bool isCopiedInto(const AllocaInst &Variable) {
    return any_of(Variable.users(), [&](const User *U) {
      auto *Copy = dyn_cast<AnyMemTransferInst>(U);
      return Copy && Copy->getRawDest() == &Variable &&
             !isa<AllocaInst>(getUnderlyingObject(Copy->getRawSource()));
    });
  }

  /// True if no other iteration can access the place.
  bool isPrivate(const Value *Address, const Loop *L) const {
    const Value *Object = getUnderlyingObject(Address);
    if (auto *Variable = dyn_cast<AllocaInst>(Object))
      return !isCopiedInto(*Variable) && (!L || isOfIteration(*Variable, *L));
    if (auto *Global = dyn_cast<GlobalVariable>(Object))
      return Global->isConstant();
    // What errno holds is for the iteration that has caused it.
    if (auto *Call = dyn_cast<CallBase>(Object))
      return calleeName(*Call) == "__errno_location";
    auto *A = dyn_cast<Argument>(Object);
    return A && A->hasByValAttr();
  }

  /// True if the compiler keeps the order of the accesses.
  bool isOrdered(const Instruction &I, const Value *Address,
                 const Loop *L) const {
    return L && isFixedInLoop(Address, *L) && !Linked.contains(&I) &&
           (isa<AllocaInst>(getUnderlyingObject(Address)) ||
            !Workshared.contains(L));
  }

  void record(Instruction &I) {
    Value *Address = getLoadStorePointerOperand(&I);
    const Loop *L = loopAround(I);
    if (Address->getType()->getPointerAddressSpace() != 0 ||
        isPrivate(Address, L))
      return;
    const bool IsOrdered = isOrdered(I, Address, L);
    const AccessRole Role = Roles.lookup(&I);
    if (Role.IsSilent || (IsOrdered && isa<LoadInst>(I)))
      return;
    SiteFacts Facts;
    Facts.Bytes = DL.getTypeStoreSize(getLoadStoreType(&I)).getKnownMinValue();
    Facts.Operation = Role.Operation;
    if (L)
      Facts.Flags |= HEDDLE_CHECK_DIRECT;
    if (IsOrdered)
      Facts.Flags |= HEDDLE_CHECK_ORDERED;
    if (isFixedPlace(Address))
      Facts.Flags |= HEDDLE_CHECK_FIXED;
    if (isa<CallBase>(withoutThread(getUnderlyingObject(Address))))
      Facts.Flags |= HEDDLE_CHECK_HIDDEN;
    if (Role.Partner) {
      Facts.Flags |= HEDDLE_CHECK_DECIDES;
      if (const DebugLoc Where = placeInSource(*Role.Partner))
        Facts.PartnerLine = Where.getLine();
    }
    const PlaceName Place = namePlace(Address, Facts.Bytes, DL);
    Constant *Site = H.site(I, Place, Facts);
    Value *Base =
        Place.Base
            ? Place.Base
            : ConstantPointerNull::get(PointerType::get(F.getContext(), 0));
    const bool Commutes = Role.Operation != HEDDLE_CHECK_PLAIN &&
                          Role.Operation != HEDDLE_CHECK_DEPENDENT;
    if (IsOrdered && !Commutes) {
      H.call("heddle_check_define", {Site, Address, Base}, &I);
      return;
    }
    CallInst *Call;
    QuickKind Kind = QuickKind::Read;
    if (Role.Operation != HEDDLE_CHECK_PLAIN) {
      Kind = QuickKind::Update;
      Call = H.callForBytes("heddle_check_update", Facts.Bytes,
                            {Site, Address, Base, valueOf(Role, &I)}, &I);
    } else if (isa<LoadInst>(I)) {
      Call = H.callForBytes("heddle_check_read", Facts.Bytes,
                            {Site, Address, Base}, &I);
      if (auto Found = Unwritten.find(&I); Found != Unwritten.end()) {
        IfNested.push_back({Call, Found->second + 1});
        return;
      }
    } else {
      Kind = QuickKind::Write;
      Call = H.callForBytes("heddle_check_write", Facts.Bytes,
                            {Site, Address, Base,
                             isSilent(*I.getOperand(0), Address,
                                      cast<StoreInst>(I).getAlign(), &I)},
                            &I);
    }
    Records.push_back(
        {.Call = Call,
         .Access = &I,
         .A = {.Kind = Kind,
               .Bytes = Facts.Bytes,
               .Operation = Role.Operation,
               .Decides = bool(Facts.Flags & HEDDLE_CHECK_DECIDES),
               .IsHidden = bool(Facts.Flags & HEDDLE_CHECK_HIDDEN)},
         .IsFixed = bool(Facts.Flags & HEDDLE_CHECK_FIXED),
         .IsInLoop = L != nullptr});
  }

  /// A number that is not 0 if \p Address holds the bits of \p V already. What
  /// cannot be compared, does not.
  Value *isSilent(Value &V, Value *Address, MaybeAlign Alignment,
                  Instruction *Before) {
    IRBuilder<> Builder(Before);
    Type *T = V.getType();
    const TypeSize Bits = DL.getTypeSizeInBits(T);
    if (Bits.isScalable() || Bits > 64 || !T->isSingleValueType())
      return Builder.getInt32(0);
    // What is not initialised is not what a compiler likes it to be.
    Value *Old = Builder.CreateAlignedLoad(T, Address, Alignment,
                                           /*isVolatile=*/true);
    return Builder.CreateZExt(
        Builder.CreateICmpEQ(asNumber(Old, Before), asNumber(&V, Before)),
        Builder.getInt32Ty());
  }

  Value *valueOf(const AccessRole &Role, Instruction *Before) {
    if (!Role.Value)
      return bytes(0);
    if (Role.Operation == HEDDLE_CHECK_SET)
      return asNumber(makeAvailable(Role.Value, *Before, DT), Before);
    // Any number that is the same for all stores of one winner.
    uint64_t Number = 1;
    for (Instruction &I : instructions(F)) {
      if (&I == Role.Value)
        break;
      ++Number;
    }
    return bytes(Number);
  }

  /// Notes where the loop calls a function.
  void recordCallOfLoop(CallBase &Call, const Loop &L) {
    SiteFacts Facts;
    if (Workshared.contains(&L) && mayPassObjectOfThread(Call))
      Facts.Flags = HEDDLE_CHECK_OF_THREAD;
    CallInst *Note =
        H.call("heddle_check_call", {H.site(Call, {}, Facts)}, &Call);
    if (!Workshared.contains(&L))
      Quick.wrapCall(*Note);
  }

  /// Lets a variable in a register record as if it were in memory.
  void recordLinks(const LinkedVariable &V, const Loop &L) {
    auto *Slot = new AllocaInst(V.Phi->getType(), DL.getAllocaAddrSpace(),
                                "heddle.check.end",
                                F.getEntryBlock().getFirstInsertionPt());
    // The variable is not one of the iteration.
    new StoreInst(ConstantPointerNull::get(cast<PointerType>(V.Phi->getType())),
                  Slot, std::next(Slot->getIterator()));
    PlaceName Place;
    Place.Text = Place.Variable = nameOfValue(*V.Phi);
    SiteFacts Facts;
    Facts.Bytes = DL.getPointerSize();
    Facts.Flags = HEDDLE_CHECK_FIXED | HEDDLE_CHECK_DIRECT;
    Constant *Site = H.site(*V.Link, Place, Facts);
    H.callForBytes("heddle_check_read", Facts.Bytes, {Site, Slot, Slot},
                   V.Link);
    Instruction *End = L.getLoopLatch()->getTerminator();
    Value *Next = V.Phi->getIncomingValueForBlock(L.getLoopLatch());
    H.callForBytes("heddle_check_write", Facts.Bytes,
                   {Site, Slot, Slot,
                    isSilent(*Next, Slot, DL.getPointerABIAlignment(0), End)},
                   End);
    new StoreInst(Next, Slot, End->getIterator());
  }

  /// The bits of \p V as a 64-bit number; 0 if they do not fit in.
  Value *asNumber(Value *V, Instruction *Before) {
    IRBuilder<> Builder(Before);
    Type *T = V->getType();
    if (T->isPointerTy())
      return Builder.CreatePtrToInt(V, Builder.getInt64Ty());
    TypeSize Bits = DL.getTypeSizeInBits(T);
    if (Bits.isScalable() || Bits > 64 || !T->isSingleValueType())
      return Builder.getInt64(0);
    if (!T->isIntegerTy())
      V = Builder.CreateBitCast(V, Builder.getIntNTy(Bits));
    return Builder.CreateZExt(V, Builder.getInt64Ty());
  }
};

} // namespace

void heddle::recordAccesses(Function &F, ArrayRef<Loop *> Checked,
                            const LoopInfo &LI, const DominatorTree &DT,
                            AAResults &AA, Hooks &H, QuickPaths &Quick) {
  AccessRecorder(F, Checked, LI, DT, AA, H, Quick).run();
}

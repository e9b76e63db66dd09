//===- FarLower.cpp - Accesses to far memory become calls -----------------===//
//
// A load of 8 bytes becomes the following; a store is lowered in the same way:
//
//   near = heddle_far_near[address >> 48 & 7]
//   if (address - near->address < near->readable)
//     at = near->bytes + (address - near->address)
//   else
//     at = heddle_far_load(address, 8)
//   value = *at
//
// A scan calls the runtime only once for each page. The limit is 0 when the
// region is closed, and otherwise a multiple of 64, so that an object that is
// aligned to its size is in the page as a whole if it begins there. Other
// objects are left to the call.
//
// An atomic access becomes an atomic access to the frame that holds the page,
// which is the same for all threads as long as one of them has the page in
// sight.
//
//===----------------------------------------------------------------------===//

#include "far/FarLower.h"
#include "far/LibraryBackend.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "loop/FarAccess.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace heddle;

namespace {

/// heddle_far_page of heddle/amu.h.
enum PageField {
  PageAddress,
  PageBytes,
  PageReadable,
  PageWritable,
  PageDirty
};
/// HEDDLE_FAR_NEAR, and the bits of an address that are not a region's number.
constexpr unsigned NearPages = 8, OffsetBits = 48;
/// The limits of a page are multiples of this.
constexpr uint64_t MostBytes = 64;

/// An access to a page that may be in sight: where it is then, and the ends of
/// the blocks for both cases.
struct NearAccess {
  Value *Page;
  Value *At;
  Instruction *IsNear, *IsFar;
};

class Lowering {
  Function &F;
  Module &M;
  Type *Void, *Pointer, *I64;
  StructType *Page;

public:
  explicit Lowering(Function &F)
      : F(F), M(*F.getParent()), Void(Type::getVoidTy(F.getContext())),
        Pointer(PointerType::get(F.getContext(), 0)),
        I64(Type::getInt64Ty(F.getContext())),
        Page(StructType::get(
            F.getContext(),
            {I64, Pointer, I64, I64, Type::getInt8Ty(F.getContext())})) {}

  bool run() {
    SmallVector<Instruction *> Accesses;
    for (Instruction &I : instructions(F))
      if (isOfFarMemory(I))
        Accesses.push_back(&I);
    for (Instruction *I : Accesses)
      lower(*I);
    return !Accesses.empty();
  }

private:
  /// Whether \p I has to be replaced. Instructions that only compute far
  /// addresses, or pass them on, stay.
  static bool isOfFarMemory(const Instruction &I) {
    if (isa<AddrSpaceCastInst>(I))
      return isFar(I.getOperand(0)) || isFar(&I);
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      return Callee && Callee->isIntrinsic() && !I.isDebugOrPseudoInst() &&
             !I.isLifetimeStartOrEnd() && !isa<AssumeInst>(I) &&
             Callee->getIntrinsicID() != Intrinsic::ptrmask &&
             any_of(Call->args(), [](const Value *V) { return isFar(V); });
    }
    return accessesFar(I);
  }

  void lower(Instruction &I) {
    if (I.isAtomic() && !isAligned(I))
      return refuse(I, "atomic accesses to far memory have to be aligned to "
                       "their size");
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return lowerLoad(*Load);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isAtomic()
                 ? lowerInPlace(*Store, StoreInst::getPointerOperandIndex(),
                                Store->getValueOperand())
                 : lowerStore(*Store);
    if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
      return lowerInPlace(*Update, AtomicRMWInst::getPointerOperandIndex(),
                          Update->getValOperand());
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return lowerInPlace(*Exchange,
                          AtomicCmpXchgInst::getPointerOperandIndex(),
                          Exchange->getNewValOperand());
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return lowerCopy(*Copy);
    if (auto *Fill = dyn_cast<MemSetInst>(&I))
      return lowerFill(*Fill);
    if (isa<AddrSpaceCastInst>(I))
      return refuse(I, "a pointer to far memory cannot be converted to an "
                       "ordinary pointer, or back");
    refuse(I, "this operation is not supported on far memory");
  }

  /// Whether the object that \p I accesses atomically is in one page as a
  /// whole.
  bool isAligned(const Instruction &I) const {
    auto Suits = [&](Type *T, Align Stated) {
      return Stated.value() >= M.getDataLayout().getTypeStoreSize(T);
    };
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Suits(Store->getValueOperand()->getType(), Store->getAlign());
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return Suits(Exchange->getNewValOperand()->getType(),
                   Exchange->getAlign());
    if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
      return Suits(Update->getType(), Update->getAlign());
    return Suits(I.getType(), cast<LoadInst>(I).getAlign());
  }

  Value *number(IRBuilder<> &B, Value *Address) {
    return B.CreatePtrToInt(Address, I64);
  }

  /// Returns the address in memory of \p Bytes bytes of far memory, valid until
  /// the next call.
  Value *inMemory(IRBuilder<> &B, Value *Address, Value *Bytes) {
    return callLibrary(B, "heddle_far_load", Pointer,
                       {number(B, Address), Bytes});
  }

  void store(IRBuilder<> &B, Value *Address, Value *From, Value *Bytes) {
    callLibrary(B, "heddle_far_store", Void, {number(B, Address), From, Bytes});
  }

  Value *sizeOf(IRBuilder<> &B, Type *T) {
    return B.getInt64(M.getDataLayout().getTypeStoreSize(T).getFixedValue());
  }

  /// The runtime assembles an object from two pages at addresses that are
  /// multiples of this.
  static Align alignment(Align Stated) { return std::min(Stated, Align(64)); }

  /// Whether to check if the page is in sight before the call.
  bool looksNear(Type *T, Align Stated) const {
    const uint64_t Bytes = M.getDataLayout().getTypeStoreSize(T);
    return !F.hasOptNone() && !F.hasOptSize() && Bytes <= MostBytes &&
           Stated.value() >= Bytes;
  }

  /// The pages that the thread has accessed last.
  Value *nearPages(IRBuilder<> &B) {
    auto *Pages = cast<GlobalVariable>(M.getOrInsertGlobal(
        "heddle_far_near", ArrayType::get(Pointer, NearPages)));
    Pages->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    return B.CreateThreadLocalAddress(Pages);
  }

  Value *field(IRBuilder<> &B, Value *Near, PageField Field) {
    return B.CreateStructGEP(Page, Near, Field);
  }

  /// Branches before \p I: to a page in sight, or elsewhere.
  NearAccess look(Instruction &I, Value *Address, PageField Limit) {
    IRBuilder<> B(&I);
    Value *Number = number(B, Address);
    Value *Index = B.CreateAnd(B.CreateLShr(Number, OffsetBits), NearPages - 1);
    NearAccess Access;
    Access.Page = B.CreateLoad(
        Pointer, B.CreateInBoundsGEP(Pointer, nearPages(B), Index), "far.page");
    Value *Offset = B.CreateSub(
        Number, B.CreateLoad(I64, field(B, Access.Page, PageAddress)));
    // The thread that closes a region sets the limits of its pages.
    LoadInst *Bytes = B.CreateLoad(I64, field(B, Access.Page, Limit));
    Bytes->setAtomic(AtomicOrdering::Monotonic);
    SplitBlockAndInsertIfThenElse(
        B.CreateICmpULT(Offset, Bytes, "far.near"), I.getIterator(),
        &Access.IsNear, &Access.IsFar,
        MDBuilder(F.getContext()).createLikelyBranchWeights());
    B.SetInsertPoint(Access.IsNear);
    Access.At = B.CreatePtrAdd(
        B.CreateLoad(Pointer, field(B, Access.Page, PageBytes)), Offset);
    return Access;
  }

  /// Returns the address in memory of the object that \p Load loads.
  Value *inMemory(LoadInst &Load) {
    Value *Address = Load.getPointerOperand();
    IRBuilder<> B(&Load);
    Value *Bytes = sizeOf(B, Load.getType());
    if (!looksNear(Load.getType(), Load.getAlign()))
      return inMemory(B, Address, Bytes);
    const NearAccess Access = look(Load, Address, PageReadable);
    B.SetInsertPoint(Access.IsFar);
    Value *Called = inMemory(B, Address, Bytes);
    B.SetInsertPoint(&Load);
    PHINode *At = B.CreatePHI(Pointer, 2, "far");
    At->addIncoming(Access.At, Access.IsNear->getParent());
    At->addIncoming(Called, Access.IsFar->getParent());
    return At;
  }

  void lowerLoad(LoadInst &Load) {
    Value *At = inMemory(Load);
    IRBuilder<> B(&Load);
    LoadInst *Near = B.CreateAlignedLoad(
        Load.getType(), At, alignment(Load.getAlign()), Load.isVolatile());
    Near->setAtomic(Load.getOrdering(), Load.getSyncScopeID());
    // Metadata about far memory, such as that it never changes, does not hold
    // for the frame that the page is in now.
    Near->copyMetadata(Load, {LLVMContext::MD_range, LLVMContext::MD_nonnull,
                              LLVMContext::MD_noundef});
    Near->takeName(&Load);
    Load.replaceAllUsesWith(Near);
    Load.eraseFromParent();
  }

  /// Marks a page as dirty, after the change: the thread that writes the page
  /// to its file clears the mark first.
  void markDirty(IRBuilder<> &B, Value *Changed) {
    StoreInst *Mark = B.CreateStore(B.getInt8(1), field(B, Changed, PageDirty));
    Mark->setAtomic(AtomicOrdering::Release);
  }

  /// Returns the address in the frame \p InMemory of the far \p Address, whose
  /// number is \p Number.
  Value *placeIn(IRBuilder<> &B, Value *InMemory, Value *Number) {
    Value *Offset =
        B.CreateSub(Number, B.CreateLoad(I64, field(B, InMemory, PageAddress)));
    return B.CreatePtrAdd(B.CreateLoad(Pointer, field(B, InMemory, PageBytes)),
                          Offset);
  }

  /// Lets \p I, which stores \p Stored atomically, access the page itself.
  void lowerInPlace(Instruction &I, unsigned AddressOperand, Value *Stored) {
    Value *Address = I.getOperand(AddressOperand);
    NearAccess Access;
    const bool Looks = looksNear(Stored->getType(), Align(MostBytes));
    if (Looks)
      Access = look(I, Address, PageWritable);
    IRBuilder<> B(Looks ? Access.IsFar : &I);
    Value *Number = number(B, Address);
    Value *Changed = callLibrary(B, "heddle_far_change", Pointer,
                                 {Number, sizeOf(B, Stored->getType())});
    Value *At = placeIn(B, Changed, Number);
    if (Looks) {
      B.SetInsertPoint(&I);
      auto Either = [&](Value *Near, Value *Far, const Twine &Name) {
        PHINode *Phi = B.CreatePHI(Pointer, 2, Name);
        Phi->addIncoming(Near, Access.IsNear->getParent());
        Phi->addIncoming(Far, Access.IsFar->getParent());
        return Phi;
      };
      Changed = Either(Access.Page, Changed, "far.page");
      At = Either(Access.At, At, "far");
    }
    I.setOperand(AddressOperand, At);
    I.dropUnknownNonDebugMetadata();
    B.SetInsertPoint(I.getNextNode());
    markDirty(B, Changed);
  }

  void lowerStore(StoreInst &Store) {
    Value *Stored = Store.getValueOperand();
    AllocaInst *Room = createVariable(F, Stored->getType(), "far.value");
    IRBuilder<> B(&Store);
    if (looksNear(Stored->getType(), Store.getAlign())) {
      const NearAccess Access =
          look(Store, Store.getPointerOperand(), PageWritable);
      B.SetInsertPoint(Access.IsNear);
      B.CreateAlignedStore(Stored, Access.At, alignment(Store.getAlign()),
                           Store.isVolatile());
      markDirty(B, Access.Page);
      B.SetInsertPoint(Access.IsFar);
    }
    B.CreateStore(Stored, Room);
    store(B, Store.getPointerOperand(), Room, sizeOf(B, Stored->getType()));
    Store.eraseFromParent();
  }

  void lowerCopy(MemTransferInst &Copy) {
    IRBuilder<> B(&Copy);
    Value *Bytes = B.CreateZExtOrTrunc(Copy.getLength(), I64);
    Value *From = Copy.getRawSource(), *To = Copy.getRawDest();
    auto IsElsewhere = [](const Value *Address) {
      return !isFar(Address) && Address->getType()->getPointerAddressSpace();
    };
    if (IsElsewhere(From) || IsElsewhere(To))
      refuse(Copy, "far memory is copied to and from ordinary memory only, not "
                   "other address spaces");
    else if (isFar(From) && isFar(To))
      callLibrary(B, "heddle_far_move", Void,
                  {number(B, To), number(B, From), Bytes});
    else if (isFar(To))
      store(B, To, From, Bytes);
    else
      callLibrary(B, "heddle_far_read", Void, {To, number(B, From), Bytes});
    Copy.eraseFromParent();
  }

  void lowerFill(MemSetInst &Fill) {
    IRBuilder<> B(&Fill);
    callLibrary(B, "heddle_far_fill", Void,
                {number(B, Fill.getRawDest()), Fill.getValue(),
                 B.CreateZExtOrTrunc(Fill.getLength(), I64)});
    Fill.eraseFromParent();
  }

  void refuse(Instruction &I, const Twine &Why) {
    F.getContext().diagnose(
        DiagnosticInfoUnsupported(F, Why, I.getDebugLoc(), DS_Error));
  }
};

} // namespace

PreservedAnalyses FarLowerPass::run(Function &F, FunctionAnalysisManager &) {
  if (!Lowering(F).run())
    return PreservedAnalyses::all();
  locateCalls(F);
  return PreservedAnalyses::none();
}

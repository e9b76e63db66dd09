//===- FarLower.cpp - Accesses to far memory become calls -----------------===//

#include "far/FarLower.h"
#include "far/FarAccess.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

namespace {

class Lowering {
  Function &F;
  Module &M;
  Type *Void, *Pointer, *I64;

public:
  explicit Lowering(Function &F)
      : F(F), M(*F.getParent()), Void(Type::getVoidTy(F.getContext())),
        Pointer(PointerType::get(F.getContext(), 0)),
        I64(Type::getInt64Ty(F.getContext())) {}

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
  /// Whether \p I has to be replaced. What only computes with far addresses, or
  /// hands them on, stays.
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
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
      return isFar(Atomic->getPointerOperand());
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return isFar(Exchange->getPointerOperand());
    return accessesFar(I);
  }

  void lower(Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I); Load && !Load->isAtomic())
      return lowerLoad(*Load);
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && !Store->isAtomic())
      return lowerStore(*Store);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return lowerCopy(*Copy);
    if (auto *Fill = dyn_cast<MemSetInst>(&I))
      return lowerFill(*Fill);
    if (isa<AddrSpaceCastInst>(I))
      return refuse(I, "pointers to far memory and to memory are not converted "
                       "into each other");
    if (I.isAtomic())
      return refuse(I, "atomic accesses to far memory are not possible");
    refuse(I, "this access to far memory is not possible");
  }

  FunctionCallee runtimeFunction(StringRef Name, Type *Result,
                                 ArrayRef<Type *> Parameters) {
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(Result, Parameters, false));
    if (auto *Function = dyn_cast<llvm::Function>(Callee.getCallee()))
      Function->setDoesNotThrow();
    return Callee;
  }

  Value *number(IRBuilder<> &B, Value *Address) {
    return B.CreatePtrToInt(Address, I64);
  }

  /// Where \p Bytes bytes of far memory are in memory, until the next call.
  Value *inMemory(IRBuilder<> &B, Value *Address, Value *Bytes) {
    return B.CreateCall(runtimeFunction("heddle_far_load", Pointer, {I64, I64}),
                        {number(B, Address), Bytes}, "far");
  }

  void store(IRBuilder<> &B, Value *Address, Value *From, Value *Bytes) {
    B.CreateCall(runtimeFunction("heddle_far_store", Void, {I64, Pointer, I64}),
                 {number(B, Address), From, Bytes});
  }

  Value *sizeOf(IRBuilder<> &B, Type *T) {
    return B.getInt64(M.getDataLayout().getTypeStoreSize(T).getFixedValue());
  }

  /// The runtime puts together what lies in two pages, at multiples of this.
  static Align alignment(Align Stated) { return std::min(Stated, Align(64)); }

  void lowerLoad(LoadInst &Load) {
    IRBuilder<> B(&Load);
    Value *At =
        inMemory(B, Load.getPointerOperand(), sizeOf(B, Load.getType()));
    LoadInst *Near = B.CreateAlignedLoad(
        Load.getType(), At, alignment(Load.getAlign()), Load.isVolatile());
    // What is said of far memory, as that it never changes, does not hold for
    // the place where it is in memory now.
    Near->copyMetadata(Load, {LLVMContext::MD_range, LLVMContext::MD_nonnull,
                              LLVMContext::MD_noundef});
    Near->takeName(&Load);
    Load.replaceAllUsesWith(Near);
    Load.eraseFromParent();
  }

  void lowerStore(StoreInst &Store) {
    Value *Stored = Store.getValueOperand();
    IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Room =
        Entry.CreateAlloca(Stored->getType(), nullptr, "far.value");
    IRBuilder<> B(&Store);
    B.CreateStore(Stored, Room);
    store(B, Store.getPointerOperand(), Room, sizeOf(B, Stored->getType()));
    Store.eraseFromParent();
  }

  void lowerCopy(MemTransferInst &Copy) {
    IRBuilder<> B(&Copy);
    Value *Bytes = B.CreateZExtOrTrunc(Copy.getLength(), I64);
    Value *From = Copy.getRawSource(), *To = Copy.getRawDest();
    if (isFar(From) && isFar(To))
      B.CreateCall(runtimeFunction("heddle_far_move", Void, {I64, I64, I64}),
                   {number(B, To), number(B, From), Bytes});
    else if (isFar(To))
      store(B, To, From, Bytes);
    else
      B.CreateCall(
          runtimeFunction("heddle_far_read", Void, {Pointer, I64, I64}),
          {To, number(B, From), Bytes});
    Copy.eraseFromParent();
  }

  void lowerFill(MemSetInst &Fill) {
    IRBuilder<> B(&Fill);
    B.CreateCall(
        runtimeFunction("heddle_far_fill", Void, {I64, B.getInt8Ty(), I64}),
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
  return Lowering(F).run() ? PreservedAnalyses::none()
                           : PreservedAnalyses::all();
}

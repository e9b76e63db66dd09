//===- ContextMemory.cpp - Memory for the contexts of tasks ---------------===//

#include "async/schedules/ContextMemory.h"
#include "ir/SharedDefinition.h"
#include "tuner/contexts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

//===- The functions that get memory and give it back ---------------------===//

/// A function of the runtime, which may be missing.
static Function *runtimeFunction(Module &M, StringRef Name, FunctionType *T) {
  auto *F = cast<Function>(M.getOrInsertFunction(Name, T).getCallee());
  if (F->isDeclaration()) {
    F->setLinkage(GlobalValue::ExternalWeakLinkage);
    F->setDoesNotThrow();
  }
  return F;
}

/// Creates a function that each module has and the linker keeps once. It begins
/// by passing its arguments on to \p Runtime, if that exists; \p Own is where
/// it goes on otherwise.
static Function *createShared(Module &M, StringRef Name, Function *Runtime,
                              BasicBlock *&Own) {
  Function *F = Function::Create(Runtime->getFunctionType(),
                                 GlobalValue::LinkOnceODRLinkage, Name, M);
  shareDefinition(*F);
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::NoInline);
  F->setUWTableKind(M.getUwtable());
  LLVMContext &C = M.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  auto *Library = BasicBlock::Create(C, "library", F);
  Own = BasicBlock::Create(C, "own", F);
  B.CreateCondBr(B.CreateIsNull(Runtime), Own, Library);
  B.SetInsertPoint(Library);
  CallInst *Result = B.CreateCall(
      Runtime,
      map_to_vector(F->args(), [](Argument &A) -> Value * { return &A; }));
  if (F->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
  return F;
}

/// The number of loops of this thread that have memory.
static GlobalVariable *depth(Module &M) {
  constexpr StringLiteral Name("heddle.contexts.depth");
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Type *I32 = Type::getInt32Ty(M.getContext());
  auto *Depth = new GlobalVariable(
      M, I32, false, GlobalValue::LinkOnceODRLinkage, ConstantInt::get(I32, 0),
      Name, nullptr, GlobalValue::GeneralDynamicTLSModel);
  shareDefinition(*Depth);
  return Depth;
}

/// void *begin(uint64_t bytes, uint64_t alignment): the memory, or null. The
/// pointer to give back to malloc is in front of it.
static Function *beginFunction(Module &M) {
  constexpr StringLiteral Name("heddle.contexts.begin");
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C), *I64 = Type::getInt64Ty(C);
  auto *Pointer = PointerType::get(C, 0);
  BasicBlock *Own;
  Function *F = createShared(
      M, Name,
      runtimeFunction(M, "heddle_contexts_begin",
                      FunctionType::get(Pointer, {I64, I64}, false)),
      Own);
  F->addRetAttr(Attribute::NoAlias);
  auto *Fits = BasicBlock::Create(C, "fits", F);
  auto *Got = BasicBlock::Create(C, "got", F);
  auto *None = BasicBlock::Create(C, "none", F);
  IRBuilder<> B(Own);
  Value *Depth = B.CreateThreadLocalAddress(depth(M));
  Value *Before = B.CreateLoad(I32, Depth);
  B.CreateCondBr(B.CreateICmpULT(Before, B.getInt32(HEDDLE_CONTEXT_DEPTH)),
                 Fits, None);

  B.SetInsertPoint(Fits);
  const DataLayout &DL = M.getDataLayout();
  const unsigned Front = DL.getPointerSize();
  Type *SizeType = DL.getIntPtrType(C);
  Value *Bytes = F->getArg(0), *Alignment = F->getArg(1);
  Value *Slack = B.CreateAdd(Alignment, B.getInt64(Front - 1));
  Value *Raw =
      B.CreateCall(M.getOrInsertFunction(
                       "malloc", FunctionType::get(Pointer, SizeType, false)),
                   B.CreateTrunc(B.CreateAdd(Bytes, Slack), SizeType));
  B.CreateCondBr(B.CreateIsNull(Raw), None, Got);

  B.SetInsertPoint(Got);
  B.CreateStore(B.CreateAdd(Before, B.getInt32(1)), Depth);
  Value *Mask = B.CreateTrunc(B.CreateNeg(Alignment), SizeType);
  Value *Memory = B.CreateIntrinsic(
      Intrinsic::ptrmask, {Pointer, SizeType},
      {B.CreatePtrAdd(Raw, B.CreateTrunc(Slack, SizeType)), Mask});
  B.CreateStore(Raw, B.CreatePtrAdd(Memory, ConstantInt::getSigned(
                                                SizeType, -int64_t(Front))));
  B.CreateRet(Memory);
  B.SetInsertPoint(None);
  B.CreateRet(ConstantPointerNull::get(Pointer));
  return F;
}

/// void end(void *memory): gives it back.
static Function *endFunction(Module &M) {
  constexpr StringLiteral Name("heddle.contexts.end");
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  auto *Pointer = PointerType::get(C, 0);
  Type *Void = Type::getVoidTy(C);
  BasicBlock *Own;
  Function *F =
      createShared(M, Name,
                   runtimeFunction(M, "heddle_contexts_end",
                                   FunctionType::get(Void, Pointer, false)),
                   Own);
  IRBuilder<> B(Own);
  Value *Depth = B.CreateThreadLocalAddress(depth(M));
  B.CreateStore(B.CreateSub(B.CreateLoad(B.getInt32Ty(), Depth), B.getInt32(1)),
                Depth);
  const DataLayout &DL = M.getDataLayout();
  Value *Raw = B.CreateLoad(
      Pointer,
      B.CreatePtrAdd(F->getArg(0),
                     ConstantInt::getSigned(DL.getIntPtrType(C),
                                            -int64_t(DL.getPointerSize()))));
  B.CreateCall(
      M.getOrInsertFunction("free", FunctionType::get(Void, Pointer, false)),
      Raw);
  B.CreateRetVoid();
  return F;
}

//===- What the arrays lose in one block of memory ------------------------===//

namespace {

/// Tells later passes what they knew while each array was a variable of the
/// function: that they do not overlap, and that other pointers do not lead to
/// those whose addresses stay in the function.
class ArrayScopes {
  LLVMContext &C;
  SmallMapVector<const Value *, MDNode *, 16> ScopeOf;
  SmallPtrSet<const Value *, 16> Captured;

public:
  explicit ArrayScopes(ArrayRef<AllocaInst *> Arrays)
      : C(Arrays.front()->getContext()) {
    MDBuilder Builder(C);
    MDNode *Domain = Builder.createAnonymousAliasScopeDomain("heddle.contexts");
    for (AllocaInst *Array : Arrays) {
      ScopeOf[Array] =
          Builder.createAnonymousAliasScope(Domain, Array->getName());
      if (PointerMayBeCaptured(Array, /*ReturnCaptures=*/true))
        Captured.insert(Array);
    }
  }

  void annotate(BasicBlock &Block) const {
    for (Instruction &I : Block)
      if (I.mayReadOrWriteMemory() && !I.isLifetimeStartOrEnd())
        annotate(I);
  }

private:
  void annotate(Instruction &I) const {
    SmallPtrSet<const Value *, 4> Objects;
    for (const Value *Pointer : pointersOf(I)) {
      SmallVector<const Value *, 4> Roots;
      getUnderlyingObjects(Pointer, Roots, /*LI=*/nullptr, /*MaxLookup=*/0);
      Objects.insert_range(Roots);
    }
    SmallVector<Metadata *> Own, Others;
    // A callee may access other memory than its arguments point to.
    auto *Call = dyn_cast<CallBase>(&I);
    bool IsInArrays =
        !Objects.empty() && (!Call || Call->onlyAccessesArgMemory());
    for (const Value *Object : Objects)
      if (MDNode *Scope = ScopeOf.lookup(Object))
        Own.push_back(Scope);
      else
        IsInArrays = false;
    for (auto &[Array, Scope] : ScopeOf)
      if (!Objects.contains(Array) && (IsInArrays || !Captured.contains(Array)))
        Others.push_back(Scope);
    if (IsInArrays)
      add(I, LLVMContext::MD_alias_scope, Own);
    add(I, LLVMContext::MD_noalias, Others);
  }

  /// The pointers through which \p I accesses memory, and those that it hands
  /// on.
  static SmallVector<const Value *, 2> pointersOf(const Instruction &I) {
    SmallVector<const Value *, 2> Pointers;
    for (const Value *Operand : I.operand_values())
      if (Operand->getType()->isPointerTy() && !isa<Function>(Operand))
        Pointers.push_back(Operand);
    return Pointers;
  }

  void add(Instruction &I, unsigned Kind, ArrayRef<Metadata *> Scopes) const {
    if (!Scopes.empty())
      I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind),
                                              MDNode::get(C, Scopes)));
  }
};

} // namespace

/// Returns the blocks that control reaches from \p Begin without passing
/// \p End.
static SmallSetVector<BasicBlock *, 32>
blocksBetween(ArrayRef<BasicBlock *> Begin, const BasicBlock &End) {
  SmallSetVector<BasicBlock *, 32> Blocks(Begin.begin(), Begin.end());
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (BasicBlock *Next : successors(Blocks[I]))
      if (Next != &End)
        Blocks.insert(Next);
  return Blocks;
}

Value *heddle::moveToContextMemory(ArrayRef<AllocaInst *> Arrays,
                                   BasicBlock &Before,
                                   ArrayRef<BasicBlock *> Begin,
                                   BasicBlock &End) {
  assert(!Arrays.empty() && "no memory to get");
  Module &M = *Before.getModule();
  const DataLayout &DL = M.getDataLayout();
  const ArrayScopes Scopes(Arrays);
  for (BasicBlock *Block : blocksBetween(Begin, End))
    Scopes.annotate(*Block);

  uint64_t Bytes = 0;
  Align Most(1);
  SmallVector<uint64_t> Offsets;
  for (const AllocaInst *Array : Arrays) {
    Offsets.push_back(alignTo(Bytes, Array->getAlign()));
    Bytes = Offsets.back() + Array->getAllocationSize(DL)->getFixedValue();
    Most = std::max(Most, Array->getAlign());
  }
  IRBuilder<> B(&Before);
  CallInst *Memory = B.CreateCall(beginFunction(M),
                                  {B.getInt64(Bytes), B.getInt64(Most.value())},
                                  "heddle.contexts");
  Memory->addRetAttr(Attribute::NoAlias);
  Memory->addRetAttr(Attribute::getWithAlignment(M.getContext(), Most));
  Memory->addRetAttr(
      Attribute::getWithDereferenceableOrNullBytes(M.getContext(), Bytes));
  for (auto [Array, Offset] : zip(Arrays, Offsets)) {
    Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Memory, Offset);
    Place->takeName(Array);
    Array->replaceAllUsesWith(Place);
    Array->eraseFromParent();
  }
  B.SetInsertPoint(End.getFirstInsertionPt());
  B.CreateCall(endFunction(M), Memory);
  return Memory;
}

/// True if \p Pointer may lead to a variable that only this file knows.
static bool mayLeadToVariable(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [](const Value *Object) {
    auto *Variable = dyn_cast<GlobalVariable>(Object);
    return Variable && Variable->hasLocalLinkage() && !Variable->isConstant();
  });
}

void heddle::hidePointers(Value &Memory) {
  SmallVector<LoadInst *> Reads;
  bool MayLead = false;
  SmallVector<Value *> Addresses{&Memory};
  SmallPtrSet<Value *, 32> Seen;
  while (!Addresses.empty())
    for (User *U : Addresses.pop_back_val()->users()) {
      if (isa<GetElementPtrInst, PHINode, SelectInst>(U)) {
        if (Seen.insert(U).second)
          Addresses.push_back(U);
      } else if (auto *Load = dyn_cast<LoadInst>(U)) {
        if (Load->getType()->isPointerTy())
          Reads.push_back(Load);
      } else if (auto *Store = dyn_cast<StoreInst>(U)) {
        const Value *Saved = Store->getValueOperand();
        MayLead |= Saved->getType()->isPointerTy() && mayLeadToVariable(Saved);
      }
    }
  if (!MayLead)
    return;
  for (LoadInst *Load : Reads) {
    IRBuilder<> B(Load);
    LoadInst *Number = B.CreateAlignedLoad(
        Load->getDataLayout().getIntPtrType(Load->getType()),
        Load->getPointerOperand(), Load->getAlign());
    Number->copyMetadata(*Load, {LLVMContext::MD_alias_scope,
                                 LLVMContext::MD_noalias, LLVMContext::MD_dbg});
    Value *Pointer = B.CreateIntToPtr(Number, Load->getType());
    Pointer->takeName(Load);
    Load->replaceAllUsesWith(Pointer);
    Load->eraseFromParent();
  }
}

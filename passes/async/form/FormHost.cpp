//===- FormHost.cpp - A loop that calls a function ------------------------===//

#include "async/form/FormHost.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "mark/Marks.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

/// Names of arrays that nobody defines: the host is never run.
static constexpr char ArrayPrefix[] = "__heddle_form_array";

static Value *element(IRBuilder<> &B, Module &M, Type *T, Value *At,
                      const Twine &Name) {
  Constant *Array = M.getOrInsertGlobal((ArrayPrefix + Name).str(), T);
  return B.CreateGEP(T, Array, At);
}

static MDNode *number(LLVMContext &Context, unsigned N) {
  return MDNode::get(Context, ConstantAsMetadata::get(ConstantInt::get(
                                  Type::getInt32Ty(Context), N)));
}

/// Stores \p V, a part of the result at \p Offset, number by number.
static void storeParts(IRBuilder<> &B, Value *V, uint64_t Offset,
                       Value *Iteration) {
  Module &M = *B.GetInsertBlock()->getModule();
  if (auto *Structure = dyn_cast<StructType>(V->getType())) {
    const StructLayout *Layout = M.getDataLayout().getStructLayout(Structure);
    for (unsigned N = 0; N < Structure->getNumElements(); ++N)
      storeParts(B, B.CreateExtractValue(V, N),
                 Offset + Layout->getElementOffset(N), Iteration);
    return;
  }
  StoreInst *Stored = B.CreateStore(
      V, element(B, M, V->getType(), Iteration, ".result" + Twine(Offset)));
  Stored->setMetadata(FormResultMetadata, number(B.getContext(), Offset));
}

static Function *declareHost(Function &F) {
  Module &M = *F.getParent();
  LLVMContext &Context = M.getContext();
  auto *Pointer = PointerType::get(Context, 0);
  SmallVector<Type *> Types = {Pointer, Type::getInt64Ty(Context)};
  append_range(Types, F.getFunctionType()->params());
  auto *Host = Function::Create(
      FunctionType::get(Pointer, Types, /*isVarArg=*/false),
      GlobalValue::InternalLinkage, F.getName() + ".heddle.host", M);
  AttrBuilder Attributes(Context, F.getAttributes().getFnAttrs());
  Attributes.removeAttribute(Attribute::Memory);
  Host->addFnAttrs(Attributes);
  Host->addParamAttr(HostFrame, Attribute::NoAlias);
  return Host;
}

Function *heddle::createFormHost(Function &F) {
  Module &M = *F.getParent();
  LLVMContext &Context = M.getContext();
  Function *Host = declareHost(F);
  auto *Entry = BasicBlock::Create(Context, "entry", Host);
  auto *Body = BasicBlock::Create(Context, "body", Host);
  auto *Exit = BasicBlock::Create(Context, "exit", Host);
  IRBuilder<> B(Entry);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *Iteration = B.CreatePHI(B.getInt64Ty(), 2, "iteration");
  B.CreateCall(M.getOrInsertFunction(
                   AsyncMarkerName,
                   FunctionType::get(B.getVoidTy(), {B.getInt32Ty()}, true)),
               {B.getInt32(0)});
  SmallVector<Value *> Arguments;
  for (Argument &A : F.args()) {
    LoadInst *Read = B.CreateLoad(
        A.getType(), element(B, M, A.getType(), Iteration, Twine(A.getArgNo())),
        A.getName());
    Read->setMetadata(FormArgumentMetadata, number(Context, A.getArgNo()));
    Arguments.push_back(Read);
  }
  CallInst *Call = B.CreateCall(&F, Arguments);
  storeParts(B, Call, 0, Iteration);
  Value *Next = B.CreateAdd(Iteration, B.getInt64(1), "", /*HasNUW=*/true);
  Iteration->addIncoming(B.getInt64(0), Entry);
  Iteration->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpULT(Next, Host->getArg(HostVarying)), Body, Exit);
  B.SetInsertPoint(Exit);
  B.CreateRet(ConstantPointerNull::get(B.getPtrTy()));
  InlineFunctionInfo Info;
  // A recursive function gets frames.
  if (isRecursive(F) || InlineFunction(*Call, Info).isSuccess())
    return Host;
  eraseFormHost(*Host);
  return nullptr;
}

void heddle::eraseFormHost(Function &Host) {
  Module &M = *Host.getParent();
  Host.eraseFromParent();
  for (GlobalVariable &Array : make_early_inc_range(M.globals()))
    if (Array.getName().starts_with(ArrayPrefix) && Array.use_empty())
      Array.eraseFromParent();
  if (Function *Marker = M.getFunction(AsyncMarkerName);
      Marker && Marker->use_empty())
    Marker->eraseFromParent();
}

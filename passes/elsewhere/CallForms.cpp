//===- CallForms.cpp - Calls of nested forms ------------------------------===//

#include "elsewhere/CallForms.h"
#include "elsewhere/FormProtocol.h"
#include "inline/WaitingAccesses.h"
#include "ir/FormSteps.h"
#include "ir/Registers.h"
#include "link/LinkTime.h"
#include "mark/Marks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

bool heddle::mayCallForm(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isElsewhere(Call, TLI) && hasTypeOfForm(*Callee) &&
         !Call.use_empty() &&
         Callee->getFunctionType() == Call.getFunctionType() &&
         Call.getCallingConv() == CallingConv::C && !Call.isMustTailCall() &&
         !Call.hasOperandBundles() && !Call.isConvergent() &&
         !mustNotBeCopied(Call) && !Call.hasMetadata(OverflowMetadata) &&
         !Callee->hasExternalWeakLinkage();
}

uint64_t heddle::varyingArguments(const CallBase &Call, const Loop &L) {
  uint64_t Varying = 0;
  for (auto [N, Argument] : enumerate(Call.args()))
    if (foresight(Argument, L) != Foresight::Same)
      Varying |= uint64_t(1) << N;
  return Varying;
}

AllocaInst *heddle::createFormFrame(Function &F) {
  AllocaInst *Frame = createVariable(
      F, ArrayType::get(Type::getInt8Ty(F.getContext()), form::Bytes),
      "form.frame");
  Frame->setAlignment(Align(form::Alignment));
  return Frame;
}

/// Declares a marker with \p Effects.
static FunctionCallee declare(Module &M, StringRef Name, FunctionType *T,
                              MemoryEffects Effects) {
  FunctionCallee Marker = M.getOrInsertFunction(Name, T);
  auto *F = cast<Function>(Marker.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setNoSync();
  F->setDoesNotFreeMemory();
  F->setMemoryEffects(Effects);
  return Marker;
}

/// Reads any memory, and writes what it is handed.
static MemoryEffects effectsOfStep() {
  return MemoryEffects::readOnly() |
         MemoryEffects::argMemOnly(ModRefInfo::ModRef);
}

/// The constant that describes the form of \p Callee, if there is one.
static GlobalVariable &formOf(const Function &Callee, Module &M) {
  const std::string Name = formName(Callee);
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return *Known;
  return *new GlobalVariable(M, formType(M.getContext()), /*isConstant=*/true,
                             GlobalValue::ExternalWeakLinkage, nullptr, Name);
}

Value *heddle::findForm(IRBuilderBase &B, Function &Callee) {
  Module &M = *Callee.getParent();
  Type *Pointer = B.getPtrTy();
  return B.CreateCall(declare(M, FindFormName,
                              FunctionType::get(Pointer, {Pointer, Pointer},
                                                /*isVarArg=*/false),
                              MemoryEffects::none()),
                      {&formOf(Callee, M), &Callee}, "form");
}

/// The first step, in front of \p Call, whose arguments it has.
static CallInst *start(CallInst &Call, Value &Found, uint64_t Varies,
                       AllocaInst &InFrame) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Type *Pointer = B.getPtrTy();
  SmallVector<Value *> Operands = {&Found, &InFrame, B.getInt64(Varies)};
  append_range(Operands, Call.args());
  CallInst *Started = B.CreateCall(
      declare(M, StartFormName,
              FunctionType::get(Pointer, {Pointer, Pointer, B.getInt64Ty()},
                                /*isVarArg=*/true),
              effectsOfStep()),
      Operands, "form.waits");
  Started->addParamAttr(StartForm, Attribute::ReadNone);
  Started->addParamAttr(StartFrame, Attribute::getWithCaptureInfo(
                                        M.getContext(), CaptureInfo::none()));
  for (unsigned N = 0; N < Call.arg_size(); ++N) {
    if (Call.getArgOperand(N)->getType()->isPointerTy())
      Started->addParamAttr(FirstStartArgument + N, Attribute::ReadOnly);
    for (Attribute::AttrKind Kind : {Attribute::ZExt, Attribute::SExt})
      if (Call.paramHasAttr(N, Kind))
        Started->addParamAttr(FirstStartArgument + N, Kind);
  }
  return Started;
}

void heddle::callForm(CallInst &Call, Value &Found, uint64_t Varies,
                      AllocaInst &InFrame) {
  Module &M = *Call.getModule();
  LLVMContext &Context = M.getContext();
  CallInst *Started = start(Call, Found, Varies, InFrame);
  BasicBlock *Before = Call.getParent();
  BasicBlock *Behind = Before->splitBasicBlock(&Call, "form.behind");
  auto *Wait =
      BasicBlock::Create(Context, "form.wait", Before->getParent(), Behind);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  B.CreateCondBr(B.CreateIsNull(Started), Behind, Wait);
  B.SetInsertPoint(Wait);
  Type *Pointer = B.getPtrTy();
  PHINode *Address = B.CreatePHI(Pointer, 2, "form.address");
  LoadInst *Waited = B.CreateAlignedLoad(B.getInt8Ty(), Address, Align(1));
  Waited->setMetadata(RemoteMetadata, MDNode::get(Context, {}));
  CallInst *Resumed = B.CreateCall(
      declare(M, ResumeFormName,
              FunctionType::get(Pointer, {Pointer, B.getInt8Ty()}, false),
              effectsOfStep()),
      {&InFrame, Waited}, "form.waits");
  Resumed->addParamAttr(
      0, Attribute::getWithCaptureInfo(Context, CaptureInfo::none()));
  Address->addIncoming(Started, Before);
  Address->addIncoming(Resumed, Wait);
  B.CreateCondBr(B.CreateIsNull(Resumed), Behind, Wait);
  B.SetInsertPoint(&Call);
  Value *At =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), &InFrame, form::ResultAt);
  Call.replaceAllUsesWith(
      B.CreateAlignedLoad(Call.getType(), At, Align(form::Alignment)));
  Call.eraseFromParent();
}

/// A description of no form.
static GlobalVariable &noForm(Module &M) {
  static constexpr char Name[] = "heddle.no.form";
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return *Known;
  StructType *T = formType(M.getContext());
  return *new GlobalVariable(M, T, /*isConstant=*/true,
                             GlobalValue::PrivateLinkage,
                             ConstantAggregateZero::get(T), Name);
}

static void lowerFind(CallInst &Find) {
  IRBuilder<> B(&Find);
  Constant *None = ConstantPointerNull::get(B.getPtrTy());
  Value *Found = None;
  if (any_of(Find.users(), [](const User *U) {
        auto *I = dyn_cast<Instruction>(U);
        return I && isStartOfForm(*I);
      })) {
    StructType *T = formType(Find.getContext());
    Value *Form = Find.getArgOperand(0);
    Value *There = B.CreateSelect(B.CreateIsNotNull(Form), Form,
                                  &noForm(*Find.getModule()));
    Value *Plain = B.CreateLoad(B.getPtrTy(), There);
    Value *Start = B.CreateLoad(B.getPtrTy(), B.CreateStructGEP(T, There, 1));
    Found = B.CreateSelect(B.CreateICmpEQ(Plain, Find.getArgOperand(1)), Start,
                           None);
  }
  Find.replaceAllUsesWith(Found);
  Find.eraseFromParent();
}

static void lowerStart(CallInst &Start) {
  IRBuilder<> B(&Start);
  SmallVector<Type *> Types;
  SmallVector<Value *> Operands;
  AttributeList Attributes;
  for (unsigned N = StartFrame; N < Start.arg_size(); ++N) {
    for (Attribute::AttrKind Kind : {Attribute::ZExt, Attribute::SExt})
      if (Start.paramHasAttr(N, Kind))
        Attributes = Attributes.addParamAttribute(Start.getContext(),
                                                  Operands.size(), Kind);
    Operands.push_back(Start.getArgOperand(N));
    Types.push_back(Operands.back()->getType());
  }
  CallInst *Call = B.CreateCall(FunctionType::get(B.getPtrTy(), Types, false),
                                Start.getArgOperand(StartForm), Operands);
  Call->setAttributes(Attributes);
  Call->setDoesNotThrow();
  Start.replaceAllUsesWith(Call);
  Start.eraseFromParent();
}

static void lowerResume(CallInst &Resume) {
  IRBuilder<> B(&Resume);
  Value *Frame = Resume.getArgOperand(0);
  CallInst *Call =
      B.CreateCall(FunctionType::get(B.getPtrTy(), {B.getPtrTy()}, false),
                   B.CreateLoad(B.getPtrTy(), Frame), {Frame});
  Call->setDoesNotThrow();
  auto *Waited = dyn_cast<LoadInst>(Resume.getArgOperand(1));
  Resume.replaceAllUsesWith(Call);
  Resume.eraseFromParent();
  // The callee reads what it waits for.
  if (Waited && Waited->use_empty())
    Waited->eraseFromParent();
}

void heddle::lowerForms(Function &F) {
  for (CallInst *Find :
       findCalls(F, [](StringRef Name) { return Name == FindFormName; }))
    lowerFind(*Find);
  for (CallInst *Start :
       findCalls(F, [](StringRef Name) { return Name == StartFormName; }))
    lowerStart(*Start);
  for (CallInst *Resume :
       findCalls(F, [](StringRef Name) { return Name == ResumeFormName; }))
    lowerResume(*Resume);
}

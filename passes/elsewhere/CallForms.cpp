//===- CallForms.cpp - Calls of nested forms ------------------------------===//

#include "elsewhere/CallForms.h"
#include "elsewhere/FormProtocol.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "link/LinkTime.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

/// True if the address of \p Callee may be taken. In a shared library, that
/// would bind a function when the library is loaded that is bound at its first
/// call otherwise, and may not be there before.
static bool mayTakeAddress(const Function &Callee) {
  const Module &M = *Callee.getParent();
  return M.getPICLevel() == PICLevel::NotPIC ||
         M.getPIELevel() != PIELevel::Default || Callee.isDSOLocal() ||
         Callee.hasFnAttribute(Attribute::NonLazyBind);
}

bool heddle::mayCallForm(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isElsewhere(Call, TLI) && hasTypeOfForm(*Callee) &&
         mayTakeAddress(*Callee) && !Call.use_empty() &&
         Callee->getFunctionType() == Call.getFunctionType() &&
         Call.getCallingConv() == CallingConv::C && !Call.isMustTailCall() &&
         !Call.hasOperandBundles() && !Call.isConvergent() &&
         !mustNotBeCopied(Call) && !Call.hasMetadata(OverflowMetadata) &&
         !Call.isStrictFP() && !Call.hasFnAttr(Attribute::ReturnsTwice) &&
         !Callee->hasExternalWeakLinkage() &&
         !Callee->hasDLLImportStorageClass();
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

/// The constant that describes the form of \p Callee, if there is one.
static GlobalVariable &formOf(const Function &Callee, Module &M) {
  const std::string Name = formName(Callee);
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return *Known;
  return *new GlobalVariable(M, formType(M.getContext()), /*isConstant=*/true,
                             GlobalValue::ExternalWeakLinkage, nullptr, Name);
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

Value *heddle::findForm(IRBuilderBase &B, Function &Callee) {
  Module &M = *Callee.getParent();
  StructType *T = formType(M.getContext());
  Constant *Form = &formOf(Callee, M);
  // The address of a function in a shared library comes from a table then, as
  // the description's does: it is the one that is described, not that of a
  // stub.
  if (M.getPICLevel() == PICLevel::NotPIC && Callee.hasDefaultVisibility())
    Callee.setDSOLocal(false);
  Value *There = B.CreateSelect(B.CreateIsNotNull(Form), Form, &noForm(M));
  Value *Plain = B.CreateLoad(B.getPtrTy(), There, "form.plain");
  Value *Start = B.CreateLoad(B.getPtrTy(), B.CreateStructGEP(T, There, 1));
  return B.CreateSelect(B.CreateICmpEQ(Plain, &Callee), Start,
                        ConstantPointerNull::get(B.getPtrTy()), "form");
}

/// Says of \p Step, whose first argument is the frame, that it reads any memory
/// and writes to the frame only.
static void describeStep(CallInst &Step, StringRef Kind, StringRef Name) {
  constexpr unsigned Frame = 0;
  LLVMContext &Context = Step.getContext();
  Step.setDoesNotThrow();
  Step.addFnAttr(Attribute::WillReturn);
  Step.addFnAttr(Attribute::NoSync);
  Step.addFnAttr(Attribute::NoFree);
  Step.addFnAttr(Attribute::get(Context, FormAttribute, Kind));
  Step.addFnAttr(Attribute::get(Context, FormOfAttribute, Name));
  Step.setMemoryEffects(MemoryEffects::readOnly().getWithModRef(
      IRMemLocation::ArgMem, ModRefInfo::ModRef));
  Step.addParamAttr(
      Frame, Attribute::getWithCaptureInfo(Context, CaptureInfo::none()));
}

CallInst &heddle::describePlain(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  CallInst &Plain = Invoke ? *changeToCall(Invoke) : cast<CallInst>(Call);
  Plain.setDoesNotThrow();
  Plain.addFnAttr(Attribute::WillReturn);
  Plain.addFnAttr(Attribute::NoSync);
  Plain.addFnAttr(Attribute::NoFree);
  Plain.setOnlyReadsMemory();
  return Plain;
}

/// The first step, in front of \p Call, whose arguments it has.
static CallInst *start(CallInst &Call, Value &Found, uint64_t Varies,
                       AllocaInst &InFrame, StringRef Name) {
  IRBuilder<> B(&Call);
  Type *Pointer = B.getPtrTy();
  SmallVector<Type *> Types = {Pointer, B.getInt64Ty()};
  append_range(Types, Call.getFunctionType()->params());
  SmallVector<Value *> Operands = {&InFrame, B.getInt64(Varies)};
  const unsigned First = Operands.size();
  append_range(Operands, Call.args());
  CallInst *Started = B.CreateCall(FunctionType::get(Pointer, Types, false),
                                   &Found, Operands, "form.waits");
  describeStep(*Started, StartOfForm, Name);
  // As the function is declared: that is what the name stands for.
  const AttributeList Declared = Call.getCalledFunction()->getAttributes();
  for (unsigned N = 0; N < Call.arg_size(); ++N) {
    if (Call.getArgOperand(N)->getType()->isPointerTy())
      Started->addParamAttr(First + N, Attribute::ReadOnly);
    for (Attribute::AttrKind Kind : {Attribute::ZExt, Attribute::SExt})
      if (Declared.hasParamAttr(N, Kind))
        Started->addParamAttr(First + N, Kind);
  }
  return Started;
}

/// Waits at the end of \p Wait for what \p Address points to, and goes on with
/// the function; returns what it waits for next.
static CallInst *waitFor(BasicBlock *Wait, Value *Address, AllocaInst &InFrame,
                         StringRef Name, const DebugLoc &Where) {
  IRBuilder<> B(Wait);
  B.SetCurrentDebugLocation(Where);
  Type *Pointer = B.getPtrTy();
  // What is read is handed on, lest the access were taken to be idle.
  LoadInst *Waited = B.CreateAlignedLoad(B.getInt8Ty(), Address, Align(1));
  Waited->setMetadata(RemoteMetadata, MDNode::get(Wait->getContext(), {}));
  Value *Resume = B.CreateLoad(Pointer, &InFrame, "form.resume");
  CallInst *Resumed =
      B.CreateCall(FunctionType::get(Pointer, {Pointer, B.getInt8Ty()}, false),
                   Resume, {&InFrame, Waited}, "form.waits");
  describeStep(*Resumed, "", Name);
  return Resumed;
}

/// Notes at accesses to what \p Result, or the merge of it and the plain
/// call's, points to at \p Offset, that nobody waits for them.
static void noteThere(Instruction &Result, int64_t Offset) {
  for (User *U : Result.users()) {
    auto *I = cast<Instruction>(U);
    if (getLoadStorePointerOperand(I) == &Result) {
      I->setMetadata(VisitedMetadata, MDNode::get(I->getContext(), {}));
    } else if (auto *Field = dyn_cast<GetElementPtrInst>(I)) {
      APInt Bytes(64, 0);
      if (Field->accumulateConstantOffset(I->getDataLayout(), Bytes) &&
          std::abs(Offset + Bytes.getSExtValue()) <= form::NearBytes)
        noteThere(*Field, Offset + Bytes.getSExtValue());
    } else if (isa<PHINode>(I) && isa<LoadInst>(Result)) {
      noteThere(*I, Offset);
    }
  }
}

void heddle::callForm(CallInst &Call, Value &Found, uint64_t Varies,
                      AllocaInst &InFrame) {
  LLVMContext &Context = Call.getContext();
  const DebugLoc Where = Call.getDebugLoc();
  const std::string Name = demangle(Call.getCalledFunction()->getName());
  CallInst *Started = start(Call, Found, Varies, InFrame, Name);
  BasicBlock *Before = Call.getParent();
  BasicBlock *Behind = Before->splitBasicBlock(&Call, "form.behind");
  Function *F = Before->getParent();
  // The first line is often known from the number of the iteration, so that it
  // is requested long before, and nobody waits for it. So it is no part of the
  // loop.
  auto *First = BasicBlock::Create(Context, "form.first", F, Behind);
  auto *Wait = BasicBlock::Create(Context, "form.wait", F, Behind);
  auto GoOn = [&](BasicBlock *From, CallInst *Waits, BasicBlock *To) {
    IRBuilder<> B(From);
    B.SetCurrentDebugLocation(Where);
    B.CreateCondBr(B.CreateIsNull(Waits), Behind, To);
  };
  Before->getTerminator()->eraseFromParent();
  GoOn(Before, Started, First);
  CallInst *Second = waitFor(First, Started, InFrame, Name, Where);
  GoOn(First, Second, Wait);
  PHINode *Address =
      IRBuilder<>(Wait).CreatePHI(Started->getType(), 2, "form.address");
  CallInst *Next = waitFor(Wait, Address, InFrame, Name, Where);
  Address->addIncoming(Second, First);
  Address->addIncoming(Next, Wait);
  GoOn(Wait, Next, Wait);
  IRBuilder<> B(&Call);
  Value *At =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), &InFrame, form::ResultAt);
  LoadInst *Result =
      B.CreateAlignedLoad(Call.getType(), At, Align(form::Alignment));
  Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  noteThere(*Result, 0);
}

bool heddle::dropUnusedForms(Function &F) {
  SmallVector<BranchInst *, 2> Choices;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isStepOfForm(*Call))
      return false;
    if (auto *Branch = dyn_cast<BranchInst>(&I);
        Branch && Branch->isConditional() &&
        Branch->hasMetadata(FormChoiceMetadata))
      Choices.push_back(Branch);
  }
  for (BranchInst *Choice : Choices) {
    Choice->setCondition(ConstantInt::getFalse(F.getContext()));
    ConstantFoldTerminator(Choice->getParent(),
                           /*DeleteDeadConditions=*/true);
  }
  return !Choices.empty() && removeUnreachableBlocks(F);
}

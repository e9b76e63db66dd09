//===- SplitForm.cpp - A function cut at its suspensions ------------------===//

#include "elsewhere/SplitForm.h"
#include "elsewhere/FormProtocol.h"
#include "ir/Registers.h"
#include "loop/Liveness.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

/// The parameters of the start, and of the copy that is cut.
enum StepParameter : unsigned { StepFrame, StepVarying, FirstStepArgument };

namespace {

/// A suspension in the copy: the block that suspends, and the one that goes on.
struct Suspension {
  BasicBlock *Suspend, *Resume;
  Value *Address;
  SmallVector<Instruction *> Live;
};

/// Turns a copy of the function into code that begins at the number in its
/// frame.
class Splitter {
  Function &Step;
  ValueToValueMapTy &Copies;
  const DataLayout &DL;
  Argument *Frame;
  BasicBlock *Dispatch = nullptr;
  SwitchInst *Switch = nullptr;
  uint64_t FrameBytes = form::KeptAt;
  SmallVector<Suspension> Suspensions;
  /// Stand for the arguments, which are kept like other values.
  SmallVector<FreezeInst *> Arguments;
  /// What is kept: its register, and its place in the frame.
  MapVector<Instruction *, std::pair<AllocaInst *, uint64_t>> Kept;

public:
  Splitter(Function &Step, ValueToValueMapTy &Copies)
      : Step(Step), Copies(Copies), DL(Step.getDataLayout()),
        Frame(Step.getArg(StepFrame)) {}

  /// False if that is not possible.
  bool run(ArrayRef<FormCut> Cuts) {
    createDispatch();
    for (const FormCut &Cut : Cuts)
      cut(Cut);
    returnByFrame();
    findKept();
    if (FrameBytes > form::Bytes)
      return false;
    keep();
    return true;
  }

private:
  uint64_t place(Type *T) {
    FrameBytes = alignTo(FrameBytes, DL.getABITypeAlign(T));
    const uint64_t Place = FrameBytes;
    FrameBytes += DL.getTypeAllocSize(T);
    return Place;
  }

  Value *inFrame(IRBuilder<> &B, uint64_t At) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Frame, At);
  }

  void returnByFrame() {
    for (BasicBlock &Block : Step)
      if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
        IRBuilder<> B(Return);
        B.CreateAlignedStore(Return->getReturnValue(),
                             inFrame(B, form::ResultAt),
                             Align(form::Alignment));
        B.CreateRet(ConstantPointerNull::get(B.getPtrTy()));
        Return->eraseFromParent();
      }
  }

  void createDispatch() {
    LLVMContext &Context = Step.getContext();
    BasicBlock *Start = &Step.getEntryBlock();
    Dispatch = BasicBlock::Create(Context, "dispatch", &Step, Start);
    auto *Never = BasicBlock::Create(Context, "never", &Step);
    new UnreachableInst(Context, Never);
    IRBuilder<> B(Dispatch);
    Switch = B.CreateSwitch(
        B.CreateLoad(B.getInt32Ty(), inFrame(B, form::NumberAt), "number"),
        Never);
    Switch->addCase(B.getInt32(0), Start);
    B.SetInsertPoint(Start, Start->getFirstInsertionPt());
    for (Argument &A : drop_begin(Step.args(), StepVarying)) {
      auto *Copy = cast<FreezeInst>(B.CreateFreeze(&A));
      A.replaceUsesWithIf(Copy, [&](Use &U) { return U.getUser() != Copy; });
      Arguments.push_back(Copy);
    }
  }

  /// What stands for \p V of the function.
  Value *copyOf(Value *V) {
    if (auto *A = dyn_cast<Argument>(V))
      return Arguments[A->getArgNo() + FirstStepArgument - StepVarying];
    if (!isa<Instruction>(V))
      return V;
    return Copies.lookup(V);
  }

  /// Computes the address of \p R at \p B.
  Value *addressOf(IRBuilder<> &B, const FormRequest &R) {
    Value *Address = nullptr;
    DenseMap<Value *, Value *> First;
    auto AtFirst = [&](Value *V) {
      auto *Phi = dyn_cast<PHINode>(V);
      if (Phi && R.InFrontOf && Phi->getParent() == R.InFrontOf->getHeader())
        return copyOf(
            Phi->getIncomingValueForBlock(R.InFrontOf->getLoopPredecessor()));
      Value *Known = First.lookup(V);
      return Known ? Known : copyOf(V);
    };
    for (Instruction *I : R.Slice) {
      Instruction *Copy = I->clone();
      for (Use &U : Copy->operands())
        U.set(AtFirst(U.get()));
      Copy->dropPoisonGeneratingFlags();
      Copy->dropUBImplyingAttrsAndMetadata();
      B.Insert(Copy, I->getName());
      First[I] = Copy;
    }
    Address = AtFirst(R.Address);
    return R.Offset ? B.CreatePtrAdd(Address, B.getInt64(R.Offset)) : Address;
  }

  /// The condition that what \p Cut requests may not be there: that an argument
  /// which it is found by varies. An object that all tasks are handed is there,
  /// also where a walk begins with it.
  Value *mayWait(IRBuilder<> &B, const FormCut &Cut) {
    if (Cut.IsResult)
      return B.CreateAnd(mayDiffer(B, Cut),
                         B.CreateIsNotNull(copyOf(Cut.Object)));
    return mayDiffer(B, Cut);
  }

  Value *mayDiffer(IRBuilder<> &B, const FormCut &Cut) {
    // Something varies: there would be no form otherwise.
    const uint64_t All = (uint64_t(1) << (Arguments.size() - 1)) - 1;
    if (Cut.Arguments == All)
      return B.getTrue();
    Value *Waits = B.CreateIsNotNull(
        B.CreateAnd(Arguments.front(), B.getInt64(Cut.Arguments)));
    if (!Cut.Walk)
      return Waits;
    return B.CreateOr(Waits,
                      B.CreateICmpNE(copyOf(Cut.Walk), copyOf(Cut.Begin)));
  }

  void cut(const FormCut &Cut) {
    LLVMContext &Context = Step.getContext();
    auto *At = cast<Instruction>(copyOf(Cut.Before));
    BasicBlock *Before = At->getParent();
    BasicBlock *Behind = Before->splitBasicBlock(At, "go");
    auto *Suspend = BasicBlock::Create(Context, "suspend", &Step, Behind);
    auto *Resume = BasicBlock::Create(Context, "resume", &Step, Behind);
    BranchInst::Create(Behind, Resume);
    Before->getTerminator()->eraseFromParent();
    IRBuilder<> B(Before);
    B.CreateCondBr(mayWait(B, Cut), Suspend, Behind);
    BranchInst::Create(Resume, Suspend);
    B.SetInsertPoint(Suspend->getTerminator());
    Value *First = nullptr;
    for (const FormRequest &R : Cut.Requests) {
      Value *Address = addressOf(B, R);
      // The caller requests the first, which it reads.
      if (!First && Cut.IsRead) {
        First = Address;
        continue;
      }
      B.CreateIntrinsic(Intrinsic::prefetch, {Address->getType()},
                        {Address, B.getInt32(0), B.getInt32(3), B.getInt32(1)});
    }
    Suspensions.push_back({Suspend, Resume, First ? First : Frame, {}});
    Switch->addCase(B.getInt32(Suspensions.size()), Resume);
  }

  void findKept() {
    // The dispatch is no way from the start to where tasks resume.
    SmallVector<BasicBlock *> Blocks;
    for (BasicBlock &Block : Step)
      if (&Block != Dispatch)
        Blocks.push_back(&Block);
    Liveness Live(Blocks);
    for (Suspension &S : Suspensions)
      for (Instruction *I : Live.into(S.Resume)) {
        S.Live.push_back(I);
        if (Kept.contains(I))
          continue;
        if (isPlainNumber(*I->getType()))
          Kept[I].second = place(I->getType());
        else
          FrameBytes = form::Bytes + 1;
      }
  }

  /// Keeps what is live across suspensions in the frame.
  void keep() {
    DominatorTree DT(Step);
    LoopInfo LI(DT);
    SmallPtrSet<Instruction *, 16> AtOnce;
    for (auto &[I, Home] : Kept) {
      Home.first = createVariable(Step, I->getType(), I->getName() + ".var");
      useVariable(*I, *Home.first);
      BasicBlock::iterator Behind = isa<PHINode>(I)
                                        ? I->getParent()->getFirstInsertionPt()
                                        : std::next(I->getIterator());
      IRBuilder<> B(I->getParent(), Behind);
      B.CreateStore(I, Home.first);
      if (LI.getLoopFor(I->getParent()))
        continue;
      B.CreateStore(I, inFrame(B, Home.second));
      AtOnce.insert(I);
    }
    for (auto [Number, S] : enumerate(Suspensions)) {
      IRBuilder<> B(S.Suspend->getTerminator());
      for (Instruction *I : S.Live)
        if (!AtOnce.contains(I))
          B.CreateStore(load(B, Kept[I].first), inFrame(B, Kept[I].second));
      if (Suspensions.size() > 1)
        B.CreateStore(B.getInt32(Number + 1), inFrame(B, form::NumberAt));
      // It may have been kept over an earlier suspension itself.
      auto *Address = dyn_cast<Instruction>(S.Address);
      B.CreateRet(Address && Kept.contains(Address)
                      ? load(B, Kept[Address].first)
                      : S.Address);
      S.Suspend->getTerminator()->eraseFromParent();
      B.SetInsertPoint(S.Resume->getTerminator());
      for (Instruction *I : S.Live)
        B.CreateStore(B.CreateLoad(I->getType(), inFrame(B, Kept[I].second)),
                      Kept[I].first);
    }
    SmallVector<AllocaInst *> Registers;
    for (auto &[I, Home] : Kept)
      Registers.push_back(Home.first);
    promoteRegisters(Step, Registers);
    for (FreezeInst *Copy : Arguments) {
      Copy->replaceAllUsesWith(Copy->getOperand(0));
      Copy->eraseFromParent();
    }
  }

  /// Lets uses of \p I read \p Variable.
  static void useVariable(Instruction &I, AllocaInst &Variable) {
    SmallVector<Use *> Uses;
    for (Use &U : I.uses())
      Uses.push_back(&U);
    DenseMap<std::pair<PHINode *, BasicBlock *>, Value *> OnEdges;
    for (Use *U : Uses) {
      auto *User = cast<Instruction>(U->getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      IRBuilder<> B(Phi ? Phi->getIncomingBlock(*U)->getTerminator() : User);
      Value *&OnEdge =
          OnEdges[{Phi, Phi ? Phi->getIncomingBlock(*U) : nullptr}];
      if (!Phi || !OnEdge)
        OnEdge = load(B, &Variable);
      U->set(OnEdge);
    }
  }
};

} // namespace

/// A copy of \p F as a function of type \p T; \p Map knows its parameters.
static Function *
copyAs(FunctionType *T, const Twine &Name, Function &F,
       ValueToValueMapTy &Values,
       function_ref<void(Function &, ValueToValueMapTy &)> Map) {
  auto *Copy =
      Function::Create(T, GlobalValue::InternalLinkage, Name, F.getParent());
  Map(*Copy, Values);
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(Copy, &F, Values, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  // Only this file knows the copy, whoever knows the function.
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  // What is known of the function does not hold of its steps: they write to the
  // frame, and return something else.
  AttrBuilder Attributes(F.getContext(), F.getAttributes().getFnAttrs());
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::Speculatable, Attribute::AllocKind,
        Attribute::AllocSize, Attribute::AlwaysInline, Attribute::InlineHint})
    Attributes.removeAttribute(Kind);
  Attributes.addAttribute(Attribute::NoUnwind);
  Copy->setAttributes(
      AttributeList().addFnAttributes(F.getContext(), Attributes));
  Copy->addParamAttr(StepFrame, Attribute::NoAlias);
  return Copy;
}

/// Leaves one way out of the dispatch of \p F.
static void alwaysGoTo(Function &F, unsigned Number) {
  auto *Switch = cast<SwitchInst>(F.getEntryBlock().getTerminator());
  auto *Read = cast<Instruction>(Switch->getCondition());
  Switch->setCondition(
      ConstantInt::get(cast<IntegerType>(Read->getType()), Number));
  Read->eraseFromParent();
  ConstantFoldTerminator(&F.getEntryBlock());
}

/// The function that goes on, of \p Step, which has \p Cuts.
static Function *makeResume(Function &F, Function &Step, unsigned Cuts) {
  LLVMContext &Context = F.getContext();
  auto *Pointer = PointerType::get(Context, 0);
  ValueToValueMapTy Values;
  Function *Resume = copyAs(
      // The second parameter is what has been waited for, which it does not
      // need.
      FunctionType::get(Pointer, {Pointer, Type::getInt8Ty(Context)}, false),
      F.getName() + ".resume", Step, Values,
      [&](Function &New, ValueToValueMapTy &Map) {
        Map[Step.getArg(StepFrame)] = New.getArg(StepFrame);
        for (Argument &A : drop_begin(Step.args(), StepVarying))
          Map[&A] = PoisonValue::get(A.getType());
      });
  auto *Switch = cast<SwitchInst>(Resume->getEntryBlock().getTerminator());
  auto Never =
      Switch->findCaseValue(ConstantInt::get(Type::getInt32Ty(Context), 0));
  Never->getCaseSuccessor()->removePredecessor(Switch->getParent());
  Switch->removeCase(Never);
  if (Cuts == 1)
    alwaysGoTo(*Resume, 1);
  removeUnreachableBlocks(*Resume);
  return Resume;
}

static Function *makeStart(Function &F, Function &Step, Function &Resume) {
  ValueToValueMapTy Values;
  Function *Start =
      copyAs(Step.getFunctionType(), F.getName() + ".start", Step, Values,
             [&](Function &New, ValueToValueMapTy &Map) {
               for (auto [Old, Now] : zip(Step.args(), New.args()))
                 Map[&Old] = &Now;
             });
  for (const Argument &A : F.args())
    for (Attribute::AttrKind Kind : {Attribute::ZExt, Attribute::SExt})
      if (A.hasAttribute(Kind))
        Start->addParamAttr(A.getArgNo() + FirstStepArgument, Kind);
  alwaysGoTo(*Start, 0);
  IRBuilder<> B(&*Start->getEntryBlock().getFirstInsertionPt());
  B.CreateStore(&Resume, Start->getArg(StepFrame));
  removeUnreachableBlocks(*Start);
  return Start;
}

NestedForm heddle::splitForm(Function &F, ArrayRef<FormCut> Cuts) {
  LLVMContext &Context = F.getContext();
  auto *Pointer = PointerType::get(Context, 0);
  SmallVector<Type *> Types = {Pointer, Type::getInt64Ty(Context)};
  append_range(Types, F.getFunctionType()->params());
  ValueToValueMapTy Copies;
  Function *Step =
      copyAs(FunctionType::get(Pointer, Types, false), F.getName() + ".step", F,
             Copies, [&](Function &New, ValueToValueMapTy &Map) {
               for (Argument &A : F.args())
                 Map[&A] = New.getArg(A.getArgNo() + FirstStepArgument);
             });
  stripDebugInfo(*Step);
  Step->clearMetadata();
  NestedForm Form;
  if (Splitter(*Step, Copies).run(Cuts)) {
    Form.Resume = makeResume(F, *Step, Cuts.size());
    Form.Start = makeStart(F, *Step, *Form.Resume);
  }
  Step->eraseFromParent();
  return Form;
}

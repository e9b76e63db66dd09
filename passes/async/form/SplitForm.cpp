//===- SplitForm.cpp - A function cut at its suspensions ------------------===//

#include "async/form/SplitForm.h"
#include "async/LoopVerdict.h"
#include "async/form/FormCuts.h"
#include "async/form/FormHost.h"
#include "elsewhere/FormProtocol.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "loop/Liveness.h"
#include "mark/Marks.h"
#include "nest/PlainCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

namespace {

/// A suspension: the block that suspends, and the one that goes on.
struct Cut {
  BasicBlock *Suspend, *Resume;
  Value *Address;
  SmallVector<Instruction *> Live;
};

/// Turns a copy of the host into code that begins at the number in its frame.
class Splitter {
  Function &Step;
  const DataLayout &DL;
  Argument *Frame;
  BasicBlock *Dispatch = nullptr, *Start = nullptr;
  uint64_t FrameBytes = form::KeptAt;
  SmallVector<Cut> Cuts;
  SmallVector<FreezeInst *> Arguments;
  /// What is kept: its register, and its place in the frame.
  MapVector<Instruction *, std::pair<AllocaInst *, uint64_t>> Kept;

public:
  explicit Splitter(Function &Step)
      : Step(Step), DL(Step.getDataLayout()), Frame(Step.getArg(HostFrame)) {}

  /// False if that is not possible.
  bool run() {
    if (!dismantle())
      return false;
    createDispatch();
    cut();
    if (Cuts.empty())
      return false;
    keep();
    return FrameBytes <= form::Bytes;
  }

  unsigned cuts() const { return Cuts.size(); }

private:
  uint64_t place(Type *T, Align Alignment) {
    FrameBytes = alignTo(FrameBytes, Alignment);
    const uint64_t Place = FrameBytes;
    FrameBytes += DL.getTypeAllocSize(T);
    return Place;
  }

  Value *inFrame(IRBuilder<> &B, uint64_t At) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Frame, At);
  }

  /// Makes the loop a function that returns.
  bool dismantle() {
    SmallVector<Instruction *> Reads;
    SmallVector<StoreInst *, 2> Results;
    for (Instruction &I : instructions(Step)) {
      if (I.hasMetadata(FormArgumentMetadata))
        Reads.push_back(&I);
      if (I.hasMetadata(FormResultMetadata))
        Results.push_back(cast<StoreInst>(&I));
    }
    if (!all_of(Results, [&](const StoreInst *Result) {
          return Result->getParent() == Results.front()->getParent();
        }))
      return false;
    for (CallInst *Marker : findCalls(
             Step, [](StringRef Name) { return Name == AsyncMarkerName; }))
      Marker->eraseFromParent();
    for (Instruction *Read : Reads) {
      Argument *A =
          Step.getArg(HostFirst + numberOf(*Read, FormArgumentMetadata));
      if (A->getType() != Read->getType())
        return false;
      Read->replaceAllUsesWith(A);
      Read->eraseFromParent();
    }
    IRBuilder<> B(Results.back());
    for (StoreInst *Result : Results) {
      const uint64_t At = numberOf(*Result, FormResultMetadata);
      Result->setOperand(StoreInst::getPointerOperandIndex(),
                         inFrame(B, form::ResultAt + At));
      Result->setMetadata(FormResultMetadata, nullptr);
      Result->moveBefore(B.GetInsertPoint());
    }
    BasicBlock *End = Results.back()->getParent();
    changeToUnreachable(Results.back()->getNextNode());
    ReturnInst::Create(Step.getContext(),
                       ConstantPointerNull::get(B.getPtrTy()),
                       End->getTerminator()->getIterator());
    End->getTerminator()->eraseFromParent();
    removeUnreachableBlocks(Step);
    return true;
  }

  static uint64_t numberOf(const Instruction &I, StringRef Kind) {
    return mdconst::extract<ConstantInt>(I.getMetadata(Kind)->getOperand(0))
        ->getZExtValue();
  }

  /// Puts the dispatch in front, and variables into the frame.
  void createDispatch() {
    LLVMContext &Context = Step.getContext();
    Start = &Step.getEntryBlock();
    Dispatch = BasicBlock::Create(Context, "dispatch", &Step, Start);
    auto *Never = BasicBlock::Create(Context, "never", &Step);
    new UnreachableInst(Context, Never);
    IRBuilder<> B(Dispatch);
    for (Instruction &I : make_early_inc_range(*Start)) {
      if (auto *Variable = dyn_cast<AllocaInst>(&I)) {
        SmallVector<Instruction *> Lifetimes;
        for (User *U : Variable->users())
          if (cast<Instruction>(U)->isLifetimeStartOrEnd())
            Lifetimes.push_back(cast<Instruction>(U));
        for (Instruction *Lifetime : Lifetimes)
          Lifetime->eraseFromParent();
        // Larger alignments than the frame's are refused with the size.
        if (Variable->getAlign() > Align(form::Alignment) ||
            !isa<ConstantInt>(Variable->getArraySize()))
          FrameBytes = form::Bytes + 1;
        Variable->replaceAllUsesWith(
            inFrame(B, place(ArrayType::get(B.getInt8Ty(),
                                            *Variable->getAllocationSize(DL)),
                             Variable->getAlign())));
        Variable->eraseFromParent();
      }
    }
    SwitchInst *Switch = B.CreateSwitch(
        B.CreateLoad(B.getInt32Ty(), inFrame(B, form::NumberAt), "number"),
        Never);
    Switch->addCase(B.getInt32(0), Start);
    B.SetInsertPoint(Start, Start->getFirstInsertionPt());
    for (Argument &A : drop_begin(Step.args(), HostVarying)) {
      if (A.use_empty() && A.getArgNo() != HostVarying)
        continue;
      auto *Copy = cast<FreezeInst>(B.CreateFreeze(&A));
      A.replaceUsesWithIf(Copy, [&](Use &U) { return U.getUser() != Copy; });
      Arguments.push_back(Copy);
    }
  }

  /// The bit of the argument that \p Copy is a copy of.
  static Value *bitOf(IRBuilder<> &B, const FreezeInst &Copy, Value *Varying) {
    const unsigned N = cast<Argument>(Copy.getOperand(0))->getArgNo();
    return B.CreateIsNotNull(
        B.CreateAnd(Varying, B.getInt64(uint64_t(1) << (N - HostFirst))));
  }

  /// The copy of an argument that \p V is; null for other values.
  FreezeInst *copyOf(Value *V) const {
    auto *Copy = dyn_cast<FreezeInst>(V);
    return Copy && is_contained(Arguments, Copy) ? Copy : nullptr;
  }

  /// The condition that what is waited for at \p Point may not be there; null
  /// if that is always so. An object that all tasks are handed is, also where a
  /// walk begins with it.
  Value *mayWait(IRBuilder<> &B, const FormCut &Point) {
    Value *Any = B.getFalse();
    for (Value *Address : Point.addresses()) {
      APInt Offset(64, 0);
      Value *Object =
          Address->stripAndAccumulateConstantOffsets(DL, Offset, true);
      FreezeInst *Copy = copyOf(Object);
      auto *Walk = dyn_cast<PHINode>(Object);
      if (Walk && !Copy)
        for (Value *Begin : Walk->incoming_values())
          if (FreezeInst *Handed = copyOf(Begin))
            Copy = Handed;
      if (!Copy)
        return nullptr;
      Value *Waits = bitOf(B, *Copy, Arguments.front());
      if (Walk)
        Waits = B.CreateOr(Waits, B.CreateICmpNE(Walk, Copy));
      Any = B.CreateOr(Any, Waits);
    }
    return Any;
  }

  void cut() {
    SwitchInst *Switch = cast<SwitchInst>(Dispatch->getTerminator());
    LLVMContext &Context = Step.getContext();
    for (CallInst *Call : findFormCuts(Step)) {
      const FormCut Point(*Call);
      BasicBlock *Before = Call->getParent();
      BasicBlock *Behind = Before->splitBasicBlock(Call, "go");
      auto *Suspend = BasicBlock::Create(Context, "suspend", &Step, Behind);
      auto *Resume = BasicBlock::Create(Context, "resume", &Step, Behind);
      BranchInst::Create(Resume, Suspend);
      BranchInst::Create(Behind, Resume);
      Before->getTerminator()->eraseFromParent();
      IRBuilder<> B(Before);
      Value *Waits = mayWait(B, Point);
      if (Waits)
        B.CreateCondBr(Waits, Suspend, Behind);
      else
        B.CreateBr(Suspend);
      B.SetInsertPoint(Suspend->getTerminator());
      Value *Address = Point.addresses().front();
      if (Point.mayBeNull())
        Address = B.CreateSelect(B.CreateIsNull(Address), Frame, Address);
      Cuts.push_back({Suspend, Resume, Address, {}});
      Call->eraseFromParent();
      Switch->addCase(B.getInt32(Cuts.size()), Resume);
    }
  }

  /// Keeps what is live across suspensions in the frame.
  void keep() {
    // The dispatch is no way from the start to where tasks resume.
    auto *Switch = cast<SwitchInst>(Dispatch->getTerminator());
    SmallVector<BasicBlock *> Blocks;
    for (BasicBlock &Block : Step)
      if (&Block != Dispatch)
        Blocks.push_back(&Block);
    Liveness Live(Blocks);
    for (Cut &C : Cuts)
      for (Instruction *I : Live.into(C.Resume)) {
        C.Live.push_back(I);
        Kept.insert({I, {nullptr, 0}});
      }
    DominatorTree DT(Step);
    LoopInfo LI(DT);
    for (auto &[I, Home] : Kept)
      Home = {createVariable(Step, I->getType(), I->getName() + ".var"),
              place(I->getType(), DL.getABITypeAlign(I->getType()))};
    SmallPtrSet<Instruction *, 16> AtOnce;
    for (auto &[I, Home] : Kept) {
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
    for (auto [Number, C] : enumerate(Cuts)) {
      IRBuilder<> B(C.Suspend->getTerminator());
      for (Instruction *I : C.Live)
        if (!AtOnce.contains(I))
          B.CreateStore(load(B, Kept[I].first), inFrame(B, Kept[I].second));
      if (Cuts.size() > 1)
        B.CreateStore(B.getInt32(Number + 1), inFrame(B, form::NumberAt));
      B.CreateRet(C.Address);
      C.Suspend->getTerminator()->eraseFromParent();
      B.SetInsertPoint(C.Resume->getTerminator());
      for (Instruction *I : C.Live)
        B.CreateStore(B.CreateLoad(I->getType(), inFrame(B, Kept[I].second)),
                      Kept[I].first);
    }
    assert(Switch->getNumCases() == Cuts.size() + 1);
    (void)Switch;
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

/// A copy of \p Step with other parameters, of which \p Map knows all.
static Function *
copyAs(FunctionType *T, const Twine &Name, Function &Step,
       function_ref<void(Function &, ValueToValueMapTy &)> Map) {
  auto *Copy =
      Function::Create(T, GlobalValue::InternalLinkage, Name, Step.getParent());
  ValueToValueMapTy Values;
  Map(*Copy, Values);
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(Copy, &Step, Values,
                    CloneFunctionChangeType::LocalChangesOnly, Returns);
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

/// Makes \p Form of \p Step, which has \p Cuts.
static NestedForm makeForm(Function &F, Function &Step, unsigned Cuts) {
  LLVMContext &Context = F.getContext();
  auto *Pointer = PointerType::get(Context, 0);
  NestedForm Form;
  Form.Resume = copyAs(
      FunctionType::get(Pointer, {Pointer}, false), F.getName() + ".resume",
      Step, [&](Function &New, ValueToValueMapTy &Values) {
        Values[Step.getArg(HostFrame)] = New.getArg(0);
        for (Argument &A : drop_begin(Step.args(), HostVarying))
          Values[&A] = PoisonValue::get(A.getType());
      });
  auto *Switch = cast<SwitchInst>(Form.Resume->getEntryBlock().getTerminator());
  auto Never =
      Switch->findCaseValue(ConstantInt::get(Type::getInt32Ty(Context), 0));
  Never->getCaseSuccessor()->removePredecessor(Switch->getParent());
  Switch->removeCase(Never);
  if (Cuts == 1)
    alwaysGoTo(*Form.Resume, 1);
  removeUnreachableBlocks(*Form.Resume);

  SmallVector<Type *> Types = {Pointer, Type::getInt64Ty(Context)};
  append_range(Types, F.getFunctionType()->params());
  Form.Start =
      copyAs(FunctionType::get(Pointer, Types, false), F.getName() + ".start",
             Step, [&](Function &New, ValueToValueMapTy &Values) {
               for (auto [Old, Now] : zip(Step.args(), New.args()))
                 Values[&Old] = &Now;
             });
  for (const Argument &A : F.args())
    for (Attribute::AttrKind Kind : {Attribute::ZExt, Attribute::SExt})
      if (A.hasAttribute(Kind))
        Form.Start->addParamAttr(A.getArgNo() + HostFirst, Kind);
  alwaysGoTo(*Form.Start, 0);
  IRBuilder<> B(&*Form.Start->getEntryBlock().getFirstInsertionPt());
  B.CreateStore(Form.Resume, Form.Start->getArg(HostFrame));
  removeUnreachableBlocks(*Form.Start);
  return Form;
}

NestedForm heddle::splitForm(Function &F, Function &Host,
                             const LoopVerdict &Verdict) {
  if (!markFormCuts(Verdict))
    return {};
  ValueToValueMapTy Values;
  Function *Step = CloneFunction(&Host, Values);
  stripDebugInfo(*Step);
  SmallVector<BasicBlock *> Blocks(make_pointer_range(*Step));
  chooseNested(Blocks);
  Splitter Split(*Step);
  NestedForm Form;
  if (Split.run())
    Form = makeForm(F, *Step, Split.cuts());
  Step->eraseFromParent();
  return Form;
}

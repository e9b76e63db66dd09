//===- NestedFrames.cpp - Recursive callees on a stack of their own -------===//

#include "nest/NestedFrames.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "loop/Liveness.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "nest/LeanFrames.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

/// A frame begins with its label.
static constexpr uint64_t LabelBytes = 4;

namespace {

/// The code of one of the functions.
struct Body {
  Function *Of;
  unsigned Label;
  BasicBlock *Entry;
  /// The variables through which its arguments are passed, null for arguments
  /// that are the same in all calls; and their values in the body.
  SmallVector<AllocaInst *> Parameters;
  SmallVector<Value *> Arguments;
  AllocaInst *Result = nullptr;
  SmallVector<AllocaInst *> Locals;
};

/// The offset of a value in a frame, and the metadata of accesses to it.
struct Slot {
  uint64_t Offset;
  MDNode *Tag;
};

/// A variable and the slot in a frame where it is saved.
struct Saved {
  AllocaInst *Register;
  Slot At;
};

/// A call of one of the functions by one of them.
struct InnerCall {
  CallInst *Call;
  Body *From, *To;
  unsigned Label;
  /// The block of the code behind the call.
  BasicBlock *Behind = nullptr;
  /// The values that are live there, and the slots where they are saved.
  Liveness::Values Needs = {};
  SmallVector<Saved> Saves = {};
};

class Builder {
  CallInst &Outer;
  Function &Host;
  const uint64_t MostBytes;
  const unsigned LineBytes;
  LLVMContext &Context;
  const DataLayout &DL;
  Type *I32, *I64;
  SmallVector<Body, 2> Bodies;
  SmallVector<InnerCall, 4> Inner;
  SmallSetVector<BasicBlock *, 32> Blocks;
  BasicBlock *Before = nullptr, *Dispatch = nullptr, *Return = nullptr,
             *Exit = nullptr;
  SwitchInst *Switch = nullptr;
  unsigned Labels = 0;
  AllocaInst *Label = nullptr, *Top = nullptr, *Stack = nullptr;
  /// The parameters and results of the bodies.
  SmallVector<AllocaInst *> Parameters, Results;
  /// The variables that are promoted to registers in the end.
  SmallVector<AllocaInst *> Registers;
  /// The headers of loops with inner calls, and the values that are live there.
  SmallSetVector<BasicBlock *, 4> Headers;
  Liveness::Values HeadersNeed;
  SmallVector<AllocaInst *> HeaderRegisters;
  DenseMap<const Value *, AllocaInst *> RegisterOf;
  DenseMap<const Value *, Slot> SlotOf;
  Align FrameAlign{8};
  NestedFrames Result;

public:
  Builder(CallInst &Outer, ArrayRef<Function *> Members, uint64_t MostBytes,
          unsigned LineBytes)
      : Outer(Outer), Host(*Outer.getFunction()), MostBytes(MostBytes),
        LineBytes(LineBytes), Context(Host.getContext()),
        DL(Host.getDataLayout()), I32(Type::getInt32Ty(Context)),
        I64(Type::getInt64Ty(Context)) {
    for (Function *F : Members)
      Bodies.push_back({F, Labels++, nullptr, {}, {}, nullptr, {}});
  }

  NestedFrames build() {
    createDispatch();
    for (Body &B : Bodies)
      inlineOnce(B);
    shareArguments();
    for (InnerCall &Call : Inner)
      cutBehind(Call);
    makeLean();
    Liveness Live(Blocks.getArrayRef());
    for (InnerCall &Call : Inner) {
      Call.Needs = Live.into(Call.Behind);
      Call.Needs.remove(Call.Call);
    }
    findHeaders(Live);
    layOut();
    demote();
    for (InnerCall &Call : Inner)
      push(Call);
    for (BasicBlock *Header : Headers)
      enterByDispatch(Header);
    createReturn();
    moveLocals();
    for (InnerCall &Call : Inner)
      callAsBefore(*Call.Call);
    removeUnreachableBlocks(Host);
    promoteRegisters(Host, Registers);
    return std::move(Result);
  }

private:
  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(Context, Name, &Host, Exit);
  }

  AllocaInst *createRegister(Type *T, const Twine &Name) {
    return Registers.emplace_back(createVariable(Host, T, Name));
  }

  void jump(IRBuilder<> &B, unsigned To) {
    B.CreateStore(ConstantInt::get(I32, To), Label);
    B.CreateBr(Dispatch);
  }

  /// Splits the block of the outer call and builds the dispatch in between.
  void createDispatch() {
    Label = createRegister(I32, "nested.label");
    Top = createRegister(I64, "nested.top");
    for (Body &B : Bodies) {
      const StringRef Name = B.Of->getName();
      for (Argument &A : B.Of->args())
        B.Parameters.push_back(
            createRegister(A.getType(), Name + "." + A.getName()));
      append_range(Parameters, B.Parameters);
      if (B.Of->getReturnType()->isVoidTy())
        continue;
      B.Result = createRegister(B.Of->getReturnType(), Name + ".result");
      Results.push_back(B.Result);
    }
    Before = Outer.getParent();
    Exit = Before->splitBasicBlock(&Outer, "nested.exit");
    Dispatch = block("nested.dispatch");
    Return = block("nested.return");
    IRBuilder<> B(Before->getTerminator());
    B.SetCurrentDebugLocation(DebugLoc());
    forget(B, Parameters);
    forget(B, Results);
    for (auto [Argument, Parameter] :
         zip(Outer.args(), Bodies.front().Parameters))
      B.CreateStore(Argument, Parameter);
    B.CreateStore(ConstantInt::get(I64, 0), Top);
    jump(B, Bodies.front().Label);
    Before->getTerminator()->eraseFromParent();

    auto *Never = block("nested.never");
    B.SetInsertPoint(Never);
    B.CreateUnreachable();
    B.SetInsertPoint(Dispatch);
    Switch = B.CreateSwitch(B.CreateLoad(I32, Label), Never);
    for (Body &Of : Bodies) {
      Of.Entry = block(Of.Of->getName() + ".nested");
      addTarget(Of.Label, Of.Entry);
    }
    B.SetInsertPoint(Return);
    B.CreateBr(Exit);
    if (!Outer.getType()->isVoidTy()) {
      B.SetInsertPoint(&Outer);
      Outer.replaceAllUsesWith(
          B.CreateLoad(Outer.getType(), Bodies.front().Result));
    }
  }

  void addTarget(unsigned To, BasicBlock *Target) {
    assert(Switch->findCaseValue(ConstantInt::get(Context, APInt(32, To))) ==
               Switch->case_default() &&
           "a label stands for one place");
    Switch->addCase(cast<ConstantInt>(ConstantInt::get(I32, To)), Target);
  }

  void inlineOnce(Body &Of) {
    SmallPtrSet<BasicBlock *, 32> Others;
    for (BasicBlock &Block : Host)
      if (&Block != Of.Entry)
        Others.insert(&Block);
    IRBuilder<> B(Of.Entry);
    B.SetCurrentDebugLocation(Outer.getDebugLoc());
    for (auto [Argument, Parameter] : zip(Of.Of->args(), Of.Parameters))
      Of.Arguments.push_back(
          B.CreateLoad(Argument.getType(), Parameter, Argument.getName()));
    CallInst *Once = B.CreateCall(Of.Of, Of.Arguments);
    Once->setCallingConv(Of.Of->getCallingConv());
    if (Outer.doesNotThrow())
      Once->setDoesNotThrow();
    forget(B, Results);
    if (Of.Result)
      B.CreateStore(Once, Of.Result);
    B.CreateBr(Return);
    InlineFunctionInfo Info;
    InlineResult Done = InlineFunction(*Once, Info, /*MergeAttributes=*/true,
                                       /*CalleeAAR=*/nullptr,
                                       /*InsertLifetime=*/false);
    assert(Done.isSuccess() && "asked before");
    (void)Done;
    Of.Locals.assign(Info.StaticAllocas.begin(), Info.StaticAllocas.end());
    for (BasicBlock &Block : Host)
      if (!Others.contains(&Block)) {
        Blocks.insert(&Block);
        forgetScopes(Block);
      }
    for (CallBase *Call : Info.InlinedCallSites) {
      const Function *Callee = Call->getCalledFunction();
      Body *To = find_if(Bodies, [&](Body &B) { return B.Of == Callee; });
      if (To != Bodies.end())
        Inner.push_back({cast<CallInst>(Call), &Of, To, 0, nullptr});
      else
        Result.Calls.push_back(Call);
    }
  }

  /// Alias scopes hold for one call only, and lifetimes for whole variables,
  /// not for parts of a frame.
  void forgetScopes(BasicBlock &Block) {
    for (Instruction &I : make_early_inc_range(Block)) {
      I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
      I.setMetadata(LLVMContext::MD_noalias, nullptr);
      if (isa<NoAliasScopeDeclInst>(I) || I.isLifetimeStartOrEnd())
        I.eraseFromParent();
    }
  }

  /// Replaces arguments that are the same in all calls by their values.
  void shareArguments() {
    /// The argument in the outermost call, if it is that in all; null until a
    /// call is known, and the argument itself where they differ.
    DenseMap<Value *, Value *> Same;
    auto Meet = [&](Value *Argument, Value *With) {
      Value *&Now = Same[Argument];
      Value *Old = Now;
      if (!Now)
        Now = With;
      else if (With && Now != With)
        Now = Argument;
      return Now != Old;
    };
    for (auto [Argument, Outside] : zip(Bodies.front().Arguments, Outer.args()))
      Same[Argument] = Outside;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (InnerCall &Call : Inner)
        for (auto [Argument, Passed] :
             zip(Call.To->Arguments, Call.Call->args())) {
          bool IsArgument = is_contained(Call.From->Arguments, Passed);
          Changed |= Meet(Argument, IsArgument              ? Same[Passed]
                                    : isa<Constant>(Passed) ? Passed
                                                            : Argument);
        }
    }
    for (Body &B : Bodies)
      for (auto [Argument, Parameter] : zip(B.Arguments, B.Parameters)) {
        Value *Shared = Same[Argument];
        if (!Shared || is_contained(B.Arguments, Shared) || !isOutside(Shared))
          continue;
        Argument->replaceAllUsesWith(Shared);
        cast<Instruction>(Argument)->eraseFromParent();
        Argument = Shared;
        Parameter = nullptr;
      }
  }

  bool isOutside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || !Blocks.contains(const_cast<BasicBlock *>(I->getParent()));
  }

  void cutBehind(InnerCall &Call) {
    Call.Label = Labels++;
    Call.Behind = Call.Call->getParent()->splitBasicBlock(
        Call.Call->getNextNode(), Call.To->Of->getName() + ".behind");
    Blocks.insert(Call.Behind);
  }

  /// Returns the access by which the body comes to the object at \p Argument ,
  /// and its distance, if it does so at once or if there is one.
  std::optional<std::pair<Instruction *, int64_t>>
  firstAccess(const Body &Of, const Value *Argument) const {
    SmallVector<BasicBlock *, 3> Begin{Of.Entry};
    auto *Branch = dyn_cast<BranchInst>(Of.Entry->getTerminator());
    auto *Test = Branch && Branch->isConditional()
                     ? dyn_cast<ICmpInst>(Branch->getCondition())
                     : nullptr;
    if (Test && Test->getOperand(0) == Argument &&
        isa<ConstantPointerNull>(Test->getOperand(1)))
      append_range(Begin, Branch->successors());
    for (BasicBlock *Block : Begin)
      for (Instruction &I : *Block)
        if (const Value *Address = accessedAddress(I)) {
          APInt Distance(DL.getIndexTypeSizeInBits(Address->getType()), 0);
          if (Address->stripAndAccumulateInBoundsConstantOffsets(
                  DL, Distance) == Argument)
            return std::pair{&I, Distance.getSExtValue()};
        }
    return std::nullopt;
  }

  void makeLean() {
    RecursiveCode Code{Blocks.getArrayRef(), *Before, {}, {}, {}, {}};
    for (InnerCall &Call : Inner) {
      readBehind(*Call.Call, *Call.Behind);
      Code.Behind.push_back(Call.Behind);
      for (auto [Argument, Passed] : zip(Call.To->Arguments, Call.Call->args()))
        if (const auto First = firstAccess(*Call.To, Argument))
          Code.Visits.push_back(
              {Call.Call, Passed, First->second, First->first});
    }
    for (const Body &B : Bodies) {
      append_range(Code.Locals, B.Locals);
      for (auto [Argument, Value] : zip(B.Of->args(), B.Arguments))
        if (const uint64_t Bytes = Argument.getDereferenceableBytes();
            Bytes && Bytes <= LineBytes)
          Code.SmallObjects.insert(Value);
    }
    leanFrames(Code, LineBytes);
  }

  void findHeaders(Liveness &Live) {
    DominatorTree DT(Host);
    LoopInfo LI(DT);
    for (const InnerCall &Call : Inner)
      for (Loop *L = LI.getLoopFor(Call.Call->getParent());
           L && Blocks.contains(L->getHeader()); L = L->getParentLoop())
        Headers.insert(L->getHeader());
    for (BasicBlock *Header : Headers)
      HeadersNeed.insert_range(Live.into(Header));
  }

  /// Lays out the frame.
  void layOut() {
    for (Body &B : Bodies) {
      uint64_t End = LabelBytes;
      auto Place = [&](const Value *V, Type *T, uint64_t Bytes, Align A) {
        FrameAlign = std::max(FrameAlign, A);
        End = alignTo(End, A);
        SlotOf[V] = {End, MDNode::getDistinct(Context, {})};
        End += Bytes;
      };
      for (AllocaInst *Local : B.Locals)
        Place(Local, Local->getAllocatedType(),
              Local->getAllocationSize(DL)->getFixedValue(), Local->getAlign());
      for (const InnerCall &Call : Inner)
        if (Call.From == &B)
          for (Instruction *V : Call.Needs)
            if (!SlotOf.contains(V))
              Place(V, V->getType(), DL.getTypeStoreSize(V->getType()),
                    DL.getABITypeAlign(V->getType()));
      Result.FrameBytes = std::max(Result.FrameBytes, End);
    }
    Result.FrameBytes = alignTo(Result.FrameBytes, FrameAlign);
    Result.Depth = std::clamp<uint64_t>(MostBytes / Result.FrameBytes, 1,
                                        tunable::MostFrames);
    IRBuilder<> B(&*Host.getEntryBlock().getFirstInsertionPt());
    Stack = B.CreateAlloca(
        ArrayType::get(B.getInt8Ty(), Result.Depth * Result.FrameBytes),
        nullptr, Bodies.front().Of->getName() + ".stack");
    Stack->setAlignment(FrameAlign);
  }

  /// Demotes values that are used in other blocks to variables, until all edges
  /// between the blocks are there.
  void demote() {
    SmallVector<Instruction *> Values;
    SmallVector<PHINode *> Phis;
    for (Instruction &I : instructionsIn(Blocks)) {
      if (auto *Phi = dyn_cast<PHINode>(&I))
        Phis.push_back(Phi);
      if (any_of(I.users(), [&](const User *U) {
            auto *User = cast<Instruction>(U);
            return User->getParent() != I.getParent() || isa<PHINode>(User);
          }))
        Values.push_back(&I);
    }
    for (Instruction *I : Values) {
      AllocaInst *Register = DemoteRegToStack(*I);
      Registers.push_back(Register);
      RegisterOf[I] = Register;
    }
    for (InnerCall &Call : Inner)
      for (const Instruction *V : Call.Needs) {
        assert(RegisterOf.contains(V) && SlotOf.contains(V) &&
               "what is needed in another block has been demoted");
        Call.Saves.push_back({RegisterOf.lookup(V), SlotOf.lookup(V)});
      }
    for (const Instruction *V : HeadersNeed) {
      assert(RegisterOf.contains(V) && "live into another block");
      HeaderRegisters.push_back(RegisterOf.lookup(V));
    }
    for (PHINode *Phi : Phis) {
      const bool InHeader = Headers.contains(Phi->getParent());
      AllocaInst *Register = DemotePHIToStack(Phi);
      if (!Register)
        continue;
      Registers.push_back(Register);
      if (InHeader)
        HeaderRegisters.push_back(Register);
    }
  }

  /// Makes \p Variables dead at a jump. All jumps lead to the dispatch, so
  /// tasks would have to keep them otherwise.
  void forget(IRBuilder<> &B, ArrayRef<AllocaInst *> Variables) {
    for (AllocaInst *Register : Variables)
      B.CreateStore(PoisonValue::get(Register->getAllocatedType()), Register);
  }

  /// Returns the address of \p Offset in the frame at \p At.
  Value *place(IRBuilder<> &B, Value *At, uint64_t Offset) {
    return B.CreateInBoundsPtrAdd(B.CreateInBoundsPtrAdd(Stack, At),
                                  B.getInt64(Offset));
  }

  Value *top(IRBuilder<> &B) { return B.CreateLoad(I64, Top, "top"); }

  /// Turns \p Call into a push and a jump, and a call where the stack is full.
  void push(InnerCall &Call) {
    assert(Call.Behind && "cut before");
    BasicBlock *From = Call.Call->getParent();
    BasicBlock *Full =
        From->splitBasicBlock(Call.Call, Call.To->Of->getName() + ".full");
    Blocks.insert(Full);
    Call.Call->setMetadata(OverflowMetadata, MDNode::get(Context, {}));
    auto *Push = block(Call.To->Of->getName() + ".push");
    IRBuilder<> B(From->getTerminator());
    B.SetCurrentDebugLocation(Call.Call->getDebugLoc());
    Value *Last = B.getInt64((Result.Depth - 1) * Result.FrameBytes);
    B.CreateCondBr(B.CreateICmpEQ(top(B), Last), Full, Push);
    From->getTerminator()->eraseFromParent();

    B.SetInsertPoint(Push);
    Value *Frame = top(B);
    B.CreateStore(B.getInt32(Call.Label), place(B, Frame, 0));
    for (const Saved &Save : Call.Saves)
      B.CreateStore(load(B, Save.Register), place(B, Frame, Save.At.Offset))
          ->setMetadata(FrameMetadata, Save.At.Tag);
    forget(B, Parameters);
    forget(B, Results);
    forget(B, HeaderRegisters);
    for (auto [Argument, Parameter] :
         zip(Call.Call->args(), Call.To->Parameters))
      if (Parameter)
        B.CreateStore(Argument, Parameter);
    B.CreateStore(B.CreateAdd(Frame, B.getInt64(Result.FrameBytes)), Top);
    jump(B, Call.To->Label);

    auto *Back = block(Call.To->Of->getName() + ".back");
    addTarget(Call.Label, Back);
    B.SetInsertPoint(Back);
    Frame = top(B);
    for (const Saved &Save : Call.Saves) {
      LoadInst *Restored = B.CreateLoad(Save.Register->getAllocatedType(),
                                        place(B, Frame, Save.At.Offset));
      Restored->setMetadata(FrameMetadata, Save.At.Tag);
      B.CreateStore(Restored, Save.Register);
    }
    if (AllocaInst *Register = RegisterOf.lookup(Call.Call))
      B.CreateStore(B.CreateLoad(Call.Call->getType(), Call.To->Result),
                    Register);
    B.CreateBr(Call.Behind);
  }

  void enterByDispatch(BasicBlock *Header) {
    auto *Enter = block("nested.loop");
    const unsigned To = Labels++;
    SmallSetVector<BasicBlock *, 4> Ways(pred_begin(Header), pred_end(Header));
    for (BasicBlock *From : Ways)
      From->getTerminator()->replaceSuccessorWith(Header, Enter);
    IRBuilder<> B(Enter);
    forget(B, Parameters);
    forget(B, Results);
    jump(B, To);
    addTarget(To, Header);
  }

  void createReturn() {
    auto *Pop = block("nested.pop");
    Return->getTerminator()->eraseFromParent();
    IRBuilder<> B(Return);
    B.CreateCondBr(B.CreateIsNull(top(B)), Exit, Pop);
    B.SetInsertPoint(Pop);
    Value *Frame = B.CreateSub(top(B), B.getInt64(Result.FrameBytes));
    B.CreateStore(Frame, Top);
    forget(B, Parameters);
    forget(B, HeaderRegisters);
    B.CreateStore(B.CreateLoad(I32, place(B, Frame, 0)), Label);
    B.CreateBr(Dispatch);
    B.SetInsertPoint(Before->getTerminator());
    forget(B, HeaderRegisters);
    assert(Outer.use_empty() && "its result is loaded instead");
    Outer.eraseFromParent();
  }

  /// Variables of the callees are in their frames.
  void moveLocals() {
    for (Body &Of : Bodies)
      for (AllocaInst *Local : Of.Locals) {
        for (DbgVariableRecord *Record : findDVRDeclares(Local))
          Record->setKillLocation();
        SmallVector<Use *> Uses;
        for (Use &U : Local->uses())
          Uses.push_back(&U);
        for (Use *U : Uses) {
          IRBuilder<> B(cast<Instruction>(U->getUser()));
          U->set(place(B, top(B), SlotOf.lookup(Local).Offset));
        }
        Local->eraseFromParent();
      }
  }
};

} // namespace

NestedFrames heddle::nestCircle(CallInst &Call, ArrayRef<Function *> Members,
                                uint64_t MostBytes, unsigned LineBytes) {
  assert(!Members.empty() && Call.getCalledFunction() == Members.front() &&
         "a call of the first");
  return Builder(Call, Members, MostBytes, LineBytes).build();
}

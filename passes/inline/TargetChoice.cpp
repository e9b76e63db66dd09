//===- TargetChoice.cpp - Functions that compare a pointer ----------------===//

#include "inline/TargetChoice.h"
#include "inline/CallBeside.h"
#include "inline/GuardTargets.h"
#include "inline/LikelyTargets.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "mark/Directive.h"
#include "mark/Marks.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace heddle;

/// How often a call goes to one of the likely targets for each time that it
/// goes elsewhere.
static constexpr unsigned Likely = 2000;

/// The attribute of functions that compare: the number of the argument that has
/// the table and the place there, or nothing.
static constexpr char ChoiceAttribute[] = "heddle-targets";
/// The attribute of copies: the name of the original.
static constexpr char OriginalAttribute[] = "heddle-copy-of";

bool heddle::isUnlikelyCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getAttributes().hasFnAttr(UnlikelyAttribute);
}

bool heddle::comparesTargets(const Function &F) {
  return F.hasFnAttribute(ChoiceAttribute);
}

void heddle::noteOriginal(Function &Copy, const Function &Original) {
  Copy.addFnAttr(OriginalAttribute, Original.getName());
}

bool heddle::canBeCompared(const CallBase &Call) {
  return Call.isIndirectCall() && !Call.isMustTailCall() &&
         !Call.hasOperandBundles() && !Call.isConvergent() &&
         !Call.hasFnAttr(Attribute::ReturnsTwice) && !isUnlikelyCall(Call) &&
         !Call.getAttributes().hasFnAttr(PlainAttribute) &&
         isa<CallInst, InvokeInst>(Call) &&
         !Call.getFunctionType()->isVarArg() &&
         none_of(Call.args(), [&](const Use &Argument) {
           const unsigned Number = Call.getArgOperandNo(&Argument);
           return Call.isPassPointeeByValueArgument(Number) ||
                  Call.paramHasAttr(Number, Attribute::SwiftError) ||
                  Call.paramHasAttr(Number, Attribute::SwiftSelf) ||
                  Call.paramHasAttr(Number, Attribute::Nest);
         });
}

/// The attributes of \p Call for one that has \p More arguments in front of its
/// own, or fewer.
static AttributeList attributesOf(const CallBase &Call, int More) {
  const AttributeList All = Call.getAttributes();
  SmallVector<AttributeSet> Parameters(std::max(More, 0));
  for (unsigned I = std::max(-More, 0); I < Call.arg_size(); ++I)
    Parameters.push_back(All.getParamAttrs(I));
  return AttributeList::get(Call.getContext(), All.getFnAttrs(),
                            All.getRetAttrs(), Parameters);
}

/// The attributes of \p F that functions which are inlined there need to have.
static AttributeSet kindOf(const Function &F) {
  AttrBuilder Kind(F.getContext());
  for (const Attribute A : F.getAttributes().getFnAttrs())
    if (A.isStringAttribute()
            ? A.getKindAsString() != OriginalAttribute
            : is_contained(
                  {Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
                   Attribute::SanitizeMemory, Attribute::SanitizeMemTag,
                   Attribute::SanitizeThread, Attribute::StrictFP,
                   Attribute::NullPointerIsValid, Attribute::SafeStack,
                   Attribute::ShadowCallStack},
                  A.getKindAsEnum()))
      Kind.addAttribute(A);
  return AttributeSet::get(F.getContext(), Kind);
}

/// The load of the table that the pointer of \p Call is in, if the table is
/// that of an argument and nothing may have changed it meanwhile; or null.
static LoadInst *tableOf(const CallBase &Call, const TableSlot &Slot) {
  if (!Slot.Load)
    return nullptr;
  APInt Offset(64, 0);
  auto *Table = cast<LoadInst>(
      Slot.Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          Call.getDataLayout(), Offset, /*AllowNonInbounds=*/true));
  if (Table->getParent() != Call.getParent() || !Table->isSimple() ||
      !Slot.Load->isSimple() ||
      !is_contained(Call.args(), Table->getPointerOperand()))
    return nullptr;
  for (const Instruction *I = Table; I != &Call; I = I->getNextNode()) {
    auto *Store = dyn_cast<StoreInst>(I);
    if (I->mayWriteToMemory() &&
        !(Store && isa<AllocaInst>(Store->getPointerOperand())))
      return nullptr;
  }
  return Table;
}

/// Reads the pointer at \p Offset in the table of \p Object.
static Value *readTarget(IRBuilder<> &B, Value *Object, int64_t Offset,
                         bool IsNear = false) {
  Type *Pointer = B.getPtrTy();
  LoadInst *Table = B.CreateLoad(Pointer, Object, "table");
  if (IsNear)
    Table->setMetadata(NearMetadata, MDNode::get(B.getContext(), {}));
  LoadInst *Target = B.CreateLoad(
      Pointer, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Table, Offset),
      "target");
  // Tables of functions are few, and always in the caches.
  Target->setMetadata(NearMetadata, MDNode::get(B.getContext(), {}));
  return Target;
}

/// Replaces \p Call by one of \p Type and \p Target, with \p Attributes.
static CallBase &replaceCall(CallBase &Call, FunctionType *Type, Value *Target,
                             ArrayRef<Value *> Arguments,
                             AttributeList Attributes) {
  CallBase *New = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    New = InvokeInst::Create(Type, Target, Invoke->getNormalDest(),
                             Invoke->getUnwindDest(), Arguments, "",
                             Call.getIterator());
  } else {
    auto *Plain =
        CallInst::Create(Type, Target, Arguments, "", Call.getIterator());
    Plain->setTailCallKind(cast<CallInst>(Call).getTailCallKind());
    New = Plain;
  }
  New->setAttributes(Attributes);
  New->setCallingConv(Call.getCallingConv());
  New->setDebugLoc(Call.getDebugLoc());
  if (MDNode *Overflow = Call.getMetadata(OverflowMetadata))
    New->setMetadata(OverflowMetadata, Overflow);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return *New;
}

/// Leaves the comparison where there is a choice between it and another call.
static void chooseComparison(CallBase &Call) {
  BasicBlock *Before = Call.getParent()->getSinglePredecessor();
  auto *Branch =
      Before ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  auto *Choice = Branch && Branch->isConditional()
                     ? dyn_cast<CallInst>(Branch->getCondition())
                     : nullptr;
  if (!Choice || calleeName(*Choice) != NestedMarkerName)
    return;
  Choice->replaceAllUsesWith(ConstantInt::getTrue(Call.getContext()));
  Choice->eraseFromParent();
  BasicBlock *Plain = Branch->getSuccessor(1);
  ConstantFoldTerminator(Before);
  DeleteDeadBlock(Plain);
}

void TargetChoices::compare(CallBase &Call, ArrayRef<Function *> Targets,
                            function_ref<Function *(Function *)> Of) {
  const TableSlot Slot = tableSlot(Call);
  LoadInst *Table = tableOf(Call, Slot);
  Kind K = {SmallVector<Function *>(Targets), Call.getAttributes(),
            kindOf(*Call.getFunction()), -1, 0};
  SmallVector<Value *> Arguments(Call.args());
  if (Table) {
    K.Object = find(Arguments, Table->getPointerOperand()) - Arguments.begin();
    K.Offset = Slot.Offset;
  } else {
    Arguments.insert(Arguments.begin(), Call.getCalledOperand());
  }
  if (Slot.Load)
    Slot.Load->setMetadata(NearMetadata, MDNode::get(M.getContext(), {}));
  auto Known = find_if(Choices, [&](const auto &Entry) {
    return Entry.first == K &&
           Entry.second->getCallingConv() == Call.getCallingConv() &&
           Entry.second->arg_size() == Arguments.size();
  });
  Function *Choice =
      Known != Choices.end() ? Known->second : create(Call, K, Of);
  if (Known == Choices.end())
    Choices.push_back({std::move(K), Choice});
  auto *Compared = cast<CallBase>(Call.clone());
  putBeside(Call, *Compared);
  replaceCall(*Compared, Choice->getFunctionType(), Choice, Arguments,
              attributesOf(Call, !Table));
  Call.addFnAttr(Attribute::get(M.getContext(), PlainAttribute));
}

Function *TargetChoices::create(const CallBase &Call, const Kind &K,
                                function_ref<Function *(Function *)> Of) {
  LLVMContext &Context = M.getContext();
  FunctionType *Type = Call.getFunctionType();
  const bool HasPointer = K.Object < 0;
  SmallVector<llvm::Type *> Parameters(Type->params());
  if (HasPointer)
    Parameters.insert(Parameters.begin(), PointerType::getUnqual(Context));
  Function *Choice = Function::createWithDefaultAttr(
      FunctionType::get(Type->getReturnType(), Parameters, false),
      GlobalValue::InternalLinkage, Call.getFunction()->getAddressSpace(),
      K.Targets.front()->getName() + ".targets", &M);
  Choice->setCallingConv(Call.getCallingConv());
  Choice->addFnAttrs(AttrBuilder(Context, K.OfCaller));
  Choice->addFnAttr(Attribute::InlineHint);
  Choice->addFnAttr(
      ChoiceAttribute,
      HasPointer ? "" : (Twine(K.Object) + ":" + Twine(K.Offset)).str());
  const AttributeList Attributes = attributesOf(Call, 0);
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    if (Call.paramHasAttr(I, Attribute::StructRet))
      Choice->addParamAttrs(I + HasPointer,
                            AttrBuilder(Context, Attributes.getParamAttrs(I)));
  auto CallTo = [&](Value *Target, BasicBlock *In) {
    IRBuilder<> B(In);
    SmallVector<Value *> Arguments(
        drop_begin(make_pointer_range(Choice->args()), HasPointer));
    CallInst *To = B.CreateCall(Type, Target, Arguments);
    To->setCallingConv(Call.getCallingConv());
    To->setAttributes(Attributes);
    if (Type->getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(To);
    return To;
  };
  BasicBlock *Compare = BasicBlock::Create(Context, "entry", Choice);
  IRBuilder<> Entry(Compare);
  Value *Pointer = HasPointer
                       ? Choice->getArg(0)
                       : readTarget(Entry, Choice->getArg(K.Object), K.Offset);
  for (auto [Number, Target] : enumerate(K.Targets)) {
    BasicBlock *Is = BasicBlock::Create(Context, "is", Choice);
    BasicBlock *Other = BasicBlock::Create(Context, "other", Choice);
    CallTo(Of(Target), Is);
    const unsigned Left = K.Targets.size() - Number - 1;
    IRBuilder<> B(Compare);
    B.CreateCondBr(
        B.CreateICmpEQ(Pointer, Target), Is, Other,
        MDBuilder(Context).createBranchWeights(::Likely, Left * ::Likely + 1));
    Compare = Other;
  }
  CallTo(Pointer, Compare)
      ->addFnAttr(Attribute::get(Context, UnlikelyAttribute));
  return Choice;
}

/// True if \p C is a function that compares, or a copy.
static bool isForTasks(const Constant *C) {
  auto *F = dyn_cast<Function>(C->stripPointerCasts());
  return F && (comparesTargets(*F) || F->hasFnAttribute(OriginalAttribute));
}

void heddle::keepTargets(Module &M) {
  SmallVector<GlobalValue *> Kept;
  for (Function &F : M)
    if (isForTasks(&F))
      Kept.push_back(&F);
  appendToCompilerUsed(M, Kept);
}

void heddle::releaseTargets(Module &M) {
  removeFromUsedLists(M, [](Constant *C) { return isForTasks(C); });
}

/// True if \p Call is the last thing that its function does, but for returning
/// what it has returned.
static bool isLast(const CallBase &Call) {
  const Instruction *I = isa<InvokeInst>(Call) ? nullptr : Call.getNextNode();
  while (I) {
    auto *Store = dyn_cast<StoreInst>(I);
    auto *Branch = dyn_cast<BranchInst>(I);
    if (isa<ReturnInst>(I))
      return true;
    if (Branch && Branch->isUnconditional())
      I = &Branch->getSuccessor(0)->front();
    else if (isa<LoadInst, PHINode>(I) || I->isLifetimeStartOrEnd() ||
             (Store && isa<AllocaInst>(Store->getPointerOperand())))
      I = I->getNextNode();
    else
      return false;
  }
  return false;
}

/// True if \p F visits several children of a node, of which not each visit is
/// the last thing that it does.
static bool visitsChildren(const Function &F) {
  unsigned Visits = 0, LastVisits = 0;
  for (const Instruction &I : instructions(F))
    if (const Function *Callee = calleeOf(I);
        Callee && comparesTargets(*Callee)) {
      ++Visits;
      LastVisits += isLast(cast<CallBase>(I));
    }
  return Visits > 1 && LastVisits < Visits;
}

void TargetChoices::joinRecursions() const {
  for (auto &[K, Choice] : Choices) {
    if (!isRecursive(*Choice))
      continue;
    for (User *U : Choice->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledFunction() == Choice)
        chooseComparison(*Call);
    for (Instruction &I : instructions(*Choice)) {
      const Function *Target = definedCallee(I);
      if (!Target || !Target->hasFnAttribute(OriginalAttribute) ||
          Target->getInstructionCount() > tunable::InlinedInstructions)
        continue;
      cast<CallBase>(I).addFnAttr(Attribute::AlwaysInline);
      // All children are visited from one place.
      if (visitsChildren(*Target))
        Choice->addFnAttr("disable-tail-calls", "true");
    }
  }
}

std::string heddle::nameInSource(const Function &F) {
  const StringRef Name = F.getName();
  if (comparesTargets(F))
    return demangle(Name.rsplit(".targets").first) + " and others";
  if (F.hasFnAttribute(OriginalAttribute))
    return demangle(F.getFnAttribute(OriginalAttribute).getValueAsString());
  return demangle(Name);
}

CallBase &heddle::callAsBefore(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Call;
  if (Callee->hasFnAttribute(OriginalAttribute)) {
    const StringRef Name =
        Callee->getFnAttribute(OriginalAttribute).getValueAsString();
    if (Function *Original = Call.getModule()->getFunction(Name);
        Original && Original->getFunctionType() == Call.getFunctionType())
      Call.setCalledFunction(Original);
    return Call;
  }
  if (!comparesTargets(*Callee))
    return Call;
  StringRef Place = Callee->getFnAttribute(ChoiceAttribute).getValueAsString();
  SmallVector<Value *> Arguments(Call.args());
  SmallVector<Type *> Parameters(Callee->getFunctionType()->params());
  Value *Target = Arguments.front();
  const bool HasPointer = Place.empty();
  if (HasPointer) {
    Arguments.erase(Arguments.begin());
    Parameters.erase(Parameters.begin());
  } else {
    const auto [Object, Offset] = Place.split(':');
    unsigned Number = 0;
    int64_t Bytes = 0;
    Object.getAsInteger(10, Number);
    Offset.getAsInteger(10, Bytes);
    IRBuilder<> B(&Call);
    // The call beside the code of the task is not waited for.
    Target = readTarget(B, Arguments[Number], Bytes,
                        Call.hasMetadata(OverflowMetadata));
  }
  return replaceCall(Call, FunctionType::get(Call.getType(), Parameters, false),
                     Target, Arguments, attributesOf(Call, -int(HasPointer)));
}

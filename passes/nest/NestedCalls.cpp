//===- NestedCalls.cpp - Callees that become nested coroutines ------------===//

#include "nest/NestedCalls.h"
#include "elsewhere/CallForms.h"
#include "elsewhere/FormProtocol.h"
#include "elsewhere/LoopCopy.h"
#include "elsewhere/OwnWrites.h"
#include "inline/GuardTargets.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "link/LinkTime.h"
#include "loop/FarAccess.h"
#include "loop/LoopForm.h"
#include "loop/LoopShape.h"
#include "loop/Tunables.h"
#include "mark/Directive.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "nest/FarCallees.h"
#include "nest/NestedFrames.h"
#include "nest/PlainCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

namespace {

class LoopNester {
  Function &F;
  const FarCallees &Callees;
  LoopContext C;
  const TargetLibraryInfo &TLI;
  CallInst &Marker;
  /// True if the loop accesses far memory, itself or in callees.
  bool IsFar = false;
  const bool MayCallForms;
  /// Instructions, and accesses that wait, that are in the loop already.
  uint64_t Instructions = 0, Accesses = 0;
  /// The bytes left for the variables of callees.
  uint64_t BytesLeft;
  OptimizationRemarkEmitter ORE;
  SmallVector<WeakVH> Calls;
  /// Calls of functions that may have nested forms in other files, and the
  /// arguments that vary.
  SmallVector<std::pair<CallBase *, uint64_t>, 2> Elsewhere;
  SmallDenseMap<Function *, Value *, 2> Forms;
  SmallVector<Metadata *> Nested;

public:
  LoopNester(Function &F, FunctionAnalysisManager &FAM,
             const FarCallees &Callees, CallInst &Marker, Loop &L,
             bool MayCallForms)
      : F(F), Callees(Callees), C(L, F, FAM),
        TLI(FAM.getResult<TargetLibraryAnalysis>(F)), Marker(Marker),
        MayCallForms(MayCallForms),
        BytesLeft(std::min(tunable::NestedBytes.getValue(),
                           tunable::NestedBytesOfTasks /
                               std::max(readDirective(Marker).Tasks, 1u))),
        ORE(&F) {}

  /// True if it has changed the function.
  bool run() {
    const Loop &L = C.L;
    const Schedule Scheduler = readDirective(Marker).Scheduler;
    // The plugin may have been loaded for sources and for IR, too.
    if (Marker.hasMetadata(NestedMetadata))
      return false;
    IsFar = Scheduler == Schedule::Dynamic ||
            any_of(instructionsIn(L.blocks()), [&](const Instruction &I) {
              const Function *Callee = calleeOf(I);
              return usesFar(I) || (Callee && Callees.accessesFar(*Callee));
            });
    if (IsFar && Scheduler != Schedule::Unspecified &&
        Scheduler != Schedule::Dynamic)
      return false;
    noteNested();
    Accesses = IsFar ? 0 : waitingPlaces(L);
    for (Instruction &I : instructionsIn(L.blocks())) {
      ++Instructions;
      Accesses += IsFar && usesFar(I);
      addIfWaiting(&I);
    }
    if (IsFar)
      reportUnknownCallees(L);
    if (!IsFar && MayCallForms)
      findElsewhere();
    if (Calls.empty() && Elsewhere.empty())
      return false;
    // A loop that cannot be split is not to become any larger.
    normalise(C);
    LoopShape Shape;
    if (analyzeShape(C.L, C.SE, Shape))
      return true;
    lookUpForms();
    for (unsigned I = 0; I < Calls.size(); ++I)
      if (auto *Call = cast_or_null<CallBase>(Calls[I]))
        if (MaybeRefusal Why =
                nest(*Call, IsFar ? BytesLeft : BytesLeft / (Calls.size() - I)))
          report(*Call, *Why);
    nestElsewhere();
    noteNested();
    return true;
  }

private:
  void noteNested() {
    Marker.setMetadata(NestedMetadata, MDNode::get(F.getContext(), Nested));
  }

  /// The function that \p Call calls, if it is to become a part of the task;
  /// or null. Callees that wait for ordinary memory have been inlined before,
  /// but for recursive ones.
  Function *waitingCalleeOf(const CallBase &Call) const {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Call.hasMetadata(OverflowMetadata))
      return nullptr;
    return (IsFar ? Callees.accessesFar(*Callee)
                  : Callees.isCircle(*Callee) && mayWait(*Callee) &&
                        !F.hasOptSize() &&
                        !Callee->hasFnAttribute(Attribute::NoInline))
               ? Callee
               : nullptr;
  }

  void findElsewhere() {
    if (!mayHaveForms(*F.getParent()) || isSanitized(F) || F.hasOptSize() ||
        Marker.hasMetadata(FallbackMetadata) ||
        Instructions > tunable::InlinedInstructions)
      return;
    for (Instruction &I : instructionsIn(C.L.blocks()))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && mayCallForm(*Call, TLI))
        if (const uint64_t Varying = varyingArguments(*Call, C.L))
          Elsewhere.push_back({Call, Varying});
    SmallVector<const CallBase *, 2> Made;
    for (auto [Call, Varying] : Elsewhere)
      Made.push_back(Call);
    const Instruction *Write = findSharedWrite(C, Made);
    if (!Write)
      return;
    for (const CallBase *Call : Made)
      report(*Call, refuse(RefusalKind::MayReadWrites, {describeCallee(*Call)},
                           Write));
    Elsewhere.clear();
  }

  /// Puts a copy beside the loop, for where a form is missing.
  void lookUpForms() {
    if (Elsewhere.empty())
      return;
    IRBuilder<> B(C.L.getLoopPreheader()->getTerminator());
    B.SetCurrentDebugLocation(Marker.getDebugLoc());
    Value *AreFound = nullptr;
    for (auto [Call, Varying] : Elsewhere) {
      Value *&Form = Forms[Call->getCalledFunction()];
      if (Form)
        continue;
      Form = findForm(B, *Call->getCalledFunction());
      Value *IsFound = B.CreateIsNotNull(Form);
      AreFound = AreFound ? B.CreateAnd(AreFound, IsFound) : IsFound;
    }
    putCopyBeside(C.L, *AreFound);
  }

  /// Lets tasks call nested forms that lie in other files.
  void nestElsewhere() {
    AllocaInst *Frame = Elsewhere.empty() ? nullptr : createFormFrame(F);
    for (auto [Call, Varying] : Elsewhere) {
      Function &Callee = *Call->getCalledFunction();
      note(nameInSource(Callee), 0, Call->getDebugLoc(), /*Elsewhere=*/true);
      CallInst &Plain = describePlain(*Call);
      callForm(keepPlain(Plain), *Forms.lookup(&Callee), Varying, *Frame);
    }
    if (!Elsewhere.empty())
      removeUnreachableBlocks(F);
  }

  /// Adds \p V, which may be null, if it calls such a function.
  void addIfWaiting(Value *V) {
    auto *Call = dyn_cast_or_null<CallBase>(V);
    if (Call && waitingCalleeOf(*Call))
      Calls.push_back(Call);
  }

  void report(const CallBase &Call, const Refusal &Why) {
    if (Marker.hasMetadata(FallbackMetadata))
      return;
    OptimizationRemarkMissed Remark("heddle", "NotNested", Call.getDebugLoc(),
                                    Call.getParent());
    Remark << (IsFar ? "this call blocks its thread while it waits for far "
                       "memory: "
                     : "what this call waits for is not hidden: ")
           << ore::NV("Reason", Why.Reason);
    addPlace(Remark, describeOtherPlace(Why.At, Call.getDebugLoc()));
    addNext(Remark, Why);
    ORE.emit(Remark);
  }

  /// Reports calls of unknown functions that are handed addresses of far
  /// memory.
  void reportUnknownCallees(const Loop &L) {
    for (const Instruction &I : instructionsIn(L.blocks())) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm() ||
          none_of(Call->args(), [](const Value *V) { return isFar(V); }))
        continue;
      const Function *Callee = Call->getCalledFunction();
      if (!Callee)
        report(*Call, refuse(RefusalKind::UnknownCallee));
      else if (Callee->isDeclaration() && !Callee->isIntrinsic())
        report(*Call, refuse(RefusalKind::Elsewhere,
                             {"'" + demangle(Callee->getName()) + "'"}));
    }
  }

  bool isTooLarge(uint64_t Instructions, uint64_t Accesses) const {
    return IsFar ? Accesses > tunable::NestedFarAccesses ||
                       Instructions * Accesses > tunable::NestedCode
                 : Accesses > tunable::SuspensionPoints ||
                       Instructions > tunable::InlinedInstructions;
  }

  /// Replaces \p Call by the code of its callee, with variables of up to
  /// \p MostBytes, or says why not.
  MaybeRefusal nest(CallBase &Call, uint64_t MostBytes) {
    assert(waitingCalleeOf(Call) && "noted by addIfWaiting()");
    Function &Callee = *waitingCalleeOf(Call);
    const std::string Name = nameInSource(Callee);
    const std::string Quoted = "'" + Name + "'";
    SmallVector<Function *, 2> Circle = Callees.circle(Callee);
    const bool IsCircle = !Circle.empty();
    if (!IsCircle)
      Circle.push_back(&Callee);
    uint64_t MoreInstructions = Instructions, MoreAccesses = Accesses;
    uint64_t Bytes = 0;
    for (const Function *Member : Circle) {
      if (MaybeRefusal Why = whyNotNested(Call, *Member, F, C.TTI, IsCircle,
                                          /*MayEnd=*/!IsFar))
        return Why;
      const CalleeSize Size(*Member);
      MoreInstructions += Size.Instructions;
      MoreAccesses += IsFar ? Size.FarAccesses : Size.Places;
      Bytes = std::max(Bytes, Size.Bytes);
    }
    if (isTooLarge(MoreInstructions, MoreAccesses))
      return refuse(RefusalKind::TooMuchCode, {Quoted});
    if (Bytes * (IsCircle ? tunable::LeastFrames : 1) > MostBytes)
      return refuse(RefusalKind::TooManyBytes, {Quoted, std::to_string(Bytes)});
    DILocation *Where = Call.getDebugLoc();
    uint64_t Depth = 0;
    if (IsCircle) {
      CallInst &InTasks = IsFar ? cast<CallInst>(Call) : keepPlain(Call);
      NestedFrames Frames =
          nestCircle(InTasks, Circle, MostBytes, lineBytes(C.TTI));
      for (Value *Other : Frames.Calls)
        addIfWaiting(Other);
      Depth = Frames.Depth;
      Bytes = Depth * Frames.FrameBytes;
    } else {
      InlineFunctionInfo Info;
      InlineResult Done = InlineFunction(Call, Info, /*MergeAttributes=*/true);
      if (!Done.isSuccess())
        return refuse(RefusalKind::NotInlined,
                      {Quoted, Done.getFailureReason()});
      for (CallBase *Other : Info.InlinedCallSites)
        addIfWaiting(Other);
    }
    Instructions = MoreInstructions;
    Accesses = MoreAccesses;
    BytesLeft -= std::min(BytesLeft, Bytes);
    note(Name, Depth, Where);
    return std::nullopt;
  }

  void note(StringRef Name, uint64_t Depth, DILocation *Where,
            bool Elsewhere = false) {
    LLVMContext &Context = F.getContext();
    SmallVector<Metadata *> Operands = {
        MDString::get(Context, Name),
        ConstantAsMetadata::get(
            ConstantInt::get(Type::getInt64Ty(Context), Depth)),
        Where};
    if (Elsewhere)
      Operands.push_back(
          ConstantAsMetadata::get(ConstantInt::getTrue(Context)));
    Nested.push_back(MDNode::get(Context, Operands));
  }
};

} // namespace

/// Simplifies the copies of arguments and results after inlining.
static void simplify(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::PreserveCFG));
  FPM.addPass(EarlyCSEPass());
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, FPM.run(F, FAM));
}

/// Calls of functions that compare their targets go through pointers again if
/// they have not become a part of the loop. True if there are any.
static bool callAllAsBefore(Function &F) {
  if (findMarkers(F).empty())
    return false;
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      Changed |=
          &callAsBefore(*Call) != &I || Call->getCalledFunction() != Callee;
    }
  return Changed;
}

static CallInst *firstNotIn(const SmallPtrSetImpl<const CallInst *> &Done,
                            ArrayRef<CallInst *> Markers) {
  auto Next = find_if(
      Markers, [&](const CallInst *Marker) { return !Done.contains(Marker); });
  return Next == Markers.end() ? nullptr : *Next;
}

PreservedAnalyses NestedCallsPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::optional<FarCallees> Callees;
  bool AnyChanged = false;
  for (Function &F : M) {
    bool Changed = false;
    if (waitsForLink(F)) {
      // The link sees more targets.
      callAllAsBefore(F);
      AnyChanged |= choosePlain(F);
      continue;
    }
    SmallPtrSet<const CallInst *, 4> Done;
    // Loops may get copies.
    while (CallInst *Marker = firstNotIn(Done, findMarkers(F))) {
      Done.insert(Marker);
      if (!Callees)
        Callees.emplace(M);
      Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Marker->getParent());
      if (!L || !LoopNester(F, FAM, *Callees, *Marker, *L, MayCallForms).run())
        continue;
      Changed = true;
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    Changed |= callAllAsBefore(F);
    if (Changed) {
      locateCalls(F);
      simplify(F, FAM);
    }
    AnyChanged |= Changed;
  }
  releaseTargets(M);
  return AnyChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

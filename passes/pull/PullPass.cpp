//===- PullPass.cpp - Share pull loops out by edges -----------------------===//

#include "pull/PullPass.h"
#include "async/analysis/InvariantLoads.h"
#include "ir/Instructions.h"
#include "loop/LoopForm.h"
#include "loop/Worksharing.h"
#include "mark/AsyncMark.h"
#include "mark/Directive.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "pull/EdgeChunks.h"
#include "pull/KernelCall.h"
#include "pull/MemoryAccumulators.h"
#include "pull/PullNest.h"
#include "pull/StoresBefore.h"
#include "vectorsparse/VectorLevels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#define DEBUG_TYPE "heddle-pull"

using namespace llvm;
using namespace heddle;

namespace {

constexpr char RemarkPass[] = "heddle";
constexpr char NotVectorised[] =
    "loop over edges not turned into vector code: ";

bool isVectorSparse(const CallInst &Marker) {
  return cast<ConstantInt>(clauseOf(Marker, heddle::Pull))->isOne();
}

SmallVector<CallInst *, 4> findPullMarkers(Function &F) {
  return findCalls(F, [](StringRef Name) { return Name == PullMarkerName; });
}

/// Returns the calls that announce edge vectors.
SmallVector<CallInst *, 4> findAnnouncements(Function &F) {
  return findCalls(F, [](StringRef Name) { return Name == EdgeVectorsName; });
}

/// Whether \p F may have a loop over edge vectors.
bool mayHaveVectorLoop(Function &F) {
  return !findAnnouncements(F).empty() &&
         any_of(findPullMarkers(F),
                [](const CallInst *Marker) { return isVectorSparse(*Marker); });
}

/// Lets other passes transform the nest again.
void restoreHints(Loop &L) {
  if (MDNode *Hints = L.getLoopID())
    L.setLoopID(makePostTransformationMetadata(
        Hints->getContext(), Hints,
        {PullLoopProperty, "llvm.loop.disable_nonforced"}, {}));
  for (Loop *Inner : L.getSubLoops())
    restoreHints(*Inner);
}

/// Aligns the loop over a row's edges to a line of the instruction cache,
/// unless its program says otherwise. The loop is a few instructions long and
/// runs for a few edges at a time: fetching it from two lines takes as long as
/// the rest.
void alignCode(Loop &Inner) {
  constexpr char Alignment[] = "llvm.loop.align";
  if (findStringMetadataForLoop(&Inner, Alignment))
    return;
  LLVMContext &C = Inner.getHeader()->getContext();
  auto *Aligned = MDNode::get(
      C, {MDString::get(C, Alignment),
          ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), 64))});
  // The remainder loop of an unrolled loop gets its metadata from here.
  auto *Once = MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
  auto *Remainder =
      MDNode::get(C, {MDString::get(C, "llvm.loop.unroll.followup_remainder"),
                      Aligned, Once});
  Inner.setLoopID(makePostTransformationMetadata(C, Inner.getLoopID(), {},
                                                 {Aligned, Remainder}));
}

class PullLowering {
  Function &F;
  Outcomes &LoopOutcomes;
  CallInst &Marker;
  Loop &L;
  LoopContext C;
  PullNest Nest;
  Worksharing Shared;

public:
  PullLowering(Function &F, FunctionAnalysisManager &AM, Outcomes &LoopOutcomes,
               CallInst &Marker, Loop &L)
      : F(F), LoopOutcomes(LoopOutcomes), Marker(Marker), L(L), C(L, F, AM) {}

  MaybeRefusal run() {
    normalise(C);
    // A loop with several ways back keeps them; recognizeNest refuses it.
    if (L.getLoopPreheader() && L.getLoopLatch())
      hoistInvariantLoads(C, Directive(), TaskLocals());
    Value *Edges = clauseOf(Marker, heddle::Edges);
    Value *ChunkEdges = Edges ? valueOnEntry(Edges, L) : nullptr;
    if (Edges && !ChunkEdges)
      return refuse(RefusalKind::UnknownEdges, dyn_cast<Instruction>(Edges));
    for (Loop *Inner : L.getSubLoops()) {
      const LoopContext OfInner(*Inner, C);
      normalise(OfInner);
      promoteRowMemory(OfInner);
    }
    C.SE.forgetLoop(&L);
    // The marker would count as an effect.
    BasicBlock *MarkerBlock = Marker.getParent();
    Marker.removeFromParent();
    MaybeRefusal Why = recognizeNest(C, Nest);
    MaybeRefusal NotDistributed;
    if (!Why)
      NotDistributed = findWorksharing(C, Shared);
    // Without chunks no code before the edges runs twice.
    if (!Why && !NotDistributed)
      Why = checkStoresBefore(Nest, C);
    Marker.insertBefore(MarkerBlock->getFirstInsertionPt());
    if (Why)
      return Why;
    if (isVectorSparse(Marker)) {
      Why = callKernel(Nest, C);
      reportVectors(Why);
    }
    CallInst *Kernel = Nest.Kernel;
    if (!NotDistributed) {
      report();
      // Its copy would ask for the same again.
      Marker.removeFromParent();
      if (Nest.Inner)
        alignCode(*Nest.Inner);
      balanceByEdges(Nest, Shared, ChunkEdges, C.SE);
      Marker.insertBefore(MarkerBlock->getFirstInsertionPt());
    }
    if (Kernel)
      inlineAllCalls(*Kernel->getCalledFunction());
    // A loop that OpenMP does not distribute is refused only if no kernel has
    // replaced its inner loop.
    return Kernel ? std::nullopt : NotDistributed;
  }

private:
  /// Inlines all calls of the kernel: from the loops for whole rows and for
  /// parts of rows.
  static void inlineAllCalls(Function &Kernel) {
    for (User *U : make_early_inc_range(Kernel.users())) {
      InlineFunctionInfo Info;
      InlineFunction(*cast<CallInst>(U), Info);
    }
  }

  void reportVectors(const MaybeRefusal &Why) {
    if (Why && Why->Kind == RefusalKind::NoGenerator)
      LoopOutcomes.noteNoVectors(numberOf(Marker), Marker.getDebugLoc(),
                                 NotVectorised + Why->Reason + "; " +
                                     Why->Next);
    if (!isSpokenOf(F))
      return;
    OptimizationRemarkEmitter ORE(&F);
    const DebugLoc &Where = Marker.getDebugLoc();
    if (!Nest.Vectors)
      ORE.emit([&] {
        return OptimizationRemarkAnalysis(RemarkPass, "NotVectorised", Where,
                                          L.getHeader())
               << "its edges do not lie in edge vectors";
      });
    else if (Why)
      ORE.emit([&] {
        OptimizationRemarkMissed Remark(RemarkPass, "NotVectorised", Where,
                                        L.getHeader());
        Remark << NotVectorised << ore::NV("Reason", Why->Reason);
        addPlace(Remark, describeOtherPlace(Why->At, Where));
        Remark << describeInstance(Where, F);
        addNext(Remark, *Why);
        return Remark;
      });
    else
      ORE.emit([&] {
        return OptimizationRemark(RemarkPass, "Vectorised", Where,
                                  L.getHeader())
               << "the loop over a row's edges takes "
               << ore::NV("Lanes", Nest.Vectors->Lanes) << " edges at once";
      });
    if (!Why)
      reportRounding("floating-point values of rows");
  }

  void reportRounding(StringRef What) {
    if (none_of(Nest.Accumulators, [](const Accumulator &A) {
          return !A.First && A.How.isFloatSum();
        }))
      return;
    OptimizationRemarkEmitter ORE(&F);
    ORE.emit([&] {
      return OptimizationRemarkAnalysis(RemarkPass, "FloatReduction",
                                        Marker.getDebugLoc(), L.getHeader())
             << What << " may round differently from the serial order";
    });
  }

  void report() {
    if (!isSpokenOf(F))
      return;
    OptimizationRemarkEmitter ORE(&F);
    SmallVector<StringRef, 2> What;
    for (const Accumulator &A : Nest.Accumulators)
      What.push_back(A.First ? "first value" : describe(A.How));
    const DebugLoc &Where = Marker.getDebugLoc();
    ORE.emit([&] {
      return OptimizationRemark(RemarkPass, "BalancedByEdges", Where,
                                L.getHeader())
             << "balanced the loop by edges ("
             << ore::NV("Schedule", Shared.IsDynamic ? "dynamic" : "static")
             << " schedule): each row's "
             << ore::NV("Combined", join(What, ", "))
             << " is combined in a register and stored once";
    });
    if (!Nest.Kernel)
      reportRounding("floating-point values of rows that are cut");
  }
};

/// Says that the loop stays with its schedule. Returns what it says.
std::string reportLeft(CallInst &Marker, const Refusal &Why) {
  Function &F = *Marker.getFunction();
  const DebugLoc &Where = Marker.getDebugLoc();
  OptimizationRemarkMissed Remark(RemarkPass, "NotBalancedByEdges", Where,
                                  Marker.getParent());
  Remark << NotBalanced << ore::NV("Reason", Why.Reason);
  addPlace(Remark, describeOtherPlace(Why.At, Where));
  Remark << describeInstance(Where, F);
  addNext(Remark, Why);
  if (isSpokenOf(F))
    OptimizationRemarkEmitter(&F).emit(Remark);
  return Remark.getMsg();
}

/// Hands a loop that stays with its schedule to AsyncSplit, which runs next:
/// rows are independent, so their iterations may be interleaved.
void handToAsyncSplit(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  B.CreateCall(getMarker(*Marker.getModule(), AsyncMarkerName),
               {Marker.getArgOperand(0), B.getInt32(Pull), B.getInt32(0)});
}

} // namespace

PreservedAnalyses PullPass::run(Function &F, FunctionAnalysisManager &AM) {
  if (mayHaveVectorLoop(F) && wantsVectorLevels(F)) {
    makeVectorLevels(F);
    return PreservedAnalyses::none();
  }
  bool Changed = false;
  for (auto Markers = findPullMarkers(F); !Markers.empty();
       Markers = findPullMarkers(F)) {
    CallInst *Marker = Markers.front();
    Changed = true;
    Loop *L = AM.getResult<LoopAnalysis>(F).getLoopFor(Marker->getParent());
    MaybeRefusal Why;
    if (L) {
      restoreHints(*L);
      Why = PullLowering(F, AM, *LoopOutcomes, *Marker, *L).run();
    } else {
      Why = refuse(RefusalKind::StraightLine);
    }
    if (Why) {
      const std::string Text = reportLeft(*Marker, *Why);
      LoopOutcomes->noteNoEffect(numberOf(*Marker), Marker->getDebugLoc(), F,
                                 *Why, Text);
      if (L)
        handToAsyncSplit(*Marker);
    } else {
      LoopOutcomes->noteEffect(numberOf(*Marker));
    }
    LoopOutcomes->noteReported(numberOf(*Marker));
    Marker->eraseFromParent();
    AM.invalidate(F, PreservedAnalyses::none());
    LLVM_DEBUG(assert(!verifyFunction(F, &dbgs())));
  }
  // What says how edges lie has been read.
  if (Changed)
    for (CallInst *Announcement : findAnnouncements(F))
      Announcement->eraseFromParent();
  if (Changed)
    locateCalls(F);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

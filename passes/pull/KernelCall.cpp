//===- KernelCall.cpp - A kernel in place of an inner loop ----------------===//

#include "pull/KernelCall.h"
#include "ir/Instructions.h"
#include "pull/PullNest.h"
#include "vectorsparse/KernelLibrary.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

class KernelCaller {
  PullNest &Nest;
  ScalarEvolution &SE;
  const TargetTransformInfo &TTI;
  PullLoop Loop{};

public:
  KernelCaller(PullNest &Nest, const LoopContext &C)
      : Nest(Nest), SE(C.SE), TTI(C.TTI) {}

  MaybeRefusal run() {
    if (MaybeRefusal Why = readLoop())
      return Why;
    if (std::string Problem = generatorProblem(); !Problem.empty())
      return refuse(RefusalKind::NoGenerator, {Problem});
    Module &M = *Nest.EdgesHeader->getModule();
    Expected<PullKernel> Kernel = lowerPullInLibrary(M, Loop, TTI);
    if (!Kernel)
      return refuse(RefusalKind::EdgeLoop, {toString(Kernel.takeError())});
    replaceLoop(*Kernel);
    return std::nullopt;
  }

private:
  /// Returns the address of \p Load as a recurrence over the edges, or null.
  const SCEVAddRecExpr *edgeAddress(LoadInst &Load) {
    auto *Address =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Load.getPointerOperand()));
    return Address && Address->getLoop() == Nest.Inner ? Address : nullptr;
  }

  /// Whether the values that \p Load loads for the edges of a row are adjacent,
  /// in lanes of edge vectors or in the same layout, so that vectors of them
  /// can be loaded.
  bool isLaneByLane(LoadInst &Load) {
    const SCEVAddRecExpr *Address = edgeAddress(Load);
    assert(Address && "goes from edge to edge");
    uint64_t Bytes = Load.getDataLayout().getTypeStoreSize(Load.getType());
    auto *Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE));
    return Step && Step->getAPInt() == Bytes &&
           beginsAtVector(Nest, Address->getStart(), SE.getSCEV(Nest.Begin),
                          Bytes, SE);
  }

  MaybeRefusal readLoop() {
    if (!Nest.Vectors)
      return refuse(RefusalKind::NoEdgeVectors);
    if (Nest.Accumulators.size() != 1)
      return refuse(RefusalKind::SeveralValues);
    const Accumulator &A = Nest.Accumulators.front();
    if (A.First)
      return refuse(RefusalKind::FirstEdge);
    Loop.Inner = Nest.Inner;
    Loop.Accumulator = A.Phi;
    Loop.Kind = A.How.Kind;
    Loop.Lanes = Nest.Vectors->Lanes;
    Loop.LaneBits = Nest.Vectors->LaneBits;
    const SCEV *FirstLane = SE.getSCEV(Nest.Vectors->FirstLane);
    for (Instruction &I : instructionsIn(Nest.Inner->blocks())) {
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Address = Load ? edgeAddress(*Load) : nullptr;
      if (!Address)
        continue;
      bool IsLane = Address->getStart() == FirstLane;
      if (IsLane ? Loop.Lane : Loop.Weight)
        return refuse(RefusalKind::OtherLoads, Load);
      if (!isLaneByLane(*Load))
        return refuse(RefusalKind::NotLaneByLane, Load);
      (IsLane ? Loop.Lane : Loop.Weight) = Load;
    }
    if (!Loop.Lane)
      return refuse(RefusalKind::OtherPlace, Nest.Vectors->Marker);
    return std::nullopt;
  }

  Value *extend(IRBuilder<> &Builder, Value *Edge) {
    return Builder.CreateZExt(Edge, Builder.getInt64Ty());
  }

  void replaceLoop(const PullKernel &Kernel) {
    assert(Nest.Accumulators.size() == 1 && "a kernel returns one value");
    Accumulator &A = Nest.Accumulators.front();
    BasicBlock *Before = Nest.EdgesPreheader, *Rest = Nest.EdgesExit;
    SCEVExpander Expander(SE, "pull");
    auto StartOf = [&](LoadInst *Load) {
      return Expander.expandCodeFor(edgeAddress(*Load)->getStart(), nullptr,
                                    Before->getTerminator());
    };
    Value *Lanes = StartOf(Loop.Lane);
    Value *Weights = Loop.Weight ? StartOf(Loop.Weight) : nullptr;
    auto *Edges = BasicBlock::Create(Before->getContext(), "pull.edges",
                                     Before->getParent(), Rest);
    IRBuilder<> Builder(Edges);
    Builder.SetCurrentDebugLocation(Loop.Lane->getDebugLoc());
    Value *Count = Builder.CreateSub(extend(Builder, Nest.End),
                                     extend(Builder, Nest.Begin));
    SmallVector<Value *, 8> Arguments{Lanes, Builder.getInt64(0), Count};
    if (Weights)
      Arguments.push_back(Weights);
    Arguments.push_back(Nest.startOf(A));
    append_range(Arguments, Kernel.Invariants);
    Nest.Kernel = Builder.CreateCall(Kernel.Function, Arguments);
    Nest.KernelStart = Weights ? 4 : 3;
    Builder.CreateBr(Rest);
    Before->getTerminator()->replaceSuccessorWith(Nest.EdgesHeader, Edges);
    for (PHINode &Phi : Rest->phis()) {
      if (Phi.getIncomingValueForBlock(Nest.EdgesLatch) == A.Latest)
        Phi.setIncomingValueForBlock(Nest.EdgesLatch, Nest.Kernel);
      Phi.replaceIncomingBlockWith(Nest.EdgesLatch, Edges);
    }
    // The loop's exit was a block of its own.
    Nest.EdgesLatch->getTerminator()->replaceSuccessorWith(Rest,
                                                           Nest.EdgesHeader);
    SE.forgetLoop(Nest.Inner);
    DeleteDeadBlocks(Nest.Inner->getBlocksVector());
    A.Latest = Nest.Kernel;
    A.Phi = nullptr;
    Nest.Inner = nullptr;
    Nest.EdgeSteps.clear();
    Nest.EdgesHeader = Nest.EdgesLatch = Edges;
  }
};

} // namespace

MaybeRefusal heddle::callKernel(PullNest &Nest, const LoopContext &C) {
  assert(Nest.Inner && !Nest.Kernel && "one kernel takes the loop's place");
  return KernelCaller(Nest, C).run();
}

//===- WholeRows.cpp - Copies of a nest for whole rows --------------------===//

#include "pull/WholeRows.h"
#include "loop/Tunables.h"
#include "pull/ChunkState.h"
#include "pull/PullNest.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

class RowCopier {
  const PullNest &Nest;
  const ChunkState &State;
  Value *Iterations;
  BasicBlock *Header;
  Function &F;
  LLVMContext &C;
  IRBuilder<> Builder;
  SmallVector<BasicBlock *, 16> Blocks;

public:
  RowCopier(const PullNest &Nest, const ChunkState &State, BasicBlock *Next,
            Value *Iterations)
      : Nest(Nest), State(State), Iterations(Iterations),
        Header(Nest.RowsHeader), F(*Header->getParent()), C(F.getContext()),
        Builder(C), Blocks(rowBlocks(Next)) {}

  void run() {
    auto *Kind = BasicBlock::Create(C, "pull.kind", &F, Header);
    for (BasicBlock *Before : to_vector(predecessors(Header)))
      if (!is_contained(Blocks, Before))
        Before->getTerminator()->replaceSuccessorWith(Header, Kind);
    Builder.SetInsertPoint(Kind);
    Value *AreWhole = Builder.CreateAnd(
        Builder.CreateIsNull(load(Builder, State.LowEdge)),
        Builder.CreateICmpEQ(load(Builder, State.HighEdge),
                             Constant::getAllOnesValue(Builder.getInt64Ty())));
    BasicBlock *Whole = mayBeUnrolled() ? chooseByDegree() : copyRows(".whole");
    Builder.SetInsertPoint(Kind);
    Builder.CreateCondBr(AreWhole, Whole, Header);
  }

private:
  /// The blocks that go from row to row.
  SmallVector<BasicBlock *, 16> rowBlocks(BasicBlock *Next) {
    SetVector<BasicBlock *> Found;
    Found.insert(Header);
    for (unsigned I = 0; I != Found.size(); ++I)
      for (BasicBlock *Successor : successors(Found[I]))
        if (Successor != Next)
          Found.insert(Successor);
    return Found.takeVector();
  }

  bool mayBeUnrolled() const {
    return Iterations && !F.hasOptSize() &&
           Nest.EdgesHeader == Nest.EdgesLatch &&
           Nest.EdgesHeader->sizeWithoutDebug() <=
               tunable::UnrolledRowInstructions &&
           hasUnrollTransformation(Nest.Inner) == TM_Unspecified;
  }

  /// Copies the rows twice, and returns a block that chooses.
  BasicBlock *chooseByDegree() {
    auto *Degree = BasicBlock::Create(C, "pull.degree", &F, Header);
    BasicBlock *Long = copyRows(".whole");
    BasicBlock *Short = copyRows(".short", /*Rolled=*/true);
    Builder.SetInsertPoint(Degree);
    Value *Rows =
        Builder.CreateAdd(Builder.CreateSub(load(Builder, State.LastRow),
                                            load(Builder, State.Row)),
                          Builder.getInt64(1));
    Value *AreShort = Builder.CreateICmpULT(
        load(Builder, State.EdgesOfRows),
        Builder.CreateMul(Rows, Builder.getInt64(tunable::UnrolledRowEdges)));
    Builder.CreateCondBr(AreShort, Short, Long);
    return Degree;
  }

  /// Copies the loop over rows and returns the copy's header. Its inner loop
  /// ends by the number of its iterations if that is known, unless it shall
  /// stay \p Rolled.
  BasicBlock *copyRows(const char *Suffix, bool Rolled = false) {
    SmallVector<MDNode *, 4> Scopes;
    identifyNoAliasScopesToClone(Blocks, Scopes);
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *, 16> Copies;
    for (BasicBlock *Block : Blocks) {
      Copies.push_back(CloneBasicBlock(Block, Map, Suffix, &F));
      Copies.back()->moveBefore(Nest.RowsExit);
      Map[Block] = Copies.back();
    }
    remapInstructionsInBlocks(Copies, Map);
    cloneAndAdaptNoAliasScopes(Scopes, Copies, C, Suffix);
    auto *EdgesLatch = cast<BasicBlock>(Map[Nest.EdgesLatch]);
    if (Rolled) {
      keepRolled(*EdgesLatch->getTerminator());
    } else if (Iterations) {
      Value *Copy = Map.lookup(Iterations);
      countEdges(cast<BasicBlock>(Map[Nest.EdgesPreheader]),
                 cast<BasicBlock>(Map[Nest.EdgesHeader]), EdgesLatch,
                 Copy ? Copy : Iterations);
    }
    return cast<BasicBlock>(Map[Nest.RowsHeader]);
  }

  /// Makes the inner loop between \p EdgesHeader and \p EdgesLatch end by the
  /// number of its iterations. LLVM unrolls a loop if its trip count is cheap
  /// to compute, which it is not for a loop from pointer to pointer.
  void countEdges(BasicBlock *EdgesPreheader, BasicBlock *EdgesHeader,
                  BasicBlock *EdgesLatch, Value *Iterations) {
    Builder.SetInsertPoint(EdgesHeader, EdgesHeader->begin());
    PHINode *Done = Builder.CreatePHI(Builder.getInt64Ty(), 2, "done");
    auto *Branch = cast<BranchInst>(EdgesLatch->getTerminator());
    Builder.SetInsertPoint(Branch);
    Value *Next = Builder.CreateNUWAdd(Done, Builder.getInt64(1));
    Done->addIncoming(Builder.getInt64(0), EdgesPreheader);
    Done->addIncoming(Next, EdgesLatch);
    Branch->setCondition(Builder.CreateICmp(
        Branch->getSuccessor(0) == EdgesHeader ? CmpInst::ICMP_NE
                                               : CmpInst::ICMP_EQ,
        Next, Iterations));
  }

  /// Keeps LLVM from unrolling the loop that \p Branch ends.
  void keepRolled(Instruction &Branch) {
    auto *Once = MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
    Branch.setMetadata(LLVMContext::MD_loop,
                       makePostTransformationMetadata(
                           C, Branch.getMetadata(LLVMContext::MD_loop),
                           {"llvm.loop.unroll."}, {Once}));
  }
};

} // namespace

Value *heddle::countIterations(const PullNest &Nest, ScalarEvolution &SE) {
  if (Nest.Kernel)
    return nullptr;
  assert(Nest.Inner && Nest.Finish && Nest.FinishStep && "a loop that ends");
  Type *I64 = Type::getInt64Ty(SE.getContext());
  const SCEV *Count;
  if (Nest.Finish->isEquality()) {
    // The loop would not end if the row's span were no multiple of the step.
    Count = SE.getUDivExactExpr(
        Nest.Span, SE.getConstant(Nest.Span->getType(), Nest.FinishStep));
    Count = SE.getTruncateOrZeroExtend(Count, I64);
  } else {
    Count = SE.getBackedgeTakenCount(Nest.Inner);
    if (isa<SCEVCouldNotCompute>(Count))
      return nullptr;
    Count =
        SE.getAddExpr(SE.getTruncateOrZeroExtend(Count, I64), SE.getOne(I64));
  }
  return SCEVExpander(SE, "pull")
      .expandCodeFor(Count, I64, Nest.EdgesPreheader->getTerminator());
}

void heddle::copyForWholeRows(const PullNest &Nest, const ChunkState &State,
                              BasicBlock *Next, Value *Iterations) {
  assert((!Nest.Kernel || !Iterations) && "a kernel has no loop to unroll");
  assert((!Iterations || Iterations->getType()->isIntegerTy(64)) &&
         "counted in 64 bits");
  RowCopier(Nest, State, Next, Iterations).run();
}

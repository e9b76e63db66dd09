//===- Terminate.cpp - Exceptions that would leave an iteration -----------===//

#include "ends/Terminate.h"
#include "ends/ProgramEnds.h"
#include "ir/Instructions.h"
#include "ir/SharedDefinition.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace heddle;

/// True if exceptions of C++ pass through \p F. In C and Fortran none do.
static bool isOfCxx(const Function &F) {
  if (F.hasPersonalityFn()) {
    const EHPersonality Personality =
        classifyEHPersonality(F.getPersonalityFn());
    return Personality == EHPersonality::GNU_CXX ||
           Personality == EHPersonality::GNU_CXX_SjLj;
  }
  const DISubprogram *Program = F.getSubprogram();
  if (Program && Program->getUnit())
    return dwarf::isCPlusPlus(dwarf::SourceLanguage(
        Program->getUnit()->getSourceLanguage().getUnversionedName()));
  return any_of(*F.getParent(), [](const Function &Other) {
    return Other.getName().starts_with("_Z");
  });
}

/// `__clang_call_terminate(ptr)`, which Clang defines in each module that calls
/// it.
static Function *terminateFunction(Module &M) {
  LLVMContext &Context = M.getContext();
  Type *Void = Type::getVoidTy(Context), *Ptr = PointerType::get(Context, 0);
  auto *F = cast<Function>(
      M.getOrInsertFunction("__clang_call_terminate", Void, Ptr).getCallee());
  if (!F->isDeclaration())
    return F;
  shareDefinition(*F);
  F->addFnAttr(Attribute::NoInline);
  F->setDoesNotReturn();
  F->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(Context, "", F));
  FunctionCallee Begin = M.getOrInsertFunction("__cxa_begin_catch", Ptr, Ptr);
  FunctionCallee Terminate = M.getOrInsertFunction("_ZSt9terminatev", Void);
  B.CreateCall(Begin, {F->getArg(0)})->setDoesNotThrow();
  CallInst *Call = B.CreateCall(Terminate);
  Call->setDoesNotReturn();
  Call->setDoesNotThrow();
  B.CreateUnreachable();
  return F;
}

static bool mayThrow(const CallInst &Call) {
  return !Call.doesNotThrow() && !Call.isInlineAsm() &&
         !isa<IntrinsicInst>(Call) && !Call.isMustTailCall();
}

namespace {

/// Finds the ways out of a loop, and closes those that exceptions take.
class LoopCloser {
  struct Edge {
    BasicBlock *From, *To;
  };

  Loop &L;
  LoopInfo &LI;
  Function &F;
  ProgramEnds Ends;
  /// Code that iterations run: that of the loop, and that which ends the
  /// program.
  ProgramEnds::Blocks Inside;
  SmallVector<Edge> Unwinding;
  SmallVector<CallInst *> Calls;
  SmallVector<LandingPadInst *> OpenPads;
  BasicBlock *Pad = nullptr;

public:
  LoopCloser(Loop &L, LoopInfo &LI)
      : L(L), LI(LI), F(*L.getHeader()->getParent()), Ends(F) {
    Inside.insert_range(L.blocks());
  }

  bool run() {
    if (!find() || (Calls.empty() && Unwinding.empty() && OpenPads.empty()) ||
        !isOfCxx(F))
      return false;
    if (!isPrivate())
      copyEnds();
    for (LandingPadInst *Open : OpenPads)
      Open->addClause(
          Constant::getNullValue(PointerType::get(F.getContext(), 0)));
    closeUnwinding();
    for (CallInst *Call : Calls)
      closeCall(*Call);
    removeUnreached();
    return true;
  }

private:
  /// Finds what is to be closed; false if a handler around the loop may catch
  /// an exception.
  bool find() {
    for (unsigned N = 0; N < Inside.size(); ++N) {
      BasicBlock &Block = *Inside[N];
      for (Instruction &I : Block)
        if (auto *Call = dyn_cast<CallInst>(&I);
            Call && mayThrow(*Call) && !F.doesNotThrow())
          Calls.push_back(Call);
        else if (auto *Landing = dyn_cast<LandingPadInst>(&I);
                 Landing && !catchesAll(*Landing))
          OpenPads.push_back(Landing);
      for (BasicBlock *To : successors(&Block)) {
        if (Inside.contains(To))
          continue;
        switch (Ends.wayOut(*To, L)) {
        case WayOut::GoesOn:
          if (To->isLandingPad() || unwindingFrom(Block, L))
            return false;
          break;
        case WayOut::Unwinds:
          if (none_of(Unwinding, [&](const Edge &E) {
                return E.From == &Block && E.To == To;
              }))
            Unwinding.push_back({&Block, To});
          break;
        case WayOut::Ends:
          Inside.insert(To);
          break;
        }
      }
    }
    return true;
  }

  static bool catchesAll(const LandingPadInst &Landing) {
    for (unsigned I = 0; I < Landing.getNumClauses(); ++I)
      if (Landing.isCatch(I) && isa<ConstantPointerNull>(Landing.getClause(I)))
        return true;
    return false;
  }

  /// True if only iterations of the loop get to the ends that are about to be
  /// changed.
  bool isPrivate() const {
    SmallPtrSet<const BasicBlock *, 8> Changing;
    for (const CallInst *Call : Calls)
      Changing.insert(Call->getParent());
    for (const LandingPadInst *Open : OpenPads)
      Changing.insert(Open->getParent());
    for (const Edge &E : Unwinding)
      Changing.insert(E.From);
    return all_of(Changing, [&](const BasicBlock *Block) {
      return L.contains(Block) || isReachedFromLoopOnly(*Block);
    });
  }

  bool isReachedFromLoopOnly(const BasicBlock &Block) const {
    SmallPtrSet<const BasicBlock *, 8> Before{&Block};
    SmallVector<const BasicBlock *> Worklist{&Block};
    while (!Worklist.empty())
      for (const BasicBlock *From : predecessors(Worklist.pop_back_val())) {
        if (!Inside.contains(const_cast<BasicBlock *>(From)))
          return false;
        if (!L.contains(From) && Before.insert(From).second)
          Worklist.push_back(From);
      }
    return true;
  }

  /// Gives the loop a copy of the code that ends the program.
  void copyEnds() {
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *> Originals, Copies;
    for (BasicBlock *Block : Inside)
      if (!L.contains(Block)) {
        Originals.push_back(Block);
        Copies.push_back(CloneBasicBlock(Block, Map, ".end", &F));
        Map[Block] = Copies.back();
      }
    for (auto [Original, Copy] : zip_equal(Originals, Copies))
      for (PHINode &Phi : Copy->phis())
        for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
          if (!Inside.contains(Phi.getIncomingBlock(I)))
            Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
    remapInstructionsInBlocks(Copies, Map);
    for (auto [Original, Copy] : zip_equal(Originals, Copies)) {
      for (BasicBlock *From : SmallVector<BasicBlock *>(predecessors(Original)))
        if (L.contains(From)) {
          Original->removePredecessor(From, /*KeepOneInputPHIs=*/true);
          From->getTerminator()->replaceSuccessorWith(Original, Copy);
        }
    }
    const auto Copied = [&](auto *&V) {
      if (Value *Copy = Map.lookup(V))
        V = cast<std::remove_pointer_t<std::remove_reference_t<decltype(V)>>>(
            Copy);
    };
    for_each(Calls, Copied);
    for_each(OpenPads, Copied);
    for (Edge &E : Unwinding)
      Copied(E.From);
    for (BasicBlock *Copy : Copies)
      Inside.insert(Copy);
    for (BasicBlock *Original : Originals)
      Inside.remove(Original);
  }

  DebugLoc place() const {
    DISubprogram *Program = F.getSubprogram();
    return Program ? DebugLoc(DILocation::get(F.getContext(), 0, 0, Program))
                   : DebugLoc();
  }

  void emitTerminate(IRBuilder<> &B, Value *Exception) {
    CallInst *Call =
        B.CreateCall(terminateFunction(*F.getParent()), {Exception});
    Call->setDebugLoc(place());
    Call->setDoesNotThrow();
    Call->setDoesNotReturn();
    B.CreateUnreachable();
  }

  /// The landing pad of exceptions that leave an iteration.
  BasicBlock *terminatePad() {
    if (Pad)
      return Pad;
    LLVMContext &Context = F.getContext();
    Type *Ptr = PointerType::get(Context, 0);
    if (!F.hasPersonalityFn())
      F.setPersonalityFn(cast<Constant>(
          F.getParent()
              ->getOrInsertFunction(
                  "__gxx_personality_v0",
                  FunctionType::get(Type::getInt32Ty(Context), true))
              .getCallee()));
    Pad = BasicBlock::Create(Context, "heddle.terminate", &F);
    IRBuilder<> B(Pad);
    LandingPadInst *Landing =
        B.CreateLandingPad(StructType::get(Ptr, Type::getInt32Ty(Context)), 1);
    Landing->addClause(Constant::getNullValue(Ptr));
    emitTerminate(B, B.CreateExtractValue(Landing, 0));
    return Pad;
  }

  void closeUnwinding() {
    BasicBlock *Terminate = nullptr;
    for (const Edge &E : Unwinding) {
      E.To->removePredecessor(E.From, /*KeepOneInputPHIs=*/true);
      auto *Invoke = dyn_cast<InvokeInst>(E.From->getTerminator());
      if (Invoke && Invoke->getUnwindDest() == E.To) {
        Invoke->setUnwindDest(terminatePad());
        continue;
      }
      if (!Terminate)
        Terminate = BasicBlock::Create(F.getContext(), "heddle.unhandled", &F);
      E.From->getTerminator()->replaceSuccessorWith(E.To, Terminate);
    }
    if (Terminate)
      terminateUnhandled(Terminate);
  }

  /// Ends the program in \p Block, to which an exception comes for which no
  /// handler of the iteration is meant.
  void terminateUnhandled(BasicBlock *Block) {
    SSAUpdater Exception;
    Exception.Initialize(PointerType::get(F.getContext(), 0), "exception");
    for (BasicBlock *Landed : Inside)
      if (auto *Landing = Landed->getLandingPadInst())
        Exception.AddAvailableValue(
            Landed, IRBuilder<>(Landed, std::next(Landing->getIterator()))
                        .CreateExtractValue(Landing, 0));
    IRBuilder<> B(Block);
    emitTerminate(B, Exception.GetValueInMiddleOfBlock(Block));
  }

  /// Removes the clean-ups that no exception comes to any more.
  void removeUnreached() {
    df_iterator_default_set<BasicBlock *, 32> Reached;
    for (BasicBlock *Block : depth_first_ext(&F, Reached))
      (void)Block;
    ProgramEnds::Blocks Left;
    for (const Edge &E : Unwinding)
      Left.insert(E.To);
    SmallVector<BasicBlock *> Dead;
    for (unsigned N = 0; N < Left.size(); ++N)
      if (!Reached.contains(Left[N])) {
        Dead.push_back(Left[N]);
        Left.insert_range(successors(Left[N]));
      }
    DeleteDeadBlocks(Dead);
  }

  void closeCall(CallInst &Call) {
    BasicBlock *Block = Call.getParent();
    SmallVector<std::pair<unsigned, MDNode *>> Metadata;
    Call.getAllMetadata(Metadata);
    BasicBlock *Next = changeToInvokeAndSplitBasicBlock(&Call, terminatePad());
    for (auto [Kind, Node] : Metadata)
      Block->getTerminator()->setMetadata(Kind, Node);
    if (Loop *Innermost = LI.getLoopFor(Block))
      Innermost->addBasicBlockToLoop(Next, LI);
  }
};

} // namespace

bool heddle::endOnExceptions(Loop &L, LoopInfo &LI) {
  return LoopCloser(L, LI).run();
}

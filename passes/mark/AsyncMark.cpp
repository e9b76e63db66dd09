//===- AsyncMark.cpp - Make the directive's marks survive -O3 -------------===//

#include "mark/AsyncMark.h"
#include "ends/Terminate.h"
#include "ir/Instructions.h"
#include "loop/Refusal.h"
#include "mark/AccessTags.h"
#include "mark/ClauseCalls.h"
#include "mark/Directive.h"
#include "mark/KeepRolled.h"
#include "mark/LoopScalars.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

namespace {

constexpr char BorrowedHint[] = "llvm.loop.pipeline.initiationinterval";

/// The directive number if \p Property is the borrowed hint, or 0.
unsigned hintedNumber(const MDNode *Property) {
  if (!Property || Property->getNumOperands() != 2)
    return 0;
  auto *Name = dyn_cast_or_null<MDString>(Property->getOperand(0));
  auto *Number =
      mdconst::dyn_extract_or_null<ConstantInt>(Property->getOperand(1));
  return Name && Name->getString() == BorrowedHint && Number &&
                 Number->getZExtValue() >= FirstDirective
             ? Number->getZExtValue()
             : 0;
}

/// The directive number in a list of loop properties, or 0. Other loop hints
/// move it into a list of properties for the transformed loop.
unsigned directiveNumber(const MDNode *Properties) {
  if (!Properties || Properties->getNumOperands() == 0)
    return 0;
  for (const MDOperand &Op : drop_begin(Properties->operands())) {
    // Source locations are among the properties.
    auto *Property = dyn_cast_or_null<MDTuple>(Op);
    unsigned Number = hintedNumber(Property);
    if (Number || (Number = directiveNumber(Property)))
      return Number;
  }
  return 0;
}

/// Adds the loop properties of \p From to \p To, without the borrowed hint.
void copyProperties(const MDNode &From, SmallVectorImpl<Metadata *> &To) {
  for (const MDOperand &Op : drop_begin(From.operands())) {
    auto *Property = dyn_cast_or_null<MDTuple>(Op);
    if (hintedNumber(Property))
      continue;
    if (!directiveNumber(Property)) {
      To.push_back(Op);
      continue;
    }
    SmallVector<Metadata *> Rest{Property->getOperand(0)};
    copyProperties(*Property, Rest);
    if (Rest.size() > 1)
      To.push_back(MDNode::get(From.getContext(), Rest));
  }
}

bool isPull(const CallInst &FrontEndMark) {
  return clauseOf(FrontEndMark, Pull);
}

/// Returns the location of remarks on the loop \p L, if it is one.
DebugLoc placeOf(const Loop *L, const CallInst &FrontEndMark) {
  DebugLoc Start = L ? L->getStartLoc() : DebugLoc();
  return Start ? Start : FrontEndMark.getDebugLoc();
}

/// The loop properties of \p L. A `continue` may branch back to the header
/// without the properties.
MDNode *propertiesOf(const Loop &L) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  for (const BasicBlock *Latch : Latches)
    if (MDNode *Properties =
            Latch->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return Properties;
  return nullptr;
}

/// Returns the loop that contains \p FrontEndMark and has its number, or null.
Loop *loopOf(const CallInst &FrontEndMark, const LoopInfo &LI) {
  unsigned Number = numberOf(FrontEndMark);
  Loop *L = LI.getLoopFor(FrontEndMark.getParent());
  // Unrolling in full leaves no loop that could keep a hint.
  if (L && findOptionMDForLoop(L, "llvm.loop.unroll.full"))
    return L;
  while (L && directiveNumber(propertiesOf(*L)) != Number)
    L = L->getParentLoop();
  return L;
}

MDNode *loopID(LLVMContext &Context, SmallVectorImpl<Metadata *> &Properties) {
  MDNode *New = MDNode::getDistinct(Context, Properties);
  New->replaceOperandWith(0, New);
  return New;
}

/// Keeps the unroller and the vectoriser away.
MDNode *keepAsWritten(LLVMContext &Context) {
  return MDNode::get(Context,
                     {MDString::get(Context, "llvm.loop.disable_nonforced")});
}

/// \p LoopID without the borrowed hint.
MDNode *removeHint(const MDNode &LoopID) {
  SmallVector<Metadata *> Properties{nullptr};
  copyProperties(LoopID, Properties);
  return Properties.size() == 1 ? nullptr
                                : loopID(LoopID.getContext(), Properties);
}

/// Returns \p LoopID with our own property \p Name in place of the borrowed
/// hint.
MDNode *replaceHint(const MDNode &LoopID, StringRef Name, unsigned Number) {
  LLVMContext &Context = LoopID.getContext();
  SmallVector<Metadata *> Properties{nullptr};
  copyProperties(LoopID, Properties);
  Type *I32 = Type::getInt32Ty(Context);
  Properties.push_back(MDNode::get(
      Context, {MDString::get(Context, Name),
                ConstantAsMetadata::get(ConstantInt::get(I32, Number))}));
  Properties.push_back(keepAsWritten(Context));
  return loopID(Context, Properties);
}

/// The loops inside \p L are part of the nest that the directive speaks of.
void keepInnerLoopsAsWritten(Loop &L) {
  LLVMContext &Context = L.getHeader()->getContext();
  for (Loop *Inner : L.getSubLoops())
    Inner->setLoopID(makePostTransformationMetadata(
        Context, Inner->getLoopID(), {}, {keepAsWritten(Context)}));
}

} // namespace

FunctionCallee heddle::getMarker(Module &M, StringRef Name) {
  LLVMContext &Context = M.getContext();
  FunctionCallee Marker = M.getOrInsertFunction(
      Name, FunctionType::get(Type::getVoidTy(Context),
                              {Type::getInt32Ty(Context)}, true));
  auto *F = cast<Function>(Marker.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setOnlyAccessesInaccessibleMemory();
  return Marker;
}

namespace {

/// Recomputes the operand \p V of \p FrontEndMark at \p Before, which is
/// earlier in the program, from variables in memory. Null if it takes more than
/// one block to compute it.
Value *repeat(Value *V, const CallInst &FrontEndMark, Instruction *Before) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<AllocaInst>(I))
    return V;
  if (I->getParent() != FrontEndMark.getParent() || isa<PHINode>(I) ||
      I->mayHaveSideEffects())
    return nullptr;
  Instruction *Clone = I->clone();
  Clone->dropUBImplyingAttrsAndMetadata();
  for (Use &Operand : Clone->operands()) {
    Value *Repeated = repeat(Operand, FrontEndMark, Before);
    if (!Repeated) {
      Clone->deleteValue();
      return nullptr;
    }
    Operand.set(Repeated);
  }
  Clone->insertBefore(Before->getIterator());
  return Clone;
}

/// Turns the front end's call \p FrontEndMark for loop \p L into AsyncSplit's
/// or PullPass's.
void markLoop(Loop &L, CallInst &FrontEndMark, const LoopInfo &LI) {
  unsigned Number = numberOf(FrontEndMark);
  SmallVector<Value *> Arguments{FrontEndMark.getArgOperand(0)};
  for (unsigned I = 1; I + 1 < FrontEndMark.arg_size(); I += 2) {
    Value *Kind = FrontEndMark.getArgOperand(I);
    Value *Operand = FrontEndMark.getArgOperand(I + 1);
    switch (cast<ConstantInt>(Kind)->getZExtValue()) {
    case Remote:
      tagAccessesThrough(Operand, L, RemoteMetadata);
      break;
    case Near:
      tagAccessesThrough(Operand, L, NearMetadata);
      break;
    case RemoteData:
      tagAccessesTo(Operand, L, RemoteMetadata);
      break;
    case NearData:
      tagAccessesTo(Operand, L, NearMetadata);
      break;
    default:
      Arguments.append({Kind, Operand});
    }
  }
  // A collapsed nest has its mark in the innermost body; the mark holds for the
  // loop with the hint.
  Instruction *InsertBefore = &FrontEndMark;
  if (LI.getLoopFor(FrontEndMark.getParent()) != &L) {
    BasicBlock *Head = L.getHeader();
    for (BasicBlock *Successor : successors(Head))
      if (L.isLoopExiting(Head) && LI.getLoopFor(Successor) == &L) {
        Head = Successor;
        break;
      }
    InsertBefore = &*Head->getFirstInsertionPt();
    // A condition that cannot be repeated is taken to be false.
    for (Value *&Argument : Arguments) {
      Value *Repeated = repeat(Argument, FrontEndMark, InsertBefore);
      Argument =
          Repeated ? Repeated : Constant::getNullValue(Argument->getType());
    }
  }
  IRBuilder<> Builder(InsertBefore);
  bool Pull = isPull(FrontEndMark);
  FunctionCallee Marker = getMarker(*FrontEndMark.getModule(),
                                    Pull ? PullMarkerName : AsyncMarkerName);
  // One OpenMP schedule distributes one loop, which must not be duplicated.
  if (Pull)
    cast<Function>(Marker.getCallee())->setConvergent();
  CallInst *Call = Builder.CreateCall(Marker, Arguments);
  Call->setDebugLoc(placeOf(&L, FrontEndMark));
  // The marker knows variables by address without letting them escape.
  for (unsigned I = 0; I < Call->arg_size(); ++I)
    if (Call->getArgOperand(I)->getType()->isPointerTy())
      Call->addParamAttr(I, Attribute::getWithCaptureInfo(Call->getContext(),
                                                          CaptureInfo::none()));
  L.setLoopID(replaceHint(*propertiesOf(L),
                          Pull ? PullLoopProperty : AsyncLoopProperty, Number));
  if (Pull)
    keepInnerLoopsAsWritten(L);
  else
    markCallees(L);
}

/// Gives \p FrontEndMark, which is meant for the innermost loop around it, the
/// number \p Number, and its loop the hint.
void numberMark(CallInst &FrontEndMark, unsigned Number, const LoopInfo &LI) {
  LLVMContext &Context = FrontEndMark.getContext();
  auto *Value = ConstantInt::get(Type::getInt32Ty(Context), Number);
  FrontEndMark.setArgOperand(0, Value);
  Loop *L = LI.getLoopFor(FrontEndMark.getParent());
  if (!L)
    return;
  SmallVector<Metadata *> Properties{nullptr};
  if (const MDNode *Before = propertiesOf(*L))
    copyProperties(*Before, Properties);
  Properties.push_back(
      MDNode::get(Context, {MDString::get(Context, BorrowedHint),
                            ConstantAsMetadata::get(Value)}));
  L->setLoopID(loopID(Context, Properties));
}

/// Says on \p L, the loop of \p FrontEndMark, that it stays as it is.
void reportUnmarked(const Loop *L, CallInst &FrontEndMark, const char *Name,
                    RefusalKind Why) {
  OptimizationRemarkEmitter ORE(FrontEndMark.getFunction());
  ORE.emit([&] {
    OptimizationRemarkMissed Remark("heddle", Name,
                                    remarkPlace(placeOf(L, FrontEndMark)),
                                    FrontEndMark.getParent());
    Remark << (isPull(FrontEndMark) ? NotBalanced : NotInterleaved)
           << textOf(Why);
    addNext(Remark, refuse(Why));
    return Remark;
  });
}

/// An exception that leaves an iteration of an annotated loop ends the program.
void endOnExceptions(Function &F, ArrayRef<CallInst *> FrontEndMarks,
                     FunctionAnalysisManager &AM) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  bool Changed = false;
  for (CallInst *FrontEndMark : FrontEndMarks)
    if (Loop *L = numberOf(*FrontEndMark) == InnermostLoop
                      ? LI.getLoopFor(FrontEndMark->getParent())
                      : loopOf(*FrontEndMark, LI))
      Changed |= heddle::endOnExceptions(*L, LI);
  if (Changed)
    AM.invalidate(F, PreservedAnalyses::none());
}

bool markFunction(Function &F, FunctionAnalysisManager &AM, bool Optimizing,
                  unsigned &NextNumber, Outcomes &LoopOutcomes) {
  const SmallVector<CallInst *, 4> FrontEndMarks =
      findCalls(F, [](StringRef Name) { return Name == MarkFunctionName; });
  if (FrontEndMarks.empty())
    return false;
  endOnExceptions(F, FrontEndMarks, AM);

  auto &LI = AM.getResult<LoopAnalysis>(F);
  bool Mark = Optimizing && !F.hasOptNone();
  SmallVector<Loop *> Marked;
  for (CallInst *FrontEndMark : FrontEndMarks) {
    if (numberOf(*FrontEndMark) == InnermostLoop) {
      Loop *Around = LI.getLoopFor(FrontEndMark->getParent());
      if (Around && is_contained(Marked, Around)) {
        reportUnmarked(Around, *FrontEndMark, "MarkedTwice",
                       RefusalKind::MarkedTwice);
        continue;
      }
      numberMark(*FrontEndMark, NextNumber++, LI);
    }
    Loop *L = loopOf(*FrontEndMark, LI);
    if (!Mark) {
      reportUnmarked(L, *FrontEndMark, "NotOptimizing",
                     RefusalKind::OptimizationOff);
    } else if (!L) {
      reportUnmarked(L, *FrontEndMark, "NotALoop", RefusalKind::NeverRepeats);
      const Refusal Why = refuse(RefusalKind::NeverRepeats);
      LoopOutcomes.noteNoEffect(
          numberOf(*FrontEndMark), placeOf(L, *FrontEndMark), F, Why,
          (isPull(*FrontEndMark) ? NotBalanced : NotInterleaved) + Why.Reason);
    } else {
      LoopOutcomes.expect(numberOf(*FrontEndMark), placeOf(L, *FrontEndMark),
                          F.getName(),
                          isPull(*FrontEndMark) ? NotBalanced : NotInterleaved);
      markLoop(*L, *FrontEndMark, LI);
      Marked.push_back(L);
    }
  }
  // Loops without a mark lose the front end's hint, too.
  for (BasicBlock &Block : F) {
    Instruction *Terminator = Block.getTerminator();
    MDNode *LoopID = Terminator->getMetadata(LLVMContext::MD_loop);
    if (directiveNumber(LoopID))
      Terminator->setMetadata(LLVMContext::MD_loop, removeHint(*LoopID));
  }
  for (CallInst *FrontEndMark : FrontEndMarks)
    FrontEndMark->eraseFromParent();
  for (Loop *L : Marked)
    isolateLoopScalars(*L, AM.getResult<DominatorTreeAnalysis>(F), LI);
  return true;
}

} // namespace

/// Gives `heddle_edge_vectors` attributes with which its calls do not hinder
/// other passes before PullPass has read them.
static bool prepareEdgeVectorCalls(Module &M, bool Optimizing) {
  Function *Announce = M.getFunction(EdgeVectorsName);
  if (!Announce || !Announce->isDeclaration())
    return false;
  Announce->setDoesNotThrow();
  Announce->setWillReturn();
  Announce->setOnlyAccessesInaccessibleMemory();
  Announce->addParamAttr(
      0, Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  if (!Optimizing)
    eraseEdgeVectorCalls(M);
  return true;
}

PreservedAnalyses AsyncMarkPass::run(Module &M, ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Changed = prepareEdgeVectorCalls(M, Optimizing);
  if (hasClauseCalls(M)) {
    for (Function &F : M)
      if (!F.isDeclaration())
        mergeClauseCalls(F, FAM.getResult<DominatorTreeAnalysis>(F),
                         FAM.getResult<LoopAnalysis>(F),
                         Optimizing && !F.hasOptNone()
                             ? &FAM.getResult<AAManager>(F)
                             : nullptr);
    eraseClauseFunctions(M);
    Changed = true;
  }
  unsigned NextNumber = FirstInnermost;
  for (Function &F : M)
    if (!F.isDeclaration() &&
        markFunction(F, FAM, Optimizing, NextNumber, *LoopOutcomes)) {
      FAM.invalidate(F, PreservedAnalyses::none());
      Changed = true;
    }
  if (Function *FrontEndMark = M.getFunction(MarkFunctionName))
    if (FrontEndMark->use_empty())
      FrontEndMark->eraseFromParent();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

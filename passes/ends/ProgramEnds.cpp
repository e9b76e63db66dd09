//===- ProgramEnds.cpp - Ways out of loops that end the program -----------===//

#include "ends/ProgramEnds.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

SmallVector<BasicBlock *, 2>
heddle::ordinarySuccessors(const BasicBlock &Block) {
  const Instruction *End = Block.getTerminator();
  if (auto *Invoke = dyn_cast<InvokeInst>(End))
    return {Invoke->getNormalDest()};
  SmallVector<BasicBlock *, 2> All;
  for (unsigned I = 0; I < End->getNumSuccessors(); ++I)
    All.push_back(End->getSuccessor(I));
  return All;
}

static bool mayThrow(const CallBase &Call, unsigned Depth) {
  if (!Call.doesNotReturn() || Call.doesNotThrow())
    return false;
  const StringRef Name = calleeName(Call);
  const Function *Callee = definedCallee(Call);
  if (!Callee)
    return Name == "__cxa_throw" || Name == "__cxa_rethrow" ||
           Name.contains("__throw_");
  return Depth && any_of(instructions(*Callee), [&](const Instruction &I) {
           auto *Inner = dyn_cast<CallBase>(&I);
           return Inner && mayThrow(*Inner, Depth - 1);
         });
}

bool heddle::mayEndByThrowing(const CallBase &Call) {
  return mayThrow(Call, /*Depth=*/4);
}

ProgramEnds::ProgramEnds(const Function &F) {
  SmallVector<const BasicBlock *> Worklist;
  for (const BasicBlock &Block : F)
    if (!isa<UnreachableInst, ResumeInst>(Block.getTerminator()) &&
        succ_empty(&Block) && Returning.insert(&Block).second)
      Worklist.push_back(&Block);
  while (!Worklist.empty()) {
    const BasicBlock *Block = Worklist.pop_back_val();
    for (const BasicBlock *Before : predecessors(Block))
      if (is_contained(ordinarySuccessors(*Before), Block) &&
          Returning.insert(Before).second)
        Worklist.push_back(Before);
  }
}

/// Functions that do not return but do not end the program.
static bool isJump(StringRef Name) {
  return Name.contains("longjmp") || Name == "setcontext" ||
         Name == "pthread_exit" || Name == "thrd_exit";
}

bool ProgramEnds::mayJump(const Function &F) {
  auto [Known, IsNew] = Jumping.try_emplace(&F, false);
  if (!IsNew)
    return Known->second;
  const bool Jumps =
      any_of(instructions(F), [&](const Instruction &I) { return mayJump(I); });
  return Jumping[&F] = Jumps;
}

bool ProgramEnds::mayJump(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->doesNotReturn())
    return false;
  const Function *Callee = definedCallee(I);
  return isJump(calleeName(I)) || (Callee && mayJump(*Callee));
}

/// True if each of \p Passed leads to a block without successors.
static bool allCome(const ProgramEnds::Blocks &Passed) {
  SmallPtrSet<const BasicBlock *, 16> Coming;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *Block : reverse(Passed)) {
      const auto Next = ordinarySuccessors(*Block);
      if (Next.empty() || any_of(Next, [&](const BasicBlock *Successor) {
            return Coming.contains(Successor);
          }))
        Changed |= Coming.insert(Block).second;
    }
  }
  return Coming.size() == Passed.size();
}

WayOut ProgramEnds::wayOut(BasicBlock &To, const Loop &L, Blocks *Passed) {
  Blocks Way;
  Way.insert(&To);
  bool Catches = false, Resumes = false;
  for (unsigned N = 0; N < Way.size(); ++N) {
    BasicBlock &Block = *Way[N];
    if (Returning.contains(&Block) || L.contains(&Block))
      return WayOut::GoesOn;
    for (const Instruction &I : Block) {
      if (mayJump(I))
        return WayOut::GoesOn;
      Catches |= calleeName(I) == "__cxa_begin_catch";
    }
    Resumes |= isa<ResumeInst>(Block.getTerminator());
    Way.insert_range(ordinarySuccessors(Block));
  }
  if (!allCome(Way))
    return WayOut::GoesOn;
  if (Passed)
    Passed->insert_range(Way);
  const bool Lands = To.isLandingPad() && !isTerminatePad(To);
  return !Catches && (Resumes || Lands) ? WayOut::Unwinds : WayOut::Ends;
}

bool heddle::isTerminatePad(const BasicBlock &Block) {
  if (!Block.isLandingPad() || !isa<UnreachableInst>(Block.getTerminator()))
    return false;
  bool Terminates = false;
  for (const Instruction &I : Block) {
    const StringRef Callee = calleeName(I);
    if (Callee == "__clang_call_terminate" || Callee == "_ZSt9terminatev")
      Terminates = true;
    else if (I.mayWriteToMemory() && !isa<LandingPadInst, DbgInfoIntrinsic>(I))
      return false;
  }
  return Terminates;
}

const Instruction *heddle::handlerBehind(BasicBlock &Pad) {
  ProgramEnds::Blocks Way;
  Way.insert(&Pad);
  for (unsigned N = 0; N < Way.size(); ++N) {
    for (const Instruction &I : *Way[N])
      if (calleeName(I) == "__cxa_begin_catch")
        return &I;
    Way.insert_range(ordinarySuccessors(*Way[N]));
  }
  return nullptr;
}

const InvokeInst *heddle::unwindingFrom(const BasicBlock &Block,
                                        const Loop &L) {
  SmallSetVector<const BasicBlock *, 8> Way;
  Way.insert(&Block);
  const InvokeInst *From = nullptr;
  for (unsigned N = 0; N < Way.size(); ++N) {
    if (any_of(*Way[N], [](const Instruction &I) {
          return calleeName(I) == "__cxa_begin_catch";
        }))
      return nullptr;
    if (Way[N]->isLandingPad()) {
      From = cast<InvokeInst>((*pred_begin(Way[N]))->getTerminator());
      continue;
    }
    if (Way[N] == L.getHeader())
      return nullptr;
    Way.insert_range(predecessors(Way[N]));
  }
  return From;
}

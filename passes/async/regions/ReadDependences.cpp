//===- ReadDependences.cpp - What depends on what is read -----------------===//

#include "async/regions/ReadDependences.h"
#include "async/analysis/FrameValues.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

const AllocaInst *ReadDependences::localAt(const Value *Address) const {
  auto *Variable = Address->getType()->isPointerTy()
                       ? dyn_cast<AllocaInst>(getUnderlyingObject(Address))
                       : nullptr;
  return Variable && Locals.contains(Variable) ? Variable : nullptr;
}

const ReadDependences::ReadValues &
ReadDependences::valuesOf(const Instruction *Read) const {
  auto [Found, IsNew] = Known.try_emplace(Read);
  ReadValues &Of = Found->second;
  if (!IsNew)
    return Of;
  Of.Values.push_back(Read);
  if (auto *Call = dyn_cast<CallBase>(Read))
    for (const Value *Argument : Call->args())
      if (const AllocaInst *Local = localAt(Argument))
        Of.Filled.insert(Local);
  if (!Of.Filled.empty())
    for (const Instruction &I : instructionsIn(L.blocks()))
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Of.Filled.contains(localAt(Load->getPointerOperand())))
        Of.Values.push_back(Load);
  return Of;
}

/// The blocks of \p Turns from which control gets to \p Block in the same turn.
static SmallPtrSet<const BasicBlock *, 16> blocksTo(const BasicBlock *Block,
                                                    const Loop &Turns) {
  SmallPtrSet<const BasicBlock *, 16> Blocks{Block};
  SmallVector<const BasicBlock *> Worklist{Block};
  while (!Worklist.empty()) {
    const BasicBlock *To = Worklist.pop_back_val();
    if (To == Turns.getHeader())
      continue;
    for (const BasicBlock *From : predecessors(To))
      if (Turns.contains(From) && Blocks.insert(From).second)
        Worklist.push_back(From);
  }
  Blocks.erase(Turns.getHeader());
  return Blocks;
}

/// The innermost loop around \p Block , \p L or one inside.
static const Loop &innermostAround(const BasicBlock *Block, const Loop &L) {
  const Loop *Innermost = &L;
  for (const Loop *Inner : L.getLoopsInPreorder())
    if (Inner->contains(Block))
      Innermost = Inner;
  return *Innermost;
}

/// True if \p Flag tells by a constant on which way control has come, in a turn
/// of a loop, \p L or one inside.
static bool tellsWay(const PHINode &Flag, const Loop &L) {
  return L.contains(&Flag) &&
         innermostAround(Flag.getParent(), L).getHeader() != Flag.getParent() &&
         all_of(Flag.incoming_values(), [](const Value *V) {
           return isa<ConstantInt, UndefValue, PHINode>(V);
         });
}

/// Adds to \p Branches those of \p L that decide whether control gets to \p
/// Block.
static void addBranchesTo(const BasicBlock *Block, const Loop &L,
                          ReadDependences::BranchSet &Branches) {
  // In each turn of an inner loop, a branch decides anew.
  for (const Loop *Turns = &innermostAround(Block, L);;
       Turns = Turns->getParentLoop()) {
    const auto To = blocksTo(Block, *Turns);
    auto LeadsToBlock = [&](const BasicBlock *Successor) {
      return To.contains(Successor);
    };
    for (const BasicBlock *From : Turns->blocks()) {
      const Instruction *Branch = From->getTerminator();
      if (Branch->getNumSuccessors() > 1 &&
          any_of(successors(Branch), LeadsToBlock) &&
          !all_of(successors(Branch), LeadsToBlock))
        Branches.insert(Branch);
    }
    if (Turns == &L)
      return;
  }
}

const ReadDependences::BranchSet &
ReadDependences::branchesTo(const Instruction *Write) const {
  auto [Found, IsNew] = Branches.try_emplace(Write->getParent());
  if (IsNew)
    addBranchesTo(Write->getParent(), L, Found->second);
  return Found->second;
}

const ReadDependences::BranchSet &
ReadDependences::branchesOnWayTo(const Instruction *Write) const {
  const BasicBlock *Block = Write->getParent();
  if (auto Found = OnWay.find(Block); Found != OnWay.end())
    return Found->second;
  BranchSet To = branchesTo(Write);
  SmallPtrSet<const Value *, 8> Seen;
  for (unsigned N = 0; N < To.size(); ++N)
    for (const Value *Source : inputsOf(To[N])) {
      auto *Flag = dyn_cast<PHINode>(Source);
      if (Flag && tellsWay(*Flag, L) && Seen.insert(Flag).second)
        for (const BasicBlock *Way : Flag->blocks())
          addBranchesTo(Way, L, To);
    }
  return OnWay.try_emplace(Block, std::move(To)).first->second;
}

const ReadDependences::BranchSet &
ReadDependences::branchesOfValue(const Instruction *Write) const {
  auto [Found, IsNew] = OfValue.try_emplace(Write);
  BranchSet &Of = Found->second;
  if (IsNew)
    for (const Value *Source : inputsOf(Write)) {
      auto *Merge = dyn_cast<PHINode>(Source);
      if (Merge && L.contains(Merge) &&
          innermostAround(Merge->getParent(), L).getHeader() !=
              Merge->getParent())
        for (const BasicBlock *Way : Merge->blocks())
          addBranchesTo(Way, L, Of);
    }
  return Of;
}

const Sources &ReadDependences::inputsOf(const Instruction *I) const {
  auto [Found, IsNew] = Inputs.try_emplace(I);
  if (IsNew)
    Found->second = sourcesOf(I, L, Frames);
  return Found->second;
}

bool ReadDependences::flowInto(const Instruction *I,
                               const ReadValues &Read) const {
  const Sources &Of = inputsOf(I);
  return any_of(Read.Values,
                [&](const Instruction *Value) { return Of.contains(Value); }) ||
         (!Read.Filled.empty() && isa<CallBase>(I) &&
          any_of(I->operand_values(), [&](const Value *V) {
            return Read.Filled.contains(localAt(V));
          }));
}

bool ReadDependences::dependsOn(const Instruction *Write,
                                const Instruction *Read) const {
  return flowInto(Write, valuesOf(Read)) || decides(Read, branchesTo(Write));
}

bool ReadDependences::dependsOrChooses(const Instruction *Write,
                                       const Instruction *Read) const {
  return dependsOn(Write, Read) || decides(Read, branchesOfValue(Write));
}

bool ReadDependences::dependsOnWayFrom(const Instruction *Write,
                                       const Instruction *Read) const {
  return flowInto(Write, valuesOf(Read)) ||
         decides(Read, branchesOnWayTo(Write));
}

bool ReadDependences::decides(const Instruction *Read,
                              const BranchSet &Branches) const {
  const ReadValues &Values = valuesOf(Read);
  return any_of(Branches, [&](const Instruction *Branch) {
    return flowInto(Branch, Values);
  });
}

bool ReadDependences::valueDependsOn(const Instruction *Write,
                                     const Instruction *Read) const {
  return flowInto(Write, valuesOf(Read));
}

bool ReadDependences::addressDependsOn(const Value *Address,
                                       const Instruction *Read) const {
  auto [Found, IsNew] = OfAddress.try_emplace(Address);
  if (IsNew)
    Found->second = sourcesOf({Address}, L, Frames);
  return any_of(valuesOf(Read).Values, [&](const Instruction *Value) {
    return Found->second.contains(Value);
  });
}

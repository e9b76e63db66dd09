//===- DebugValues.cpp - A task's variables in debuggers ------------------===//

#include "async/rewrite/DebugValues.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Keeps in \p Records only those that \p Others contain, too; the rest become
/// null.
static void intersect(DebugValues::Records &Records,
                      const DebugValues::Records &Others) {
  for (auto &[Variable, Record] : Others) {
    auto [Known, New] = Records.insert({Variable, nullptr});
    if (!New && Known->second != Record)
      Known->second = nullptr;
  }
  for (auto &[Variable, Record] : Records)
    if (!Others.count(Variable))
      Record = nullptr;
}

void DebugValues::propagate(const TaskBody &Body, const Records &AtEntry) {
  ReversePostOrderTraversal<BasicBlock *> RPO(Body.Entry);
  AtEnd.clear();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : RPO) {
      std::optional<Records> Known;
      if (Block == Body.Entry)
        Known = AtEntry;
      for (BasicBlock *Before : predecessors(Block)) {
        auto There = AtEnd.find(Before);
        if (There == AtEnd.end())
          continue;
        if (Known)
          intersect(*Known, There->second);
        else
          Known = There->second;
      }
      Records Now = Known.value_or(Records());
      AtStart[Block] = Now;
      for (Instruction &I : *Block)
        for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
          if (!Record.isDbgDeclare())
            Now[DebugVariable(&Record)] = &Record;
      Records &Old = AtEnd[Block];
      if (!equal(Old, Now)) {
        Old = std::move(Now);
        Changed = true;
      }
    }
  }
}

/// The constant that \p Record tells, or null.
static const Constant *constantOf(const DbgVariableRecord *Record) {
  return Record && !Record->hasArgList() && !Record->isKillLocation() &&
                 !Record->isDbgDeclare()
             ? dyn_cast_or_null<Constant>(Record->getVariableLocationOp(0))
             : nullptr;
}

/// The latest record of \p Variable in front of the end of \p Block, as far as
/// there is one way to there; else null.
static const DbgVariableRecord *recordBefore(const BasicBlock *Block,
                                             const DebugVariable &Variable) {
  const DbgVariableRecord *Last = nullptr;
  for (; Block && !Last; Block = Block->getSinglePredecessor())
    for (const Instruction &I : *Block)
      for (const DbgVariableRecord &Record :
           filterDbgVars(I.getDbgRecordRange()))
        if (DebugVariable(&Record) == Variable)
          Last = &Record;
  return Last;
}

DebugValues::DebugValues(const TaskBody &Body, const BasicBlock *Before) {
  if (!Body.Entry->getParent()->getSubprogram())
    return;
  propagate(Body, Records());
  // What has one value in front of the loop and at the end of each iteration
  // that another one follows, has it in front of each.
  Records AtEntry;
  auto Ends = AtEnd.find(Body.Complete);
  if (Ends == AtEnd.end())
    return;
  for (auto &[Variable, Record] : Ends->second)
    if (const Constant *Value = constantOf(Record)) {
      const DbgVariableRecord *First = recordBefore(Before, Variable);
      if (First && constantOf(First) == Value &&
          First->getExpression() == Record->getExpression())
        AtEntry[Variable] = Record;
    }
  if (!AtEntry.empty())
    propagate(Body, AtEntry);
}

/// \p Expression for the part \p Fragment of a variable.
static DIExpression *
restrictTo(DIExpression *Expression,
           std::optional<DIExpression::FragmentInfo> Fragment) {
  if (!Fragment)
    return Expression;
  return DIExpression::createFragmentExpression(
             Expression, Fragment->OffsetInBits, Fragment->SizeInBits)
      .value_or(Expression);
}

void DebugValues::restore(BasicBlock *Start, Instruction *At,
                          ValueOf ValueOf) const {
  auto There = AtStart.find(Start);
  if (There == AtStart.end())
    return;
  LLVMContext &Context = Start->getContext();
  for (auto &[Variable, Record] : There->second) {
    Value *Now = nullptr;
    if (Record && !Record->hasArgList() && !Record->isKillLocation()) {
      Now = Record->getVariableLocationOp(0);
      if (auto *InBody = dyn_cast<Instruction>(Now))
        Now = ValueOf(InBody);
    }
    DIExpression *Expression = Record ? Record->getExpression() : nullptr;
    if (!Now) {
      Now = PoisonValue::get(Type::getInt32Ty(Context));
      Expression =
          restrictTo(DIExpression::get(Context, {}), Variable.getFragment());
    }
    auto *Source = const_cast<DILocalVariable *>(Variable.getVariable());
    auto *Where =
        DILocation::get(Context, 0, 0, Source->getScope(),
                        const_cast<DILocation *>(Variable.getInlinedAt()));
    At->getParent()->insertDbgRecordBefore(
        DbgVariableRecord::createDbgVariableRecord(Now, Source, Expression,
                                                   Where),
        At->getIterator());
  }
}

/// True if the variable of \p Record is declared around \p Loop, rather than
/// in its body.
static bool isDeclaredAround(const DILocation *Loop,
                             const DbgVariableRecord &Record) {
  if (!Loop || Record.getDebugLoc()->getInlinedAt() != Loop->getInlinedAt())
    return false;
  const DILocalScope *Of =
      Record.getVariable()->getScope()->getNonLexicalBlockFileScope();
  const DILocalScope *Scope = Loop->getScope()->getNonLexicalBlockFileScope();
  while (Scope != Of) {
    auto *Block = dyn_cast<DILexicalBlockBase>(Scope);
    if (!Block)
      return false;
    Scope = Block->getScope()->getNonLexicalBlockFileScope();
  }
  return true;
}

void heddle::showInRegister(const DebugLoc &Loop, PHINode &Phi, Value *Next,
                            AllocaInst &Register) {
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(&Phi, Records);
  if (Records.empty())
    findDbgUsers(Next, Records);
  SmallSet<DebugVariable, 2> Shown;
  for (DbgVariableRecord *Record : Records) {
    const bool IsWhole = !Record->hasArgList() && !Record->isDbgDeclare() &&
                         Record->getExpression()->getNumElements() == 0;
    if (IsWhole && isDeclaredAround(Loop.get(), *Record) &&
        Shown.insert(DebugVariable(Record)).second)
      Register.getParent()->insertDbgRecordBefore(
          DbgVariableRecord::createDVRDeclare(&Register, Record->getVariable(),
                                              Record->getExpression(),
                                              Record->getDebugLoc()),
          std::next(Register.getIterator()));
  }
}

/// The source variables that \p Register shows.
static SmallSet<DebugVariable, 2> shownBy(const AllocaInst &Register) {
  SmallSet<DebugVariable, 2> Shown;
  for (DbgVariableRecord *Declare :
       findDVRDeclares(const_cast<AllocaInst *>(&Register)))
    Shown.insert(DebugVariable(Declare));
  return Shown;
}

void heddle::removeShown(const AllocaInst &Register,
                         ArrayRef<BasicBlock *> Blocks) {
  const SmallSet<DebugVariable, 2> Shown = shownBy(Register);
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : *Block)
      for (DbgVariableRecord &Record :
           make_early_inc_range(filterDbgVars(I.getDbgRecordRange())))
        if (Shown.contains(DebugVariable(&Record)))
          Record.eraseFromParent();
}

void heddle::removeShown(const AllocaInst &Register, Value &V) {
  const SmallSet<DebugVariable, 2> Shown = shownBy(Register);
  SmallVector<DbgVariableRecord *> Records;
  findDbgUsers(&V, Records);
  for (DbgVariableRecord *Record : Records)
    if (Shown.contains(DebugVariable(Record)))
      Record->eraseFromParent();
}

void heddle::showInMemory(Function &F, const Value *Memory) {
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      if (Record.isDbgDeclare() || Record.hasArgList())
        continue;
      auto *Load = dyn_cast_or_null<LoadInst>(Record.getVariableLocationOp(0));
      if (!Load || getUnderlyingObject(Load->getPointerOperand()) != Memory)
        continue;
      Record.replaceVariableLocationOp(Load, Load->getPointerOperand());
      Record.setExpression(DIExpression::prepend(Record.getExpression(),
                                                 DIExpression::DerefBefore));
    }
}

void heddle::localizeDebugRecords(const TaskLocals &Locals) {
  for (const AllocaInst *Local : Locals) {
    auto *Address = const_cast<AllocaInst *>(Local);
    auto Replace = [&](DbgVariableRecord *Old, DIExpression *ToAddress) {
      DIExpression *InMemory =
          DIExpression::append(ToAddress, dwarf::DW_OP_deref);
      DbgVariableRecord::createDbgVariableRecord(
          Address, Old->getVariable(), restrictTo(InMemory, Old->getFragment()),
          Old->getDebugLoc())
          ->insertBefore(Old);
      Old->eraseFromParent();
    };
    for (DbgVariableRecord *Declare : findDVRDeclares(Address))
      if (!Declare->getFragment())
        Replace(Declare, Declare->getExpression());
    for (DbgVariableRecord *Assign : at::getDVRAssignmentMarkers(Address))
      if (!Assign->isKillAddress())
        Replace(Assign, Assign->getAddressExpression());
    Address->setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  }
}

//===- DebugValues.cpp - What a debugger sees of a task -------------------===//

#include "async/DebugValues.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

DebugValues::DebugValues(const TaskBody &Body) {
  if (!Body.Entry->getParent()->getSubprogram())
    return;
  ReversePostOrderTraversal<BasicBlock *> RPO(Body.Entry);
  DenseMap<BasicBlock *, Records> AtEnd;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : RPO) {
      Records Now;
      bool First = true;
      for (BasicBlock *Before : predecessors(Block)) {
        auto There = AtEnd.find(Before);
        if (There == AtEnd.end())
          continue;
        if (First)
          Now = There->second;
        else
          for (auto &[Variable, Record] : There->second) {
            auto [Known, New] = Now.insert({Variable, nullptr});
            if (!New && Known->second != Record)
              Known->second = nullptr;
          }
        if (!First)
          for (auto &[Variable, Record] : Now)
            if (!There->second.count(Variable))
              Record = nullptr;
        First = false;
      }
      AtStart[Block] = Now;
      for (Instruction &I : *Block)
        for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
          Now[DebugVariable(&Record)] = &Record;
      Records &Old = AtEnd[Block];
      if (!equal(Old, Now)) {
        Old = std::move(Now);
        Changed = true;
      }
    }
  }
}

void DebugValues::restore(BasicBlock *Resume, Instruction *At,
                          ValueOf ValueOf) const {
  auto There = AtStart.find(Resume);
  if (There == AtStart.end())
    return;
  for (auto &[Variable, Record] : There->second) {
    Value *Now = nullptr;
    if (Record && !Record->hasArgList() && !Record->isKillLocation()) {
      Now = Record->getVariableLocationOp(0);
      if (auto *InBody = dyn_cast<Instruction>(Now))
        Now = ValueOf(InBody);
    }
    const DILocation *Where = DILocation::get(
        Resume->getContext(), 0, 0, Variable.getVariable()->getScope(),
        const_cast<DILocation *>(Variable.getInlinedAt()));
    DIExpression *Expression =
        Now ? Record->getExpression()
            : DIExpression::get(Resume->getContext(), {});
    if (!Now) {
      Now = PoisonValue::get(Type::getInt32Ty(Resume->getContext()));
      if (auto Fragment = Variable.getFragment())
        if (auto Part = DIExpression::createFragmentExpression(
                Expression, Fragment->OffsetInBits, Fragment->SizeInBits))
          Expression = *Part;
    }
    At->getParent()->insertDbgRecordBefore(
        DbgVariableRecord::createDbgVariableRecord(
            Now, const_cast<DILocalVariable *>(Variable.getVariable()),
            Expression, Where),
        At->getIterator());
  }
}

void heddle::localizeDebugRecords(const TaskLocals &Locals) {
  for (const AllocaInst *Local : Locals)
    for (DbgVariableRecord *Declare :
         findDVRDeclares(const_cast<AllocaInst *>(Local))) {
      DIExpression *Expression =
          DIExpression::append(Declare->getExpression(), dwarf::DW_OP_deref);
      Declare->getParent()->insertDbgRecordBefore(nullptr, {});
      (void)Expression;
    }
}

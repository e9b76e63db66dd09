//===- ClauseCalls.cpp - Marks made of a call for each clause -------------===//

#include "mark/ClauseCalls.h"
#include "loop/Refusal.h"
#include "mark/Clauses.h"
#include "mark/FortranLoops.h"
#include "mark/Outcomes.h"
#include "names/SourceNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;
using namespace heddle;

namespace {

/// The argument of heddle_tasks for tasks(auto).
constexpr int64_t Auto = -1;

/// heddle_async() itself, which has no argument.
constexpr ClauseRecord Mark{{}, {}, "async", {}, AsyncDirective};

bool isMark(const ClauseRecord &Clause) { return &Clause == &Mark; }

/// Whether \p Name is that of the procedure of \p Clause, or of one of them.
bool isProcedureOf(const ClauseRecord &Clause, StringRef Name) {
  if (!(Clause.Directives & AsyncDirective) || !Name.consume_front(Clause.Name))
    return false;
  return Clause.Argument == ClauseArgument::Condition
             ? Name == "_1" || Name == "_2" || Name == "_4" || Name == "_8"
             : Name.empty();
}

/// Returns the clause that \p Callee represents, or null.
const ClauseRecord *clauseCalled(const Function &Callee) {
  StringRef Name = Callee.getName();
  if (!Name.consume_front(MarkFunctionPrefix))
    return nullptr;
  if (Name == Mark.Name)
    return &Mark;
  const ClauseRecord *Found =
      find_if(ClauseRecords, [&](const ClauseRecord &Clause) {
        return isProcedureOf(Clause, Name);
      });
  return Found == std::end(ClauseRecords) ? nullptr : Found;
}

struct ClauseCall {
  CallInst *Call;
  const ClauseRecord *What;

  Value *argument() const { return Call->getArgOperand(0); }
  /// The clause's name as the user wrote it.
  std::string name() const {
    return (Twine("heddle_") + What->Name + "()").str();
  }
};

/// Warns about \p C, which the user sees without asking for remarks.
void warn(const ClauseCall &C, const Twine &Problem) {
  const Function &F = *C.Call->getFunction();
  std::string Message = (C.name() + " " + Problem).str();
  F.getContext().diagnose(DiagnosticInfoGenericWithLoc(
      Message, F, C.Call->getDebugLoc(), DS_Warning));
}

/// Returns the error in the number that \p C is given, or std::nullopt.
std::optional<std::string> checkNumber(const ClauseCall &C) {
  auto *Number = dyn_cast<ConstantInt>(C.argument());
  if (!Number)
    return "is ignored: its argument is not a constant";
  int64_t Value = Number->getSExtValue();
  if (C.What->Argument == ClauseArgument::Schedule) {
    if (any_of(SchedulerRecords,
               [&](const SchedulerRecord &S) { return S.Kind == Value; }))
      return std::nullopt;
    return "is ignored: its argument must be " +
           listSchedulers("heddle_", "", "or") + ", not " + itostr(Value);
  }
  if (C.What->Argument == ClauseArgument::CountOrAuto && Value == Auto)
    return std::nullopt;
  if (Value >= 1 && Value <= C.What->Maximum)
    return std::nullopt;
  return "is ignored: its argument must be between 1 and " +
         utostr(C.What->Maximum) + ", not " + itostr(Value);
}

/// False where the function is not declared as in the module heddle.
bool isWellFormed(const ClauseCall &C) {
  if (isMark(*C.What))
    return C.Call->arg_empty();
  return C.Call->arg_size() == 1 &&
         (C.What->namesVariables() ? C.argument()->getType()->isPointerTy()
                                   : C.argument()->getType()->isIntegerTy());
}

class LoopMark {
  SmallVector<ClauseCall, 4> Given;

  /// Returns why \p C cannot become part of the mark, or std::nullopt.
  std::optional<std::string> check(const ClauseCall &C) const {
    for (const ClauseCall &Other : drop_begin(Given)) {
      if (C.What == Other.What && !C.What->namesVariables())
        return "is ignored: the loop has one already";
      if (excludeEachOther(*C.What, *Other.What) &&
          C.argument()->stripPointerCasts() ==
              Other.argument()->stripPointerCasts())
        return "is ignored: " + Other.name() + " names the variable as well";
    }
    if (C.What->Argument == ClauseArgument::Condition ||
        C.What->namesVariables())
      return std::nullopt;
    return checkNumber(C);
  }

  Value *valueOf(const ClauseCall &C, IRBuilder<> &Builder) const {
    switch (C.What->Argument) {
    case ClauseArgument::Condition:
      return Builder.CreateZExt(Builder.CreateIsNotNull(C.argument()),
                                Builder.getInt32Ty());
    case ClauseArgument::CountOrAuto:
      return Builder.getInt32(std::max<int64_t>(
          cast<ConstantInt>(C.argument())->getSExtValue(), 0));
    default:
      return C.argument();
    }
  }

public:
  explicit LoopMark(const ClauseCall &Async) : Given{Async} {}

  void add(const ClauseCall &C) {
    if (std::optional<std::string> Problem = check(C))
      warn(C, *Problem);
    else
      Given.push_back(C);
  }

  /// Reports that \p L stays as it is, because of the memory that \p Write
  /// writes to.
  void refuse(const Loop &L, const Instruction &Write) const {
    const CallInst &Async = *Given.front().Call;
    DebugLoc Start = L.getStartLoc();
    OptimizationRemarkEmitter ORE(Async.getFunction());
    ORE.emit([&] {
      OptimizationRemarkMissed Remark(
          "heddle", "NotInterleaved",
          remarkPlace(Start ? Start : Async.getDebugLoc()), L.getHeader());
      const Refusal Why = heddle::refuse(RefusalKind::ThreadArray);
      Remark << NotInterleaved << ore::NV("Reason", Why.Reason);
      addPlace(Remark, describeOtherPlace(&Write, Start));
      addNext(Remark, Why);
      return Remark;
    });
  }

  /// Puts the mark where all its values are known.
  void emit() const {
    CallInst *Async = Given.front().Call;
    IRBuilder<> Builder(Given.back().Call);
    Builder.SetCurrentDebugLocation(Async->getDebugLoc());
    SmallVector<Value *> Arguments{Builder.getInt32(InnermostLoop)};
    for (const ClauseCall &C : drop_begin(Given))
      Arguments.append(
          {Builder.getInt32(C.What->DataKind), valueOf(C, Builder)});
    Builder.CreateCall(
        Async->getModule()->getOrInsertFunction(
            MarkFunctionName, FunctionType::get(Builder.getVoidTy(),
                                                {Builder.getInt32Ty()}, true)),
        Arguments);
  }
};

/// True if each iteration of \p L executes \p Block.
bool isInEachIteration(const Loop &L, const BasicBlock *Block,
                       const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return all_of(Latches,
                [&](BasicBlock *Latch) { return DT.dominates(Block, Latch); });
}

/// Returns the calls of \p F in the order of the program, and in \p Dead those
/// that are never reached.
SmallVector<ClauseCall> findClauseCalls(Function &F,
                                        SmallVectorImpl<CallInst *> &Dead,
                                        const DominatorTree &DT) {
  SmallVector<ClauseCall> Calls;
  auto Visit = [&](BasicBlock &Block) {
    for (Instruction &I : Block) {
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (const ClauseRecord *What = Callee ? clauseCalled(*Callee) : nullptr) {
        if (DT.isReachableFromEntry(&Block))
          Calls.push_back({Call, What});
        else
          Dead.push_back(Call);
      }
    }
  };
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    Visit(*Block);
  for (BasicBlock &Block : F)
    if (!DT.isReachableFromEntry(&Block))
      Visit(Block);
  return Calls;
}

} // namespace

bool heddle::hasClauseCalls(const Module &M) {
  return any_of(M, [](const Function &F) { return clauseCalled(F); });
}

void heddle::mergeClauseCalls(Function &F, const DominatorTree &DT,
                              const LoopInfo &LI, AAResults *AA) {
  SmallVector<CallInst *> Dead;
  SmallVector<ClauseCall> Calls = findClauseCalls(F, Dead, DT);
  MapVector<const Loop *, LoopMark> Marks;
  // Loops with marks that have been warned of: no more is said of these.
  SmallPtrSet<const Loop *, 4> Unmarked;
  for (const ClauseCall &C : Calls) {
    const Loop *L = LI.getLoopFor(C.Call->getParent());
    auto Found = Marks.find(L);
    bool IsMark = isMark(*C.What);
    const char *Problem = nullptr;
    if (!isWellFormed(C))
      Problem = "is ignored: it is not called as the module heddle declares it";
    else if (IsMark && !L)
      Problem = "is ignored: it is not in a loop whose body can run twice";
    else if (IsMark && Found != Marks.end())
      Problem = "is ignored: the loop is marked already";
    else if (!IsMark && Found == Marks.end())
      Problem = "is ignored: heddle_async() must come before it in the same "
                "loop";
    else if (!isInEachIteration(*L, C.Call->getParent(), DT))
      Problem = "is ignored: some iterations skip it; use heddle_if() for "
                "conditions";
    if (!Problem && IsMark)
      Marks.insert({L, LoopMark(C)});
    else if (!Problem)
      Found->second.add(C);
    else if (IsMark || !Unmarked.contains(L))
      warn(C, Problem);
    if (Problem && IsMark && Found == Marks.end())
      Unmarked.insert(L);
  }
  for (const auto &[L, OfLoop] : Marks) {
    if (const Instruction *Write = AA ? writesArrayOfThread(*L) : nullptr) {
      OfLoop.refuse(*L, *Write);
      continue;
    }
    OfLoop.emit();
    if (AA)
      addFortranPromises(*L, *AA);
  }
  for (const ClauseCall &C : Calls)
    C.Call->eraseFromParent();
  for (CallInst *Call : Dead)
    Call->eraseFromParent();
}

void heddle::eraseClauseFunctions(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || !clauseCalled(F))
      continue;
    if (F.use_empty()) {
      F.eraseFromParent();
      continue;
    }
    F.setLinkage(GlobalValue::InternalLinkage);
    // The DISubprogram of a declaration is not valid for a definition.
    F.setSubprogram(nullptr);
    IRBuilder<>(BasicBlock::Create(M.getContext(), "", &F)).CreateRetVoid();
  }
}

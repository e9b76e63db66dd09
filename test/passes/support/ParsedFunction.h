//===- ParsedFunction.h - IR in a test's text, analysed ---------*- C++ -*-===//
//
// A function given as text, with the LLVM analyses that the passes need. Its
// first loop is expected to be in the form that LoopForm.h makes: with a
// preheader, one latch that leaves it, and values used behind it in phis.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_PASSES_SUPPORT_PARSEDFUNCTION_H
#define HEDDLE_TEST_PASSES_SUPPORT_PARSEDFUNCTION_H

#include "async/analysis/LatencyAnalysis.h"
#include "loop/LoopContext.h"
#include "loop/LoopShape.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace heddle {

class ParsedFunction {
  const std::string Name;
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;

public:
  /// Parses the module \p IR and selects its function \p Name.
  explicit ParsedFunction(const std::string &IR, llvm::StringRef Name = "test")
      : Name(Name) {
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(IR, Error, Context);
    if (!M || llvm::verifyModule(*M, &llvm::errs())) {
      Error.print("test", llvm::errs());
      std::abort();
    }
    llvm::PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  llvm::Function &function() { return *M->getFunction(Name); }
  llvm::GlobalVariable &global(llvm::StringRef Name) {
    return *M->getNamedGlobal(Name);
  }
  llvm::Argument &argument(unsigned N) { return *function().getArg(N); }

  llvm::BasicBlock &block(llvm::StringRef Name) {
    for (llvm::BasicBlock &Block : function())
      if (Block.getName() == Name)
        return Block;
    llvm::errs() << "no block %" << Name << "\n";
    std::abort();
  }

  /// The instruction with that name.
  llvm::Instruction &value(llvm::StringRef Name) {
    for (llvm::Instruction &I : llvm::instructions(function()))
      if (I.getName() == Name)
        return I;
    llvm::errs() << "no value %" << Name << "\n";
    std::abort();
  }

  /// The only instruction of type \p T, or the one with that number.
  template <class T> T &instruction(unsigned N = 0) {
    for (llvm::Instruction &I : llvm::instructions(function()))
      if (auto *Found = llvm::dyn_cast<T>(&I); Found && !N--)
        return *Found;
    llvm::errs() << "too few instructions of that type\n";
    std::abort();
  }

  llvm::Loop &loop() {
    return **FAM.getResult<llvm::LoopAnalysis>(function()).begin();
  }
  LoopContext context() { return {loop(), function(), FAM}; }
  LoopShape shape() {
    LoopShape Shape;
    MaybeRefusal Why = analyzeShape(loop(), context().SE, Shape);
    EXPECT_FALSE(Why) << Why->Reason;
    return Shape;
  }
  LatencyAnalysis latency(bool OnlyFar = false) {
    return LatencyAnalysis(context(), OnlyFar);
  }
};

/// The text that loopOver() puts around a loop. Different arguments are
/// different arrays.
struct Surroundings {
  std::string Globals = "";
  std::string Entry = ""; ///< in front of the loop
  std::string Exit = "ret void";
  std::string Result = "void";
  std::string Arguments = "ptr noalias %a, ptr noalias %b, ptr noalias %c";
  std::string Name = "test";
};

/// A module with `for (%i = 0; %i != %n; ++%i)` around \p Body, which may begin
/// with phis from %entry and %latch.
inline std::string loopOver(const std::string &Body,
                            const Surroundings &Around = {}) {
  return Around.Globals + "define " + Around.Result + " @" + Around.Name + "(" +
         Around.Arguments + ", i64 %n) {\nentry:\n" + Around.Entry +
         "  br label %loop\n"
         "loop:\n"
         "  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]\n" +
         Body +
         "  br label %latch\n"
         "latch:\n"
         "  %i.next = add nuw nsw i64 %i, 1\n"
         "  %done = icmp eq i64 %i.next, %n\n"
         "  br i1 %done, label %exit, label %loop\n"
         "exit:\n  " +
         Around.Exit + "\n}\n";
}

inline std::string loopOver(const std::string &Body,
                            const std::string &Globals) {
  return loopOver(Body, Surroundings{.Globals = Globals});
}

/// `%index = a[i]; %place = &b[index]`: an unpredictable address.
inline const std::string UnpredictablePlace =
    "  %index.place = getelementptr i64, ptr %a, i64 %i\n"
    "  %index = load i64, ptr %index.place\n"
    "  %place = getelementptr i64, ptr %b, i64 %index\n";

} // namespace heddle

#endif

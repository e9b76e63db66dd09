//===- AsyncMark.h - Make the directive's marks survive -O3 -----*- C++ -*-===//
//
// Runs at the start of the pipeline, when variables are still allocas and the
// loops are as the user wrote them. For every loop that the front end marked
// (see MarkProtocol.h), after OpenMP outlining too, it
//
//  * replaces the borrowed loop hint by `heddle.async` and keeps other loop
//    passes from unrolling or vectorising the loop before AsyncSplit sees it;
//  * tags the accesses that go through remote(p) and near(p) variables;
//  * leaves one call of `__heddle_async` in the loop's body with what the
//    clauses say that AsyncSplit needs. Variables of private, shared and
//    sequential clauses are passed by address, which keeps them in memory, with
//    every access in its place, until AsyncSplit has read the clause;
//  * removes all traces of the front end.
//
// Loops under `pull` and `vectorsparse` are marked likewise, with `heddle.pull`
// and a call of `__heddle_pull`, for PullPass.
//
// Without optimisation the loops are left as they are.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ASYNCMARK_H
#define HEDDLE_PASSES_ASYNC_ASYNCMARK_H

#include "async/Outcomes.h"

namespace heddle {

/// Metadata kinds on memory accesses, from the clauses of the same names.
constexpr char RemoteMetadata[] = "heddle.remote";
constexpr char NearMetadata[] = "heddle.near";
/// The marker that AsyncMark leaves for AsyncSplit:
///   call void (i32, ...) @__heddle_async(i32 directive, <clauses>)
/// with the clauses as in MarkProtocol.h, less Remote and Near. PullPass leaves
/// it with the clause Pull where it can do nothing itself.
constexpr char AsyncMarkerName[] = "__heddle_async";
/// The marker for PullPass:
///   call void (i32, ...) @__heddle_pull(i32 directive, <clauses>)
constexpr char PullMarkerName[] = "__heddle_pull";
/// The loop properties that go with the two.
constexpr char AsyncLoopProperty[] = "heddle.async";
constexpr char PullLoopProperty[] = "heddle.pull";

/// The function of that name, which markers call.
llvm::FunctionCallee getMarker(llvm::Module &M, llvm::StringRef Name);

class AsyncMarkPass : public llvm::PassInfoMixin<AsyncMarkPass> {
  bool Optimizing;
  std::shared_ptr<Outcomes> Told;

public:
  AsyncMarkPass(bool Optimizing, std::shared_ptr<Outcomes> Told)
      : Optimizing(Optimizing), Told(std::move(Told)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace heddle

#endif

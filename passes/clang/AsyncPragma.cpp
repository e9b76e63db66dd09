//===- AsyncPragma.cpp - One `#pragma heddle` as written ------------------===//

#include "AsyncPragma.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace heddle;
using llvm::StringRef;

namespace {

struct DirectiveInfo {
  DirectiveKind Kind;
  StringRef Name;
};

constexpr DirectiveInfo Directives[] = {
    {AsyncDirective, "async"},
    {PullDirective, "pull"},
    {VectorSparseDirective, "vectorsparse"},
};

struct ClauseInfo {
  ClauseKind Kind;
  StringRef Name;
};

constexpr ClauseInfo Clauses[] = {
    {Tasks, "tasks"},   {Scheduler, "scheduler"},     {Private, "private"},
    {Shared, "shared"}, {Sequential, "sequential"},   {Remote, "remote"},
    {Near, "near"},     {Coalesce, "coalesce"},       {If, "if"},
    {Edges, "edges"},   {Suspensions, "suspensions"},
};

struct SchedulerInfo {
  SchedulerKind Kind;
  StringRef Name;
};

constexpr SchedulerInfo Schedulers[] = {
    {SchedulerStatic, "static"},
    {SchedulerLockstep, "lockstep"},
    {SchedulerDynamic, "dynamic"},
};

/// A deque: references stay valid while it grows.
std::deque<AsyncPragma> &pragmas() {
  static std::deque<AsyncPragma> Pragmas;
  return Pragmas;
}

/// Clang's own limit for typing errors: a third of the word.
template <typename RangeT>
StringRef mostSimilar(StringRef Name, const RangeT &Candidates) {
  StringRef Best;
  unsigned BestDistance = (Name.size() + 2) / 3;
  for (StringRef Candidate : Candidates) {
    unsigned Distance = Name.edit_distance(Candidate, true, BestDistance);
    if (Distance < BestDistance || (Best.empty() && Distance == BestDistance)) {
      Best = Candidate;
      BestDistance = Distance;
    }
  }
  return Best;
}

} // namespace

unsigned heddle::rememberPragma(AsyncPragma Pragma) {
  pragmas().push_back(std::move(Pragma));
  return FirstDirective + pragmas().size() - 1;
}

AsyncPragma *heddle::findPragma(uint64_t Number) {
  if (Number < FirstDirective || Number - FirstDirective >= pragmas().size())
    return nullptr;
  return &pragmas()[Number - FirstDirective];
}

StringRef heddle::directiveName(DirectiveKind Kind) {
  return llvm::find_if(Directives, [&](auto &D) { return D.Kind == Kind; })
      ->Name;
}

std::optional<DirectiveKind> heddle::directiveNamed(StringRef Name) {
  for (const DirectiveInfo &Directive : Directives)
    if (Directive.Name == Name)
      return Directive.Kind;
  return std::nullopt;
}

StringRef heddle::clauseName(ClauseKind Kind) {
  return llvm::find_if(Clauses, [&](auto &C) { return C.Kind == Kind; })->Name;
}

std::optional<ClauseKind> heddle::clauseNamed(StringRef Name) {
  for (const ClauseInfo &Clause : Clauses)
    if (Clause.Name == Name)
      return Clause.Kind;
  return std::nullopt;
}

std::optional<SchedulerKind> heddle::schedulerNamed(StringRef Name) {
  for (const SchedulerInfo &Scheduler : Schedulers)
    if (Scheduler.Name == Name)
      return Scheduler.Kind;
  return std::nullopt;
}

bool heddle::takesClause(DirectiveKind Directive, ClauseKind Clause) {
  return (Clause == Edges) == (Directive != AsyncDirective);
}

bool heddle::isVariableClause(ClauseKind Kind) {
  switch (Kind) {
  case Private:
  case Shared:
  case Sequential:
  case Remote:
  case Near:
    return true;
  case Tasks:
  case Scheduler:
  case Coalesce:
  case Suspensions:
  case If:
  case Edges:
  case Pull:
  case RemoteData:
  case NearData:
    return false;
  }
  llvm_unreachable("not a clause");
}

StringRef heddle::similarDirective(StringRef Name) {
  return mostSimilar(
      Name, llvm::map_range(Directives, [](auto &D) { return D.Name; }));
}

StringRef heddle::similarClause(DirectiveKind Directive, StringRef Name) {
  auto Takes = [&](auto &C) { return takesClause(Directive, C.Kind); };
  return mostSimilar(Name,
                     llvm::map_range(llvm::make_filter_range(Clauses, Takes),
                                     [](auto &C) { return C.Name; }));
}

StringRef heddle::similarScheduler(StringRef Name) {
  return mostSimilar(
      Name, llvm::map_range(Schedulers, [](auto &S) { return S.Name; }));
}

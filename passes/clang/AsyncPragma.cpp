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

StringRef heddle::clauseName(ClauseKind Kind) { return recordOf(Kind).Name; }

std::optional<ClauseKind> heddle::clauseNamed(StringRef Name) {
  for (const ClauseRecord &Clause : ClauseRecords)
    if (Clause.Name == Name)
      return Clause.Kind;
  return std::nullopt;
}

std::string heddle::listClauses(DirectiveKind Directive) {
  llvm::SmallVector<std::string> Names;
  for (const ClauseRecord &Clause : ClauseRecords)
    if (Clause.Directives & Directive)
      Names.push_back((llvm::Twine("'") + Clause.Name + "'").str());
  return (Names.size() == 1 ? "the only clause is " : "the clauses are ") +
         listWords(Names, "and");
}

std::optional<SchedulerKind> heddle::schedulerNamed(StringRef Name) {
  for (const SchedulerRecord &Scheduler : SchedulerRecords)
    if (Scheduler.Name == Name)
      return Scheduler.Kind;
  return std::nullopt;
}

bool heddle::takesClause(DirectiveKind Directive, ClauseKind Clause) {
  return recordOf(Clause).Directives & Directive;
}

StringRef heddle::similarDirective(StringRef Name) {
  return mostSimilar(
      Name, llvm::map_range(Directives, [](auto &D) { return D.Name; }));
}

StringRef heddle::similarClause(DirectiveKind Directive, StringRef Name) {
  auto Takes = [&](const ClauseRecord &C) { return C.Directives & Directive; };
  return mostSimilar(
      Name, llvm::map_range(llvm::make_filter_range(ClauseRecords, Takes),
                            [](const ClauseRecord &C) { return C.Name; }));
}

StringRef heddle::similarScheduler(StringRef Name) {
  return mostSimilar(
      Name, llvm::map_range(SchedulerRecords,
                            [](const SchedulerRecord &S) { return S.Name; }));
}

//===- Clauses.cpp - The clauses of the directives, as a table ------------===//

#include "mark/Clauses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <cassert>

using namespace llvm;
using namespace heddle;

const ClauseRecord &heddle::recordOf(ClauseKind Kind) {
  const ClauseRecord *Found =
      find_if(ClauseRecords, [&](const ClauseRecord &R) {
        return R.Kind == Kind || R.DataKind == Kind;
      });
  assert(Found != std::end(ClauseRecords) && "not a clause");
  return *Found;
}

std::string heddle::listWords(ArrayRef<std::string> Words,
                              StringRef Conjunction) {
  assert(!Words.empty() && "nothing to list");
  if (Words.size() == 1)
    return Words.front();
  return (join(Words.drop_back(), ", ") + Twine(" ") + Conjunction + " " +
          Words.back())
      .str();
}

std::string heddle::listSchedulers(StringRef Prefix, StringRef Suffix,
                                   StringRef Conjunction) {
  SmallVector<std::string> Names;
  for (const SchedulerRecord &Scheduler : SchedulerRecords)
    if (Scheduler.IsMain)
      Names.push_back((Prefix + Twine(Scheduler.Name) + Suffix).str());
  return listWords(Names, Conjunction);
}

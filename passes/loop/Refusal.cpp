//===- Refusal.cpp - Why a loop is left alone -----------------------------===//

#include "loop/Refusal.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DiagnosticInfo.h"
#include <cassert>

using namespace llvm;
using namespace heddle;

namespace {

struct Record {
  const char *Name, *Text, *Next;
};

constexpr Record Records[] = {
#define HEDDLE_REFUSAL(Group, Kind, Text, Next) {#Kind, Text, Next},
#include "loop/Refusals.def"
};

const Record &recordOf(RefusalKind Kind) { return Records[unsigned(Kind)]; }

} // namespace

const char *heddle::nameOf(RefusalKind Kind) { return recordOf(Kind).Name; }

const char *heddle::nextOf(RefusalKind Kind) { return recordOf(Kind).Next; }

const char *heddle::textOf(RefusalKind Kind) { return recordOf(Kind).Text; }

std::string heddle::textOf(RefusalKind Kind,
                           std::initializer_list<std::string> Arguments) {
  std::string Text;
  StringRef Rest = recordOf(Kind).Text;
  while (true) {
    auto [Before, After] = Rest.split('%');
    Text += Before;
    if (After.empty())
      return Text;
    unsigned Index = After.front() - '0';
    assert(Index < Arguments.size() && "the text has more places");
    Text += Arguments.begin()[Index];
    Rest = After.drop_front();
  }
}

bool heddle::isExpected(RefusalKind Kind) {
  switch (Kind) {
  case RefusalKind::OptimizationOff:
  case RefusalKind::Removed:
  case RefusalKind::StraightLine:
  case RefusalKind::MarkedTwice:
  case RefusalKind::OuterInterleaved:
  case RefusalKind::InnerInterleaved:
    return true;
  default:
    return false;
  }
}

bool heddle::isChoice(RefusalKind Kind) {
  switch (Kind) {
  case RefusalKind::Predictable:
  case RefusalKind::OpaqueCall:
  case RefusalKind::Overlapped:
  case RefusalKind::NothingHidden:
    return true;
  default:
    return false;
  }
}

void heddle::addKind(DiagnosticInfoOptimizationBase &Remark, RefusalKind Kind) {
  using NV = DiagnosticInfoOptimizationBase::Argument;
  Remark << DiagnosticInfoOptimizationBase::setExtraArgs()
         << NV("Refusal", StringRef(nameOf(Kind)));
  if (*nextOf(Kind))
    Remark << NV("Next", StringRef(nextOf(Kind)));
}

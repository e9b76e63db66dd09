//===- Refusal.cpp - Why a loop is left alone -----------------------------===//

#include "loop/Refusal.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DiagnosticInfo.h"
#include <algorithm>
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

static_assert(std::ranges::all_of(Records,
                                  [](const Record &R) { return *R.Next; }),
              "there is something to recommend");

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
  case RefusalKind::Chased:
  case RefusalKind::NothingHidden:
    return true;
  default:
    return false;
  }
}

void heddle::addPlace(DiagnosticInfoOptimizationBase &Remark,
                      const std::string &Place) {
  if (!Place.empty())
    Remark << " (" << DiagnosticInfoOptimizationBase::Argument("Place", Place)
           << ")";
}

void heddle::addNext(DiagnosticInfoOptimizationBase &Remark, const char *Next) {
  Remark << "; "
         << DiagnosticInfoOptimizationBase::Argument("Next", StringRef(Next));
}

void heddle::addNext(DiagnosticInfoOptimizationBase &Remark,
                     const Refusal &Why) {
  addNext(Remark, Why.Next);
  Remark << DiagnosticInfoOptimizationBase::setExtraArgs()
         << DiagnosticInfoOptimizationBase::Argument(
                "Refusal", StringRef(nameOf(Why.Kind)));
}

//===- SuspensionPlan.cpp - How much a plan asks for ----------------------===//

#include "async/plan/SuspensionPlan.h"

using namespace heddle;

unsigned SuspensionPlan::suspensionPoints() const {
  unsigned Count = 0;
  for (const SuspensionPoint &P : Points)
    Count += !P.AwaitsTurn && !P.Early;
  for (const BlockedLoop &B : Blocks)
    Count += B.Levels.size();
  return Count;
}

unsigned SuspensionPlan::requests() const {
  unsigned Count = 0;
  for (const SuspensionPoint &P : Points)
    Count += P.Requests.size();
  for (const BlockedLoop &B : Blocks)
    for (const auto &Level : B.Levels)
      Count += Level.size();
  return Count;
}

unsigned SuspensionPlan::earlyRequests() const {
  unsigned Count = 0;
  for (const SuspensionPoint &P : Points)
    if (P.Early)
      Count += P.Requests.size();
  return Count;
}

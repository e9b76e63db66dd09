//===- Advice.cpp - The order in which loops are advised ------------------===//

#include "advise/Advice.h"
#include <algorithm>
#include <map>

using namespace heddle;

/// Adds what \p From has to \p To, without what is there already.
template <typename T>
static void unite(std::vector<T> &To, std::vector<T> &From) {
  for (T &Item : From)
    if (std::ranges::find(To, Item) == To.end())
      To.push_back(std::move(Item));
}

static bool isBetter(const LoopAdvice &One, const LoopAdvice &Other) {
  if (!One.Refused != !Other.Refused)
    return !One.Refused;
  return One.Weight > Other.Weight;
}

std::vector<LoopAdvice> heddle::rank(std::vector<LoopAdvice> Found) {
  std::map<SourcePlace, LoopAdvice> Loops;
  for (LoopAdvice &Copy : Found) {
    auto [At, New] = Loops.try_emplace(Copy.Loop, Copy);
    if (New)
      continue;
    LoopAdvice &Known = At->second;
    LoopAdvice &Worse = isBetter(Copy, Known) ? Known : Copy;
    const double Sum = Copy.Weight + Known.Weight;
    if (&Worse == &Known)
      std::swap(Known, Copy);
    unite(Known.SharedWrites, Copy.SharedWrites);
    unite(Known.Calls, Copy.Calls);
    // Executions in different functions add up; estimates do not.
    if (Known.HasProfile)
      Known.Weight = Sum;
  }
  std::vector<LoopAdvice> Ranked;
  for (auto &[Place, Advice] : Loops)
    Ranked.push_back(std::move(Advice));
  std::ranges::sort(Ranked, [](const LoopAdvice &One, const LoopAdvice &Other) {
    if (One.promise() != Other.promise())
      return One.promise() > Other.promise();
    return One.Loop < Other.Loop;
  });
  return Ranked;
}

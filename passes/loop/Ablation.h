//===- Ablation.h - Each half of interleaving by itself ---------*- C++ -*-===//
//
// Interleaving is requests and suspensions. `heddle bench dynamic` compiles
// loops with one of the two left out, to show what each is worth: the compiler
// options -mllvm -heddle-requests=false and -mllvm -heddle-suspensions=false.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_ABLATION_H
#define HEDDLE_PASSES_LOOP_ABLATION_H

namespace heddle {

/// Whether long-latency accesses are requested.
bool hasRequests();

/// Whether tasks are suspended at requests. Those that wait for their turn
/// always are.
bool hasSuspensions();

/// Whether anything is left out. Then there is one version of each loop, so
/// that this is what runs.
inline bool isAblated() { return !hasRequests() || !hasSuspensions(); }

} // namespace heddle

#endif

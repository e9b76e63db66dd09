//===- Ablation.cpp - Each half of interleaving by itself -----------------===//

#include "loop/Ablation.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<bool>
    Requests("heddle-requests", cl::Hidden, cl::init(true),
             cl::desc("Request long-latency accesses of async loops"));

static cl::opt<bool>
    Suspensions("heddle-suspensions", cl::Hidden, cl::init(true),
                cl::desc("Suspend iterations of async loops at requests"));

bool heddle::hasRequests() { return Requests; }

bool heddle::hasSuspensions() { return Suspensions; }

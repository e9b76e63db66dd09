//===- CpmaGraphInstances.cpp - CpmaGraphs several tests use --------------===//

#include "CpmaGraphInstances.h"

HEDDLE_CPMAGRAPH_INSTANCES()

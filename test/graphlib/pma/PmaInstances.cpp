//===- PmaInstances.cpp - Sets that several tests use ---------------------===//

#include "PmaInstances.h"

HEDDLE_PMA_INSTANCES()

//===- MessageInstances.cpp - Programs several tests run ------------------===//

#include "MessageInstances.h"

HEDDLE_MESSAGE_INSTANCES()

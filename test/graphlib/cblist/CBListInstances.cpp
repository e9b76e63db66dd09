//===- CBListInstances.cpp - CBLists that several tests use ---------------===//

#include "CBListInstances.h"

HEDDLE_CBLIST_INSTANCES()

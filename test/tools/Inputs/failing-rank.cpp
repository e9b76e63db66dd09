//===- failing-rank.cpp - A rank that fails while others wait for it ------===//

#include "heddle/graph/Error.h"
#include "heddle/graph/ooc/MpiCommunicator.h"

int main() {
  using namespace heddle::graph;
  try {
    ooc::MpiCommunicator communicator;
    communicator.gather("all are there");
    if (communicator.rank() == 1)
      throw WriteError("the disk is full");
    communicator.gather("all have done it");
  } catch (const Error &) {
    return 3;
  }
  return 0;
}

//===- OpenMPStart.h - What dead processes left to OpenMP -------*- C++ -*-===//
//-*-===//

#ifndef HEDDLE_TOOLS_COMMAND_OPENMPSTART_H
#define HEDDLE_TOOLS_COMMAND_OPENMPSTART_H

namespace heddle {

/// LLVM's OpenMP runtime registers each process in a file that is named by its
/// number. One that was killed leaves the file behind, empty if it was killed
/// early or had a limit for files; the next process of that number dies of
/// SIGBUS when it reads it. Removes such a file. To be called before OpenMP
/// starts.
void removeStaleRegistration();

} // namespace heddle

#endif

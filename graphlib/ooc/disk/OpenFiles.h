//===- OpenFiles.h - How many files may be open at once --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_OPENFILES_H
#define HEDDLE_GRAPHLIB_OOC_DISK_OPENFILES_H

#include <cstdint>
#include <string>

namespace heddle::graph::ooc {

/// Makes sure that this process may open so many files more than it has open
/// now. Where its soft limit is lower, it is raised, to the hard one at most.
/// Throws Error that names how many there are to be and the limit, with
/// `advice` behind it, if that is too low. Nothing keeps others from opening
/// files meanwhile: the count has those of all threads in it.
void requireOpenFiles(std::uint64_t more, const std::string &advice = "");

} // namespace heddle::graph::ooc

#endif

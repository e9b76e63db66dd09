//===- OpenFiles.h - How many files may be open at once --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_OPENFILES_H
#define HEDDLE_GRAPHLIB_OOC_DISK_OPENFILES_H

#include <cstdint>
#include <string>

namespace heddle::graph::ooc {

/// Makes sure that this process may open `more` files than are open now, and
/// raises its soft limit for that, up to the hard limit. Throws Error, with
/// `advice` at its end, if the hard limit is too low. Other threads may open
/// files meanwhile, so that `more` must include theirs.
void requireOpenFiles(std::uint64_t more, const std::string &advice = "");

} // namespace heddle::graph::ooc

#endif

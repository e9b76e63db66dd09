//===- Recognition.h - What a file is, from its first bytes ----*- C++ -*-===//
//
// A name may be missing or wrong, and nearly any text can be taken for an edge
// list. Formats that are not read are therefore known well enough to be refused
// by their names.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_HEADERS_RECOGNITION_H
#define HEDDLE_GRAPHLIB_FORMATS_HEADERS_RECOGNITION_H

#include "../../files/ByteSource.h"

#include <string>
#include <string_view>

namespace heddle::graph {

/// The first bytes of a file, without a byte order mark. Throws Error if it
/// cannot be opened.
FileStart readStart(const std::string &path);

/// Returns which format a file has, of those that are not read, for messages;
/// empty if it may have one that is.
std::string foreignFormat(std::string_view start);

/// Whether comments and a problem line of DIMACS come first.
bool looksLikeDimacs(std::string_view start);

/// Whether the first line gives numbers of vertices and edges, and the others
/// are the rows of such a graph and not all of them can be edges. A graph whose
/// rows all look like edges is recognised by its numbers if the whole file is
/// there.
bool looksLikeMetis(const FileStart &start);

} // namespace heddle::graph

#endif

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

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle::graph {

/// Enough to tell most formats.
inline constexpr std::size_t UsualStartBytes = std::size_t(1) << 14;

/// The first bytes of a file, without a byte order mark. Throws Error if it
/// cannot be opened.
FileStart readStart(const std::string &path,
                    std::size_t bytes = UsualStartBytes);

/// Returns which format a file has, of those that are not read, for messages;
/// empty if it may have one that is.
std::string foreignFormat(std::string_view start);

/// The name of the format of which files called \p path are, if it consists of
/// numbers only, so that nothing else tells it from an edge list; or "".
std::string_view foreignFormatOfName(std::string_view path);

/// Whether comments and a problem line of DIMACS come first.
bool looksLikeDimacs(std::string_view start);

/// What a start says about a file; more of it may tell what is possible only.
enum class Likeness { None, Possible, Certain };

/// Whether the first line gives numbers of vertices and edges, and the others
/// are the rows of such a graph. Rows that all look like lines of an edge list
/// are told from them by having each edge in the rows of both its ends.
Likeness likenessToMetis(const FileStart &start);

} // namespace heddle::graph

#endif

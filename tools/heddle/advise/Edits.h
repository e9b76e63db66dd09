//===- Edits.h - Directives in front of loops ------------------*- C++ -*-===//
//
// Writes directives into the text of a source file. Nothing but these lines
// changes. A place where the text has no loop, as where a macro makes it, is
// left alone.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_ADVISE_EDITS_H
#define HEDDLE_TOOLS_ADVISE_EDITS_H

#include "LoopList.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::advise {

class EditedText {
  std::vector<std::string> lines; ///< with their ends
  std::map<std::size_t, std::string> before, instead;

public:
  explicit EditedText(std::string_view text);

  /// Puts the directive in front of the loop. Returns why that is not possible,
  /// or an empty string.
  std::string annotate(const Loop &loop);

  bool isChanged() const { return !before.empty() || !instead.empty(); }
  std::string text() const;
  /// The changes as a unified diff.
  std::string diff(const std::string &path) const;

private:
  std::string annotateBehindDirective(const Loop &loop, std::size_t line);
  std::string endOf(std::size_t line) const;
  void insertBefore(std::size_t line, std::string_view indented,
                    const std::string &directive);
};

} // namespace heddle::advise

#endif

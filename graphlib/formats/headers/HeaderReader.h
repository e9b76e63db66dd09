//===- HeaderReader.h - The words of a header ------------------*- C++ -*-===//
//
// What readers of headers have in common: lines that must be there, and words
// that must be what the format says.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_HEADERS_HEADERREADER_H
#define HEDDLE_GRAPHLIB_FORMATS_HEADERS_HEADERREADER_H

#include "../../files/Quote.h"
#include "../../files/TextFile.h"
#include "../../files/Words.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::graph {

/// Functions throw Error, which names the line that was read last.
class HeaderReader {
public:
  explicit HeaderReader(TextFile &text) : text(text) {}

protected:
  /// Returns the next line; `what` is missing if there is none.
  std::string_view nextLine(const char *what) const {
    const auto line = text.nextLine();
    if (!line)
      text.fail(text.linesRead() + 1, std::string("expected ") + what +
                                          ", found the end of the file");
    return *line;
  }

  /// Takes a number, which a plus may precede, off a line.
  std::uint64_t takeNumber(std::string_view &line, const char *what) const {
    const std::string_view word = takeWord(line);
    const auto number = wholeNumber(word.substr(word.starts_with('+')));
    if (!number)
      fail(what, word);
    return *number;
  }

  void expectEnd(std::string_view line) const {
    const std::string_view word = takeWord(line);
    if (!word.empty())
      fail("nothing more", word);
  }

  [[noreturn]] void fail(const std::string &expected,
                         std::string_view found) const {
    text.fail(std::max<std::uint64_t>(text.linesRead(), 1),
              "expected " + expected + ", found " +
                  (found.empty() ? "the end of the line" : quoted(found)));
  }

  TextFile &text;
};

} // namespace heddle::graph

#endif

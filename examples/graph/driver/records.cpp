//===- records.cpp - The compiler's records of each loop ------------------===//

#include "records.h"

#include <charconv>
#include <heddle/heddle.h>

namespace {

std::string withoutFolder(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// The value of a YAML scalar on one line: plain, 'single' or "double" quoted.
std::string scalar(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    return std::string(text);
  char quote = text[0];
  std::string value;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote)
        break;
      ++i; // '' stands for '
    } else if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) {
      ++i;
    }
    value += text[i];
  }
  return value;
}

/// The value of `key` in "{ File: a.cpp, Line: 3, Column: 1 }".
std::string flowValue(std::string_view flow, std::string_view key) {
  size_t at = flow.find(key);
  if (at == std::string_view::npos)
    return {};
  std::string_view value = flow.substr(at + key.size());
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  if (value.starts_with('\''))
    return scalar(value);
  return std::string(value.substr(0, value.find_first_of(",} ")));
}

/// Reads one document: the fields at its top level, and the values of Args,
/// which make up the message.
Remark parseDocument(std::string_view document, bool &isOurs) {
  Remark remark;
  std::string location;
  std::string *continued = nullptr; // a location may go on on the next line
  bool inArguments = false;
  while (!document.empty()) {
    size_t end = std::min(document.find('\n'), document.size());
    std::string_view line = document.substr(0, end);
    document.remove_prefix(std::min(end + 1, document.size()));

    if (line.starts_with("!")) {
      remark.kind = line.substr(1);
    } else if (line.starts_with("Pass:")) {
      isOurs = scalar(line.substr(5)) == "heddle";
    } else if (line.starts_with("DebugLoc:")) {
      location = line;
      continued = &location;
      continue;
    } else if (line.starts_with("Args:")) {
      inArguments = true;
    } else if (inArguments && line.starts_with("  - ")) {
      size_t colon = line.find(':');
      if (colon != std::string_view::npos)
        remark.message += scalar(line.substr(colon + 1));
    } else if (continued && line.starts_with(' ')) {
      *continued += line;
      continue;
    }
    continued = nullptr;
  }
  remark.file = withoutFolder(flowValue(location, "File:"));
  std::string number = flowValue(location, "Line:");
  std::from_chars(number.data(), number.data() + number.size(), remark.line);
  return remark;
}

} // namespace

std::vector<Remark> parseRecord(std::string_view yaml) {
  constexpr std::string_view DocumentStart = "--- ";
  std::vector<Remark> remarks;
  size_t begin = yaml.find(DocumentStart);
  while (begin != std::string_view::npos) {
    begin += DocumentStart.size();
    size_t next = yaml.find("\n--- ", begin);
    size_t length = next == std::string_view::npos ? next : next - begin;
    bool isOurs = false;
    Remark remark = parseDocument(yaml.substr(begin, length), isOurs);
    if (isOurs)
      remarks.push_back(std::move(remark));
    begin = next == std::string_view::npos ? next : next + 1;
  }
  return remarks;
}

std::vector<LoopChoice> currentChoices() {
  std::vector<LoopChoice> choices;
  heddle_for_each_loop(
      [](const heddle_loop *loop, void *context) {
        static_cast<std::vector<LoopChoice> *>(context)->push_back(
            {withoutFolder(loop->file), loop->line,
             heddle_schedule_name(loop->schedule), loop->tasks,
             loop->settled != 0});
      },
      &choices);
  return choices;
}

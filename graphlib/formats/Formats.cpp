//===- Formats.cpp - Which format a file has -----------------------------===//

#include "Formats.h"

#include "../files/Words.h"
#include "headers/Recognition.h"

#include <algorithm>

namespace heddle::graph {
namespace {

bool endsInAny(std::string_view name,
               const std::vector<std::string_view> &endings) {
  return std::ranges::any_of(endings, [name](std::string_view ending) {
    return name.ends_with(ending);
  });
}

std::string_view withoutCompression(std::string_view path) {
  for (const std::string_view compressed : {".gz", ".zst"})
    if (path.ends_with(compressed))
      return path.substr(0, path.size() - compressed.size());
  return path;
}

/// "a, b or c"
std::string choiceOf(const std::vector<std::string_view> &words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0)
      text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

/// Whether the first bytes show a format beyond doubt.
bool hasStart(const FormatDescription &description, std::string_view start) {
  return std::ranges::any_of(
      description.starts, [start](std::string_view bytes) {
        return lowerCase(start.substr(0, bytes.size())) == lowerCase(bytes);
      });
}

std::optional<GraphFormat> formatOfStart(const FileStart &start) {
  for (const GraphFormat format : AllFormats) {
    const FormatDescription &description = descriptionOf(format);
    if (hasStart(description, start.text) ||
        (description.isStart && description.isStart(start)))
      return format;
  }
  return std::nullopt;
}

[[noreturn]] void failForeign(const std::string &path, std::string_view name) {
  throw Error(path + ": expected " + formatsInWords() + ", found " +
              std::string(name));
}

void refuseForeign(const std::string &path, const FileStart &start) {
  if (const std::string name = foreignFormat(start.text); !name.empty())
    failForeign(path, name);
}

/// An edge list, if the file is not called what other files of numbers are.
GraphFormat edgeListAt(const std::string &path) {
  if (const auto name = foreignFormatOfName(withoutCompression(path));
      !name.empty())
    failForeign(path, name);
  return GraphFormat::EdgeList;
}

} // namespace

std::optional<GraphFormat> formatOfName(const std::string &path) {
  const std::string_view name = withoutCompression(path);
  for (const GraphFormat format : AllFormats)
    if (endsInAny(name, descriptionOf(format).endings))
      return format;
  return std::nullopt;
}

std::optional<GraphFormat> formatOfOutput(const std::string &path) {
  if (const auto format = formatOfName(path))
    return format;
  const std::string_view name = withoutCompression(path);
  for (const GraphFormat format : AllFormats)
    if (endsInAny(name, descriptionOf(format).outputEndings))
      return format;
  return std::nullopt;
}

GraphFormat formatOfFile(const std::string &path) {
  const std::optional<GraphFormat> named = formatOfName(path);
  if (named && descriptionOf(*named).hasAnyStart)
    return *named;
  const FileStart start = readStart(path);
  refuseForeign(path, start);
  // Files of any format are given the names of edge lists.
  if (named && *named != GraphFormat::EdgeList)
    return *named;
  if (const auto format = formatOfStart(start))
    return *format;
  if (likenessToMetis(start) != Likeness::Possible)
    return edgeListAt(path);
  // Of any graph, so many rows have edges between them.
  constexpr std::size_t manyBytes = std::size_t(1) << 22;
  const auto format = formatOfStart(readStart(path, manyBytes));
  return format ? *format : edgeListAt(path);
}

void expectEdgeList(const std::string &path) {
  const FileStart start = readStart(path);
  refuseForeign(path, start);
  for (const GraphFormat format : AllFormats)
    if (const auto &description = descriptionOf(format);
        hasStart(description, start.text))
      throw Error(path + ": expected an edge list, found " +
                  std::string(description.inWords));
}

std::vector<std::string> formatNames() {
  std::vector<std::string> names;
  for (const GraphFormat format : AllFormats)
    names.emplace_back(descriptionOf(format).name);
  return names;
}

std::optional<GraphFormat> formatNamed(const std::string &name) {
  for (const GraphFormat format : AllFormats)
    if (descriptionOf(format).name == name)
      return format;
  return std::nullopt;
}

bool isFinishedGraph(GraphFormat format) {
  return descriptionOf(format).isFinished;
}

std::string formatsInWords() {
  std::vector<std::string_view> words;
  for (const GraphFormat format : AllFormats)
    if (const auto inWords = descriptionOf(format).inWords; !inWords.empty())
      words.push_back(inWords);
  return choiceOf(words);
}

std::string outputEndingsInWords() {
  std::vector<std::string_view> words;
  for (const GraphFormat format : AllFormats) {
    const FormatDescription &description = descriptionOf(format);
    for (const auto *endings :
         {&description.endings, &description.outputEndings})
      words.insert(words.end(), endings->begin(), endings->end());
  }
  return choiceOf(words);
}

} // namespace heddle::graph

//===- Formats.cpp - Which format a file has -----------------------------===//

#include "Formats.h"

#include "../files/ByteSource.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

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

GraphFormat formatOfContent(const std::string &path) {
  // Bytes that are read from a pipe would be missing later.
  std::error_code isNoFile;
  if (!std::filesystem::is_regular_file(path, isNoFile))
    return GraphFormat::EdgeList;
  std::array<char, 32> bytes;
  const std::size_t got = openByteSource(path)->read(bytes);
  std::string_view start(bytes.data(), got);
  constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
  if (start.starts_with(byteOrderMark))
    start.remove_prefix(byteOrderMark.size());
  for (const GraphFormat format : AllFormats)
    for (const std::string_view word : descriptionOf(format).starts)
      if (start.starts_with(word))
        return format;
  return GraphFormat::EdgeList;
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
  if (const auto format = formatOfName(path))
    return *format;
  return formatOfContent(path);
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

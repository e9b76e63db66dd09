//===- packages.cpp - The dependency graph of Debian packages -------------===//
//
// Reads the stanzas of a package index (Debian policy, chapter 5). Every
// package is a vertex; so is every name that packages only provide, with edges
// to its providers. A dependency with alternatives is an edge to each.
//
//===----------------------------------------------------------------------===//

#include "input.h"

#include "graphlib/files/FileError.h"
#include "graphlib/files/GrowingArray.h"
#include "graphlib/files/Quote.h"

#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <unordered_map>

namespace {

using heddle::graph::quoted;

constexpr char InstalledPackages[] = "/var/lib/dpkg/status";

struct Package {
  std::string name;
  std::string relations; // Pre-Depends, Depends and Recommends
  std::string provides;
  int32_t installedSize = 0; // in KiB
  bool isInstalled = true;   // false: only its configuration is left
};

/// The name that `text` begins with.
std::string_view nameIn(std::string_view text) {
  constexpr std::string_view characters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
  return text.substr(0, text.find_first_not_of(characters));
}

std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Collects packages, line by line.
class StanzaReader {
public:
  explicit StanzaReader(std::string source) : source(std::move(source)) {}

  void addLine(std::string_view line, uint64_t number) {
    lineNumber = number;
    if (trim(line).empty()) {
      finishStanza();
      return;
    }
    inStanza = true;
    if (line[0] == ' ' || line[0] == '\t') {
      if (value)
        *value += line;
      return;
    }
    size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0)
      fail(quoted(line) + " is not a field of a package");
    addField(line.substr(0, colon), trim(line.substr(colon + 1)));
  }

  std::vector<Package> finish() {
    finishStanza();
    return std::move(packages);
  }

private:
  [[noreturn]] void fail(const std::string &problem) const {
    heddle::graph::failAtLine(source, lineNumber, problem);
  }

  void addField(std::string_view field, std::string_view text) {
    value = nullptr;
    if (field == "Package") {
      if (text.empty() || nameIn(text) != text)
        fail(quoted(text) + " is not a package name");
      package.name = text;
    } else if (field == "Depends" || field == "Pre-Depends" ||
               field == "Recommends") {
      value = &package.relations;
    } else if (field == "Provides") {
      value = &package.provides;
    } else if (field == "Installed-Size") {
      std::from_chars(text.data(), text.data() + text.size(),
                      package.installedSize);
    } else if (field == "Status") {
      package.isInstalled = text.ends_with(" installed");
    }
    if (value)
      value->append(",").append(text);
  }

  void finishStanza() {
    if (inStanza && package.name.empty())
      fail("the stanza that ends here names no package");
    if (inStanza && package.isInstalled)
      packages.push_back(std::move(package));
    package = {};
    value = nullptr;
    inStanza = false;
  }

  const std::string source;
  uint64_t lineNumber = 0;
  std::vector<Package> packages;
  Package package;
  std::string *value = nullptr; // the field that a continuation belongs to
  bool inStanza = false;
};

std::vector<Package> readFile(const std::string &file,
                              const std::string &source) {
  StanzaReader reader(source);
  forEachLine(file, source, [&](std::string_view line, uint64_t number) {
    reader.addLine(line, number);
  });
  return reader.finish();
}

std::string quotedForShell(std::string_view text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Reads the output of a program; no packages if it fails.
std::vector<Package> readOutput(const std::string &command,
                                const std::string &source) {
  FILE *output = popen(command.c_str(), "r");
  if (!output)
    return {};
  auto packages = readFile(fmt::format("/dev/fd/{}", fileno(output)), source);
  if (pclose(output) != 0)
    packages.clear();
  return packages;
}

/// Calls visit(name) for each name in a list like "a (>= 1), b | c:any".
template <typename Visitor>
void forEachName(std::string_view list, Visitor visit) {
  while (!list.empty()) {
    size_t end = std::min(list.find_first_of(",|"), list.size());
    const std::string_view name = nameIn(trim(list.substr(0, end)));
    if (!name.empty())
      visit(name);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

Graph dependencyGraph(const std::vector<Package> &packages,
                      const std::string &source) {
  std::unordered_map<std::string_view, uint32_t> vertexOf;
  std::vector<std::string> names;
  std::vector<int32_t> installedSize;
  const auto addName = [&](std::string_view name, int32_t size) {
    if (!vertexOf.try_emplace(name, names.size()).second)
      return;
    names.emplace_back(name);
    installedSize.push_back(size);
  };
  for (const Package &package : packages)
    addName(package.name, package.installedSize);
  const auto real = static_cast<uint32_t>(names.size());
  for (const Package &package : packages)
    forEachName(package.provides,
                [&](std::string_view name) { addName(name, 0); });
  const auto vertices = static_cast<uint32_t>(names.size());

  heddle::graph::GrowingArray<Edge> edges;
  // The weight of a dependency is the size of the package that it installs.
  const auto addEdge = [&](uint32_t from, uint32_t to) {
    *edges.extend(1, vertices) = {from, to, installedSize[to]};
  };
  uint64_t missing = 0;
  std::vector<bool> seen(vertices);
  for (const Package &package : packages) {
    const uint32_t from = vertexOf.at(package.name);
    if (seen[from])
      continue; // another version of the same package
    seen[from] = true;
    forEachName(package.relations, [&](std::string_view name) {
      const auto to = vertexOf.find(name);
      if (to == vertexOf.end())
        ++missing;
      else
        addEdge(from, to->second);
    });
    forEachName(package.provides, [&](std::string_view name) {
      const uint32_t provided = vertexOf.at(name);
      if (provided >= real)
        addEdge(provided, from);
    });
  }

  Graph graph = buildGraph("debian", {vertices, edges.take()}, false);
  graph.origin = fmt::format(
      "{}: {} packages and {} virtual ones; {} dependencies on packages that "
      "are not there left out",
      source, real, vertices - real, missing);
  graph.weightUnit = " KiB";
  graph.packages = std::move(names);
  return graph;
}

} // namespace

Graph readPackages(const std::string &file) {
  std::string source = file;
  std::vector<Package> packages;
  if (file.empty()) {
    source = "apt-cache dumpavail";
    packages = readOutput(
        "command -v apt-cache >/dev/null && exec apt-cache dumpavail", source);
    if (packages.empty()) {
      source =
          fmt::format("{} (apt's package lists are empty)", InstalledPackages);
      packages = readFile(InstalledPackages, InstalledPackages);
    }
  } else if (file.ends_with(".lz4") || file.ends_with(".xz")) {
    packages = readOutput(
        "/usr/lib/apt/apt-helper cat-file " + quotedForShell(file), file);
  } else {
    packages = readFile(file, file);
  }
  if (packages.empty())
    throw InputError(fmt::format("{}: there are no packages in it", source));
  return dependencyGraph(packages, source);
}

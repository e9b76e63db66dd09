//===- packages.cpp - The dependency graph of Debian packages -------------===//
//
// Reads the stanzas of a package index (Debian policy, chapter 5). Every
// package is a vertex; so is every name that packages only provide, with edges
// to its providers. A dependency with alternatives is an edge to each.
//
//===----------------------------------------------------------------------===//

#include "input.h"
#include "text.h"

#include "graphlib/files/FileError.h"
#include "graphlib/files/Quote.h"

#include <algorithm>
#include <charconv>
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

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == '_';
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

  void addLine(std::string_view line, int64_t number) {
    if (trim(line).empty()) {
      finishStanza(number);
      return;
    }
    if (stanzaBegin == 0)
      stanzaBegin = number;
    if (line[0] == ' ' || line[0] == '\t') {
      if (value)
        *value += line;
      return;
    }
    size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0)
      fail(number, quoted(line) + " is not a field of a package");
    addField(line.substr(0, colon), trim(line.substr(colon + 1)), number);
  }

  std::vector<Package> finish(int64_t number) {
    finishStanza(number);
    return std::move(packages);
  }

private:
  [[noreturn]] void fail(int64_t number, const std::string &problem) const {
    heddle::graph::failAtLine(source, static_cast<uint64_t>(number), problem);
  }

  void addField(std::string_view field, std::string_view text, int64_t number) {
    value = nullptr;
    if (field == "Package") {
      if (text.empty() ||
          !std::all_of(text.begin(), text.end(), isNameCharacter))
        fail(number, quoted(text) + " is not a package name");
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
    if (value) {
      if (!value->empty())
        *value += ',';
      *value += text;
    }
  }

  void finishStanza(int64_t number) {
    if (stanzaBegin != 0 && package.name.empty())
      fail(number, "the stanza that ends here names no package");
    if (stanzaBegin != 0 && package.isInstalled)
      packages.push_back(std::move(package));
    package = {};
    value = nullptr;
    stanzaBegin = 0;
  }

  std::string source;
  std::vector<Package> packages;
  Package package;
  std::string *value = nullptr; // the field that a continuation belongs to
  int64_t stanzaBegin = 0;
};

std::vector<Package> readFile(const std::string &file) {
  StanzaReader reader(file);
  int64_t last = 0;
  forEachLine(file, [&](std::string_view line, int64_t number) {
    reader.addLine(line, last = number);
  });
  return reader.finish(last);
}

std::vector<Package> readText(const std::string &source,
                              std::string_view text) {
  StanzaReader reader(source);
  int64_t number = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    reader.addLine(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish(number);
}

/// Calls visit(name) for each name in a list like "a (>= 1), b | c:any".
template <typename Visitor>
void forEachName(std::string_view list, Visitor visit) {
  while (!list.empty()) {
    size_t end = std::min(list.find_first_of(",|"), list.size());
    std::string_view item = trim(list.substr(0, end));
    auto nameEnd = std::find_if_not(item.begin(), item.end(), isNameCharacter);
    if (nameEnd != item.begin())
      visit(std::string_view(item.begin(), nameEnd));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// Numbers names and collects edges.
class DependencyGraph {
public:
  explicit DependencyGraph(const std::vector<Package> &packages)
      : packages(packages) {
    for (const Package &package : packages)
      addName(package.name, package.installedSize);
    real = static_cast<int32_t>(names.size());
    for (const Package &package : packages)
      forEachName(package.provides,
                  [&](std::string_view name) { addName(name, 0); });
  }

  Graph build(const std::string &source) {
    std::vector<bool> seen(names.size());
    for (const Package &package : packages) {
      int32_t from = vertexOf.at(package.name);
      if (seen[from])
        continue; // another version of the same package
      seen[from] = true;
      forEachName(package.relations, [&](std::string_view name) {
        auto to = vertexOf.find(name);
        if (to == vertexOf.end())
          ++missing;
        else
          addEdge(from, to->second);
      });
      forEachName(package.provides, [&](std::string_view name) {
        int32_t provided = vertexOf.at(name);
        if (provided >= real)
          addEdge(provided, from);
      });
    }
    auto vertices = static_cast<int32_t>(names.size());
    Array<Edge> list(edges.size());
    std::copy(edges.begin(), edges.end(), list.begin());
    Graph graph = buildGraph("debian", vertices, std::move(list), false);
    graph.origin = fmt::format(
        "{}: {} packages and {} virtual ones; {} dependencies on packages that "
        "are not there left out",
        source, real, vertices - real, missing);
    graph.weightUnit = " KiB";
    graph.packages = std::move(names);
    return graph;
  }

private:
  void addName(std::string_view name, int32_t size) {
    auto next = static_cast<int32_t>(names.size());
    if (!vertexOf.try_emplace(name, next).second)
      return;
    names.emplace_back(name);
    installedSize.push_back(size);
  }

  /// The weight of a dependency is the size of the package that it installs.
  void addEdge(int32_t from, int32_t to) {
    edges.push_back({uint32_t(from), uint32_t(to), installedSize[to]});
  }

  const std::vector<Package> &packages;
  std::unordered_map<std::string_view, int32_t> vertexOf;
  std::vector<std::string> names;
  std::vector<int32_t> installedSize;
  std::vector<Edge> edges;
  int32_t real = 0;
  int64_t missing = 0;
};

} // namespace

Graph readPackages(const std::string &file) {
  std::string source = file;
  std::vector<Package> packages;
  if (file.empty()) {
    source = "apt-cache dumpavail";
    packages = readText(source, outputOf({"apt-cache", "dumpavail"}));
    if (packages.empty()) {
      source =
          fmt::format("{} (apt's package lists are empty)", InstalledPackages);
      packages = readFile(InstalledPackages);
    }
  } else if (file.ends_with(".lz4") || file.ends_with(".xz")) {
    packages =
        readText(file, outputOf({"/usr/lib/apt/apt-helper", "cat-file", file}));
  } else {
    packages = readFile(file);
  }
  if (packages.empty())
    throw InputError(fmt::format("{}: there are no packages in it", source));
  return DependencyGraph(packages).build(source);
}

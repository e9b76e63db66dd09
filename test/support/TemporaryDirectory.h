//===- TemporaryDirectory.h - A directory for one test ----------*- C++ -*-===//

#ifndef HEDDLE_TEST_SUPPORT_TEMPORARYDIRECTORY_H
#define HEDDLE_TEST_SUPPORT_TEMPORARYDIRECTORY_H

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace heddle::test {

class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string Template =
        (std::filesystem::temp_directory_path() / "heddle.XXXXXX").string();
    if (!mkdtemp(Template.data()))
      throw std::runtime_error("no temporary directory");
    Path = Template;
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(Path); }
  TemporaryDirectory(const TemporaryDirectory &) = delete;

  std::string file(const std::string &Name) const {
    return (Path / Name).string();
  }
  std::string operator/(const std::string &Name) const { return file(Name); }
  size_t entries() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(Path), {}));
  }

private:
  std::filesystem::path Path;
};

inline std::string readText(const std::string &Path) {
  // By the block: each character of a stream's iterators takes several calls,
  // which sanitizers make slow.
  std::ostringstream Text;
  Text << std::ifstream(Path, std::ios::binary).rdbuf();
  return std::move(Text).str();
}

inline void writeText(const std::string &Path, const std::string &Text) {
  std::ofstream(Path, std::ios::binary) << Text;
}

} // namespace heddle::test

#endif

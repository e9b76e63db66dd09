//===- WholeFileTests.cpp - The file is whole or not there ---------------===//

#include "command/Error.h"
#include "output/WholeFile.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
protected:
  fs::path directory =
      fs::path(testing::TempDir()) / ("whole-file-" + std::to_string(getpid()));
  std::string path = directory / "results";

  void SetUp() override { fs::create_directory(directory); }
  void TearDown() override { fs::remove_all(directory); }

  size_t filesLeft() const {
    return std::distance(fs::directory_iterator(directory),
                         fs::directory_iterator());
  }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
};

TEST_F(WholeFileTest, HasAllThatWasWritten) {
  WholeFile file(path);
  file.write("one\n");
  file.write("two\n");
  file.commit();
  EXPECT_EQ(content(), "one\ntwo\n");
  EXPECT_EQ(filesLeft(), 1u);
}

TEST_F(WholeFileTest, LeavesNothingUnlessCommitted) {
  {
    WholeFile file(path);
    file.write("abandoned");
  }
  EXPECT_EQ(filesLeft(), 0u);
}

TEST_F(WholeFileTest, KeepsTheOldFileUntilTheNewOneIsWhole) {
  std::ofstream(path) << "old";
  {
    WholeFile abandoned(path);
  }
  EXPECT_EQ(content(), "old");
  WholeFile file(path);
  file.write("new");
  EXPECT_EQ(content(), "old");
  file.commit();
  EXPECT_EQ(content(), "new");
}

TEST_F(WholeFileTest, LinksStayAndWhatTheyLeadToIsWritten) {
  std::ofstream(path) << "old";
  const fs::path link = directory / "link";
  fs::create_symlink("results", link);
  WholeFile file(link.string());
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(), "new");
}

TEST_F(WholeFileTest, WritesToDevicesInPlace) {
  WholeFile file("/dev/null");
  file.write("gone");
  file.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFileTest, FailsEarly) {
  EXPECT_THROW(WholeFile(directory / "missing" / "results"), bench::Error);
  EXPECT_THROW(WholeFile{directory.string()}, bench::Error);
}

TEST_F(WholeFileTest, FailsWhenTheDiskIsFull) {
  // What is buffered fails at the end, what is not at once.
  for (const size_t size : {1, 1 << 20}) {
    WholeFile file("/dev/full");
    file.write(std::string(size, 'x'));
    EXPECT_THROW(file.commit(), bench::Error);
  }
}

} // namespace
} // namespace heddle

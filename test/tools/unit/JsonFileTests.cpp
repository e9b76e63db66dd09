//===- JsonFileTests.cpp - The file is whole or not there ----------------===//

#include "bench/Error.h"
#include "bench/JsonFile.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace heddle::bench {
namespace {

namespace fs = std::filesystem;

const std::vector<Row> TwoRows = {
    {"gups", Version::PhaseQueue, 1 << 20, Pages::Huge, 2, 1.5, 2, 0xabc},
    {"hash-join-4", Version::Serial, 4096, Pages::Small, 1, 0.25, 1, ~0ull}};

class JsonFileTest : public testing::Test {
protected:
  fs::path directory =
      fs::path(testing::TempDir()) / ("json-file-" + std::to_string(getpid()));
  std::string path = directory / "rows.json";

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

TEST_F(JsonFileTest, OneObjectARow) {
  JsonFile(path).write(TwoRows);
  EXPECT_EQ(
      content(),
      "[\n"
      R"({"kernel": "gups", "version": "phasequeue", "bytes": 1048576, )"
      R"("pages": "huge", "threads": 2, "ns_per_op": 1.5000, "speed": 2.0000, )"
      R"("checksum": "0000000000000abc"},)"
      "\n"
      R"({"kernel": "hash-join-4", "version": "serial", "bytes": 4096, )"
      R"("pages": "4k", "threads": 1, "ns_per_op": 0.2500, "speed": 1.0000, )"
      R"("checksum": "ffffffffffffffff"})"
      "\n]\n");
  EXPECT_EQ(filesLeft(), 1u);
}

TEST_F(JsonFileTest, LeavesNothingWhenNothingIsWritten) {
  {
    JsonFile file(path);
    EXPECT_EQ(filesLeft(), 1u); // the path was tried
  }
  EXPECT_EQ(filesLeft(), 0u);
}

TEST_F(JsonFileTest, KeepsTheOldFileUntilTheNewOneIsWhole) {
  std::ofstream(path) << "old";
  {
    JsonFile abandoned(path);
  }
  EXPECT_EQ(content(), "old");
  JsonFile(path).write({});
  EXPECT_EQ(content(), "[\n]\n");
}

TEST_F(JsonFileTest, WritesToDevicesInPlace) {
  JsonFile("/dev/null").write(TwoRows);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(JsonFileTest, FailsEarly) {
  EXPECT_THROW(JsonFile(directory / "missing" / "rows.json"), Error);
  EXPECT_THROW(JsonFile{directory.string()}, Error);
}

TEST_F(JsonFileTest, FailsWhenTheDiskIsFull) {
  EXPECT_THROW(JsonFile("/dev/full").write(TwoRows), Error);
}

} // namespace
} // namespace heddle::bench

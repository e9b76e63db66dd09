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

const std::vector<JsonObject> TwoObjects = {
    JsonObject().add("name", "gups").add("bytes", 1 << 20).add("speed", 1.5),
    JsonObject().add("name", "a \"b\"\\\n").add("good", true)};

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

TEST_F(JsonFileTest, OneObjectALine) {
  JsonFile(path).writeArray(TwoObjects);
  EXPECT_EQ(content(), "[\n"
                       R"({"name": "gups", "bytes": 1048576, "speed": 1.5},)"
                       "\n"
                       R"({"name": "a \"b\"\\\u000a", "good": true})"
                       "\n]\n");
  EXPECT_EQ(filesLeft(), 1u);
}

TEST_F(JsonFileTest, ObjectsInObjects) {
  JsonFile(path).writeObject(
      JsonObject()
          .add("inner", JsonObject().add("a", std::uint64_t(1) << 63))
          .add("nothing", JsonObject())
          .add("infinite", 1 / 0.0));
  EXPECT_EQ(content(), R"({"inner": {"a": 9223372036854775808}, )"
                       R"("nothing": {}, "infinite": null})"
                       "\n");
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
  JsonFile(path).writeArray({});
  EXPECT_EQ(content(), "[\n]\n");
}

TEST_F(JsonFileTest, WritesToDevicesInPlace) {
  JsonFile("/dev/null").writeArray(TwoObjects);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(JsonFileTest, FailsEarly) {
  EXPECT_THROW(JsonFile(directory / "missing" / "rows.json"), Error);
  EXPECT_THROW(JsonFile{directory.string()}, Error);
}

TEST_F(JsonFileTest, FailsWhenTheDiskIsFull) {
  EXPECT_THROW(JsonFile("/dev/full").writeArray(TwoObjects), Error);
}

} // namespace
} // namespace heddle::bench

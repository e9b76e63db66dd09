//===- ResultFileTest.cpp - Where results are written ---------------------===//

#include "output/ResultFile.h"

#include "../../support/TemporaryDirectory.h"
#include "heddle/graph/Error.h"

#include <gtest/gtest.h>
#include <string>

namespace heddle {
namespace {

TEST(ResultFile, HasAllThatWasWritten) {
  test::TemporaryDirectory directory;
  const std::string path = directory.file("results.gz");
  ResultFile file(path);
  file.write("one\n");
  file.write(std::string(100000, 'x'));
  EXPECT_EQ(directory.entries(), 0u);
  file.commit();
  EXPECT_EQ(test::readText(path), "one\n" + std::string(100000, 'x'));
}

TEST(ResultFile, FailsEarly) {
  test::TemporaryDirectory directory;
  EXPECT_THROW(ResultFile{directory.file("missing/results")},
               graph::WriteError);
}

TEST(ResultFile, FailsWhenTheDiskIsFull) {
  // What is buffered fails at the end, what is not at once.
  for (const std::size_t size : {1, 1 << 20}) {
    ResultFile file("/dev/full");
    file.write(std::string(size, 'x'));
    EXPECT_THROW(file.commit(), graph::WriteError);
  }
}

} // namespace
} // namespace heddle

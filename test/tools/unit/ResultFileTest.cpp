//===- ResultFileTest.cpp - Where results are written ---------------------===//

#include "output/ResultFile.h"

#include "../../support/TemporaryDirectory.h"
#include "heddle/graph/Error.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace {

/// The errors that calls fail with; 0: they do not.
int dup2Failure = 0, closeFailure = 0;

int failWith(int failure) {
  errno = failure;
  return -1;
}

} // namespace

extern "C" {

int __real_dup2(int from, int to);
int __real_close(int descriptor);

int __wrap_dup2(int from, int to) {
  return dup2Failure ? failWith(dup2Failure) : __real_dup2(from, to);
}

/// Closes the descriptor in any case.
int __wrap_close(int descriptor) {
  const int result = __real_close(descriptor);
  return closeFailure ? failWith(closeFailure) : result;
}

} // extern "C"

namespace heddle {
namespace {

/// Returns the error of commit() if closing the file fails.
std::string problemOfClosing(ResultFile &file) {
  std::string problem;
  closeFailure = EIO;
  try {
    file.commit();
  } catch (const graph::WriteError &error) {
    problem = error.what();
  }
  closeFailure = 0;
  return problem;
}

/// The lowest descriptor that is free.
int nextDescriptor() {
  const int next = dup(STDERR_FILENO);
  close(next);
  return next;
}

/// Brings the standard output back.
class StandardOutput {
public:
  ~StandardOutput() {
    dup2(saved, STDOUT_FILENO);
    close(saved);
  }

private:
  const int saved = dup(STDOUT_FILENO);
};

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
  // Writing buffered data fails at the end, other data at once.
  for (const std::size_t size : {1, 1 << 20}) {
    ResultFile file("/dev/full");
    file.write(std::string(size, 'x'));
    EXPECT_THROW(file.commit(), graph::WriteError);
  }
}

TEST(ResultFile, LeavesNothingIfClosingFails) {
  test::TemporaryDirectory directory;
  const std::string path = directory.file("results");
  for (const std::string before : {"", "what was there"}) {
    if (!before.empty())
      test::writeText(path, before);
    {
      ResultFile file(path);
      file.write("half");
      EXPECT_EQ(problemOfClosing(file),
                path + ": cannot write: Input/output error");
    }
    EXPECT_EQ(directory.entries(), before.empty() ? 0u : 1u);
    if (!before.empty())
      EXPECT_EQ(test::readText(path), before);
  }
}

TEST(ResultFile, FailsIfClosingTheStandardOutputFails) {
  const StandardOutput back;
  ResultFile file("-");
  EXPECT_EQ(problemOfClosing(file),
            "standard output: cannot write: Input/output error");
}

TEST(ResultFile, FailsEarlyIfTheStandardOutputCannotBeItsOwn) {
  const int next = nextDescriptor();
  dup2Failure = EBUSY;
  std::string problem;
  try {
    ResultFile file("-");
  } catch (const graph::WriteError &error) {
    problem = error.what();
  }
  dup2Failure = 0;
  EXPECT_EQ(problem, "standard output: cannot write: Device or resource busy");
  EXPECT_EQ(nextDescriptor(), next);
}

} // namespace
} // namespace heddle

//===- OpenFilesTest.cpp - How many files may be open at once -------------===//

#include "../../../graphlib/ooc/disk/OpenFiles.h"

#include "PreparedGraph.h"

#include <sys/resource.h>

namespace {

using namespace heddle::graph::ooc;
using namespace heddle::test;

/// The limits of this process, which are restored after the test.
class OpenFiles : public testing::Test {
protected:
  OpenFiles() { getrlimit(RLIMIT_NOFILE, &before); }
  ~OpenFiles() override { setrlimit(RLIMIT_NOFILE, &before); }

  void setSoftLimit(rlim_t files) const {
    const rlimit limit = {.rlim_cur = files, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  }

  static rlim_t softLimit() {
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
  }

  rlimit before;
};

TEST_F(OpenFiles, TheSoftLimitIsRaisedWhereItIsTooLow) {
  setSoftLimit(64);
  requireOpenFiles(10);
  EXPECT_EQ(softLimit(), 64u);
  // Files that are open now count.
  requireOpenFiles(62);
  EXPECT_EQ(softLimit(), before.rlim_max);
}

TEST_F(OpenFiles, AHardLimitThatIsTooLowIsNamed) {
  setSoftLimit(64);
  const std::string problem = errorOf(
      [&] { requireOpenFiles(before.rlim_max, ", or use fewer ranks"); });
  EXPECT_TRUE(problem.starts_with("expected a limit of at least ")) << problem;
  EXPECT_TRUE(problem.ends_with(" open files, found " +
                                std::to_string(before.rlim_max) +
                                "; raise it (ulimit -Hn), or use fewer ranks"))
      << problem;
  EXPECT_EQ(softLimit(), 64u);
}

} // namespace

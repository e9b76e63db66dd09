//===- FarUringTest.cpp - Queues of io_uring ------------------------------===//

#include "FarFile.h"

#include "far/devices/device.h"

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace heddle::test;

namespace {

/// The most requests that the kernel takes in each of the next calls; if 0, the
/// call fails with EAGAIN.
std::deque<unsigned> Taken;

/// The error of all calls after those, if not 0.
int Refusal = 0;

} // namespace

extern "C" {

int __real_io_uring_submit_and_wait(io_uring *Ring, unsigned Waits);

/// A kernel short of memory takes the first requests only, and does not wait.
int __wrap_io_uring_submit_and_wait(io_uring *Ring, unsigned Waits) {
  if (Taken.empty() && Refusal != 0)
    return -Refusal;
  if (Taken.empty())
    return __real_io_uring_submit_and_wait(Ring, Waits);
  const unsigned Most = Taken.front();
  Taken.pop_front();
  if (Most == 0)
    return -EAGAIN;
  io_uring_sq &Entries = Ring->sq;
  const unsigned End = Entries.sqe_tail;
  Entries.sqe_tail = std::min(End, Entries.sqe_head + Most);
  const int Submitted = __real_io_uring_submit_and_wait(Ring, 0);
  Entries.sqe_tail = End;
  return Submitted;
}

} // extern "C"

namespace {

/// A queue of io_uring, without cache and tasks.
class Uring : public testing::Test {
protected:
  static constexpr const heddle_far_device &Device = heddle_far_uring;
  static constexpr unsigned Count = 40;
  alignas(4096) char Memory[Count][FarPage];
  iovec Pieces[Count];
  TemporaryDirectory Directory;
  heddle_far_file *File = nullptr;
  heddle_far_queue *Queue = nullptr;

  void SetUp() override {
    const std::string Path = Directory.file("file");
    File = Device.open(Path.c_str(), HEDDLE_FAR_CREATE, Count * FarPage);
    ASSERT_NE(File, nullptr);
    EXPECT_EQ(File->size, Count * FarPage);
    EXPECT_EQ(File->memory, nullptr);
    File->number = 1;
    for (unsigned I = 0; I < Count; ++I) {
      memset(Memory[I], 'a' + I, FarPage);
      ASSERT_EQ(Device.move(File, I * FarPage, Memory[I], FarPage, true),
                ssize_t(FarPage));
    }
    memset(Memory, 0, sizeof Memory);
    Queue = Device.make_queue(Memory[0], sizeof Memory);
    if (!Queue)
      GTEST_SKIP() << "no io_uring";
    // Queues are never freed: a thread leaves its own to the next one.
    static auto *const Kept = new std::vector<heddle_far_queue *>;
    Kept->push_back(Queue);
  }
  void TearDown() override {
    if (Queue)
      Device.forget(Queue, File);
    if (File)
      Device.close(File);
  }
  void start(unsigned I) {
    Pieces[I] = {Memory[I], FarPage};
    const heddle_far_request Request = {Memory[I], File, I * FarPage,
                                        false,     1,    &Pieces[I]};
    Device.start(Queue, &Request);
  }
};

TEST_F(Uring, CompletionsNameTheirRequests) {
  for (unsigned I = 0; I < Count; ++I)
    start(I);
  EXPECT_EQ(Queue->gathered, Count);
  EXPECT_EQ(Queue->under_way, Count);
  for (unsigned Done = 0; Done < Count;) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completions[7];
    const unsigned Taken = Device.poll(Queue, Completions, 7);
    for (unsigned I = 0; I < Taken; ++I) {
      EXPECT_EQ(Completions[I].result, int(FarPage));
      const auto *Page = static_cast<const char *>(Completions[I].cookie);
      EXPECT_EQ(Page[0], char('a' + (Page - Memory[0]) / ptrdiff_t(FarPage)));
    }
    Done += Taken;
  }
  EXPECT_EQ(Queue->gathered, 0u);
  EXPECT_EQ(Queue->under_way, 0u);
}

TEST_F(Uring, WhatIsNotSubmittedIsWithdrawn) {
  start(0);
  start(1);
  EXPECT_TRUE(Device.withdraw(Queue, Memory[0]));
  EXPECT_FALSE(Device.withdraw(Queue, Memory[0]));
  unsigned Reports = 0;
  while (Queue->under_way > 0) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completion;
    while (Device.poll(Queue, &Completion, 1) > 0) {
      Reports += !Completion.cookie;
      if (Completion.cookie)
        EXPECT_EQ(Completion.cookie, Memory[1]);
    }
  }
  EXPECT_EQ(Reports, 1u);
  EXPECT_EQ(Memory[0][0], 0);
  EXPECT_EQ(Memory[1][0], 'b');
}

TEST_F(Uring, WhatIsSubmittedCompletesInAnyCase) {
  start(0);
  ASSERT_TRUE(Device.submit(Queue, false));
  EXPECT_FALSE(Device.withdraw(Queue, Memory[0]));
  Device.cancel(Queue, Memory[0]);
  EXPECT_EQ(Queue->under_way, 2u);
  unsigned Reports = 0, Completed = 0;
  while (Queue->under_way > 0) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completions[2];
    const unsigned Taken = Device.poll(Queue, Completions, 2);
    for (unsigned I = 0; I < Taken; ++I)
      ++(Completions[I].cookie ? Completed : Reports);
  }
  EXPECT_EQ(Reports, 1u);
  EXPECT_EQ(Completed, 1u);
}

TEST_F(Uring, WhatTheKernelDoesNotTakeStaysGathered) {
  for (unsigned I = 0; I < 10; ++I)
    start(I);
  Taken = {3, 0};
  EXPECT_FALSE(Device.submit(Queue, true));
  EXPECT_EQ(Queue->gathered, 7u);
  EXPECT_EQ(Queue->under_way, 10u);
  EXPECT_FALSE(Device.withdraw(Queue, Memory[2]));
  EXPECT_TRUE(Device.withdraw(Queue, Memory[3]));
  Taken = {4, 0};
  EXPECT_FALSE(Device.submit(Queue, false));
  EXPECT_EQ(Queue->gathered, 3u);
  while (Queue->under_way > 0) {
    ASSERT_TRUE(Device.submit(Queue, true));
    heddle_far_completion Completion;
    while (Device.poll(Queue, &Completion, 1) > 0)
      if (Completion.cookie)
        EXPECT_EQ(Completion.result, int(FarPage));
  }
  EXPECT_EQ(Queue->gathered, 0u);
  for (unsigned I = 0; I < 10; ++I)
    EXPECT_EQ(Memory[I][0], I == 3 ? 0 : char('a' + I));
}

/// Each list of requests taken is a case: none at first, a part and then none,
/// and parts with many refusals between them.
TEST_F(Uring, LoopsGetAllThatTheKernelTakesInParts) {
  constexpr uint64_t Ids = 40;
  FarFile Values(3 * FarCachePages * InPage);
  uint64_t First = 0;
  for (const std::deque<unsigned> &Parts :
       {std::deque<unsigned>{0, 0}, {3, 0}, {1, 0, 1, 0, 0, 0, 2, 0}}) {
    Taken = Parts;
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    for (uint64_t Id = 0; Id < Ids; ++Id) {
      heddle_amu_aload(Amu, Id, Values.address((First + 2 * Id) * InPage), 8);
      deliver(Amu, Id);
    }
    for (uint64_t I = 0; I < Ids; ++I) {
      const uint64_t At = (First + 2 * heddle_amu_getfin(Amu)) * InPage;
      ASSERT_EQ(Values.load(At), farValue(At));
    }
    heddle_amu_end(Amu);
    EXPECT_TRUE(Taken.empty());
    First += 2 * Ids;
  }
}

/// Requests complete even if the kernel refuses them for ever: then their pages
/// are moved one by one.
TEST_F(Uring, WhatTheKernelRefusesCompletesWithoutIt) {
  for (const int Error : {EAGAIN, EBUSY, ENOMEM, EPERM, ENOSYS, EINTR}) {
    for (unsigned I = 0; I < 10; ++I)
      start(I);
    // It has some of them already.
    Taken = {3};
    ASSERT_TRUE(Device.withdraw(Queue, Memory[9]));
    Refusal = Error;
    unsigned Moved = 0, Refused = 0;
    while (Queue->under_way > 0) {
      Device.submit(Queue, true);
      heddle_far_completion Completions[4];
      const unsigned Got = Device.poll(Queue, Completions, 4);
      for (unsigned I = 0; I < Got; ++I)
        if (Completions[I].cookie)
          ++(Completions[I].result == int(FarPage) ? Moved : Refused);
    }
    Refusal = 0;
    EXPECT_EQ(Moved, 3u) << Error;
    EXPECT_EQ(Refused, 6u) << Error;
    EXPECT_EQ(Queue->gathered, 0u);
  }
  // The ring is as before.
  start(11);
  heddle_far_completion Completion;
  while (Device.poll(Queue, &Completion, 1) == 0)
    ASSERT_TRUE(Device.submit(Queue, true));
  EXPECT_EQ(Completion.cookie, Memory[11]);
  EXPECT_EQ(Completion.result, int(FarPage));
}

TEST_F(Uring, LoopsGetAllWithoutTheKernelsHelp) {
  constexpr uint64_t Ids = 40;
  FarFile Values(3 * FarCachePages * InPage);
  uint64_t First = 0;
  for (const int Error : {EAGAIN, ENOMEM, EPERM, EINTR}) {
    Taken = {2, 0, 1};
    Refusal = Error;
    heddle_amu *Amu = heddle_amu_begin(nullptr, HEDDLE_AMU_IDS);
    for (uint64_t Id = 0; Id < Ids; ++Id) {
      heddle_amu_aload(Amu, Id, Values.address((First + 2 * Id) * InPage), 8);
      deliver(Amu, Id);
    }
    for (uint64_t I = 0; I < Ids; ++I) {
      const uint64_t At = (First + 2 * heddle_amu_getfin(Amu)) * InPage;
      ASSERT_EQ(Values.load(At), farValue(At));
    }
    heddle_amu_end(Amu);
    Refusal = 0;
    First += 2 * Ids;
  }
}

heddle_far_file *openFar(const std::string &Path, heddle_far_mode Mode,
                         uint64_t Bytes = 0) {
  return heddle_far_uring.open(Path.c_str(), Mode, Bytes);
}

TEST(UringFiles, PipesAndDevicesAreRefusedAtOnce) {
  TemporaryDirectory Directory;
  const std::string Pipe = Directory.file("pipe");
  ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  for (const std::string &Path :
       {Pipe, std::string("/dev/null"), std::string("/dev/zero"),
        std::string("/dev/ptmx")})
    for (const auto Mode : {HEDDLE_FAR_READ, HEDDLE_FAR_UPDATE})
      EXPECT_EQ(openFar(Path, Mode), nullptr) << Path;
  EXPECT_EQ(openFar(Pipe, HEDDLE_FAR_CREATE, 4096), nullptr);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(openFar(Directory.file(""), HEDDLE_FAR_READ), nullptr);
  EXPECT_EQ(Directory.entries(), 1u);
}

TEST(UringFiles, OnesThatCannotBeMadeLeaveWhatWasThere) {
  TemporaryDirectory Directory;
  const std::string Old = Directory.file("old"), New = Directory.file("new");
  writeText(Old, "what was there");
  rlimit Before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &Before), 0);
  const rlimit Small = {1 << 20, Before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Small), 0);
  for (const std::string &Path : {Old, New}) {
    EXPECT_EQ(openFar(Path, HEDDLE_FAR_CREATE, 1 << 21), nullptr);
    EXPECT_EQ(errno, EFBIG);
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &Before), 0);
  EXPECT_EQ(readText(Old), "what was there");
  EXPECT_EQ(Directory.entries(), 1u);

  // A link that leads nowhere is followed, and old contents become zeros.
  std::filesystem::create_symlink("new", Directory.file("link"));
  for (const std::string &Path : {Old, Directory.file("link")}) {
    heddle_far_file *File = openFar(Path, HEDDLE_FAR_CREATE, 100);
    ASSERT_NE(File, nullptr);
    heddle_far_uring.close(File);
    EXPECT_EQ(readText(Path), std::string(100, '\0'));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(Directory.file("link")));
}

} // namespace

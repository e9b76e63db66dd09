//===- JournalTest.cpp - Calls that have changed little -------------------===//

#include "CutOff.h"
#include "LocalRanks.h"
#include "PreparedGraph.h"

#include "heddle/graph/detail/ooc/recovery/Journal.h"
#include "heddle/graph/messages/BreadthFirstSearch.h"

#include <optional>
#include <random>
#include <span>
#include <string_view>
#include <sys/statvfs.h>

namespace {

/// What the device has left, if the tests say so.
std::optional<std::uint64_t> bytesLeft;

} // namespace

extern "C" {

int __real_statvfs(const char *path, struct statvfs *status);

int __wrap_statvfs(const char *path, struct statvfs *status) {
  const int result = __real_statvfs(path, status);
  if (bytesLeft)
    status->f_bavail = *bytesLeft / status->f_frsize;
  return result;
}

} // extern "C"

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using ooc::BlockBytes;
using ooc::Journal;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// The file.
//===----------------------------------------------------------------------===//

constexpr std::uint64_t Stamp = 42;
constexpr std::uint64_t HeaderBytes = 48;

/// Records of one block and of two, and where each begins and ends.
class JournalFile : public testing::Test {
protected:
  JournalFile() {
    Journal journal(path, Stamp);
    for (const std::size_t bytes : {0, 5000, 4040, 300}) {
      records.push_back({"result", std::string(bytes, 'x')});
      begins.push_back(end);
      ends.push_back(end + HeaderBytes + 6 + bytes);
      end = ooc::roundUpToBlock(ends.back());
      EXPECT_TRUE(journal.hasRoom(records.back()));
      journal.append(records.back());
    }
    EXPECT_EQ(fs::file_size(path), Journal::Bytes);
  }

  /// The number of complete records in these bytes, the beginning of the
  /// written ones.
  std::size_t countIn(std::string_view bytes) const {
    const std::vector<Journal::Record> found =
        Journal::parse(std::as_bytes(std::span(bytes)), Stamp, path);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].result, records[i].result);
      EXPECT_EQ(found[i].changes, records[i].changes);
    }
    return found.size();
  }

  /// The beginning of the file, with nothing behind the records but a block.
  std::string content() const {
    return readText(path).substr(0, end + BlockBytes);
  }

  const TemporaryDirectory directory;
  const std::string path = directory / "journal";
  std::vector<Journal::Record> records;
  std::vector<std::uint64_t> begins, ends;
  std::uint64_t end = 0;
};

TEST_F(JournalFile, HasWhatWasWritten) {
  EXPECT_EQ(countIn(readText(path)), 4u);
  EXPECT_EQ(Journal::read(path, Stamp).size(), 4u);
  EXPECT_TRUE(Journal::read(path, Stamp + 1).empty());
  EXPECT_TRUE(Journal::read(path + "x", Stamp).empty());
}

TEST_F(JournalFile, MayEndAnywhere) {
  const std::string all = content();
  for (std::size_t bytes = 0; bytes < all.size(); ++bytes)
    ASSERT_EQ(countIn(std::string_view(all).substr(0, bytes)),
              static_cast<std::size_t>(std::ranges::count_if(
                  ends, [&](std::uint64_t last) { return last <= bytes; })))
        << bytes;
  fs::resize_file(path, ends[2] - 1);
  EXPECT_EQ(Journal::read(path, Stamp).size(), 2u);
}

TEST_F(JournalFile, AFlippedBitOfAnEarlierRecordIsFound) {
  std::string all = content();
  for (std::size_t byte = 0; byte < end; ++byte) {
    all[byte] ^= static_cast<char>(1 << byte % 8);
    std::size_t record = 0;
    while (record < ends.size() && byte >= ends[record])
      ++record;
    const bool isUsed = record < ends.size() && byte >= begins[record];
    if (isUsed && record + 1 < ends.size()) {
      const std::string problem = errorOf([&] { countIn(all); });
      ASSERT_EQ(
          problem,
          path + ": byte " + std::to_string(begins[record]) +
              ": expected the record of a call before those that follow, found "
              "none: the file is damaged; start the run again")
          << byte;
    } else {
      // The last may not have been written to its end.
      ASSERT_EQ(countIn(all), isUsed ? 3u : 4u) << byte;
    }
    all[byte] ^= static_cast<char>(1 << byte % 8);
  }
}

TEST_F(JournalFile, IsUsedAgain) {
  Journal journal(path, Stamp + 1);
  journal.append(records[1]);
  EXPECT_EQ(journal.bytesWritten(), 2 * BlockBytes);
  ASSERT_EQ(Journal::read(path, Stamp + 1).size(), 1u);
  // The rest of the older ones is no damage of the newer.
  EXPECT_EQ(
      errorOf([&] { Journal::read(path, Stamp); }).find(path + ": byte 0: "),
      0u);
}

TEST_F(JournalFile, HasRoomForSoMuch) {
  Journal journal(path, Stamp);
  const Journal::Record half = {
      "", std::string(Journal::Bytes / 2 - HeaderBytes, 'x')};
  const Journal::Record more = {"", half.changes + 'x'};
  journal.append(half);
  EXPECT_TRUE(journal.hasRoom(half));
  EXPECT_FALSE(journal.hasRoom(more));
  journal.append(half);
  EXPECT_FALSE(journal.hasRoom({}));
  EXPECT_EQ(Journal::read(path, Stamp).size(), 2u);
}

TEST(Journals, TakeAtMostHalfOfWhatIsLeft) {
  const std::pair<std::uint64_t, std::uint64_t> cases[] = {
      {1 << 30, Journal::Bytes},
      {Journal::Bytes * 2, Journal::Bytes},
      {8 << 20, 4 << 20},
      {(8 << 20) - BlockBytes, 1 << 20},
      {2 << 20, 1 << 20},
      {1 << 20, 256 << 10},
      {200 << 10, 64 << 10},
      {100 << 10, 16 << 10},
      {8 << 10, 4 << 10},
      {4 << 10, 0},
      {0, 0}};
  for (const auto &[left, expected] : cases) {
    const TemporaryDirectory directory;
    const std::string path = directory / "journal";
    bytesLeft = left;
    Journal journal(path, Stamp);
    EXPECT_EQ(journal.open(), expected > 0) << left;
    EXPECT_EQ(fs::exists(path) ? fs::file_size(path) : 0, expected) << left;
    std::uint64_t records = 0;
    const bool isFilled = expected > 0 && expected <= 64 << 10;
    for (; isFilled && journal.hasRoom({"a", "b"}); ++records)
      journal.append({"a", "b"});
    EXPECT_EQ(records, isFilled ? expected / BlockBytes : 0);
    EXPECT_EQ(Journal::read(path, Stamp).size(), records);
    // It grows when there is room again, and not before.
    bytesLeft = 0;
    EXPECT_EQ(Journal(path, Stamp).open(), expected > 0);
    EXPECT_EQ(fs::exists(path) ? fs::file_size(path) : 0, expected);
    bytesLeft = std::nullopt;
    EXPECT_TRUE(Journal(path, Stamp).open());
    EXPECT_EQ(fs::file_size(path), Journal::Bytes);
  }
  bytesLeft = std::nullopt;
}

/// The bytes that a run of many small calls writes.
std::uint64_t bytesWritten(std::optional<std::uint64_t> left) {
  const PreparedGraph graph(evenGraph(false), {.batchVertices = 1});
  bytesLeft = left;
  ooc::Engine<> engine(graph.path(), {.checkpoints = true});
  auto &values = engine.vertexArray<std::uint64_t>("values");
  auto &active = engine.vertexArray<bool>("active");
  engine.processVertices(
      [&](std::uint32_t v) {
        active[v] = v == 7;
        return 0;
      },
      {active});
  for (int call = 0; call < 100; ++call)
    engine.processVertices([&](std::uint32_t v) { return ++values[v]; },
                           {values}, &active);
  bytesLeft = std::nullopt;
  return engine.counts().bytes.written;
}

TEST(Journals, NearlyFullDevicesNeedFewCheckpoints) {
  const std::uint64_t without = bytesWritten(0);
  EXPECT_LT(bytesWritten(std::nullopt), without / 5);
  EXPECT_LT(bytesWritten(600 << 10), without / 5);
}

//===----------------------------------------------------------------------===//
// Runs.
//===----------------------------------------------------------------------===//

/// Returns the same number for the same three, and another for others.
std::uint64_t mix(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
  std::uint64_t x =
      a * 0x9e3779b97f4a7c15 ^ b * 0xbf58476d1ce4e5b9 ^ c * 0x94d049bb133111eb;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9;
  return x ^ x >> 29;
}

struct Triple {
  std::uint32_t first, second, third;
};

/// Calls of all kinds, few of which touch many vertices.
class MixedCalls {
public:
  static constexpr std::uint64_t Calls = 40;

  explicit MixedCalls(ooc::Engine<> &engine)
      : engine(engine), sums(engine.vertexArray<std::uint64_t>("sums")),
        triples(engine.vertexArray<Triple>("triples")),
        active(engine.vertexArray<bool>("active")),
        marked(engine.vertexArray<bool>("marked")) {}

  /// Returns the results of the calls.
  std::vector<std::uint64_t> run() {
    std::vector<std::uint64_t> results;
    for (std::uint64_t number = 0; number < Calls; ++number)
      results.push_back(call(number));
    return results;
  }

  /// Returns all vertex data.
  std::string values() {
    return bytesOf<std::uint64_t>(engine, "sums") +
           bytesOf<Triple>(engine, "triples") +
           bytesOf<bool>(engine, "active") + bytesOf<bool>(engine, "marked") +
           bytesOf<std::uint16_t>(engine, "late");
  }

private:
  using Sum = std::uint64_t;

  Sum call(std::uint64_t number) {
    switch (number % 10 == 0 ? 0 : 1 + mix(number) % 5) {
    case 0:
      return chooseActive(number);
    case 1:
      return changeTriples(number);
    case 2:
      return addUp(number);
    case 3:
      return move(number);
    case 4:
      return look();
    default:
      return changeLate(number);
    }
  }

  Sum chooseActive(std::uint64_t number) {
    const std::uint64_t oneOf = number == 0 ? 5000 : 1 + mix(number) % 5000;
    return engine.processVertices(
        [&](std::uint32_t v) -> Sum {
          active[v] = mix(v, number) % oneOf == 0;
          return active[v];
        },
        {active});
  }

  Sum changeTriples(std::uint64_t number) {
    return engine.processVertices(
        [&](std::uint32_t v) -> Sum {
          triples[v].second += static_cast<std::uint32_t>(mix(v, number));
          marked[v] = !marked[v];
          return triples[v].second;
        },
        {triples, marked, std::as_const(sums)}, &active);
  }

  /// An active vertex need not send.
  Sum addUp(std::uint64_t number) {
    return engine.processEdges(
        [&](std::uint32_t v) -> std::optional<Sum> {
          triples[v].third += 1;
          if (mix(v, number) % 2 == 0)
            return std::nullopt;
          return mix(v, number);
        },
        {triples},
        [&](Sum message, std::uint32_t, std::uint32_t to, auto) -> Sum {
          sums[to] += message;
          marked[to] = true;
          return message;
        },
        {sums, marked}, &active);
  }

  Sum move(std::uint64_t number) {
    return engine.processEdges(
        [&](std::uint32_t v) {
          active[v] = false;
          return std::optional<std::uint64_t>(v);
        },
        {active},
        [&](std::uint64_t from, std::uint32_t, std::uint32_t to, auto) -> Sum {
          if (mix(from, to, number) % 3 == 0)
            active[to] = true;
          return 1;
        },
        {active}, &active);
  }

  Sum look() {
    return engine.processVertices([&](std::uint32_t v) { return sums[v]; },
                                  {std::as_const(sums)});
  }

  /// Adds an array only after some calls.
  Sum changeLate(std::uint64_t number) {
    auto &late = engine.vertexArray<std::uint16_t>("late");
    return engine.processVertices(
        [&](std::uint32_t v) -> Sum {
          late[v] = static_cast<std::uint16_t>(late[v] + mix(v, number));
          return late[v];
        },
        {late}, &active);
  }

  ooc::Engine<> &engine;
  ooc::VertexArray<std::uint64_t> &sums;
  ooc::VertexArray<Triple> &triples;
  ooc::VertexArray<bool> &active, &marked;
};

/// The results of calls, and the values that they leave.
using Outcome = std::pair<std::vector<std::uint64_t>, std::string>;

Outcome outcomeOf(const std::string &path, const ooc::EngineOptions &options) {
  ooc::Engine<> engine(path, options);
  MixedCalls calls(engine);
  Outcome outcome;
  outcome.first = calls.run();
  outcome.second = calls.values();
  return outcome;
}

TEST(Journals, RunsGoOnWhereTheyWereCutOff) {
  const PreparedGraph graph(evenGraph(false), {.batchVertices = 1});
  const Outcome expected = outcomeOf(graph.path(), {});
  const std::uint64_t tight = leastMemory([&](std::uint64_t bytes) {
    outcomeOf(graph.path(), {.memoryBytes = bytes, .checkpoints = true});
  });
  int cuts = 0;
  std::minstd_rand random;
  for (const std::uint64_t memoryBytes : {std::uint64_t(1) << 30, tight})
    for (int trial = 0; trial < 2; ++trial)
      cuts += cutsUntilDone([&](bool resume) {
        const int steps = 20 + static_cast<int>(random() % 60);
        EXPECT_TRUE(outcomeOf(graph.path(), {.memoryBytes = memoryBytes,
                                             .checkpoints = true,
                                             .resume = resume,
                                             .progress = cutOffAfter(steps)}) ==
                    expected);
      });
  EXPECT_GT(cuts, 8);
}

TEST(Journals, OtherRanksGoOnWhereSomeWereCutOff) {
  const PreparedGraph graph(evenGraph(false),
                            {.partitions = 3, .batchVertices = 1});
  const Outcome expected = outcomeOf(graph.path(), {});
  int cuts = 0;
  std::minstd_rand random;
  for (int trial = 0; trial < 3; ++trial)
    cuts += cutsUntilDone([&](bool resume) {
      const unsigned count = 1 + static_cast<unsigned>(random()) % 3;
      const unsigned victim = static_cast<unsigned>(random()) % count;
      const int steps = 10 + static_cast<int>(random() % 40);
      LocalRanks(count).run([&](ooc::Communicator &communicator) {
        ooc::EngineOptions options = {.checkpoints = true,
                                      .resume = resume,
                                      .communicator = &communicator};
        if (communicator.rank() == victim)
          options.progress = cutOffAfter(steps);
        const Outcome outcome = outcomeOf(graph.path(), options);
        EXPECT_TRUE(outcome.first == expected.first);
        if (communicator.rank() == 0)
          EXPECT_TRUE(outcome.second == expected.second);
      });
    });
  EXPECT_GT(cuts, 6);
}

/// Searches a grid, in steps of few vertices, and returns all parents.
std::string searchGrid(const std::string &path, bool resume,
                       ooc::ProgressFunction progress = {}) {
  ooc::Engine<> engine(
      path,
      {.checkpoints = true, .resume = resume, .progress = std::move(progress)});
  breadthFirstByMessages(engine, 0);
  return bytesOf<std::uint32_t>(engine, "parent");
}

/// A search whose journal has a record for each level, and a copy of its files
/// on disk.
class SearchOfAGrid : public testing::Test {
protected:
  void keep() const { copyRun(graph.path() + "/run", kept()); }
  void bringBack() const { copyRun(kept(), graph.path() + "/run"); }
  std::string journal() const {
    for (const char *name : {"journal-0", "journal-1"}) {
      const std::string path = graph.path() + "/run/part-0/" + name;
      if (fs::exists(path))
        return path;
    }
    return "";
  }
  /// The number of steps that are repeated when the run continues.
  int stepsLost() const {
    int steps = 0;
    EXPECT_TRUE(
        searchGrid(graph.path(), true,
                   [&](const std::string &phase, std::uint64_t, std::uint64_t) {
                     steps += phase == "Messages";
                   }) == expected);
    return steps;
  }

  const PreparedGraph<> graph{buildCsr(generateGrid(12, 12))};
  const std::string expected = searchGrid(graph.path(), false);
  static constexpr int Levels = 23; ///< the last one finds no vertex

private:
  std::string kept() const { return graph.path() + "/kept"; }
  static void copyRun(const std::string &from, const std::string &to) {
    fs::remove_all(to);
    fs::copy(from, to, fs::copy_options::recursive);
  }
};

TEST_F(SearchOfAGrid, LosesWhatTheJournalDoesNotHave) {
  ASSERT_NE(journal(), "");
  keep();
  EXPECT_EQ(stepsLost(), 0);
  for (int levels = 0; levels < Levels; levels += 4) {
    bringBack();
    // The first call sets all vertices.
    const auto bytes = static_cast<std::uint64_t>(levels) * BlockBytes;
    fs::resize_file(journal(), bytes + HeaderBytes + 8);
    ASSERT_EQ(stepsLost(), Levels - levels);
    // It has continued with a checkpoint of its own.
    ASSERT_EQ(stepsLost(), 0);
  }
}

TEST_F(SearchOfAGrid, IsToldOfDamage) {
  keep();
  const std::string path = journal();
  for (const std::uint64_t level : {0, 7, Levels - 2, Levels - 1})
    // Bytes of the header, of the result, and of the changes.
    for (const std::uint64_t byte : {3, 50, 60}) {
      bringBack();
      const std::uint64_t record = level * BlockBytes;
      flipBit(path, record + byte);
      std::string parents;
      const std::string problem =
          errorOf([&] { parents = searchGrid(graph.path(), true); });
      if (level == Levels - 1)
        EXPECT_TRUE(parents == expected) << problem;
      else
        EXPECT_EQ(problem,
                  path + ": byte " + std::to_string(record) +
                      ": expected the record of a call before those that "
                      "follow, found "
                      "none: the file is damaged; start the run again");
    }
}

TEST_F(SearchOfAGrid, MakesCheckpointsWhereThereIsNoRoomForAJournal) {
  {
    const FullDisk full(Journal::Bytes / 2);
    EXPECT_TRUE(searchGrid(graph.path(), false) == expected);
  }
  for (const auto &file :
       fs::directory_iterator(fs::path(graph.path()) / "run/part-0"))
    EXPECT_FALSE(file.path().filename().string().starts_with("journal-"));
  EXPECT_TRUE(searchGrid(graph.path(), true) == expected);
}

TEST(Journals, AreFoldedWhenTheyAreFull) {
  const PreparedGraph graph(buildCsr(generateGrid(200, 200)));
  // Somewhat less than the most of a record.
  constexpr std::uint32_t Some = 12000;
  constexpr int Calls = 45;
  std::vector<int> done;
  const auto run = [&](bool resume, int calls) {
    ooc::Engine<> engine(graph.path(), {.checkpoints = true, .resume = resume});
    auto &values = engine.vertexArray<std::array<std::uint64_t, 2>>("values");
    auto &some = engine.vertexArray<bool>("some");
    engine.processVertices(
        [&](std::uint32_t v) {
          some[v] = v < Some;
          values[v][1] = 0;
          return 0;
        },
        {some, values});
    for (int call = 0; call < calls; ++call)
      EXPECT_EQ(engine.processVertices(
                    [&](std::uint32_t v) {
                      if (v == 0)
                        done.push_back(call);
                      return values[v][1] += 1;
                    },
                    {values}, &some),
                std::uint64_t(Some) * static_cast<std::uint64_t>(call + 1));
    engine.forEachValue(values, [&](std::uint32_t v,
                                    const std::array<std::uint64_t, 2> &value) {
      ASSERT_EQ(value[1], v < Some ? static_cast<std::uint64_t>(calls) : 0);
    });
  };
  run(false, 5);
  for (int calls = 6; calls <= Calls; calls += 13) {
    done.clear();
    run(true, calls);
    ASSERT_FALSE(done.empty());
    EXPECT_EQ(done.front(), calls == 6 ? 5 : calls - 13);
  }
  // One run after the other, so that both files are used in turn.
  run(false, Calls);
  for (const char *name : {"journal-0", "journal-1"})
    EXPECT_EQ(fs::file_size(graph.path() + "/run/part-0/" + name),
              Journal::Bytes);
  done.clear();
  run(true, Calls);
  EXPECT_TRUE(done.empty());
}

} // namespace

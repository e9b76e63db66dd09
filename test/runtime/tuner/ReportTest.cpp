//===- ReportTest.cpp - The report of HEDDLE_STATS ------------------------===//

#include "tuner/report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

uint64_t now() { return 1; }
uint64_t ticksPerMicrosecond() { return 1000; }
uintptr_t thread() { return 1; }
uint32_t random() { return 0; }
const heddle_surroundings Surroundings = {now, ticksPerMicrosecond, thread,
                                          random};

std::unique_ptr<heddle_record> makeRecord(const char *File,
                                          const char *Function, uint32_t Line) {
  auto Record = std::make_unique<heddle_record>();
  Record->file = File;
  Record->function = Function;
  Record->line = Line;
  const heddle_arm Arms[] = {{HEDDLE_LOCKSTEP, 48}, {HEDDLE_SERIAL, 1}};
  for (heddle_tuner &Tuner : Record->tuners)
    heddle_tuner_start(&Tuner, &Surroundings, Arms, 2, false);
  return Record;
}

template <typename Print>
std::string print(Print Function, const heddle_record *First) {
  char *Text = nullptr;
  size_t Size = 0;
  FILE *Stream = open_memstream(&Text, &Size);
  Function(Stream, First);
  fclose(Stream);
  std::string Result(Text, Size);
  free(Text);
  return Result;
}

/// The line of a table that starts with the given text, spaces squeezed.
std::string row(const std::string &Table, const std::string &Start) {
  size_t From = Table.find("\n" + Start);
  if (From == std::string::npos)
    return "";
  std::string Line =
      Table.substr(From + 1, Table.find('\n', From + 1) - From - 1);
  std::string Result;
  for (char C : Line)
    if (C != ' ' || Result.empty() || Result.back() != ' ')
      Result += C;
  return Result;
}

TEST(Report, OneRowForEachLoopAndEntry) {
  auto Record = makeRecord("dir/app.cpp", "main", 12);
  Record->counters[HEDDLE_LONG_ENTRY][HEDDLE_SERIAL] = {10, 1000, 0, 25000};
  Record->counters[HEDDLE_LONG_ENTRY][HEDDLE_LOCKSTEP] = {4, 3000, 6000, 30000};
  heddle_tuner_settle(&Record->tuners[HEDDLE_LONG_ENTRY],
                      {HEDDLE_LOCKSTEP, 96});
  auto Other = makeRecord("other.c", "a_much_longer_function_name", 3);
  Other->counters[HEDDLE_SHORT_ENTRY][HEDDLE_FIFO] = {2, 20, 40, 100};
  Record->next = Other.get();

  std::string Table = print(heddle_print_table, Record.get());
  EXPECT_EQ(row(Table, "loop"),
            "loop entry version tasks iterations launches suspensions "
            "resumptions drains serial lockstep fifo");
  EXPECT_EQ(row(Table, "dir/app.cpp:12 main"),
            "dir/app.cpp:12 main long lockstep 96 4000 3000 6000 6000 4 25.0 "
            "10.0 -");
  EXPECT_EQ(row(Table, "other.c:3 a_much_longer_function_name"),
            "other.c:3 a_much_longer_function_name short serial? 1 20 20 40 "
            "40 2 - - 5.0");
  EXPECT_NE(Table.find("?: the loop ended before"), std::string::npos);
  EXPECT_EQ(Table.find("short  lockstep"), std::string::npos);
}

TEST(Report, SaysThatNothingRan) {
  EXPECT_NE(
      print(heddle_print_table, nullptr).find("no transformed loop has run"),
      std::string::npos);
  EXPECT_EQ(print(heddle_print_json, nullptr), "[\n]\n");
}

TEST(Report, JsonIsEscaped) {
  auto Record = makeRecord("a\"b\\c\n.c", "f", 1);
  Record->counters[HEDDLE_LONG_ENTRY][HEDDLE_LOCKSTEP] = {1, 2, 3, 5};
  const std::string Json = print(heddle_print_json, Record.get());
  const std::string Begin = "\"run\": \"";
  const size_t Run = Json.find(Begin) + Begin.size();
  const std::string Name = Json.substr(Run, Json.find('"', Run) - Run);
  EXPECT_EQ(Name.find(std::to_string(getpid()) + "-"), 0u);
  EXPECT_EQ(Json,
            "[\n  {\"file\": \"a\\\"b\\\\c\\u000a.c\", \"line\": 1, "
            "\"function\": \"f\", \"entry\": \"long\", \"version\": "
            "\"serial\", \"settled\": false, \"tasks\": 1, \"iterations\": "
            "2, \"launches\": 2, \"suspensions\": 3, \"resumptions\": 3, "
            "\"drains\": 1, \"process\": " +
                std::to_string(getpid()) + ", \"run\": \"" + Name +
                "\", \"cycles_per_iteration\": {\"lockstep\": 2.50}}\n]\n");
}

TEST(Report, LongEntriesSpeakForALoopThatHadAny) {
  auto Record = makeRecord("a.c", "f", 1);
  EXPECT_EQ(heddle_main_entry(Record.get()), HEDDLE_SHORT_ENTRY);
  Record->tuners[HEDDLE_LONG_ENTRY].stretch = 1000;
  EXPECT_EQ(heddle_main_entry(Record.get()), HEDDLE_LONG_ENTRY);
}

} // namespace

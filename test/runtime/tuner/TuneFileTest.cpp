//===- TuneFileTest.cpp - The text of HEDDLE_TUNE=FILE --------------------===//

#include "tuner/tunefile.h"

#include <gtest/gtest.h>

#include <string>

namespace {

class Choices {
public:
  ~Choices() { heddle_free_choices(&Set); }

  /// "" if the text is sound, else "<line>: <problem>".
  std::string parse(std::string Text) {
    const char *Problem = nullptr;
    unsigned Line =
        heddle_parse_choices(Text.data(), Text.size(), &Set, &Problem);
    return Line ? std::to_string(Line) + ": " + Problem : "";
  }
  std::string format() {
    size_t Size;
    char *Text = heddle_format_choices(&Set, &Size);
    std::string Result(Text, Size);
    free(Text);
    return Result;
  }
  std::string find(const char *Key, heddle_entry Entry) {
    const heddle_saved_choice *Choice = heddle_find_choice(&Set, Key, Entry);
    return Choice ? std::to_string(Choice->arm.version) + "/" +
                        std::to_string(Choice->arm.tasks)
                  : "none";
  }
  heddle_saved_choices Set = {};
};

const std::string Header = "heddle-tune 1\n";

TEST(TuneFile, IsParsed) {
  Choices C;
  ASSERT_EQ(C.parse(Header + "# comment\n\n"
                             "a.c:1:f\tlong\tlockstep\t48\n"
                             "a.c:1:f\tshort\tserial\t1\n"
                             "b c.c:2:T<int, 3>::g\tlong\tfifo\t24\n"),
            "");
  EXPECT_EQ(C.find("a.c:1:f", HEDDLE_LONG_ENTRY), "1/48");
  EXPECT_EQ(C.find("a.c:1:f", HEDDLE_SHORT_ENTRY), "0/1");
  EXPECT_EQ(C.find("b c.c:2:T<int, 3>::g", HEDDLE_LONG_ENTRY), "2/24");
  EXPECT_EQ(C.find("b c.c:2:T<int, 3>::g", HEDDLE_SHORT_ENTRY), "none");
}

TEST(TuneFile, SurvivesStrangeNames) {
  Choices Written, Read;
  const char *Key = "C:\\dir\twith\nall:3:f";
  ASSERT_TRUE(heddle_set_choice(&Written.Set, Key, HEDDLE_LONG_ENTRY,
                                {HEDDLE_FIFO, 7}));
  ASSERT_EQ(Read.parse(Written.format()), "");
  EXPECT_EQ(Read.find(Key, HEDDLE_LONG_ENTRY), "2/7");
  EXPECT_EQ(Read.format(), Written.format());
}

TEST(TuneFile, TheLastOfTwoChoicesHolds) {
  Choices C;
  ASSERT_EQ(C.parse(Header + "a\tlong\tfifo\t8\na\tlong\tfifo\t9\n"), "");
  EXPECT_EQ(C.find("a", HEDDLE_LONG_ENTRY), "2/9");
  EXPECT_EQ(C.Set.count, 1u);
}

TEST(TuneFile, BadLinesAreNamed) {
  auto problem = [](const std::string &Text) { return Choices().parse(Text); };
  EXPECT_EQ(problem(""), "1: expected 'heddle-tune 1'");
  EXPECT_EQ(problem("heddle-tune 2\n"), "1: expected 'heddle-tune 1'");
  EXPECT_EQ(problem("heddle-tune 1"), "1: the line is cut off");
  EXPECT_EQ(problem(Header + "a\tlong\tfifo\n"),
            "2: expected four fields separated by tabs");
  EXPECT_EQ(problem(Header + "a\tlong\tfifo\t8\tx\n"),
            "2: expected four fields separated by tabs");
  EXPECT_EQ(problem(Header + "\nsome words\n"),
            "3: expected four fields separated by tabs");
  EXPECT_EQ(problem(Header + "\tlong\tfifo\t8\n"), "2: bad loop name");
  EXPECT_EQ(problem(Header + "a\\q\tlong\tfifo\t8\n"), "2: bad loop name");
  EXPECT_EQ(problem(Header + "a\\\tlong\tfifo\t8\n"), "2: bad loop name");
  EXPECT_EQ(problem(Header + "a\tlarge\tfifo\t8\n"),
            "2: expected 'long' or 'short' in the second field");
  EXPECT_EQ(problem(Header + "a\tlong\tlifo\t8\n"),
            "2: expected 'serial', 'lockstep' or 'fifo' in the third field");
  for (const char *Tasks : {"0", "-1", "x", "", "8x", "65537", " 8"})
    EXPECT_EQ(problem(Header + "a\tlong\tfifo\t" + Tasks + "\n"),
              "2: expected a number of tasks from 1 to 65536 in the fourth "
              "field");
  EXPECT_EQ(problem(Header + "a\tlong\tfifo\t8"), "2: the line is cut off");
  EXPECT_EQ(problem(Header + std::string("a\0b\n", 4)),
            "2: unexpected NUL character");
}

TEST(TuneFile, ABadFileLeavesNothing) {
  Choices C;
  EXPECT_NE(C.parse(Header + "a\tlong\tfifo\t8\nbad\n"), "");
  EXPECT_EQ(C.Set.count, 0u);
}

} // namespace

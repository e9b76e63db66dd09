//===- TextTest.cpp - Findings in words -----------------------------------===//

extern "C" {
#include "check/text.h"
}

#include <gtest/gtest.h>

#include <string>

namespace {

heddle_check_site siteOf(const char *Place) {
  heddle_check_site Site = {};
  Site.file = "a.c";
  Site.function = "f";
  Site.place = Place;
  Site.variable = "";
  Site.line = 7;
  Site.column = 3;
  return Site;
}

heddle_finding findingOf(heddle_check_site *First, heddle_check_site *Second) {
  static const heddle_check_loop Loop = {"a.c", "f", 5, 1};
  heddle_finding Finding = {};
  Finding.kind = HEDDLE_FINDING_READS;
  Finding.sites[0] = heddle_site_number(First, 0);
  Finding.sites[1] = heddle_site_number(Second, 0);
  Finding.iterations[1] = 1;
  Finding.writes[0] = true;
  Finding.loop = &Loop;
  Finding.count = 2;
  return Finding;
}

std::string textOf(char *Text) {
  std::string Copy = Text;
  free(Text);
  return Copy;
}

std::string jsonOf(const heddle_finding &Finding, const char *Place) {
  char *Text = nullptr;
  size_t Size = 0;
  FILE *To = open_memstream(&Text, &Size);
  heddle_print_conflict_json(To, &Finding, Place);
  fclose(To);
  return textOf(Text);
}

TEST(TextTest, PutsIndexesIntoPlaces) {
  static const struct {
    const char *Place;
    uint64_t Strides[2], Offset;
    int64_t Distance;
    const char *Text;
  } Cases[] = {
      {"x", {0, 0}, 0, 0, "x"},
      {"t[#]", {8, 0}, 0, 24, "t[3]"},
      {"t[#].v", {16, 0}, 4, 36, "t[2].v"},
      {"t[#]", {8, 0}, 0, -8, "t[-1]"},
      {"t[#]", {8, 0}, 0, -9, "t[-2]"},
      {"t[#][#]", {80, 8}, 0, 176, "t[2][2]"},
      {"t[#][#]", {80, 0}, 0, 176, "t[2][...]"},
      {"t[#][#][#]", {80, 8}, 0, 8, "t[0][1][...]"},
      {"*p", {0, 0}, 0, 400, "*p"},
  };
  static char Base[1];
  for (const auto &C : Cases) {
    auto *Site = new heddle_check_site(siteOf(C.Place));
    Site->strides[0] = C.Strides[0];
    Site->strides[1] = C.Strides[1];
    Site->offset = C.Offset;
    heddle_finding Finding = findingOf(Site, Site);
    Finding.base = Base;
    Finding.address =
        reinterpret_cast<const void *>(uintptr_t(Base) + C.Distance);
    EXPECT_EQ(textOf(heddle_place_text(&Finding)), C.Text) << C.Place;
  }
}

TEST(TextTest, NamesThePlaceByEitherAccess) {
  auto *Named = new heddle_check_site(siteOf("t[#]"));
  auto *Nameless = new heddle_check_site(siteOf(""));
  heddle_finding Finding = findingOf(Named, Nameless);
  EXPECT_EQ(textOf(heddle_place_text(&Finding)), "t[...]");
  Finding = findingOf(Nameless, Nameless);
  Finding.address = reinterpret_cast<const void *>(uintptr_t(0x1234));
  EXPECT_EQ(textOf(heddle_place_text(&Finding)), "memory at 0x1234");
}

TEST(TextTest, NumbersSitesByTheirCalls) {
  auto *Site = new heddle_check_site(siteOf("x"));
  auto *Call = new heddle_check_site(siteOf(""));
  const uint32_t CallNumber = heddle_site_number(Call, 0);
  const uint32_t Direct = heddle_site_number(Site, 0);
  const uint32_t Called = heddle_site_number(Site, CallNumber);
  EXPECT_NE(Direct, Called);
  EXPECT_EQ(heddle_site_number(Site, 0), Direct);
  EXPECT_EQ(heddle_site_number(Site, CallNumber), Called);
  EXPECT_EQ(heddle_site(Called), Site);
  EXPECT_EQ(heddle_call_of_site(Called), Call);
  EXPECT_EQ(heddle_call_of_site(Direct), nullptr);
}

TEST(TextTest, QuotesStringsInJson) {
  auto *Site = new heddle_check_site(siteOf("x"));
  Site->file = "a\"b\\c.c";
  Site->function = "tab\there";
  const std::string Json = jsonOf(findingOf(Site, Site), "line\nend\x01");
  EXPECT_NE(Json.find(R"("file": "a\"b\\c.c", "line": 7, "column": 3)"),
            std::string::npos)
      << Json;
  EXPECT_NE(Json.find(R"("function": "tab\u0009here")"), std::string::npos);
  EXPECT_NE(Json.find(R"("place": "line\u000aend\u0001")"), std::string::npos);
}

TEST(TextTest, TellsAccessesApartInJson) {
  auto *Plain = new heddle_check_site(siteOf("x"));
  auto *Update = new heddle_check_site(siteOf("x"));
  Update->operation = HEDDLE_CHECK_ADD;
  auto *Call = new heddle_check_site(siteOf(""));
  Call->line = 99;
  heddle_finding Finding = findingOf(Plain, Update);
  Finding.sites[1] = heddle_site_number(Update, heddle_site_number(Call, 0));
  Finding.writes[1] = true;
  const std::string Json = jsonOf(Finding, "x");
  for (const char *Part :
       {R"("kind": "reads what another iteration wrote")",
        R"("first": {"iteration": 0, "access": "write")",
        R"("second": {"iteration": 1, "access": "update")",
        R"("call": {"file": "a.c", "line": 99)",
        R"("loop": {"file": "a.c", "line": 5)", R"("count": 2, "cure": ")"})
    EXPECT_NE(Json.find(Part), std::string::npos) << Part << "\n" << Json;
}

} // namespace

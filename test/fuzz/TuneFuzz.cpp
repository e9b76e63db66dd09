//===- TuneFuzz.cpp - Bytes as tune files and probes ----------------------===//
//
// What is understood is written and understood again.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "FuzzInput.h"
#include "host/hostcache.h"
#include "tuner/tunefile.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>

namespace {

constexpr const char *Host = "processor, caches 1 2 3";

void fuzzChoices(std::string text) {
  heddle_saved_choices choices = {nullptr, 0}, again = {nullptr, 0};
  const char *problem = nullptr;
  if (heddle_parse_choices(text.data(), text.size(), &choices, &problem) != 0) {
    EXPECT_NE(problem, nullptr);
    EXPECT_EQ(choices.count, 0u);
    return;
  }
  std::size_t size = 0;
  char *written = heddle_format_choices(&choices, &size);
  ASSERT_NE(written, nullptr);
  EXPECT_EQ(heddle_parse_choices(written, size, &again, &problem), 0u);
  EXPECT_EQ(again.count, choices.count);
  for (std::size_t i = 0; i < choices.count; ++i) {
    const heddle_saved_choice &choice = choices.choices[i];
    EXPECT_GE(choice.arm.tasks, 1u);
    const heddle_saved_choice *found =
        heddle_find_choice(&again, choice.key, choice.entry);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->arm.tasks, choice.arm.tasks);
    EXPECT_EQ(found->arm.version, choice.arm.version);
  }
  std::free(written);
  heddle_free_choices(&again);
  heddle_free_choices(&choices);
}

void fuzzHost(const std::string &text) {
  heddle_host host = {}, again = {};
  if (!heddle_parse_host(text.c_str(), Host, &host))
    return;
  std::array<char, 1024> written;
  EXPECT_GT(heddle_format_host(written.data(), written.size(), Host, &host),
            0u);
  EXPECT_TRUE(heddle_parse_host(written.data(), Host, &again));
  EXPECT_EQ(again.fifo_tasks, host.fifo_tasks);
}

} // namespace

void heddle::test::fuzzTune(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  const bool isTuneFile = input.below(2) == 0;
  if (!bytes.empty())
    bytes = bytes.subspan(1);
  std::string text(bytes.begin(), bytes.end());
  if (isTuneFile)
    return fuzzChoices(std::move(text));
  fuzzHost(text);
}

heddle::test::FuzzSeeds heddle::test::seedsOfTune() {
  std::array<char, 1024> probe;
  const heddle_host host = {.latency_4k = 80,
                            .latency_huge = 70,
                            .access_4k = 9,
                            .access_huge = 8,
                            .requests = 10,
                            .lockstep_tasks = 16,
                            .fifo_tasks = 32,
                            .huge_pages = 1};
  heddle_format_host(probe.data(), probe.size(), Host, &host);
  using namespace std::literals;
  return {
      "\0heddle-tune 1\n# loop\na.c:3:f\tlong\tfifo\t16\nb\\t.c:9:g\tshort\t"
      "serial\t1\n"s,
      "\1"s + probe.data()};
}

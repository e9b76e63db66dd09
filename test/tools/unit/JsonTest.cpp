//===- JsonTest.cpp - Results as JSON -------------------------------------===//

#include "output/Json.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Json, MembersInTheirOrder) {
  EXPECT_EQ(JsonObject()
                .add("name", "gups")
                .add("bytes", std::uint64_t(1) << 63)
                .add("speed", 1.5)
                .add("good", true)
                .text(),
            R"({"name": "gups", "bytes": 9223372036854775808, "speed": 1.5, )"
            R"("good": true})");
  EXPECT_EQ(JsonObject().text(), "{}");
}

TEST(Json, TextIsQuoted) {
  EXPECT_EQ(JsonObject().add("a\"b", "\\ \n\x7f\x1f").text(),
            "{\"a\\\"b\": \"\\\\ \\u000a\x7f\\u001f\"}");
}

TEST(Json, ObjectsInObjects) {
  EXPECT_EQ(JsonObject()
                .add("inner", JsonObject().add("a", -1))
                .add("nothing", JsonObject())
                .text(),
            R"({"inner": {"a": -1}, "nothing": {}})");
}

TEST(Json, WhatIsNotFiniteIsNull) {
  EXPECT_EQ(JsonObject().add("a", INFINITY).add("b", NAN).text(),
            R"({"a": null, "b": null})");
}

TEST(Json, OneObjectALine) {
  EXPECT_EQ(arrayOf({}), "[\n]\n");
  EXPECT_EQ(arrayOf({JsonObject().add("a", 1), JsonObject()}),
            "[\n{\"a\": 1},\n{}\n]\n");
}

} // namespace
} // namespace heddle

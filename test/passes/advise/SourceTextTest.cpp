// SourceText: the expression that an access is written as.

#include "advise/SourceText.h"
#include <gtest/gtest.h>

using namespace heddle;

namespace {

/// The expression at the mark `^` in \p Line, which is not part of it.
std::string at(std::string Line) {
  const size_t Mark = Line.find('^');
  Line.erase(Mark, 1);
  return expressionAt(Line, Mark + 1);
}

TEST(SourceTextTest, elementsAndMembers) {
  EXPECT_EQ(at("  s += ^table[keys[i] & mask];"), "table[keys[i] & mask]");
  EXPECT_EQ(at("while (p && p->^key != k)"), "p->key");
  EXPECT_EQ(at("x = t->heads[h].^first->next;"), "t->heads[h].first->next");
  EXPECT_EQ(at("x = a[b[i]].^c"), "a[b[i]].c");
  EXPECT_EQ(at("s += ^*it;"), "*it");
  EXPECT_EQ(at("s += std::^count;"), "count");
}

TEST(SourceTextTest, whatIsAssignedTo) {
  EXPECT_EQ(at("    t->heads[h] ^= &nodes[i];"), "t->heads[h]");
  EXPECT_EQ(at("    count[x] ^+= 1;"), "count[x]");
  EXPECT_EQ(at("    x ^== 1;"), "");
}

TEST(SourceTextTest, noExpression) {
  EXPECT_EQ(at("  ^f(x);"), "");
  EXPECT_EQ(at("  ^1 + x;"), "");
  EXPECT_EQ(at("  a ^[ i"), "");
  EXPECT_EQ(at("  ^"), "");
  EXPECT_EQ(at("  ]^]->x"), "");
  EXPECT_EQ(expressionAt("", 1), "");
  EXPECT_EQ(expressionAt("a", 0), "");
  EXPECT_EQ(expressionAt("a", 9), "");
  EXPECT_EQ(at("  ^a[b"), "a");
  EXPECT_EQ(at("  ]->^x"), "x");
  EXPECT_EQ(at("  x] ^= 1"), "");
}

} // namespace

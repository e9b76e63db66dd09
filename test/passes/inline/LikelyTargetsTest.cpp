// LikelyTargets: which functions a call through a pointer may go to.

#include "inline/LikelyTargets.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

/// Two classes and a base, another class, a table, and functions.
static const std::string Functions = R"(
@_ZTI4Base = constant { ptr, ptr } zeroinitializer
@_ZTI3One = constant { ptr, ptr, ptr } { ptr null, ptr null, ptr @_ZTI4Base }
@_ZTI3Two = constant { ptr, ptr, ptr } { ptr null, ptr null, ptr @_ZTI4Base }
@_ZTI5Other = constant { ptr, ptr } zeroinitializer
@_ZTV3One = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI3One, ptr @one, ptr @oneLater] }
@_ZTV3Two = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI3Two, ptr @two, ptr @declared] }
@_ZTV5Other = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI5Other, ptr @other, ptr @otherLater] }
@table = constant { i64, ptr } { i64 0, ptr @inTable }
@variable = global ptr @free
define i64 @one(ptr dereferenceable(8) %p) { ret i64 1 }
define i64 @two(ptr dereferenceable(16) %p) { ret i64 2 }
define i64 @other(ptr dereferenceable(24) %p) { ret i64 3 }
define i64 @oneLater(ptr dereferenceable(8) %p) { ret i64 4 }
define i64 @otherLater(ptr dereferenceable(24) %p) { ret i64 5 }
define i64 @inTable(ptr %p) { ret i64 6 }
define i64 @free(ptr %p) { ret i64 7 }
define weak i64 @weak(ptr %p) { ret i64 8 }
declare i64 @declared(ptr)
)";

/// The names of the targets of the call %r in \p Body.
static std::string targets(const std::string &Body) {
  ParsedFunction F(loopOver(Body, Functions));
  std::string Names;
  for (const Function *Target : LikelyTargets(*F.function().getParent())
                                    .of(cast<CallBase>(F.value("r"))))
    Names += (Names.empty() ? "" : " ") + Target->getName().str();
  return Names;
}

/// Loads the pointer at \p Offset in the table of %a, with the tag \p Tag.
static std::string slot(int Offset, const std::string &Tag) {
  return "  %table = load ptr, ptr %a" + Tag +
         "\n  %place = getelementptr i8, ptr %table, i64 " +
         std::to_string(Offset) + "\n  %f = load ptr, ptr %place\n";
}

TEST(LikelyTargets, VirtualFunctionsAreThoseInTheirPlace) {
  EXPECT_EQ(targets(slot(0, "") + "  %r = call i64 %f(ptr %a)\n"),
            "one two other");
  EXPECT_EQ(targets(slot(8, "") + "  %r = call i64 %f(ptr %a)\n"),
            "oneLater otherLater inTable");
}

TEST(LikelyTargets, ClassesAreToldApartByTheirSizes) {
  EXPECT_EQ(
      targets(slot(0, "") + "  %r = call i64 %f(ptr dereferenceable(8) %a)\n"),
      "one two");
  EXPECT_EQ(
      targets(slot(0, "") + "  %r = call i64 %f(ptr dereferenceable(24) %a)\n"),
      "other");
}

TEST(LikelyTargets, OthersAreFoundByTheirType) {
  EXPECT_EQ(targets("  %f = load ptr, ptr %b\n  %r = call i64 %f(ptr %a)\n"),
            "inTable free");
  EXPECT_EQ(targets("  %f = load ptr, ptr %b\n  %r = call i64 %f(i64 1)\n"),
            "");
}

TEST(LikelyTargets, NothingIsKnownOfVolatileVariables) {
  EXPECT_EQ(targets("  %f = load volatile ptr, ptr %b\n"
                    "  %r = call i64 %f(ptr %a)\n"),
            "");
}

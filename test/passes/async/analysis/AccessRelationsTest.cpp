// AccessRelations: relations between two accesses of a loop.

#include "async/analysis/AccessRelations.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

/// Whether the accesses %x and %y are to different fields.
bool areDifferentFields(const std::string &Body) {
  ParsedFunction F(loopOver(Body));
  const LatencyAnalysis Latency = F.latency();
  return heddle::areDifferentFields(*Latency.find(&F.value("x")),
                                    *Latency.find(&F.value("y")), F.loop(),
                                    FrameValues(F.loop()));
}

/// Loads of 8 bytes at \p First and \p Second behind %base.
std::string loadsAt(const std::string &Base, int First, int Second) {
  return Base + "  %p = getelementptr i8, ptr %base, i64 " +
         std::to_string(First) +
         "\n"
         "  %q = getelementptr i8, ptr %base, i64 " +
         std::to_string(Second) +
         "\n"
         "  %x = load i64, ptr %p\n"
         "  %y = load i64, ptr %q\n";
}

TEST(AccessRelations, FieldsBesideEachOtherAreDifferent) {
  const std::string Object = "  %base = load ptr, ptr %a\n";
  EXPECT_TRUE(areDifferentFields(loadsAt(Object, 0, 8)));
  EXPECT_TRUE(areDifferentFields(loadsAt(Object, 16, 8)));
  EXPECT_FALSE(areDifferentFields(loadsAt(Object, 0, 7)));
  EXPECT_FALSE(areDifferentFields(loadsAt(Object, 7, 0)));
}

TEST(AccessRelations, FieldsOfElementsAreDifferentWhateverTheElements) {
  const std::string Element =
      "  %base = getelementptr { i64, i64 }, ptr %a, i64 %i\n";
  EXPECT_TRUE(areDifferentFields(loadsAt(Element, 0, 8)));
  EXPECT_TRUE(areDifferentFields(loadsAt(Element, 24, 0)));
  // The same field of the next element.
  EXPECT_FALSE(areDifferentFields(loadsAt(Element, 0, 16)));
  EXPECT_FALSE(areDifferentFields(loadsAt(Element, 0, 9)));
  EXPECT_FALSE(areDifferentFields(loadsAt(Element, 0, 7)));
}

TEST(AccessRelations, AnArrayMayBeginAnywhereInAnObject) {
  EXPECT_TRUE(areDifferentFields(
      loadsAt("  %table = getelementptr i8, ptr %a, i64 %n\n"
              "  %base = getelementptr { i64, i64 }, ptr %table, i64 %i\n",
              0, 8)));
  EXPECT_FALSE(
      areDifferentFields("  %table = getelementptr i8, ptr %a, i64 %n\n"
                         "  %x = load i64, ptr %table\n"
                         "  %q = getelementptr i8, ptr %a, i64 8\n"
                         "  %y = load i64, ptr %q\n"));
}

TEST(AccessRelations, ObjectsAreNotFields) {
  EXPECT_FALSE(areDifferentFields("  %x = load i64, ptr %a\n"
                                  "  %q = getelementptr i8, ptr %b, i64 8\n"
                                  "  %y = load i64, ptr %q\n"));
}

TEST(AccessRelations, IterationsHaveTheirOwnPlacesIfTheyMoveFarEnough) {
  auto IsOwn = [](const std::string &Type, uint64_t Bytes) {
    ParsedFunction F(
        loopOver("  %p = getelementptr " + Type + ", ptr %a, i64 %i\n"));
    return distinctPerIteration(&F.value("p"), Bytes, F.loop(), F.context().SE);
  };
  EXPECT_TRUE(IsOwn("i64", 8));
  EXPECT_FALSE(IsOwn("i64", 9));
  EXPECT_FALSE(IsOwn("i32", 8));
}

TEST(AccessRelations, AValueFlowsThroughComputationOfItsIteration) {
  ParsedFunction F(loopOver("  %v = phi i64 [ 0, %entry ], [ %x, %latch ]\n"
                            "  %x = load i64, ptr %a\n"
                            "  %sum = add i64 %x, 1\n"
                            "  store i64 %sum, ptr %b\n"
                            "  store i64 %v, ptr %c\n"));
  const FrameValues Frames(F.loop());
  const Instruction *X = &F.value("x");
  EXPECT_TRUE(flowsInto(X, &F.instruction<StoreInst>(0), F.loop(), Frames));
  // Not from one iteration to the next.
  EXPECT_FALSE(flowsInto(X, &F.instruction<StoreInst>(1), F.loop(), Frames));
}

TEST(AccessRelations, OtherWritesToTheObjectAreSeen) {
  auto IsWritten = [](const std::string &Body) {
    ParsedFunction F(loopOver("  %p = getelementptr i64, ptr %a, i64 1\n"
                              "  store i64 %i, ptr %p\n" +
                              Body));
    const LatencyAnalysis Latency(F.context(), false);
    const Access &Own = *Latency.find(&F.instruction<StoreInst>(0));
    return writtenElsewhere(Own, F.loop(), F.context().AA, {},
                            FrameValues(F.loop()));
  };
  EXPECT_FALSE(IsWritten(""));
  EXPECT_FALSE(IsWritten("  store i64 0, ptr %b\n"));
  EXPECT_TRUE(IsWritten("  %q = getelementptr i64, ptr %a, i64 %i\n"
                        "  store i64 0, ptr %q\n"));
}

} // namespace

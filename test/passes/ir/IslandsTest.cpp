//===- IslandsTest.cpp - Memory of an iteration that is linked ------------===//

#include "ir/Islands.h"
#include "support/ParsedFunction.h"

using namespace heddle;
using namespace llvm;

namespace {

const std::string Globals =
    "@kept = global ptr null\n"
    "@number = global i64 0\n"
    "declare noalias ptr @malloc(i64)\n"
    "declare void @free(ptr allocptr) allockind(\"free\")\n"
    "declare void @fill(ptr captures(none))\n"
    "declare void @measure(ptr captures(none)) memory(read)\n"
    "declare void @keep(ptr)\n"
    "declare void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr, ptr)\n"
    "declare ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr)\n"
    "define void @link(ptr %from, ptr %to) {\n"
    "  store ptr %to, ptr %from\n  ret void\n}\n"
    "define void @publish(ptr %p) {\n"
    "  store ptr %p, ptr @kept\n  ret void\n}\n"
    "define ptr @follow(ptr %p) {\n"
    "  %q = load ptr, ptr %p\n  ret ptr %q\n}\n";

/// A variable of the iteration, the head, and a node.
const std::string Nodes = "  %node = call ptr @malloc(i64 32)\n"
                          "  %value = getelementptr i8, ptr %node, i64 8\n";
const std::string Linked = Nodes + "  store ptr %node, ptr %head\n"
                                   "  store ptr %head, ptr %node\n";

class Loop {
  ParsedFunction F;
  Islands Found;

public:
  explicit Loop(const std::string &Body)
      : F(loopOver(Body, {.Globals = Globals,
                          .Entry = "  %head = alloca [4 x i64]\n"})),
        Found(F.loop(), {cast<AllocaInst>(&F.value("head"))}) {}

  bool isOwn(StringRef Name) { return Found.isOwn(&F.value(Name)); }
  bool isOwnCall(unsigned Number) {
    return Found.isOwnCall(F.instruction<CallInst>(Number));
  }
  bool isOwnBehind(ArrayRef<std::optional<int64_t>> Pointers) {
    return Found.isOwnBehind(&F.value("head"), Pointers);
  }
  bool isLinked() { return Found.isLinked(cast<AllocaInst>(&F.value("head"))); }
};

TEST(Islands, WhatIsLinkedIsOwn) {
  Loop L(Linked + "  %first = load ptr, ptr %head\n"
                  "  %back = load ptr, ptr %first\n"
                  "  %end = icmp eq ptr %back, %head\n");
  EXPECT_TRUE(L.isOwn("node"));
  EXPECT_TRUE(L.isOwn("first"));
  EXPECT_TRUE(L.isOwn("back"));
  EXPECT_TRUE(L.isLinked());
  EXPECT_TRUE(L.isOwnBehind({0}));
  EXPECT_TRUE(L.isOwnBehind({std::nullopt, 0}));
  EXPECT_FALSE(L.isOwnBehind({16}));
}

TEST(Islands, WhatOthersGetToIsNot) {
  const std::string Read = "  %first = load ptr, ptr %head\n";
  EXPECT_TRUE(Loop(Linked + Read).isOwn("first"));
  // One node leads to the others.
  EXPECT_FALSE(
      Loop(Linked + Read + "  store ptr %first, ptr @kept\n").isOwn("node"));
  EXPECT_FALSE(
      Loop(Linked + Read + "  call void @keep(ptr %head)\n").isOwn("first"));
  EXPECT_FALSE(
      Loop(Linked + Read + "  call void @publish(ptr %first)\n").isOwn("node"));
  EXPECT_FALSE(Loop(Linked + Read +
                    "  %x = ptrtoint ptr %first to i64\n"
                    "  store i64 %x, ptr @number\n")
                   .isOwn("node"));
  EXPECT_FALSE(Loop("  %last = phi ptr [ null, %entry ], [ %node, %latch ]\n" +
                    Linked + Read)
                   .isOwn("first"));
}

TEST(Islands, FunctionsMayKeepWhatTheyAreLedTo) {
  const std::string Read = "  %first = load ptr, ptr %head\n";
  Loop L(Linked + Read + "  call void @fill(ptr %head)\n");
  EXPECT_FALSE(L.isOwn("node"));
  EXPECT_FALSE(L.isOwn("first"));
  EXPECT_TRUE(
      Loop(Linked + Read + "  call void @measure(ptr %head)\n").isOwn("first"));
}

TEST(Islands, PointersToElsewhereStayThose) {
  const std::string Stored = Linked + "  store ptr %a, ptr %value\n"
                                      "  %first = load ptr, ptr %head\n"
                                      "  %at = getelementptr i8, ptr %first, "
                                      "i64 8\n"
                                      "  %other = load ptr, ptr %at\n"
                                      "  %back = load ptr, ptr %first\n";
  Loop L(Stored);
  EXPECT_TRUE(L.isOwn("at"));
  EXPECT_FALSE(L.isOwn("other"));
  EXPECT_TRUE(L.isOwn("back"));
  // Which of the two is read is not known.
  EXPECT_FALSE(Loop(Linked + "  store ptr %a, ptr %value\n"
                             "  %at = getelementptr ptr, ptr %node, i64 %i\n"
                             "  %other = load ptr, ptr %at\n")
                   .isOwn("other"));
  EXPECT_FALSE(Loop(Linked + "  %even = trunc i64 %i to i1\n"
                             "  %other = select i1 %even, ptr %node, ptr %a\n")
                   .isOwn("other"));
}

TEST(Islands, CopiesCarryPointersOn) {
  const std::string Copied =
      "  %copy = call ptr @malloc(i64 16)\n"
      "  call void @llvm.memcpy(ptr %copy, ptr %node, i64 16, i1 false)\n"
      "  %first = load ptr, ptr %copy\n"
      "  %at = getelementptr i8, ptr %copy, i64 8\n"
      "  %second = load ptr, ptr %at\n";
  Loop L(Linked + "  store ptr %a, ptr %value\n" + Copied);
  EXPECT_TRUE(L.isOwn("first"));
  EXPECT_FALSE(L.isOwn("second"));
  EXPECT_FALSE(
      Loop(Linked +
           "  call void @llvm.memcpy(ptr %b, ptr %node, i64 16, i1 false)\n" +
           Copied)
          .isOwn("first"));
  EXPECT_FALSE(
      Loop(Linked +
           "  call void @llvm.memcpy(ptr %node, ptr %b, i64 16, i1 false)\n" +
           Copied)
          .isOwn("first"));
}

TEST(Islands, ElementsKeepTheirFields) {
  // Pairs of a pointer to the iteration's memory and one to elsewhere.
  const std::string Pairs =
      Linked + "  %pair = getelementptr [2 x ptr], ptr %node, i64 %i\n"
               "  store ptr %head, ptr %pair\n"
               "  %to = getelementptr i8, ptr %pair, i64 8\n"
               "  store ptr %a, ptr %to\n"
               "  %next = getelementptr [2 x ptr], ptr %node, i64 %n\n"
               "  %own = load ptr, ptr %next\n"
               "  %at = getelementptr i8, ptr %next, i64 8\n"
               "  %other = load ptr, ptr %at\n";
  Loop L(Pairs);
  EXPECT_TRUE(L.isOwn("own"));
  EXPECT_FALSE(L.isOwn("other"));
}

TEST(Islands, CallsInAnIslandAreOwn) {
  // The first call allocates the node.
  const std::string Read = "  %first = load ptr, ptr %head\n";
  Loop L(Nodes +
         "  call void @link(ptr %head, ptr %node)\n"
         "  call void @link(ptr %node, ptr %head)\n"
         "  %next = call ptr @follow(ptr %head)\n" +
         Read);
  EXPECT_TRUE(L.isOwn("first"));
  EXPECT_TRUE(L.isOwn("next"));
  EXPECT_TRUE(L.isOwnCall(1));
  EXPECT_TRUE(L.isOwnCall(3));
  Loop Other(Nodes +
             "  call void @link(ptr %head, ptr %node)\n"
             "  call void @link(ptr %node, ptr %a)\n"
             "  %next = call ptr @follow(ptr %a)\n" +
             Read);
  EXPECT_TRUE(Other.isOwn("node"));
  EXPECT_FALSE(Other.isOwn("next"));
  EXPECT_FALSE(Other.isOwnCall(3));
}

TEST(Islands, TheLibraryLinksNodes) {
  const std::string Hook =
      "  call void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %node, "
      "ptr %head)\n"
      "  %first = load ptr, ptr %head\n";
  Loop L(Nodes + Hook);
  EXPECT_TRUE(L.isOwn("first"));
  EXPECT_TRUE(L.isOwnCall(1));
  // The list that it becomes a part of is all iterations'.
  const std::string Elsewhere =
      "  call void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %node, "
      "ptr %b)\n";
  Loop Other(Nodes + Elsewhere + Hook);
  EXPECT_FALSE(Other.isOwn("node"));
  EXPECT_FALSE(Other.isOwnCall(1));
  const std::string Next =
      "  %next = call ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base("
      "ptr %node)\n";
  EXPECT_TRUE(Loop(Linked +
                   "  %left = getelementptr i8, ptr %node, i64 16\n"
                   "  store ptr %head, ptr %left\n" +
                   Next)
                  .isOwnCall(1));
  EXPECT_FALSE(Loop(Linked +
                    "  %left = getelementptr i8, ptr %node, i64 16\n"
                    "  store ptr %a, ptr %left\n" +
                    Next)
                   .isOwnCall(1));
}

TEST(Islands, DistancesInOneObjectAreSizes) {
  const std::string Distance = "  %x = ptrtoint ptr %node to i64\n"
                               "  %y = ptrtoint ptr %value to i64\n"
                               "  %size = sub i64 %y, %x\n"
                               "  store i64 %size, ptr @number\n";
  EXPECT_TRUE(Loop(Linked + Distance).isOwn("node"));
  // The distance of two objects leads from the one to the other.
  EXPECT_FALSE(Loop(Linked + "  %x = ptrtoint ptr %node to i64\n"
                             "  %y = ptrtoint ptr %head to i64\n"
                             "  %far = sub i64 %x, %y\n"
                             "  store i64 %far, ptr @number\n")
                   .isOwn("node"));
  EXPECT_FALSE(Loop(Linked + "  %x = ptrtoint ptr %a to i64\n"
                             "  %y = ptrtoint ptr %node to i64\n"
                             "  %far = sub i64 %x, %y\n"
                             "  %other = getelementptr i8, ptr %node, i64 "
                             "%far\n")
                   .isOwn("other"));
}

} // namespace

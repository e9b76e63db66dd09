//===- LibraryLinks.cpp - Functions that link what they are given ---------===//

#include "ir/LibraryLinks.h"
#include "ir/Instructions.h"

using namespace llvm;
using namespace heddle;

/// Parent, left and right of std::_Rb_tree_node_base, behind its color.
static constexpr int64_t TreeLinks[] = {8, 16, 24};
/// Next and previous of std::__detail::_List_node_base.
static constexpr int64_t ListLinks[] = {0, 8};

std::optional<LibraryLinks> heddle::libraryLinks(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  if (!Callee || !Callee->isDeclaration())
    return std::nullopt;
  auto IsOneOf = [Name = Callee->getName()](ArrayRef<StringRef> Names) {
    return is_contained(Names, Name);
  };
  if (IsOneOf({"_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_"
               "RS_",
               "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"}))
    return LibraryLinks{TreeLinks, true};
  if (IsOneOf({"_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
               "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
               "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",
               "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base"}))
    return LibraryLinks{TreeLinks, false};
  if (IsOneOf({"_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
               "_ZNSt8__detail15_List_node_base9_M_unhookEv",
               "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
               "_ZNSt8__detail15_List_node_base10_M_reverseEv",
               "_ZNSt8__detail15_List_node_base4swapERS0_S1_"}))
    return LibraryLinks{ListLinks, true};
  // The state of the policy is two numbers.
  if (IsOneOf({"_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
               "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm"}))
    return LibraryLinks{{}, false};
  return std::nullopt;
}

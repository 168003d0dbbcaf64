#include "app/workbench/loop_menu.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/workbench/matmul_function.h"
#include "core/document/target.h"

namespace loom::workbench {
namespace {

class Menu : public testing::Test {
 protected:
  Menu() : history_(document::openFunction(*matmulFunction({64, 48, 32}), "matmul")->history) {
    for (const NamedNode& node : namedNodes(history_.node(0).state)) {
      if (node.name == "k") k_ = node.id;
      if (node.name == "Z") z_ = node.id;
    }
  }
  const MenuEntry* find(const std::vector<MenuEntry>& menu, const std::string& text) {
    auto at = std::find_if(menu.begin(), menu.end(), [&](const MenuEntry& entry) { return entry.text == text; });
    return at == menu.end() ? nullptr : &*at;
  }
  std::vector<MenuEntry> menu(ir::Id id) { return menuOf(history_.node(0).state, {}, id, stop_); }

  document::History history_;
  ir::Id k_, z_;
  std::atomic<bool> stop_ = false;
};

TEST_F(Menu, LoopOffersItsPrimitivesWithLinesThatApply) {
  const auto entries = menu(k_);
  const MenuEntry* unroll = find(entries, "unroll");
  ASSERT_NE(unroll, nullptr);
  EXPECT_FALSE(unroll->refusal);
  const auto lines = stepLines(history_, 0, unroll->form);
  ASSERT_TRUE(lines);
  EXPECT_TRUE(previewLines(history_, 0, *lines, {}));
  const MenuEntry* split = find(entries, "split");
  ASSERT_NE(split, nullptr);
  ASSERT_NE(find(split->choices, "[None, 16]"), nullptr);
  EXPECT_EQ(find(entries, "compute_inline"), nullptr) << "takes a block";
}

TEST_F(Menu, WhatIsRefusedStaysWithItsReason) {
  const auto entries = menu(k_);
  const MenuEntry* vectorize = find(entries, "vectorize");
  ASSERT_NE(vectorize, nullptr);
  ASSERT_TRUE(vectorize->refusal) << "k is a reduction";
  EXPECT_FALSE(vectorize->refusal->message.empty());
  const auto ofBlock = menu(z_);
  const MenuEntry* inlined = find(ofBlock, "compute_inline");
  ASSERT_NE(inlined, nullptr);
  EXPECT_TRUE(inlined->refusal) << "Z is the result";
}

TEST_F(Menu, UnknownLoopOffersNothing) { EXPECT_TRUE(menu(ir::Id{99, 1}).empty()); }

TEST_F(Menu, StoppedSearchGivesUp) {
  stop_ = true;
  EXPECT_TRUE(menu(k_).empty());
}

}  // namespace
}  // namespace loom::workbench

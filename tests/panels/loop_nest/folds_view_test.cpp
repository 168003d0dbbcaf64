#include "app/panels/loop_nest/view/nest_folds.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>

#include "core/document/target.h"
#include "core/intrin/intrinsic.h"

namespace loom::session::loop_nest_folds_view_test {
namespace {

using testing::IsSupersetOf;
using testing::SizeIs;

class Folds : public testing::Test {
 protected:
  static const LoopNest& nest(int node) {
    static const auto library = intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics");
    static const auto target =
        document::openTarget({"tensor_core"}, std::string(TILELOOM_SOURCE_DIR) + "/assets", {&*library});
    static std::map<int, LoopNest> made;
    if (made.count(node) == 0) made[node] = loopNestOf(statePath(target->history, node), nullptr);
    return made[node];
  }

  /// The lines of a state where `most` have room, and how often it was asked.
  std::vector<NestLine> lines(int node, std::size_t most, const std::vector<ir::Id>& open = {}) {
    asked_ = 0;
    return folds_.lines(nest(node), open, [&](const std::vector<NestLine>& some) {
      ++asked_;
      return some.size() <= most;
    });
  }

  /// Blocks on a line with loops.
  static std::vector<std::string> foldedBlocks(const LoopNest& nest, const std::vector<NestLine>& lines) {
    std::vector<std::string> names;
    for (const NestLine& line : lines) {
      const NestRow& last = nest.rows[std::size_t(line.last)];
      if (line.first < line.last && last.kind == NestRow::Kind::kBlock) names.push_back(last.name);
    }
    return names;
  }

  NestFolds folds_;
  int asked_ = 0;
};

TEST_F(Folds, NothingIsFoldedWhereAllHasRoom) {
  EXPECT_THAT(lines(30, 1000), SizeIs(nest(30).rows.size()));
  EXPECT_EQ(asked_, 1);
}

TEST_F(Folds, OnlyAsMuchIsFoldedAsRoomAsksFor) {
  const std::size_t rows = nest(30).rows.size();
  EXPECT_THAT(lines(30, rows - 1), SizeIs(rows - 4)) << "one copy: four loops and a block on a line";
  folds_ = {};
  const auto all = lines(30, 1);
  EXPECT_GT(all.size(), 1U) << "what can't be folded stays";
  for (const NestLine& line : all) {
    for (int i = line.first; line.last > line.first && i <= line.last; ++i)
      EXPECT_NE(nest(30).rows[std::size_t(i)].change, NestChange::kNew) << "what the step made is in the open";
  }
}

TEST_F(Folds, AStepLeavesUnfoldedAndFoldedWhatItDoesNotTouch) {
  const std::size_t room = nest(29).rows.size() - 1;
  std::vector<std::string> before = foldedBlocks(nest(29), lines(29, room));
  EXPECT_THAT(before, SizeIs(1));
  for (int node = 30; node <= 50; ++node) {
    const auto now = foldedBlocks(nest(node), lines(node, room));
    // What the step rebuilt is in the open, and what got blocks inside is no line any more.
    std::erase_if(before, [&](const std::string& name) {
      const auto& rows = nest(node).rows;
      const auto block = std::find_if(rows.begin(), rows.end(), [&](const NestRow& r) {
        return r.name == name && r.kind == NestRow::Kind::kBlock && r.children == 0;
      });
      if (block == rows.end()) return true;
      auto at = std::size_t(block - rows.begin());
      bool made = rows[at].change == NestChange::kNew;
      while (at > 0 && rows[at].parent == int(at) - 1 && rows[at - 1].children == 1)
        made |= rows[--at].change == NestChange::kNew;
      return made;
    });
    EXPECT_THAT(now, IsSupersetOf(before)) << "state " << node;
    before = now;
  }
}

TEST_F(Folds, WhatAStepChangesStaysOnTheLineThatItWasOn) {
  const auto before = foldedBlocks(nest(48), lines(48, 1));
  EXPECT_THAT(before, testing::Contains("X_shared"));
  EXPECT_THAT(foldedBlocks(nest(49), lines(49, 1)), testing::Contains("X_shared")) << "only its alignment changed";
  EXPECT_THAT(foldedBlocks(nest(50), lines(50, 1)), testing::Contains("Y_shared"));
}

TEST_F(Folds, ASelectedRowStandsAloneAndFoldsNothingElse) {
  const auto before = lines(48, 1);
  const LoopNest& shown = nest(48);
  const auto copy = std::find_if(before.begin(), before.end(), [&](const NestLine& line) {
    return line.first < line.last && shown.rows[std::size_t(line.last)].name == "X_shared";
  });
  ASSERT_NE(copy, before.end());
  const auto open = lines(48, before.size(), {shown.rows[std::size_t(copy->last) - 1].id});
  EXPECT_EQ(asked_, 1) << "what is folded had room";
  EXPECT_EQ(open.size(), before.size() + 2);
  EXPECT_EQ(lines(48, before.size()).size(), before.size()) << "and it folds again";
}

}  // namespace
}  // namespace loom::session::loop_nest_folds_view_test

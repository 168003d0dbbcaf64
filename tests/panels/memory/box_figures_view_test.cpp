#include "app/panels/memory/view/box_figures.h"

#include <gtest/gtest.h>

namespace loom::session::box_figures_view_test {
namespace {

using Lines = std::vector<BoxFigure>;

// A character is 1 px wide, the gap before a conflict 2.
Lines figures(const std::vector<std::string>& texts, const std::string& conflict, float room, int most = 3) {
  return boxFigures(texts, conflict, room, 2, most, [](const std::string& text) { return float(text.size()); });
}

TEST(BoxFigures, TheTextWithMostThatFitsStandsOnOneLine) {
  EXPECT_EQ(figures({"6 x 16 KiB", "96 KiB"}, "", 10), (Lines{{"6 x 16 KiB", ""}}));
  EXPECT_EQ(figures({"6 x 16 KiB", "96 KiB"}, "", 7), (Lines{{"96 KiB", ""}}));
  EXPECT_EQ(figures({"6 x 16 KiB", "96 KiB"}, "", 5), (Lines{{"96KiB", ""}}));
  EXPECT_EQ(figures({"64 KiB"}, "4x", 10), (Lines{{"64 KiB", "4x"}}));
}

TEST(BoxFigures, AConflictWithoutRoomGoesToItsOwnLine) {
  EXPECT_EQ(figures({"64 KiB"}, "4x", 8), (Lines{{"64 KiB", ""}, {"", "4x"}}));
}

TEST(BoxFigures, AFigureIsBrokenAtItsUnitAndNeverCut) {
  EXPECT_EQ(figures({"2 MiB"}, "", 3), (Lines{{"2", ""}, {"MiB", ""}}));
  EXPECT_EQ(figures({"16 KiB/warp"}, "", 6), (Lines{{"16 KiB", ""}, {"/warp", ""}}));
  EXPECT_EQ(figures({"64 KiB"}, "4x", 3), (Lines{{"64", ""}, {"KiB", ""}, {"", "4x"}}));
  EXPECT_EQ(figures({"6 x 16 KiB", "96 KiB"}, "", 4), (Lines{{"96", ""}, {"KiB", ""}}));
}

TEST(BoxFigures, WhatFitsNowhereIsLeftOut) {
  EXPECT_EQ(figures({"2 MiB"}, "", 2), Lines{});
  EXPECT_EQ(figures({"2 MiB"}, "", 3, 1), Lines{});
  EXPECT_EQ(figures({"2 MiB"}, "4x", 2), (Lines{{"", "4x"}}));
}

}  // namespace
}  // namespace loom::session::box_figures_view_test

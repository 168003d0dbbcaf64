#include "app/panels/memory/view/passing_label.h"

#include <gtest/gtest.h>

namespace loom::session::passing_label_view_test {
namespace {

using L = MemoryLevel;

MemoryTraffic arrow(L from, L to, int column) {
  MemoryTraffic traffic;
  traffic.from = from;
  traffic.to = to;
  traffic.column = column;
  return traffic;
}

TEST(PassingLabel, StandsWhereNoOtherArrowOfItsColumnHasItsBytes) {
  MemoryView view;
  const MemoryTraffic up = arrow(L::kRegisters, L::kL2, 2), down = arrow(L::kL2, L::kRegisters, 2);
  view.traffic = {up, down};
  EXPECT_EQ(gapOfPassingLabel(view, up), int(L::kShared));
  EXPECT_EQ(gapOfPassingLabel(view, down), int(L::kL2));
  // Another column's arrow takes no room.
  view.traffic.push_back(arrow(L::kRegisters, L::kShared, 1));
  EXPECT_EQ(gapOfPassingLabel(view, up), int(L::kShared));
  view.traffic.push_back(arrow(L::kRegisters, L::kShared, 2));
  EXPECT_EQ(gapOfPassingLabel(view, up), int(L::kL2));
  view.traffic.push_back(arrow(L::kL2, L::kShared, 2));
  EXPECT_EQ(gapOfPassingLabel(view, up), -1);
  EXPECT_EQ(gapOfPassingLabel(view, down), -1);
}

}  // namespace
}  // namespace loom::session::passing_label_view_test

#include "app/ui/label_spot.h"

#include <gtest/gtest.h>

namespace loom::panels::label_spot_test {
namespace {

constexpr ImVec2 kLow{0, 0}, kHigh{300, 100}, kSize{80, 12};

TEST(LabelSpot, HidesNoPointWhereThereIsRoom) {
  // A curve that comes from the lower left and ends at the right edge, as the lesson's does.
  std::vector<ImVec2> curve;
  for (int i = 0; i <= 40; ++i) curve.push_back({200 + float(i) * 2.4F, 80 - float(i) * 1.4F});
  const ImVec2 end = curve.back(), at = placeLabel(end, kSize, 7, kLow, kHigh, curve);
  EXPECT_EQ(hiddenBy(at, kSize, 0, curve), 0);
  EXPECT_GE(at.x, kLow.x);
  EXPECT_GE(at.y, kLow.y);
  EXPECT_LE(at.x + kSize.x, kHigh.x);
  EXPECT_LE(at.y + kSize.y, kHigh.y);
}

TEST(LabelSpot, StandsRightAboveAPointThatIsAlone) {
  const ImVec2 at = placeLabel({100, 50}, kSize, 7, kLow, kHigh, {{100, 50}});
  EXPECT_EQ(at.x, 107);
  EXPECT_EQ(at.y, 50 - 12 - 7);
}

TEST(LabelSpot, HidesTheFewestWhereNoPlaceIsFree) {
  std::vector<ImVec2> points;
  for (int x = 0; x < 300; x += 10)
    for (int y = 0; y < 100; y += 10) {
      if (y >= 50) points.push_back({float(x), float(y)});
      points.push_back({float(x), float(y)});
    }
  const ImVec2 at = placeLabel({150, 50}, kSize, 7, kLow, kHigh, points);
  EXPECT_LT(at.y, 50) << "twice as many lie below";
  EXPECT_LT(hiddenBy(at, kSize, 0, points), int(points.size()));
}

TEST(LabelSpot, KeepsToTheLowEdgesWhereItIsLargerThanThePlot) {
  const ImVec2 at = placeLabel({10, 5}, {400, 200}, 7, kLow, kHigh, {});
  EXPECT_EQ(at.x, 0);
  EXPECT_EQ(at.y, 0);
}

}  // namespace
}  // namespace loom::panels::label_spot_test

#include "app/panels/lesson/view/configured.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/document/devices.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"

namespace loom::session::lesson_configured_view_test {
namespace {

const std::filesystem::path kAssets = std::filesystem::path(TILELOOM_SOURCE_DIR) / "assets";

// All schedules that a chapter of a lesson compares.
class Configured {
 public:
  Configured(const std::string& lesson, const std::string& chapter)
      : target_(document::openTarget({lesson}, kAssets, environment_).value()) {
    const auto& chapters = target_.lesson->chapters;
    const auto at = std::ranges::find(chapters, chapter, &document::Chapter::id);
    document::DeviceSources sources;
    sources.assets = kAssets;
    const auto device = document::knownDevice(sources, "h100_sxm").value();
    times = configuredTimes(*at->configurations, "en", target_.history.node(0).state, environment_, &device, kAssets)
                .value();
  }

  ConfiguredTimes times;

 private:
  intrin::Library library_ = intrin::Library::load(kAssets / "intrinsics").value();
  schedule::Environment environment_{&library_};
  document::Target target_;
};

TEST(ConfiguredTimes, OfTheTutorialAreAllKernelsWithATime) {
  const Configured all("tensor_passes", "scatter");
  EXPECT_EQ(all.times.schedules.size(), 54U);
  EXPECT_EQ(all.times.kernels, 54U);
  EXPECT_EQ(all.times.measured(), 54U);
  EXPECT_TRUE(std::ranges::all_of(all.times.schedules, [](const auto& one) { return one.predicted.has_value(); }));
  const auto best = std::ranges::find(all.times.schedules, all.times.best(), &ConfiguredSchedule::measured);
  ASSERT_NE(best, all.times.schedules.end());
  EXPECT_EQ(all.times.fasterThan(*best->measured), 0U);
  EXPECT_EQ(all.times.find(best->values), &*best);
  EXPECT_EQ(all.times.find({}), nullptr);
  // What its text says of the tutorial's own best.
  const ConfiguredSchedule* tutorial = all.times.find({4, 32, 16, 8});
  ASSERT_NE(tutorial, nullptr);
  EXPECT_GT(*tutorial->measured, *best->measured * 1.1);
  EXPECT_FALSE(all.times.device.empty() || all.times.driver.empty() || all.times.date.empty());
}

// Of the tuner's lists: what the lesson's text says of the plots.
TEST(ConfiguredTimes, OfTheListsFallInTwo) {
  const ConfiguredTimes times = Configured("space_rules", "added").times;
  EXPECT_EQ(times.schedules.size(), 216U);
  EXPECT_LT(times.kernels, times.schedules.size()) << "a copy that isn't there can't be by vectors";
  EXPECT_EQ(times.measured(), times.kernels);
  double slowest = 0, fastest = 1e300, eight = 0, sixteen = 1e300;
  for (const ConfiguredSchedule& one : times.schedules) {
    const bool tiles = one.values[5] == 1;
    if (tiles) slowest = std::max(slowest, *one.measured);
    if (!tiles) fastest = std::min(fastest, *one.measured);
    if (tiles && one.values[2] == 8) eight = std::max(eight, *one.measured);
    if (tiles && one.values[2] == 16) sixteen = std::min(sixteen, *one.measured);
  }
  EXPECT_LT(slowest, fastest);
  EXPECT_LT(eight, sixteen);
  const ConfiguredSchedule* v4 = times.find({32, 32, 4, 0, 1, 1});
  ASSERT_NE(v4, nullptr);
  EXPECT_EQ(times.fasterThan(*v4->measured), 0U);
}

}  // namespace
}  // namespace loom::session::lesson_configured_view_test

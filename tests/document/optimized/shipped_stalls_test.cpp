#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/document/kernel.h"
#include "core/document/lesson.h"
#include "core/profile/profile_file.h"
#include "tests/document/scheduled.h"

namespace loom::document::shipped_stalls_test {
namespace {

// What is shipped belongs to states that there are: each file's to those of the lesson it names.
TEST(ShippedStalls, AreOfTheLessonsKernels) {
  for (const auto& entry : std::filesystem::directory_iterator(assets() / "profiled")) {
    if (entry.path().extension() != ".json") continue;
    auto file = profile::readProfiles(readFile(entry.path()).value(), entry.path().string());
    ASSERT_TRUE(file) << file.error().message.english();
    EXPECT_FALSE(file->device.empty());
    ASSERT_FALSE(file->states.empty());
    const auto lesson = openTarget({file->target}, assets(), environment());
    ASSERT_TRUE(lesson) << file->target << ": " << lesson.error().message.english();
    ASSERT_TRUE(lesson->lesson) << file->target;
    std::set<std::string> keys;
    for (const Node& node : lesson->history.nodes()) keys.insert(makeKernel(node.state).key);
    for (const profile::StateProfile& state : file->states) {
      EXPECT_TRUE(keys.contains(state.source)) << entry.path() << ": " << state.label;
      for (const profile::StallProfile& kernel : state.kernels) EXPECT_GT(kernel.total().samples, 0) << state.label;
    }
  }
}

}  // namespace
}  // namespace loom::document::shipped_stalls_test

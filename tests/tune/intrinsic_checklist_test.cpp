// Which tensor intrinsic a tile is nearest to, and what it lacks.
#include "core/tune/intrinsic_checklist.h"

#include <gmock/gmock.h>

#include "tests/document/scheduled.h"

namespace loom::tune::intrinsic_checklist_test {
namespace {

TEST(IntrinsicChecklist, OfAProductOfHalvesTheNearestIsOfHalves) {
  const auto target =
      document::openFunction(tests::programText("transposed_product", {{"M", 64}, {"N", 64}, {"K", 64}}), "f.py");
  const schedule::State& state = target->history.node(0).state;
  const ir::Id outer = state.tree().nodes()[1].id;
  const auto all = intrinsicChecklists(state, outer, *document::environment().intrinsics);
  ASSERT_FALSE(all.empty());
  EXPECT_THAT(all.front().intrinsic, ::testing::HasSubstr("f16f16f32"));
  std::vector<bool> ok;
  for (const IntrinsicCheck& check : all.front().checks) ok.push_back(check.ok);
  EXPECT_THAT(ok, ::testing::ElementsAre(true, true, false, false)) << "64 × 64 × 64, in global memory";
  EXPECT_EQ(all.front().checks[2].found, "64 × 64 × 64");
  EXPECT_EQ(all.front().checks[1].wanted, "float16, float16 → float32");
  // dp4a is of other elements: no step leads there.
  for (const IntrinsicChecklist& list : all) {
    EXPECT_FALSE(list.intrinsic.starts_with("dp4a") && list.couldFit()) << list.intrinsic;
  }
}

}  // namespace
}  // namespace loom::tune::intrinsic_checklist_test

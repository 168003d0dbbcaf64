// The barriers of the tensor-core lesson, which copies tiles of A and B to shared memory in a loop over k, and what
// there is for a state without any.
#include <gmock/gmock.h>

#include "app/panels/barriers/view/barriers.h"
#include "app/panels/code/view/code.h"
#include "app/panels/view/view_makers.h"
#include "core/document/target.h"

namespace loom::session::barriers_view_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

class Barriers : public testing::Test {
 protected:
  // The program at the lesson's start, or at the end of its last chapter.
  std::shared_ptr<const Program> lesson(bool atStart) {
    const std::filesystem::path assets = std::string(TILELOOM_SOURCE_DIR) + "/assets";
    const auto library = intrin::Library::load(assets / "intrinsics");
    const auto target = document::openTarget({"tensor_core"}, assets, {&*library});
    const int node = atStart ? 0 : target->chapterNodes.back();
    return programOf(programInput(target->history, node), viewMakers());
  }
};

TEST_F(Barriers, EachHasItsLineAndItsNumberOfExecutions) {
  const auto program = lesson(false);
  const std::vector<std::string>& cuda = textsOf(*program).cuda;
  const auto& all = barriersOf(*program);
  ASSERT_EQ(all.size(), 2U);
  int before = 0;
  for (const Barrier& barrier : all) {
    EXPECT_GT(barrier.line, before);
    before = barrier.line;
    EXPECT_NE(cuda.at(std::size_t(barrier.line - 1)).find("__syncthreads()"), std::string::npos);
    EXPECT_EQ(barrier.perBlock, 16) << "it stands in the loop over k_0_0";
    EXPECT_FALSE(barrier.atMost || barrier.varies);
  }
}

TEST_F(Barriers, EachSaysWhichBlocksMeetInWhichBuffer) {
  const auto program = lesson(false);
  const auto& all = barriersOf(*program);
  ASSERT_EQ(all.size(), 2U);
  using Kind = BarrierReason::Kind;
  const std::pair<const char*, const char*> kTiles[] = {{"X_shared", "X_shared_wmma.matrix_a_o"},
                                                        {"Y_shared", "Y_shared_wmma.matrix_b_o"}};
  for (const auto& [tile, reader] : kTiles) {
    // The first keeps the copies of this iteration behind the reads of the one before, the second the reads behind
    // them.
    EXPECT_THAT(all[0].reasons,
                Contains(AllOf(Field(&BarrierReason::kind, Kind::kWriteAfterRead), Field(&BarrierReason::buffer, tile),
                               Field(&BarrierReason::before, ElementsAre(reader)),
                               Field(&BarrierReason::after, ElementsAre(tile)))));
    EXPECT_THAT(all[1].reasons,
                Contains(AllOf(Field(&BarrierReason::kind, Kind::kReadAfterWrite), Field(&BarrierReason::buffer, tile),
                               Field(&BarrierReason::before, ElementsAre(tile)),
                               Field(&BarrierReason::after, ElementsAre(reader)))));
  }
  EXPECT_EQ(all[0].reasons.size(), 2U);
  EXPECT_EQ(all[1].reasons.size(), 2U);
}

TEST_F(Barriers, AStateWithoutAKernelHasNone) { EXPECT_THAT(barriersOf(*lesson(true)), IsEmpty()); }

}  // namespace
}  // namespace loom::session::barriers_view_test

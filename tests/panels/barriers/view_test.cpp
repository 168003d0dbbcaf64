// The barriers of the tensor-core lesson, which copies tiles of A and B to shared memory in a loop over k; the waits of
// pipelines for groups and of warpgroups for mbarriers; and what there is for a state without any.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "app/panels/barriers/view/waits.h"
#include "app/panels/code/view/code.h"
#include "app/panels/view/view_makers.h"
#include "core/document/target.h"
#include "tests/panels/warpgroup_kernel.h"

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
  const auto& all = waitsOf(*program);
  ASSERT_EQ(all.size(), 2U);
  int before = 0;
  for (const Wait& barrier : all) {
    EXPECT_GT(barrier.line, before);
    before = barrier.line;
    EXPECT_NE(cuda.at(std::size_t(barrier.line - 1)).find("__syncthreads()"), std::string::npos);
    EXPECT_EQ(barrier.perBlock, 16) << "it stands in the loop over k_0_0";
    EXPECT_FALSE(barrier.atMost || barrier.varies);
  }
}

TEST_F(Barriers, EachSaysWhichBlocksMeetInWhichBuffer) {
  const auto program = lesson(false);
  const auto& all = waitsOf(*program);
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

// A kernel of this text, as a program that the panel may show.
std::vector<Wait> waitsOfKernel(document::KernelText kernel) {
  Program program;
  program.kernel = std::move(kernel);
  return waitsOf(program);
}

const Wait* firstOf(const std::vector<Wait>& all, device::Token token) {
  const auto found = std::ranges::find(all, token, &Wait::token);
  return found == all.end() ? nullptr : &*found;
}

TEST_F(Barriers, OfGroupsSaySoManyAreLeftAndWhatHasLanded) {
  const std::filesystem::path assets = std::string(TILELOOM_SOURCE_DIR) + "/assets";
  const auto library = intrin::Library::load(assets / "intrinsics");
  const auto target = document::openTarget({"pipelines"}, assets, {&*library});
  const auto program = programOf(programInput(target->history, target->chapterNodes.back()), viewMakers());
  const auto& all = waitsOf(*program);
  int waits = 0;
  bool leaves = false;
  for (const Wait& wait : all) {
    EXPECT_NE(wait.statement, "");
    EXPECT_EQ(wait.statement.find(';'), std::string::npos) << wait.statement;
    if (wait.token != device::Token::AsyncCopies) continue;
    ++waits;
    EXPECT_EQ(wait.statement, fmt::format("cp_async_wait<{}>()", wait.left));
    EXPECT_FALSE(wait.buffers.empty());
    EXPECT_TRUE(wait.isOfAllWarps);
    leaves |= wait.left > 0;
  }
  EXPECT_GE(waits, 2) << "in the loop, and for the last tiles";
  EXPECT_TRUE(leaves);
}

TEST_F(Barriers, OfMbarriersSayWhoWaitsForWhatToLandOrToArrive) {
  const auto all = waitsOfKernel(warpgroupKernel(true, 2));
  const auto of = [&](const char* name) -> const Wait* {
    for (const Wait& wait : all)
      if (wait.mbarrier && wait.mbarrier->name == name) return &wait;
    return nullptr;
  };
  const Wait *full = of("full"), *empty = of("empty");
  ASSERT_TRUE(full && empty);
  EXPECT_EQ(full->mbarrier->slots, 3);
  EXPECT_EQ(full->mbarrier->bytes, (128 * 64 + 64 * 64) * 2) << "of a turn's tiles";
  EXPECT_THAT(full->buffers, testing::UnorderedElementsAre("X_shared.dyn", "Y_shared.dyn"));
  EXPECT_THAT(full->warps, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)) << "those that multiply";
  EXPECT_EQ(full->perBlock, 4) << "256 along k, 64 a turn";
  EXPECT_FALSE(full->atMost) << "the condition says who waits, not how often";
  EXPECT_FALSE(full->mbarrier->isOpen);
  EXPECT_EQ(empty->mbarrier->bytes, 0);
  EXPECT_TRUE(empty->mbarrier->isOpen);
  EXPECT_GE(empty->warps.front(), 8) << "those that load";
  EXPECT_FALSE(empty->isOfAllWarps);
  const Wait* first = firstOf(all, device::Token::BlockBarrier);
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->makesMbarriers && first->reasons.empty());
  const Wait* products = firstOf(all, device::Token::Products);
  ASSERT_NE(products, nullptr);
  EXPECT_EQ(products->statement, fmt::format("wgmma_wait<{}>()", products->left));
}

TEST_F(Barriers, AStateWithoutAKernelHasNone) { EXPECT_THAT(waitsOf(*lesson(true)), IsEmpty()); }

}  // namespace
}  // namespace loom::session::barriers_view_test

#include <gmock/gmock.h>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::loop_nest_sums_view_test {
namespace {

using testing::UnorderedElementsAre;

const intrin::Library& intrinsics() {
  static const auto library = intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics");
  return *library;
}

// The lesson's start, with lines after it.
LoopNest nestAfter(const std::string& lines) {
  auto target = document::openTarget({"tensor_core"}, std::string(TILELOOM_SOURCE_DIR) + "/assets", {&intrinsics()});
  document::History& history = target->history;
  int node = 0;
  if (!lines.empty()) {
    auto applied = history.apply(0, lines, {&intrinsics()});
    EXPECT_TRUE(applied && !applied->refusal);
    node = applied->node;
  }
  const auto kernel = document::makeKernel(history.node(node).state);
  return loopNestOf(statePath(history, node), &kernel);
}

const NestRow& loop(const LoopNest& nest, const std::string& name) {
  for (const NestRow& row : nest.rows)
    if (row.kind == NestRow::Kind::kLoop && row.name == name) return row;
  ADD_FAILURE() << name;
  return nest.rows.front();
}

// "j_1", or "j_1*" of one that the same step made.
std::vector<std::string> kinOf(const LoopNest& nest, const std::string& name) {
  std::vector<std::string> names;
  for (const NestRow::RelatedLoops& kin : loop(nest, name).kin)
    names.push_back(nest.rows[std::size_t(kin.row)].name + (kin.sibling ? "*" : ""));
  return names;
}

const std::string kLoops = "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n";

TEST(LoopSums, AreWhatTheBlocksBelowDo) {
  const LoopNest nest = nestAfter("");
  constexpr double kGi = 1 << 30;
  for (const char* name : {"i", "j", "k"}) {
    const NestRow::Below& below = loop(nest, name).below;
    EXPECT_TRUE(below.known);
    EXPECT_EQ(below.flops, 2 * kGi) << "all of it lies below each";
    EXPECT_EQ(below.global, 12 * kGi + 4.0 * (1 << 20)) << "2 of X, 2 of Y, 8 of Z a run, and 4 a start value";
    EXPECT_EQ(below.shared, 0);
  }
  EXPECT_EQ(loop(nest, "j").below.flops / loop(nest, "j").runs, 2048) << "an element of Z";
}

TEST(LoopSums, CountWhatIsReadAndWrittenOnEachLevel) {
  const LoopNest nest = nestAfter(kLoops +
                                  "c = sch.cache_read(sch.get_block(\"Z\"), 0, \"shared\")\n"
                                  "sch.compute_at(c, i)\n");
  const NestRow::Below& below = loop(nest, "i").below;
  EXPECT_EQ(below.global, (2 + 8) * double(1 << 30) + 4.0 * (1 << 20) + 2.0 * (1 << 20)) << "X is copied once";
  EXPECT_EQ(below.shared, 2.0 * (1 << 30) + 2.0 * (1 << 20)) << "read a run, written once";
}

TEST(LoopKin, IsWhatSplitMadeOfOneLoop) {
  const LoopNest nest = nestAfter(kLoops + "i0, i1 = sch.split(i, [None, 32])\ni2, i3 = sch.split(i1, [None, 8])\n");
  EXPECT_THAT(kinOf(nest, "i_1_0"), UnorderedElementsAre("i_0", "i_1_1*"));
  EXPECT_THAT(kinOf(nest, "i_0"), UnorderedElementsAre("i_1_0", "i_1_1")) << "which its sibling was split into";
  EXPECT_TRUE(kinOf(nest, "j").empty());
  EXPECT_TRUE(kinOf(nest, "k").empty());
}

TEST(LoopKin, GoesThroughFusion) {
  const LoopNest nest = nestAfter(kLoops + tests::scheduleText("fused_tiles"));
  EXPECT_THAT(kinOf(nest, "i_0_j_0_fused"), UnorderedElementsAre("i_1", "j_1"));
  EXPECT_THAT(kinOf(nest, "i_1"), UnorderedElementsAre("i_0_j_0_fused")) << "j_1 is no relative of i_1";
}

}  // namespace
}  // namespace loom::session::loop_nest_sums_view_test

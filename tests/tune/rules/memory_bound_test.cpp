// Programs that memory binds: neighbouring results of a thread (R21), turned tiles (R22).
#include "tests/tune/rules/memory_bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/compile/compile.h"
#include "core/tune/rules/read_back.h"
#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::memory_bound_test {
namespace {

const Sketch* sketchNamed(const RulePlan& plan, const std::string& name) {
  const auto found = std::ranges::find(plan.sketches, name, &Sketch::name);
  return found == plan.sketches.end() ? nullptr : &*found;
}

// Whatever is drawn replays, is a kernel that computes the same and compiles; what is read back of its lines and of its
// state are the decisions drawn. TILELOOM_DRAWS says how many are drawn of each; some always.
TEST(MemoryBound, DrawsAreRightAndReadBack) {
  const char* given = std::getenv("TILELOOM_DRAWS");
  const int draws = given ? std::max(1, std::atoi(given)) : 2;
  const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  const auto nvrtc = given && toolkit ? compile::Compiler::load(*toolkit).value_or(nullptr) : nullptr;
  for (const MemoryBound& program : memoryBoundPrograms()) {
    if (*program.sketch == 0) continue;
    SCOPED_TRACE(program.name);
    const schedule::State state = programState(program.text);
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const Sketch* sketch = sketchNamed(*plan, program.sketch);
    if (!sketch) {
      ADD_FAILURE() << plan->rows.back().why.english();
      continue;
    }
    const auto diagram = Diagram::of(sketch->space);
    ASSERT_TRUE(diagram) << diagram.error().message;
    EXPECT_GT(diagram->count(), 3U);
    const PinnedCounts counts(*diagram);
    Random random(5);
    for (int n = 0; n < draws; ++n) {
      const Assignment drawn = *counts.draw(random);
      const std::string lines = linesOf(*sketch, drawn).value();
      const auto after = kernelOf(state, lines);
      if (!after) break;
      expectRight(state, *after, lines);
      const auto ofState = decisionsOf(*sketch, state, *after), ofLines = decisionsIn(*sketch, [&] {
                                                                  std::vector<std::string> all;
                                                                  std::stringstream text(lines);
                                                                  for (std::string line; std::getline(text, line);)
                                                                    all.push_back(line);
                                                                  return all;
                                                                }());
      for (std::size_t d = 0; d < sketch->space.decisions.size(); ++d) {
        const Decision& decision = sketch->space.decisions[d];
        ASSERT_TRUE(ofState.contains(decision.name)) << decision.name << "\n" << lines;
        EXPECT_EQ(ofState.at(decision.name), drawn[d]) << decision.name << "\n" << lines;
        if (const auto line = ofLines.find(decision.name); line != ofLines.end()) {
          EXPECT_EQ(line->second, drawn[d]) << decision.name << " of the lines\n" << lines;
        }
      }
      EXPECT_TRUE(membershipOf(sketch->space, ofState).isMember.value_or(false)) << lines;
      if (!nvrtc) continue;
      const auto binary =
          nvrtc->compile(compile::requestFor(compile::Text(document::makeKernel(*after).source), "sm_90"));
      EXPECT_TRUE(binary) << binary.error().message << lines;
    }
    if (HasFailure() && !given) return;
  }
}

TEST(MemoryBound, ConstructionsAreRightAndBetter) {
  for (const MemoryBound& program : memoryBoundPrograms()) {
    SCOPED_TRACE(program.name);
    const schedule::State state = programState(program.text);
    const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
    ASSERT_TRUE(built) << built.error().message;
    EXPECT_EQ(built->size(), plan->sketches.size());
    for (const Built& one : *built) expectRight(state, one.state, one.lines);
  }
}

// What isn't bound so stays with the other rules, and its rows say why.
TEST(MemoryBound, OthersAreLeftAlone) {
  std::vector<std::string> why;
  for (const MemoryBound& program : memoryBoundPrograms()) {
    if (*program.sketch != 0) continue;
    SCOPED_TRACE(program.name);
    const auto plan = sketchOf(programState(program.text), deviceNamed("h200"), ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->sketches.size(), 1U);
    for (const PlanRow& row : plan->rows)
      if (row.number == "R21" || row.number == "R22") {
        EXPECT_FALSE(row.applied);
        why.push_back(row.why.english());
      }
  }
  for (const char* words : {"elements: 4608, each by itself", "C reads along the axis along which it writes",
                            "C reads X at indices that are no sums of iterators", "results: 64, elements of each: 300",
                            "C is no elementwise block"})
    EXPECT_THAT(why, testing::Contains(words));
  // Rows in one kernel stay in one.
  const auto softmax =
      sketchOf(programState(ready("softmax", {{"M", 16}, {"N", 48}})), deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(softmax) << softmax.error().message;
  EXPECT_EQ(sketchNamed(*softmax, "neighbouring results"), nullptr);
}

// A schedule of a person's own is read, too, and what no schedule of the space has is outside.
TEST(MemoryBound, KnowsAPersonsOwnTiles) {
  const schedule::State state = programState(memoryBoundPrograms()[12].text);
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const Sketch* sketch = sketchNamed(*plan, "turned tiles");
  ASSERT_NE(sketch, nullptr);
  const auto after = kernelOf(state, R"(mine = sch.get_block("C")
row, col = sch.get_loops(mine)
ro, ri = sch.split(row, [None, 8])
co, ci = sch.split(col, [None, 24])
sch.reorder(ro, co, ri, ci)
both = sch.fuse(ro, co)
tile = sch.cache_read(mine, 0, "shared")
sch.compute_at(tile, both)
sch.bind(both, "blockIdx.x")
sch.bind(sch.fuse(ri, ci), "threadIdx.x")
f = sch.fuse(*sch.get_loops(tile)[-2:])
sch.bind(f, "threadIdx.x")
)");
  ASSERT_TRUE(after);
  const auto read = decisionsOf(*sketch, state, *after);
  for (const auto& expected : {testing::Pair("tile.x", 24), testing::Pair("tile.y", 8), testing::Pair("threads", 192),
                               testing::Pair("tile.pad", 0)})
    EXPECT_THAT(read, testing::Contains(expected));
  const Membership member = membershipOf(sketch->space, read);
  EXPECT_FALSE(member.isMember.value_or(true));
  EXPECT_FALSE(member.exclusions.empty());
  EXPECT_TRUE(decisionsOf(*sketch, state, state).empty());
}

}  // namespace
}  // namespace loom::tune::memory_bound_test

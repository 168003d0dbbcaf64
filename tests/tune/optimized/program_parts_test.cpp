// Programs of several products or reductions: each part is scheduled as if it were alone, one stays open.
#include "core/tune/rules/program_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::program_parts_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::vector<std::string>> blocksOfParts(const std::string& program) {
  std::vector<std::vector<std::string>> names;
  for (const schedule::State& part : partsOf(programState(tests::programText(program)))) {
    names.emplace_back();
    for (const ir::Id block : part.tree().childBlocks(part.tree().root(0)))
      names.back().push_back(part.tree().block(block)->name);
  }
  return names;
}

TEST(ProgramParts, BeginWithProductsAndReductions) {
  EXPECT_THAT(blocksOfParts("two_layers"), ElementsAre(ElementsAre("h", "g"), ElementsAre("z", "Y")));
  EXPECT_THAT(blocksOfParts("gated_product"), ElementsAre(ElementsAre("g"), ElementsAre("u"), ElementsAre("Y")));
  EXPECT_THAT(blocksOfParts("product_then_softmax"), ElementsAre(ElementsAre("C"), ElementsAre("m", "s", "Y")));
  EXPECT_THAT(blocksOfParts("rows_then_relu"), ElementsAre(ElementsAre("C", "D")));
  EXPECT_THAT(blocksOfParts("chain"), ElementsAre(ElementsAre("B", "C")));
}

TEST(ProgramParts, OfEverySpaceAreKernelsAndRight) {
  for (const char* program : {"two_layers", "gated_product", "product_then_softmax"}) {
    for (const char* sketch : {"wgmma", "mma.sync"}) {
      const OnHopper on(tests::programText(program), sketch);
      expectKernels(on, std::string(program) + " by " + sketch, 19, 1,
                    [&](const Assignment& drawn, const std::string& lines, const MadeByLines& made) {
                      const auto read = decisionsOf(on.sketch(), on.state, made.state);
                      expectMember(on, read, lines);
                      const int d = decisionNamed(on.sketch().space, "k.inner");
                      EXPECT_EQ(read.at("k.inner"), drawn[std::size_t(d)]) << lines;
                    });
    }
  }
}

// Every product is one of warpgroups, and each fold says whose it is.
TEST(ProgramParts, AreConstructedTogether) {
  const OnHopper on(tests::programText("two_layers"));
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
  EXPECT_THAT(built.front().lines, AllOf(HasSubstr("get_block(\"h\")"), HasSubstr("get_block(\"z\")")));
  EXPECT_THAT(built.front().kernel.source.text, HasSubstr("wgmma"));
  EXPECT_EQ(built.front().kernel.program->kernels.size(), 2U);
  std::set<std::string> blocks;
  for (const SketchFold& fold : on.sketch().folds)
    if (fold.rule == "warpgroups") blocks.insert(fold.block);
  EXPECT_THAT(blocks, ElementsAre("h", "z"));
}

// A maximum that begins at no identity: threads can't share it, so that each takes whole rows.
TEST(ProgramParts, ReductionsThatThreadsCantShareBecomeKernels) {
  const schedule::State state = programState(tests::programText("rows_from_a_low_bound"));
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary()).value();
  const auto built = buildAll(plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  expectRight(state, built->front().state, built->front().lines);
}

}  // namespace
}  // namespace loom::tune::program_parts_test

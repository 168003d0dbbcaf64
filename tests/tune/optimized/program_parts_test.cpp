// Programs of several products or reductions: each part is scheduled as if it were alone, one stays open.
#include "core/tune/rules/program_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/tune/rules/plan_of_parts.h"
#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::program_parts_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

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

// Each sketch says which part it leaves open, which is the one that takes longest as the rules construct it, and what
// each takes alone: together that is what the whole takes, but for what the model lets its kernels share.
TEST(ProgramParts, SayWhichIsOpenAndWhatEachTakes) {
  const OnHopper on(tests::programText("two_layers"));
  for (const Sketch& sketch : on.plan.sketches) {
    const std::vector<SketchPart> parts = partsOf(sketch);
    ASSERT_THAT(parts, SizeIs(2)) << sketch.name;
    EXPECT_THAT(parts[0].blocks, ElementsAre("h", "g"));
    EXPECT_THAT(parts[1].blocks, ElementsAre("z", "Y"));
    const SketchPart& open = parts[parts[0].isOpen ? 0 : 1];
    const SketchPart& fixed = parts[parts[0].isOpen ? 1 : 0];
    EXPECT_TRUE(open.isOpen && !fixed.isOpen) << sketch.name;
    EXPECT_EQ(open.sketch, sketch.name);
    EXPECT_EQ(fixed.sketch, "wgmma");
    const auto others = std::ranges::find(sketch.quantities, "others.ns", &Quantity::name);
    ASSERT_NE(others, sketch.quantities.end());
    EXPECT_EQ(std::stoll(others->formula), std::llround(1e3 * fixed.microseconds.value()));
  }
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
  const Sketch& best = on.plan.sketches[std::size_t(built.front().construction.sketch)];
  double sum = 0, longest = 0;
  for (const SketchPart& part : partsOf(best)) {
    sum += part.microseconds.value();
    longest = std::max(longest, *part.microseconds);
  }
  for (const SketchPart& part : partsOf(best)) EXPECT_TRUE(!part.isOpen || *part.microseconds == longest);
  EXPECT_NEAR(built.front().microseconds.value() / sum, 1, 0.1);
}

// Of sizes that no tile divides, the products' lines are applied in stages: they are in every schedule, and as fast as
// each product is by itself, by warpgroups where rows are whole sectors.
TEST(ProgramParts, InStagesAreKernelsAndRight) {
  const std::string text = tests::programText("products_in_a_row", {{"M", 120}, {"N", 104}, {"K", 72}, {"L", 88}});
  for (const char* sketch : {"wgmma", "mma.sync"}) {
    const OnHopper on(text, sketch);
    expectKernels(on, std::string("products in a row by ") + sketch, 23, 1,
                  [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
                    EXPECT_THAT(lines, HasSubstr("get_block(\"Q\")"));
                    EXPECT_EQ(made.kernel.program->kernels.size(), 2U);
                    expectMember(on, decisionsOf(on.sketch(), on.state, made.state), lines);
                  });
  }
}

TEST(ProgramParts, InStagesAreAsFastAsAlone) {
  for (const auto& [m, n, k, l, by] : {std::tuple(1000, 1000, 1000, 1000, "wgmma"), {2000, 1500, 1000, 700, "mma"}}) {
    SCOPED_TRACE(m);
    const OnHopper on(tests::programText("products_in_a_row", {{"M", m}, {"N", n}, {"K", k}, {"L", l}}));
    double alone = 0;
    for (const schedule::State& part : partsOf(on.state)) {
      const auto plan = sketchOf(part, deviceNamed("h200"), ruleLibrary()).value();
      alone += buildAll(plan, part, deviceNamed("h200"), document::environment()).value().front().microseconds.value();
    }
    const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
    EXPECT_LE(built.front().microseconds.value(), 1.02 * alone);
    for (const SketchPart& part : partsOf(on.plan.sketches[std::size_t(built.front().construction.sketch)]))
      EXPECT_THAT(part.sketch, HasSubstr(by)) << part.blocks.front();
  }
}

TEST(ProgramParts, AreNotSaidOfAProgramThatIsOne) {
  const OnHopper on(tests::programText("rows_then_relu"));
  EXPECT_THAT(partsOf(on.sketch()), IsEmpty());
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

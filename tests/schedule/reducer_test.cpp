// Combiners of pairs that leave equal values to whichever came first.
#include "core/schedule/reducer.h"

#include <gtest/gtest.h>

#include "core/ir/limits.h"
#include "core/schedule/instructions.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::reducer_test {
namespace {

struct Pair {
  const char *better, *worst;
  ir::ExprKind kind;
};

class ReducerOfPairs : public testing::TestWithParam<Pair> {};

Result<Reduction> reductionOfProgram(const std::string& better, const std::string& worst) {
  const auto text = tests::programText("argmax_of_ties", {{"BETTER", better}, {"WORST", worst}});
  const auto module = script::parseModule(text, "argmax");
  const auto state = State::create(*module);
  for (const Tree::Node& node : state->tree().nodes())
    if (node.isBlock && state->tree().block(node.id)->init) return reductionOf(*state->tree().block(node.id));
  return fail("TestError", message("There is no block \"{}\"", "argmax"));
}

TEST_P(ReducerOfPairs, IsFoundWithItsValuesAndIdentity) {
  const auto found = reductionOfProgram(GetParam().better, GetParam().worst);
  ASSERT_TRUE(found) << found.error().message.english();
  ASSERT_EQ(found->buffers.size(), 2U);
  EXPECT_EQ(found->buffers[0]->name, "argmax_v0");
  ASSERT_EQ(found->values[1]->kind, ir::ExprKind::Load);
  EXPECT_EQ(ir::as<ir::LoadNode>(found->values[1])->buffer->name, "val");
  ASSERT_EQ(found->reducer.combined[1]->kind, ir::ExprKind::Select);
  EXPECT_EQ(ir::as<ir::SelectNode>(found->reducer.combined[1])->condition->kind, GetParam().kind);
}

INSTANTIATE_TEST_SUITE_P(All, ReducerOfPairs,
                         testing::Values(Pair{">=", "min_value", ir::ExprKind::GE},
                                         Pair{"<=", "max_value", ir::ExprKind::LE}));

TEST(Reducer, OfPairsMustStartWithItsIdentity) {
  const auto found = reductionOfProgram(">=", "max_value");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, "NoMatchedReducerError");
}

// Threads share more than rfactor takes apart: a maximum from any number on, and what is held second.
TEST(Reducer, IsNoneOfABlockWithoutAnInit) {
  ir::BlockNode block;
  const auto found = reductionInParts(block);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, "RFactorNotApplicableError");
}

TEST(Reducer, OfPartsMayBeginElsewhere) {
  const auto blockOf = [](const std::string& init, const std::string& value) {
    const std::string text = R"(from tvm.script import tir as T


@T.prim_func
def main(X: T.Buffer((8, 64), "float32"), C: T.Buffer((8,), "float32")):
    for i, k in T.grid(8, 64):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = )" + init +
                             "\n            C[vi] = " + value + "\n";
    const auto state = State::create(script::parseModule(text, "f.py").value()).value();
    return state.tree().block(findBlock(state.program(), 0, "C").value());
  };
  const ir::Block far = blockOf("T.float32(-5)", "T.max(X[vi, vk], C[vi])");
  EXPECT_FALSE(reductionOf(*far));
  const auto found = reductionInParts(*far);
  ASSERT_TRUE(found) << found.error().message.english();
  EXPECT_EQ(ir::as<ir::FloatImmNode>(found->reducer.identity[0])->value, -5);
  EXPECT_EQ(found->values[0]->kind, ir::ExprKind::Load);
  EXPECT_TRUE(reductionInParts(*blockOf("T.float32(0)", "X[vi, vk] + C[vi]")));
  for (const char* init : {"T.float32(1)", "X[vi, 0]"})
    EXPECT_FALSE(reductionInParts(*blockOf(init, "C[vi] + X[vi, vk]")));
  // A recurrence has no parts: what is combined depends on what is held.
  for (const char* value :
       {"T.max(C[vi] - T.float32(1) + X[vi, vk], C[vi])", "C[vi] + (C[vi] * T.float32(-1) + X[vi, vk])"})
    EXPECT_FALSE(reductionInParts(*blockOf("T.float32(0)", value))) << value;
}

}  // namespace
}  // namespace loom::schedule::reducer_test

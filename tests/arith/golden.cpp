// The analyzer's answers are TVM's, node for node.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/arith/notation.h"

namespace loom::arith::notation {
namespace {

class Golden : public ::testing::TestWithParam<const char*> {};

TEST_P(Golden, AnswersAreThoseOfTvm) {
  auto lines = readLines(std::string(TILELOOM_SOURCE_DIR) + "/tests/arith/golden/" + GetParam() + ".txt");
  ASSERT_GE(lines.size(), 30u);
  for (const Line& want : lines) {
    Line got = run(want);
    EXPECT_EQ(got.simplified, want.simplified) << want.text;
    EXPECT_EQ(got.rewritten, want.rewritten) << want.text;
    EXPECT_EQ(got.canonical, want.canonical) << want.text;
    EXPECT_EQ(got.bound, want.bound) << want.text;
    EXPECT_EQ(got.modular, want.modular) << want.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Golden,
                         ::testing::Values("affine", "bits", "bound_values", "cast", "extensions", "let", "logic",
                                           "min_max", "schedules", "select", "symbolic", "truncating", "vector"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Proofs, SymbolicBoundsProveWhatTvmProves) {
  auto lines = readLines(std::string(TILELOOM_SOURCE_DIR) + "/tests/arith/golden/proofs/symbolic_bounds.txt");
  ASSERT_GE(lines.size(), 60u);
  for (const Line& want : lines) EXPECT_EQ(proofs(want), want.simplified) << want.text;
}

TEST(Notation, RefusesWhatIsNoExpression) {
  Reader reader(ir::DType::Int(32));
  EXPECT_THROW(reader.readAll("(add x"), std::runtime_error);
  EXPECT_THROW(reader.readAll("(frobnicate x y)"), std::runtime_error);
  EXPECT_THROW(readLines("no/such/file.txt"), std::runtime_error);
}

}  // namespace
}  // namespace loom::arith::notation

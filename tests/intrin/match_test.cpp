#include "core/intrin/match.h"

#include <gtest/gtest.h>

#include "core/intrin/intrinsic.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::intrin::match_test {
namespace {

const std::string kProgram = tests::programText("tile_of_a_larger_buffer");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

tl::expected<Match, Difference> matchLoad(const std::string& program) {
  static const auto library = Library::load(TILELOOM_SOURCE_DIR "/assets/intrinsics");
  EXPECT_TRUE(library.has_value());
  auto module = script::parseModule(program, "main.py");
  if (!module) ADD_FAILURE() << module.error().message.english() << " line " << module.error().place.line;
  ir::Stmt inside = module->functions[0]->body->block->body;
  while (auto* loop = ir::asFor(inside)) inside = loop->body;
  return match(std::static_pointer_cast<const ir::BlockRealizeNode>(inside),
               library->find("wmma_load_16x16x16_f16_a_shared")->description);
}

void expectDifference(const std::string& program, const std::string& what, const std::string& found,
                      const std::string& wanted) {
  auto result = matchLoad(program);
  ASSERT_FALSE(result.has_value()) << what;
  EXPECT_EQ(result.error().what, what);
  EXPECT_EQ(result.error().found, found);
  EXPECT_EQ(result.error().wanted, wanted);
  EXPECT_TRUE(static_cast<bool>(result.error().place));
}

TEST(Match, FindsTheTilesPlaceInLargerBuffers) {
  auto result = matchLoad(kProgram);
  ASSERT_TRUE(result.has_value()) << result.error().what << ": " << result.error().found;
  ASSERT_EQ(result->base.size(), 2u);
  for (const auto& [buffer, base] : result->base) {
    std::string text;
    for (const auto& index : base) text += script::printExpr(index) + ";";
    EXPECT_EQ(text, buffer->name == "X" ? "2;vp * 16;vq * 16;" : "vp * 16;vq * 16;");
  }
}

TEST(Match, NamesAnotherExtent) {
  expectDifference(replaced(kProgram, "T.grid(16, 16)", "T.grid(16, 8)"), "loop extent", "8", "16");
}

TEST(Match, NamesAnotherScope) {
  expectDifference(replaced(kProgram, "wmma.matrix_a", "wmma.matrix_b"), "buffer scope", "wmma.matrix_b",
                   "wmma.matrix_a");
}

TEST(Match, NamesAnotherElementType) {
  expectDifference(replaced(kProgram, "float16", "float32"), "buffer type", "float32", "float16");
}

TEST(Match, NamesATransposedAccess) {
  auto program = replaced(kProgram, "X[2, vp * 16 + vx, vq * 16 + vy]\n", "X[2, vp * 16 + vy, vq * 16 + vx]\n");
  expectDifference(program, "index", "vp * 16 + vy", "vi");
}

TEST(Match, NamesARegionOfAnotherSize) {
  auto program = replaced(kProgram, "T.writes(F[vp * 16:vp * 16 + 16, vq", "T.writes(F[vp * 16:vp * 16 + 8, vq");
  expectDifference(program, "region extent", "8", "16");
}

TEST(Match, NamesALoopOfAnotherKind) {
  auto program =
      replaced(kProgram, "            for x, y in T.grid(16, 16):\n                with",
               "            for x in range(16):\n              for y in T.vectorized(16):\n                with");
  expectDifference(program, "loop kind", "vectorized ", "serial ");
}

TEST(Match, NamesAReduceIterator) {
  expectDifference(replaced(kProgram, "remap(\"SS\", [x, y])", "remap(\"SR\", [x, y])"), "iterator types", "SR", "SS");
}

TEST(Match, TellsAGuardedBlockApart) {
  auto result = matchLoad(replaced(kProgram, "[p, q])\n", "[p, q])\n            T.where(p < 3)\n"));
  ASSERT_FALSE(result.has_value());
  EXPECT_TRUE(result.error().onlyPredicate);
}

}  // namespace
}  // namespace loom::intrin::match_test

// Remedies: what is proposed is accepted line by line, and ends in what was asked.
#include "core/schedule/remedy.h"

#include <gmock/gmock.h>

#include "core/intrin/intrinsic.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::remedy_test {
namespace {

const std::string kMatmul = tests::programText("transposed_product", {{"M", 64}, {"N", 96}, {"K", 128}});

const Environment& environment() {
  static const auto library = intrin::Library::load(TILELOOM_SOURCE_DIR "/assets/intrinsics");
  static const Environment all{&*library};
  return all;
}

State after(const std::string& lines) {
  auto start = State::create(*script::parseModule(kMatmul, "matmul"));
  auto done = replay(*start, *script::parseSchedule(lines, "lines"), environment());
  EXPECT_FALSE(done.refusal) << done.refusal->message.english();
  return done.last;
}

// The remedy of a line that must be refused there; what is proposed is replayed.
std::string suggestedFix(const std::string& lines, const std::string& refused) {
  const State state = after(lines);
  const auto call = script::parseSchedule(refused, "line")->front();
  EXPECT_FALSE(apply(state, 1000, call, environment()));
  std::string remedy = suggestedFix(state, call, environment());
  if (remedy.empty()) return remedy;
  after(lines + (lines.ends_with('\n') ? "" : "\n") + remedy);
  return remedy;
}

constexpr const char* kLook = "b = sch.get_block(\"Z\")\nl, m, n = sch.get_loops(b)\n";

TEST(Remedy, PutsLoopsSideBySideBeforeTheyAreFused) {
  EXPECT_EQ(suggestedFix(kLook, "f = sch.fuse(l, n)"),
            "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.reorder(i, k, j)\nf = sch.fuse(i, k)");
}

// The outer call would be lost, and its name would stand for another loop.
TEST(Remedy, OfANestedCallGivesItsResultNoName) {
  EXPECT_EQ(suggestedFix(kLook, "f = sch.fuse(sch.fuse(l, n), m)"),
            "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.reorder(i, k, j)\nsch.fuse(i, k)");
}

TEST(OutermostCall, IsNoneOfTheCallsInItsArguments) {
  const State state = after(kLook);
  const auto loopsOf = [&](const char* line) -> std::size_t {
    const auto call = outermostCall(state, script::parseSchedule(line, "line")->front(), environment());
    return call ? call->arguments.loops("loops").size() : 0;
  };
  EXPECT_EQ(loopsOf("f = sch.fuse(sch.fuse(l, n), m)"), 0u) << "the inner one is refused, so that it can't be bound";
  EXPECT_EQ(loopsOf("f = sch.fuse(sch.fuse(l, m), n)"), 2u);
  EXPECT_EQ(loopsOf("f = sch.fuse(l, m, n)"), 3u);
  EXPECT_EQ(loopsOf("f = sch.fuse(l, n)"), 2u) << "refused itself";
}

TEST(Remedy, LeavesOneFactorOpen) {
  EXPECT_EQ(suggestedFix(kLook, "a, *rest = sch.split(l, [2, 16])"),
            "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\na, *rest = sch.split(i, [None, 16])");
}

TEST(Remedy, DecomposesAtALoopOutsideTheReduction) {
  const std::string inner = std::string(kLook) + "sch.reorder(n, l)\n";  // k, j, i
  EXPECT_THAT(suggestedFix(inner, "sch.decompose_reduction(b, l)"),
              testing::EndsWith("sch.decompose_reduction(sch.get_block(\"Z\"), k)"));
  EXPECT_THAT(suggestedFix(inner, "sch.decompose_reduction(\"Z\", m)"), testing::EndsWith("k)")) << "by its name, too";
}

TEST(Remedy, FillsThePaddingOfALayoutWithZeros) {
  EXPECT_THAT(suggestedFix(kLook, "sch.transform_layout(b, (\"read\", 0), lambda i, k: (i // 48, k, i % 48))"),
              testing::HasSubstr("(\"read\", 0), lambda i, k: (i // 48, k, i % 48,), pad_value=0.0)"));
}

// Each operand has its loads, and what lies transposed has others: of all that TVM would take, the one that means what
// the product reads.
TEST(Remedy, LoadsAFragmentAsTheOperandThatItIs) {
  constexpr const char* kLoads[] = {"a_shared", "a_trans_shared", "b_shared", "b_trans_shared"};
  const std::pair<std::string, std::string> operands[] = {{"wmma.matrix_a", "a_shared"},
                                                          {"wmma.matrix_b", "b_trans_shared"}};  // X[vi, vk], Y[vj, vk]
  for (std::size_t n = 0; n < std::size(operands); ++n) {
    const auto& [scope, right] = operands[n];
    const std::string index = std::to_string(n);
    const std::string lines = "b = sch.get_block(\"Z\")\ns = sch.cache_read(b, " + index +
                              ", \"shared\")\nf = sch.cache_read(b, " + index + ", \"" + scope + "\")\n";
    for (const std::string load : kLoads) {
      const std::string line = "sch.tensorize(f, \"wmma_load_16x16x16_f16_" + load + "\")";
      EXPECT_EQ(suggestedFix(lines, line).empty(), load != right) << scope << ", " << load;
      // A copy to shared memory is no load, nor does it go through a fragment.
      EXPECT_EQ(suggestedFix(lines, "sch.tensorize(s, \"wmma_load_16x16x16_f16_" + load + "\")"), "") << load;
    }
  }
}

TEST(Remedy, StagesNoFragmentForACopy) {
  const std::string lines = "b = sch.get_block(\"Z\")\nc = sch.cache_write(b, 0, \"local\")\n";
  EXPECT_EQ(suggestedFix(lines, "sch.tensorize(c, \"wmma_store_16x16x16_f32_global\")"), "");
}

TEST(Remedy, CutsATileForATensorIntrinsic) {
  const std::string remedy = suggestedFix(kLook, "sch.tensorize(b, \"wmma_sync_16x16x16_f16f16f32_trans\")");
  for (const char* step : {"cache_read(", "cache_write(", "split(", "reorder(", "decompose_reduction("}) {
    EXPECT_THAT(remedy, testing::HasSubstr(step)) << remedy;
  }
  EXPECT_THAT(remedy, testing::EndsWith("sch.tensorize(i_1, \"wmma_sync_16x16x16_f16f16f32_trans\")"));
}

TEST(Remedy, TakesFreeNames) {
  const std::string lines = "j, i, k = sch.get_loops(sch.get_block(\"Z\"))\n";  // not as the program names them
  const std::string remedy = suggestedFix(lines, "sch.fuse(j, k)");
  EXPECT_EQ(remedy,
            "i_1, j_1, k_1 = sch.get_loops(sch.get_block(\"Z\"))\nsch.reorder(i_1, k_1, j_1)\nsch.fuse(i_1, k_1)");
}

TEST(Remedy, IsNoneWhereNothingHelps) {
  for (const char* refused : {"sch.bind(n, \"threadIdx.x\")", "sch.vectorize(n)", "sch.compute_inline(b)",
                              "sch.tensorize(b, \"no_such_intrinsic\")", "sch.reorder(l, l)", "sch.fuse(l)[3]"}) {
    const State state = after(kLook);
    const auto call = script::parseSchedule(refused, "line")->front();
    EXPECT_EQ(suggestedFix(state, call, environment()), "") << refused;
  }
}

TEST(Remedy, OfWhatIsAcceptedIsNone) {
  const auto call = script::parseSchedule("sch.fuse(l, m)", "line")->front();
  EXPECT_EQ(suggestedFix(after(kLook), call, environment()), "");
  const auto name = script::parseSchedule("x = l", "line")->front();
  EXPECT_EQ(suggestedFix(after(kLook), name, environment()), "");
}

// Two blocks of one name can't be told apart by it.
TEST(Remedy, IsNoneWhereLoopsCannotBeNamed) {
  const std::string twice = tests::programText("two_blocks_of_one_name");
  const State state = *State::create(*script::parseModule(twice, "twice"));
  const auto& row = *findInstruction("fuse");
  const auto loops = state.tree().loopsAbove(state.tree().childBlocks(state.tree().nodes().front().id).front());
  auto handle = [](Id loop) { return Value{Handle(LoopRef{loop})}; };
  auto arguments = bindArguments(state, row, {handle(loops[0]), handle(loops[2])}, {});
  ASSERT_TRUE(arguments);
  EXPECT_EQ(suggestedFix(state, row, *arguments, environment()), "");
}

}  // namespace
}  // namespace loom::schedule::remedy_test

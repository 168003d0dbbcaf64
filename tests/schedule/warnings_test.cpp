// Steps that TVM accepts and that break the program: said at the step, never proposed.
#include "core/schedule/warnings.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/intrin/intrinsic.h"
#include "core/ir/undeclared.h"
#include "core/schedule/out_of_bounds.h"
#include "core/schedule/remedy.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::schedule::warnings_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Environment& withIntrinsics() {
  static const auto library = intrin::Library::load(TILELOOM_SOURCE_DIR "/assets/intrinsics");
  static const Environment all{&*library};
  return all;
}

std::string rowSum(const std::string& rows, const std::string& columns) {
  return tests::programText("row_sum", {{"M", rows}, {"K", columns}});
}

// P is A with zeros behind it, Q twice P, D the part of Q that A fills.
const std::string kPadded = tests::programText("padded_vector");

State start(const std::string& function) { return State::create(*script::parseModule(function, "f.py")).value(); }

// The warnings of each step that changes the text, as "step: code".
std::vector<std::string> warned(const std::string& function, const std::string& lines,
                                std::vector<Error>* errors = nullptr) {
  std::vector<std::string> all;
  State before = start(function);
  const auto done = replay(before, *script::parseSchedule(lines, "s.py"), withIntrinsics());
  EXPECT_FALSE(done.refusal) << done.refusal->message.english();
  for (const ReplayedStep& step : done.steps) {
    for (Error& e : warnings(before, step.state)) {
      all.push_back(std::to_string(step.step) + ": " + e.code);
      if (errors) errors->push_back(std::move(e));
    }
    before = step.state;
  }
  return all;
}

const std::string kSplitThenBlockize = tests::scheduleText("split_blockize_split");

TEST(Warnings, AnInitBlockWithTheGuardOfAReductionThatItIsNotUnder) {
  std::vector<Error> errors;
  EXPECT_THAT(warned(rowSum("4", "6"), kSplitThenBlockize, &errors), ElementsAre("2: UndeclaredVariable"))
      << "at the step, not at those that follow";
  EXPECT_THAT(errors[0].message.english(), HasSubstr("block C_init uses k_0, k_1, which no loop around it declares"));
  ASSERT_EQ(errors[0].subjects.size(), 1u);
  EXPECT_FALSE(errors[0].remedy.english().empty());
}

TEST(Warnings, NoneWhereTheReductionIsDecomposedFirst) {
  EXPECT_THAT(warned(rowSum("4", "6"), tests::scheduleText("decomposed_before_blockize")), IsEmpty());
}

TEST(Warnings, AGuardThatReverseComputeAtLoses) {
  std::vector<Error> errors;
  EXPECT_THAT(warned(kPadded, tests::scheduleText("guard_that_is_lost"), &errors), ElementsAre("3: OutOfBounds"));
  EXPECT_THAT(errors[0].message.english(),
              HasSubstr("block Q writes D at index 127 of dimension 0, which has 100 elements"));
  EXPECT_EQ(errors[0].subjects.size(), 2u) << "block and buffer";
}

TEST(Warnings, ASplitWithoutItsPredicate) {
  EXPECT_THAT(warned(rowSum("40", "8"), R"(
i, k = sch.get_loops(sch.get_block("C"))
sch.split(i, [None, 16], disable_predication=True)
)"),
              ElementsAre("1: OutOfBounds", "1: OutOfBounds", "1: OutOfBounds"))
      << "C is read and written, A is read";
}

TEST(Warnings, NoneForTilesThatHangOverUnderAGuard) {
  EXPECT_THAT(warned(rowSum("40", "30"), tests::scheduleText("fused_guarded_tiles")), IsEmpty());
}

TEST(Warnings, NoneOfWhatTheFunctionDoesItself) {
  const std::string wrong = tests::programText("loop_past_the_end");
  EXPECT_FALSE(accessesOutOfBounds(script::parseModule(wrong, "f.py")->functions[0]).empty());
  EXPECT_THAT(warned(wrong, "i, = sch.get_loops(sch.get_block(\"C\"))\nsch.split(i, [None, 5])\n"), IsEmpty());
}

TEST(OutOfBounds, IsCertainWhereItIsSaid) {
  auto found = [](const std::string& statement) {
    return accessesOutOfBounds(
               script::parseModule(tests::programText("statement_in_a_square", {{"STATEMENT", statement}}), "f.py")
                   ->functions[0])
        .size();
  };
  EXPECT_EQ(found("C[vi + vj] = A[vi * 2 + vj // 2]"), 0u);
  EXPECT_EQ(found("C[vi * 2 + vj] = A[0]"), 1u);
  EXPECT_EQ(found("C[vi + vj] = A[vi - vj]"), 1u) << "below 0";
  EXPECT_EQ(found("C[vi + vj] = T.if_then_else(vi >= vj, A[vi - vj], T.float32(0))"), 0u);
  EXPECT_EQ(found("C[vi + vj] = T.Select(vi >= vj, A[vi - vj], T.float32(0))"), 1u) << "a Select reads both";
  EXPECT_EQ(found("C[vi + vj] = T.if_then_else(vi < vj, A[vi - vj], T.float32(0))"), 1u);
  EXPECT_EQ(found("C[vi + vj] = A[G[vi]]"), 0u) << "nobody knows";
  EXPECT_EQ(found("C[(vi * 4 + vj) % 8] = A[(vi * 4 + vj) // 2]"), 0u);
  EXPECT_EQ(found("C[(vi * 4 + vj) // 2] = A[T.min(vi * 4, 8)]"), 1u);
  EXPECT_EQ(found("C[vi + vj] = A[vi // (vj - vj)]"), 0u) << "a division by zero is another fault";
}

TEST(Remedy, NeverLeadsToAProgramThatCannotBeRun) {
  const std::string function = rowSum("24", "24");
  const State split =
      replay(start(function), *script::parseSchedule(tests::scheduleText("both_loops_in_tiles"), "s.py"),
             withIntrinsics())
          .last;
  const auto call = script::parseSchedule("sch.blockize(i1)", "line")->front();
  ASSERT_FALSE(apply(split, 1000, call, withIntrinsics()));
  const std::string remedy = suggestedFix(split, call, withIntrinsics());
  if (remedy.empty()) return;
  const auto done = replay(split, *script::parseSchedule(remedy, "remedy"), withIntrinsics());
  ASSERT_FALSE(done.refusal) << remedy;
  EXPECT_THAT(ir::undeclaredVariables(done.last.module().functions[0]), IsEmpty()) << remedy;
}

TEST(Candidates, AreNotThoseThatTakeAwayTheProgramsMeaning) {
  auto codes = [](const std::string& columns) {
    const State split = replay(start(rowSum("4", columns)),
                               *script::parseSchedule(R"(
i, k = sch.get_loops(sch.get_block("C"))
k0, k1 = sch.split(k, [None, 4])
)",
                                                      "s.py"),
                               withIntrinsics())
                            .last;
    std::vector<std::string> all;
    for (const Candidate& c : candidates(split, *findInstruction("blockize"), {}, withIntrinsics()))
      all.push_back(c.text + ": " + (c.refusal ? c.refusal->code : ""));
    return all;
  };
  EXPECT_THAT(codes("6"),
              ElementsAre("i: UndeclaredVariable", "k_0: UndeclaredVariable", testing::StartsWith("k_1: ")));
  EXPECT_THAT(codes("8"), ElementsAre("i: ", "k_0: ", "k_1: ")) << "4 divides it: no guard";
}

// TVM's quirks among the golden cases, and no step of any other.
TEST(Warnings, OfTheGoldenCasesAreTheKnownOnes) {
  const std::vector<std::string> known = {"quirks/transform_layout_keeps_reordered_iterators: UndeclaredVariable",
                                          "quirks/transform_layout_of_reversed_index: OutOfBounds",
                                          "reindex_cache/strided_conv_under_its_loop: OutOfBounds",
                                          "split/without_predicate: OutOfBounds"};
  const fs::path root = TILELOOM_SOURCE_DIR "/tests/oracle/cases";
  auto read = [](const fs::path& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  std::vector<std::string> found;
  int steps = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    std::string name = fs::relative(entry.path(), root).string();
    if (!name.ends_with(".func.py")) continue;
    name.resize(name.size() - 8);
    auto module = script::parseModule(read(root / (name + ".func.py")), name);
    auto calls = script::parseSchedule(read(root / (name + ".sched.py")), name);
    if (!module || !calls) continue;
    auto state = State::create(*module);
    if (!state) continue;
    State before = *state;
    for (const ReplayedStep& step : replay(*state, *calls, withIntrinsics()).steps) {
      ++steps;
      for (const Error& e : warnings(before, step.state)) {
        const std::string said = name + ": " + e.code;
        if (std::find(found.begin(), found.end(), said) == found.end()) {
          found.push_back(said);
          if (std::find(known.begin(), known.end(), said) == known.end())
            ADD_FAILURE() << said << ", step " << step.step << ": " << step.source << "\n" << e.message.english();
        }
      }
      before = step.state;
    }
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, known);
  EXPECT_GT(steps, 1000);
}

}  // namespace
}  // namespace loom::schedule::warnings_test

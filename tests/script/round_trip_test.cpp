// Every text that TVM printed after a step of the oracle's cases, read and printed again: a quarter at a commit.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/ir/equal.h"
#include "core/script/parser.h"
#include "core/script/printer.h"
#include "tests/schedules/turn.h"

namespace loom::script::round_trip_test {
namespace {

struct Step {
  std::string header, text;
};

std::vector<Step> stepsOf(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Step> steps;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# step ")) {
      steps.push_back({line, ""});
    } else if (!steps.empty()) {
      steps.back().text += line + "\n";
    }
  }
  for (Step& s : steps) {
    while (s.text.ends_with('\n')) s.text.pop_back();
  }
  return steps;
}

std::string firstDifference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected), b(actual);
  std::string x, y;
  while (true) {
    bool moreX = static_cast<bool>(std::getline(a, x)), moreY = static_cast<bool>(std::getline(b, y));
    if (!moreX && !moreY) return "";
    if (!moreX || !moreY || x != y) return "\n- " + (moreX ? x : "(end)") + "\n+ " + (moreY ? y : "(end)");
  }
}

// Texts that TVM itself cannot read (a block's regions use variables of a block inside it), or reads into a simpler
// region.
bool readable(const std::string& text) {
  if (text.find("vi_o:vi_o + (vi_o + 1 - vi_o)") != std::string::npos) return false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("            ") && line.ends_with(" = T.int32()")) return false;
  }
  return true;
}

TEST(RoundTrip, EveryStepOfTheOraclePrintsAsItWasRead) {
  const tests::Turn turn(4);
  int steps = 0, failures = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TILELOOM_SOURCE_DIR "/tests/oracle/cases")) {
    if (!entry.path().string().ends_with(".steps.txt")) continue;
    for (const Step& step : stepsOf(entry.path())) {
      if (!turn.has(steps++)) continue;
      auto module = parseModule(step.text, "step");
      if (!module) {
        if (++failures <= 20) {
          ADD_FAILURE() << entry.path().filename() << " " << step.header << "\n"
                        << module.error().place.line << ":" << module.error().place.column << " "
                        << module.error().place.text << "\n"
                        << module.error().message.english();
        }
        continue;
      }
      std::string printed = print(*module).text;
      if (printed != step.text && ++failures <= 20) {
        ADD_FAILURE() << entry.path().filename() << " " << step.header << firstDifference(step.text, printed);
      }
    }
  }
  EXPECT_EQ(failures, 0) << "of " << steps;
  EXPECT_GT(steps, 1600);
}

TEST(RoundTrip, TheOtherDialectReadsBackToo) {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TILELOOM_SOURCE_DIR "/tests/oracle/cases")) {
    if (!entry.path().string().ends_with(".steps.txt")) continue;
    auto steps = stepsOf(entry.path());
    if (steps.empty() || !readable(steps.back().text)) continue;
    ++files;
    auto module = parseModule(steps.back().text, "step");
    ASSERT_TRUE(module) << entry.path();
    std::string text = print(*module, Dialect::STir).text;
    auto again = parseModule(text, "s_tir");
    ASSERT_TRUE(again) << entry.path() << again.error().place.line << " " << again.error().message.english() << "\n"
                       << text;
    // The names of handles are not in that text.
    ASSERT_EQ(again->functions.size(), module->functions.size());
    if (text.find(" = T.Buffer(") != std::string::npos) continue;  // a free buffer equals only itself
    for (std::size_t i = 0; i < module->functions.size(); ++i) {
      EXPECT_TRUE(ir::structuralEqual(again->functions[i], module->functions[i])) << entry.path() << "\n" << text;
    }
    EXPECT_EQ(print(*again, Dialect::STir).text, text);
  }
  EXPECT_GT(files, 200);
}

// Printed by TVM 0.27.
TEST(RoundTrip, QuotedShapesOfTheOtherDialect) {
  const std::string text = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def aa(A: T.Buffer(("m", "k"), "float16", strides=("s0", "s1"), scope="shared.dyn", align=128, offset_factor=16), B: T.Buffer((m, k * 2), "float32", strides=(A.strides[0], 1)), C: T.Buffer((16,), "float32", elem_offset=4), D: T.Buffer(("n", 16), "float32", align=128), n: T.int32):
        m, k = T.int32(), T.int32()
        # with T.sblock("root"):
        for i in range(4):
            with T.sblock("B"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi, 0])
                T.writes(B[vi, 0])
                B[vi, 0] = T.Cast("float32", A[vi, 0])

    @T.prim_func(s_tir=True)
    def bb(A: T.Buffer(("j * 2", "k * j"), "float16"), B: T.Buffer(("n * 2", 4), "float16"), n: T.int32):
        j = T.int32()
        k = T.int32()
        # with T.sblock("root"):
        for i in range(4):
            with T.sblock("B"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi, 0])
                T.writes(B[vi, 0])
                B[vi, 0] = A[vi, 0])";
  auto module = parseModule(text, "s_tir");
  ASSERT_TRUE(module) << module.error().place.line << " " << module.error().message.english();
  EXPECT_EQ(print(*module, Dialect::STir).text, text);
}

TEST(RoundTrip, PrintingTheTensorCoreLessonTakesUnderAMillisecond) {
  auto steps = stepsOf(TILELOOM_SOURCE_DIR "/tests/oracle/cases/lessons/tensorcore.steps.txt");
  ASSERT_FALSE(steps.empty());
  auto module = parseModule(steps.back().text, "step");
  ASSERT_TRUE(module);
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    auto start = std::chrono::steady_clock::now();
    Script s = print(*module);
    best = std::min(best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    ASSERT_FALSE(s.spans.empty());
  }
  RecordProperty("milliseconds", std::to_string(best));
#ifdef NDEBUG
  EXPECT_LT(best, 1.0);
#else
  EXPECT_LT(best, 10.0);
#endif
}

}  // namespace
}  // namespace loom::script::round_trip_test

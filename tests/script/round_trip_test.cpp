// Every text that TVM printed after a step of the oracle's cases, read and printed again.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/script/parser.h"
#include "core/script/printer.h"

namespace loom::script {
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
  int steps = 0, failures = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TILELOOM_SOURCE_DIR "/tests/oracle/cases")) {
    if (!entry.path().string().ends_with(".steps.txt")) continue;
    for (const Step& step : stepsOf(entry.path())) {
      if (!readable(step.text)) continue;
      ++steps;
      auto module = parseModule(step.text, "step");
      if (!module) {
        if (++failures <= 20) {
          ADD_FAILURE() << entry.path().filename() << " " << step.header << "\n"
                        << module.error().place.line << ":" << module.error().place.column << " "
                        << module.error().place.text << "\n"
                        << module.error().message;
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
  EXPECT_GT(steps, 1400);
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
}  // namespace loom::script

// What a construction says of its choices: nothing that compares a figure with itself, or with a better one.
#include <gtest/gtest.h>

#include <regex>

#include "core/tune/rules/built.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::tune::construction_words_test {
namespace {

struct Case {
  const char* program;
  std::vector<tests::Value> values;
};

TEST(ConstructionWords, CompareOnlyWhatDiffers) {
  const auto device = model::findDevice(model::loadDevices(document::assets()).value(), "h200").value();
  const Case cases[] = {{"transposed_product", {{"M", 37}, {"N", 29}, {"K", 13}}},
                        {"transposed_product", {{"M", 600}, {"N", 500}, {"K", 304}}},
                        {"product", {{"M", 37}, {"N", 29}, {"K", 13}}},
                        {"product_of_type", {{"M", 48}, {"N", 48}, {"K", 48}, {"TYPE", "float16"}}}};
  // A figure with its unit on both sides; words like "1 turn instead of 8" aren't times.
  const std::regex alike("([0-9.]+( [^ 0-9]*s)?) (?:[a-z ]*)instead of \\1([^0-9.]|$)");
  int reasons = 0;
  for (const Case& one : cases) {
    const schedule::State state =
        document::openFunction(tests::programText(one.program, one.values), "f.py").value().history.node(0).state;
    const auto plan = sketchOf(state, device, *document::environment().intrinsics);
    ASSERT_TRUE(plan) << plan.error().message;
    const auto built = buildAll(*plan, state, device, document::environment());
    ASSERT_TRUE(built) << built.error().message;
    for (const Built& b : *built)
      for (const ConstructionStep& step : b.construction.steps) {
        ++reasons;
        EXPECT_FALSE(std::regex_search(step.reason.english(), alike)) << step.words << ": " << step.reason;
      }
    for (const PlanRow& row : plan->rows) EXPECT_EQ(row.why.english().find("shape.m"), std::string::npos) << row.why;
  }
  EXPECT_GT(reasons, 10);
}

TEST(ConstructionWords, ATimeIsPredictedInsteadOfALongerOne) {
  EXPECT_EQ(predictedWords(1.07, 1.24), "predicted 1.07 µs instead of 1.24 µs");
  EXPECT_EQ(predictedWords(1.24, 1.07), "predicted 1.24 µs");
  EXPECT_EQ(predictedWords(1.2401, 1.2402), "predicted 1.24 µs");
}

}  // namespace
}  // namespace loom::tune::construction_words_test

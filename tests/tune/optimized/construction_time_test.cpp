// A construction takes less than a second of a quiet processor, whatever the elements and the operator.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "tests/schedules/schedule_text.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::construction_time_test {
namespace {

// Seconds that a construction may take where the core's other thread works, too: 0.65 to 1.26 for one of int4 (two
// threads of an EPYC, November 2026).
constexpr double kOnBusyCores = 2;

// Seconds of processors in which the plan is made and a schedule of each sketch constructed and predicted.
double secondsOf(const std::string& text, const char* device) {
  const schedule::State state = programState(text);
  const std::clock_t begun = std::clock();
  const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
  if (!plan) throw std::runtime_error(plan.error().message.english());
  const auto built = buildAll(*plan, state, deviceNamed(device), document::environment());
  if (!built) throw std::runtime_error(built.error().message.english());
  return double(std::clock() - begun) / CLOCKS_PER_SEC;
}

TEST(ConstructionTime, IsShort) {
  for (const char* device : {"t4", "a100_80", "h200"}) {
    for (const char* in : {"int4", "uint1", "int8", "float16"}) {
      SCOPED_TRACE(std::string(device) + " " + in);
      const std::string out = std::string(in) == "float16" ? "float32" : "int32";
      EXPECT_LT(secondsOf(productText(1024, 1024, 1024, "[n, k]", in, out), device), kOnBusyCores);
    }
    SCOPED_TRACE(device);
    const auto ready = document::readyFunctions(document::assets()).value();
    EXPECT_LT(secondsOf(std::ranges::find(ready, "scan", &document::ReadyFunction::name)->text, device), kOnBusyCores);
  }
}

// Of parts that don't go together at once each would be constructed again and again, with fewer of its tiles each time.
TEST(ConstructionTime, OfProductsInARowIsShort) {
  for (const int size : {120, 600})
    EXPECT_LT(secondsOf(tests::programText("products_in_a_row", {{"M", size}, {"N", size}, {"K", size}, {"L", size}}),
                        "h200"),
              kOnBusyCores)
        << size;
}

}  // namespace
}  // namespace loom::tune::construction_time_test

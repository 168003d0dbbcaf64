// What counting costs: 0.3 s for each space that the rules make of a large product, 5 ms for a pin of any decision with
// the counts of all values. Both in time of the CPU, since others use the machine, too, and the best of some tries,
// since they share its caches. With LOOM_TIMES in the environment, the figures of each space are printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "core/tune/space/pinned_counts.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::space_costs_test {
namespace {

constexpr double kMostOfCounting = 300, kMostOfAPin = 5;  // ms
constexpr double kOfBusyCores = 2;                        // where a core's other thread works, too
constexpr int kTries = 5;

// Milliseconds that the thread's processor works on `f`: the least of some tries.
template <class F>
double milliseconds(F f) {
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < kTries; ++n) {
    timespec begun{}, ended{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
    f();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
    least = std::min(least, double(ended.tv_sec - begun.tv_sec) * 1e3 + double(ended.tv_nsec - begun.tv_nsec) * 1e-6);
  }
  return least;
}

// The dearest pin of one value that a space has.
struct DearestPin {
  double milliseconds = 0;
  std::string pin;  // decision = value
};

DearestPin dearestPinOf(const Diagram& diagram) {
  DearestPin dearest;
  const std::vector<Decision>& decisions = diagram.space().decisions;
  for (std::size_t d = 0; d < decisions.size(); ++d) {
    for (const std::int64_t value : decisions[d].values) {
      Pins pins(diagram.space());
      pins.limitTo(int(d), {value});
      const double time = milliseconds([&] { EXPECT_FALSE(PinnedCounts(diagram, pins).marginals().empty()); });
      if (time > dearest.milliseconds) dearest = {time, fmt::format("{} = {}", decisions[d].name, value)};
    }
  }
  return dearest;
}

TEST(SpaceCosts, OfALargeProductAreSmall) {
  for (const char* device : {"t4", "a100_80", "h200"}) {
    for (const auto& [in, out] :
         {std::pair("float16", "float32"), std::pair("int8", "int32"), std::pair("float32", "float32")}) {
      const schedule::State state = programState(productText(5376, 768, 3072, "[k, n]", in, out));
      const auto plan = sketchOf(state, deviceNamed(device), ruleLibrary());
      ASSERT_TRUE(plan) << plan.error().message;
      for (const Sketch& sketch : plan->sketches) {
        SCOPED_TRACE(fmt::format("{} {} {}", device, in, sketch.name));
        const auto diagram = Diagram::of(sketch.space);
        ASSERT_TRUE(diagram) << diagram.error().message;
        const double counting = milliseconds([&] { EXPECT_TRUE(Diagram::of(sketch.space)); });
        const DearestPin pin = dearestPinOf(*diagram);
        EXPECT_LT(counting, kMostOfCounting * kOfBusyCores);
        EXPECT_LT(pin.milliseconds, kMostOfAPin * kOfBusyCores) << pin.pin;
        if (std::getenv("LOOM_TIMES"))
          fmt::print("{} {} {}: {} schedules, {} nodes, counted in {:.0f} ms; pin {} {:.2f} ms\n", device, in,
                     sketch.name, digitsOf(diagram->count()), diagram->nodes(), counting, pin.pin, pin.milliseconds);
      }
    }
  }
}

}  // namespace
}  // namespace loom::tune::space_costs_test

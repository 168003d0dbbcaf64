// The device that the model answers for, chosen while a program is open.
#include <gtest/gtest.h>

#include "app/panels/memory/view/memory.h"
#include "app/panels/performance/view/performance.h"
#include "app/session/option_times.h"
#include "tests/session/with_workbench.h"

namespace loom::session::choosing_test {
namespace {

class ChosenDevice : public WithWorkbench {
 protected:
  ChosenDevice() : WithWorkbench({64, 48, 32}, 20000) {}
  std::string modelled(int node) {
    wait([&] { return bench_.programs().of(node) != nullptr && bench_.models().of(node) != nullptr; });
    const auto model = bench_.models().of(node);
    return model ? performanceOf(*model).device : "none";
  }
  double threads(int node) {
    for (const MemoryBudget& b : memoryOf(*bench_.models().of(node)).budgets)
      if (b.resource == model::Limiter::Threads) return b.available;
    return 0;
  }
};

TEST_F(ChosenDevice, HasItsModelsMadeAnew) {
  const int node = bench_.edits().apply(kBound).node;
  ASSERT_EQ(modelled(node), "NVIDIA H200") << "whose results are recorded";
  EXPECT_EQ(threads(node), 2048);
  EXPECT_TRUE(bench_.modelDevice().status().chosen.empty());
  ASSERT_EQ(bench_.modelDevice().devices().size(), 7U);
  for (const model::Device& d : std::vector(bench_.modelDevice().devices())) {
    bench_.chooseDevice(d.name);
    EXPECT_EQ(bench_.modelDevice().status().chosen, d.name);
    ASSERT_EQ(modelled(node), d.name);
    EXPECT_EQ(threads(node), d.value(model::Quantity::ThreadsPerMultiprocessor));
    ASSERT_TRUE(bench_.modelDevice().figures());
    EXPECT_EQ((**bench_.modelDevice().figures()).id, d.id);
  }
  bench_.chooseDevice("no such device");
  EXPECT_EQ(bench_.modelDevice().status().chosen, bench_.modelDevice().devices().back().name) << "as before";
  bench_.chooseDevice("");
  EXPECT_EQ(modelled(node), "NVIDIA H200");
}

TEST_F(ChosenDevice, PredictsWhatOptionsAndPreviewsWouldTakeOnIt) {
  OptionTimes times;
  ASSERT_TRUE(wait([&] { return times.of(bench_, kBound).has_value(); }));
  const double before = *times.of(bench_, kBound);
  bench_.preview().show(kBound);
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->effect.has_value(); }));
  bench_.chooseDevice("Tesla T4");
  ASSERT_NE(bench_.preview().step(), nullptr) << "goes on";
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->effect.has_value(); }));
  EXPECT_EQ(bench_.preview().step()->effect->device, "Tesla T4");
  ASSERT_TRUE(wait([&] { return times.of(bench_, kBound).has_value(); }));
  EXPECT_NE(*times.of(bench_, kBound), before);
  EXPECT_DOUBLE_EQ(*times.of(bench_, kBound), bench_.preview().step()->effect->after);
}

// Without a GPU, a choice and recorded results it is known by its id, while times have its name.
TEST(ModelDevice, ComparesTheDeviceThatIsTakenWithoutAnyWithItsName) {
  Options options;
  options.assets = document::assets();
  options.bench.assets = document::assets() / "none";
  options.bench.device = "none";
  Session session(options);
  for (int i = 0; i < 60000 && !session.modelDevice().status().known; ++i) {
    session.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(modelledDevice(session.modelDevice().status()), "h200");
  EXPECT_TRUE(session.modelDevice().comparesWith("NVIDIA H200"));
  EXPECT_FALSE(session.modelDevice().comparesWith("Tesla T4"));
}

TEST_F(ChosenDevice, KeepsRecordedTimesApart) {
  bench_.documents().open("tensor_core");
  ASSERT_TRUE(
      wait([&] { return bench_.documents().target()->lesson.has_value() && bench_.results().measured(2) != nullptr; }));
  EXPECT_FALSE(bench_.results().areFromAnotherDevice());
  const gpu::Outcome before = *bench_.results().measured(2);
  const std::string device = bench_.results().timed(2)->device;
  EXPECT_TRUE(bench_.modelDevice().comparesWith(device));
  bench_.chooseDevice("Tesla T4");
  EXPECT_TRUE(bench_.results().areFromAnotherDevice());
  EXPECT_FALSE(bench_.modelDevice().comparesWith(device));
  ASSERT_NE(bench_.results().measured(2), nullptr) << "what is recorded stays";
  EXPECT_EQ(bench_.results().measured(2)->timing.median, before.timing.median);
  EXPECT_EQ(bench_.results().timed(2)->device, device);
  const int last = int(bench_.navigation().history().nodes().size()) - 1;
  for (int node = 0; node <= last; ++node)
    EXPECT_FALSE(bench_.models().prediction(node)) << "among times of another device";
  ASSERT_TRUE(wait([&] { return bench_.programs().of(last) && bench_.models().modelledTime(last).has_value(); }));
  bench_.chooseDevice("NVIDIA H200");
  EXPECT_FALSE(bench_.results().areFromAnotherDevice()) << "by name";
  EXPECT_EQ(modelled(last), "NVIDIA H200");
}

TEST(ChosenAtTheStart, ByIdOrName) {
  for (const char* word : {"t4", "Tesla T4"}) {
    Options options;
    options.assets = options.bench.assets = document::assets();
    options.bench.device = "none";
    options.model = word;
    Session session(options);
    for (int i = 0; i < 20000 && !session.modelDevice().status().known; ++i) {
      session.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(session.modelDevice().status().chosen, "Tesla T4");
  }
}

}  // namespace
}  // namespace loom::session::choosing_test

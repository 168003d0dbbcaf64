#include "core/model/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/programs.h"

namespace loom::model::roofline_test {
namespace {

KernelModel chapterOfHopper(std::initializer_list<const char*> chapters, const Device& device,
                            const std::string& size = "4096") {
  const std::string folder = "assets/lessons/hopper";
  std::string lines, function = readText(folder + "/function.py");
  for (const char* chapter : chapters) lines += readText(folder + "/steps/" + chapter + ".sched.py");
  for (std::size_t at = function.find("4096"); at != std::string::npos; at = function.find("4096", at + size.size()))
    function.replace(at, 4, size);
  const device::Program program = lowered(function, lines);
  KernelModel made = modelOf(program.kernels.front(), device);
  made.accesses = {};  // it refers to the program
  return made;
}

const Roof* roofOf(const Roofline& roofline, const std::string& name) {
  for (const Roof& roof : roofline.roofs)
    if (roof.name == name) return &roof;
  return nullptr;
}

// What multiprocessors ask for at the same time L2 delivers together: no kernel is predicted past a roof.
TEST(Roofline, OfL2CountsWhatItDelivers) {
  const Device d = deviceNamed("h200");
  for (const std::initializer_list<const char*> chapters : {std::initializer_list<const char*>{"02_one"},
                                                            {"03_large"},
                                                            {"03_large", "04_ring", "05_roles"},
                                                            {"07_raster"},
                                                            {"10_turns", "11_in_flight"},
                                                            {"13_waves"}}) {
    const KernelModel m = chapterOfHopper(chapters, d);
    const std::string last = *(chapters.end() - 1);
    const Roof* l2 = roofOf(m.roofline, "l2");
    ASSERT_NE(l2, nullptr) << last;
    EXPECT_GT(m.roofline.servedTogether, 0.3 * l2->bytes) << last;
    EXPECT_LT(m.roofline.servedTogether, 0.6 * l2->bytes) << last;
    ASSERT_TRUE(m.estimate) << last;
    ASSERT_GE(m.roofline.lowest, 0) << last;
    const double reached = m.roofline.flops / m.estimate->microseconds * 1e-6;
    EXPECT_LT(reached, m.roofline.roofs[std::size_t(m.roofline.lowest)].tflops) << last;
  }
}

// Blocks of a cluster ask L2 for less, but each writes as much to its shared memory as before.
TEST(Roofline, WhatNeighboursBringIsWrittenToSharedMemoryToo) {
  const Device d = deviceNamed("h200");
  const KernelModel alone = chapterOfHopper({"10_turns", "11_in_flight"}, d),
                    clusters = chapterOfHopper({"10_turns", "11_in_flight", "12_clusters"}, d);
  EXPECT_LT(roofOf(clusters.roofline, "l2")->bytes, 0.9 * roofOf(alone.roofline, "l2")->bytes);
  EXPECT_NEAR(roofOf(clusters.roofline, "shared")->bytes, roofOf(alone.roofline, "shared")->bytes,
              1e-3 * roofOf(alone.roofline, "shared")->bytes);
}

// What Advice says that shared memory alone would take follows from the same bytes as the roof: it is longer only by
// the slower clock, and as the busiest multiprocessor has more than its share of tiles. Sums that threads store there
// on their way out are counted by the roof alone.
TEST(Roofline, OfSharedMemoryCountsWhatThePredictedTimeCounts) {
  const Device d = deviceNamed("h200");
  for (const std::initializer_list<const char*> chapters : {std::initializer_list<const char*>{"02_one"},
                                                            {"03_large"},
                                                            {"03_large", "04_ring", "05_roles"},
                                                            {"10_turns", "11_in_flight"},
                                                            {"13_waves"}}) {
    const KernelModel m = chapterOfHopper(chapters, d);
    const std::string last = *(chapters.end() - 1);
    const Roof* shared = roofOf(m.roofline, "shared");
    ASSERT_NE(shared, nullptr) << last;
    ASSERT_TRUE(m.estimate) << last;
    const auto pipe = std::ranges::find(m.estimate->pipes, "shared", &PipeClocks::pipe);
    ASSERT_NE(pipe, m.estimate->pipes.end()) << last;
    const double atTheClock = pipe->clocks / *d.value(Quantity::ClockMhz) * m.estimate->megahertz;
    const double atFullRate = m.roofline.flops / shared->tflops * 1e-6 * *d.value(Quantity::ClockMhz);
    EXPECT_GT(atTheClock, 0.96 * atFullRate) << last;
    EXPECT_LT(atTheClock, 1.06 * atFullRate) << last;
  }
}

TEST(Roofline, WhatOneBlockAsksForIsServedToItAlone) {
  const Device d = deviceNamed("h200");
  EXPECT_EQ(chapterOfHopper({"02_one"}, d, "64").roofline.servedTogether, 0) << "one tile: each byte is asked for once";
  const device::Program threads = tensorCore();
  EXPECT_EQ(modelOf(threads.kernels.front(), d).roofline.servedTogether, 0) << "no copy engine";
}

}  // namespace
}  // namespace loom::model::roofline_test

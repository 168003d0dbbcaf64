#include "core/model/binding.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/model/advice.h"
#include "tests/model/programs.h"

namespace loom::model::binding_test {
namespace {

using testing::HasSubstr;

TEST(Binding, IsOneSentenceWithTheExposedPipeAndTheLowestRoof) {
  const Device d = deviceNamed("h200");
  const device::Program p = tensorCore();
  const KernelModel m = modelOf(p.kernels.front(), d);
  const auto binding = bindingOf(m);
  ASSERT_TRUE(binding);
  EXPECT_EQ(binding->subject, "shared") << "eight ways";
  ASSERT_GE(m.roofline.lowest, 0);
  EXPECT_THAT(binding->sentence.english(), HasSubstr("nothing hides shared memory"));
  EXPECT_THAT(binding->sentence.english(), HasSubstr("; the lowest roof is "));
  // The share of the roof is that of Roofline.
  const double reached = m.roofline.flops / m.estimate->microseconds * 1e-6;
  const double share = 100 * reached / m.roofline.roofs[std::size_t(m.roofline.lowest)].tflops;
  EXPECT_LE(share, 100) << "a prediction above a roof contradicts it";
  EXPECT_THAT(binding->sentence.english(),
              HasSubstr(fmt::format(" of the predicted {:.3g} µs, {:.0f} %", m.estimate->microseconds, share)));
  EXPECT_EQ(adviceOn(m, d).back().message, binding->sentence) << "Advice says the same";
}

// From one launch to the next L2 keeps what memory would else bring again: then memory bounds nothing.
TEST(Binding, NamesTheNextRoofWhereL2HoldsWhatMemoryWouldBring) {
  const Device d = deviceNamed("h200");
  const device::Program p = tensorCore();
  KernelModel m = modelOf(p.kernels.front(), d);
  Roofline& r = m.roofline;
  r.roofs = {{"wgmma", true, {}, 800, 0}, {"memory", false, {}, 100, 0}, {"l2", false, {}, 160, 0}};
  r.lowest = 1;
  const auto sentenceAt = [&](double tflops) {
    m.estimate->microseconds = r.flops / tflops * 1e-6;
    return bindingOf(m).value().sentence.english();
  };
  EXPECT_THAT(sentenceAt(80), HasSubstr("; the lowest roof is device memory: at its full rate "));
  EXPECT_THAT(sentenceAt(120), HasSubstr("so that the lowest roof is L2: at its full rate "));
  EXPECT_THAT(sentenceAt(120), HasSubstr(" µs, 75 % (from device memory everything would take"));
  EXPECT_THAT(sentenceAt(170), HasSubstr("device memory is no roof here")) << "nor is L2";
  r.roofs = {r.roofs[1]};
  r.lowest = 0;
  EXPECT_THAT(sentenceAt(120), HasSubstr("device memory is no roof here"));
}

// 32,768 blocks of one warp that copy 512 bytes each: the GPU starts a block every 1.2 clocks.
TEST(Binding, IsStartingBlocksWhereTheyDoLess) {
  const Device d = deviceNamed("h200");
  const device::Program p = lowered(tests::programText("copy_of_a_matrix", {{"M", 4096}, {"N", 1024}}),
                                    tests::scheduleText("four_elements_a_thread"));
  ASSERT_EQ(p.kernels.front().blocks(), 32768);
  const KernelModel m = modelOf(p.kernels.front(), d);
  const double starts = 32768 * CalibratedConstants{}.clocksPerBlock / *d.value(Quantity::ClockMhz);
  EXPECT_GT(m.estimate->microseconds, starts + 1);
  EXPECT_LT(m.estimate->microseconds, 1.2 * (starts + 1));
  EXPECT_GT(m.estimate->startMicroseconds, starts / 2);
  EXPECT_THAT(bindingOf(m).value().sentence.english(),
              HasSubstr("What binds: 32768 blocks are started one after the other, which takes "));
  EXPECT_TRUE(m.timeline->bySecondLevel) << "of what a block does, L2 is the most";
  EXPECT_NEAR(m.timeline->clocks * m.timeline->rounds / m.timeline->megahertz + m.timeline->launchMicroseconds,
              m.timeline->microseconds, 1e-6 * m.timeline->microseconds);
}

// Where all parts work side by side, what binds is the part that hardly ever pauses.
TEST(Binding, OfWarpsWithRolesIsWhatIsBusy) {
  const Device d = deviceNamed("h200");
  const device::Program p = tensorCore();
  KernelModel m = modelOf(p.kernels.front(), d);
  const auto with = [&](RoleUse use) {
    m.estimate->roles = RoleRun{100, 0, 100, use};
    return bindingOf(m).value();
  };
  EXPECT_EQ(with({.copy = 90, .tensor = 95}).subject, "tensor");
  EXPECT_EQ(with({.copy = 90, .tensor = 95}).also, "");
  const Binding both = with({.copy = 60, .tensor = 93.5, .shared = 93.9});
  EXPECT_EQ(both.subject, "tensor") << "no nearer to its limit than the model can tell";
  EXPECT_EQ(both.also, "shared");
  EXPECT_EQ(with({.copy = 94, .tensor = 93.5}).also, "copy");
  EXPECT_THAT(both.sentence.english(), HasSubstr("shared memory 94 %: both"));
  EXPECT_EQ(with({.copy = 99, .tensor = 50}).subject, "copy");
  EXPECT_EQ(with({.copy = 60, .tensor = 50, .shared = 95}).subject, "shared");
  const Binding waits = with({.copy = 60, .tensor = 66, .shared = 70});
  EXPECT_EQ(waits.subject, "waits");
  EXPECT_DOUBLE_EQ(waits.percent, 34);
  EXPECT_THAT(waits.sentence.english(), HasSubstr("products would take only 66 % of the time"));
}

// What is marked among the times of all limits is what the sentence names, and nothing where warps wait.
TEST(Binding, NamesThePipeThatBinds) {
  const auto at = [](const char* subject, bool roles) {
    Estimate e;
    e.pipes = {{"tensor", 60, {}},
               {"shared", 50, {}},
               {"copy engine", 40, {}},
               {"l2", 45, {}},
               {"memory instructions", 55, {}},
               {"fp32", 30, {}},
               {"issue", 20, {}}};
    if (roles) e.roles.emplace();
    Binding binding;
    binding.subject = subject;
    const int pipe = pipeOf(binding.subject, e);
    return pipe < 0 ? std::string() : e.pipes[std::size_t(pipe)].pipe;
  };
  EXPECT_EQ(at("tensor", true), "tensor");
  EXPECT_EQ(at("waits", true), "");
  EXPECT_EQ(at("copy", false), "memory instructions");
  EXPECT_EQ(at("arithmetic", false), "fp32");
  EXPECT_EQ(at("issue", false), "issue");
  Estimate roles;
  roles.roles.emplace();
  roles.pipes = {{"tensor", 60, {}}, {"copy engine", 40, {}}, {"l2", 45, {}}};
  Binding copy;
  copy.subject = "copy";
  EXPECT_EQ(pipeOf(copy.subject, roles), 1) << "what is left of L2 are stores";
  Estimate integers;
  integers.pipes = {{"issue", 20, {}}, {"integer", 25, {}}, {"integer products", 30, {}}, {"fp32", 40, {}}};
  EXPECT_EQ(pipeOf("issue", integers), 2) << "units of integers limit what is issued";
}

// Roofs are drawn at the full clock: beside a time at the clock that power leaves, that is said of those that follow
// it.
TEST(Binding, SaysThatRoofsKnowNoPowerLimit) {
  const Device d = deviceNamed("h200");
  const device::Program p = tensorCore();
  KernelModel m = modelOf(p.kernels.front(), d);
  m.estimate->powerBound = true;
  int told = 0;
  for (std::size_t i = 0; i < m.roofline.roofs.size(); ++i) {
    m.roofline.lowest = int(i);
    const bool ownClock = m.roofline.roofs[i].name == "l2" || m.roofline.roofs[i].name == "memory";
    const bool says = bindingOf(m)->sentence.english().find("without the power limit") != std::string::npos;
    EXPECT_EQ(says, !ownClock) << m.roofline.roofs[i].name;
    told += says ? 1 : 0;
  }
  EXPECT_GT(told, 1);
}

TEST(Binding, IsLeftOutWithoutATime) {
  const Device bare =
      *parseDevice(R"({"id": "x", "name": "X", "compute_capability": [9, 0], "figures": {}})", "x.json");
  const device::Program p = tensorCore();
  EXPECT_FALSE(bindingOf(modelOf(p.kernels.front(), bare)));
}

}  // namespace
}  // namespace loom::model::binding_test

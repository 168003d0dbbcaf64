#include "app/panels/code/view/listing.h"
#include "app/panels/performance/view/performance.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/session/state_model.h"
#include "core/tune/size_sweep.h"
#include "tests/model/programs.h"

namespace loom::session::compare_view_test {
namespace {

using Kind = ComparedFigure::Kind;
constexpr double kMi = 1024 * 1024;

const std::string kCase = "tests/oracle/cases/lessons/tensorcore";
document::KernelText kernelOf(const std::string& path, const std::string& more = "") {
  return document::makeKernel(
      model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py") + more).last);
}
document::KernelText tensorCore(const std::string& more = "") { return kernelOf(kCase, more); }

const model::Device& h200() {
  static const model::Device device = model::deviceNamed("h200");
  return device;
}

gpu::Matmul product(ir::DType input = ir::DType::Float(16), ir::DType accumulator = ir::DType::Float(32)) {
  gpu::Matmul m;
  m.m = m.n = m.k = 1024;
  m.input = input;
  m.accumulator = m.output = accumulator;
  return m;
}

compile::Binary binaryOf(const document::KernelText& text, int registers) {
  compile::Binary binary;
  binary.kernels.push_back({text.program->kernels.front().name, registers, 0, 0, 0, 0, 0});
  return binary;
}

// The lesson's last state as it was compiled, and what was disassembled of it.
StateModel compiledModel(const Result<std::string>* sass = nullptr) {
  static const document::KernelText text = tensorCore();
  static const compile::Binary binary = binaryOf(text, 84);
  return stateModelOf(text, {&h200(), &binary, sass});
}

std::optional<double> valueOf(const std::vector<ComparedFigure>& all, Kind kind, const std::string& label = "") {
  for (const ComparedFigure& f : all)
    if (f.kind == kind && f.label == label) return f.value;
  return std::nullopt;
}

const Ceiling* find(const std::vector<Ceiling>& all, const std::string& name) {
  auto found = std::find_if(all.begin(), all.end(), [&](const Ceiling& c) { return c.name == name; });
  return found == all.end() ? nullptr : &*found;
}

TEST(Ceilings, MeasuredOnesStandBeforeTheDatasheet) {
  const auto all = ceilingsOf(h200(), product());
  ASSERT_NE(find(all, "memory"), nullptr);
  EXPECT_EQ(find(all, "memory")->rate.value, 4300);
  EXPECT_TRUE(find(all, "memory")->rate.measured);
  EXPECT_THAT(find(all, "memory")->rate.other, testing::HasSubstr("4800"));
  EXPECT_EQ(find(all, "l2")->rate.value, 9700);
  EXPECT_EQ(find(all, "fp32")->rate.value, 65.1);
  EXPECT_NEAR(find(all, "shared")->rate.value, 33326, 1);
  EXPECT_TRUE(find(all, "shared")->rate.measured);
  EXPECT_THAT(find(all, "shared")->rate.other, testing::HasSubstr("33454 GB/s: 128 bytes a clock"));
  for (const Ceiling& c : all) EXPECT_FALSE(c.rate.source.empty()) << c.name;
}

TEST(Ceilings, WarpAndWarpgroupInstructionsHavePeaksOfTheirOwn) {
  const auto all = ceilingsOf(h200(), product());
  ASSERT_NE(find(all, "mma.sync f16→f32"), nullptr);
  EXPECT_NEAR(find(all, "mma.sync f16→f32")->rate.value, 641, 0.5);
  EXPECT_TRUE(find(all, "mma.sync f16→f32")->rate.measured);
  EXPECT_EQ(find(all, "wgmma f16→f32")->rate.value, 989.4);
  EXPECT_FALSE(find(all, "wgmma f16→f32")->rate.measured);
  EXPECT_EQ(find(all, "memory")->at(100), 430);
  EXPECT_EQ(find(all, "fp32")->at(100), 65.1);
}

TEST(Ceilings, OperandsWithoutTensorCoresHaveOnlyCudaCores) {
  const auto all = ceilingsOf(h200(), product(ir::DType::Float(32)));
  EXPECT_NE(find(all, "fp32"), nullptr);
  for (const Ceiling& c : all) EXPECT_EQ(c.name.find("mma"), std::string::npos) << c.name;
}

// Whatever tensor cores multiply has its roofs, by the rows of the kinds of product and the figures of the device.
TEST(Ceilings, EachKindOfProductHasThoseOfItsRows) {
  const auto namesOf = [](const char* device, gpu::Matmul matmul) {
    std::vector<std::string> names;
    for (const Ceiling& c : ceilingsOf(model::deviceNamed(device), matmul))
      if (!c.traffic && c.name != "fp32") names.push_back(c.name);
    return names;
  };
  using testing::ElementsAre;
  const ir::DType floats = ir::DType::Float(32), integers = ir::DType::Int(32);
  gpu::Matmul tf32 = product(floats);
  tf32.factorDigits = 10;
  EXPECT_THAT(namesOf("h200", tf32), ElementsAre("mma.sync tf32→f32", "wgmma tf32→f32"));
  EXPECT_THAT(namesOf("a100_80", tf32), ElementsAre("mma.sync tf32→f32"));
  const ir::DType bytes{ir::DType::Code::E4M3, 8, 1};
  const auto all = ceilingsOf(h200(), product(bytes));
  ASSERT_NE(find(all, "wgmma f8→f32"), nullptr);
  EXPECT_EQ(find(all, "wgmma f8→f32")->rate.value, *h200().value(model::Quantity::WgmmaS8Tops));
  EXPECT_THAT(namesOf("h200", product(ir::DType::BFloat(16))), ElementsAre("mma.sync bf16→f32", "wgmma bf16→f32"));
  EXPECT_THAT(namesOf("h200", product(ir::DType::Float(16), ir::DType::Float(16))),
              ElementsAre("mma.sync f16→f16", "wgmma f16→f16"));
  EXPECT_THAT(namesOf("h200", product(ir::DType::UInt(8), integers)), ElementsAre("mma.sync s8→s32", "wgmma s8→s32"));
  EXPECT_THAT(namesOf("t4", product(ir::DType::Int(4), integers)), ElementsAre("mma.sync s4→s32"));
  EXPECT_THAT(namesOf("h200", product(ir::DType::Int(4), integers)), ElementsAre("mma.sync s8→s32"))
      << "which compilers make of it; warpgroups multiply no 4 bits";
  EXPECT_THAT(namesOf("h200", product(ir::DType::Float(64), ir::DType::Float(64))), ElementsAre());
  gpu::Matmul vector = product(ir::DType::BFloat(16));
  vector.m = 1;
  EXPECT_THAT(namesOf("h200", vector), ElementsAre()) << "of a tile tensor cores would compute one row";
}

// What one link allows is one figure, wherever a panel draws it.
TEST(Ceilings, ShortestTimesAndPeaksOfSizesAreOfTheSameRates) {
  const auto all = ceilingsOf(h200(), product());
  const auto text = tensorCore();
  Known known;
  known.device = &h200();
  const StateModel m = stateModelOf(text, known);
  ASSERT_EQ(memoryOf(m).floors.size(), 4U);
  for (const MemoryTimeBound& f : memoryOf(m).floors) {
    const Ceiling* c = find(all, f.roof);
    ASSERT_NE(c, nullptr) << f.roof;
    EXPECT_EQ(f.device.value, c->rate.value) << f.roof;
    EXPECT_EQ(f.device.source, c->rate.source) << f.roof;
    EXPECT_EQ(f.device.measured, c->rate.measured) << f.roof;
  }
  const auto pipe = valueOf(performanceOf(m).figures, Kind::kPipe, "cold memory");
  ASSERT_TRUE(pipe);
  EXPECT_NEAR(*pipe, memoryOf(m).floors[1].microseconds, 1e-9) << "Advice's time of memory";
  tune::SweptState swept;
  swept.kernel = std::make_shared<document::KernelText>(text);
  predict(swept, h200());
  ASSERT_TRUE(swept.peak);
  ASSERT_NE(find(all, swept.peak->name), nullptr);
  EXPECT_EQ(swept.peak->rate.value, find(all, swept.peak->name)->rate.value);
}

// Memory hierarchy, Advice and Compare say one time of one limit: that which the predicted time is made of.
TEST(PerformanceView, WhatALimitAloneTakesIsOneTimeInEveryPanel) {
  const auto text = tensorCore();
  Known known;
  known.device = &h200();
  const StateModel m = stateModelOf(text, known);
  int told = 0;
  for (const MemoryTimeBound& f : memoryOf(m).floors) {
    ASSERT_FALSE(f.pipe.empty()) << f.roof;
    const auto advised = valueOf(performanceOf(m).figures, Kind::kPipe, f.pipe);
    ASSERT_TRUE(advised) << f.pipe;
    EXPECT_NEAR(f.microseconds, *advised, 1e-9) << f.pipe;
    EXPECT_GE(f.microseconds, 0.999 * f.atRate) << f.roof << ": no faster than its rate";
    EXPECT_FALSE(f.how.empty()) << f.roof;
    ++told;
    if (f.roof != "l2") continue;
    EXPECT_EQ(f.bytes, performanceOf(m).bytes[int(Traffic::kL2)]->value) << "Roofline's";
    EXPECT_EQ(f.bytes, 36 * kMi);
    EXPECT_EQ(f.once, 36 * kMi) << "whole lines, each once a block";
  }
  EXPECT_EQ(told, 4);
}

// Without shared memory it is requests of global memory that take the LSU.
TEST(PerformanceView, AKernelWithoutSharedMemoryHasItsRequestsAmongTheLimits) {
  const auto text = kernelOf("tests/oracle/cases/lessons/fp32_v1_one_dim_threads");
  Known known;
  known.device = &h200();
  const StateModel m = stateModelOf(text, known);
  const auto& floors = memoryOf(m).floors;
  const auto lsu = std::find_if(floors.begin(), floors.end(),
                                [](const MemoryTimeBound& f) { return f.pipe == "memory instructions"; });
  ASSERT_NE(lsu, floors.end());
  EXPECT_NEAR(lsu->microseconds, *valueOf(performanceOf(m).figures, Kind::kPipe, lsu->pipe), 1e-9);
  EXPECT_EQ(lsu->rate, 0) << "no bandwidth is its limit";
  EXPECT_FALSE(lsu->how.empty());
}

// A naive product asks L1 again for what it has: L2's bytes are those that L1 lacks, not all that are asked for.
TEST(PerformanceView, BytesOfL2AreThoseThatL1Lacks) {
  const auto text = kernelOf("tests/oracle/cases/lessons/fp32_v2_two_dim_threads");
  Known known;
  const StateModel without = stateModelOf(text, known);
  known.device = &h200();
  const StateModel with = stateModelOf(text, known);
  const auto &all = performanceOf(without).bytes[int(Traffic::kL2)],
             &lacked = performanceOf(with).bytes[int(Traffic::kL2)];
  ASSERT_TRUE(all && lacked && performanceOf(with).written[int(Traffic::kL2)]);
  EXPECT_EQ(performanceOf(with).written[int(Traffic::kL2)]->value, lacked->value) << "nothing is compiled";
  EXPECT_LT(lacked->value, 0.9 * all->value);
  EXPECT_NE(all->how, lacked->how) << "says which";
}

TEST(PerformanceView, AModelFarFromTheClockIsNamedSo) {
  PerformanceView v;
  EXPECT_EQ(modelErrorOf(v, 10), 0) << "nothing predicted";
  v.estimate.emplace();
  v.estimate->microseconds = 12;
  EXPECT_EQ(modelErrorOf(v, 10.4), 0) << "15 % is near";
  EXPECT_DOUBLE_EQ(modelErrorOf(v, 8), 0.5);
  EXPECT_DOUBLE_EQ(modelErrorOf(v, 24), -0.5);
  EXPECT_EQ(modelErrorOf(v, 0), 0);
}

// Where the model has it the other way round, or sees a change that isn't there, that is said, and whether it could
// tell.
TEST(PerformanceView, AChangeThatIsPredictedOtherwiseIsNamedSo) {
  const auto change = [](double measured, double predicted, const char* device = "") {
    return disputedChange(
        compared({{Kind::kMeasured, device, 200, ""}, {Kind::kPredicted, "", 200, ""}},
                 {{Kind::kMeasured, device, 200 * measured, ""}, {Kind::kPredicted, "", 200 * predicted, ""}}),
        0.02);
  };
  ASSERT_TRUE(change(0.984, 1.007));
  EXPECT_TRUE(change(0.984, 1.007)->isUsual());
  ASSERT_TRUE(change(1.001, 1.24)) << "as fast, but not by the model";
  EXPECT_FALSE(change(1.001, 1.24)->isUsual());
  EXPECT_FALSE(change(0.984, 0.994)) << "the same direction, within the noise";
  EXPECT_FALSE(change(0.853, 0.779)) << "the same direction";
  EXPECT_FALSE(change(1.001, 0.999)) << "nothing to read";
  EXPECT_FALSE(change(0.984, 1.007, "another")) << "times of another device";
}

TEST(PerformanceView, APipeThatOnlyTheClockChangesIsNamedSo) {
  const auto rows =
      compared({{Kind::kClock, "", 1500, ""}, {Kind::kPipe, "tensor", 100, ""}, {Kind::kPipe, "l2", 20, ""}},
               {{Kind::kClock, "", 1250, ""}, {Kind::kPipe, "tensor", 120, ""}, {Kind::kPipe, "l2", 20, ""}});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_FALSE(rows[0].byClock);
  EXPECT_TRUE(rows[1].byClock);
  EXPECT_FALSE(rows[2].byClock) << "didn't change";
}

TEST(Ceilings, APointIsAboveItsRoofBeyondWhatMeasurementsDifferBy) {
  const Ceiling l2{"l2", Traffic::kL2, {9700, "", true, ""}};
  EXPECT_FALSE(l2.isBelow(10, 97));
  EXPECT_FALSE(l2.isBelow(10, 98)) << "1 % more";
  EXPECT_TRUE(l2.isBelow(10, 120));
}

TEST(PerformanceView, AModelSlowerThanTheClockIsNamedSo) {
  PerformanceView v;
  EXPECT_EQ(slownessOf(v, 10), 0) << "nothing predicted";
  v.estimate.emplace();
  v.estimate->microseconds = 36;
  v.figures = {{Kind::kPipe, "issue", 19, ""}, {Kind::kPipe, "cold memory", 400, ""}};
  EXPECT_DOUBLE_EQ(slownessOf(v, 16), 2.25) << "issue alone takes longer than was measured";
  EXPECT_EQ(slownessOf(v, 20), 0) << "memory doesn't count: L2 is warm";
}

TEST(Ceilings, ADeviceWithoutFiguresHasNone) { EXPECT_TRUE(ceilingsOf(model::Device{}, product()).empty()); }

TEST(PerformanceView, TheLessonsBytesByLink) {
  const auto text = tensorCore();
  Known known;
  known.device = &h200();
  const StateModel m = stateModelOf(text, known);
  const PerformanceView& v = performanceOf(m);
  ASSERT_TRUE(v.kernel) << v.problem;
  EXPECT_EQ(v.flops, 2.0 * 1024 * kMi);
  ASSERT_TRUE(v.bytes[0]);
  EXPECT_EQ(v.bytes[0]->value, 8 * kMi) << "2 + 2 read, 4 written";
  ASSERT_TRUE(v.bytes[1]);
  EXPECT_EQ(v.bytes[1]->value, 36 * kMi) << "64 blocks read 256 KiB of each operand and write 64 KiB";
  ASSERT_TRUE(v.bytes[2]);
  EXPECT_EQ(v.bytes[2]->value, 8388608.0 * 128 + 32 * kMi) << "8-way conflicts of the fragments' loads, and the copies";
  EXPECT_EQ(v.busy, 64);
  EXPECT_NEAR(v.share, 64.0 / 132, 1e-9);
  EXPECT_EQ(v.filled, 1) << "16 warps for four tensor cores";
  ASSERT_TRUE(v.occupancy);
  EXPECT_EQ(v.warpsRun, v.occupancy->warps / v.occupancy->blocks) << "64 blocks on 132 multiprocessors: one each";
  EXPECT_EQ(v.peak, "mma.sync f16→f32");
  EXPECT_FALSE(v.registersKnown);
  EXPECT_FALSE(valueOf(v.figures, Kind::kRegisters));
  EXPECT_FALSE(valueOf(v.figures, Kind::kOccupancy)) << "not known without registers";
}

TEST(PerformanceView, FewThreadsFillFewOfAMultiprocessorsUnits) {
  auto filled = [](const std::string& steps) {
    Known known;
    known.device = &h200();
    const auto text = document::makeKernel(model::replayed(model::readText(kCase + ".func.py"), steps).last);
    return performanceOf(stateModelOf(text, known)).filled;
  };
  const std::string loops = "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n";
  EXPECT_EQ(filled(""), 1.0 / 128) << "one thread";
  EXPECT_EQ(
      filled(loops + "a, b = sch.split(i, [None, 16])\nsch.bind(a, \"blockIdx.x\")\nsch.bind(b, \"threadIdx.x\")"),
      0.125)
      << "half a warp";
  EXPECT_EQ(filled(loops + "sch.bind(i, \"blockIdx.x\")\nsch.bind(j, \"threadIdx.x\")"), 1) << "32 warps";
}

TEST(PerformanceView, RegistersBringOccupancyAndItsCurves) {
  const StateModel m = compiledModel();
  EXPECT_EQ(m.basis, ModelBasis::kResources);
  ASSERT_EQ(performanceOf(m).curves.size(), 3U);
  EXPECT_EQ(performanceOf(m).curves[0].now, 84);
  EXPECT_EQ(performanceOf(m).curves[0].warpsNow, 16);
  EXPECT_EQ(valueOf(performanceOf(m).figures, Kind::kOccupancy), 25.0);
  EXPECT_EQ(valueOf(performanceOf(m).figures, Kind::kRegisters), 84.0);
}

TEST(PerformanceView, MachineCodeBringsTheMixOfTheHotLoop) {
  const Result<std::string> sass = model::readText("tests/model/profiled/tc_48.sass");
  const StateModel m = compiledModel(&sass);
  ASSERT_TRUE(performanceOf(m).mix);
  const InstructionMix& mix = *performanceOf(m).mix;
  const auto tensor = std::find_if(mix.shares.begin(), mix.shares.end(),
                                   [](const InstructionShare& s) { return s.pipe == sass::Pipe::Tensor; });
  ASSERT_NE(tensor, mix.shares.end());
  EXPECT_EQ(tensor->executed, 524288) << "2 · 1024³ FLOP by 4096";
  EXPECT_GT(tensor->inLoop, 0);
  int sum = 0;
  for (const InstructionShare& s : mix.shares) sum += s.inLoop;
  EXPECT_EQ(sum, mix.hotInstructions);
  ASSERT_FALSE(mix.memory.empty());
  ASSERT_TRUE(listingOf(m));
  EXPECT_EQ(listingOf(m)->hotInstructions, mix.hotInstructions);
  EXPECT_FALSE(m.sassProblem);
}

TEST(PerformanceView, SassThatCannotBeReadIsAProblemAndNoMore) {
  const Result<std::string> none = fail("NoNvdisasm", verbatim("nvdisasm isn't found"));
  const Result<std::string> garbage = std::string("garbage");
  for (const auto* sass : {&none, &garbage}) {
    const StateModel m = compiledModel(sass);
    EXPECT_TRUE(m.sassProblem);
    EXPECT_FALSE(listingOf(m));
    EXPECT_FALSE(performanceOf(m).mix);
    EXPECT_TRUE(performanceOf(m).kernel);
  }
}

TEST(PerformanceView, AStateThatIsNoKernelSaysWhy) {
  const std::string lines = model::readText(kCase + ".sched.py");
  std::size_t end = 0;
  for (int i = 0; i < 33; ++i) end = lines.find('\n', end + 1);
  const auto text =
      document::makeKernel(model::replayed(model::readText(kCase + ".func.py"), lines.substr(0, end) + "\n").last);
  ASSERT_TRUE(text.problem);
  const StateModel m = stateModelOf(text, {&h200(), nullptr, nullptr});
  EXPECT_FALSE(performanceOf(m).kernel);
  EXPECT_EQ(performanceOf(m).problem, text.problem->message.english());
  EXPECT_TRUE(performanceOf(m).figures.empty());
}

TEST(Compared, PaddingShowsAsConflictsThatAreGone) {
  const auto plain = tensorCore();
  const auto padded = tensorCore("sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=16, offset=8)\n");
  const Known known{&h200(), nullptr, nullptr};
  const auto rows =
      compared(performanceOf(stateModelOf(plain, known)).figures, performanceOf(stateModelOf(padded, known)).figures);
  auto row = [&](Kind kind, const std::string& label = "") {
    auto found = std::find_if(rows.begin(), rows.end(),
                              [&](const ComparedRow& r) { return r.kind == kind && r.label == label; });
    return found == rows.end() ? nullptr : &*found;
  };
  ASSERT_NE(row(Kind::kConflicts, "as written"), nullptr);
  EXPECT_TRUE(row(Kind::kConflicts, "as written")->differs);
  EXPECT_LT(*row(Kind::kConflicts, "as written")->after, *row(Kind::kConflicts, "as written")->before);
  ASSERT_NE(row(Kind::kBlocks), nullptr);
  EXPECT_FALSE(row(Kind::kBlocks)->differs);
  ASSERT_NE(row(Kind::kShared), nullptr);
  EXPECT_EQ(row(Kind::kShared)->before, 32 * 1024.0);
  EXPECT_EQ(row(Kind::kShared)->after, 34 * 1024.0);
  ASSERT_NE(row(Kind::kTraffic, "l2 → shared"), nullptr);
  EXPECT_EQ(row(Kind::kTraffic, "l2 → shared")->after, 32 * kMi);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const ComparedRow& a, const ComparedRow& b) { return a.kind < b.kind; }));
}

TEST(Compared, AFigureOfOneAloneDiffers) {
  const auto rows =
      compared({{Kind::kBlocks, "", 64, "a"}}, {{Kind::kBlocks, "", 64.001, "b"}, {Kind::kWays, "", 8, "c"}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_FALSE(rows[0].differs) << "within a thousandth";
  EXPECT_EQ(rows[0].how, "b");
  EXPECT_TRUE(rows[1].differs);
  EXPECT_FALSE(rows[1].before);
  EXPECT_TRUE(compared({}, {}).empty());
}

}  // namespace
}  // namespace loom::session::compare_view_test

// Products of a warpgroup on a GPU that has them, measured as the worker does it: the driver makes the maps, and the
// results are right. Skipped elsewhere.
#include <gtest/gtest.h>

#include "core/compile/compile.h"
#include "core/gpu/measure.h"
#include "tests/device/warpgroup_program.h"

namespace loom::gpu::warpgroup_test {
namespace {

using device::OperationRow;

// Whole numbers that all factors hold, so that even the sums of tf32 are exact.
constexpr codegen::GlobalBuffer::Values kValues{-4, 4, false};

Job jobOf(const OperationRow& row, const compile::Compiler& compiler) {
  device::WarpgroupProgram one;
  one.add(row);
  const codegen::Source source = codegen::generate(one.program);
  Job job;
  Matmul m;
  m.m = row.tile.m;
  m.n = row.tile.n;
  m.input = row.products.front().factors;
  m.k = source.buffers[0].shape[1];
  m.bTransposed = !row.operands[2].rowMajor;
  m.output = m.accumulator = row.products.front().result;
  job.matmul = m;
  auto binaryOf = [&](const compile::Text& text) {
    auto binary = compiler.compile(compile::requestFor(text, "sm_90a"));
    if (!binary) throw std::runtime_error(binary.error().message.english());
    return binary->cubin;
  };
  job.reference.emplace().cubin = binaryOf(referenceSource(m));
  Candidate& c = job.candidates.emplace_back();
  c.label = std::string(row.name);
  c.cubin = binaryOf(source);
  c.launches = source.launches;
  c.buffers = source.buffers;
  for (int factor : {0, 1}) c.buffers[std::size_t(factor)].values = kValues;
  job.method.rounds = 3;
  job.method.coldSamples = job.method.vendorAlgorithms = 0;
  return job;
}

TEST(Warpgroup, ProductsAreRightOnAGpuThatHasThem) {
  auto driver = Driver::load();
  if (!driver) GTEST_SKIP() << driver.error().message.english();
  if ((*driver)->devices().front().major != 9) GTEST_SKIP() << "no GPU of compute capability 9.0";
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  ASSERT_TRUE(compiler) << compiler.error().message.english();
  ASSERT_TRUE((*driver)->open(0));
  for (const int n : {8, 64, 128, 256}) {
    for (const char* kind : {"16.f32_f16.column", "16.f32_f16.row", "16.f32_bf16.column", "16.f32_bf16.row",
                             "8.f32_tf32", "32.f32_e4m3", "32.f32_e5m2", "32.s32_s8", "32.s32_u8"}) {
      const std::string name = fmt::format("wgmma.m64n{}k{}", n, kind);
      if (n < 64 && name.ends_with(".row")) continue;  // no whole line
      const Job job = jobOf(*device::findOperation(name), **compiler);
      const auto report = measure(**driver, job, "", {});
      ASSERT_TRUE(report) << name << ": " << report.error().message.english();
      const Outcome& outcome = report->outcomes.at(0);
      EXPECT_EQ(outcome.status, Outcome::Status::Measured) << name << ": " << outcome.message.english();
      EXPECT_EQ(outcome.error, 0) << name;
    }
  }
}

}  // namespace
}  // namespace loom::gpu::warpgroup_test

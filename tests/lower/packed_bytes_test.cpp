// Elements that share bytes: what of them kernels can't store, and what kernels have of them.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::packed_bytes_test {
namespace {

using testing::HasSubstr;

Result<device::Program> lowered(const std::string& type, const std::string& schedule) {
  const std::string function = tests::programText(
      "product_of_shared_bytes", {{"M", 16},
                                  {"N", 32},
                                  {"K", 256},
                                  {"TYPE", type},
                                  {"TERM", "T.Cast(\"int32\", A[vi, vk]) * T.Cast(\"int32\", B[vj, vk])"}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay =
      schedule::replay(state, script::parseSchedule(schedule, "test.sched.py").value(), schedule::Environment{});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}
std::string copies(int vector) {
  return tests::scheduleText("shared_bytes_by_threads", {{"STEP", 32 * vector}, {"VECTOR", vector}});
}

TEST(PackedBytes, AreNotStoredInParts) {
  const auto nibble = lowered("int4", copies(1));
  ASSERT_FALSE(nibble);
  EXPECT_EQ(nibble.error().code, "NotAKernel");
  EXPECT_THAT(nibble.error().message.english(), HasSubstr("a thread makes 4-bit stores to A_shared,"));
  EXPECT_THAT(nibble.error().remedy.english(), HasSubstr("a multiple of 2 neighbours"));
  const auto bits = lowered("uint1", copies(4));
  ASSERT_FALSE(bits);
  EXPECT_THAT(bits.error().message.english(), HasSubstr("a thread makes 1-bit stores to A_shared,"))
      << "vectors of half a byte are no vectors";
  EXPECT_THAT(bits.error().remedy.english(), HasSubstr("a multiple of 8 neighbours"));
}

TEST(PackedBytes, AreBytesInEveryBufferOfAKernel) {
  const auto program = lowered("int4", copies(4));
  ASSERT_TRUE(program) << program.error().message.english();
  const device::Kernel& kernel = program->kernels.front();
  EXPECT_EQ(kernel.params[0]->dtype, ir::DType::UInt(8));
  EXPECT_EQ(ir::asInt(kernel.params[0]->shape[0])->value, 16 * 256 / 2);
  EXPECT_EQ(kernel.params[2]->dtype, ir::DType::Int(32)) << "others stay";
  const device::Allocation& shared = kernel.allocations.front();
  EXPECT_EQ(shared.bytes(), 4 * 128 / 2);
  EXPECT_EQ(shared.extents(), (std::vector<std::int64_t>{4, 64})) << "coordinates of bytes";
}

}  // namespace
}  // namespace loom::lower::packed_bytes_test

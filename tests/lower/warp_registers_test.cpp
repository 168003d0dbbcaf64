// Memory of a warp becomes registers of its lanes: what the kernel has of it, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"

namespace loom::lower::warp_registers_test {
namespace {

using testing::HasSubstr;

std::string readText(const std::string& path) {
  std::ifstream in(std::string(TILELOOM_SOURCE_DIR) + "/tests/oracle/cases/tensorize/" + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The case's program after the first `steps` tensorized blocks (all: −1), and after the lines of `more`.
Result<device::Program> lowered(const std::string& name, int steps = -1, const std::string& more = "") {
  static const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  const std::string function = readText(name + ".func.py");
  std::string lines = readText(name + ".sched.py");
  std::size_t end = 0;
  for (int line = 0; line < 2 * steps; ++line) end = lines.find('\n', end) + 1;
  if (steps >= 0) lines.resize(end);
  auto module = script::parseModule(function, "test.py");
  if (!module) throw std::runtime_error(module.error().message.english());
  auto state = schedule::State::create(*module).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines + more, "test.sched.py").value(),
                                 schedule::Environment{&library});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}

const std::string kCase = "mma_written_f16f16f32_trans_b";

std::string refusal(const Result<device::Program>& program) {
  if (program) return "";
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_FALSE(program.error().subjects.empty());
  return program.error().message.english();
}

TEST(WarpRegisters, AreArraysOfEachLaneAndOperationsOnThem) {
  const auto program = lowered(kCase);
  ASSERT_TRUE(program) << program.error().message.english();
  const device::Kernel& kernel = program->kernels[0];
  EXPECT_EQ(kernel.block, (std::array<std::int64_t, 3>{32, 1, 1}));
  for (const char* name : {"A_warp", "B_warp", "C_warp"}) {
    const auto a = std::ranges::find(kernel.allocations, std::string(name),
                                     [](const device::Allocation& x) { return x.buffer->name; });
    ASSERT_NE(a, kernel.allocations.end());
    EXPECT_EQ(a->memory, device::Memory::Local);
    EXPECT_EQ(a->elements, 2 * 2 * 8) << "four tiles of 16 × 16, 8 elements in each of 32 lanes";
  }
  const std::string text = device::print(*program);
  EXPECT_THAT(text, HasSubstr("ldmatrix.x4 A_warp["));
  EXPECT_THAT(text, HasSubstr("mma.m16n8k16.f32_f16 C_warp["));
}

TEST(WarpRegisters, OfAnotherLaneAreRefusedWithTheStepThatHelps) {
  const auto program = lowered(kCase, 1);
  EXPECT_EQ(refusal(program),
            "block A_warp uses an element of A_warp that another lane may hold: its registers are each lane's own");
  EXPECT_THAT(program.error().remedy.english(), HasSubstr("sch.tensorize"));
}

TEST(WarpRegisters, OfSumsThatTvmLetsOverlapDoNotAndAreRemarkedOn) {
  const auto program = lowered("mma_written_m16n8k8_f16f16f32");
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->remarks.size(), 1U);
  EXPECT_THAT(program->remarks[0].text.english(), HasSubstr("tiles of C_frag overlap in its kernel; here they don't"));
  EXPECT_EQ(program->remarks[0].subjects.size(), 1U);
  EXPECT_THAT(device::print(*program), HasSubstr("mma.m16n8k8.f32_f16 C_frag[ramp(o0 * 16 + o1 * 4, 1, 4)]"));
}

TEST(WarpRegisters, LoopsOfUnknownLengthAreNotOnesOverLanes) {
  const auto module = script::parseModule(R"(
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (16, 8), "float32")
    B = T.match_buffer(b, (n, 8), "float32")
    C = T.alloc_buffer((16, 8), "float32", scope="m16n8k8.matrixC")
    for i, j in T.grid(16, 8):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj]
    for i, j in T.grid(n, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = C[0, vj]
)",
                                          "test.py");
  ASSERT_TRUE(module) << module.error().message.english();
  EXPECT_THAT(refusal(lower(schedule::State::create(*module)->module().functions.front())),
              HasSubstr("another lane may hold"));
}

TEST(WarpRegisters, AreLoadedFromRowsThatAreMultiplesOf16BytesApart) {
  const auto program =
      lowered(kCase, -1, "sch.storage_align(sch.get_block(\"A_shared\"), 0, axis=-2, factor=32, offset=4)\n");
  EXPECT_EQ(
      refusal(program),
      "block A_warp_o takes rows of A_shared that lie 36 elements apart; for tensor cores it must be a multiple of "
      "8 (16 bytes)");
  EXPECT_TRUE(lowered(kCase, -1, "sch.storage_align(sch.get_block(\"A_shared\"), 0, axis=-2, factor=32, offset=8)\n"));
}

}  // namespace
}  // namespace loom::lower::warp_registers_test

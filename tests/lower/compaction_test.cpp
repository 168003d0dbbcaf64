// Lowering of schedules: how much memory is kept, and what is refused.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::compaction_test {
namespace {

using testing::HasSubstr;

const std::string kMatmul = tests::programText("product", {{"M", 37}, {"N", 29}, {"K", 13}});

Result<device::Program> lowered(const std::string& lines, const std::string& function = kMatmul) {
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  return lower(replay.last.module().functions.front());
}

TEST(Compaction, SplitBeyondTheTileKeepsOnlyTheTile) {
  // 8 × 4 elements copied by 64 threads: the predicate keeps half of them away.
  auto program = lowered(tests::scheduleText("tile_copied_by_more_threads"));
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->kernels[0].allocations.size(), 1U);
  EXPECT_EQ(program->kernels[0].allocations[0].extents(), (std::vector<std::int64_t>{8, 4}));
}

// dlight's product of a matrix and a vector: its partial sums are allocated outside of the loops over threads, which
// each of its parts has for itself.
TEST(Compaction, OfRegistersKeepsWhatAThreadHas) {
  const std::string name = "oracle/cases/dlight/gemv";
  auto state =
      schedule::State::create(script::parseModule(tests::fileText(name + ".func.py"), "gemv.func.py").value()).value();
  auto calls = script::parseSchedule(tests::fileText(name + ".sched.py"), "gemv.sched.py").value();
  const auto program = lower(schedule::replay(state, calls, {}).last.module().functions.front());
  ASSERT_TRUE(program) << program.error().message.english();
  std::int64_t elements = 0;
  for (const device::Allocation& a : program->kernels[0].allocations)
    if (a.memory == device::Memory::Local && a.buffer->name == "Y.rf_local") elements += a.elements;
  EXPECT_EQ(elements, 4 + 1) << device::print(*program);
}

// The copy and its readers write a thread's place in other forms, which are the same: (bx · 256 + tx) % 1024 // 64 and
// bx % 4 · 4 + tx // 64.
TEST(Compaction, OfRegistersSeesTheSamePlaceInTwoForms) {
  const auto program = lowered(tests::scheduleText("neighbours_in_registers", {{"THREADS", 256}}),
                               tests::programText("seven_points", {{"I", 64}, {"J", 128}, {"K", 128}}));
  ASSERT_TRUE(program) << program.error().message.english();
  std::int64_t elements = 0;
  for (const device::Allocation& a : program->kernels[0].allocations)
    if (a.buffer->name == "X_local") elements += a.elements;
  EXPECT_EQ(elements, 3 * 10 * 4) << device::print(*program);
}

}  // namespace
}  // namespace loom::lower::compaction_test

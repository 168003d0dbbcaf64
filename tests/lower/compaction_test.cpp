// Lowering of schedules: how much memory is kept, and what is refused.
#include <gmock/gmock.h>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower {
namespace {

using testing::HasSubstr;

const std::string kMatmul = tests::programText("product", {{"M", 37}, {"N", 29}, {"K", 13}});

Result<device::Program> lowered(const std::string& lines) {
  auto state = schedule::State::create(script::parseModule(kMatmul, "test.py").value()).value();
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

}  // namespace
}  // namespace loom::lower

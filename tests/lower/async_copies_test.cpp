// Which copies of 16 bytes pass L1 by: those whose sectors land in one sector of shared memory, and those of short rows
// in several slots.
#include <gmock/gmock.h>

#include "core/device/operation.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::async_copies_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kRowReads = tests::scheduleText("row_reads");

// The kernel's copies by their rows' names, of rows of 32 floats unless `reads` has others, and the steps `more`.
std::string copiesOf(const std::string& more, const std::string& reads = kRowReads) {
  const std::string function =
      tests::programText("product_of_type", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float32"}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(reads + more, "test.sched.py").value(), {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  const auto program = lower(replay.last.module().functions.front());
  if (!program) throw std::runtime_error(program.error().message.english());
  std::string names;
  device::forEach(program->kernels.front().body, [&](const device::Stmt& s) {
    if (s->kind == device::StmtKind::Operation)
      names += std::string(device::as<device::OperationNode>(s)->row->name) + "\n";
    return true;
  });
  return names;
}
const std::string kStarted = tests::scheduleText("started_copies");

TEST(AsyncCopies, OfWholeLinesPassL1By) {
  EXPECT_THAT(copiesOf(kStarted), HasSubstr("cp.async.16\n"));
  EXPECT_THAT(copiesOf("sch.annotate(a, \"tileloom.swizzle\", 128)\n" + kStarted), HasSubstr("cp.async.16\n"))
      << "in another order they are the same lines";
}

TEST(AsyncCopies, OfRowsThatPaddingMovesByWholeSectorsPassL1By) {
  EXPECT_THAT(copiesOf("sch.storage_align(a, 0, -2, 32, 8)\n" + kStarted), Not(HasSubstr("through_l1")));
}

TEST(AsyncCopies, OfRowsThatPaddingMovesByHalfASectorGoThroughL1) {
  const std::string padded = copiesOf("sch.storage_align(a, 0, -2, 32, 4)\n" + kStarted);
  EXPECT_THAT(padded, HasSubstr("cp.async.through_l1.16\n"));
  EXPECT_THAT(padded, Not(HasSubstr("cp.async.16\n")));
}

TEST(AsyncCopies, OfRowsShorterThanALineInSeveralSlotsPassL1By) {
  std::string reads = kRowReads;
  for (const auto& [of32, of16] : {std::pair("(i, [None, 32])", "(i, [None, 64])"),
                                   {"(j, [None, 8, 4])", "(j, [None, 4, 8])"},
                                   {"(k, [None, 8, 4])", "(k, [None, 4, 4])"},
                                   {"(f, [None, 8, 32, 4])", "(f, [None, 4, 64, 4])"}})
    reads.replace(reads.find(of32), std::string_view(of32).size(), of16);
  const std::string padded = copiesOf("sch.storage_align(a, 0, -2, 32, 4)\n" + kStarted, reads);
  EXPECT_THAT(padded, HasSubstr("cp.async.16\n"));
  EXPECT_THAT(padded, Not(HasSubstr("through_l1")));
}

}  // namespace
}  // namespace loom::lower::async_copies_test

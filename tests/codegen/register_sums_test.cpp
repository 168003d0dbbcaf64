// Loops of products whose sums lie in registers: which of them the text asks the compiler to unroll.
#include "core/codegen/register_sums.h"

#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/device/build.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::codegen::register_sums_test {
namespace {

using testing::HasSubstr;
using testing::Not;

device::Program tileOf(int rows, int columns, int steps) {
  const std::string function =
      tests::programText("product_of_type", {{"M", 1024}, {"N", 1024}, {"K", 1024}, {"TYPE", "float32"}});
  const std::string lines =
      tests::scheduleText("register_tile", {{"ROWS", rows}, {"COLUMNS", columns}, {"STEPS", steps}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower::lower(replay.last.module().functions.front()).value();
}

std::vector<std::string> namesOf(const device::Program& program) {
  std::vector<std::string> names;
  for (const device::LoopNode* loop : loopsOfRegisterSums(program.kernels[0])) names.push_back(loop->var->name);
  return names;
}

TEST(RegisterSums, AreUnrolledWithTheStepsAroundThem) {
  const device::Program program = tileOf(4, 4, 8);
  EXPECT_THAT(namesOf(program), testing::UnorderedElementsAre("k_1", "i_2", "j_2"));
  const std::string text = generate(program).text;
  EXPECT_THAT(text,
              HasSubstr("#pragma unroll\n    for (int k_1 = 0; k_1 < 8; ++k_1) {\n      #pragma unroll\n      for"));
  EXPECT_THAT(text, Not(HasSubstr("#pragma unroll\n  for (int k_0"))) << "1024 of them";
  EXPECT_THAT(text, Not(HasSubstr("#pragma unroll\n  for (int i_2_init"))) << "nothing is added up there";
}

TEST(RegisterSums, StayLoopsWhereTheTextWouldGrowTooLong) {
  EXPECT_THAT(namesOf(tileOf(8, 8, 8)), testing::UnorderedElementsAre("k_1", "i_2", "j_2")) << "512 stores";
  EXPECT_THAT(namesOf(tileOf(8, 8, 16)), testing::UnorderedElementsAre("i_2", "j_2")) << "1024";
}

TEST(RegisterSums, OfOneElementStayLoops) {
  EXPECT_THAT(namesOf(tileOf(1, 1, 8)), testing::IsEmpty());
  EXPECT_THAT(namesOf(tileOf(1, 2, 8)), testing::IsEmpty());
}

// A barrier or an operation of warps inside: no loop around it is unrolled.
TEST(RegisterSums, StayLoopsAroundWhatIsNoStore) {
  device::Program program = tileOf(4, 4, 8);
  device::Kernel& kernel = program.kernels[0];
  const auto barrier = std::make_shared<device::SyncNode>();
  const std::function<device::Stmt(const device::Stmt&)> into = [&](const device::Stmt& s) -> device::Stmt {
    const auto* loop = s->kind == device::StmtKind::Loop ? device::as<device::LoopNode>(s) : nullptr;
    if (loop == nullptr || loop->var->name != "k_1") return device::mapChildren(s, into);
    auto edited = std::make_shared<device::LoopNode>(*loop);
    auto both = std::make_shared<device::SeqNode>();
    both->stmts = {loop->body, barrier};
    edited->body = both;
    return edited;
  };
  kernel.body = into(kernel.body);
  EXPECT_THAT(namesOf(program), testing::UnorderedElementsAre("i_2", "j_2"));
}

}  // namespace
}  // namespace loom::codegen::register_sums_test

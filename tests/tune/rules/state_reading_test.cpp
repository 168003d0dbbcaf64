// Decisions are read out of the state that a schedule leads to, whatever its loops, blocks and steps are called.
#include "core/tune/rules/state_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/document/matmul_function.h"
#include "core/schedule/replay.h"
#include "core/tune/rules/built.h"
#include "core/tune/space/descent.h"
#include "core/tune/space/membership.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::tune::read_states::state_reading_test {
namespace {

using testing::Contains;
using testing::Pair;

schedule::State product(const char* input, const char* output) {
  document::MatmulRequest request{.m = 256, .n = 512, .k = 256, .transposeY = false};
  request.input = input, request.output = output;
  return document::openFunction(document::matmulFunction(request).value(), "matmul.py").value().history.node(0).state;
}

RulePlan planOf(const schedule::State& state) {
  const auto device = model::findDevice(model::loadDevices(document::assets()).value(), "h200").value();
  return sketchOf(state, device, *document::environment().intrinsics).value();
}

TEST(StateReading, AgreesWithWhatDrawsDecided) {
  for (const auto& [input, output] : {std::pair("float16", "float32"), {"float32", "float32"}}) {
    const schedule::State state = product(input, output);
    const RulePlan plan = planOf(state);
    for (const Sketch& sketch : plan.sketches) {
      Random random(7);
      Descent descent(sketch.space, Pins(sketch.space));
      for (int n = 0; n < 4; ++n) {
        const auto drawn = descent.draw(random);
        ASSERT_TRUE(drawn && *drawn) << sketch.name;
        const std::string lines = linesOf(sketch, **drawn).value();
        const auto made = madeByLines(state, lines, document::environment());
        ASSERT_TRUE(made) << made.error().message << lines;
        const auto read = decisionsOf(sketch, state, made->state);
        // Of lanes and slices nothing is read yet.
        if (decisionNamed(sketch.space, "i.lanes") < 0) {
          EXPECT_GE(read.size(), 10U) << sketch.name;
        }
        for (std::size_t d = 0; d < sketch.space.decisions.size(); ++d) {
          const auto value = read.find(sketch.space.decisions[d].name);
          if (value != read.end()) {
            EXPECT_EQ(value->second, (**drawn)[d]) << value->first << "\n" << lines;
          }
        }
        EXPECT_TRUE(membershipOf(sketch.space, read).isMember.value_or(false)) << lines;
      }
    }
  }
}

// Where tiles reach beyond the product, the shape of the instruction is what is written at a time: 600 rows are no
// whole number of the 40 tiles of 16 rows.
TEST(StateReading, ReadsTheShapeOfInstructionsThatReachBeyond) {
  const schedule::State state =
      document::openFunction(tests::programText("transposed_product", {{"M", 600}, {"N", 500}, {"K", 304}}), "f.py")
          .value()
          .history.node(0)
          .state;
  const RulePlan plan = planOf(state);
  const auto wmma = std::ranges::find(plan.sketches, "wmma", &Sketch::name);
  ASSERT_NE(wmma, plan.sketches.end());
  Random random(7);
  Descent descent(wmma->space, Pins(wmma->space));
  for (int n = 0; n < 4; ++n) {
    const auto drawn = descent.draw(random);
    ASSERT_TRUE(drawn && *drawn);
    const std::string lines = linesOf(*wmma, **drawn).value();
    const auto made = madeByLines(state, lines, document::environment());
    ASSERT_TRUE(made) << made.error().message << lines;
    const auto read = decisionsOf(*wmma, state, made->state);
    for (const char* name : {"shape.m", "shape.n"}) {
      const int d = decisionNamed(wmma->space, name);
      ASSERT_GE(d, 0);
      EXPECT_THAT(read, Contains(Pair(name, (**drawn)[std::size_t(d)]))) << lines;
    }
    EXPECT_TRUE(membershipOf(wmma->space, read).isMember.value_or(false)) << lines;
  }
}

// Other names, factors in other orders of steps, a copy before the tiles are bound.
TEST(StateReading, KnowsAPersonsOwnScheduleAndWhyItIsOutside) {
  const schedule::State state = product("float32", "float32");
  const RulePlan plan = planOf(state);
  const auto cudaCores = std::ranges::find(plan.sketches, "CUDA cores", &Sketch::name);
  ASSERT_NE(cudaCores, plan.sketches.end());
  const Sketch& sketch = *cudaCores;
  const std::string mine = R"(mul = sch.get_block("Z")
row, col, dot = sch.get_loops(mul)
ko, ki = sch.split(dot, [None, 16])
ro, rt, rs = sch.split(row, [None, 16, 4])
co, ct, cs = sch.split(col, [None, 16, 4])
sch.reorder(ro, co, rt, ct, ko, ki, rs, cs)
tileA = sch.cache_read(mul, 0, "shared")
sch.compute_at(tileA, ko)
out = sch.cache_write(mul, 0, "local")
sch.reverse_compute_at(out, ct)
sch.bind(co, "blockIdx.x")
sch.bind(ro, "blockIdx.y")
sch.bind(ct, "threadIdx.x")
sch.bind(rt, "threadIdx.y")
)";
  const auto calls = script::parseSchedule(mine, "");
  ASSERT_TRUE(calls);
  const auto replayed = schedule::replay(state, *calls, document::environment());
  ASSERT_FALSE(replayed.refusal) << replayed.refusal->message;
  const auto read = decisionsOf(sketch, state, replayed.last);
  for (const auto& expected : {Pair("i.threads", 16), Pair("j.threads", 16), Pair("i.inner", 4), Pair("j.inner", 4),
                               Pair("k.inner", 16), Pair("i.parts", 1), Pair("stages", 1), Pair("i.blocks", 4)})
    EXPECT_THAT(read, Contains(expected));
  EXPECT_TRUE(membershipOf(sketch.space, read).isMember.value_or(false));
  auto outside = read;
  outside["k.inner"] = 64, outside["k.outer"] = 4;
  const Membership notIn = membershipOf(sketch.space, outside);
  EXPECT_FALSE(notIn.isMember.value_or(true));
  EXPECT_FALSE(notIn.exclusions.empty());
  EXPECT_TRUE(decisionsOf(sketch, state, state).empty());
}

}  // namespace
}  // namespace loom::tune::read_states::state_reading_test

#include "core/model/lane_sums.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/build.h"
#include "core/model/count.h"
#include "core/model/guard_lanes.h"
#include "tests/model/lesson_lines.h"
#include "tests/model/programs.h"

namespace loom::model::lane_sums_test {
namespace {

using namespace ir;

device::Kernel kernelOfThreads(std::array<std::int64_t, 3> block) {
  device::Kernel kernel;
  kernel.block = block;
  for (auto* axes : {&kernel.threadIdx, &kernel.blockIdx})
    for (Var& axis : *axes) axis = makeVar("axis");
  return kernel;
}

// Sums of two loops' variables and threadIdx, and conditions on them.
class Drawn {
 public:
  device::Kernel kernel = kernelOfThreads({12, 3, 2});
  std::vector<Var> loops = {makeVar("x"), makeVar("y")};
  std::vector<Variable> variables = {{loops[0].get(), 20}, {loops[1].get(), 7}};

  Expr sum() {
    Expr all = intImm(draw(30) - 10);
    for (int n = draw(4); n-- > 0;) all = draw(3) == 0 ? all - times(atom()) : all + times(atom());
    return all;
  }
  // Comparisons of sums, joined; a few can't be sums.
  Expr condition(int depth) {
    static const std::vector<ExprKind> kKinds = {ExprKind::EQ, ExprKind::NE, ExprKind::LT,
                                                 ExprKind::LE, ExprKind::GT, ExprKind::GE};
    if (depth > 0 && draw(3) > 0) {
      if (draw(4) == 0) return std::make_shared<NotNode>(condition(depth - 1));
      const ExprKind kind = draw(2) == 0 ? ExprKind::And : ExprKind::Or;
      return std::make_shared<BinaryNode>(kind, condition(depth - 1), condition(depth - 1), DType::Bool());
    }
    const Expr left = draw(6) == 0 ? floordiv(loops[0] + kernel.threadIdx[0], intImm(5)) : sum();
    return std::make_shared<BinaryNode>(kKinds[std::size_t(draw(6))], left, sum(), DType::Bool());
  }
  int draw(int n) { return int(random_() % unsigned(n)); }

 private:
  Expr atom() {
    const Expr thread = kernel.threadIdx[std::size_t(draw(3))], other = kernel.threadIdx[std::size_t(draw(3))];
    switch (draw(5)) {
      case 0: return thread;
      case 1: return floordiv(thread * intImm(5) + other, intImm(1 + draw(6)));
      case 2: return floormod(loops[0] + loops[1], intImm(1 + draw(6)));
      default: return loops[std::size_t(draw(2))];
    }
  }
  Expr times(const Expr& e) { return e * intImm(draw(9) - 3); }

  std::mt19937 random_{11};
};

TEST(LaneSums, MoveByAsMuchInEachLane) {
  Drawn drawn;
  for (int round = 0; round < 100; ++round) {
    const std::vector<Expr> expressions = {drawn.sum(), drawn.sum(), drawn.sum()};
    LaneSums sums(drawn.kernel, drawn.variables);
    for (int n = 0; n < 3; ++n) ASSERT_EQ(sums.add(termsOf(expressions[std::size_t(n)])), n);
    device::WarpState state;
    for (const Variable& v : drawn.variables) state.set(v.var, 0);
    for (int step = 0; step < 12; ++step) {
      if (step % 4 == 0) {
        sums.place(step / 4);
        state.place(drawn.kernel, 0, step / 4);
      }
      const int variable = drawn.draw(2), value = drawn.draw(20);
      sums.set(std::size_t(variable), value);
      state.set(drawn.variables[std::size_t(variable)].var, value);
      for (int n = 0; n < 3; ++n) {
        const LaneSums::Distances& distances = sums.distances(n);
        const auto expected = state.evaluate(expressions[std::size_t(n)]);
        ASSERT_TRUE(expected);
        for (int lane = 0; lane < layout::kLanes; ++lane) {
          ASSERT_EQ(sums.first(n) + distances.each[lane], (*expected)[lane]) << round << " " << step << " " << lane;
          ASSERT_GE(distances.each[lane], distances.least);
          ASSERT_LE(distances.each[lane], distances.most);
        }
      }
    }
  }
}

TEST(LaneSums, RefuseWhatThreadsChangeTogetherWithLoopsOrMayHaveNoValue) {
  Drawn drawn;
  LaneSums sums(drawn.kernel, drawn.variables);
  const Expr x = drawn.loops[0], y = drawn.loops[1], thread = drawn.kernel.threadIdx[0];
  EXPECT_FALSE(sums.add(termsOf(floordiv(x + thread, intImm(4))))) << "a quotient of both";
  EXPECT_FALSE(sums.add(termsOf(x + makeVar("z")))) << "a variable that isn't known";
  EXPECT_FALSE(sums.add(termsOf(floordiv(x, y)))) << "a division by what may be 0";
  EXPECT_FALSE(sums.add(termsOf(std::make_shared<CallNode>(DType::Int(32), "f", std::vector<Expr>{x}))));
  EXPECT_TRUE(sums.add(termsOf(floordiv(x, intImm(4)) + floormod(thread, intImm(8)))));
}

TEST(GuardLanes, WithSumsHoldWhereTheConditionsDo) {
  Drawn drawn;
  int some = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Guard> conditions;
    for (int n = 1 + drawn.draw(2); n-- > 0;) conditions.push_back({drawn.condition(2), drawn.draw(2) == 0});
    LaneSums sums(drawn.kernel, drawn.variables);
    GuardLanes guards(conditions, &sums);
    device::WarpState state;
    for (int step = 0; step < 12; ++step) {
      if (step % 4 == 0) {
        sums.place(step / 4);
        state.place(drawn.kernel, 0, step / 4);
        for (const Var& v : drawn.kernel.threadIdx) guards.program.set(v.get(), *state.evaluate(v));
      }
      for (std::size_t v = 0; v < 2; ++v) {
        const int value = drawn.draw(20);
        sums.set(v, value);
        guards.program.set(drawn.variables[v].var, value);
        state.set(drawn.variables[v].var, value);
      }
      bool known = true;
      const std::uint32_t active = guards.active(known);
      ASSERT_EQ(active, activeLanes(conditions, state, known)) << round << " " << step;
      ASSERT_TRUE(known);
      some += active != 0 && active != 0xffffffffu ? 1 : 0;
    }
  }
  EXPECT_GT(some, 200) << "many conditions should hold in some lanes only";
}

// Of each pattern: whether the state that it stands for has the same lanes and addresses, sampled and not.
TEST(Patterns, HaveTheLanesAndAddressesOfTheirState) {
  const std::string hopper = "assets/lessons/hopper";
  const std::string odd = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const device::Program programs[] = {
      tensorCore(), lowered(readText(odd + ".func.py"), readText(odd + ".sched.py")), copy(3, 1, "float16"),
      lowered(readText(hopper + "/function.py"),
              readText(hopper + "/steps/10_turns.sched.py") + readText(hopper + "/steps/11_in_flight.sched.py"))};
  int patterns = 0;
  for (const device::Program& program : programs) {
    const KernelAccesses k = accessesOf(program.kernels.front());
    for (const Access& a : k.accesses) {
      Enumeration e(k, a.loops, a.guards, a.index, a.bytes, a.tile ? a.tile->leading : nullptr);
      e.run(64, [&](const Pattern& pattern) {
        ++patterns;
        const device::WarpState state = e.state();
        bool known = true;
        EXPECT_EQ(pattern.active, activeLanes(a.guards, state, known) & state.threads());
        const auto index = state.evaluate(a.index);
        ASSERT_EQ(pattern.index.lanes != nullptr, index.has_value());
        for (int lane = 0; index && lane < layout::kLanes; ++lane) ASSERT_EQ(pattern.index[lane], (*index)[lane]);
      });
    }
  }
  EXPECT_GT(patterns, 1000);
}

}  // namespace
}  // namespace loom::model::lane_sums_test

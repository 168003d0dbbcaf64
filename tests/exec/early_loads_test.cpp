// Copies that were asked for in the background and would be waited for at once: their loads come before the products of
// a turn, their stores behind them, in the order of the turn, where a thread has registers for them and a block is
// alone on its multiprocessor.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "core/codegen/cuda.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/lower/early_loads.h"
#include "core/lower/lower.h"
#include "tests/exec/device_programs.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::early_loads_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kRows = 64;

// Rows of 3568 bytes, so that one block's tiles fill half of a multiprocessor's shared memory, and those of two slots
// all that a block may have.
const std::string kAlone = kTensorCore + "sch.storage_align(xs, 0, -2, 2048, 1784)\n";

// The Tensor Core schedule as a pipeline, over k in `steps` steps.
std::string function(int steps) { return matmul(kRows, kRows, 32 * steps, "float16"); }
std::string annotated(const std::string& key, const std::string& value) {
  return "sch.annotate(ko, \"software_pipeline_" + key + "\", " + value + ")\n";
}
dev::Program lowered(int steps, const std::string& stage, const std::string& order, const std::string& lines = kAlone) {
  auto program = lower::lower(scheduled(function(steps), lines + annotated("stage", stage) + annotated("order", order) +
                                                             annotated("async_stages", "[0]")));
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}
// Arrays that the pipeline's loads go to, without those of loads that come before a barrier alone.
int earlyArrays(const dev::Program& program) {
  std::set<const ir::BufferNode*> ofBarriers;
  dev::forEach(program.kernels[0].body, [&](const dev::Stmt& s) {
    if (s->kind == dev::StmtKind::Store && dev::as<dev::StoreNode>(s)->loadsHere)
      ofBarriers.insert(dev::as<dev::StoreNode>(s)->to.buffer.get());
    return true;
  });
  return int(std::ranges::count_if(program.kernels[0].allocations, [&](const dev::Allocation& a) {
    return a.buffer->name.ends_with("_early") && !ofBarriers.contains(a.buffer.get());
  }));
}
Execution run(const dev::Program& program, int steps) {
  auto reference = Reference::create(parse(function(steps)), 1).value();
  return executionOf(program, reference, 1e-3);
}

TEST(EarlyLoads, ComeBeforeTheProductsOfTheirTurn) {
  for (const int steps : {1, 2, 3, 8}) {
    const dev::Program program = lowered(steps, "[0, 0, 1]", "[1, 2, 0]");
    const Execution o = run(program, steps);
    EXPECT_THAT(o.faults, testing::IsEmpty()) << steps;
    EXPECT_EQ(o.wrong, 0) << steps;
    EXPECT_EQ(earlyArrays(program), steps == 1 ? 0 : 2) << "a single step is no loop";
    if (steps < 3) continue;
    const std::string text = codegen::generate(program).text;
    const std::size_t load = text.find("(&A_shared_early["), product = text.find("wmma::mma_sync"),
                      store = text.rfind("reinterpret_cast<uint2*>(&A_shared_early[");
    EXPECT_LT(load, product) << text;
    EXPECT_LT(product, store) << text;
    EXPECT_THAT(text, Not(HasSubstr("cp.async")));
  }
}

TEST(EarlyLoads, AreThoseThatNothingCoversAlone) {
  EXPECT_EQ(earlyArrays(lowered(4, "[0, 0, 1]", "[0, 1, 2]")), 0) << "two slots: copies run beside products";
  EXPECT_EQ(earlyArrays(lowered(4, "[0, 0, 2]", "[1, 2, 0]", kTensorCore)), 0) << "three slots fit no block alone";
  EXPECT_EQ(earlyArrays(lowered(4, "[0, 0, 0]", "[0, 1, 2]")), 0) << "they come first as they are";
}

// That copies of `lines`, wherever in their turn they stand, pass the registers and are waited for at once.
void expectAsynchronous(int steps, const std::string& lines) {
  for (const auto& [stage, order] : {std::pair("[0, 0, 1]", "[1, 2, 0]"), std::pair("[0, 0, 0]", "[0, 1, 2]")}) {
    const dev::Program program = lowered(steps, stage, order, lines);
    EXPECT_EQ(earlyArrays(program), 0);
    EXPECT_THAT(program.remarks, testing::IsEmpty());
    EXPECT_THAT(codegen::generate(program).text, HasSubstr("cp_async_wait<0>"));
    const Execution o = run(program, steps);
    EXPECT_THAT(o.faults, testing::IsEmpty());
    EXPECT_EQ(o.wrong, 0);
  }
}

// While one block waits, another one multiplies.
TEST(EarlyLoads, AreNotMadeWhereBlocksShareAMultiprocessor) { expectAsynchronous(8, kTensorCore); }

// What a thread would hold meanwhile is 64 bytes at most: here, with eight steps of k at once, it would be 128.
TEST(EarlyLoads, TakeFewRegisters) {
  std::string lines = kAlone;
  lines.replace(lines.find("[None, 2])\nsch.reorder(bi"), 9, "[None, 8]");
  expectAsynchronous(32, lines);
}

TEST(EarlyLoads, EachBarrierThatIsMissingIsFound) {
  const dev::Program program = lowered(4, "[0, 0, 1]", "[1, 2, 0]");
  const auto without = [&](int missing, bool& done) {
    dev::Program less = program;
    const std::function<dev::Stmt(const dev::Stmt&)> walk = [&](const dev::Stmt& s) -> dev::Stmt {
      if (!dev::meetsBlock(dev::effectsOf(s)) || missing-- != 0) return dev::mapChildren(s, walk);
      done = true;
      return nullptr;
    };
    less.kernels[0].body = walk(program.kernels[0].body);
    return less;
  };
  int barriers = 0;
  for (;; ++barriers) {
    bool done = false;
    const dev::Program less = without(barriers, done);
    if (!done) break;
    EXPECT_THAT(run(less, 4).faults, Not(testing::IsEmpty())) << "barrier " << barriers;
  }
  EXPECT_GE(barriers, 3);
}

// Statements that are no copies from global to shared memory stay whole.
TEST(EarlyLoads, OtherStatementsAreNotDivided) {
  const ir::Buffer global = flat("G", 256), shared = flat("S", 256, "shared"), local = flat("L", 8, "local");
  const ir::Var i = ir::makeVar("i"), n = ir::makeVar("n");
  const auto divided = [](const dev::Stmt& s) { return lower::dividedCopy(s, {}, 0); };
  const auto loaded = [&](const ir::Buffer& b) { return ir::load(b, {ir::Expr(i)}); };
  const auto whole = divided(loop(i, 4, store(shared, i, loaded(global))));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->bytes, 16);
  EXPECT_EQ(whole->arrays.size(), 1U);
  EXPECT_TRUE(divided(loop(i, 4, onlyIf(ir::lt(i, intImm(3)), store(shared, i, loaded(global))))));
  EXPECT_FALSE(divided(loop(i, 4, store(local, i, loaded(global))))) << "not to shared memory";
  EXPECT_FALSE(divided(loop(i, 4, store(shared, i, loaded(shared))))) << "not from global memory";
  EXPECT_FALSE(divided(loop(i, 4, store(shared, i, loaded(global) + loaded(global))))) << "a sum";
  EXPECT_FALSE(divided(loop(i, 4, store(shared, loaded(local), loaded(global))))) << "where is loaded, too";
  EXPECT_FALSE(divided(dev::seq({loop(i, 4, store(shared, i, loaded(global))), dev::barrier()})));
  const dev::Stmt unknown = dev::edit<dev::LoopNode>(loop(i, 4, store(shared, i, loaded(global))),
                                                     [&](dev::LoopNode& l) { l.extent = ir::Expr(n); });
  EXPECT_FALSE(divided(unknown)) << "nobody knows how many registers";
  const dev::Stmt ofOne =
      dev::edit<dev::StoreNode>(store(shared, i, loaded(global)), [](dev::StoreNode& s) { s.uncovered.bits = 1; });
  EXPECT_FALSE(divided(loop(i, 4, ofOne))) << "one thread's";
}

}  // namespace
}  // namespace loom::exec::early_loads_test

// Copies through registers behind a barrier: where a thread loads several vectors in each turn of a loop, the loads
// come before the barrier, the stores behind it.
#include "core/lower/loads_before_barriers.h"

#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/device_programs.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::loads_before_barriers_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kRows = 64, kSteps = 4;

// The Tensor Core schedule, of which a thread copies 8 vectors of 8 bytes in each of `kSteps` steps of k.
std::string function(int k = 32 * kSteps) { return matmul(kRows, kRows, k, "float16"); }
dev::Program lowered(const std::string& lines = kTensorCore, int k = 32 * kSteps) {
  auto program = lower::lower(scheduled(function(k), lines));
  if (!program) throw std::runtime_error(program.error().message.english());
  return *program;
}
Execution run(const dev::Program& program, int k = 32 * kSteps) {
  auto reference = Reference::create(parse(function(k)), 1).value();
  return executionOf(program, reference, 1e-3);
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}
int loadsHere(const dev::Stmt& body) {
  int found = 0;
  dev::forEach(body, [&](const dev::Stmt& s) {
    return found += s->kind == dev::StmtKind::Store && dev::as<dev::StoreNode>(s)->loadsHere, true;
  });
  return found;
}
int loadsHere(const dev::Program& program) { return loadsHere(program.kernels[0].body); }

TEST(LoadsBeforeBarriers, AreThoseOfTheCopiesBehindThem) {
  const dev::Program program = lowered();
  EXPECT_EQ(loadsHere(program), 2) << "a statement for each factor";
  const std::string text = codegen::generate(program).text;
  const std::size_t a = text.find("= __ldca(reinterpret_cast<const uint2*>(&A["),
                    b = text.find("= __ldca(reinterpret_cast<const uint2*>(&B["), barrier = text.find("__syncthreads"),
                    store = text.find("= *reinterpret_cast<uint2*>(&A_shared_early[");
  EXPECT_LT(a, b) << text;
  EXPECT_LT(b, barrier) << text;
  EXPECT_LT(barrier, store) << text;
  EXPECT_LT(store, std::string::npos) << text;
  const Execution o = run(program);
  EXPECT_THAT(o.faults, IsEmpty());
  EXPECT_EQ(o.wrong, 0);
}

TEST(LoadsBeforeBarriers, EachBarrierThatIsMissingIsFound) {
  const dev::Program program = lowered();
  int barriers = 0;
  for (bool done = true; done; ++barriers) {
    int missing = barriers;
    done = false;
    const dev::Program less = changed(program, [&](const dev::Stmt& s) -> dev::Stmt {
      if (!isBarrier(s) || missing-- != 0) return s;
      done = true;
      return nullptr;
    });
    if (!done) break;
    EXPECT_THAT(run(less).faults, Not(IsEmpty())) << "barrier " << barriers;
  }
  EXPECT_EQ(barriers, 2);
}

TEST(LoadsBeforeBarriers, AreSeveralVectorsOfWhichAThreadHoldsAll) {
  const auto ofSteps = [](int tiles) {  // of a turn, in tiles of 16 along k: a thread copies 4 vectors for each
    const int k = 16 * tiles * kSteps;
    const dev::Program program = lowered(
        replaced(kTensorCore, "sch.split(k0, [None, 2])", "sch.split(k0, [None, " + std::to_string(tiles) + "])"), k);
    const Execution o = run(program, k);
    EXPECT_THAT(o.faults, IsEmpty()) << tiles;
    EXPECT_EQ(o.wrong, 0) << tiles;
    return loadsHere(program);
  };
  EXPECT_EQ(ofSteps(1), 0) << "four vectors";
  EXPECT_EQ(ofSteps(3), 2) << "12 vectors, 96 bytes";
  EXPECT_EQ(ofSteps(4), 0) << "128 bytes";
  const std::string single = replaced(replaced(kTensorCore, "sch.vectorize(f3)\n", ""), "sch.vectorize(g3)\n", "");
  EXPECT_EQ(loadsHere(lowered(single)), 0) << "no vectors";
  EXPECT_EQ(loadsHere(lowered(kTensorCore, 32)), 0) << "one turn is no loop";
}

// A kernel by hand of 32 threads: `turn`, given the number of a turn and the lane, is what a loop repeats.
class ByHand {
 public:
  const ir::Buffer from = flat("G", 4096), shared = flat("S", 2048, "shared"), own = flat("L", 256, "local");
  const ir::Var lane = ir::makeVar("t"), k = ir::makeVar("k"), v = ir::makeVar("v");

  // S[…] = G[…], `vectors` times four elements.
  dev::Stmt copy(int vectors = 8) const { return loop(v, vectors, copied()); }
  dev::Stmt copied() const {
    auto s = std::make_shared<dev::StoreNode>();
    s->to = {shared, {v * 128 + lane * 4}, 4, false};
    s->value = std::make_shared<ir::LoadNode>(from, std::vector<ir::Expr>{k * 128 + v * 128 + lane * 4},
                                              from->dtype.withLanes(4));
    return s;
  }
  dev::Stmt sum() const { return store(own, intImm(0), ir::load(shared, {ir::Expr(lane)})); }
  // How many copies are divided in a serial loop of `turn`, or in what `around` makes of it.
  int divided(std::vector<dev::Stmt> turn, std::int64_t registers = 1, dev::LoopUse use = dev::LoopUse::Serial) const {
    dev::Kernel kernel;
    kernel.block = {32, 1, 1};
    kernel.params = {from};
    for (const auto& [buffer, memory, elements] : {std::tuple(shared, dev::Memory::Shared, std::int64_t{2048}),
                                                   std::tuple(own, dev::Memory::Local, registers)}) {
      kernel.allocations.emplace_back();
      kernel.allocations.back().buffer = buffer;
      kernel.allocations.back().memory = memory;
      kernel.allocations.back().elements = elements;
    }
    kernel.body =
        dev::edit<dev::LoopNode>(loop(k, 4, dev::seq(std::move(turn))), [&](dev::LoopNode& n) { n.use = use; });
    const std::size_t before = kernel.allocations.size();
    lower::loadBeforeBarriers(kernel);
    EXPECT_EQ(int(kernel.allocations.size() - before), loadsHere(kernel.body));
    return loadsHere(kernel.body);
  }
};

TEST(LoadsBeforeBarriers, OtherTurnsStay) {
  const ByHand h;
  const dev::Stmt barrier = dev::barrier(), copy = h.copy(6), sum = h.sum();
  EXPECT_EQ(h.divided({barrier, copy, barrier, sum}), 1);
  EXPECT_EQ(h.divided({barrier, block("A", copy), barrier, sum}), 1);
  EXPECT_EQ(h.divided({barrier, sum, barrier, copy}), 1) << "up to the end of the turn";
  EXPECT_EQ(h.divided({barrier, h.copy(3), h.copy(3), barrier, sum}), 2) << "six together";
  EXPECT_EQ(h.divided({copy, barrier, sum}), 0) << "no barrier before it";
  EXPECT_EQ(h.divided({barrier, sum, copy, barrier}), 0) << "not directly behind it";
  EXPECT_EQ(h.divided({barrier, copy, sum, barrier}), 0) << "something else among them";
  EXPECT_EQ(h.divided({barrier, h.copy(5), barrier, sum}), 0) << "few";
  EXPECT_EQ(h.divided({barrier, h.copy(7), barrier, sum}), 0) << "112 bytes";
  EXPECT_EQ(h.divided({barrier, copy, barrier, sum}, 1, dev::LoopUse::Unrolled), 0) << "no serial loop";
  EXPECT_EQ(h.divided({onlyIf(ir::lt(h.k, intImm(2)), dev::seq({barrier, copy, barrier})), sum}), 0) << "not each turn";
  EXPECT_EQ(h.divided({barrier, copy, barrier, store(h.from, h.lane, ir::load(h.shared, {ir::Expr(h.lane)}))}), 0)
      << "what is loaded is written, too";
  EXPECT_EQ(h.divided({barrier, onlyIf(ir::lt(h.lane, intImm(16)), copy), barrier, sum}), 1) << "of some threads";
  EXPECT_EQ(h.divided({barrier, onlyIf(ir::lt(ir::load(h.shared, {intImm(0)}), intImm(1)), copy), barrier, sum}), 0)
      << "what the condition reads may be written before the barrier";
  EXPECT_EQ(h.divided({barrier, copy, barrier, sum}, 200), 0) << "no registers are left";
}

}  // namespace
}  // namespace loom::exec::loads_before_barriers_test

// Lowered programs with one thing taken out: the executor must notice each.
#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::mutation_test {
namespace {

namespace dev = loom::device;

const std::string kShared =
    tests::scheduleText("tiles_of_64_threads") + tests::scheduleText("shared_copy_and_local_sum");

// The program without the n-th statement that `wanted` picks (an If loses its condition instead); nothing if there are
// fewer.
std::optional<dev::Program> without(const dev::Program& program, int n,
                                    const std::function<bool(const dev::Stmt&)>& wanted) {
  dev::Program changed = program;
  bool done = false;
  std::function<dev::Stmt(const dev::Stmt&)> walk = [&](const dev::Stmt& s) -> dev::Stmt {
    if (wanted(s) && n-- == 0) {
      done = true;
      return s->kind == dev::StmtKind::If ? dev::as<dev::IfNode>(s)->yes : nullptr;
    }
    return dev::mapChildren(s, walk);
  };
  for (dev::Kernel& k : changed.kernels) k.body = walk(k.body);
  if (!done) return std::nullopt;
  return changed;
}

std::vector<Finding> run(const dev::Program& program, const ir::Function& original) {
  auto reference = Reference::create(original, 1).value();
  auto executable = prepare(program).value();
  GlobalMemory memory(executable, reference.contents(), {});
  return execute(executable, {}, memory).value();
}

TEST(Mutation, EveryBarrierIsMissed) {
  auto original = parse(matmul(37, 29, 13));
  auto program = lower::lower(scheduled(matmul(37, 29, 13), kShared)).value();
  ASSERT_TRUE(run(program, original).empty());
  int barriers = 0;
  for (;; ++barriers) {
    auto less = without(program, barriers, [](const dev::Stmt& s) { return s->kind == dev::StmtKind::Sync; });
    if (!less) break;
    auto findings = run(*less, original);
    ASSERT_FALSE(findings.empty()) << "barrier " << barriers << "\n" << dev::print(program);
    EXPECT_EQ(findings[0].kind, Finding::Kind::RaceInBlock) << describe(findings[0]);
    EXPECT_EQ(findings[0].buffer, "A_shared");
  }
  EXPECT_GE(barriers, 2);
}

TEST(Mutation, BarrierBetweenCopiesAndFragmentsIsMissedAndTheWarpNamed) {
  std::string text = matmul(64, 64, 64, "float16");
  auto program = lower::lower(scheduled(text, kTensorCore)).value();
  auto less = without(program, 0, [](const dev::Stmt& s) { return s->kind == dev::StmtKind::Sync; });
  ASSERT_TRUE(less);
  auto findings = run(*less, parse(text));
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, Finding::Kind::RaceInBlock);
  EXPECT_FALSE(findings[0].wholeWarp);
  EXPECT_TRUE(findings[0].otherWholeWarp);
  EXPECT_THAT(describe(findings[0]).english(), testing::HasSubstr("which the warp of thread (0, "));
  EXPECT_THAT(describe(findings[0]).english(), testing::HasSubstr("k_0_0 = 1"));
}

TEST(Mutation, EveryGuardAgainstTheEdgeIsMissed) {
  auto original = parse(matmul(37, 29, 13));
  auto program = lower::lower(scheduled(matmul(37, 29, 13), kShared)).value();
  int guards = 0;
  for (;; ++guards) {
    // Initialising registers that nobody uses would harm nobody.
    auto less = without(program, guards, [](const dev::Stmt& s) {
      if (s->kind != dev::StmtKind::If) return false;
      const dev::Stmt& yes = dev::as<dev::IfNode>(s)->yes;
      return yes->kind != dev::StmtKind::Block || dev::as<dev::BlockNode>(yes)->name != "C_init";
    });
    if (!less) break;
    auto findings = run(*less, original);
    ASSERT_FALSE(findings.empty()) << "guard " << guards << "\n" << dev::print(program);
  }
  EXPECT_GE(guards, 2);
}

TEST(Mutation, EveryLeadingDimensionOfAFragmentThatIsWrongIsFound) {
  std::string text = matmul(64, 64, 64, "float16");
  auto original = parse(text);
  auto program = lower::lower(scheduled(text, kTensorCore)).value();
  ASSERT_TRUE(run(program, original).empty());
  int accesses = 0;
  for (;; ++accesses) {
    dev::Program changed = program;
    int n = accesses;
    bool done = false;
    std::function<dev::Stmt(const dev::Stmt&)> walk = [&](const dev::Stmt& s) -> dev::Stmt {
      if (s->kind == dev::StmtKind::Operation && dev::placeOf(*dev::as<dev::OperationNode>(s), "m") && n-- == 0) {
        done = true;
        return dev::edit<dev::OperationNode>(
            s, [](dev::OperationNode& w) { w.values[0] = ir::binary(ir::ExprKind::Add, w.values[0], ir::intImm(8)); });
      }
      return dev::mapChildren(s, walk);
    };
    for (dev::Kernel& k : changed.kernels) k.body = walk(k.body);
    if (!done) break;
    auto findings = run(changed, original);
    ASSERT_FALSE(findings.empty()) << "access " << accesses;
    // Rows beyond the tile: outside shared memory, or another warp's part of C.
    EXPECT_EQ(findings[0].kind, accesses < 2 ? Finding::Kind::OutOfBounds : Finding::Kind::RaceInBlock)
        << describe(findings[0]);
    EXPECT_TRUE(findings[0].wholeWarp);
    EXPECT_FALSE(findings[0].blockName.empty());
    EXPECT_FALSE(findings[0].loops.empty() && findings[0].threads.empty());
  }
  EXPECT_EQ(accesses, 3);
}

TEST(Mutation, StoreOfAnAccumulatorThatIsNeverSetIsMissed) {
  auto original = parse(matmul(37, 29, 13));
  auto program = lower::lower(scheduled(matmul(37, 29, 13), kShared)).value();
  auto less = without(program, 0, [](const dev::Stmt& s) {
    return s->kind == dev::StmtKind::Store && dev::as<dev::StoreNode>(s)->to.buffer->name == "C_local";
  });
  ASSERT_TRUE(less);
  auto findings = run(*less, original);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].kind, Finding::Kind::Uninitialised);
  EXPECT_EQ(findings[0].buffer, "C_local");
}

}  // namespace
}  // namespace loom::exec::mutation_test

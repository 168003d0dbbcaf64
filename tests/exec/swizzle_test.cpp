// A swizzled tile computes what a plain one does, and an address that forgets the swizzle is found.
#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::swizzle_test {
namespace {

namespace dev = loom::device;

// Addresses without their xor.
class Forgetting : public ir::Mutator {
 public:
  ir::Expr rewriteCall(const ir::Expr& e) override {
    const auto& call = *ir::as<ir::CallNode>(e);
    return call.op == "bitwise_xor" ? call.args[0] : Mutator::rewriteCall(e);
  }
};

// The elements of C that differ from the original's, or -1 where something else is wrong.
int wrongElements(const dev::Program& program, const ir::Function& function, Reference& reference) {
  auto executable = prepare(program).value();
  GlobalMemory memory(executable, reference.contents(), {});
  const auto findings = execute(executable, {}, memory).value();
  for (const Finding& f : findings)
    if (isFault(f.kind)) return -1;
  const int output = reference.outputs().front();
  const Area& area = memory.at(function->params[std::size_t(output)].buffer->data.get());
  int wrong = 0;
  for (std::int64_t e = 0; e < area.elements; ++e) wrong += reference.at(output, e)->f != area.values[e].f;
  return wrong;
}

TEST(Swizzle, ComputesWhatAPlainTileDoes) {
  const std::string lines = tests::scheduleText("row_reads") + "sch.annotate(a, \"tileloom.swizzle\", 128)\n";
  const auto original = parse(matmul(64, 64, 64));
  const auto function = scheduled(matmul(64, 64, 64), lines);
  auto program = lower::lower(function);
  ASSERT_TRUE(program) << program.error().message.english();
  auto reference = Reference::create(original, 1).value();
  EXPECT_EQ(wrongElements(*program, function, reference), 0);
  // Where the readers forget it, most elements are wrong: of the eight rows that a pattern turns, one is where it was.
  dev::Program wrong = *program;
  Forgetting forget;
  const std::function<dev::Stmt(const dev::Stmt&)> walk = [&](const dev::Stmt& s) -> dev::Stmt {
    const bool reader = s->kind == dev::StmtKind::Store && dev::as<dev::StoreNode>(s)->to.buffer->scope == "local";
    const dev::Stmt own = reader ? dev::mapExpressions(s, [&](const ir::Expr& e) { return forget.rewrite(e); }) : s;
    return dev::mapChildren(own, walk);
  };
  wrong.kernels[0].body = walk(wrong.kernels[0].body);
  EXPECT_GT(wrongElements(wrong, function, reference), 64 * 64 / 2);
}

// The versions of a ring lie one behind the other, each swizzled by itself.
TEST(Swizzle, ComputesTheSameInARing) {
  const std::string lines = tests::scheduleText("row_reads") + tests::scheduleText("swizzled_ring");
  const auto original = parse(matmul(64, 64, 128));
  const auto function = scheduled(matmul(64, 64, 128), lines);
  auto program = lower::lower(function);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_TRUE(std::ranges::any_of(program->kernels[0].allocations, [](const dev::Allocation& a) {
    return a.versions == std::vector<std::int64_t>{2} && a.layout.stages().size() == 2;
  }));
  auto reference = Reference::create(original, 1).value();
  EXPECT_EQ(wrongElements(*program, function, reference), 0);
}

}  // namespace
}  // namespace loom::exec::swizzle_test

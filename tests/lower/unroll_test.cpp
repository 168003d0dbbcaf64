// Which loops pragma_auto_unroll_max_step and pragma_unroll_explicit unroll, and how: as TVM 0.22's UnrollLoop.
#include <gmock/gmock.h>

#include <map>

#include "core/lower/annotations.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::unroll_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kProduct = tests::programText("product", {{"M", 4}, {"N", 8}, {"K", 6}});
const std::string kLoops = tests::scheduleText("decomposed_product");

struct Kept {
  std::vector<std::string> loops;  // names, those for CUDA's compiler to unroll with a star
  int stores = 0;
};
Kept kept(const device::Program& program) {
  Kept all;
  device::forEach(program.kernels[0].body, [&](const device::Stmt& s) {
    if (s->kind == device::StmtKind::Store) ++all.stores;
    if (s->kind == device::StmtKind::Loop) {
      const auto& n = *device::as<device::LoopNode>(s);
      all.loops.push_back(n.var->name + (n.unrolled() ? "*" : ""));
    }
    if (s->kind == device::StmtKind::Block) {
      EXPECT_FALSE(device::as<device::BlockNode>(s)->name.empty()) << "what was there for annotations alone is gone";
    }
    return true;
  });
  return all;
}
Result<device::Program> lowered(const std::string& lines, const std::string& function = kProduct) {
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
  if (replay.refusal) ADD_FAILURE() << replay.refusal->message.english();
  return lower(replay.last.module().functions.front());
}
Kept unrolled(const std::string& lines) {
  const auto program = lowered(kLoops + lines);
  if (!program) {
    ADD_FAILURE() << program.error().message.english();
    return {};
  }
  EXPECT_THAT(program->remarks, IsEmpty());
  return kept(*program);
}
std::string annotated(const std::string& what, int steps) {
  return "sch.annotate(" + what + ", \"pragma_auto_unroll_max_step\", " + std::to_string(steps) + ")\n";
}

// The body of j: one store of init, and k with one a trip.
TEST(Unroll, LoopsWithAtMostSoManySteps) {
  const Kept none = unrolled(annotated("i", 5));
  EXPECT_THAT(none.loops, ElementsAre("i", "j", "k"));
  const Kept inner = unrolled(annotated("i", 6));
  EXPECT_THAT(inner.loops, ElementsAre("i", "j"));
  EXPECT_EQ(inner.stores, 7);
  EXPECT_THAT(unrolled(annotated("i", 55)).loops, ElementsAre("i", "j"));
  const Kept two = unrolled(annotated("i", 56));
  EXPECT_THAT(two.loops, ElementsAre("i"));
  EXPECT_EQ(two.stores, 56);
  const Kept all = unrolled(annotated("i", 224));
  EXPECT_THAT(all.loops, IsEmpty());
  EXPECT_EQ(all.stores, 224);
}

TEST(Unroll, OnlyInsideOfWhatIsAnnotated) {
  EXPECT_THAT(unrolled(annotated("j", 1000)).loops, ElementsAre("i"));
  EXPECT_THAT(unrolled(annotated("k", 1000)).loops, ElementsAre("i", "j"));
  EXPECT_THAT(unrolled(annotated("b", 1000)).loops, ElementsAre("i", "j", "k")) << "a block around one store";
  EXPECT_THAT(unrolled(annotated("k", 0) + annotated("i", 1000)).loops, ElementsAre("i", "j", "k"))
      << "a loop that stays keeps those around it";
}

TEST(Unroll, ByTheCompilerWhereItIsNotExplicit) {
  const Kept marked = unrolled(annotated("i", 56) + "sch.annotate(i, \"pragma_unroll_explicit\", 0)\n");
  EXPECT_THAT(marked.loops, ElementsAre("i", "j*", "k*"));
  EXPECT_EQ(marked.stores, 2);
}

// sch.unroll, with and without: TVM repeats statements, here that is the compiler's without an annotation.
TEST(Unroll, ExplicitlyWhatIsUnrolledAnyway) {
  EXPECT_THAT(unrolled("sch.unroll(j)\n").loops, ElementsAre("i", "j*", "k"));
  const Kept explicitly = unrolled("sch.unroll(j)\nsch.annotate(i, \"pragma_unroll_explicit\", 1)\n");
  EXPECT_THAT(explicitly.loops, ElementsAre("i", "k", "k", "k", "k", "k", "k", "k", "k"));
  EXPECT_THAT(unrolled("sch.unroll(j)\n" + annotated("i", 0)).loops.size(), 9U) << "explicit is TVM's default";
}

// Loops of one iteration, and those over threads, go; their annotations hold inside.
TEST(Unroll, InsideOfLoopsThatAreNone) {
  const auto threads = lowered(tests::scheduleText("decomposed_rows_of_threads") + annotated("i", 56));
  ASSERT_TRUE(threads) << threads.error().message.english();
  EXPECT_THAT(kept(*threads).loops, IsEmpty());
  EXPECT_THAT(unrolled("u = sch.add_unit_loop(j)\n" + annotated("u", 56)).loops, ElementsAre("i"));
}

TEST(UnrollRefused, ByAnythingButANumber) {
  const auto program = lowered(kLoops + "sch.annotate(i, \"pragma_auto_unroll_max_step\", \"many\")\n");
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message.english(),
              HasSubstr("the annotation \"pragma_auto_unroll_max_step\" of a loop is no whole number"));
  const auto block = lowered(kLoops + "sch.annotate(b, \"pragma_unroll_explicit\", \"yes\")\n");
  ASSERT_FALSE(block);
  EXPECT_THAT(block.error().message.english(), HasSubstr("of block C_update is no whole number"));
}

}  // namespace
}  // namespace loom::lower::unroll_test

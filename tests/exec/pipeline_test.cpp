// Loops whose iterations overlap compute what they did, whatever their stages; and each way to get a pipeline wrong is
// found.
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/exec/execute.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"
#include "tests/schedules/turn.h"

namespace loom::exec::pipeline_test {
namespace {

namespace dev = loom::device;
using testing::HasSubstr;

struct Product {
  ir::Function function;
  Reference reference;
  explicit Product(int k) : function(parse(matmul(32, 32, k))), reference(Reference::create(function, 1).value()) {}

  Execution run(const dev::Program& program) { return executionOf(program, reference); }
};

std::string list(const std::vector<int>& numbers) {
  std::string text;
  for (int n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "[" + text + "]";
}

Result<dev::Program> pipelined(int k, const std::vector<int>& stage, const std::vector<int>& order,
                               const std::vector<int>& async) {
  std::string lines =
      tests::scheduleText("staged_copies", {{"STAGE", list(stage)}, {"ORDER", list(order)}, {"ASYNC", list(async)}});
  // TVM takes no empty list as an annotation's value.
  if (async.empty()) lines = tests::withoutLine(std::move(lines), "software_pipeline_async_stages");
  return lower::lower(scheduled(matmul(32, 32, k), lines));
}

int count(const dev::Stmt& s, const std::function<bool(const dev::Stmt&)>& is) {
  int n = 0;
  dev::forEach(s, [&](const dev::Stmt& inner) { return n += is(inner), true; });
  return n;
}
bool isBarrier(const dev::Stmt& s) { return dev::meetsBlock(dev::effectsOf(s)); }

// All orders of stages up to 2 that TVM allows, with fewer iterations than stages and with more; by turns none of the
// stages is asynchronous, the first, or both.
TEST(Pipeline, ComputesTheSameWithAllStagesAndOrders) {
  const std::array<std::vector<int>, 3> asyncs{std::vector<int>{0, 1}, {0}, {}};
  const tests::Turn turn(2);
  std::size_t next = 0, refused = 0;
  for (int k : {16, 40}) {
    Product product(k);
    for (int stages = 0; stages < 27; ++stages) {
      const std::vector<int> stage{stages % 3, stages / 3 % 3, stages / 9};
      std::vector<int> order{0, 1, 2};
      do {
        bool legal = true;
        for (int copy : {0, 1}) legal &= stage[copy] < stage[2] || (stage[copy] == stage[2] && order[copy] < order[2]);
        const std::vector<int>& async = asyncs[legal ? next % asyncs.size() : 0];
        if (!turn.has(legal ? next++ : refused++)) continue;
        SCOPED_TRACE("k " + std::to_string(k) + " stage " + list(stage) + " order " + list(order) + " async " +
                     list(async));
        auto program = pipelined(k, stage, order, async);
        ASSERT_EQ(program.has_value(), legal);
        if (!program) {
          EXPECT_THAT(program.error().message.english(), HasSubstr("in the pipeline it would come before"));
          continue;
        }
        const Execution o = product.run(*program);
        EXPECT_THAT(o.faults, testing::IsEmpty());
        EXPECT_EQ(o.wrong, 0);
      } while (std::ranges::next_permutation(order).found);
    }
  }
}

// A barrier publishes what has landed, and stands between a slot's readers and its next copy: one does both where the
// reader comes first.
TEST(Pipeline, HasNoBarrierMoreThanItNeeds) {
  const auto barriersOfLoop = [](const std::vector<int>& order) {
    const auto program = pipelined(64, {0, 0, 2}, order, {0}).value();
    int found = 0;
    dev::forEach(program.kernels[0].body, [&](const dev::Stmt& s) {
      if (s->kind == dev::StmtKind::Loop && ir::isConst(dev::as<dev::LoopNode>(s)->extent, 6))
        found += count(s, isBarrier);
      return true;
    });
    return found;
  };
  EXPECT_EQ(barriersOfLoop({1, 2, 0}), 1);
  EXPECT_EQ(barriersOfLoop({0, 1, 2}), 2);
}

// What the barrier keeps in order: copies are read once they have landed, and slots are filled again once they are
// read.
TEST(Pipeline, ItsBarrierSaysWhatItKeepsInOrder) {
  const auto program = pipelined(64, {0, 0, 2}, {1, 2, 0}, {0}).value();
  std::vector<std::string> orders;
  std::map<ir::Id, std::string> names;
  dev::forEach(program.kernels[0].body, [&](const dev::Stmt& s) {
    if (s->kind == dev::StmtKind::Block) names[dev::as<dev::BlockNode>(s)->block] = dev::as<dev::BlockNode>(s)->name;
    return true;
  });
  dev::forEach(program.kernels[0].body, [&](const dev::Stmt& s) {
    if (s->kind != dev::StmtKind::Loop || !ir::isConst(dev::as<dev::LoopNode>(s)->extent, 6)) return true;
    dev::forEach(s, [&](const dev::Stmt& inner) {
      if (!isBarrier(inner)) return true;
      for (const dev::OrderedAccesses& o : dev::as<dev::SyncNode>(inner)->orders)
        orders.push_back(names[o.before.at(0)] + (o.writesBefore ? " writes, " : " reads, ") + names[o.after.at(0)] +
                         (o.writesAfter ? " writes" : " reads"));
      return true;
    });
    return false;
  });
  EXPECT_THAT(orders,
              testing::UnorderedElementsAre("A_shared writes, C_update reads", "B_shared writes, C_update reads",
                                            "C_update reads, A_shared writes", "C_update reads, B_shared writes",
                                            // What the first iterations copied, by the slots that the loop fills again.
                                            "A_shared writes, A_shared writes", "B_shared writes, B_shared writes"));
}

// Registers filled ahead of the barrier, from the next slot of the ring, in a loop over tiles that a block computes one
// after the other; the versions of a turn by a variable or, unrolled, as constants, with turns left over and without.
class FragmentsAhead : public testing::TestWithParam<std::string> {
 protected:
  static dev::Program lowered(int k, const std::string& more) {
    const std::string lines = tests::scheduleText(
        "staged_fragments", {{"STAGE", "[0, 0, 1, 2, 2]"}, {"ORDER", "[3, 4, 1, 0, 2]"}, {"MORE", more}});
    return lower::lower(scheduled(matmul(32, 32, k), lines)).value();
  }
};

TEST_P(FragmentsAhead, ComputeTheSame) {
  for (int k : {24, 64, 72}) {
    SCOPED_TRACE(k);
    Product product(k);
    const Execution o = product.run(lowered(k, GetParam()));
    EXPECT_THAT(o.faults, testing::IsEmpty());
    EXPECT_EQ(o.wrong, 0);
  }
}
INSTANTIATE_TEST_SUITE_P(Unrolled, FragmentsAhead,
                         testing::Values("", "sch.annotate(k0, \"tileloom.unroll_stages\", 6)",
                                         "sch.annotate(k0, \"tileloom.unroll_stages\", 12)"));

// Registers whose version depended on a variable would lie in memory: their loop is unrolled without being told.
// Here those that are read ahead come before all products of the turn.
TEST(Pipeline, RegistersOfSeveralVersionsAreNamedByConstants) {
  const std::string lines = tests::scheduleText(
      "staged_fragments", {{"STAGE", "[0, 0, 1, 2, 2]"}, {"ORDER", "[3, 4, 0, 1, 2]"}, {"MORE", ""}});
  const auto program = lower::lower(scheduled(matmul(32, 32, 64), lines)).value();
  std::set<const ir::VarNode*> rolled;
  int accesses = 0;
  const auto check = [&](const ir::Buffer& buffer, const ir::Expr& index) {
    if (dev::memoryOf(buffer->scope) != dev::Memory::Local) return;
    ++accesses;
    EXPECT_FALSE(ir::usesVar(index, [&](const ir::VarNode* v) { return rolled.contains(v); })) << buffer->name;
  };
  dev::forEach(program.kernels[0].body, [&](const dev::Stmt& s) {
    if (s->kind == dev::StmtKind::Loop && !dev::as<dev::LoopNode>(s)->unrolled() &&
        dev::as<dev::LoopNode>(s)->pipelined)
      rolled.insert(dev::as<dev::LoopNode>(s)->var.get());
    for (const dev::MemoryEffect& effect : dev::effectsOf(s).memory) check(effect.place.buffer, effect.place.index());
    return true;
  });
  EXPECT_GT(accesses, 4);
  EXPECT_FALSE(rolled.empty());
}

// Between two turns lies one barrier, where the fragments of the next slot are read ahead: the rest of the slot was
// published with them.
TEST(Pipeline, ASlotThatIsReadInTwoTurnsIsWaitedForOnce) {
  const std::string lines =
      tests::scheduleText("staged_fragments", {{"STAGE", "[0, 0, 1, 2, 2]"},
                                               {"ORDER", "[3, 4, 1, 0, 2]"},
                                               {"MORE", "sch.annotate(k0, \"tileloom.unroll_stages\", 6)"}});
  const auto program = lower::lower(scheduled(matmul(32, 32, 128), lines)).value();
  int turns = 0;
  dev::forEach(program.kernels[0].body, [&](const dev::Stmt& s) {
    if (s->kind != dev::StmtKind::Loop || !ir::isConst(dev::as<dev::LoopNode>(s)->extent, 6)) return true;
    ++turns;
    EXPECT_EQ(count(s, isBarrier), 1);
    return false;
  });
  EXPECT_EQ(turns, 1);
}

TEST(Pipeline, IsUnrolledByMultiplesOfItsVersionsOnly) {
  const auto refusal = [](const std::string& turns) {
    const std::string lines = tests::scheduleText(
        "staged_fragments",
        {{"STAGE", "[0, 0, 1, 2, 2]"}, {"ORDER", "[3, 4, 1, 0, 2]"}, {"MORE", "sch.annotate(" + turns + ")"}});
    auto program = lower::lower(scheduled(matmul(32, 32, 64), lines));
    return program ? std::string() : program.error().message.english();
  };
  EXPECT_THAT(refusal("k0, \"tileloom.unroll_stages\", 4"),
              HasSubstr("can't be unrolled by 4 turns: its buffers are at their first versions again after 3"));
  EXPECT_THAT(refusal("k0, \"tileloom.unroll_stages\", 0"), HasSubstr("is a whole number from 1 to 64"));
  EXPECT_THAT(refusal("i0, \"tileloom.unroll_stages\", 2"), HasSubstr("loop i_0 is no pipeline"));
}

class Faults : public testing::Test {
 protected:
  Product product{64};
  dev::Program program = pipelined(64, {0, 0, 2}, {1, 2, 0}, {0}).value();

  using Change = std::function<dev::Stmt(const dev::Stmt&)>;
  Execution with(const Change& change) {
    dev::Program wrong = program;
    const Change walk = [&](const dev::Stmt& s) {
      const dev::Stmt own = change(s);
      return own ? dev::mapChildren(own, walk) : own;
    };
    wrong.kernels[0].body = walk(wrong.kernels[0].body);
    return product.run(wrong);
  }
  static dev::Stmt expressions(const dev::Stmt& s, const std::function<ir::Expr(const ir::BinaryNode&)>& ofSlots) {
    struct Rewrite : ir::Mutator {
      explicit Rewrite(const std::function<ir::Expr(const ir::BinaryNode&)>& f) : f(f) {}
      ir::Expr rewriteBinary(const ir::Expr& e) override {
        const ir::Expr inner = Mutator::rewriteBinary(e);
        const auto* n = ir::asBinary(inner);
        const bool slot = n && n->kind == ir::ExprKind::FloorMod && ir::isConst(n->b, 3);
        return slot ? f(*n) : inner;
      }
      const std::function<ir::Expr(const ir::BinaryNode&)>& f;
    } rewrite(ofSlots);
    return dev::mapExpressions(s, [&](const ir::Expr& e) { return rewrite.rewrite(e); });
  }
};

TEST_F(Faults, NoneIsFoundWhereNoneIs) {
  const Execution o = with([](const dev::Stmt& s) { return s; });
  EXPECT_THAT(o.faults, testing::IsEmpty());
  EXPECT_EQ(o.wrong, 0);
}

TEST_F(Faults, AWaitThatAllowsOneGroupTooManyIsFound) {
  const Execution o = with([](const dev::Stmt& s) {
    const bool wait = s->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(s)->token == dev::Token::AsyncCopies &&
                      dev::as<dev::SyncNode>(s)->does == dev::SyncNode::Does::Wait;
    return wait ? dev::edit<dev::SyncNode>(s, [](dev::SyncNode& n) { ++n.allow; }) : s;
  });
  EXPECT_THAT(o.faults, testing::Contains("before_wait"));
  EXPECT_GT(o.wrong, 0) << "where the copies land late";
}

TEST_F(Faults, AMissingCommitIsFound) {
  const Execution o = with([](const dev::Stmt& s) {
    const bool commit =
        s->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(s)->does == dev::SyncNode::Does::Commit;
    return commit ? dev::Stmt(std::make_shared<dev::SeqNode>()) : s;
  });
  EXPECT_THAT(o.faults, testing::Contains("before_wait"));
}

TEST_F(Faults, AMissingBarrierIsFound) {
  const Execution o =
      with([](const dev::Stmt& s) { return isBarrier(s) ? dev::Stmt(std::make_shared<dev::SeqNode>()) : s; });
  EXPECT_THAT(o.faults, testing::Contains("race_in_block"));
}

// Two slots for what needs three: the copy overwrites what is still to be read.
TEST_F(Faults, ASlotThatIsOverwrittenBeforeItIsReadIsFound) {
  const Execution o = with([](const dev::Stmt& s) {
    return expressions(s, [](const ir::BinaryNode& n) { return ir::floormod(n.a, ir::intImm(2)); });
  });
  EXPECT_FALSE(o.faults.empty());
  EXPECT_GT(o.wrong, 0);
}

// The reader is one slot behind from the first wrap on.
TEST_F(Faults, TheWrongSlotIsFound) {
  const Execution o = with([](const dev::Stmt& s) {
    if (s->kind != dev::StmtKind::Store ||
        dev::isShared(dev::memoryOf(dev::as<dev::StoreNode>(s)->to.buffer->scope).value()))
      return s;
    return expressions(s, [](const ir::BinaryNode& n) { return ir::floormod(n.a + ir::intImm(1), n.b); });
  });
  EXPECT_FALSE(o.faults.empty());
  EXPECT_GT(o.wrong, 0);
}

// --- what the lists must be ---

TEST(Pipeline, RefusesListsThatDontFit) {
  const auto refusal = [](const std::vector<int>& stage, const std::vector<int>& order) {
    auto program = pipelined(64, stage, order, {});
    return program ? std::string() : program.error().message.english();
  };
  EXPECT_THAT(refusal({0, 0}, {0, 1, 2}), HasSubstr("has 3 statements, and \"software_pipeline_stage\" has 2 entries"));
  EXPECT_THAT(refusal({0, 0, 1}, {0, 1}), HasSubstr("has 3 statements, and \"software_pipeline_order\" has 2 entries"));
  EXPECT_THAT(refusal({0, 0, 1}, {0, 1, 1}), HasSubstr("isn't each of 0 … 2 once"));
  EXPECT_THAT(refusal({1, 0, 0}, {0, 1, 2}), HasSubstr("in the pipeline it would come before"));
}

// TVM counts a loop of one iteration as one statement, whatever stands in it.
TEST(Pipeline, ALoopOfOneIterationIsOneOfItsStatements) {
  std::string lines = kTensorCore;
  lines.replace(lines.find("[None, 2])\nsch.reorder(bi"), 9, "[None, 1]");
  const auto lowered = [&](const std::string& stage, const std::string& order) {
    return lower::lower(scheduled(matmul(64, 64, 128, "float16"),
                                  lines + "sch.annotate(ko, \"software_pipeline_stage\", " + stage +
                                      ")\nsch.annotate(ko, \"software_pipeline_order\", " + order + ")\n"));
  };
  const auto program = lowered("[0, 0, 1]", "[0, 1, 2]");
  ASSERT_TRUE(program) << program.error().message.english();
  auto reference = Reference::create(parse(matmul(64, 64, 128, "float16")), 1).value();
  const Execution o = executionOf(*program, reference, 1e-3);
  EXPECT_THAT(o.faults, testing::IsEmpty());
  EXPECT_EQ(o.wrong, 0);
  EXPECT_THAT(lowered("[0, 0, 1, 1, 1]", "[0, 1, 2, 3, 4]").error().message.english(), HasSubstr("has 3 statements"));
}

// A copy that would be waited for before anything else runs goes through registers where a thread can hold all that it
// copies, 64 bytes; else it stays asynchronous, which takes no registers.
TEST(Pipeline, CopiesPastRegistersWhatAThreadCantHold) {
  constexpr int kSteps = 4;
  for (const auto& [columns, asynchronous] : {std::pair(32, false), std::pair(64, true)}) {  // of a tile: a thread
    SCOPED_TRACE(columns);                                                                   // copies 64 or 128 bytes
    std::string lines =
        tests::scheduleText("staged_copies", {{"STAGE", "[0, 0, 1]"}, {"ORDER", "[1, 2, 0]"}, {"ASYNC", "[0]"}});
    const auto replace = [&](const std::string& from, const std::string& to) {
      for (std::size_t at; (at = lines.find(from)) != std::string::npos;) lines.replace(at, from.size(), to);
    };
    replace("sch.split(k, [None, 8])", "sch.split(k, [None, " + std::to_string(columns) + "])");
    replace("[8, None, 2]", "[8, 8, None]");
    Product product(kSteps * columns);
    const auto program = lower::lower(scheduled(matmul(32, 32, kSteps * columns), lines)).value();
    const auto isWait = [](const dev::Stmt& s) {
      return s->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(s)->token == dev::Token::AsyncCopies;
    };
    EXPECT_EQ(count(program.kernels[0].body, isWait) > 0, asynchronous);
    EXPECT_EQ(program.remarks.empty(), asynchronous);
    const Execution o = product.run(program);
    EXPECT_THAT(o.faults, testing::IsEmpty());
    EXPECT_EQ(o.wrong, 0);
  }
}

// Of two bytes a thread nothing can be started ahead: it is done at once, said, and right.
TEST(Pipeline, CopiesAtOnceWhatGpusCantCopyPastRegisters) {
  const std::string lines =
      tests::scheduleText("staged_copies", {{"STAGE", "[0, 0, 1]"}, {"ORDER", "[0, 1, 2]"}, {"ASYNC", "[0]"}});
  const auto program = lower::lower(scheduled(matmul(32, 32, 64, "int8"), lines)).value();
  ASSERT_FALSE(program.remarks.empty());
  EXPECT_THAT(program.remarks[0].text.english(), HasSubstr("isn't started ahead"));
  EXPECT_EQ(count(program.kernels[0].body, [](const dev::Stmt& s) { return s->kind == dev::StmtKind::Operation; }), 0);
  EXPECT_EQ(count(program.kernels[0].body,
                  [](const dev::Stmt& s) {
                    return s->kind == dev::StmtKind::Sync &&
                           dev::as<dev::SyncNode>(s)->token == dev::Token::AsyncCopies;
                  }),
            0)
      << "and nobody waits";
}

}  // namespace
}  // namespace loom::exec::pipeline_test

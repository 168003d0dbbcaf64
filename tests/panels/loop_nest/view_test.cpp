#include "app/panels/loop_nest/view/loop_nest.h"

#include <gmock/gmock.h>

#include "app/panels/loop_nest/view/labels.h"
#include "app/panels/loop_nest/view/repetition_text.h"
#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::loop_nest_view_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const intrin::Library& intrinsics() {
  static const auto library = intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics");
  return *library;
}

const document::History& lesson(const std::string& name) {
  static std::map<std::string, document::Target> targets;
  auto at = targets.find(name);
  if (at == targets.end()) {
    auto target = document::openTarget({name}, std::string(TILELOOM_SOURCE_DIR) + "/assets", {&intrinsics()});
    at = targets.emplace(name, std::move(*target)).first;
  }
  return at->second.history;
}

struct Shown {
  document::KernelText kernel;
  LoopNest nest;
};

Shown shown(const document::History& history, int node) {
  Shown made;
  made.kernel = document::makeKernel(history.node(node).state);
  made.nest = loopNestOf(statePath(history, node), &made.kernel);
  return made;
}

const NestRow& row(const LoopNest& nest, const std::string& name, NestRow::Kind kind) {
  for (const NestRow& r : nest.rows) {
    if (r.name == name && r.kind == kind) return r;
  }
  ADD_FAILURE() << name;
  return nest.rows.front();
}
const NestRow& loop(const LoopNest& nest, const std::string& name) { return row(nest, name, NestRow::Kind::kLoop); }
const NestRow& block(const LoopNest& nest, const std::string& name) { return row(nest, name, NestRow::Kind::kBlock); }

document::History historyOf(const std::string& function, const std::string& lines) {
  auto target = document::openFunction(function, "test");
  EXPECT_TRUE(target);
  auto applied = target->history.apply(0, lines, {&intrinsics()});
  EXPECT_TRUE(applied && !applied->refusal) << applied->refusal->message.english();
  target->history.select(applied->node);
  return std::move(target->history);
}

TEST(LoopNest, TripleLoopIsThreeLoopsABlockAndItsStartValue) {
  const LoopNest nest = shown(lesson("tensor_core"), 0).nest;
  ASSERT_THAT(nest.rows, SizeIs(5));
  EXPECT_EQ(nest.rows[0].name, "i");
  EXPECT_EQ(nest.rows[0].axis, HardwareAxis::kSerial);
  EXPECT_EQ(nest.rows[2].axis, HardwareAxis::kReduction);
  EXPECT_EQ(nest.rows[2].depth, 2);
  EXPECT_EQ(nest.rows[3].runs, 1024.0 * 1024 * 1024);
  EXPECT_EQ(nest.rows[3].flops, 2.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(nest.rows[3].bytes, 12.0 * (1 << 30)) << "2 of X, 2 of Y, 4 read and 4 written of Z a run";
  EXPECT_EQ(nest.rows[4].kind, NestRow::Kind::kInit);
  EXPECT_EQ(nest.rows[4].runs, 1024.0 * 1024) << "once for all of k";
  EXPECT_EQ(nest.rows[4].bytes, 4.0 * (1 << 20));
  EXPECT_TRUE(nest.rows[0].from.empty());
}

TEST(LoopNest, CopyToSharedMemoryCountsEachElementOnceHoweverItsThreadsAreBound) {
  const LoopNest nest = shown(lesson("tensor_core"), 27).nest;
  const NestRow& copy = block(nest, "X_shared");
  EXPECT_TRUE(copy.copy);
  EXPECT_EQ(copy.source, MemoryLevel::kGlobal);
  EXPECT_EQ(copy.target, MemoryLevel::kShared);
  EXPECT_EQ(copy.bytes, 16.0 * (1 << 20));
  EXPECT_EQ(copy.flops, -1);
  const NestRow& inner = loop(nest, "ax0_ax1_fused_1");
  EXPECT_TRUE(inner.sameThreads) << "threadIdx.y is bound outside, too";
  EXPECT_EQ(inner.runs, 32768);
}

// All that `bind` takes has an axis; a letter is that of x, y or z alone.
TEST(LoopNest, BlocksOfAClusterAreBlocksAndVirtualThreadsNeedNoAxis) {
  const std::string product = tests::programText("product", {{"M", 16}, {"N", 16}, {"K", 16}});
  for (const char* thread : {"vthread", "cthread", "vthread.y"}) {
    const document::History history =
        historyOf(product, std::string("sch.bind(sch.get_loops(sch.get_block(\"C\"))[0], \"clusterCtaIdx.x\")\n") +
                               "sch.bind(sch.get_loops(sch.get_block(\"C\"))[1], \"" + thread + "\")\n");
    const LoopNest nest = loopNestOf(statePath(history, history.current()), nullptr);
    EXPECT_EQ(nest.rows[0].axis, HardwareAxis::kBlock) << thread;
    EXPECT_EQ(nest.rows[0].component, 0) << thread;
    EXPECT_EQ(nest.rows[1].axis, HardwareAxis::kVirtualThread) << thread;
    EXPECT_EQ(nest.rows[1].component, thread == std::string("vthread.y") ? 'y' : 0) << thread;
    EXPECT_EQ(nest.rows[1].runs, 16 * 16) << thread;
  }
}

TEST(LoopNest, ThreadsWithoutALoopAroundABlockAreTold) {
  const LoopNest nest = shown(lesson("tensor_core"), 27).nest;
  const NestRow& z = block(nest, "Z");
  ASSERT_THAT(z.repeated, SizeIs(1));
  EXPECT_EQ(z.repeated[0].thread, "threadIdx.x");
  EXPECT_EQ(z.repeated[0].extent, 32);
  EXPECT_TRUE(block(nest, "X_shared").repeated.empty());
  // Of a state that is no kernel nothing says that one thread stands for all.
  const LoopNest unlowered = loopNestOf(statePath(lesson("tensor_core"), 27), nullptr);
  EXPECT_FALSE(block(unlowered, "Z").repeated.at(0).guarded);
  EXPECT_EQ(unlowered.repeatedFlops, 32 * unlowered.flops);
}

// What lowering guards is one axis' matter: it lets one lane copy, but each threadIdx.y does it again.
TEST(LoopNest, AThreadStandsForThoseOfItsAxisOnly) {
  const LoopNest nest = shown(lesson("tensor_core"), 24).nest;
  const NestRow& copy = block(nest, "Y_shared");
  ASSERT_THAT(copy.repeated, SizeIs(2));
  EXPECT_EQ(copy.repeated[0].thread, "threadIdx.x");
  EXPECT_TRUE(copy.repeated[0].guarded);
  EXPECT_EQ(copy.repeated[1].thread, "threadIdx.y");
  EXPECT_FALSE(copy.repeated[1].guarded);
}

// Along an axis of blockIdx it is blocks that repeat what none of them has for itself.
TEST(LoopNest, WarningsSayWhetherThreadsOrBlocksRepeat) {
  using notation::repetitionText;
  NestRow row;
  const auto text = [&](const char* axis, bool guarded, text::Language language = text::Language::kEnglish) {
    row.repeated = {{axis, 8, guarded}};
    return repetitionText(row, language);
  };
  for (const double flops : {-1.0, 1000.0}) {
    row.flops = flops;
    EXPECT_THAT(text("blockIdx.y", false), HasSubstr("8 blocks repeat it"));
    EXPECT_THAT(text("threadIdx.y", false), HasSubstr("8 threads repeat it"));
    EXPECT_THAT(text("blockIdx.y", false, text::Language::kChinese), HasSubstr("8 个线程块重复"));
    EXPECT_THAT(text("threadIdx.y", false, text::Language::kChinese), HasSubstr("8 个线程重复"));
    EXPECT_THAT(text("blockIdx.y", true), HasSubstr("1 block of 8"));
    EXPECT_THAT(text("threadIdx.y", true), HasSubstr("1 thread of 8"));
  }
}

// The loops around the copy are bound, but which element is copied hangs on none of them.
TEST(LoopNest, CopyBelowThreadsThatItDoesNotUseIsDoneByEachOfThem) {
  const LoopNest nest = shown(lesson("cuda_cores"), 48).nest;
  for (const char* name : {"A_shared", "B_shared"}) {
    const NestRow& copy = block(nest, name);
    ASSERT_THAT(copy.repeated, SizeIs(2)) << name;
    EXPECT_EQ(copy.repeated[0].extent * copy.repeated[1].extent, 1024) << name;
  }
  EXPECT_TRUE(block(shown(lesson("cuda_cores"), 58).nest, "A_shared").repeated.empty()) << "bound since";
}

TEST(LoopNest, LoopKnowsTheSplitsAndFusionsThatItCameFrom) {
  const LoopNest nest = shown(lesson("tensor_core"), 27).nest;
  const NestRow& k = loop(nest, "k_0_1");
  EXPECT_EQ(k.handle, "l18");
  ASSERT_THAT(k.from, SizeIs(2));
  EXPECT_EQ(k.from[0].primitive, "split");
  EXPECT_EQ(k.from[0].step, 3);
  EXPECT_EQ(k.from[0].sources.at(0).name, "k");
  EXPECT_EQ(k.from[0].sources.at(0).extent, 1024);
  EXPECT_THAT(k.from[1].results, ElementsAre(16, 2, 2));
  EXPECT_EQ(k.from[1].mine, 1);
  EXPECT_THAT(loop(nest, "i_0_0_j_0_0_fused").from.back().sources, SizeIs(2));
}

TEST(LoopNest, StepMarksWhatItMadeAndWhatItTouched) {
  const document::History history =
      historyOf(*document::matmulFunction({64, 48, 32}),
                "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nk0, k1 = sch.split(k, [None, 4])");
  const LoopNest nest = shown(history, history.current()).nest;
  EXPECT_EQ(loop(nest, "k_0").change, NestChange::kNew);
  EXPECT_EQ(loop(nest, "i").change, NestChange::kNone);
  EXPECT_THAT(nest.removed, SizeIs(1));
  EXPECT_EQ(block(nest, "Z").change, NestChange::kModified) << "its axis is bound to both";
  EXPECT_EQ(nest.find(loop(nest, "k_1").id), 3);
  EXPECT_EQ(nest.find(nest.removed[0]), -1);
}

TEST(LoopNest, TensorizedBlocksKnowTheIntrinsicThatWasPutThere) {
  const Shown last = shown(lesson("tensor_core"), 48);
  int named = 0;
  for (const NestRow& r : last.nest.rows) {
    named += !r.intrinsic.empty();
    EXPECT_TRUE(r.intrinsic.empty() || r.intrinsic.starts_with("wmma_")) << r.intrinsic;
  }
  EXPECT_EQ(named, 5) << "fill, two loads, the product, the store";
  EXPECT_EQ(block(last.nest, "X_shared").intrinsic, "");
}

TEST(LoopNest, AWarpgroupsProductCountsForItsFourWarps) {
  // The first kernel of warpgroups: in none of its loops a condition leaves iterations out.
  const document::History& history = lesson("hopper");
  const auto isByWarpgroups = [&](int node) {
    const document::KernelText kernel = document::makeKernel(history.node(node).state);
    return !kernel.problem && kernel.source.text.find("wgmma") != std::string::npos;
  };
  int node = 0;
  while (node + 1 < int(history.nodes().size()) && !isByWarpgroups(node)) ++node;
  EXPECT_EQ(shown(history, node).nest.flops, 2.0 * 4096 * 4096 * 4096);
}

TEST(LoopNest, TheCopyEngineIsAskedOnceForAllThreads) {
  // 1024 tiles of 128 × 128 by two warpgroups, whose threadIdx.y isn't in the loads' indices.
  const document::History& history = lesson("hopper");
  const auto isOfTwoWarpgroups = [&](int node) {
    const document::KernelText kernel = document::makeKernel(history.node(node).state);
    return !kernel.problem && kernel.program->kernels[0].threads() == 256 && kernel.program->kernels[0].maps.size() > 1;
  };
  int node = 0;
  while (node + 1 < int(history.nodes().size()) && !isOfTwoWarpgroups(node)) ++node;
  const LoopNest nest = shown(history, node).nest;
  const NestRow& x = block(nest, "X_shared.dyn");
  ASSERT_FALSE(x.moved.empty());
  EXPECT_EQ(x.moved.front().bytes, 1024.0 * 128 * 4096 * 2);
}

TEST(LoopNest, TensorCoreStatementsCountTheirMultiplications) {
  const LoopNest nest = shown(lesson("tensor_core"), 48).nest;
  EXPECT_EQ(nest.flops, 2.0 * 1024 * 1024 * 1024);
  const NestRow& load = block(nest, "X_shared_wmma.matrix_a_o");
  EXPECT_EQ(load.bytes, 64.0 * (1 << 20));
  EXPECT_EQ(load.source, MemoryLevel::kShared);
  EXPECT_EQ(load.target, MemoryLevel::kRegisters);
  EXPECT_EQ(block(nest, "Z_wmma.accumulator_o").change, NestChange::kNew);
  for (const NestRow& r : nest.rows) EXPECT_TRUE(r.repeated.empty()) << "a warp does it together";
  // Also what will be done together, before the intrinsics say how.
  const LoopNest before = shown(lesson("tensor_core"), 43).nest;
  for (const NestRow& r : before.rows) EXPECT_TRUE(r.repeated.empty()) << r.name;
}

TEST(LoopNest, CopiesFoldToALineAndWhatChangedOrIsSelectedStaysOpen) {
  const LoopNest nest = shown(lesson("tensor_core"), 27).nest;
  auto lineOf = [&](const std::vector<NestLine>& lines, int row) {
    for (const NestLine& line : lines) {
      if (line.first <= row && row <= line.last) return line;
    }
    return NestLine{-1, -1};
  };
  const int x = nest.find(block(nest, "X_shared").id), y = nest.find(block(nest, "Y_shared").id);
  const auto folded = nestLines(nest, true, {});
  EXPECT_EQ(lineOf(folded, x).first, x - 4);
  EXPECT_EQ(lineOf(folded, y - 1).first, y - 1) << "the step vectorized this one";
  EXPECT_EQ(lineOf(folded, 1).last, 1) << "bound loops around several blocks are lines of their own";
  EXPECT_THAT(nestLines(nest, false, {}), SizeIs(nest.rows.size()));
  const auto opened = nestLines(nest, true, {nest.rows[std::size_t(x) - 2].id});
  EXPECT_EQ(lineOf(opened, x - 2).last, x - 2);
}

TEST(LoopNest, RunsThatAConditionHoldsBackAreNotCounted) {
  const document::History& history = lesson("cuda_cores");
  int node = 0;  // the end of "The sum in a register", the first chapter of so many steps
  while (history.node(node).number != 24) ++node;
  const LoopNest nest = shown(history, node).nest;
  const NestRow& copy = block(nest, "A_shared");
  EXPECT_EQ(copy.bytes, 512.0 * 512 * (32 * 4 * 4)) << "512 blocks fetch 32 × 4 floats for each of 512 k_0";
  EXPECT_EQ(copy.runs * 8, nest.rows[std::size_t(copy.parent)].runs) << "4 of 32 threads pass the condition";
}

// What a pipeline's lists say stands on the loop and on what is right below it.
TEST(LoopNest, ShowsTheStagesOfAPipeline) {
  const std::string folder = std::string(TILELOOM_SOURCE_DIR) + "/tests/oracle/cases/software_pipeline/shared_loads.";
  const auto target = document::openTarget({folder + "func.py", folder + "sched.py"},
                                           std::string(TILELOOM_SOURCE_DIR) + "/assets", {&intrinsics()});
  ASSERT_TRUE(target) << target.error().message.english();
  const LoopNest nest = shown(target->history, target->history.current()).nest;
  const NestRow& pipeline = loop(nest, "k_0");
  EXPECT_EQ(pipeline.stages, 2);
  EXPECT_EQ(overlapText(pipeline, "{} stages", "stage {}"), "2 stages");
  std::vector<std::string> below;
  for (const NestRow& r : nest.rows) {
    if (r.staged.empty()) continue;
    EXPECT_EQ(&nest.rows[std::size_t(r.parent)], &pipeline);
    EXPECT_EQ(r.staged[0].async, r.staged[0].stage == 0);
    EXPECT_EQ(r.staged[0].order, int(below.size()));
    below.push_back(overlapText(r, "{} stages", "stage {}"));
  }
  EXPECT_THAT(below, ElementsAre("stage 0", "stage 0", "stage 1"));
}

}  // namespace
}  // namespace loom::session::loop_nest_view_test

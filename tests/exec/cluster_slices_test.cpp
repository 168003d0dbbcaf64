// Blocks of a cluster that each have a part of a sum and read each other's from shared memory: right as lowered, and
// each fault in it named.
#include <gmock/gmock.h>

#include <sstream>

#include "core/device/requirement.h"
#include "core/lower/lower.h"
#include "tests/exec/changed_programs.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::cluster_slices_test {
namespace {

namespace dev = loom::device;
using dev::SyncDoes;
using dev::Token;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Finding::Kind;

std::string product(int m, int n, int k) { return tests::programText("product", {{"M", m}, {"N", n}, {"K", k}}); }

// The product of 128 × 64 × 64, with the line `from` of the schedule replaced by `to`.
struct Change {
  std::string from, to;
};
struct Sliced {
  int m = 128, n = 64, k = 64;
  std::vector<Change> changes = {};

  std::string function() const { return product(m, n, k); }
  std::string lines() const { return changed("cluster_slices"); }
  std::string changed(const std::string& schedule) const {
    std::string text = tests::scheduleText(schedule);
    for (const Change& c : changes) {
      const std::size_t at = text.find(c.from);
      EXPECT_NE(at, std::string::npos) << c.from;
      text.replace(at, c.from.size(), c.to);
    }
    return text;
  }
  Result<dev::Program> lowered() const { return lower::lower(scheduled(function(), lines())); }
};

void expectRight(const Sliced& sliced, std::size_t exchanges) {
  const auto program = sliced.lowered();
  ASSERT_TRUE(program) << program.error().message.english();
  ASSERT_EQ(program->kernels.size(), 1u);
  Reference reference = Reference::create(parse(sliced.function()), 1).value();
  const Execution made = executionOf(*program, reference, 1e-4);
  EXPECT_THAT(made.faults, IsEmpty());
  EXPECT_EQ(made.wrong, 0);
  std::size_t found = 0, ends = 0;
  dev::forEach(program->kernels[0].body, [&](const dev::Stmt& s) {
    found += syncs(SyncDoes::Wait, Token::ClusterExchange)(s);
    ends += syncs(SyncDoes::Wait, Token::ClusterBarrier)(s);
    return true;
  });
  EXPECT_EQ(found, exchanges) << dev::print(*program);
  EXPECT_EQ(ends, 1u) << dev::print(*program);
}

TEST(ClusterSlices, MakeTheSumOfTheProduct) {
  expectRight({}, 1);
  const dev::Program program = Sliced{}.lowered().value();
  EXPECT_EQ(program.kernels[0].cluster, (std::array<std::int64_t, 3>{1, 1, 2}));
  // Each block has one slice of 64 × 64.
  const auto slices = std::ranges::find_if(
      program.kernels[0].allocations, [](const dev::Allocation& a) { return a.buffer->scope == dev::kSharedCluster; });
  EXPECT_EQ(slices->elements, 64 * 64);
  EXPECT_EQ(dev::requirementOf(program).since, 90);
}

TEST(ClusterSlices, OfAClusterOfFour) {
  expectRight({.changes = {{"sch.split(k, [2, None])", "sch.split(k, [4, None])"},
                           {"sch.split(i1, [2, None])", "sch.split(i1, [4, None])"}}},
              1);
}

const Change kByOneBlock{"bz, i2 = sch.split(i1, [2, None])\nsch.bind(bz, \"blockIdx.z\")", "i2 = i1"};

// One block of the cluster stands for all where the sums are not divided among them.
TEST(ClusterSlices, AreSummedByOneBlock) { expectRight({.changes = {kByOneBlock}}, 1); }

// A part of the clusters is run, each with all of its blocks.
TEST(ClusterSlices, AreCheckedByAFewClusters) {
  const Sliced sliced{.m = 512, .n = 512, .k = 256};
  Options options;
  options.budget = 0.01;
  options.compareAtMost = 100;
  const auto report =
      Checker::create(parse(sliced.function()), options).value().check(scheduled(sliced.function(), sliced.lines()));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_TRUE(isRight(*report)) << describe(*report).english();
  EXPECT_THAT(describe(*report).english(), testing::ContainsRegex("[0-9]+ of 128 blocks of main_kernel"));
}

// A block that takes several tiles writes its slice again when all have read it.
TEST(ClusterSlices, OfSeveralTilesOneAfterTheOther) {
  expectRight({.changes = {{"sch.bind(i0, \"blockIdx.y\")\n", ""}}}, 2);
}

// What is written by hand means what it does as a device program: blocks read each other's slices, have their other
// memory each for itself, and a barrier is for the threads of one.
TEST(ClusterSlices, AreReadByOtherBlocksInTheProgramItself) {
  const std::string sync = "T.tvm_storage_sync(\"shared\")";
  const auto report = [](std::vector<std::string> body) {
    body.insert(body.begin(), {"R[bz, tx] = A[bx * 64 + bz * 32 + tx]", "S[tx] = A[bx * 64 + bz * 32 + tx]"});
    std::string text = tests::programText("slices_by_hand");
    for (const std::string& line : body) text += "                " + line + "\n";
    return check(parse(text), parse(text)).value();
  };
  const std::string sum = "B[bx * 64 + bz * 32 + tx] = R[1 - bz, 31 - tx] + R[bz, tx] * T.float32(3) + L[0]";
  for (const auto& body :
       {std::vector<std::string>{"L[0] = S[31 - tx]", sum}, std::vector<std::string>{sync, "L[0] = S[31 - tx]", sum},
        std::vector<std::string>{"L[0] = S[tx]", "if bz == 0:", "    " + sync, "    L[0] = S[31 - tx]", sum}}) {
    const Report right = report(body);
    EXPECT_EQ(right.status, Report::Status::Verified) << describe(right).english();
    EXPECT_EQ(right.compared, 128);
  }
  const Report dead = report({"L[0] = S[tx]", "if tx < bz * 32 + 16:", "    " + sync, sum});
  ASSERT_FALSE(dead.findings.empty());
  EXPECT_EQ(dead.findings[0].kind, Kind::Deadlock) << describe(dead).english();
  EXPECT_EQ(dead.findings[0].threads[1][0], 16);
}

// 128 × 128 of a block, of which each warpgroup has 64 rows; by the copy engine, asked by one thread or by a warp
// alone.
struct SlicedWarpgroups {
  std::string more = {};
  std::vector<Change> changes = {};
  std::vector<std::string> without = {};  // what stands in lines that are left out
  static std::string function() { return matmul(256, 256, 512, "float16"); }
  std::string lines() const {
    std::istringstream all(Sliced{.changes = changes}.changed("warpgroup_slices") + more);
    std::string kept;
    for (std::string line; std::getline(all, line);) {
      const auto has = [&](const std::string& part) { return line.find(part) != std::string::npos; };
      if (std::ranges::none_of(without, has)) kept += line + "\n";
    }
    return kept;
  }
  Result<dev::Program> lowered() const { return lower::lower(scheduled(function(), lines())); }
};
const std::string kLoaders =
                      "sch.annotate(x, \"tileloom.role\", \"load\")\nsch.annotate(y, \"tileloom.role\", \"load\")\n",
                  kEarly = "sch.annotate(x, \"tileloom.early\", 1)\n";
const Change kTilesInTurns{"sch.bind(i0, \"blockIdx.y\")\n", ""};

// Where there is one buffer, a copy is asked for behind a barrier of the block, which tells that all have read what it
// overwrites.
TEST(ClusterSlices, OfProductsOfWarpgroups) {
  Reference reference = Reference::create(parse(SlicedWarpgroups::function()), 1).value();
  for (const auto& sliced : {SlicedWarpgroups{}, SlicedWarpgroups{kLoaders}, SlicedWarpgroups{kLoaders + kEarly},
                             SlicedWarpgroups{.without = {"software_pipeline", "in_flight"}},
                             SlicedWarpgroups{.changes = {kTilesInTurns}}}) {
    const auto program = sliced.lowered();
    ASSERT_TRUE(program) << program.error().message.english();
    const Execution made = executionOf(*program, reference, 1e-3);
    EXPECT_THAT(made.faults, IsEmpty()) << sliced.lines();
    EXPECT_EQ(made.wrong, 0) << sliced.lines();
  }
}

// Warps that load would be waited for, which wait for the others' next tile.
TEST(ClusterSlices, OfSeveralTilesHaveNoWarpsThatLoad) {
  const auto program = SlicedWarpgroups{.more = kLoaders, .changes = {kTilesInTurns}}.lowered();
  ASSERT_FALSE(program);
  EXPECT_THAT(program.error().message.english(), HasSubstr("the warps that load would be waited for"));
  EXPECT_THAT(program.error().remedy.english(), HasSubstr("tileloom.role"));
}

struct Refusal {
  std::string message, remedy;
};
Refusal refusalOf(const Sliced& sliced) {
  const auto program = sliced.lowered();
  if (program) return {};
  return {program.error().message.english(), program.error().remedy.english()};
}

TEST(ClusterSlices, AreRefusedWithTheirRules) {
  const auto expect = [](const std::vector<Change>& changes, const std::string& rule, const std::string& remedy = "",
                         int k = 64) {
    const Refusal refusal = refusalOf({.k = k, .changes = changes});
    EXPECT_THAT(refusal.message, HasSubstr(rule));
    EXPECT_THAT(refusal.remedy, HasSubstr(remedy));
  };
  const Change unboundPart{"sch.bind(p, \"blockIdx.z\")\n", ""}, unboundRows{"sch.bind(bz, \"blockIdx.z\")\n", ""};
  expect({unboundPart, unboundRows},
         "C.rf_shared.cluster of scope \"shared.cluster\" has 2 slices, one for each block of a cluster, and the grid "
         "has 1 blocks along blockIdx.z",
         "sch.bind(…, \"blockIdx.z\") of the loop over the first dimension");
  expect({unboundPart}, "a block of a cluster writes only its own slice of C.rf_shared.cluster", "around the block");
  expect({{"sch.split(k, [2, None])", "sch.split(k, [16, None])"}, kByOneBlock},
         "a cluster of 16 blocks, one for each slice of C.rf_shared.cluster, is more than the 8 that GPUs allow",
         "sch.rfactor(…) of a loop of at most 8 iterations", 256);
  expect({{"sch.split(k, [2, None])", "sch.split(k, [8, None])"},
          {kByOneBlock.from, "i2 = i1\nsch.annotate(b, \"tileloom.cluster_y\", 2)"}},
         "8 slices of C.rf_shared.cluster in clusters of 1 × 2 are clusters of 16 blocks, more than the 8",
         "at most 4 iterations", 128);
  expect({{"\"shared.cluster\")", "\"shared.cluster\")\nsch.set_scope(r, 0, \"shared.clusters\")"}},
         "has the scope \"shared.clusters\", which CUDA kernels don't have");
}

// A barrier of the cluster is for all of its blocks: in a branch or a loop that some of them run, others would be
// waited for. Where the clusters differ, their blocks don't.
TEST(ClusterSlices, MeetWhereAllOfTheirBlocksDo) {
  const auto report = [](const std::string& around, const std::string& block = "") {
    std::string text = tests::programText("slices_by_hand");
    std::string indent(16, ' ');
    const auto add = [&](const std::string& line) { text += indent + line + "\n"; };
    add("R[bz, tx] = A[bx * 64 + bz * 32 + tx]");
    add("B[bx * 64 + bz * 32 + tx] = R[bz, tx]");
    add(around);
    if (!block.empty()) add("    with T.block(\"" + block + "\"):");
    if (!block.empty()) indent += "    ";
    add("    R[bz, tx] = A[tx] + T.float32(1)");
    add("    B[bx * 64 + bz * 32 + tx] = B[bx * 64 + bz * 32 + tx] + R[1 - bz, tx]");
    return check(parse(text), parse(text));
  };
  for (const char* same : {"if bx == 0:", "for k in range(bx + 1):", "if bx + bz // 2 == 0:"}) {
    const auto right = report(same);
    ASSERT_TRUE(right) << same << ": " << right.error().message.english();
    EXPECT_TRUE(right->foundNothing()) << same << ": " << describe(*right).english();
  }
  for (const char* apart : {"if bz == 0:", "if bx + bz == 0:", "for k in range(bz + 1):"}) {
    const auto refused = report(apart, "reads");
    ASSERT_FALSE(refused) << apart;
    EXPECT_THAT(
        refused.error().message.english(),
        HasSubstr("blocks of a cluster would meet in a part of the kernel that not all of them run equally often "
                  "(around reads)"));
    EXPECT_EQ(refused.error().remedy.english(),
              "a condition, or a loop's length, that is the same for all blocks of the cluster");
  }
}

TEST(ClusterSlices, NeedAGpuWithClusters) {
  const dev::Program program = Sliced{}.lowered().value();
  const auto old = dev::checkArchitecture(dev::requirementOf(program), "sm_80");
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().message.english(), "barrier.cluster exists from compute capability 9.0 on, and sm_80 has 8.0");
  EXPECT_TRUE(dev::checkArchitecture(dev::requirementOf(program), "sm_90"));
}

// The copy engine stores from the shared memory of the block that asks it.
TEST(ClusterSlices, OfAnotherBlockAreNotStoredByTheCopyEngine) {
  const auto refused = [](const char* how) {
    const auto made = lower::lower(parse(tests::programText("slice_of_another_stored", {{"HOW", how}})));
    return made ? "" : made.error().message.english();
  };
  EXPECT_EQ(refused("threads"), "");
  for (const char* how : {"tma", "bulk"})
    EXPECT_EQ(refused(how),
              "block O stores what lies in S of another block of the cluster, which the copy engine doesn't reach");
}

class ClusterSliceFaults : public testing::Test {
 protected:
  Found run(const dev::Program& program) { return foundIn(program, reference_); }
  static auto exchange() { return syncs(SyncDoes::Wait, Token::ClusterExchange); }
  const Sliced sliced_{};
  const dev::Program program_ = sliced_.lowered().value();
  Reference reference_ = Reference::create(parse(sliced_.function()), 1).value();
};

TEST_F(ClusterSliceFaults, NoneInTheProgramItself) {
  const Found found = run(program_);
  EXPECT_THAT(found.all(), IsEmpty()) << found.texts();
}

TEST_F(ClusterSliceFaults, PartsThatAreReadBeforeTheBlocksMeet) {
  // Threads of one block have met, those of the other have not; or all have, and nobody has seen what was written.
  for (const auto& instead : {dev::barrier(), dev::clusterBarrier()}) {
    const Found found = run(changed(program_, nth(0, exchange()), [&](const dev::Stmt&) { return instead; }));
    EXPECT_THAT(found.text(Kind::RaceBetweenBlocks), HasSubstr("C.rf_shared.cluster")) << found.texts();
  }
}

TEST_F(ClusterSliceFaults, BlocksThatMayHaveEnded) {
  const Found found = run(changed(program_, syncs(SyncDoes::Wait, Token::ClusterBarrier), nothing));
  EXPECT_THAT(found.text(Kind::MaybeEnded),
              HasSubstr("of another block of its cluster, which doesn't wait for it, and no barrier of the cluster"))
      << found.texts();
}

TEST_F(ClusterSliceFaults, PartsThatAreWrittenAgainBeforeAllHaveReadThem) {
  const Sliced again{.changes = {{"sch.bind(i0, \"blockIdx.y\")\n", ""}}};
  const dev::Program program = again.lowered().value();
  for (int n : {0, 1}) {
    const Found found = run(changed(program, nth(n, exchange()), [](const dev::Stmt&) { return dev::barrier(); }));
    EXPECT_THAT(found.text(Kind::RaceBetweenBlocks), HasSubstr("C.rf_shared.cluster")) << found.texts();
  }
}

}  // namespace
}  // namespace loom::exec::cluster_slices_test

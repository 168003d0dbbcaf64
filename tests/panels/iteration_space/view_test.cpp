#include "app/panels/iteration_space/view/space.h"

#include <gmock/gmock.h>

#include "app/panels/iteration_space/view/start.h"
#include "core/arith/integer_runs.h"
#include "core/document/kernel.h"
#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::iteration_space_view_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using Kind = SpaceLevel::Kind;

struct Shown {
  std::shared_ptr<const IterationSpace> space;
  std::optional<Error> problem;
};

Shown shown(const std::string& function, const std::string& lines) {
  auto target = document::openFunction(function, "test");
  EXPECT_TRUE(target);
  auto& history = target->history;
  if (!lines.empty()) {
    auto applied = history.apply(0, lines, {&model::intrinsics()});
    EXPECT_TRUE(applied && !applied->refusal) << applied->refusal->message.english();
    history.select(applied->node);
  }
  const document::KernelText kernel = document::makeKernel(history.node(history.current()).state);
  const LoopNest nest = loopNestOf(statePath(history, history.current()), &kernel);
  auto space = IterationSpace::of(history.node(0).state, history.node(history.current()).state, nest);
  if (!space) return {nullptr, space.error()};
  return {*space, std::nullopt};
}

Shown golden(const std::string& name, const std::string& more = "") {
  const std::string path = "tests/oracle/cases/lessons/" + name;
  return shown(model::readText(path + ".func.py"), model::readText(path + ".sched.py") + more);
}

std::string matmul(int i, int j, int k) {
  document::MatmulRequest request;
  request.m = i;
  request.n = j;
  request.k = k;
  return *document::matmulFunction(request);
}

// Of a product to which `lines` are applied; its block is b, its loops i, j and k.
Shown product(int i, int j, int k, const std::string& lines) {
  return shown(matmul(i, j, k), "b = sch.get_block(\"Z\")\ni, j, k = sch.get_loops(b)\n" + lines);
}

IterationView viewOf(const IterationSpace& space, std::vector<std::int64_t> path, int level) {
  auto view = space.view(std::move(path), level);
  EXPECT_TRUE(view) << view.error().message.english();
  return view ? *view : IterationView{};
}

std::vector<std::int64_t> countsOf(const IterationSpace& space) {
  std::vector<std::int64_t> counts;
  for (const SpaceLevel& level : space.levels()) counts.push_back(level.count);
  return counts;
}

Point extentsOf(const Cuboid& c) { return {c.to[0] - c.from[0], c.to[1] - c.from[1], c.to[2] - c.from[2]}; }

// Every point of the box is in just one piece.
void expectPartition(const Partition& cut, std::int64_t points) {
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < cut.pieces.size(); ++a) {
    for (const Cuboid& part : cut.pieces[a].parts) sum += part.points();
  }
  EXPECT_EQ(sum, points);
  EXPECT_FALSE(cut.boundsOnly);
}

// A thread's number counts x first: without x, lanes are along y; with a long x, so are the warps along it.
TEST(IterationSpace, LanesAndWarpsHaveTheAxisThatTheyAreAlong) {
  auto axisOf = [](const Shown& s, Kind kind) {
    EXPECT_TRUE(s.space) << s.problem->message.english();
    const int level = s.space->levelOf(kind);
    EXPECT_GE(level, 0);
    return level >= 0 ? s.space->levels()[std::size_t(level)].axis : HardwareAxis::kSerial;
  };
  const Shown onlyY = product(64, 64, 8, tests::scheduleText("threads_along_y"));
  EXPECT_EQ(axisOf(onlyY, Kind::kLanes), HardwareAxis::kThreadY);
  EXPECT_THAT(countsOf(*onlyY.space), ElementsAre(16, 4, 64, 8));
  const Shown longX = product(64, 256, 8, "sch.bind(i, \"blockIdx.x\")\nsch.bind(j, \"threadIdx.x\")\n");
  EXPECT_EQ(axisOf(longX, Kind::kLanes), HardwareAxis::kThreadX);
  EXPECT_EQ(axisOf(longX, Kind::kWarps), HardwareAxis::kThreadX);
  const Shown both = product(8, 32, 8, "sch.bind(i, \"threadIdx.y\")\nsch.bind(j, \"threadIdx.x\")\n");
  EXPECT_EQ(axisOf(both, Kind::kLanes), HardwareAxis::kThreadX);
  EXPECT_EQ(axisOf(both, Kind::kWarps), HardwareAxis::kThreadY);
}

TEST(IterationSpace, TheTensorCoreLessonIsCutIntoBlocksWarpsStepsAndTiles) {
  const auto [space, problem] = golden("tensorcore");
  ASSERT_TRUE(space) << problem->message.english();
  EXPECT_EQ(space->block(), "Z_o");
  EXPECT_EQ(space->axes()[0].name, "i");
  EXPECT_EQ(space->axes()[2].name, "k");
  EXPECT_TRUE(space->axes()[2].reduction);
  for (const SpaceAxis& axis : space->axes()) EXPECT_EQ(axis.extent, 1024);
  EXPECT_EQ(space->tile(), (Point{16, 16, 16}));
  EXPECT_THAT(countsOf(*space), ElementsAre(64, 16, 16, 2, 2, 2, 2)) << "blocks, warps, k_0_0, k_0_1, then fragments";
  EXPECT_EQ(space->repeated(), 1) << "the lanes of a warp do a tensor instruction together";

  const IterationView view = viewOf(*space, {19, 6, 3, 1}, 3);
  ASSERT_THAT(view.partitions, SizeIs(4));
  EXPECT_THAT(view.partitions[0].across, ElementsAre(8, 8, 1));
  EXPECT_EQ(view.partitions[0].chosenPart.bounds, (Cuboid{{256, 384, 0}, {384, 512, 1024}}));
  EXPECT_THAT(view.partitions[1].across, ElementsAre(4, 4, 1));
  EXPECT_EQ(view.partitions[1].chosenPart.bounds, (Cuboid{{256 + 32, 384 + 64, 0}, {256 + 64, 384 + 96, 1024}}));
  EXPECT_EQ(view.partitions[2].chosenPart.bounds, (Cuboid{{288, 448, 192}, {320, 480, 256}}));
  EXPECT_EQ(extentsOf(view.partitions[3].chosenPart.bounds), (Point{32, 32, 32}));
  EXPECT_EQ(view.partitions[3].chosenPart.bounds.from[2], 224);
  for (const Partition& cut : view.partitions) EXPECT_TRUE(cut.box && cut.alike);
  expectPartition(view.partitions[0], 1LL << 30);
  expectPartition(view.partitions[1], 128LL * 128 * 1024);

  const IterationView tiles = viewOf(*space, {63, 15, 15, 1, 1, 1, 1}, 6);
  EXPECT_EQ(tiles.partitions.back().chosenPart.bounds, (Cuboid{{1008, 1008, 1008}, {1024, 1024, 1024}}));
}

TEST(IterationSpace, BeforeAnyStepTheLoopsThemselvesCutTheBox) {
  const auto [space, problem] = shown(matmul(1024, 1024, 1024), "");
  ASSERT_TRUE(space) << problem->message.english();
  EXPECT_EQ(space->levelOf(Kind::kBlocks), -1);
  ASSERT_FALSE(space->levels().empty());
  for (const SpaceLevel& level : space->levels()) EXPECT_EQ(level.kind, Kind::kLoop);
  const IterationView view = viewOf(*space, {5, 7}, 1);
  EXPECT_EQ(view.partitions[0].chosenPart.bounds, (Cuboid{{5, 0, 0}, {6, 1024, 1024}}));
  EXPECT_EQ(view.partitions[1].chosenPart.bounds, (Cuboid{{5, 7, 0}, {6, 8, 1024}}));
}

// What each step of a product cuts first, as extents of a piece. `steps`: text by text, each from the one before.
std::vector<Point> firstCuts(const std::vector<std::string>& steps) {
  std::vector<Point> cuts;
  auto target = document::openFunction(matmul(1024, 1024, 1024), "test");
  EXPECT_TRUE(target);
  auto& history = target->history;
  for (const std::string& step : steps) {
    auto applied = history.apply(history.current(), step, {&model::intrinsics()});
    EXPECT_TRUE(applied && !applied->refusal) << applied->refusal->message.english();
    history.select(applied->node);
    const document::KernelText kernel = document::makeKernel(history.node(history.current()).state);
    const LoopNest nest = loopNestOf(statePath(history, history.current()), &kernel);
    auto space = IterationSpace::of(history.node(0).state, history.node(history.current()).state, nest);
    EXPECT_TRUE(space) << space.error().message.english();
    const IterationView view = viewOf(**space, {}, int((*space)->levels().size()));
    const int level = levelToStartWith(**space, view, nest);
    EXPECT_GE(level, 0);
    cuts.push_back(level < 0 ? Point{} : extentsOf(view.partitions[std::size_t(level)].chosenPart.bounds));
  }
  return cuts;
}

TEST(IterationSpace, TheFirstCutIsWhatTheStepDid) {
  EXPECT_THAT(firstCuts({"i, j, k = sch.get_loops(sch.get_block(\"Z\"))\ni0, i1 = sch.split(i, [None, 16])",
                         "j0, j1 = sch.split(j, [None, 16])", "k0, k1 = sch.split(k, [None, 16])",
                         "sch.reorder(i0, j0, k0, i1, j1, k1)", "sch.bind(i0, \"blockIdx.x\")",
                         "sch.annotate(k0, \"note\", 1)"}),
              ElementsAre(Point{16, 1024, 1024}, Point{1, 16, 1024}, Point{16, 1024, 1024}, Point{16, 16, 16},
                          Point{16, 1024, 1024}, Point{16, 16, 16}))
      << "slabs, strips within them, slabs (16 terms of a sum can't be seen), tiles, blocks; what cuts nothing leaves "
         "the "
         "smallest tile";
}

TEST(IterationSpace, TheSimtSchedulesAreCutToSinglePoints) {
  for (const char* name : {"fp32_naive", "fp32_v1_one_dim_threads", "fp32_v2_two_dim_threads", "fp32_v3_shared_memory",
                           "fp32_v4_registers", "tensorcore_small_tiles"}) {
    SCOPED_TRACE(name);
    const auto [space, problem] = golden(name);
    ASSERT_TRUE(space) << problem->message.english();
    const int last = int(space->levels().size()) - 1;
    const IterationView view = viewOf(*space, {}, last);
    const Point& tile = space->tile();
    EXPECT_EQ(view.partitions.back().points, tile[0] * tile[1] * tile[2]);
    double runs = 1;
    for (const SpaceLevel& level : space->levels()) runs *= double(level.count);
    EXPECT_EQ(runs * double(view.partitions.back().points), double(1LL << 30))
        << "every iteration is in just one piece";
    EXPECT_EQ(space->repeated(), 1);
    expectPartition(view.partitions[0], 1LL << 30);
  }
}

TEST(IterationSpace, ALoopOutsideTheThreadsStridesThePiecesOfAThread) {
  const auto [space, problem] = product(256, 256, 64, tests::scheduleText("strided_pieces"));
  ASSERT_TRUE(space) << problem->message.english();
  const IterationView view = viewOf(*space, {3, 5}, 1);
  const Partition& block = view.partitions[0];
  EXPECT_FALSE(block.box);
  EXPECT_TRUE(block.product);
  EXPECT_EQ(block.cover[0].first, 3);
  EXPECT_EQ(block.cover[0].run, 1);
  EXPECT_EQ(block.cover[0].runs, 8);
  EXPECT_EQ(block.cover[0].stride, 32);
  EXPECT_TRUE(block.cover[0].even);
  EXPECT_THAT(block.chosenPart.parts, SizeIs(8));
  EXPECT_THAT(view.partitions[1].chosenPart.parts, SizeIs(8 * 32));
  expectPartition(block, 256 * 256 * 64);
}

TEST(IterationSpace, ARunOfAFusedLoopThatCrossesRowsIsNoBox) {
  const auto [space, problem] = product(32, 32, 16, tests::scheduleText("fused_across_rows"));
  ASSERT_TRUE(space) << problem->message.english();
  EXPECT_EQ(space->levels().front().count, 22) << "the last block is cut short by the predicate";
  const IterationView view = viewOf(*space, {0}, 0);
  const Partition& cut = view.partitions.front();
  EXPECT_FALSE(cut.box);
  EXPECT_FALSE(cut.product);
  EXPECT_EQ(cut.points, 48 * 16);
  EXPECT_THAT(cut.chosenPart.parts,
              testing::UnorderedElementsAre(Cuboid{{0, 0, 0}, {1, 32, 16}}, Cuboid{{1, 0, 0}, {2, 16, 16}}));
  EXPECT_FALSE(cut.alike);
  expectPartition(cut, 32 * 32 * 16);
  EXPECT_EQ(viewOf(*space, {21}, 0).partitions.front().points, 16 * 16) << "1024 = 21 · 48 + 16";
}

TEST(IterationSpace, ExtentsThatDoNotDivideEndAtTheBox) {
  const auto [space, problem] =
      product(100, 96, 16, "i0, i1 = sch.split(i, [None, 48])\nsch.bind(i0, \"blockIdx.x\")\n");
  ASSERT_TRUE(space) << problem->message.english();
  const IterationView view = viewOf(*space, {2}, 0);
  EXPECT_EQ(view.partitions[0].chosenPart.bounds, (Cuboid{{96, 0, 0}, {100, 96, 16}}));
  EXPECT_FALSE(view.partitions[0].alike);
  expectPartition(view.partitions[0], 100 * 96 * 16);
}

TEST(IterationSpace, AWarpIsThirtyTwoNeighboursWhateverTheBlocksShape) {
  const auto [space, problem] = product(64, 64, 8, tests::scheduleText("warps_of_two_axes"));
  ASSERT_TRUE(space) << problem->message.english();
  const int warps = space->levelOf(Kind::kWarps), lanes = space->levelOf(Kind::kLanes);
  ASSERT_GE(warps, 0);
  ASSERT_EQ(lanes, warps + 1);
  const IterationView view = viewOf(*space, {9, 1, 31}, lanes);
  EXPECT_EQ(view.partitions[std::size_t(warps)].chosenPart.bounds, (Cuboid{{9, 32, 0}, {10, 64, 8}}));
  EXPECT_EQ(view.partitions[std::size_t(lanes)].chosenPart.bounds, (Cuboid{{9, 63, 0}, {10, 64, 8}}));
}

TEST(IterationSpace, MorePiecesThanCanBeDrawnAreJoinedByTheNumber) {
  const auto [space, problem] = golden("fp32_v1_one_dim_threads");
  ASSERT_TRUE(space) << problem->message.english();
  auto view = space->view({}, int(space->levels().size()) - 1, 100);
  ASSERT_TRUE(view);
  for (std::size_t l = 0; l < view->partitions.size(); ++l) {
    EXPECT_LE(view->partitions[l].pieces.size(), 100U);
    EXPECT_EQ(std::int64_t(view->partitions[l].pieces.size()) * view->partitions[l].merged, space->levels()[l].count);
  }
}

TEST(IterationSpace, ThreadsThatNoLoopIsBoundToAreCounted) {
  const auto [space, problem] = product(64, 64, 64, tests::scheduleText("copy_by_threads"));
  ASSERT_TRUE(space) << problem->message.english();
  EXPECT_EQ(space->block(), "Z");
  EXPECT_EQ(space->repeated(), 64);
  EXPECT_TRUE(space->isGuarded()) << "a sum that 64 threads added to would be wrong";
  EXPECT_EQ(space->levelOf(Kind::kWarps), -1);
}

TEST(IterationSpace, TooManyJoinedValuesAreRefusedWithTheNumber) {
  const auto [space, problem] = product(2048, 2048, 2, "f = sch.fuse(i, j)\nf0, f1 = sch.split(f, [3, None])\n");
  ASSERT_TRUE(space) << problem->message.english();
  auto view = space->view({}, 0);
  if (!view) {
    EXPECT_EQ(view.error().code, "TooMany");
  } else {
    EXPECT_EQ(view->partitions.front().points, (2048 * 2048 + 2) / 3 * 2);
  }
}

TEST(IterationSpace, PathsOutsideAreBroughtIn) {
  const auto [space, problem] = golden("tensorcore");
  ASSERT_TRUE(space) << problem->message.english();
  const auto path = space->clamped({1 << 20, -4});
  EXPECT_THAT(path, ElementsAre(63, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(viewOf(*space, {}, 99).level, 6);
  EXPECT_THAT(viewOf(*space, {}, -7).partitions, SizeIs(0));
}

TEST(IterationSpace, AFunctionWithoutABlockIsRefused) {
  const auto [space, problem] = shown(tests::programText("without_a_block"), "");
  ASSERT_FALSE(space);
  EXPECT_EQ(problem->code, "NoBlock");
}

TEST(IterationSets, NeighboursJoinAndRepetitionsGo) {
  EXPECT_THAT(joined({{{0, 0, 0}, {1, 4, 4}}, {{1, 0, 0}, {2, 4, 4}}, {{1, 0, 0}, {2, 4, 4}}}),
              ElementsAre(Cuboid{{0, 0, 0}, {2, 4, 4}}));
  EXPECT_THAT(joined({{{0, 0, 0}, {1, 4, 4}}, {{1, 0, 0}, {2, 3, 4}}}), SizeIs(2));
  EXPECT_THAT(arith::sum({{0, 1}, {32, 1}}, {{0, 4}}), ElementsAre(arith::Run{0, 4}, arith::Run{32, 4}));
  EXPECT_THAT(arith::within({{-2, 4}, {6, 9}}, 8), ElementsAre(arith::Run{0, 2}, arith::Run{6, 2}));
}

}  // namespace
}  // namespace loom::session::iteration_space_view_test

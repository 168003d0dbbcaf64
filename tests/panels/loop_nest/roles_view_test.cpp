#include <gmock/gmock.h>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/panels/loop_nest/view/loop_roles.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"

namespace loom::session::loop_nest_roles_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The nest at the end of a chapter of the lesson on Hopper at 4096.
LoopNest nestAt(const std::string& chapter) {
  static const std::string assets = std::string(TILELOOM_SOURCE_DIR) + "/assets";
  static const auto library = intrin::Library::load(assets + "/intrinsics");
  static const document::Target target = document::openTarget({"hopper"}, assets, {&*library}).value();
  for (std::size_t i = 0; i < target.chapterNodes.size(); ++i) {
    if (target.lesson->chapters[i].id != chapter) continue;
    const int node = target.chapterNodes[i];
    const document::KernelText kernel = document::makeKernel(target.history.node(node).state);
    return loopNestOf(statePath(target.history, node), &kernel);
  }
  ADD_FAILURE() << chapter;
  return {};
}

const NestRow& block(const LoopNest& nest, const std::string& name) {
  for (const NestRow& row : nest.rows)
    if (row.kind == NestRow::Kind::kBlock && row.name == name) return row;
  ADD_FAILURE() << name;
  return nest.rows.front();
}

TEST(LoopNestRoles, SayWhichWarpsLoadAndWhichMultiply) {
  EXPECT_THAT(block(nestAt("ring"), "X_shared.dyn").warps, IsEmpty()) << "all do the same";
  const LoopNest nest = nestAt("roles");
  EXPECT_THAT(block(nest, "X_shared.dyn").warps, ElementsAre(8));
  EXPECT_THAT(block(nest, "Z_o_update").warps, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(block(nest, "Z_o").warps, IsEmpty()) << "the block around it says it";
}

TEST(LoopNestRoles, TurnsAndProductsInFlightStandWhereTheyAreAskedFor) {
  const NestRow turns = block(nestAt("turns"), "Z_o_update"), inFlight = block(nestAt("in_flight"), "Z_o_update");
  EXPECT_EQ(turns.turns, 2);
  EXPECT_EQ(turns.inFlight, 0);
  EXPECT_EQ(inFlight.turns, 2);
  EXPECT_EQ(inFlight.inFlight, 1);
  // Which warps these are: the two passes of i_3 are others.
  EXPECT_THAT(takingTurns(turns), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
  EXPECT_THAT(takingTurns(block(nestAt("roles"), "Z_o_update")), IsEmpty());
}

TEST(LoopNest, BytesThatAConditionOnManyTilesHoldsBackAreCounted) {
  const NestRow stored = block(nestAt("waves"), "Z_pad");
  EXPECT_EQ(stored.bytes, 4096.0 * 4096 * 4) << "what lies beyond Z isn't stored";
}

}  // namespace
}  // namespace loom::session::loop_nest_roles_test

// A schedule of a product by warpgroups, built up. Private to the room.
#pragma once

#include "core/tune/rules/product_formula.h"
#include "core/tune/rules/schedule_builder.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

/// Decides a product's tile by the formula and its waves, and what is within it by what was measured on our ladders
/// (lessons hopper, hopper_1024, multistage).
class WarpgroupBuilder : public ScheduleBuilder {
 public:
  using ScheduleBuilder::ScheduleBuilder;

 protected:
  void buildWarpgroupTile();

 private:
  void buildTile();
  bool chooseLarge(const ProductFormula& formula);
  ProductTile likeAllTiles() const;
  ProductTile tileOf(std::int64_t groups, std::int64_t rows, std::int64_t columns) const;
  // How the tiles that are chosen fit the device.
  WaveFit fit() const;
  // Whether all of them run at once.
  bool atOnce() const { return fit().waves == 1; }
  // Tiles along k on their way or used: as many as gain something.
  double stagesAtBest() const;
  std::int64_t multiplying() const { return now("turns") > 0 ? now("turns") : now("i.warpgroups"); }
  // Bytes of a row in global memory of the operand whose tiles neighbours of the grid share: B where rows of blocks
  // take turns, else A.
  std::int64_t rowOfShared() const;
  // Whether neighbours of the grid bring each other parts of such a tile: L2 gives its rows slowly.
  bool together() const;
  // A tile that all others are made from: what doesn't depend on its rows and columns.
  ProductTile like_;
  void buildSteps();
  void buildRing();
  void buildStaging();
  void buildRoles();
  void buildGrid();
  void buildSwizzle();
};

}  // namespace loom::tune

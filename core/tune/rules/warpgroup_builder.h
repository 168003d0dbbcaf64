// A schedule of a product by warpgroups, built up. Private to the room.
#pragma once

#include "core/layout/box_row.h"
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
  // Chooses the tile, and the clusters, whose blocks read its rows from L2 soonest.
  void chooseShared(const ProductFormula& formula);
  // Chooses clusters for a tile, so that there are no more waves for them.
  void fitClusters(const ProductFormula& formula);
  // How tiles of so many rows and columns fit the device.
  WaveFit fitOf(std::int64_t rows, std::int64_t columns) const;
  // The same of the tiles that are chosen.
  WaveFit fit() const { return fitOf(quantity("tile.m"), quantity("tile.n")); }
  // Whether all of these run at once.
  bool atOnce() const { return fit().waves == 1; }
  // Tiles along k on their way or used: as many as gain something.
  double stagesAtBest() const;
  std::int64_t multiplying() const { return now("turns") > 0 ? now("turns") : now("i.warpgroups"); }
  // Whether neighbours of the grid may bring each other parts of operands whose rows come slowly from L2: they are no
  // whole sectors.
  bool mayShare() const {
    return has("cluster.i") && !(layout::isOnSectors(rowOfA()) && layout::isOnSectors(rowOfB()));
  }
  // Bytes of a row of an operand in global memory.
  std::int64_t rowOfA() const;
  std::int64_t rowOfB() const;
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

// The construction of schedules for products by warpgroups (wgmma). Private to the room core/tune/rules.
#pragma once

#include "core/layout/box_row.h"
#include "core/tune/rules/product_formula.h"
#include "core/tune/rules/schedule_builder.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

/// A builder that decides the tile of a block by ProductFormula and the fit of tiles into waves, and the other
/// decisions by what was measured for series of kernels (lessons hopper, hopper_1024, multistage).
class WarpgroupBuilder : public ScheduleBuilder {
 public:
  using ScheduleBuilder::ScheduleBuilder;

 protected:
  /// Makes all decisions of a schedule by warpgroups, one after another.
  void buildWarpgroupTile();

 private:
  void buildTile();
  bool chooseLarge(const ProductFormula& formula);
  ProductTile likeAllTiles() const;
  ProductTile tileOf(std::int64_t groups, std::int64_t rows, std::int64_t columns) const;
  // Chooses the tile and the cluster size with which blocks load the rows of their operands from L2 fastest.
  void chooseShared(const ProductFormula& formula);
  // Chooses the cluster size for the chosen tile, such that the number of waves doesn't grow.
  void fitClusters(const ProductFormula& formula);
  // Returns how tiles of this size fill the waves of the device.
  WaveFit fitOf(std::int64_t rows, std::int64_t columns) const;
  // Returns how tiles of the chosen size fill the waves of the device.
  WaveFit fit() const { return fitOf(quantity("tile.m"), quantity("tile.n")); }
  // Returns whether all tiles of the chosen size run at once.
  bool atOnce() const { return fit().waves == 1; }
  // Returns the number of pipeline stages beyond which further stages gain nothing.
  double stagesAtBest() const;
  std::int64_t multiplying() const { return now("turns") > 0 ? now("turns") : now("i.warpgroups"); }
  // Returns whether blocks of a cluster may multicast parts of operands whose rows load slowly from L2, because they
  // are not whole sectors.
  bool mayShare() const {
    return has("cluster.i") && !(layout::isOnSectors(rowOfA()) && layout::isOnSectors(rowOfB()));
  }
  // Return the length, in bytes, of a row of an operand in global memory.
  std::int64_t rowOfA() const;
  std::int64_t rowOfB() const;
  // A tile with the properties that don't depend on its rows and columns, from which other tiles are made.
  ProductTile like_;
  void buildSteps();
  void buildRing();
  void buildStaging();
  void buildRoles();
  void buildGrid();
  void buildSwizzle();
};

}  // namespace loom::tune

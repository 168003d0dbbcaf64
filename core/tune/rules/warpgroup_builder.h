// The construction of schedules for products by warpgroups (wgmma). Private to the room core/tune/rules.
#pragma once

#include "core/layout/box_row.h"
#include "core/tune/rules/product_formula.h"
#include "core/tune/rules/schedule_builder.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

/// A builder of one schedule from a sketch, which is a schedule with open decisions. It decides the tile of a thread
/// block by a formula for the kernel's time (ProductFormula) and by how tiles fill waves, and the other decisions by
/// what was measured for series of kernels (lessons hopper, hopper_1024, multistage). Names such as "turns" are those
/// of decisions and quantities of the sketch. The decision "turns" is the number of warpgroups that compute different
/// tiles in turns, so that one stores a tile while another multiplies; 0: all warpgroups compute one tile together.
class WarpgroupBuilder : public ScheduleBuilder {
 public:
  using ScheduleBuilder::ScheduleBuilder;

 protected:
  /// Makes all decisions of a schedule by warpgroups, one after another. The sketch must be one of rule R18, and
  /// `known_` a schedule of it.
  void buildWarpgroupTile();

 private:
  // Decides the tile of a block.
  void buildTile();
  // Chooses a tile of at least 128 rows if products can be kept in flight and tiles of 128 × 128 make at least two
  // waves, and returns true; returns false, and chooses nothing, if not, or if no such tile leaves a schedule.
  bool chooseLarge(const ProductFormula& formula);
  // Returns a tile with the properties that all tiles of the product have; its rows and columns are not set.
  ProductTile likeAllTiles() const;
  // Returns the tile that `groups` warpgroups compute, each `rows` · 64 rows of `columns` columns.
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
  // Returns the number of warpgroups that multiply, whether they compute tiles in turns or one tile together.
  std::int64_t multiplying() const { return now("turns") > 0 ? now("turns") : now("i.warpgroups"); }
  // Returns whether blocks of a cluster may multicast parts of operands whose rows load slowly from L2, because they
  // are not whole sectors.
  bool mayShare() const {
    return has("cluster.i") && !(layout::isOnSectors(rowOfA()) && layout::isOnSectors(rowOfB()));
  }
  // Returns whether tiles of so many columns reach beyond the result and are stored 8 columns at a time.
  bool cropsNarrowly(std::int64_t columns) const;
  // Returns the length, in bytes, of a row of A in global memory.
  std::int64_t rowOfA() const;
  // Returns the length, in bytes, of a row of B in global memory.
  std::int64_t rowOfB() const;
  // The tile from which `tileOf` makes others: only the properties that don't depend on rows and columns are set.
  ProductTile like_;
  // Decides the elements along k of a tile.
  void buildSteps();
  // Decides the pipeline stages, the staging of sums (buildStaging), and the products in flight.
  void buildRing();
  // Decides how sums go through shared memory to global memory.
  void buildStaging();
  // Decides which warps only load, and the registers of the warps that multiply.
  void buildRoles();
  // Decides whether blocks are persistent, whether their first loads start early, and the order of tiles.
  void buildGrid();
  // Adds a step to the construction that says which swizzles the operands' tiles have.
  void buildSwizzle();
};

}  // namespace loom::tune

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
  ProductTile tileOf(const ProductFormula& formula, std::int64_t groups, std::int64_t rows, std::int64_t columns) const;
  // How tiles of so many rows and columns fit the device.
  WaveFit fitOf(std::int64_t rows, std::int64_t columns) const;
  // The same of the tiles that are chosen.
  WaveFit fit() const { return fitOf(quantity("tile.m"), quantity("tile.n")); }
  // Whether all of these run at once.
  bool atOnce() const { return fit().waves == 1; }
  // Tiles along k on their way or used: as many as gain something.
  double stagesAtBest() const;
  std::int64_t multiplying() const { return now("turns") > 0 ? now("turns") : now("i.warpgroups"); }
  // The operand of which neighbours of the grid bring each other parts: its rows come slowly from L2.
  enum class Shared { None, A, B };
  // Whether that can be, for some tile.
  bool mayShare() const { return has("cluster") && (isSlow(Shared::A) || isSlow(Shared::B)); }
  // The one whose sharing spares a block with this tile more: rows of blocks take turns for B, and don't for A.
  Shared sharedOf(const ProductFormula& formula, const ProductTile& tile) const;
  // Bytes of a row of the operand in global memory, and whether they are no whole sectors.
  std::int64_t rowOf(Shared operand) const;
  bool isSlow(Shared operand) const;
  // A tile that all others are made from: what doesn't depend on its rows and columns.
  ProductTile like_;
  Shared shared_ = Shared::None;  // of the tile that is chosen
  void buildSteps();
  void buildRing();
  void buildStaging();
  void buildRoles();
  void buildGrid();
  void buildSwizzle();
};

}  // namespace loom::tune

// A schedule of a product by warpgroups, built up. Private to the room.
#pragma once

#include "core/tune/rules/schedule_builder.h"

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
  bool chooseTurns();
  std::int64_t multiplying() const { return now("turns") > 0 ? now("turns") : now("i.warpgroups"); }
  // Bytes of a row of B in global memory, and whether L2 gives such rows half as fast because they begin off its
  // sectors.
  std::int64_t rowOfB() const;
  bool offSectors() const;
  void buildSteps();
  void buildRing();
  void buildStaging();
  void buildRoles();
  void buildGrid();
  void buildSwizzle();
};

}  // namespace loom::tune

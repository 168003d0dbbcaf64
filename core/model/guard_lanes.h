// Guards that are asked for many warps and iterations, one after the other.
#pragma once
#include <utility>
#include <vector>

#include "core/device/lane_program.h"
#include "core/model/access.h"

namespace loom::model {

class GuardLanes {
 public:
  explicit GuardLanes(const std::vector<Guard>& guards);

  // Returns a bit for each lane in which all guards hold with the program's values, and makes `known` false where one
  // can't be evaluated, as activeLanes (count.h) does.
  std::uint32_t active(bool& known);

  device::LaneProgram program;  // of the guards' conditions, and of what is added to it

 private:
  std::vector<std::pair<int, bool>> guards_;  // numbers in the program, and whether the condition has to hold
};

}  // namespace loom::model

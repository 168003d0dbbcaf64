// Evaluates the guards of a statement (the conditions under which it is executed) for all lanes of a warp at once, for
// many warps and iterations one after the other.
#pragma once
#include <utility>
#include <vector>

#include "core/device/lane_program.h"
#include "core/model/access.h"

namespace loom::model {

// The guards of one statement, compiled to a program over lanes. The values of variables are set in `program` before
// each call of `active`.
class GuardLanes {
 public:
  explicit GuardLanes(const std::vector<Guard>& guards);

  // Returns a mask of the lanes (bit l: lane l) in which all guards hold with the variables' values in `program`; all
  // 32 bits are set if there are no guards. A guard that can't be evaluated is taken to hold, and `known` becomes
  // false; otherwise `known` isn't changed.
  std::uint32_t active(bool& known);

  device::LaneProgram program;  // evaluates the guards' conditions; callers may add expressions of their own

 private:
  std::vector<std::pair<int, bool>> guards_;  // numbers in the program, and whether the condition has to hold
};

}  // namespace loom::model

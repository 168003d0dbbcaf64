// Evaluates the guards of a statement (the conditions under which it is executed) for all lanes of a warp at once, for
// many warps and iterations one after the other.
#pragma once
#include <utility>
#include <vector>

#include "core/device/lane_program.h"
#include "core/model/access.h"
#include "core/model/lane_sums.h"

namespace loom::model {

// The guards of one statement, compiled to a program over lanes. The values of variables are set in `program` before
// each call of `active`, and in the LaneSums if there are any.
class GuardLanes {
 public:
  // `sums`, which must outlive this object, gets what the guards compare, as far as it is sums; null: `program` gets
  // all guards.
  explicit GuardLanes(const std::vector<Guard>& guards, LaneSums* sums = nullptr);

  // Returns a mask of the lanes (bit l: lane l) in which all guards hold with the variables' values in `program` and in
  // the sums; all 32 bits are set if there are no guards. A guard that can't be evaluated is taken to hold, and `known`
  // becomes false; otherwise `known` isn't changed.
  std::uint32_t active(bool& known);

  // Evaluates the conditions of the guards that the sums don't have; callers may add expressions of their own.
  device::LaneProgram program;

 private:
  // A sum that is compared with 0.
  struct Comparison {
    int sum = 0;
    ir::ExprKind kind = ir::ExprKind::EQ;  // EQ to GE
    bool holds = true;
  };
  bool addComparisons(const ir::Expr& condition, bool holds, std::vector<Comparison>& out);
  std::uint32_t lanesOf(const Comparison& comparison);

  std::vector<std::pair<int, bool>> guards_;  // numbers in the program, and whether the condition has to hold
  LaneSums* sums_ = nullptr;
  std::vector<Comparison> comparisons_;
};

}  // namespace loom::model

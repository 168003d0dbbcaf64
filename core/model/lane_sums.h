// Integer expressions as sums of a part that depends on the thread alone and of one that is the same in all lanes of a
// warp. When only loop variables and blockIdx change, as from one execution of a warp to the next, such a sum moves by
// as much in each lane: what the lanes have beyond the first one stays.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/device/lane_program.h"
#include "core/model/enumerate.h"

namespace loom::model {

// Sums of a statement, evaluated for many warps and iterations one after the other.
class LaneSums {
 public:
  // How far the values of a sum in the lanes are from the one in lane 0.
  struct Distances {
    device::LaneValues each = 0;
    std::int64_t least = 0, most = 0;  // of all lanes
  };

  // `variables` are those that have one value in all lanes; each is 0 at first. Besides these, sums may have the
  // kernel's threadIdx, which must outlive this object as their expressions do.
  LaneSums(const device::Kernel& kernel, std::span<const Variable> variables);

  // Adds a sum, before the first call of `place`, and returns its number. Returns nothing if a term depends on
  // threadIdx and on another variable, on a variable that isn't known here, or might have no value with some values of
  // its variables, as what reads memory or divides by a variable.
  std::optional<int> add(const std::vector<Term>& terms);

  // Sets threadIdx to that of a warp of the block, counted from 0.
  void place(int warp);
  // Sets the variable with this number in `variables`.
  void set(std::size_t variable, std::int64_t value);

  // Returns the value of a sum in lane 0. `place` must have been called.
  std::int64_t first(int sum);
  // Returns how far the lanes' values are from that, which changes with `place` alone.
  const Distances& distances(int sum) const { return sums_[std::size_t(sum)].distances; }

 private:
  struct Summand {
    std::int64_t coefficient = 1;
    int number = 0;  // of a variable, or of an expression
  };
  struct Sum {
    std::int64_t constant = 0;
    std::vector<Summand> variables;         // of `values_`
    std::vector<Summand> alike, ofThreads;  // of `alike_` and `ofThreads_`
    std::int64_t inFirstLane = 0;           // of `ofThreads`
    Distances distances;
  };

  const device::Kernel& kernel_;
  std::vector<const ir::VarNode*> variables_;
  std::vector<std::int64_t> values_;  // of each variable
  std::vector<int> inAlike_;          // the number of each variable in `alike_`, or -1
  device::LaneProgram alike_, ofThreads_;
  std::vector<Sum> sums_;
};

}  // namespace loom::model

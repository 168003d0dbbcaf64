#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/ir/stmt.h"

/// What a program makes of its inputs when each one's elements lie in a known range. `input_ranges.h` searches ranges
/// with which nothing goes wrong; this unit answers what goes wrong with given ones.
namespace loom::exec {

/// The inputs that a value depends on.
using Inputs = std::set<const ir::BufferNode*>;

/// A violation is an index, a divisor or a shift whose value may lie outside of what is allowed.
struct Violation {
  arith::ConstIntBound value, allowed;
  Inputs sources;
};

/// What happens to a function's indices if its inputs are filled from given ranges.
struct RangeOutcome {
  std::vector<Violation> violations;
  Inputs reached;    ///< inputs that an index, a divisor or a shift depends on at all
  Inputs ascending;  ///< inputs whose elements bound loops, from one element to another: the beginnings of rows
};

/// Computes the bounds of every index, divisor and shift of the function, where the elements of each buffer of `inputs`
/// lie in its range, both ends included. Conditions around a use count; a buffer that the function writes has the
/// bounds of what is written. Values that no bounds are known of may be anything.
RangeOutcome outcomeOf(const ir::Function& function,
                       const std::map<const ir::BufferNode*, arith::ConstIntBound>& inputs);

}  // namespace loom::exec

#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/ir/stmt.h"

/// Finds which indices, divisors and shift distances of a function may be invalid when the elements of each input lie
/// in a given range. `input_ranges.h` searches ranges with which all are valid.
namespace loom::exec {

/// Some of the buffers of the argument `inputs` of outcomeOf. The function owns what the pointers are to, so it must
/// outlive them.
using Inputs = std::set<const ir::BufferNode*>;

/// A violation is an index, a divisor or a shift that depends on an input and whose value may lie outside of what is
/// allowed.
struct Violation {
  /// The values that it may have, and those that are valid: for a divisor those from 1 on, or, if all its values are
  /// negative, those up to -1.
  arith::ConstIntBound value, allowed;
  Inputs sources;  ///< the inputs that the value depends on; not empty
};

/// What happens to a function's indices if its inputs are filled from given ranges.
struct RangeOutcome {
  std::vector<Violation> violations;
  Inputs reached;    ///< inputs that an index, a divisor or a shift depends on at all
  Inputs ascending;  ///< inputs of which a loop runs from one element to another, as over a row of a sparse matrix
};

/// Computes the bounds of every index, divisor and shift of the function, where the elements of each buffer of `inputs`
/// lie in its range, both ends included. The conditions around an index, divisor or shift restrict its values; the
/// elements of a buffer that the function writes have the bounds of what is written. A parameter that is neither in
/// `inputs` nor written counts as zeros, and a value that depends on it alone is never a violation. The extents of
/// loops bound their variables and are no values to be checked. A value without known bounds may be any number.
RangeOutcome outcomeOf(const ir::Function& function,
                       const std::map<const ir::BufferNode*, arith::ConstIntBound>& inputs);

}  // namespace loom::exec

// The ranges from which inputs may be filled so that the program stays within its buffers, divides by no zero and
// shifts by valid distances, where indices, divisors or shift distances are computed from inputs.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// The whole numbers that an input's elements are drawn from.
struct InputRange {
  std::int64_t low = 0, high = 0;  // both included
  // Whether no element may be less than the one before it, because the function has loops that run from one element to
  // the next, as over the rows of a sparse matrix.
  bool ascending = false;
};

// The ranges from which the inputs of a function are to be filled. Both members are empty if no index, divisor or shift
// distance depends on an input.
struct InputRanges {
  std::map<int, InputRange> ranges;  // by position of the parameter; only inputs that need a range
  // The names, in alphabetical order, of inputs that aren't in `ranges`, although indices, divisors or shift distances
  // depend on them: with no values that were tried do all of these stay valid. They are filled like other inputs, and
  // the function may then go outside of its buffers, divide by zero or shift too far.
  std::vector<std::string> unknown;
};

// Returns the ranges that the inputs of a function may be filled from so that every index stays within its buffer and
// every divisor and shift is valid. Interval analysis bounds each index, divisor and shift distance from the values of
// the inputs that it depends on: through arithmetic, casts, conditions, buffers in between, loops from one element to
// another, and other indices. The search begins with a single value for each input, 0 or another with which as little
// as possible goes wrong. From there the ranges grow up and down for as long as no more goes wrong, but not by more
// than a few times the largest extent of a parameter.
//
//      Y[vi, vj] = X[G[vi], vj]                        X has 16 rows: G from 0 to 15
//      if 0 <= G[vi] and G[vi] < 16: … X[G[vi], vj]    G beyond that, too
InputRanges inputRanges(const ir::Function& function);

}  // namespace loom::exec

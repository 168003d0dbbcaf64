// Which values inputs may have without the program reading outside its buffers: what an index is computed from, what
// divides, what shifts.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::exec {

// Whole numbers that an input's elements are drawn from.
struct InputRange {
  std::int64_t low = 0, high = 0;  // both included
  // The elements never decrease: loops run from one of them to the next, as over the rows of a sparse matrix.
  bool ascending = false;
};

// The ranges from which the inputs of a function are to be filled.
struct InputRanges {
  std::map<int, InputRange> ranges;  // by position of the parameter; only those that need one
  // Buffers that indices, divisors or shifts depend on in a way that gives no bounds: nobody knows which of their
  // values are meant. By name.
  std::vector<std::string> unknown;
};

// Returns the ranges that the inputs of a function may be filled from so that every index stays within its buffer and
// every divisor and shift is valid. `arith` bounds each of these from the values of the inputs that reach it: through
// arithmetic, casts, conditions, buffers in between, loops from one element to another, and other indices. The ranges
// are grown from a point for as long as all of them hold.
//
//      Y[vi, vj] = X[G[vi], vj]                        X has 16 rows: G from 0 to 15
//      if 0 <= G[vi] and G[vi] < 16: … X[G[vi], vj]    G beyond that, too
InputRanges inputRanges(const ir::Function& function);

}  // namespace loom::exec

// Index maps: functions from indices to indices, written as lambdas, such as `lambda i, j: (i // 16, j, i % 16)`. They
// describe the new layout of a buffer or the new iterators of a block. Source of the behaviour: TVM 0.22, tir::IndexMap
// and its Python.
#pragma once
#include <optional>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/arith/iter_map.h"
#include "core/ir/result.h"
#include "core/script/step_line.h"

namespace loom::schedule {

// A map from indices to indices, as transform_layout takes it.
struct IndexMap {
  std::vector<ir::Var> inputs;
  std::vector<ir::Expr> outputs;  // in terms of the inputs
  std::vector<int> separators;    // how many outputs stand before each IndexMap.AXIS_SEPARATOR
};

// Returns the map that a lambda without free names stands for. `type` is the dtype of its parameters. A parameter *rest
// stands for as many parameters as are missing to `dimensions`. Errors, as in TVM and in Python: "AssertionError" if a
// lambda has such a parameter and `dimensions` is nothing; "TypeError" for results that are no index; "IndexError" and
// "ValueError" for an index or a slice of `rest` that it doesn't have; "InternalError" for a division by zero.
Result<IndexMap> indexMapOf(const script::StepValue& lambda, std::optional<std::size_t> dimensions, ir::DType type);
// Returns the dtype of the parameters of lambdas over the block's iterators, or over the indices of what it accesses;
// int64 for a block without iterators and accesses.
ir::DType indexTypeOf(const ir::BlockNode& block);
// Returns the map as a lambda whose body is a tuple, as TVM's traces print it.
script::StepValue lambdaOf(const IndexMap& map);

// Returns the map with each input in the dtype of the value in `values` that it will be given, and outputs to match.
// Error "InternalError" if the number of inputs isn't that of the values, or if the values differ in dtype.
Result<IndexMap> withTypesOf(const IndexMap& map, const std::vector<ir::Expr>& values);

// Returns the outputs at the given inputs, simplified. Error "InternalError" if the map takes another number of inputs.
Result<std::vector<ir::Expr>> mapIndices(const IndexMap& map, const std::vector<ir::Expr>& indices,
                                         arith::Analyzer& analyzer);
// Returns for each output a range that contains its values if the inputs take the values of `ranges`. Error
// "InternalError" if there is no such range for one of them, or if the map takes another number of inputs.
Result<std::vector<ir::Range>> mapRanges(const IndexMap& map, const std::vector<ir::Range>& ranges,
                                         arith::Analyzer& analyzer);
// Returns the shape after the map of a buffer that has the given shape before. Error "InternalError" if the range of an
// output isn't known or doesn't begin at 0, or if the map takes another number of inputs.
Result<std::vector<ir::Expr>> mapShape(const IndexMap& map, const std::vector<ir::Expr>& shape,
                                       arith::Analyzer& analyzer);

// The inverse of a map. The inputs of the inverse are named axis0, axis1, …; `padding` is a condition on them, true
// where they are outputs of the original map for no input.
struct Inverse {
  IndexMap map;
  ir::Expr padding;
};
// Returns the inverse of a map whose inputs take the values of `ranges`. Errors: "RuntimeError" if the outputs aren't
// affine in the inputs, or the map fails the check of `level`; "KeyError" if the outputs don't depend on one of the
// inputs whose extent isn't 1; "InternalError" if `ranges` aren't as many as the inputs, if the range of an output
// isn't known, or if at the level Bijective the map isn't proven to be bijective.
Result<Inverse> inverseOf(const IndexMap& map, const std::vector<ir::Range>& ranges, arith::IterMapLevel level,
                          arith::Analyzer& analyzer);

}  // namespace loom::schedule

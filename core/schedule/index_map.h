// Index maps: what a lambda over indices, `lambda i, j: (i // 16, j, i % 16)`, says. They carry buffers to other
// layouts and blocks to other iterators. Source of the behaviour: TVM 0.22, tir::IndexMap and its Python.
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

// Evaluates a lambda without free names. `type` is the dtype of its parameters. `*rest` takes what is missing to
// `dimensions`; AssertionError, as TVM's Python has it, if that is not given. "TypeError" for values that are no index.
Result<IndexMap> indexMapOf(const script::StepValue& lambda, std::optional<std::size_t> dimensions, ir::DType type);
// Returns the dtype of the parameters of lambdas over the block's iterators, or over the indices of what it accesses.
ir::DType indexTypeOf(const ir::BlockNode& block);
// Returns the map as a lambda whose body is a tuple, as TVM's traces print it.
script::StepValue lambdaOf(const IndexMap& map);

// Returns the map with inputs of the dtypes of the values that it will be given, and outputs alike. Error
// "InternalError" if it takes another number of them.
Result<IndexMap> withTypesOf(const IndexMap& map, const std::vector<ir::Expr>& values);

// Returns the outputs at the given inputs, simplified. Error "InternalError" if the map takes another number of inputs.
Result<std::vector<ir::Expr>> mapIndices(const IndexMap& map, const std::vector<ir::Expr>& indices,
                                         arith::Analyzer& analyzer);
// Returns the ranges of the outputs if the inputs take the values of these ranges. Error "InternalError" if they can't
// be computed.
Result<std::vector<ir::Range>> mapRanges(const IndexMap& map, const std::vector<ir::Range>& ranges,
                                         arith::Analyzer& analyzer);
// Returns the shape after the map of a buffer that has the given shape before. Errors as those of `mapRanges`, and
// "InternalError" if an output doesn't begin at 0.
Result<std::vector<ir::Expr>> mapShape(const IndexMap& map, const std::vector<ir::Expr>& shape,
                                       arith::Analyzer& analyzer);

// The way back: its inputs are named axis0, axis1, … `padding` is true where they lie outside what the map reaches.
struct Inverse {
  IndexMap map;
  ir::Expr padding;
};
// Returns the inverse of a map. Errors: "RuntimeError" if the map isn't affine or, at the bijective level, not
// bijective; "KeyError" if it loses an input.
Result<Inverse> inverseOf(const IndexMap& map, const std::vector<ir::Range>& ranges, arith::IterMapLevel level,
                          arith::Analyzer& analyzer);

}  // namespace loom::schedule

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

struct IndexMap {
  std::vector<ir::Var> inputs;
  std::vector<ir::Expr> outputs;  // in terms of the inputs
  std::vector<int> separators;    // how many outputs stand before each IndexMap.AXIS_SEPARATOR
};

// Evaluates a lambda without free names. `type` is the dtype of its parameters. `*rest` takes what is missing to
// `dimensions`; AssertionError, as TVM's Python has it, if that is not given. "TypeError" for values that are no index.
Result<IndexMap> indexMapOf(const script::StepValue& lambda, std::optional<std::size_t> dimensions, ir::DType type);
// The dtype that lambdas over the block's iterators, or over the indices of what it accesses, have their parameters of.
ir::DType indexTypeOf(const ir::BlockNode& block);
// The map as a lambda whose body is a tuple, as TVM's traces print it.
script::StepValue lambdaOf(const IndexMap& map);

// The map with inputs of the dtype of the values that it will be given, outputs alike. InternalError if it takes
// another number of them.
Result<IndexMap> withTypesOf(const IndexMap& map, const std::vector<ir::Expr>& values);

// The outputs at the given inputs, simplified. InternalError if the map takes another number of inputs.
Result<std::vector<ir::Expr>> mapIndices(const IndexMap& map, const std::vector<ir::Expr>& indices,
                                         arith::Analyzer& analyzer);
// What the outputs range over if the inputs range over those ranges. InternalError if that can't be told.
Result<std::vector<ir::Range>> mapRanges(const IndexMap& map, const std::vector<ir::Range>& ranges,
                                         arith::Analyzer& analyzer);
// The shape of what has the given shape before. InternalError also if an output does not begin at 0.
Result<std::vector<ir::Expr>> mapShape(const IndexMap& map, const std::vector<ir::Expr>& shape,
                                       arith::Analyzer& analyzer);

// The way back: its inputs are named axis0, axis1, … `padding` is true where they lie outside what the map reaches.
struct Inverse {
  IndexMap map;
  ir::Expr padding;
};
// RuntimeError if the map isn't affine, or, at the bijective level, not bijective; KeyError if it loses an input.
Result<Inverse> inverseOf(const IndexMap& map, const std::vector<ir::Range>& ranges, arith::IterMapLevel level,
                          arith::Analyzer& analyzer);

}  // namespace loom::schedule

// Index maps in the JSON of traces: the graph of objects that TVM saves, as text. In step lines they are lambdas.
#pragma once
#include <span>
#include <string>

#include "core/ir/expr.h"
#include "core/script/step_line.h"

namespace loom::script {

// An operator that indices may be combined by, and what it makes: a node, or, where `kind` is nothing, a call.
struct IndexOperator {
  std::string_view text;
  std::optional<ir::ExprKind> kind;
  std::string_view name;  // of the operation called, or the node's in a saved graph: "Add"
};
std::span<const IndexOperator> indexOperators();

// What stands between two outputs of a lambda to part the dimensions that they make.
inline constexpr std::string_view kAxisSeparator = "tir.IndexMap.AXIS_SEPARATOR";
// Returns whether the value is that name, from whichever module it was taken.
inline bool isAxisSeparator(const StepValue& v) {
  return v.is(StepValue::Kind::Name) && v.text.ends_with("IndexMap.AXIS_SEPARATOR");
}

// Returns an expression of indices as the body of a lambda; None for what no lambda can say.
StepValue stepExpression(const ir::Expr& e);

// Returns whether the text is a saved graph.
bool isSavedGraph(std::string_view text);
// Reads a saved index map as a lambda whose body is a tuple. Error "ParseError" for a graph of anything else.
Result<StepValue> readIndexMapGraph(const std::string& text);
// Returns the text that TVM saves for a lambda whose body is a tuple of sums, products, divisions and constants.
std::string writeIndexMapGraph(const StepValue& lambda);

}  // namespace loom::script

// Converts index maps (from indices to indices, as transform_layout takes them) between a lambda, which they are in
// step lines, and the text of a graph of objects, which they are in the JSON of TVM's traces. A StepValue is a value as
// a step line (a line that calls a schedule primitive) has it.
#pragma once
#include <span>
#include <string>

#include "core/ir/expr.h"
#include "core/script/step_line.h"

namespace loom::script {

// A Python operator on indices and the expression that it makes: a node of `kind`, or a call if `kind` is nothing.
struct IndexOperator {
  std::string_view text;  // the operator in Python: "//"
  std::optional<ir::ExprKind> kind;
  std::string_view name;  // the name of the called operation, or of the node in a saved graph: "Add"
};
// Returns all operators that the lambda of an index map may have: + - * // % are nodes, ^ & | << >> are calls.
std::span<const IndexOperator> indexOperators();

// The name that stands among the outputs of a lambda to separate two axes of physical memory.
inline constexpr std::string_view kAxisSeparator = "tir.IndexMap.AXIS_SEPARATOR";
// Returns whether a value is that name, imported from any module.
inline bool isAxisSeparator(const StepValue& v) {
  return v.is(StepValue::Kind::Name) && v.text.ends_with("IndexMap.AXIS_SEPARATOR");
}

// Returns an expression of indices as the body of a lambda, without its casts. A value of kind None stands for each
// part that a lambda can't express.
StepValue stepExpression(const ir::Expr& e);

// Returns whether the text looks like a saved graph: it begins with `{` and contains `"nodes"`.
bool isSavedGraph(std::string_view text);
// Returns a saved index map as a lambda whose body is a tuple, with None in place of what a lambda can't express, as
// `stepExpression`. Error "ParseError" for a graph of another object and for a text that is no such graph.
Result<StepValue> readIndexMapGraph(const std::string& text);
// Returns the text of the graph that TVM saves for an index map. `lambda` must be a lambda whose body is a tuple of
// expressions of its parameters, constants, and + - * // %. Any other part of these expressions, operators that are
// calls and axis separators included, becomes null without an error, and `readIndexMapGraph` refuses such a graph.
// Parameters have dtype int64 if the lambda has a constant of that dtype, else int32.
std::string writeIndexMapGraph(const StepValue& lambda);

}  // namespace loom::script

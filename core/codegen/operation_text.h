// How each operation on scalars (ir/operation.h) is written in CUDA C++, depending on the dtype it is computed in.
#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/operation.h"

namespace loom::codegen {

// The CUDA texts of one operation, by the dtype that it is computed in. {0}, {1}, … stand for its operands, whose texts
// are put in without parentheses: a row has those that it needs. Where `single` and `twofold` are empty, the operation
// isn't one of floats; where `whole` and `whole64` are, it isn't one of integers. For float16 and bfloat16 the first of
// `ownHalf`, `half` and `single` that isn't empty holds.
struct OperationText {
  std::string_view name;     // the operation's name, as in ir::Operation
  std::string_view single;   // in float32; for narrower floats the printer converts to float32 and the result back
  std::string_view twofold;  // in float64
  // In int32 or uint32. The printer extends narrower integers, signed ones as well, to 32 bits by zeros, and takes the
  // zeros off the result of "clz".
  std::string_view whole;
  std::string_view whole64;    // in int64 or uint64
  std::string_view half{};     // for float16 and bfloat16, computed in float32, if TVM's CUDA differs from `single`
  std::string_view ownHalf{};  // for float16 and bfloat16, computed in that dtype without conversions
};

// Returns all texts, ordered by name. Operations without a row here are written by ExpressionPrinter itself:
// `isWrittenByPrinter`.
std::span<const OperationText> operationTexts();
// Returns the texts of an operation; null if it has none.
const OperationText* findOperationText(std::string_view name);
// Returns whether ExpressionPrinter writes the operation itself, as it does for operators and for operations that need
// more than one text: "bitwise_and", "reinterpret", "if_then_else", …
bool isWrittenByPrinter(std::string_view name);

// Returns the text of a cast that keeps the bits, such as "__float_as_int({0})"; "{0}" between equal dtypes, and ""
// between integer dtypes, where an ordinary conversion keeps the bits. The elements of the two dtypes must have the
// same number of bits; lanes are ignored.
std::string reinterpretText(ir::DType from, ir::DType to);

// Returns the names that stand before a parenthesis in a CUDA text, which are the functions that it calls.
std::set<std::string> functionsIn(std::string_view text);

}  // namespace loom::codegen

// CUDA C++ of the operations on scalars (ir/operation.h), by the dtype that they are computed in.
#pragma once
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/operation.h"

namespace loom::codegen {

// How a row of ir/operation.h is written in CUDA. {0}, {1}, … stand for its operands. A member is "" if there is no
// such text.
struct OperationText {
  std::string_view name;
  std::string_view single;     // of floats, in float32: narrower floats are converted to it and back
  std::string_view twofold;    // in float64
  std::string_view whole;      // of integers of up to 32 bits, of which narrower ones are converted to it as they are
  std::string_view whole64;    // of int64, uint64
  std::string_view half{};     // in float32 for float16 and bfloat16, where TVM's CUDA means something else there
  std::string_view ownHalf{};  // in float16 and bfloat16 themselves
};

// Returns all texts, ordered by name. Operations without a row here are written by ExpressionPrinter itself:
// `isWrittenByPrinter`.
std::span<const OperationText> operationTexts();
const OperationText* findOperationText(std::string_view name);
// Operators and what needs more than a text: "bitwise_and", "reinterpret", "if_then_else", …
bool isWrittenByPrinter(std::string_view name);

// Returns the text of a reinterpreting cast, such as "__float_as_int({0})"; empty if a conversion between integers
// keeps the bits.
std::string reinterpretText(ir::DType from, ir::DType to);

// Returns the names of the functions that a text calls.
std::set<std::string> functionsIn(std::string_view text);

}  // namespace loom::codegen

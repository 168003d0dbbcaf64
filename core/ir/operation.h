// The operations on scalars that are written as calls, T.exp(x): one row for each of TVM's, whether a kernel can have
// it or not. What is common to all rooms is here; the CUDA text of a row is in codegen, its function on values in exec.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/expr.h"
#include "core/ir/message.h"

namespace loom::ir {

// Kinds of element types, as bits of a set. Types smaller than a byte are of no kind: kernels don't have them.
enum TypeKinds : unsigned {
  kNoTypes = 0,
  kSingleDouble = 1,  // float32, float64
  kHalves = 2,        // float16, bfloat16
  kFloat8 = 4,        // float8_e4m3fn, float8_e5m2
  kWholeNumbers = 8,  // int1 … int64, uint1 … uint64
  kBools = 16,
  kFloats = kSingleDouble | kHalves | kFloat8,
  kNumbers = kFloats | kWholeNumbers,
  kAnyScalar = kNumbers | kBools,
};
// Returns the kind of the dtype's elements; kNoTypes for handles, void and numbers smaller than a byte.
TypeKinds kindOf(DType t);

// Why no kernel has an operation, whatever its operands are.
enum class Refusal : std::uint8_t {
  None,        // kernels have it
  OfPrograms,  // it tells TVM about the program
  OfLlvm,      // it is of TVM's LLVM backend
  NoText,      // TVM writes no CUDA for it
  OfPointer,   // it asks about a pointer
  Handle,      // it is a handle
  Returns,     // it ends a function
  NoValue,     // it stands for any value
  Scalable,    // it is of vectors whose length the hardware chooses
};

// A scalar operation of TensorIR, T.name(…), with its operands and its result.
struct Operation {
  enum class Result {
    Like,   // the first operand's dtype
    Fixed,  // `dtype`
    Named,  // the call's own: T.reinterpret("int32", x)
  };
  std::string_view name;  // T.name, and the call's operator
  int arity = 1;
  unsigned takes = kFloats;  // the kinds of the operands that a kernel computes it of
  Result result = Result::Like;
  DType dtype{};
  Refusal refusal = Refusal::None;
  bool pure = true;  // its value depends on nothing but its operands
};

// Returns all rows, ordered by name.
std::span<const Operation> operations();
// Returns the row of a scalar operation; null if none has the name.
const Operation* findOperation(std::string_view name);

// Returns whether the operation is a function of float numbers, which is computed of each by itself.
bool isMathFunction(const Operation& operation);

// A function of CUDA that T.call_extern and T.call_pure_extern may name: those of one value that Tileloom knows.
struct ExternalFunction {
  std::string_view name;
  int arity;
  DType dtype;           // of its operands and its value, but for __popc and the like, whose value is an int32
  std::string_view row;  // the operation that it computes: "exp", "min"; "" where the executor has none
};
std::span<const ExternalFunction> externalFunctions();
// Returns the row of an external function that is called; null for other calls, and for unknown functions.
const ExternalFunction* externalFunctionOf(const CallNode& call);

// Returns whether the call is T.call_extern or T.call_pure_extern.
bool isExternalCall(const CallNode& call);
// Returns the name in an external call; "" if it isn't a literal.
std::string_view externalName(const CallNode& call);

// Returns the operands of a row's call in the dtypes that they are computed with: those of a function of floats in the
// call's dtype (the exponent of T.ldexp as an int32), those of an external function in its own.
std::vector<Expr> operandsOf(const CallNode& call);

// Returns a call in terms of simpler operations that mean the same: T.q_multiply_shift and related ones are
// multiplications and shifts in 64 bits. Returns null if the call stands for itself.
Expr expanded(const CallNode& call);

// Returns one sentence on why a kernel can't compute this node (its children aside); nothing if it can.
std::optional<Message> whyNoKernelHas(const Expr& e);

}  // namespace loom::ir

// The operations on scalars that are written as calls, such as T.exp(x): one row for each of TVM's, whether a kernel
// can have it or not. How a row is written in CUDA is in core/codegen, how it is computed on values in core/exec.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/expr.h"
#include "core/ir/message.h"

namespace loom::ir {

// Kinds of element types, as bits of a set.
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
// Returns the kind of the dtype's elements; kNoTypes for handles, void and integers of over a byte whose width isn't
// 16, 32 or 64 bits.
TypeKinds kindOf(DType t);

// Why no kernel can have an operation, whatever its operands are.
enum class Refusal : std::uint8_t {
  None,        // kernels can have the operation
  OfPrograms,  // it is information about the program for TVM
  OfLlvm,      // it belongs to TVM's LLVM backend
  NoText,      // TVM writes no CUDA for it
  OfPointer,   // its operand is a pointer
  Handle,      // its value is a handle
  Returns,     // it returns from the function
  NoValue,     // its value is undefined (any value may stand for it)
  Scalable,    // it works on vectors whose length the hardware chooses
};

// A scalar operation of TensorIR, T.name(…), with its operands and its result.
struct Operation {
  enum class Result {
    Like,   // the result has the dtype of the first operand
    Fixed,  // the result has the dtype `dtype`
    Named,  // the result has the dtype that the call names: T.reinterpret("int32", x)
  };
  std::string_view name;     // the name in T.name(…), which is also CallNode::op
  int arity = 1;             // number of operands, without the dtype of Named; -1: any number
  unsigned takes = kFloats;  // a set of TypeKinds: the operands for which a kernel can compute the operation
  Result result = Result::Like;
  DType dtype{};
  Refusal refusal = Refusal::None;
  bool pure = true;  // whether the value depends only on the operands, and the call does nothing else
};

// Returns all scalar operations, ordered by name.
std::span<const Operation> operations();
// Returns the scalar operation of a name; null if there is none.
const Operation* findOperation(std::string_view name);

// Returns whether the operation is a mathematical function of floats (`takes` is kFloats or kSingleDouble).
bool isMathFunction(const Operation& operation);

// A function of CUDA with a scalar result that T.call_extern and T.call_pure_extern may call: a row of the list of
// those that Tileloom knows.
struct ExternalFunction {
  std::string_view name;
  int arity;  // number of operands
  // The dtype of the operands and the result; results of __clz, __clzll, __popc and __popcll are int32, and operands of
  // __dp4a are vectors of four 8-bit numbers, but the last, the sum.
  DType dtype;
  // What it computes: the name of an Operation, or "min", "max", "divide" or "reciprocal"; "" if there is none.
  std::string_view row;
};
// Returns all external functions that Tileloom knows, ordered by name.
std::span<const ExternalFunction> externalFunctions();
// Returns the row of the external function that `call` calls; null for other calls and for unknown functions.
const ExternalFunction* externalFunctionOf(const CallNode& call);

// Returns whether the call is T.call_extern or T.call_pure_extern.
bool isExternalCall(const CallNode& call);
// Returns the name of the function that an external call calls; "" if the name isn't a string literal.
std::string_view externalName(const CallNode& call);

// Returns the operands of a call with casts to the dtypes in which they are used. Operands of a function of floats get
// the call's dtype (the exponent of T.ldexp int32), those of a known external function, except __dp4a, the function's
// dtype; all other operands stay. The name of an external function is not among its operands.
std::vector<Expr> operandsOf(const CallNode& call);

// Returns an expression of simpler operations with the same value: T.q_multiply_shift and T.q_multiply_shift_per_axis
// become multiplications and shifts in 64 bits. Returns null for every other call.
Expr expanded(const CallNode& call);

// Returns a sentence on why a kernel can't compute this node, a call or another one; nothing if it can. Its operands
// aren't visited: only their number and dtypes count, and the name of an external function.
std::optional<Message> whyNoKernelHas(const Expr& e);

}  // namespace loom::ir

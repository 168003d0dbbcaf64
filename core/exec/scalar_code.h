// Expressions compiled to code for a stack machine that computes one value at a time. The reference (the expected
// results of an unscheduled function) evaluates this code; it is independent of lowering and of the executor's lanes.
#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/exec/operations.h"
#include "core/ir/element_layout.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// One instruction of the stack machine.
struct ScalarStep {
  enum class Kind : std::uint8_t {
    Constant,     // pushes `constant`
    Variable,     // pushes the variable number `index`
    Accumulator,  // pushes the value being accumulated
    Unary,        // replaces the top by `op` of it, with `constant` as the immediate operand
    Binary,       // replaces the two topmost values by `op` of them
    Load,         // replaces the indices, one for each dimension, by the element; `index` is that of the access
    SkipIfFalse,  // pops a condition and skips the next `index` steps if it is false
    Skip,         // skips the next `index` steps
    Set           // pops a value into the variable number `index`
  };
  Kind kind = Kind::Constant;
  Op op = Op::Copy;
  int index = 0;  // number of a variable or of an access (ScalarCompiler::accesses), or number of steps to skip
  Value constant{0};
};
using ScalarCode = std::vector<ScalarStep>;

// A load in scalar code: which buffer it reads, and how the elements of the buffer lie in memory.
struct ScalarAccess {
  int buffer = 0;            // the number that ScalarCompiler::buffer gives
  ir::ElementLayout layout;  // of at least one dimension; a scalar counts as one of extent 1
};

// Numbers variables and buffers and compiles expressions over them. The variables must outlive the object.
class ScalarCompiler {
 public:
  // Returns the number of a variable, which is the next free one if the variable has none yet.
  int variable(const ir::VarNode* v) { return variables_.try_emplace(v, int(variables_.size())).first->second; }
  std::size_t variables() const { return variables_.size(); }
  // Returns the number of a buffer, which is the next free one if the buffer has none yet.
  int buffer(const ir::Buffer& b);
  const std::vector<ir::Buffer>& buffers() const { return buffers_; }
  const std::vector<ScalarAccess>& accesses() const { return accesses_; }
  // Returns the layout of a buffer. Error "NotExecutable" if its shape, strides or offset aren't constant, or if it
  // begins before its pointer.
  static Result<ir::ElementLayout> layoutOf(const ir::Buffer& b);
  // Tells whether a load stands for the value being accumulated.
  using LoadTest = std::function<bool(const ir::LoadNode&)>;
  // Returns the code of an expression, whose loads are added to `accesses`. An empty `isAccumulator` stands for false.
  // Error "NotExecutable" if the expression has an operation that the executor doesn't know, or a buffer without a
  // layout, or if it needs more than 60 values on the stack; every later call returns the first error again.
  Result<ScalarCode> compile(const ir::Expr& e, const LoadTest& isAccumulator = {});

 private:
  void emit(const ir::Expr& e, ScalarCode& out, const LoadTest& isAccumulator);
  // Returns by how many values a step changes what lies on the stack.
  int pushed(const ScalarStep& s) const;
  std::unordered_map<const ir::VarNode*, int> variables_;
  std::vector<ir::Buffer> buffers_;
  std::vector<ScalarAccess> accesses_;
  std::optional<Error> error_;
};

// Returns the offset of the accessed element from the start of the buffer's memory, in elements; -1 if an index is
// outside of the buffer. `indices` has one index for each dimension.
inline std::int64_t offsetOf(const ScalarAccess& a, const Value* indices) {
  std::int64_t offset = a.layout.start;
  for (std::size_t d = 0; d < a.layout.extents.size(); ++d) {
    if (std::uint64_t(indices[d].i) >= std::uint64_t(a.layout.extents[d])) return -1;
    offset += indices[d].i * a.layout.strides[d];
  }
  return offset;
}

// Returns the value of an expression. `accesses` are those of the compiler that made the code. `variables` has room for
// ScalarCompiler::variables() values, as counted after the last `compile`: the value of each variable by its number,
// and those that the code sets. `load(buffer, offset)` returns an element; its offset is -1 for an index outside of the
// buffer.
template <class Load>
Value evaluate(const ScalarCode& code, const std::vector<ScalarAccess>& accesses, Value* variables, Value accumulator,
               Load&& load) {
  Value stack[64];
  int top = -1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const ScalarStep& s = code[i];
    switch (s.kind) {
      case ScalarStep::Kind::Constant: stack[++top] = s.constant; break;
      case ScalarStep::Kind::Variable: stack[++top] = variables[s.index]; break;
      case ScalarStep::Kind::Accumulator: stack[++top] = accumulator; break;
      case ScalarStep::Kind::Unary: stack[top] = apply(s.op, stack[top], {}, {}, s.constant.i); break;
      case ScalarStep::Kind::Binary:
        --top;
        stack[top] = apply(s.op, stack[top], stack[top + 1], {}, 0);
        break;
      case ScalarStep::Kind::Load: {
        const ScalarAccess& a = accesses[std::size_t(s.index)];
        top -= int(a.layout.extents.size()) - 1;
        stack[top] = load(a.buffer, offsetOf(a, stack + top));
        break;
      }
      case ScalarStep::Kind::SkipIfFalse:
        if (!stack[top--].i) i += std::size_t(s.index);
        break;
      case ScalarStep::Kind::Skip: i += std::size_t(s.index); break;
      case ScalarStep::Kind::Set: variables[s.index] = stack[top--]; break;
    }
  }
  return stack[0];
}

}  // namespace loom::exec

// Expressions compiled to a stack code over one value at a time: what the reference evaluates. Independent of lowering
// and of the lanes of the executor.
#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/exec/operations.h"
#include "core/ir/element_layout.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::exec {

// One step in the computation of a scalar.
struct ScalarStep {
  enum class Kind : std::uint8_t {
    Constant,
    Variable,
    Accumulator,
    Unary,
    Binary,
    Select,
    Load,
    SkipIfFalse,
    Skip,
    Set
  };
  Kind kind = Kind::Constant;
  Op op = Op::Copy;
  int index = 0;  // of a variable, of an access; steps to skip
  Value constant{0};
};
using ScalarCode = std::vector<ScalarStep>;

// A buffer element that code reads: which buffer, and where its elements lie.
struct ScalarAccess {
  int buffer = 0;
  ir::ElementLayout layout;  // of at least one dimension
};

// Numbers variables and buffers and compiles expressions over them.
class ScalarCompiler {
 public:
  int variable(const ir::VarNode* v) { return variables_.try_emplace(v, int(variables_.size())).first->second; }
  std::size_t variables() const { return variables_.size(); }
  int buffer(const ir::Buffer& b);
  const std::vector<ir::Buffer>& buffers() const { return buffers_; }
  const std::vector<ScalarAccess>& accesses() const { return accesses_; }
  // Returns the layout of a buffer. Error "NotExecutable" if its shape, strides or offset aren't constant, or if it
  // begins before its pointer.
  static Result<ir::ElementLayout> layoutOf(const ir::Buffer& b);
  // `isAccumulator` says whether a load stands for the value being accumulated. Error "NotExecutable".
  using LoadTest = std::function<bool(const ir::LoadNode&)>;
  Result<ScalarCode> compile(const ir::Expr& e, const LoadTest& isAccumulator = {});

 private:
  void emit(const ir::Expr& e, ScalarCode& out, const LoadTest& isAccumulator);
  std::unordered_map<const ir::VarNode*, int> variables_;
  std::vector<ir::Buffer> buffers_;
  std::vector<ScalarAccess> accesses_;
  std::optional<Error> error_;
};

// The place of an access in the buffer's memory, in elements; -1 outside the buffer.
inline std::int64_t offsetOf(const ScalarAccess& a, const Value* indices) {
  std::int64_t offset = a.layout.start;
  for (std::size_t d = 0; d < a.layout.extents.size(); ++d) {
    if (std::uint64_t(indices[d].i) >= std::uint64_t(a.layout.extents[d])) return -1;
    offset += indices[d].i * a.layout.strides[d];
  }
  return offset;
}

// `load(buffer, offset)` gives an element.
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
      case ScalarStep::Kind::Select:
        top -= 2;
        stack[top] = stack[top].i ? stack[top + 1] : stack[top + 2];
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

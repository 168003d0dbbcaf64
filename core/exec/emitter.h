// Emits the executor's bytecode: places each computation in front of the outermost loop that its operands allow, and
// computes equal values there only once. A register is uniform (one value for the warp) or a vector (one value per
// lane).
#pragma once
#include <array>
#include <map>

#include "core/exec/bytecode.h"

namespace loom::exec {

// The register that holds a value.
struct Operand {
  std::uint16_t reg = kNone;
  bool uniform = true;      // one value for the warp; false: one for each lane
  bool pinned = false;      // the value depends on memory, so it must be computed by the statement that uses it
  std::uint16_t depth = 0;  // number of loops around the instruction that computes the value
};

// Emits the instructions of a kernel, and shares equal values among them.
class Emitter {
 public:
  Emitter() { scopes_.emplace_back(); }

  // Returns a uniform register with this value.
  Operand constant(Value v);
  // Emits arithmetic on up to 3 operands with the constant `imm`, unless the same was emitted before for a loop that
  // hasn't ended, and returns the register of the result. The result is uniform if all operands are and `op` isn't
  // Op::Broadcast; else uniform operands are broadcast first. If an operand depends on memory (`pinned`), always emits
  // it, to the innermost loop's body, and the result is a temporary (`newTemporary`), a vector.
  Operand pure(Op op, std::vector<Operand> operands, std::int64_t imm = 0);
  // Returns a vector register with the value of `a` in all lanes; `a` itself if it is a vector.
  Operand broadcast(Operand a);

  // Return the number of an unused uniform register, or vector register. The numbers mean something only as long as
  // `fits` is true.
  std::uint16_t newUniform() { return std::uint16_t(uniforms_++); }
  std::uint16_t newVector() { return std::uint16_t(vectors_++); }
  // Returns a vector register, pinned, that holds its value until `endStatement`, which allows its reuse.
  Operand newTemporary();
  void endStatement() { temporaries_ = 0; }

  // Appends an instruction to the body of the innermost loop begun, and returns its index there.
  std::size_t push(Instruction i) {
    body_.push_back(i);
    return body_.size() - 1;
  }
  // Access to the instructions of the innermost loop's body so far: that with index `i`, until the next `push`, and how
  // many there are.
  Instruction& at(std::size_t i) { return body_[i]; }
  std::size_t size() const { return body_.size(); }
  // Returns the number of loops begun and not ended.
  int depth() const { return int(scopes_.size()) - 1; }

  // Begins a loop. Instructions emitted until `endLoop`, which fills in the jumps, are its body. `extent` is the number
  // of iterations, of each lane if it is a vector, `var` the uniform register of the loop variable, `loop` the index in
  // Code::loops. As an operand, the variable is {var, true, false, depth()} with the depth in the loop.
  void beginLoop(Operand extent, std::uint16_t var, std::uint16_t loop);
  void endLoop();

  // Returns whether there are numbers for all registers so far, of either kind.
  bool fits() const { return uniforms_ < kNone && vectors_ + mostTemporaries_ < kNone; }
  // Moves the instructions and the numbers of registers into `code`, whose operations and syncs must be filled in:
  // temporaries get their final numbers, after the other vector registers, there and in the instructions. All loops
  // must have ended, and `fits` must be true.
  void finish(Code& code);

 private:
  static constexpr std::uint16_t kTemporary = 0x8000;
  struct Scope {
    std::vector<Instruction> prologue;  // what depends on this loop and none inside
    std::map<std::array<std::int64_t, 6>, Operand> known;
    std::vector<Instruction> outerBody;
    Instruction begin;
  };
  std::vector<Scope> scopes_;
  std::vector<Instruction> body_;
  int uniforms_ = 0, vectors_ = 0, temporaries_ = 0, mostTemporaries_ = 0;
};

}  // namespace loom::exec

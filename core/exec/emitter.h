// Places instructions: each computation as far out as its operands allow, and only once there.
#pragma once
#include <array>
#include <map>

#include "core/exec/bytecode.h"

namespace loom::exec {

// Where a value is. `pinned` says that it depends on memory, so that its place in the order of statements matters.
struct Operand {
  std::uint16_t reg = kNone;
  bool uniform = true;
  bool pinned = false;
  std::uint16_t depth = 0;  // loops around its definition
};

// Emits the instructions of a kernel, and shares equal values among them.
class Emitter {
 public:
  Emitter() { scopes_.emplace_back(); }

  Operand constant(Value v);
  // Emits arithmetic on 1 to 3 operands, and returns its result.
  Operand pure(Op op, std::vector<Operand> operands, std::int64_t imm = 0);
  Operand broadcast(Operand a);

  std::uint16_t newUniform() { return uniforms_++; }
  std::uint16_t newVector() { return vectors_++; }
  Operand newTemporary();  // a vector that lives to the end of the statement
  void endStatement() { temporaries_ = 0; }

  std::size_t push(Instruction i) {
    body_.push_back(i);
    return body_.size() - 1;
  }
  Instruction& at(std::size_t i) { return body_[i]; }
  std::size_t size() const { return body_.size(); }
  int depth() const { return int(scopes_.size()) - 1; }

  // Begins a loop; what is emitted until `end`, which patches the jumps, is its body. `extent` must be in a register
  // already.
  void beginLoop(Operand extent, std::uint16_t var, std::uint16_t loop);
  void endLoop();

  // Puts the whole code into `code`, with temporaries numbered after the other vectors.
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
  std::uint16_t uniforms_ = 0, vectors_ = 0, temporaries_ = 0, mostTemporaries_ = 0;
};

}  // namespace loom::exec

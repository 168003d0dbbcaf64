// The compiler from one kernel of a device program to the executor's bytecode (bytecode.h), whose instructions an
// Emitter collects. An Operand is a register with a value, either uniform (one value for a warp) or a vector (one for
// each lane). compile_expression.cpp has its expressions, compile.cpp its statements.
#pragma once
#include <unordered_map>

#include "core/exec/emitter.h"

namespace loom::exec {

// Compiles one kernel to bytecode.
class KernelCompiler {
 public:
  // Makes a compiler for `kernel`, which is part of `program`. `writers` numbers the program's blocks (T.block) that
  // write each buffer, those of kernels compiled before included. All three must outlive this object.
  KernelCompiler(const device::Kernel& kernel, const device::Program& program, Writers& writers)
      : kernel_(kernel), program_(program), writers_(writers) {}
  // Returns the kernel's bytecode. Error "NotExecutable" for what the executor has no operation for. Called once.
  Result<Code> run();

 private:
  // --- expressions: the value of one lane of a (vector) expression ---
  Operand value(const ir::Expr& e, int lane = 0);
  Operand binaryValue(const ir::BinaryNode& n, int lane);
  Operand callValue(const ir::CallNode& n, int lane);
  // Emits a dot product of two short vectors that is added to a sum, such as a call of __dp4a.
  Operand dotProduct(const ir::CallNode& n, const device::DotRow& row);
  // Loads an element. `block` is the rank in its cluster of the block whose memory is read; null: the executing
  // block's.
  Operand loadValue(const ir::LoadNode& n, int lane, const ir::Expr& block = {});
  // Emits an operation on operands, and the second one that brings the result to its dtype, if there is one.
  Operand chosen(const struct SelectedOperation& c, std::vector<Operand> operands);
  // Compiles a conditional expression. If `yes` or `no` read memory, only the lanes that take them evaluate them.
  Operand conditional(const ir::Expr& condition, const ir::Expr& yes, const ir::Expr& no, int lane);
  // The offset of an element in its buffer, in elements, as the sum of a vector register (one value for each lane) and
  // a uniform one (one value for the warp), either of which may be absent (kNone).
  struct Address {
    std::uint16_t vector = kNone, uniform = kNone;
  };
  Address address(const ir::Expr& index, int lane);
  // Emits the check that an access to `lanes` consecutive elements begins at a multiple of their number.
  void checkAligned(const ir::Expr& index, std::uint16_t area, std::int64_t site, int lanes);
  // Emits the checks of the divisors and shift distances in an expression, for the lanes that evaluate them. `site` is
  // the number of the statement that findings name.
  void checkOperands(const ir::Expr& e, std::int64_t site, int lanes = 1);
  // Keeps the error "NotExecutable" that `run` returns, unless there is one already.
  void fail(Message message);

  // --- statements ---
  void stmt(const device::Stmt& s);
  void store(const device::StoreNode& n);
  void sync(const device::SyncNode& n);
  void loop(const device::LoopNode& n);
  void branch(const device::IfNode& n);
  void operation(const device::OperationNode& n);
  // Emits IfBegin, and returns its index for Emitter::at, by which the caller fills in the jump.
  std::size_t beginIf(Operand condition);
  void declareAreas();  // fills Code::areas
  // Returns the index of a buffer in Code::areas; kNone, with an error, if the kernel doesn't have the buffer.
  std::uint16_t areaOf(const ir::Buffer& b);
  // Adds an access to an area, or to none (kNone), by the current block to Code::sites, and returns its index there.
  std::int64_t site(std::uint16_t area, bool write);
  // Returns the vector register that holds the value of an expression; kNone for null.
  std::uint16_t vectorOf(const ir::Expr& e);

  const device::Kernel& kernel_;
  const device::Program& program_;
  Writers& writers_;
  Emitter emit_;
  Code code_;
  std::unordered_map<const ir::VarNode*, Operand> variables_;
  std::unordered_map<const ir::BufferNode*, std::uint16_t> areas_;
  std::vector<std::uint16_t> loops_;
  ir::Id block_;
  std::string blockName_;
  std::optional<Error> error_;
};

}  // namespace loom::exec

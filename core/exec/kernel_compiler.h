// Compiles one kernel; split over compile_expression.cpp and compile.cpp.
#pragma once
#include <unordered_map>

#include "core/exec/emitter.h"

namespace loom::exec {

// Compiles one kernel to bytecode.
class KernelCompiler {
 public:
  KernelCompiler(const device::Kernel& kernel, const device::Program& program, Writers& writers)
      : kernel_(kernel), program_(program), writers_(writers) {}
  Result<Code> run();

 private:
  // --- expressions: the value of one lane of a (vector) expression ---
  Operand value(const ir::Expr& e, int lane = 0);
  Operand binaryValue(const ir::BinaryNode& n, int lane);
  Operand callValue(const ir::CallNode& n, int lane);
  Operand dotProduct(const ir::CallNode& n, const device::DotRow& row);
  Operand loadValue(const ir::LoadNode& n, int lane, const ir::Expr& block = {});  // of a block of the cluster
  Operand chosen(const struct SelectedOperation& c, std::vector<Operand> operands);
  // `yes` and `no` evaluated only by the lanes that take them, when they read memory.
  Operand conditional(const ir::Expr& condition, const ir::Expr& yes, const ir::Expr& no, int lane);
  // An element offset as a sum of a vector and a uniform part, either of which may be absent.
  struct Address {
    std::uint16_t vector = kNone, uniform = kNone;
  };
  Address address(const ir::Expr& index, int lane);
  void checkAligned(const ir::Expr& index, std::uint16_t area, std::int64_t site, int lanes);
  // Divisors and shifts of an expression, as far as it is evaluated, for the statement at `site`.
  void checkOperands(const ir::Expr& e, std::int64_t site, int lanes = 1);
  void fail(Message message);

  // --- statements ---
  void stmt(const device::Stmt& s);
  void store(const device::StoreNode& n);
  void sync(const device::SyncNode& n);
  void loop(const device::LoopNode& n);
  void branch(const device::IfNode& n);
  void operation(const device::OperationNode& n);
  std::size_t beginIf(Operand condition);
  void declareAreas();
  std::uint16_t areaOf(const ir::Buffer& b);
  std::int64_t site(std::uint16_t area, bool write);
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

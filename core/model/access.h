// The memory accesses of a kernel as written: every load and store in its statements, with the loops and conditions
// around it. The machine code may have fewer (values kept in registers, joined neighbours) or more (spills); core/sass
// reads that.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/device/effects.h"

namespace loom::model {

// A condition around an access.
struct Guard {
  ir::Expr condition;
  bool holds = true;       // the value of the condition for which the access is executed
  bool uncovered = false;  // whether lowering added it, so that one thread does the work that all would repeat
};

// Returns the hardware axes along which such a guard admits only the first thread or block; no axes if the condition is
// the program's own.
device::Axes standsFor(const device::Kernel& kernel, const Guard& guard);

using Tile = device::MemoryTile;
using device::isShared;
using device::nameOf;

// A load or store of one statement: its effect on memory, and where in the kernel it stands.
struct Access : device::MemoryEffect {
  ir::Buffer buffer;          // the place's
  bool write = false;         // `writes()`
  ir::Expr index;             // offset of the first element from the buffer's start, in elements
  int elements = 1;           // consecutive elements that a thread accesses: 1, or a vector's lanes
  int bytes = 4;              // of one element
  std::vector<int> loops;     // around it, outermost first: indices into KernelAccesses::loops
  std::vector<Guard> guards;  // all must hold
  ir::Id block;               // the innermost named block around it, or none
  std::string blockName;
  const device::StmtNode* statement = nullptr;  // never null
  int phase = 0;                                // number of barriers before it in the text of the program
  std::vector<ir::Id> origin;                   // loops and blocks of the scheduled program that it comes from
};

// The arithmetic of one statement: for one execution by a thread, or by a warp if it is a tensor-core operation.
struct Work {
  double flops = 0;                                // additions and multiplications of floats, by one thread
  double tensorFlops = 0;                          // 2·m·n·k of a tensor-core product, by one warp
  ir::DType dtype;                                 // of the operands
  const device::OperationNode* product = nullptr;  // the tensor-core product; null for arithmetic of threads
  std::vector<int> loops;                          // this and the following as in Access
  std::vector<Guard> guards;
  ir::Id block;
  std::string blockName;
  const device::StmtNode* statement = nullptr;
  int phase = 0;
};

// A serial loop of the kernel.
struct LoopInfo {
  ir::Var var;
  std::int64_t extent = 1;  // iterations; 1 if the extent isn't constant
  bool constant = true;     // whether the extent is constant
  ir::Id id;                // of the loop in the scheduled program; none if lowering made the loop
  bool unroll = false;
  int parent = -1;  // the loop around it, as an index into KernelAccesses::loops; -1: there is none
  const device::StmtNode* statement = nullptr;
};

// A barrier of the block: a statement that no thread of the block leaves before all have come.
struct BarrierInfo {
  const device::SyncNode* statement = nullptr;  // never null
  std::vector<int> loops;                       // this and the following as in Access
  std::vector<Guard> guards;
  // How often one block executes the barrier if all guards hold: the product of the loops' iterations.
  double perBlock = 1;
  // Returns whether `perBlock` is not certain: there are guards, or a loop without a constant extent, which is counted
  // once.
  bool conditional() const { return !guards.empty() || varies; }
  bool varies = false;  // whether a loop around it has no constant extent
};

// Everything that a kernel does, in program order.
struct KernelAccesses {
  const device::Kernel* kernel = nullptr;  // never null; must outlive this
  std::vector<LoopInfo> loops;
  std::vector<Access> accesses;
  std::vector<Work> work;
  std::vector<BarrierInfo> barriers;
};

// Collects the accesses of a kernel. Within a statement the loads come before the store.
KernelAccesses accessesOf(const device::Kernel& kernel);

// Returns whether no thread moves the data: the copy engine does, or tensor cores read by themselves. Machine code has
// no instruction with such an access's addresses.
bool movesByItself(const Access& access);

// Returns the warps that execute a statement together: 4 for an operation of a warpgroup, else 1. What is counted by
// warps counts such a statement once for each of them.
int warpsTogether(const device::StmtNode& statement);

// Returns the bytes of an operand's tile ("a", "b", "c" or "d") in one execution of a tensor-core product, by all warps
// that execute it together.
double tileBytes(const device::OperationNode& product, std::string_view operand);

// Returns the memory that a buffer of the kernel lies in. Parameters are in global memory.
device::Memory memoryOf(const device::Kernel& kernel, const ir::BufferNode* buffer);

}  // namespace loom::model

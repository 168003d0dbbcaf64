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
  bool uncovered = false;  // whether lowering added it, so that one thread does work that all would otherwise repeat
};

// Returns the axes of blockIdx and threadIdx along which a guard that lowering added (`uncovered`) admits only the
// first block or thread; no axes if the condition is the program's own.
device::Axes standsFor(const device::Kernel& kernel, const Guard& guard);

using Tile = device::MemoryTile;
// bool isShared(Memory): whether it is the shared memory of a block, of either kind, Shared or SharedDynamic.
using device::isShared;
// const char* nameOf(Memory): the name of a memory, "global", "shared", "shared.dyn", "local" or "fragment".
using device::nameOf;

// A load or store of one statement: where in the kernel it stands, and its effect on memory (MemoryEffect: the memory,
// who performs the access, and the tile if it accesses one).
struct Access : device::MemoryEffect {
  ir::Buffer buffer;          // the buffer that is accessed
  bool write = false;         // true for a store, false for a load
  ir::Expr index;             // offset of the first element from the buffer's start, in elements
  int elements = 1;           // consecutive elements that a thread accesses: 1, or a vector's lanes; 1 with a `tile`
  int bytes = 4;              // bytes of one element; 1 also if several elements share a byte
  std::vector<int> loops;     // the loops around the access, outermost first: indices into KernelAccesses::loops
  std::vector<Guard> guards;  // the access is executed where all of them hold
  ir::Id block;               // the innermost TIR block around the access; no id if there is none
  std::string blockName;      // the name of that block
  const device::StmtNode* statement = nullptr;  // the statement that makes the access; never null
  int phase = 0;                                // number of barriers before the access in the text of the program
  std::vector<ir::Id> origin;  // the loops and TIR blocks of the scheduled program that the access comes from
};

// The arithmetic of one statement: for one execution by a thread, or by a warp if it is a tensor-core operation.
struct Work {
  double flops = 0;        // operations on floats (+, -, *, /, min, max) and of __dp4a, by a thread
  double tensorFlops = 0;  // 2·m·n·k of a tensor-core product; of a warpgroup's, a quarter
  ir::DType dtype;         // type of the stored value; of a tensor-core product, of its factors
  const device::OperationNode* product = nullptr;  // the tensor-core product; null for arithmetic of threads
  // The members from here on say where the statement stands, as those of the same names in Access.
  std::vector<int> loops;
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
  ir::Id id;                // the loop's id in the scheduled program; none if lowering made the loop
  bool unroll = false;      // whether the compiler is asked to unroll the loop
  int parent = -1;          // the loop around it, as an index into KernelAccesses::loops; -1: there is none
  const device::StmtNode* statement = nullptr;  // never null
};

// A barrier of the block: a statement that no thread of the block leaves before all threads have arrived.
struct BarrierInfo {
  const device::SyncNode* statement = nullptr;  // never null
  std::vector<int> loops;                       // the loops and guards around it, as in Access
  std::vector<Guard> guards;
  // How often one block executes the barrier if all guards hold: the product of the loops' iterations.
  double perBlock = 1;
  // Returns whether `perBlock` is not certain: there are guards, or a loop without a constant extent, which is counted
  // once.
  bool conditional() const { return !guards.empty() || varies; }
  bool varies = false;  // whether a loop around it has no constant extent
};

// The loops, accesses, arithmetic and barriers of a kernel, each in program order. All pointers to statements in them
// are to statements of this kernel.
struct KernelAccesses {
  const device::Kernel* kernel = nullptr;  // never null; must outlive this object
  std::vector<LoopInfo> loops;
  std::vector<Access> accesses;
  std::vector<Work> work;
  std::vector<BarrierInfo> barriers;
};

// Collects the accesses of a kernel as `lower` returns it: after `flatten`, since an access's index is its only one.
// Within a statement the loads come before the store. A vector whose lanes don't lie side by side has an access for
// each lane.
KernelAccesses accessesOf(const device::Kernel& kernel);

// Returns whether the copy engine or tensor cores move the data of an access, instead of threads. The machine code then
// has no instruction with the addresses of its elements.
bool movesByItself(const Access& access);

// Returns the number of warps that execute a statement together: 4 for an operation of a warpgroup, else 1. Counts of
// executions by warps count such a statement once for each of these warps.
int warpsTogether(const device::StmtNode& statement);

// Returns the bytes of an operand's tile ("a", "b", "c" or "d") in one execution of a tensor-core product, by all warps
// that execute it together; 0 if the product has no such operand.
double tileBytes(const device::OperationNode& product, std::string_view operand);

// Returns the memory that a buffer of the kernel lies in: that of its allocation, or of one with the same data pointer;
// Global for a buffer without an allocation, as parameters are.
device::Memory memoryOf(const device::Kernel& kernel, const ir::BufferNode* buffer);

}  // namespace loom::model

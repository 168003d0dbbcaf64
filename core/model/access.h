// The accesses of a kernel as its statements write them: every load and store with the loops and conditions around it.
// The compiler may do less (keep a value in a register, join neighbours) or more (spill): core/sass tells.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/device/effects.h"

namespace loom::model {

struct Guard {
  ir::Expr condition;
  bool holds = true;       // the access happens where the condition has this value
  bool uncovered = false;  // lowering added it: one thread stands for all
};

// The hardware axes along which lowering lets the first stand for all by this guard; none where the program's own
// condition guards.
device::Axes standsFor(const device::Kernel& kernel, const Guard& guard);

using Tile = device::MemoryTile;
using device::isShared;
using device::nameOf;

struct Access {
  ir::Buffer buffer;
  device::Memory memory = device::Memory::Global;
  bool write = false;
  ir::Expr index;    // element offset of the first element
  int elements = 1;  // consecutive ones per thread: 1, or the lanes of a vector
  int bytes = 4;     // of one element
  std::optional<Tile> tile;
  std::vector<int> loops;  // around it, outermost first: indices into KernelAccesses::loops
  std::vector<Guard> guards;
  ir::Id block;
  std::string blockName;
  const device::StmtNode* statement = nullptr;
  int phase = 0;  // barriers before it in program text
  std::vector<ir::Id> origin;
};

// Arithmetic that a statement does: per execution of a thread, or of a warp for tensor-core statements.
struct Work {
  double flops = 0;                                // float additions and multiplications by one thread
  double tensorFlops = 0;                          // 2·m·n·k by one warp
  ir::DType dtype;                                 // of the operands
  const device::OperationNode* product = nullptr;  // of tensor cores; null for arithmetic of threads
  std::vector<int> loops;
  std::vector<Guard> guards;
  ir::Id block;
  std::string blockName;
  const device::StmtNode* statement = nullptr;
  int phase = 0;
};

struct LoopInfo {
  ir::Var var;
  std::int64_t extent = 1;  // the most, where it isn't constant
  bool constant = true;
  ir::Id id;
  bool unroll = false;
  int parent = -1;
  const device::StmtNode* statement = nullptr;
};

struct BarrierInfo {
  std::vector<int> loops;
  std::vector<Guard> guards;
};

struct KernelAccesses {
  const device::Kernel* kernel = nullptr;
  std::vector<LoopInfo> loops;
  std::vector<Access> accesses;
  std::vector<Work> work;
  std::vector<BarrierInfo> barriers;
};

// In program order; within a statement loads before the store.
KernelAccesses accessesOf(const device::Kernel& kernel);

// Bytes of the tile that one execution of a product takes, or leaves, as this operand ("a", "b", "c", "d").
double tileBytes(const device::OperationNode& product, std::string_view operand);

// Where a buffer of the kernel lives: parameters are global.
device::Memory memoryOf(const device::Kernel& kernel, const ir::BufferNode* buffer);

}  // namespace loom::model

// The accesses of a kernel as its statements write them: every load and store with the loops and conditions around it.
// The compiler may do less (keep a value in a register, join neighbours) or more (spill): core/sass tells.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/device/program.h"

namespace loom::model {

struct Guard {
  ir::Expr condition;
  bool holds = true;       // the access happens where the condition has this value
  bool uncovered = false;  // lowering added it: one thread stands for all
};

// The hardware axes along which lowering lets the first stand for all by this guard; none where the program's own
// condition guards.
device::Axes standsFor(const device::Kernel& kernel, const Guard& guard);

// What a wmma load or store moves, as rows of memory: `rows` of `columns` elements, `leading` elements apart.
struct Tile {
  device::FragmentShape::Operand operand = device::FragmentShape::Operand::MatrixA;
  int rows = 16, columns = 16;
  ir::Expr leading;
  bool alongRows = true;  // memory rows are the fragment's rows (row-major), not its columns
};

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
  double flops = 0;        // float additions and multiplications by one thread
  double tensorFlops = 0;  // 2·m·n·k by one warp
  bool halfAccumulator = false;
  ir::DType dtype;  // of the operands
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

// Where a buffer of the kernel lives: parameters are global.
device::Memory memoryOf(const device::Kernel& kernel, const ir::BufferNode* buffer);
const char* nameOf(device::Memory memory);
inline bool isShared(device::Memory m) { return m == device::Memory::Shared || m == device::Memory::SharedDynamic; }

}  // namespace loom::model

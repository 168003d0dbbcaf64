// The executor's code for one kernel. A register is uniform (one value for a warp: loop variables, block indices and
// what follows from them) or a vector (one per lane). Loads give vectors; a bit per lane says that a value is unknown
// because sampling left out what would have computed it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/device/operation.h"
#include "core/exec/operations.h"
#include "core/ir/result.h"

namespace loom::exec {

constexpr int kLanes = 32;
constexpr std::uint16_t kNone = 0x7FFF;  // no register

// Arithmetic: dst ← op(a, b, c), all uniform or all vectors. The others are the rows of control.h.
struct Instruction {
  Op op = Op::End;
  bool uniform = false;
  std::uint16_t dst = kNone, a = kNone, b = kNone, c = kNone;
  std::int64_t imm = 0;
};

// A buffer of the kernel.
struct CodeArea {
  ir::Buffer buffer;
  device::Memory memory = device::Memory::Global;
  std::int64_t elements = 0;
  bool written = false;  // by this kernel
  std::optional<device::FragmentShape> fragment;
  int warps = 1;  // of fragments: the warps that hold one together, each an equal part of its rows
};

// A loop of the code.
struct CodeLoop {
  ir::Id id;  // of the loop of the scheduled function; none for loops that lowering made
  std::string name;
  std::int64_t extent = -1;  // -1 where it isn't constant
  std::uint16_t var = kNone;
  bool pipelined = false;  // device::LoopNode::pipelined
};

// A statement's access to a buffer, or a barrier (area kNone).
struct Site {
  ir::Id block;
  std::string blockName;
  std::uint16_t area = kNone;
  std::uint8_t writerBit = 0;        // stores: the bit that this block sets in an element's state
  std::uint8_t required = 0;         // loads: the bits of all blocks that write the buffer before
  std::vector<std::uint16_t> loops;  // around it, outermost first: indices in Code::loops
};

// An operation of a group of threads (device::OperationRow).
struct OperationCode {
  const device::OperationRow* row = nullptr;
  struct Operand {
    std::uint16_t area = kNone;
    std::uint16_t index = kNone;  // vector register: which fragment, or the first element in memory
    std::int64_t site = 0;
    int lanes = 1;                          // of a span: its elements
    std::array<std::int64_t, 2> box{0, 0};  // of a box: its lines, and the elements of one
    // Of what lanes hold of a tile: by lane and element of its own, the number of the element in the tile.
    std::vector<std::uint16_t> tile{};
    // Of a tile in memory whose elements share its bytes (device::packedIn): their type. Else void.
    ir::DType packed{};
  };
  struct Given {
    std::uint16_t reg = kNone;  // vector register
    bool isFloat = false;
  };
  std::vector<Operand> operands;  // by the row's
  std::vector<Given> values;      // by the row's
  // As device::OperationNode has them.
  int barrier = -1, map = -1;
  std::uint16_t slot = kNone;  // vector register
  int blocks = -1;             // of what is multicast: the number of the value that says to which blocks
};

// A statement on a token (device::SyncNode), other than a barrier of the block, as the executor runs it.
struct SyncCode {
  device::SyncDoes does = device::SyncDoes::Wait;
  device::Token token = device::Token::AsyncCopies;
  int allow = 0, barrier = -1;
  std::uint16_t slot = kNone;   // vector register; kNone: all slots
  std::uint16_t phase = kNone;  // vector register, of device::SyncNode::phase; kNone: the next one
  std::int64_t bytes = 0, site = 0;
  std::uint16_t target = kNone;  // vector register, of device::SyncNode::target; kNone: the own block
};

// The bytecode of a kernel, which warps execute 32 lanes at a time.
struct Code {
  std::string name;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  std::vector<Instruction> instructions;
  std::vector<CodeArea> areas;
  std::vector<CodeLoop> loops;
  std::vector<Site> sites;
  std::vector<OperationCode> operations;
  std::vector<SyncCode> syncs;
  std::vector<device::Mbarrier> mbarriers;
  std::vector<device::TensorMap> maps;
  std::uint16_t uniforms = 0, vectors = 0;
  std::array<std::uint16_t, 3> blockIdx{kNone, kNone, kNone};   // uniform
  std::array<std::uint16_t, 3> threadIdx{kNone, kNone, kNone};  // see threadUniform
  std::array<bool, 3> threadUniform{};
  std::int64_t threads() const { return block[0] * block[1] * block[2]; }
  int warps() const { return int((threads() + kLanes - 1) / kLanes); }
  int blocksOfCluster() const { return int(cluster[0] * cluster[1] * cluster[2]); }
  // Returns whether barriers of the block alone don't tell what has happened before what.
  bool hasClocks() const { return hasTimelines() || blocksOfCluster() > 1; }
  // Returns whether operations run beside the warps and are told of by other means than a thread's own waits.
  bool hasTimelines() const {
    return !mbarriers.empty() ||
           std::ranges::any_of(operations, [](const OperationCode& o) { return device::isBeside(o.row->agent); });
  }
};

// An element's state: 0 never written; else kWritten, kUnknown if its value is unknown, and a bit per block that wrote
// it (blocks after the sixth have none).
constexpr std::uint8_t kWritten = 1, kUnknown = 2;

// The blocks that write each buffer of a program, in program order: what the bits stand for.
class Writers {
 public:
  std::uint8_t bitOf(const ir::VarNode* data, ir::Id block);
  // Returns the bits of all writers so far, without that of `except`.
  std::uint8_t before(const ir::VarNode* data, ir::Id except) const;

 private:
  std::vector<std::pair<const ir::VarNode*, std::vector<ir::Id>>> blocks_;
};

// Compiles a kernel to bytecode. Error "NotExecutable" for what the executor has no operation for.
Result<Code> compile(const device::Kernel& kernel, const device::Program& program, Writers& writers);

// Nanoseconds that one block is likely to take, with `trips` instead of the loops' own extents where it isn't 0.
double estimateBlock(const Code& code, const std::vector<std::int64_t>& trips);

}  // namespace loom::exec

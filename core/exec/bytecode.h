// The executor's code for one kernel. A register is uniform (one value for a warp: loop variables, block indices and
// what follows from them) or a vector (one per lane). Loads give vectors; a bit per lane says that a value is unknown
// because sampling (running only some blocks and iterations) left out what would have computed it. A finding is a
// mistake of the program that the executor reports, such as a race.
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

// An instruction. Arithmetic computes dst ← op(a, b, c) with the constant `imm`; all registers are uniform, or all are
// vectors (`uniform` false); both kinds are numbered from 0. In the other instructions, such as loops, loads and
// barriers, a member is mostly a register, an index into a list of Code, or a distance in instructions; control.h lists
// what each takes.
struct Instruction {
  Op op = Op::End;
  bool uniform = false;
  std::uint16_t dst = kNone, a = kNone, b = kNone, c = kNone;
  std::int64_t imm = 0;
};

// What the constant of a LoadInBlock has.
struct InBlock {
  std::int64_t site = 0;        // index in Code::sites
  std::uint16_t block = kNone;  // vector register: rank in the cluster of the block whose memory is read

  static InBlock of(const Instruction& i) { return {i.imm >> 16, std::uint16_t(i.imm & 0xFFFF)}; }
  // Returns the constant.
  std::int64_t imm() const { return site << 16 | block; }
};

// A buffer of the kernel; an area is the memory of a buffer.
struct CodeArea {
  ir::Buffer buffer;
  device::Memory memory = device::Memory::Global;
  std::int64_t elements = 0;                      // of local memory: those of one thread; of fragments: their number
  bool written = false;                           // whether this kernel writes the buffer
  std::optional<device::FragmentShape> fragment;  // shape of the tensor-core fragments; nothing for other buffers
  int warps = 1;  // number of warps that hold a fragment together, each an equal part of its rows
  // Another area of shared memory that lies, at another time of the kernel, in some of the same bytes as this one
  // (device::Allocation::meets). `bytes` is by how many bytes this area begins behind the other one; negative if it
  // begins before it.
  struct Under {
    std::uint16_t area = 0;
    std::int64_t bytes = 0;
  };
  std::vector<Under> under;
};

// A loop of the code.
struct CodeLoop {
  ir::Id id;                  // id of the scheduled function's loop; none for loops that lowering made
  std::string name;           // name of the loop variable
  std::int64_t extent = -1;   // number of iterations; -1 if it isn't constant
  std::uint16_t var = kNone;  // uniform register of the loop variable
  bool pipelined = false;     // device::LoopNode::pipelined
};

// A statement's access to a buffer, or a barrier (area kNone). Findings name the site.
struct Site {
  ir::Id block;                // the program's block that has the statement; none outside of blocks
  std::string blockName;       // name of that block
  std::uint16_t area = kNone;  // index in Code::areas
  std::uint8_t writerBit = 0;  // for stores: the bit that this block sets in an element's state
  std::uint8_t required = 0;   // for loads: the bits of all other blocks that write the buffer earlier in the text
  std::vector<std::uint16_t> loops;  // the loops around, outermost first: indices in Code::loops
};

// An operation of a group of threads (device::OperationRow).
struct OperationCode {
  const device::OperationRow* row = nullptr;  // in the static table of operations; not null
  struct Operand {
    std::uint16_t area = kNone;             // index in Code::areas
    std::uint16_t index = kNone;            // vector register: number of the fragment, or the first element in memory
    std::int64_t site = 0;                  // index in Code::sites
    int lanes = 1;                          // for a span of elements of one lane: how many
    std::array<std::int64_t, 2> box{0, 0};  // for a box of the copy engine: number of lines, and elements of a line
    // For a tile that the lanes of a warp hold together: for each lane, one after the other, and each element of the
    // lane, the number of the element in the tile. Else empty.
    std::vector<std::uint16_t> tile{};
    // For a tile in memory of which several elements share a byte (device::packedIn): the type of the elements. Else
    // void.
    ir::DType packed{};
  };
  // A further argument, which is no tile.
  struct Given {
    std::uint16_t reg = kNone;  // vector register
    bool isFloat = false;
  };
  std::vector<Operand> operands;  // in the order of the row's operands
  std::vector<Given> values;      // in the order of the row's values
  // The mbarrier that a copy signals, as an index in Code::mbarriers, and the matrix in global memory that it accesses,
  // as an index in Code::maps; -1: none.
  int barrier = -1, map = -1;
  std::uint16_t slot = kNone;  // vector register: the slot of the mbarrier
  int blocks = -1;  // for a multicast copy: index in `values` of the mask of the blocks that get it; -1: none
};

// A statement that commits, awaits or signals asynchronous operations of one kind, the token (device::SyncNode).
struct SyncCode {
  device::SyncDoes does = device::SyncDoes::Wait;
  device::Token token = device::Token::AsyncCopies;
  int allow = 0, barrier = -1;       // groups that may stay in flight (Wait); index in Code::mbarriers, or -1
  std::uint16_t slot = kNone;        // vector register; kNone: all slots
  std::uint16_t phase = kNone;       // vector register: the number of the phase to wait for; kNone: the next phase
  std::int64_t bytes = 0, site = 0;  // bytes that an arrival announces; index in Code::sites
  std::uint16_t target = kNone;      // vector register: rank of the block that has the mbarrier; kNone: the own block
};

// The bytecode of a kernel, which warps execute 32 lanes at a time.
struct Code {
  std::string name;
  // Blocks of the grid, threads of a block and blocks of a cluster along x, y, z.
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1}, cluster{1, 1, 1};
  std::vector<Instruction> instructions;
  std::vector<CodeArea> areas;
  std::vector<CodeLoop> loops;
  std::vector<Site> sites;
  std::vector<OperationCode> operations;
  std::vector<SyncCode> syncs;
  std::vector<device::Mbarrier> mbarriers;
  std::vector<device::TensorMap> maps;
  std::uint16_t uniforms = 0, vectors = 0;  // number of uniform registers, and of vector registers
  // The registers of blockIdx, which are uniform, and of threadIdx, which are uniform where `threadUniform` is true; by
  // axis x, y, z. They are set in all compiled code.
  std::array<std::uint16_t, 3> blockIdx{kNone, kNone, kNone};
  std::array<std::uint16_t, 3> threadIdx{kNone, kNone, kNone};
  std::array<bool, 3> threadUniform{};
  // Return the number of threads of a block, of warps of a block (the last one may not be full), and of blocks of a
  // cluster.
  std::int64_t threads() const { return block[0] * block[1] * block[2]; }
  int warps() const { return int((threads() + kLanes - 1) / kLanes); }
  int blocksOfCluster() const { return int(cluster[0] * cluster[1] * cluster[2]); }
  // Returns whether the executor needs vector clocks (vector_clock.h) to order accesses, as barriers of the block
  // aren't all that orders them.
  bool hasClocks() const { return hasTimelines() || blocksOfCluster() > 1; }
  // Returns whether the kernel has mbarriers, or operations of the async proxy, which the copy engine or tensor cores
  // of a warpgroup execute while the warps go on.
  bool hasTimelines() const {
    return !mbarriers.empty() ||
           std::ranges::any_of(operations, [](const OperationCode& o) { return device::isBeside(o.row->agent); });
  }
};

// An element's state: 0 never written; else kWritten, kUnknown if its value is unknown, and a bit for each of the
// program's blocks that wrote it (blocks after the sixth that writes the buffer have none).
constexpr std::uint8_t kWritten = 1, kUnknown = 2;

// The program's blocks (T.block) that write each buffer, in program order. Each has a bit in the states of the buffer's
// elements.
class Writers {
 public:
  // Returns the bit of a block that writes the buffer with this data variable, and adds the block if it is new; 0 if
  // six other blocks come before it.
  std::uint8_t bitOf(const ir::VarNode* data, ir::Id block);
  // Returns the bits of all blocks so far that write the buffer, without the bit of block `except`.
  std::uint8_t before(const ir::VarNode* data, ir::Id except) const;

 private:
  std::vector<std::pair<const ir::VarNode*, std::vector<ir::Id>>> blocks_;
};

// Compiles a kernel of `program` to bytecode; its blocks that write are added to `writers`, which all kernels of the
// program share, compiled in their order, and which must not outlive it. Error "NotExecutable" for what the executor
// has no operation for.
Result<Code> compile(const device::Kernel& kernel, const device::Program& program, Writers& writers);

// Returns the time in ns that the executor is likely to take for one block. `trips` has the number of iterations to
// assume for each loop, by index in Code::loops; 0, or no entry: the loop's own extent, 8 if it isn't constant.
double estimateBlock(const Code& code, const std::vector<std::int64_t>& trips);

}  // namespace loom::exec

// The device program: what runs on the GPU, independent of the text it is printed as. Expressions are those of core/ir,
// with flat accesses: a Load has one index (an element offset, or a Ramp for a vector). Statements are typed and carry
// the loops and blocks they come from, so that a line of CUDA leads back to the loop nest.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/symbols.h"

namespace loom::device {

using ir::Buffer;
using ir::DType;
using ir::Expr;
using ir::Id;
using ir::Var;

enum class Memory : std::uint8_t { Global, Shared, SharedDynamic, Local, Fragment };

// The operand that a wmma fragment holds and its tile, M × N × K elements, one fragment spread over 32 lanes.
struct FragmentShape {
  enum class Operand : std::uint8_t { MatrixA, MatrixB, Accumulator };
  Operand operand = Operand::Accumulator;
  int m = 16, n = 16, k = 16;
  bool rowMajor = true;  // of the memory it is loaded from; accumulators have none
};

// Memory that a kernel declares. `buffer` is flat (one dimension, `elements` long; fragments count in fragments).
struct Allocation {
  Buffer buffer;
  Memory memory = Memory::Local;
  std::int64_t elements = 0;
  std::optional<FragmentShape> fragment;
  // The tile as the program indexes it, before flattening: extents and strides in elements, padding included.
  std::vector<std::int64_t> extents, strides;
  // The largest number where there is no larger one.
  std::int64_t bytes() const {
    std::int64_t all = 0;
    return __builtin_mul_overflow(elements, std::int64_t(buffer->dtype.bytes()), &all)
               ? std::numeric_limits<std::int64_t>::max()
               : all;
  }
};

// A set of hardware axes: bits 0–2 threadIdx.x, .y, .z, bits 3–5 blockIdx.x, .y, .z, kFurtherWarps, the warps along
// threadIdx.x after the first (of a warp's operation, whose lanes are the first 32), and kFurtherLanes, the lanes of
// each warp after its first (lower::draft). A statement is *uncovered* by an axis of the kernel when no loop around it
// is bound to that axis, so that every thread (block) along the axis would repeat it.
struct Axes {
  static constexpr std::uint8_t kFurtherWarps = 1 << 6, kFurtherLanes = 1 << 7;
  static constexpr std::uint8_t kThreads = kFurtherLanes | kFurtherWarps | 0b111;
  std::uint8_t bits = 0;
  bool none() const { return bits == 0; }
  friend bool operator==(const Axes&, const Axes&) = default;
};

enum class StmtKind : std::uint8_t { Seq, Loop, If, Store, Wmma, Barrier, Block };

struct StmtNode {
  const StmtKind kind;
  std::vector<Id> origin;  // loops or blocks of the scheduled program that this comes from
  StmtNode(const StmtNode&) = default;

 protected:
  explicit StmtNode(StmtKind k) : kind(k) {}
};
using Stmt = std::shared_ptr<const StmtNode>;

struct SeqNode : StmtNode {
  std::vector<Stmt> stmts;
  SeqNode() : StmtNode(StmtKind::Seq) {}
};

// for (var = 0; var < extent; ++var) body
struct LoopNode : StmtNode {
  Var var;
  Expr extent;
  bool unroll = false;         // the schedule asked for it
  bool virtualThread = false;  // until the pass that interleaves virtual threads
  Stmt body;
  LoopNode() : StmtNode(StmtKind::Loop) {}
};

struct IfNode : StmtNode {
  Expr condition;
  Stmt yes, no;  // no may be null
  bool uncovered =
      false;  // a guard against repeating a store on the threads of an axis that the statement is not bound to
  IfNode() : StmtNode(StmtKind::If) {}
};

// buffer[index] = value; index is an element offset, a Ramp when value is a vector
struct StoreNode : StmtNode {
  Buffer buffer;
  Expr index, value;
  Axes uncovered;  // until guards are placed
  // Of memory that other threads can see: the target and the loads by dimension of their buffers, before flattening.
  // They tell threads apart where a flat index alone doesn't. Empty for vectors.
  struct Element {
    Buffer buffer;
    Expr index;  // flat, as in the statement
    std::vector<Expr> coordinates;
  };
  std::vector<Element> elements;
  StoreNode() : StmtNode(StmtKind::Store) {}
};

// One warp-level matrix operation. All 32 lanes take part.
struct WmmaNode : StmtNode {
  enum class Op : std::uint8_t { Fill, Load, Mma, Store };
  Op op = Op::Fill;
  struct Tile {
    Buffer fragment;
    Expr index;  // which fragment of the buffer
  };
  Tile d;         // Fill, Load: what is written. Mma: D. Store: what is stored.
  Tile a, b, c;   // Mma: D = A · B + C
  Expr fill;      // Fill
  Buffer memory;  // Load, Store
  Expr offset;    // in elements of `memory`
  Expr leading;   // elements between rows (columns when column-major)
  bool rowMajor = true;
  int m = 16, n = 16, k = 16;
  Axes uncovered;  // Store, until guards are placed
  WmmaNode() : StmtNode(StmtKind::Wmma) {}
};

// All threads of the block wait, and see each other's shared and global writes.
struct BarrierNode : StmtNode {
  BarrierNode() : StmtNode(StmtKind::Barrier) {}
};

// The statements of one block of the program; for comments and links only.
struct BlockNode : StmtNode {
  Id block;
  std::string name;
  Stmt body;
  BlockNode() : StmtNode(StmtKind::Block) {}
};

struct Kernel {
  // A number that the launch passes: a symbol of the program. The value is null until there is one (lower::instance).
  struct Scalar {
    Var var;
    Expr value;
    std::string name;  // of the symbol
  };
  std::string name;
  std::array<std::int64_t, 3> grid{1, 1, 1};   // blocks along x, y, z; 0 where they depend on the program's symbols
  std::array<std::int64_t, 3> block{1, 1, 1};  // threads along x, y, z
  std::array<Var, 3> blockIdx, threadIdx;      // never null; extent-1 axes are unused in the body
  std::vector<Buffer> params;                  // global buffers, in the function's order, then temporaries
  std::vector<Allocation> allocations;
  Stmt body;
  bool singleThread = false;        // the program binds no thread: one thread runs everything
  bool draft = false;               // lower::draft's: to be counted and drawn, not to be run
  std::array<Expr, 3> gridExtents;  // over the program's symbols, where `grid` is 0; else null
  std::vector<Scalar> scalars;      // passed after `params`, in the function's order; those that the body uses
  std::int64_t threads() const { return block[0] * block[1] * block[2]; }
  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  Expr gridExtent(int axis) const;  // of type int32
  bool hasBlocks(int axis) const { return gridExtents[std::size_t(axis)] || grid[std::size_t(axis)] > 1; }
  std::int64_t sharedBytes() const;  // static and dynamic, without the driver's own reserve
};

// What the host does, in order.
struct HostPlan {
  struct Temporary {
    Buffer buffer;              // global memory that lives through the launches; flat
    std::int64_t elements = 0;  // 0 where they depend on the program's symbols: the buffer's extent
  };
  std::vector<Temporary> temporaries;
  std::vector<int> launches;  // indices into kernels
};

// What the schedule says and the kernel does not do, or does in another way; the kernel is right all the same.
struct Remark {
  std::string text;          // an English sentence; text::messageIn has it in other languages
  std::vector<Id> subjects;  // loops, blocks
};
// Once: of a sentence that is there already only the subjects are added.
void addRemark(std::vector<Remark>& remarks, Remark remark);

struct Program {
  std::string name;
  std::vector<ir::Parameter> params;  // of the function; global buffers keep their shapes there
  std::vector<Kernel> kernels;
  HostPlan host;
  std::vector<Remark> remarks;  // annotations kept but without effect, loops that run in another way
  // Those that have no value yet: such a program can be printed, but neither run nor counted (lower::instance).
  std::vector<ir::Symbol> symbols;
};

template <class Node>
const Node* as(const Stmt& s) {
  return static_cast<const Node*>(s.get());
}

// Calls f on s and every statement inside, parents first; returning false skips what is inside.
void forEach(const Stmt& s, const std::function<bool(const Stmt&)>& f);
// The expressions that one statement evaluates itself (not those of its children).
std::vector<Expr> expressionsOf(const Stmt& s);

// The program as indented text, for people and tests.
std::string print(const Program& program);

}  // namespace loom::device

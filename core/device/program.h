// The device program: what runs on the GPU, independent of the text it is printed as. Expressions are those of core/ir.
// Before the lowering pass `flatten`, an access of a buffer has an index for each dimension; after it, a Load and a
// BufferPlace have one index, the number of the element, or a Ramp for a vector. Statements are typed and carry the
// loops and blocks that they come from, so that a line of CUDA leads back to the loop nest.
#pragma once
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/device/memory_place.h"
#include "core/device/token.h"
#include "core/ir/message.h"
#include "core/ir/symbols.h"
#include "core/layout/fragment.h"

namespace loom::device {

using ir::Buffer;
using ir::DType;
using ir::Expr;
using ir::Id;
using ir::Var;

using layout::Operand;  // which matrix of D = A · B + C a tile belongs to

// The extents of one product of tensor cores: A is m × k, B is k × n, C and D are m × n elements.
struct ProductTile {
  int m = 0, n = 0, k = 0;
  constexpr int rows(Operand o) const { return o == Operand::B ? k : m; }
  constexpr int columns(Operand o) const { return o == Operand::A ? k : n; }
  constexpr int elements(Operand o) const { return rows(o) * columns(o); }
  friend bool operator==(const ProductTile&, const ProductTile&) = default;
};

// What one fragment holds: the tile of an operand, distributed over the threads of a group (a warp or a warpgroup).
struct FragmentShape {
  Operand operand = Operand::Accumulator;
  ProductTile tile;
  bool rowMajor = true;  // of the memory that A or B is loaded from; accumulators have no such order
  int rows() const { return tile.rows(operand); }
  int columns() const { return tile.columns(operand); }
};

// Memory that a kernel declares. Until `flatten` the buffer has the dimensions that the program indexes; after it one
// dimension of `elements`. For fragments, `elements` is the number of whole tiles.
struct Allocation {
  Buffer buffer;
  Memory memory = Memory::Local;
  std::int64_t elements = 0;              // of all versions together
  std::optional<FragmentShape> fragment;  // what one tile is, for fragments; else nothing
  // Where an element of one version lies: coordinates, as the program indexes them → number of the element. Padding and
  // swizzles are in here and nowhere else.
  layout::Layout layout{{}};
  // The buffer has copies, of which an access chooses one by as many indices before its coordinates as there are
  // entries here. Each entry is a number of copies, outermost first: of virtual threads around the allocation, or of
  // the slots of a software pipeline. Empty for a single copy.
  std::vector<std::int64_t> versions;
  // Of shared memory, filled in by `planSharedMemory`: the first byte in the block's shared memory, a multiple of
  // `alignment` (-1 until then), and whether the bytes belong to the dynamic shared memory, whose size the launch
  // gives.
  std::int64_t alignment = 16, offset = -1;
  bool dynamic = false;
  // Of shared memory: `phase` is the number of the part of the kernel in which the allocation is in use, from 1 on.
  // Allocations of one `region` that are in use in different parts lie in the same bytes. Phase 0: the allocation has
  // bytes of its own, and its region says nothing. `awaits` is the index in Kernel::mbarriers of the mbarrier at which
  // threads wait before they use the allocation; that wait ends when the allocations of earlier parts are no longer in
  // use. -1: a barrier of the block stands between the parts.
  int phase = 0, region = 0, awaits = -1;
  bool mayLieIn(const Allocation& other) const {
    return phase != other.phase && phase > 0 && other.phase > 0 && region == other.region;
  }
  // Returns whether both may lie in the same bytes, and only a barrier of the block keeps their uses apart.
  bool needsMeeting(const Allocation& other) const { return mayLieIn(other) && awaits < 0 && other.awaits < 0; }
  // Returns whether two planned allocations of shared memory have a byte in common.
  bool meets(const Allocation& other) const {
    return offset - other.offset < other.bytes() && other.offset - offset < bytes();
  }
  // Returns the number of elements of one version along each dimension, as the program indexes it.
  std::vector<std::int64_t> extents() const;
  // Returns for each dimension the number of elements from one index to the next, before a swizzle; empty if the layout
  // isn't strided.
  std::vector<std::int64_t> strides() const;
  // Returns the bytes of all versions, for memory other than fragments; the largest std::int64_t if the number is too
  // large for it.
  std::int64_t bytes() const {
    std::int64_t all = 0;
    return __builtin_mul_overflow(elements, std::int64_t(buffer->dtype.bytes()), &all)
               ? std::numeric_limits<std::int64_t>::max()
               : all;
  }
};

// A set of hardware axes: bits 0–2 threadIdx.x, .y, .z; bits 3–5 blockIdx.x, .y, .z; kFurtherWarps, the warps along
// threadIdx.x after the first, for an operation of a warp, whose lanes are the first 32; kFurtherLanes, the lanes of
// each warp after its first, for what one lane does for its warp. A statement is *uncovered* by an axis of the kernel
// when no loop around it is bound to that axis, so that every thread (block) along the axis would repeat it; a guard
// then lets the first one alone execute it.
struct Axes {
  static constexpr std::uint8_t kFurtherWarps = 1 << 6, kFurtherLanes = 1 << 7;
  static constexpr std::uint8_t kThreads = kFurtherLanes | kFurtherWarps | 0b111;
  std::uint8_t bits = 0;
  bool none() const { return bits == 0; }
  friend bool operator==(const Axes&, const Axes&) = default;
};

// An element of a buffer, or the first of `lanes` elements that lie side by side. `at` has an index for each entry of
// Allocation::versions and then one for each dimension; after `flatten` it has only the number of the element, as a
// Ramp where lanes > 1.
struct BufferPlace {
  Buffer buffer;
  std::vector<Expr> at;
  int lanes = 1;
  // True where `at` ends in the number of an element, or of a fragment, instead of coordinates: operations of tensor
  // cores are given pointers.
  bool byOffset = false;
  // For a box that the copy engine moves: its extents in elements along the buffer's last two dimensions; `at` is its
  // first element. Zeros: the place is no box.
  std::array<std::int64_t, 2> box{0, 0};
  bool isBox() const { return box[0] > 0; }
  // Returns how many elements are meant: those of the box, or those side by side.
  std::int64_t elements() const { return isBox() ? box[0] * box[1] : lanes; }
  // Returns the only index of the place. Only after the pass `flatten`.
  const Expr& index() const { return at.back(); }
};

enum class StmtKind : std::uint8_t { Seq, Loop, If, Store, Operation, Sync, Block };

// The base of all statements.
struct StmtNode {
  const StmtKind kind;
  std::vector<Id> origin;  // loops or blocks of the scheduled program that this comes from
  // For stores, operations and synchronizations until guards are placed: the axes that don't cover the statement. Empty
  // afterwards.
  Axes uncovered;
  // The statement's number in the program, by which other tables name it (codegen::LineOrigin): numbers grow in program
  // order, a statement before those inside it, through all kernels. -1 before lowering has ended (`numbered`), and for
  // sequences always. lower::instance, which gives a program's symbols values, keeps the numbers of the statements that
  // it keeps.
  int number = -1;
  StmtNode(const StmtNode&) = default;

 protected:
  explicit StmtNode(StmtKind k) : kind(k) {}
};
using Stmt = std::shared_ptr<const StmtNode>;

// Statements one after the other.
struct SeqNode : StmtNode {
  std::vector<Stmt> stmts;
  SeqNode() : StmtNode(StmtKind::Seq) {}
};

// How the iterations of a loop are executed. Lanes: as the lanes of vector accesses, until `vectorizeLoops`. Virtual:
// as TVM's virtual threads (vthread), interleaved with each other, until `interleaveVirtualThreads`.
enum class LoopUse : std::uint8_t { Serial, Unrolled, Lanes, Virtual };

// How the iterations of a loop overlap in a software pipeline, as the schedule's annotations software_pipeline_stage,
// software_pipeline_order and software_pipeline_async_stages say. Loops have this until the pass `pipeline` turns it
// into statements.
struct Overlap {
  // For each statement of the loop's body: its pipeline stage, which is the number of iterations that it is executed
  // later than a statement of stage 0, and its position in the order of the statements that are executed together.
  std::vector<int> stage, order;
  std::vector<int> asyncStages;  // the stages whose copies from global to shared memory are asynchronous
  // The unroll factor of the pipelined loop, a multiple of every buffer's number of versions, so that each statement
  // uses a constant version. 0: no unrolling, except where versions lie in registers, because an array of registers
  // that is indexed by a variable would lie in local memory.
  int unroll = 0;
};

// for (var = 0; var < extent; ++var) body
struct LoopNode : StmtNode {
  Var var;
  Expr extent;
  LoopUse use = LoopUse::Serial;
  std::optional<Overlap> overlap;  // nothing: an iteration begins when the one before it has ended
  bool pipelined = false;          // the loop was made from one with `overlap`: iterations use what earlier ones began
  Stmt body;
  LoopNode() : StmtNode(StmtKind::Loop) {}
  bool unrolled() const { return use == LoopUse::Unrolled; }
};

// if (condition) yes; else no
struct IfNode : StmtNode {
  Expr condition;
  Stmt yes, no;  // no may be null
  // True for a guard that lets one thread execute stores for all threads of an axis that the statement is not bound to.
  bool standsForAll = false;
  IfNode() : StmtNode(StmtKind::If) {}
};

// to = value. Where the value is a vector, `to` has as many lanes.
struct StoreNode : StmtNode {
  BufferPlace to;
  Expr value;
  bool asynchronous = false;  // the schedule wants an asynchronous copy; false after the pass `async_copies`
  // The value is a load from global memory that the kernel doesn't write, to registers, which the text of the kernel
  // keeps ahead of the next barrier: the compiler is free to move other such loads behind it.
  bool loadsHere = false;
  StoreNode() : StmtNode(StmtKind::Store) {}
};

struct OperationRow;

// One operation of the hardware on tiles, executed by a group of threads together. `row` describes the operation.
struct OperationNode : StmtNode {
  // Never null in a finished program. Rows are constants that live as long as the process (core/device/operation.h).
  const OperationRow* row = nullptr;
  std::vector<BufferPlace> places;  // for each operand of the row
  std::vector<Expr> values;         // for each value of the row
  // For an operation that completes phases of an mbarrier: the index in Kernel::mbarriers, and the slot. Else -1 and
  // null.
  int barrier = -1;
  Expr slot;
  // For an operation by which the copy engine moves a box of global memory: the index in Kernel::maps. Else -1.
  int map = -1;
  OperationNode() : StmtNode(StmtKind::Operation) {}
};

// Accesses of one buffer that a barrier keeps in their order: what a thread does to an element before the barrier, and
// another thread does to it after. At least one of them writes.
struct OrderedAccesses {
  Id buffer;                      // Buffer::id, which `flatten` keeps
  bool writesBefore = false;      // else the statement before the barrier reads
  bool writesAfter = false;       // else the statement after the barrier reads
  std::vector<Id> before, after;  // the `origin` of the two statements
  friend bool operator==(const OrderedAccesses&, const OrderedAccesses&) = default;
};

// What is known to have been written once a wait is over: a buffer, or one version of it. `versions` has an index for
// each entry of Allocation::versions; empty for a buffer without versions.
struct Landed {
  Buffer buffer;
  std::vector<Expr> versions;
  std::vector<Id> by;  // the blocks whose copies they are
};

// A synchronization. Its token is the kind of event that it concerns: a barrier of a warp, block or cluster, the groups
// of asynchronous copies, products or bulk stores, or the phases of an mbarrier. The statement waits for the event, or
// does something that makes it happen. Along each axis of `uncovered` only the first thread executes it.
struct SyncNode : StmtNode {
  using Does = SyncDoes;
  Does does = Does::Wait;
  Token token = Token::BlockBarrier;
  // Of a barrier of the block, why it stands: each entry once, filled in by the pass that places barriers. "After" the
  // barrier can be in the next iteration of a loop around it. Empty for other tokens, and for a barrier of the
  // program's own that orders no accesses.
  std::vector<OrderedAccesses> orders;
  // For a wait for groups: how many of the latest groups may still be pending. For SyncDoes::FewerRegisters and
  // MoreRegisters: the number of registers that each thread has afterwards.
  int allow = 0;
  std::vector<Landed> landed;  // for a wait for groups or transfers: the writes that are waited for
  // For statements on mbarriers: the index in Kernel::mbarriers, the slot (null: all slots), and the number of bytes
  // that are announced. `phase` is the number of the slot's phase that a wait is for, counted from 0, where a phase
  // that counts as ended at first (Mbarrier::open) is counted, too; null: the next phase that the thread hasn't waited
  // for.
  int barrier = -1;
  Expr slot, phase;
  // For an arrival: the number in the cluster of the block at whose mbarrier the thread arrives. Null: the thread's own
  // block.
  Expr target;
  std::int64_t bytes = 0;
  SyncNode() : StmtNode(StmtKind::Sync) {}
};

// The statements of one block of the program: for comments and links, and for passes that follow its annotations.
struct BlockNode : StmtNode {
  Id block;
  std::string name;             // "" for a block without a name, which is here for its annotations
  ir::Annotations annotations;  // of the scheduled block, those that no pass follows among them
  std::vector<Buffer> writes;   // the buffers of the regions that the block declares to write
  bool ofLoaders = false;       // only loading warps execute the block; until warps are specialized
  Stmt body;
  BlockNode() : StmtNode(StmtKind::Block) {}
};

// Barriers in shared memory, one for each slot of a ring (PTX ISA, mbarrier): a phase of a slot ends when `arrivals`
// threads have arrived and all bytes that they announced have landed.
struct Mbarrier {
  Buffer buffer;  // of 64-bit words, among the kernel's allocations
  int slots = 1, arrivals = 1;
  // Whether the phase before the first counts as ended, so that whoever waits for a slot to be free finds it so at
  // first.
  bool open = false;
};

// A tensor map (CUtensorMap), with which the host describes a matrix in global memory to the copy engine (TMA). The
// engine moves boxes of the matrix and swizzles them. Elements of a box that lie outside of the matrix become zeros in
// shared memory, and aren't written to global memory.
struct TensorMap {
  Buffer buffer;                                    // one of the kernel's parameters
  std::string name;                                 // the name of the map in texts
  std::vector<std::int64_t> extents, strides, box;  // by dimension, the outermost first: elements
  int swizzle = 0;      // width in bytes of the swizzle of the box in shared memory: 32, 64 or 128; 0: none
  bool stores = false;  // whether boxes are written, else read
};

// Bytes of a block's shared memory that a buffer has for itself, or that several share because they are in use at
// different times: each of these lies over bytes of another.
struct SharedRegion {
  std::int64_t bytes = 0;
  std::vector<const Allocation*> allocations;  // in Kernel::allocations, ordered by their first byte; never empty
};

// One kernel of a device program.
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
  // Blocks along x, y, z that run at once, on neighbouring multiprocessors, and reach each other's shared memory. Each
  // divides the grid.
  std::array<std::int64_t, 3> cluster{1, 1, 1};
  std::array<Var, 3> blockIdx, threadIdx;  // never null; extent-1 axes are unused in the body
  // The buffers in global memory that are passed to the kernel: those parameters of the function that it uses, in the
  // function's order, then temporaries. Of one dimension after `flatten`.
  std::vector<Buffer> params;
  std::vector<Allocation> allocations;
  std::vector<Mbarrier> mbarriers;
  std::vector<TensorMap> maps;  // passed after `scalars`
  Stmt body;
  bool singleThread = false;        // the program binds no thread: one thread runs everything
  bool draft = false;               // made by lower::draft, for analyses and pictures, and not to be run
  std::array<Expr, 3> gridExtents;  // over the program's symbols, where `grid` is 0; else null
  std::vector<Scalar> scalars;      // passed after `params`, in the function's order; those that the body uses
  std::int64_t threads() const { return block[0] * block[1] * block[2]; }
  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::int64_t blocksOfCluster() const { return cluster[0] * cluster[1] * cluster[2]; }
  // Return the number of blocks along an axis (0 to 2 for x to z) as an expression of type int32, and whether this
  // number is above 1 or depends on the program's symbols.
  Expr gridExtent(int axis) const;
  bool hasBlocks(int axis) const { return gridExtents[std::size_t(axis)] || grid[std::size_t(axis)] > 1; }
  // Returns the bytes of a block's shared memory, static and dynamic, without what the driver reserves; the largest
  // std::int64_t if the number is too large for it. Only after `planSharedMemory`.
  std::int64_t sharedBytes() const;
  // Returns where the buffers of shared memory lie: each is in one region, and no two regions have a byte in common.
  // Buffers without an offset, before `planSharedMemory`, have regions of their own.
  std::vector<SharedRegion> sharedRegions() const;
};

// What the host does: it allocates the temporaries and launches the kernels in this order.
struct HostPlan {
  struct Temporary {
    Buffer buffer;              // global memory that lives through the launches; of one dimension
    std::int64_t elements = 0;  // 0 where they depend on the program's symbols: the buffer's extent
  };
  std::vector<Temporary> temporaries;
  std::vector<int> launches;  // indices into kernels
};

// A remark on something that the schedule says and the kernel does not do, or does in another way. The kernel computes
// the right result all the same.
struct Remark {
  Message text;              // a sentence
  std::vector<Id> subjects;  // loops, blocks
};
// Adds a remark. If its sentence is in the list already, only its subjects are added.
void addRemark(std::vector<Remark>& remarks, Remark remark);

// A device program: its kernels, and what the host does to run them.
struct Program {
  std::string name;
  std::vector<ir::Parameter> params;  // of the function; global buffers keep their shapes there
  std::vector<Kernel> kernels;
  HostPlan host;
  std::vector<Remark> remarks;  // on annotations without effect and loops that run in another way
  // The symbols that have no value yet. A program with symbols can be printed, but neither run nor counted;
  // lower::instance gives them values.
  std::vector<ir::Symbol> symbols;
};

// Returns the statement as a `Node`, which it must be.
template <class Node>
const Node* as(const Stmt& s) {
  return static_cast<const Node*>(s.get());
}

// Calls f on s and every statement inside, parents first; returning false skips what is inside.
void forEach(const Stmt& s, const std::function<bool(const Stmt&)>& f);
// Returns whether operations stand in `s` that a group of threads of this kind executes together: Warp for wmma,
// mma.sync and ldmatrix, Warpgroup for wgmma.
bool hasOperationsOf(Group group, const Stmt& s);
// Returns the blocks in `s` that have an annotation with this key, in program order.
std::vector<const BlockNode*> annotatedBlocks(const Stmt& s, const std::string& key);
// Returns the expressions that one statement evaluates itself, indices of places among them, but not those of its
// children.
std::vector<Expr> expressionsOf(const Stmt& s);

// Returns the program as indented text, for people and tests.
std::string print(const Program& program);

}  // namespace loom::device

// The table of the hardware's operations on tiles and spans. The row of an operation has its operands with their
// registers' layouts, its element types, its texts, and its meaning; lowering, code generation, executor and models
// take these from the row. Elsewhere are the scopes of operands (core/layout/fragment_scope.h), their layouts
// (core/layout/fragment.h), and the calls of TensorIR that take a group of threads (core/intrin/execution.h). A new
// operation needs rows in core/device/operations; the README there says what else.
#pragma once
#include <functional>
#include <map>
#include <span>

#include "core/device/program.h"
#include "core/intrin/execution.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::device {

// Who performs a memory access: the threads that execute the statement, or what they start and don't wait for, the
// copies from global to shared memory past registers (cp.async), the copy engine (TMA), or the tensor cores of a
// warpgroup (wgmma).
enum class Agent : std::uint8_t { Threads, AsyncCopy, CopyEngine, TensorCore };
// Returns whether the agent accesses memory through the asynchronous proxy (PTX ISA, "Proxies"). Then a fence must
// stand between writes of threads to shared memory and the agent's accesses, and the agent computes the addresses of
// its accesses itself, from a tensor map or a descriptor.
constexpr bool isBeside(Agent agent) { return agent == Agent::CopyEngine || agent == Agent::TensorCore; }

// Kinds of products of tensor cores, named after the types of the factors and of the sum, the slower kinds first.
// Tensor cores have a rate for each kind (core/model/product_rate.h).
enum class ProductKind : std::uint8_t { Tf32F32, Bf16F32, F16F32, F16F16, F8F32, S8S32, S4S32, B1S32 };
inline constexpr std::size_t kProductKinds = std::size_t(ProductKind::B1S32) + 1;  // the last one's number and one

// The element types of the matrices of D = A · B + C, and the kind of such a product.
struct ProductTypes {
  ProductKind kind = ProductKind::F16F32;
  DType factors, summand, result;  // the element types of A and B, of C, and of D
  // Binary digits behind the leading one that the product keeps of each factor, where these are fewer than the factors'
  // type has (precision.h). 0: it keeps all.
  int digits = 0;
};

// The largest numbers of operands and values of an operation, and of elements of a tile, so that the executor can keep
// the tiles on its stack. A product of a warpgroup counts by what one of its warps computes, 16 rows of the sum; its
// largest factor has 32 × 256 elements.
inline constexpr std::size_t kMostOperands = 4, kMostValues = 7, kMostTileElements = 32 * 256;

// A tile of an operand while an operation is executed on the CPU: `rows` × `columns` values, row by row. A span is a
// tile of one row.
struct TileView {
  double* values = nullptr;
  int rows = 0, columns = 0;
  std::span<double> all() const { return {values, std::size_t(rows) * std::size_t(columns)}; }
};

// One operand of an operation: a tile of a matrix, in registers that the group's threads hold together, or in memory;
// or a span of bytes that each thread has for itself, in registers of its own (an array that the compiler keeps there)
// or in memory.
struct OperandRow {
  std::string_view name;  // the name in the row's texts: "d", "a", "b", "c" of a product, "m" for memory
  enum class Use : std::uint8_t { Read, Write } use = Use::Read;
  // Where the operand lies. Memory: global or shared memory; Global and Shared: only that one.
  enum class Where : std::uint8_t { Registers, Memory, Global, Shared } where = Where::Registers;
  // The extent: a tile of this matrix of the row's product; or, where `bytes` isn't 0, so many bytes of each thread
  // that lie side by side, as elements of any type. The place of a span has as many lanes as it has elements. Or, where
  // `boxed`, as many lines and elements of a line as the place says (BufferPlace::box).
  Operand operand = Operand::Accumulator;
  int bytes = 0;
  bool boxed = false;
  // The element types that the operand may have; empty if any will do.
  std::span<const DType> dtypes = {};
  // For an operand in registers: returns for an element type which element of the tile each register holds, as a layout
  // (lane:32, register[, half | byte]) → (row, column). A span with a layout is what a thread holds of the matrix. Null
  // where the vendor doesn't specify the layout, and for spans without one.
  layout::Layout (*held)(Operand operand, DType element) = nullptr;
  // For an operand in memory: `alignment` must divide the first element's address in bytes. For a tile in memory:
  // `leading` is the index of the operation's value that gives the number of elements from one line of the tile to the
  // next; lines are rows if `rowMajor`, else columns; `stride` must divide the bytes from one line to the next.
  int leading = -1;
  bool rowMajor = true;
  int alignment = 1, stride = 1;
  // For a tile in shared memory that the hardware accesses by a swizzled layout: the index of the value that gives the
  // bytes of a line of that layout, 32, 64 or 128, and of the value that gives the number of elements from one slab of
  // such lines to the next. The place is then where the tile's first element would lie without the swizzle. -1: there
  // is no swizzle.
  int swizzle = -1, slab = -1;
  // For a sum in registers that is wider than the row's tile: the index of the value that gives the column of the sum
  // where the tile begins. -1: the tile is all that the fragment holds.
  int first = -1;
  bool inMemory() const { return where != Where::Registers; }
  bool isSpan() const { return bytes > 0; }
  bool written() const { return use == Use::Write; }
  bool takes(DType element) const;  // whether the operand may have elements of this type
};

// An element type that operands have only on GPUs of this compute capability (times ten) or newer.
struct ElementSince {
  DType element;
  int since = 0;
};

// The description of one operation of the hardware, such as a load or a product of wmma. All that the engine knows of
// an operation is in its row.
struct OperationRow {
  std::string_view name;      // the operation's name for users: "wmma.load.a.row"
  std::string_view call;      // the call of TensorIR that is read as this operation: "tvm_load_matrix_sync"
  Group group = Group::Warp;  // the threads that execute the operation together
  bool everyLane = true;      // for a warp's operation: all 32 lanes must execute it; false: those that the block has
  Agent agent = Agent::Threads;
  // The extents of the product that the operation belongs to, also if it only moves an operand; zeros for spans.
  ProductTile tile;
  std::span<const OperandRow> operands;
  std::span<const std::string_view>
      values;  // names of what is given beside the operands: a leading dimension, a fill value
  // The index of the value that tells whether memory is read: where the value is 0, no memory is read, and zeros are
  // written. -1: memory is always read.
  int readsIf = -1;
  // For a product D = A · B + C, whose operands are named "d", "a", "b", "c": each combination of element types that
  // the hardware has. Empty for operations that only move data. Only products keep tensor cores busy; the time of other
  // operations follows from the memory that they access.
  std::span<const ProductTypes> products;
  bool multiplies() const { return !products.empty(); }
  // The token upon which the operation has read and written: until it is awaited, nobody may access what the operation
  // writes, nor write what it reads. Nothing: it has read and written when the group's next
  // statement begins.
  std::optional<Token> completes = {};
  // The statement in CUDA and in printed programs. Names in braces stand for operands and values: {d} is the operand's
  // element, {&m} its address, {m, element} its buffer and the number of the element, {+m} its address as a sum whose
  // last part the compiler knows once it has unrolled, {leading} a value's text.
  std::string_view text, print;
  std::string_view preamble;  // lines that a CUDA text with the statement begins with
  // The compute capability, times ten, of the oldest GPUs that have the operation: 70. Elements of its operands that
  // came later stand in `later`.
  int since = 0;
  bool only = false;  // whether GPUs of this capability have it and no newer ones: sm_90a
  std::span<const ElementSince> later = {};
  // Executes the operation on the CPU: computes the operands that are written from those that are read. `tiles` has a
  // tile for each operand and `values` a number for each value. The caller copies tiles from and to memory.
  void (*run)(std::span<const TileView> tiles, std::span<const double> values) = nullptr;
  double nanoseconds = 1000;  // that `run` and its caller take on one core for a warp, for estimates of a check's time

  // Returns the index of the operand of this name; -1 if there is none.
  int find(std::string_view operand) const;
  // Returns the index of the value of this name; -1 if there is none.
  int findValue(std::string_view value) const;
  // Returns the floating-point operations of one execution; 0 for operations that only move data.
  double flops() const { return multiplies() ? 2.0 * tile.m * tile.n * tile.k : 0; }
};

// Returns the row of this name; null if there is none.
const OperationRow* findOperation(std::string_view name);

// Returns a row that multiplies a tile of this shape, with factors of dtype `factors` and C and D of dtype `sum`; null
// if there is none. Of several, which differ in the orders of the factors in memory, it is the first of the table.
const OperationRow* findProduct(const ProductTile& tile, DType factors, DType sum);

// Returns the element types of a product, those of its row's `products` that its operands' buffers have; null for other
// operations, and if the row doesn't have these types together.
const ProductTypes* productOf(const OperationNode& operation);
// Returns the operand of the operation that is this buffer, or else its first operand in registers; null if it has none
// there.
const OperandRow* registersOf(const OperationNode& operation, const ir::BufferNode* buffer);

// Returns how many blocks of a cluster get what the operation copies; 1 if it isn't multicast.
int blocksThatGet(const OperationNode& operation);

// Returns the place of the operand of this name; null if the row has no such operand.
const BufferPlace* placeOf(const OperationNode& operation, std::string_view operand);

// What the first use of a fragment says of its C++ type. All later uses must agree with it. Members are empty, or null,
// until a call says them, and the blocks are null outside of blocks.
struct FragmentUse {
  std::optional<bool> rowMajor;
  ir::Block loader;  // the block whose load said so
  std::optional<ProductTile> tile;
  ir::Block user;  // the block whose operation said so
};

// What the calls in a kernel say of a fragment before it is declared: the first tile that a call gives it (of a
// warpgroup's sum the widest), and whether all loads take it from memory by rows.
struct FragmentForm {
  ProductTile tile;
  bool rowMajor = true;
};
// The forms of fragments, by the data variable of the fragment's buffer.
using FragmentForms = std::map<const ir::VarNode*, FragmentForm>;
// Returns the forms of all fragments that calls in a nest of TensorIR, or in a part of it, fill, load or store, and of
// all sums of a warpgroup in it.
FragmentForms fragmentForms(const ir::Stmt& nest);

// What has to be known of the kernel around a call of TensorIR to read it as an operation.
struct ReadContext {
  std::function<Result<Buffer>(const ir::VarNode*)> buffer;  // the kernel's buffer with this data variable
  std::function<Result<Expr>(const Expr&)> expression;       // an argument, checked and simplified
  // The kernel's allocations, whose fragments get their order from the loads, and what the calls before this one said
  // of each fragment, to which the call is added. Never null.
  std::vector<Allocation>* allocations = nullptr;
  std::map<const ir::BufferNode*, FragmentUse>* uses = nullptr;
  ir::Block block;  // the innermost named block around the call; null outside of blocks
  Expr lanes;       // the lanes of the warp that the block has, as a mask of 32 bits
};

// Returns whether a call is read as an operation of the hardware, such as "tvm_mma_sync".
bool isOperation(std::string_view call);
// Returns who executes the operation that a call is read as; nothing for other calls.
std::optional<Group> groupOf(std::string_view call);

// Reads a call as the operation that it stands for. Errors "NotAKernel": a call that stands for none, operands in the
// wrong place, dtypes that the hardware doesn't multiply, tiles or orders of one fragment that differ, and rows in
// memory that don't begin at the alignment that the operation needs.
Result<OperationNode> readOperation(const ir::CallNode& call, const ReadContext& context);

// What has to be known of the block around a call to write the call as loops of TensorIR over the tiles of its
// operands.
struct InOrder {
  // Returns the block's view (match_buffer) with this data variable; null if it has none.
  std::function<const ir::MatchBuffer*(const Expr& data)> viewOf;
  // For each buffer of fragments that a load fills: whether the matrix lies in memory column by column.
  const std::map<const ir::BufferNode*, bool>& columnMajor;
  Expr lane;  // the number of the lane whose part of the call is asked for; null outside of loops over lanes
};
// Returns what the call of an operation (isOperation) computes, as loops of TensorIR. Error "NotExecutable" for
// operands that aren't tiles which the block views, and for a product of fragments if no load says whether the second
// factor lies by rows or by columns.
Result<ir::Stmt> inOrder(const ir::CallNode& call, const InOrder& context);
// Returns the loops of a call that is no operation of the hardware but stands for loops of one lane: T.mma_fill,
// T.mma_store, and T.ptx_ldmatrix of elements that it can't transpose. Returns nothing for other calls. Error
// "NotExecutable" for operands that the block doesn't view as tiles, and outside of a loop over lanes.
std::optional<Result<ir::Stmt>> inElements(const ir::CallNode& call, const InOrder& context);
// Returns, for a call that loads a matrix from memory to registers (tvm_load_matrix_sync, ptx_ldmatrix), whether the
// matrix lies in memory by columns. Returns nothing for other calls.
std::optional<bool> loadsByColumns(const ir::CallNode& call);

// Functions that give the text for each name in braces in a row's text: `element` for {operand}, `address` for
// {&operand}, `apart` for {operand, element}, `sum` for {+operand}, and `value` for {value} (OperationRow::text).
struct OperandTexts {
  std::function<std::string(const BufferPlace&)> element, address, apart, sum;
  std::function<std::string(const Expr&)> value;
  // For {barrier} and {map}: the names of the mbarriers and of the map with this index in the kernel. {slot} is given
  // by `value`.
  std::function<std::string(int)> barrier, map;
};
// Returns `text`, a text of the operation's row, with the names in braces replaced.
std::string filled(std::string_view text, const OperationNode& operation, const OperandTexts& texts);

// --- operations on values of one thread, which stand in expressions ---

// A dot product of packed vectors in one instruction: sum + Σ a[i] · b[i].
struct DotRow {
  std::string_view call;  // the external function of CUDA: "__dp4a"
  int length = 4;         // elements of each vector
  int bits = 8;           // of one element
  int since = 0;          // as OperationRow::since
  // Positions in the call's arguments, of which the first is the function's name.
  int a = 1, b = 2, sum = 3;
  double flops() const { return 2.0 * length; }
};
// Returns the row of the dot product that a call stands for; null for other calls.
const DotRow* dotOf(const ir::CallNode& call);
// Returns a sentence on why CUDA doesn't have the dot product of the dtypes that `call`, a call of `row`, has; empty if
// it has it.
Message whyNoDot(const DotRow& row, const ir::CallNode& call);
// Returns whether loading elements of this dtype gives a register that a dot product takes: its packed vector.
bool isPackedVector(ir::DType loaded);

// --- register operands ---

// The fragments that one family of operations has: tiles in the registers of a group of threads. Their scopes stand in
// core/layout/fragment_scope.h.
struct FragmentFamily {
  std::string_view name;  // the beginning of the fragments' scopes, up to the dot: "wmma"
  // The extents of the products whose operands the fragments are. For a fragment that no call uses, the first tile
  // that divides the buffer's extents counts, or else the first of all.
  std::span<const ProductTile> tiles;
  // Returns the CUDA declaration of `name` as `count` fragments of elements of this type, which CUDA calls `type`.
  std::string (*declare)(const FragmentShape& shape, DType element, const std::string& type, const std::string& name,
                         std::int64_t count);
  // Returns what could be done to a block that reads or writes the buffer element by element: the intrinsics that do
  // the same; empty if none does. The function is null for a family without such intrinsics. `block` is null outside of
  // blocks.
  Message (*remedy)(const ir::BufferNode& buffer, const ir::Block& block) = nullptr;

  // Returns what each fragment of a buffer with these extents holds. `form` is null if no call gives the fragment a
  // form. Error "NotAKernel" if the buffer isn't made of whole tiles.
  Result<FragmentShape> shapeOf(const ir::BufferNode& buffer, const std::vector<std::int64_t>& extents,
                                const FragmentForm* form) const;
  // Returns the error "NotAKernel" for a block that reads or writes the buffer element by element, which is impossible
  // because no lane knows which register holds an element.
  Failure refuseElements(const ir::BufferNode& buffer, const ir::Block& block) const;
};
// Returns the family of a buffer in this scope; null for scopes of other memory, and of operands without operations.
const FragmentFamily* familyOf(std::string_view scope);

}  // namespace loom::device

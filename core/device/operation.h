// Operations of the hardware, one row each: all that any room of the program knows of them. A new operation is a row in
// core/device/operations, its intrinsics in assets/intrinsics, and its tests.
#pragma once
#include <functional>
#include <map>
#include <span>

#include "core/device/program.h"
#include "core/intrin/execution.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::device {

// Who performs a memory access: the threads that execute the statement, or an engine that they start.
enum class Agent : std::uint8_t { Threads };

// The unit of a multiprocessor that an operation keeps busy.
enum class Pipe : std::uint8_t { Fma, Tensor, LoadStore };

// A tile of an operand while an operation is executed on the CPU: `rows` × `columns` values, row by row.
struct TileView {
  double* values = nullptr;
  int rows = 0, columns = 0;
  std::span<double> all() const { return {values, std::size_t(rows) * std::size_t(columns)}; }
};

// One operand of an operation: a tile of a matrix, in registers that the group's threads hold together, or in memory.
struct OperandRow {
  std::string_view name;  // in the row's texts
  enum class Use : std::uint8_t { Read, Write } use = Use::Read;
  enum class Where : std::uint8_t { Registers, Memory } where = Where::Registers;
  Operand operand = Operand::Accumulator;
  // Of memory: the value (by number) that tells how many elements lie between the tile's rows, or between its columns
  // where memory runs along these; and where the first element must lie, in bytes.
  int leading = -1;
  bool rowMajor = true;
  int alignment = 1;
  bool inMemory() const { return where == Where::Memory; }
  bool written() const { return use == Use::Write; }
};

struct OperationRow {
  std::string_view name;  // of the row, for people: "wmma.load.a.row"
  Group group = Group::Warp;
  Agent agent = Agent::Threads;
  Pipe pipe = Pipe::Tensor;
  ProductTile tile;
  std::span<const OperandRow> operands;
  std::span<const std::string_view>
      values;  // names of what is given beside the operands: a leading dimension, a fill value
  // True for products D = A · B + C, with operands named "d", "a", "b", "c".
  bool multiplies = false;
  // The statement in CUDA and in printed programs. Names in braces stand for operands and values: {d} is the operand's
  // element, {&m} its address, {leading} a value's text.
  std::string_view text, print;
  std::string_view preamble;  // lines that a CUDA text with the statement begins with
  // Computes what is written from what is read; tiles by operand, values by value. Memory's layout is the caller's
  // care.
  void (*run)(std::span<const TileView> tiles, std::span<const double> values) = nullptr;
  double nanoseconds = 1000;  // that `run` and its caller take on one core, for estimates of a check's time

  // The number of the operand of this name, or -1.
  int find(std::string_view operand) const;
  // Floating-point operations of one execution; 0 for operations that only move.
  double flops() const { return multiplies ? 2.0 * tile.m * tile.n * tile.k : 0; }
};

// The row of this name. Null where there is none.
const OperationRow* findOperation(std::string_view name);

// The place of the operand of this name. Null where the row has none of it.
const BufferPlace* placeOf(const OperationNode& operation, std::string_view operand);

// What the first uses of a fragment say of its C++ type; all later ones must agree.
struct FragmentUse {
  std::optional<bool> rowMajor;
  ir::Block loader;  // the block whose load said so
  std::optional<ProductTile> tile;
  ir::Block user;  // the block whose operation said so
};

// What reading a call of TensorIR needs to know of the kernel around.
struct ReadContext {
  std::function<Result<Buffer>(const ir::VarNode*)> buffer;  // the kernel's buffer with this data variable
  std::function<Result<Expr>(const Expr&)> expression;       // an argument, checked and simplified
  std::vector<Allocation>* allocations = nullptr;            // fragments learn their tile and order from their uses
  std::map<const ir::BufferNode*, FragmentUse>* uses = nullptr;
  ir::Block block;  // the innermost named block around the call; null outside of blocks
};

// True for calls that are read as an operation of a group of threads ("tvm_mma_sync").
bool isOperation(std::string_view call);

// The operation that the call stands for. Errors "NotAKernel": a call that is none, operands in the wrong place, dtypes
// that the hardware doesn't multiply, tiles or orders of one fragment that differ, rows in memory that don't start
// where they must.
Result<OperationNode> readOperation(const ir::CallNode& call, const ReadContext& context);

// What the meaning of a call in order, as loops of TensorIR over the tiles of its operands, needs to know of its block.
struct InOrder {
  std::function<const ir::MatchBuffer*(const Expr& data)> viewOf;  // by its data variable; null where there is none
  // Source buffers of fragments by whether the loads fill them column by column.
  const std::map<const ir::BufferNode*, bool>& columnMajor;
};
// Error "NotExecutable" for operands that aren't tiles which the block views, and for a product of fragments of which
// none of the loads says how the second factor lies.
Result<ir::Stmt> inOrder(const ir::CallNode& call, const InOrder& context);
// Of a call that loads its first argument from memory: whether it lies there by columns. Nothing for other calls.
std::optional<bool> loadsByColumns(const ir::CallNode& call);

// A statement's text from a row's: `element` gives the text of {operand}, `address` that of {&operand}, by the
// operand's number, and `value` that of {value}.
struct OperandTexts {
  std::function<std::string(const BufferPlace&)> element, address;
  std::function<std::string(const Expr&)> value;
};
std::string filled(std::string_view text, const OperationNode& operation, const OperandTexts& texts);

// --- operations on values of one thread, which stand in expressions ---

// A dot product of packed vectors in one instruction: sum + Σ a[i] · b[i].
struct DotRow {
  std::string_view call;  // the external function of CUDA: "__dp4a"
  int length = 4;         // elements of each vector
  int bits = 8;           // of one element
  // Positions in the call's arguments, of which the first is the function's name.
  int a = 1, b = 2, sum = 3;
  double flops() const { return 2.0 * length; }
};
// The row that the call stands for; null for other calls.
const DotRow* dotOf(const ir::CallNode& call);
// Why CUDA doesn't have this dot product, as a sentence; empty where it does.
Message whyNoDot(const DotRow& row, const ir::CallNode& call);
// True where loading these elements gives a register that a dot product takes: its packed vector, side by side.
bool isPackedVector(ir::DType loaded);

// --- register operands ---

// How CUDA declares the fragments of one family of operations.
struct FragmentFamily {
  std::string_view scopes;  // that TensorIR gives such buffers, up to the operand's name: "wmma."
  std::optional<Operand> (*operandOf)(std::string_view name);  // by the rest of the scope: "matrix_a"
  // The declaration of `name` as `count` fragments of `type`.
  std::string (*declare)(const FragmentShape& shape, const std::string& type, const std::string& name,
                         std::int64_t count);
  // What each fragment of a buffer with these extents holds. Error "NotAKernel" where the buffer isn't whole tiles.
  Result<FragmentShape> (*shapeOf)(const ir::BufferNode& buffer, const std::vector<std::int64_t>& extents);
  // Error "NotAKernel" of a block that reads or writes the buffer element by element: no lane knows which register
  // holds an element. Its remedy names the intrinsic that would do what the block does. `block` is null outside of
  // blocks.
  Failure (*refuseElements)(const ir::BufferNode& buffer, const ir::Block& block);
};
// The family of a buffer in this scope. Null for scopes of other memory.
const FragmentFamily* familyOf(std::string_view scope);
// The matrix whose tiles a buffer in this scope holds: "wmma.matrix_a". Nothing for scopes that hold none.
std::optional<Operand> operandOf(std::string_view scope);

}  // namespace loom::device

// Operations for tests only, which no program can call since they aren't in the table of operations, and a kernel that
// uses them: asynchronous and synchronous copies of 16 bytes from global to shared memory. An OperationRow describes a
// device operation to all of Tileloom: its operands, its CUDA text and its meaning.
#pragma once
#include <algorithm>
#include <array>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"

namespace loom::device::planted {

// Executes the copy: writes the elements of the second tile to the first one.
inline void copySpan(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}

// Returns an operand of 16 bytes, aligned to 16 bytes.
inline constexpr OperandRow copied(std::string_view name, OperandRow::Use use, OperandRow::Where where) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.where = where;
  r.bytes = r.alignment = 16;
  return r;
}
inline constexpr std::array<OperandRow, 2> kCopied{copied("to", OperandRow::Use::Write, OperandRow::Where::Shared),
                                                   copied("from", OperandRow::Use::Read, OperandRow::Where::Global)};
// Returns an operation that copies 16 bytes by the PTX instruction cp.async. `completes` is the event by which threads
// wait for the copy; nothing: the executor and the analyses take the copy as synchronous. Its CUDA text is then wrong,
// as nothing waits for cp.async, and must not run on a GPU.
inline constexpr OperationRow copies(std::string_view name, std::optional<Token> completes) {
  OperationRow r;
  r.name = name;
  r.group = Group::Thread;
  r.agent = Agent::AsyncCopy;
  r.operands = kCopied;
  r.completes = completes;
  r.text =
      "asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" :: \"r\"((unsigned)__cvta_generic_to_shared({&to})), "
      "\"l\"({&from}) : \"memory\");";
  r.print = "cp.async {to} = {from}";
  r.since = 80;
  r.run = copySpan;
  return r;
}
inline constexpr OperationRow kAsyncCopy = copies("cp.async.16", Token::AsyncCopies);
// The synchronous copy, which the executor completes before the next statement begins.
inline constexpr OperationRow kCopy = copies("copy.16", std::nullopt);

// Returns the index expression, as lowering writes it, of `lanes` consecutive elements from `first` on.
inline Expr ramp(Expr first, int lanes) { return std::make_shared<ir::RampNode>(first, ir::intImm(1), lanes); }
// Returns the statement that copies 16 bytes by `row`, which must outlive it, from element `first` of `from` to element
// `at` of `to`.
inline Stmt copy(const OperationRow& row, const Buffer& to, const Expr& at, const Buffer& from, const Expr& first) {
  auto n = std::make_shared<OperationNode>();
  n->row = &row;
  const int lanes = row.operands[0].bytes / to->dtype.bytes();
  n->places = {{to, {ramp(at, lanes)}, lanes, false}, {from, {ramp(first, lanes)}, lanes, false}};
  return n;
}
// Returns the statement that waits for all operations that complete `token`.
inline Stmt await(Token token) {
  auto n = std::make_shared<SyncNode>();
  n->token = token;
  return n;
}

// Returns the statement that commits the operations that were started so far, and complete `token`, as a group.
inline Stmt commit(Token token) {
  auto n = std::make_shared<SyncNode>();
  n->does = SyncNode::Does::Commit;
  n->token = token;
  return n;
}

// A kernel of one block of 64 threads: each thread t copies 4 elements of A to shared memory S by `row`, waits for
// asynchronous copies, meets the others at a barrier, and stores to B the 4 elements that thread 63 − t has copied.
// Tests replace its statements by `body`. `row` must outlive the object.
struct Reversal {
  Buffer a = ir::makeBuffer(Id{9, 1}, "A", DType::Float(32), {ir::intImm(256)});
  Buffer b = ir::makeBuffer(Id{9, 2}, "B", DType::Float(32), {ir::intImm(256)});
  Buffer s = ir::makeBuffer(Id{9, 3}, "S", DType::Float(32), {ir::intImm(256)}, "shared");
  Program program;
  Expr thread;
  Stmt copies, started;  // the copy; the copy followed by a commit, if `row` is asynchronous
  Stmt wait = await(Token::AsyncCopies), meet = barrier(), stores;

  explicit Reversal(const OperationRow& row = kAsyncCopy) {
    program.name = "reversal";
    for (const Buffer& p : {a, b}) program.params.push_back({p->data, p});
    Kernel k;
    k.name = "reversal_kernel";
    k.block = {64, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      k.threadIdx[axis] = ir::makeVar(std::string("threadIdx.") + "xyz"[axis]);
      k.blockIdx[axis] = ir::makeVar(std::string("blockIdx.") + "xyz"[axis]);
    }
    k.params = {a, b};
    Allocation shared;
    shared.buffer = s;
    shared.memory = Memory::Shared;
    shared.elements = 256;
    shared.layout = layout::Layout({{"i", 256}});
    shared.offset = 0;
    k.allocations = {shared};
    thread = k.threadIdx[0];
    copies = copy(row, s, thread * 4, a, thread * 4);
    started = row.completes ? seq({copies, commit(*row.completes)}) : copies;
    auto store = std::make_shared<StoreNode>();
    const Expr other = (ir::intImm(63) - thread) * 4;
    store->to = {b, {ramp(thread * 4, 4)}, 4, false};
    store->value = std::make_shared<ir::LoadNode>(s, std::vector<Expr>{ramp(other, 4)}, DType::Float(32).withLanes(4));
    stores = store;
    program.kernels.push_back(std::move(k));
    program.host.launches = {0};
    body({started, wait, meet, stores});
  }
  Kernel& kernel() { return program.kernels[0]; }
  void body(std::vector<Stmt> statements) { kernel().body = seq(std::move(statements)); }
};

}  // namespace loom::device::planted

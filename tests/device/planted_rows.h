// Rows of operations that no call is read as, and kernels of them: what any room makes of a copy past registers is
// tested before a program can have one.
#pragma once
#include <algorithm>
#include <array>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"

namespace loom::device::planted {

inline void copySpan(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}

// PTX ISA, cp.async: 16 bytes from global to shared memory, past registers and L1.
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
// The same, done when the next statement begins.
inline constexpr OperationRow kCopy = copies("copy.16", std::nullopt);

// As lowering leaves an index at last: the number of the first of `lanes` elements.
inline Expr ramp(Expr first, int lanes) { return std::make_shared<ir::RampNode>(first, ir::intImm(1), lanes); }
inline Stmt copy(const OperationRow& row, const Buffer& to, const Expr& at, const Buffer& from, const Expr& first) {
  auto n = std::make_shared<OperationNode>();
  n->row = &row;
  const int lanes = row.operands[0].bytes / to->dtype.bytes();
  n->places = {{to, {ramp(at, lanes)}, lanes, false}, {from, {ramp(first, lanes)}, lanes, false}};
  return n;
}
inline Stmt await(Token token) {
  auto n = std::make_shared<SyncNode>();
  n->token = token;
  return n;
}

inline Stmt commit(Token token) {
  auto n = std::make_shared<SyncNode>();
  n->does = SyncNode::Does::Commit;
  n->token = token;
  return n;
}

// 64 threads copy 4 elements of A each to shared memory, wait, meet, and store the elements of thread 63 − t to B.
struct Reversal {
  Buffer a = ir::makeBuffer(Id{9, 1}, "A", DType::Float(32), {ir::intImm(256)});
  Buffer b = ir::makeBuffer(Id{9, 2}, "B", DType::Float(32), {ir::intImm(256)});
  Buffer s = ir::makeBuffer(Id{9, 3}, "S", DType::Float(32), {ir::intImm(256)}, "shared");
  Program program;
  Expr thread;
  Stmt copies, started;  // the operation; the same and the commit that it needs
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

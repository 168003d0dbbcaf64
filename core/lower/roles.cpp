#include "core/lower/roles.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/execution_group.h"
#include "core/lower/launch.h"
#include "core/lower/turns.h"

namespace loom::lower {
namespace {

using namespace device;

// PTX ISA, setmaxnreg: multiples of 8 from 24 to 256. CUDA C Programming Guide, "Technical Specifications": registers
// of a block, and threads of it.
constexpr std::int64_t kFewestRegisters = 24, kLargestShare = 256, kRegisterStep = 8, kRegistersOfBlock = 65536,
                       kThreadsOfBlock = 1024;

bool isMarker(const Stmt& s) { return s->kind == StmtKind::Block && as<BlockNode>(s)->ofLoaders; }

// The statements of the one part, with all that is around them; null where there are none.
Stmt partOf(const Stmt& s, bool loaders) {
  if (!s) return s;
  if (isMarker(s)) return loaders ? as<BlockNode>(s)->body : nullptr;
  switch (s->kind) {
    case StmtKind::Store:
    case StmtKind::Operation:
    case StmtKind::Sync: return loaders ? nullptr : s;
    default: return mapChildren(s, [&](const Stmt& child) { return partOf(child, loaders); });
  }
}

// Along threadIdx.y the loaders are one warpgroup; along x one thread of theirs asks.
Stmt byOneThread(const Stmt& s) {
  if (!s) return s;
  const auto along = [](Axes axes) {
    axes.bits &= std::uint8_t(~0b110);
    return axes;
  };
  if (s->kind == StmtKind::Operation)
    return edit<OperationNode>(s, [&](OperationNode& n) { n.uncovered = along(n.uncovered); });
  if (s->kind == StmtKind::Sync) return edit<SyncNode>(s, [&](SyncNode& n) { n.uncovered = along(n.uncovered); });
  return mapChildren(s, byOneThread);
}

Stmt when(Expr condition, Stmt yes, Stmt no = nullptr) {
  auto s = std::make_shared<IfNode>();
  s->condition = std::move(condition);
  s->yes = std::move(yes);
  s->no = std::move(no);
  return s;
}

Stmt registers(int count, bool more) {
  return makeSync(Token::Products, more ? SyncDoes::MoreRegisters : SyncDoes::FewerRegisters, count);
}

// What the blocks of one part ask for; nothing where they don't.
struct Asked {
  std::optional<std::int64_t> registers;
  const BlockNode* block = nullptr;
};
Result<Asked> registersOf(const Stmt& s) {
  Asked asked;
  if (!s) return asked;
  for (const BlockNode* b : annotatedBlocks(s, kThreadRegisters)) {
    const auto number = numberOf(b->annotations.at(kThreadRegisters));
    if (!number || *number < kFewestRegisters || *number > kLargestShare || *number % kRegisterStep != 0)
      return notAKernel(message("\"{}\" of block {} is a multiple of {} from {} to {}: the registers of a thread",
                                kThreadRegisters, b->name, kRegisterStep, kFewestRegisters, kLargestShare),
                        {b->block}, {}, Forbids::Hardware);
    if (asked.registers && *asked.registers != *number)
      return notAKernel(message("blocks {} and {} of the same warps ask for {} and {} registers", asked.block->name,
                                b->name, *asked.registers, *number),
                        {asked.block->block, b->block});
    asked.registers = number;
    asked.block = b;
  }
  return asked;
}

}  // namespace

Result<int> askedEarly(const Stmt& s) {
  int most = 0;
  for (const BlockNode* b : annotatedBlocks(s, kEarly)) {
    const auto number = numberOf(b->annotations.at(kEarly));
    if (!number || *number < 0 || *number > std::numeric_limits<int>::max())
      return notAKernel(message("\"{}\" of block {} is a whole number from 0 on: the iterations whose copies are asked "
                                "for before the block meets",
                                kEarly, b->name),
                        {b->block});
    most = std::max(most, int(*number));
  }
  return most;
}

bool isLoader(const Stmt& s) {
  if (!s) return false;
  for (const BlockNode* b : annotatedBlocks(s, kRole)) {
    if (textOf(b->annotations.at(kRole)) == "load") return true;
  }
  return false;
}

Stmt ofLoaders(Stmt s) {
  if (!s) return s;
  auto marker = std::make_shared<BlockNode>();
  marker->ofLoaders = true;
  marker->body = std::move(s);
  return marker;
}

Result<void> splitRoles(Kernel& kernel) {
  bool any = false;
  forEach(kernel.body, [&](const Stmt& s) { return !(any |= isMarker(s)); });
  if (!any) {
    const auto asking = annotatedBlocks(kernel.body, kTurns);
    if (asking.empty()) return {};
    return notAKernel(message("\"{}\" of block {} needs warps that load, which go on while warpgroups take turns",
                              kTurns, asking.front()->name),
                      {asking.front()->block}, message("sch.annotate(the copies, \"{}\", \"load\")", kRole));
  }
  const Stmt load = byOneThread(partOf(kernel.body, true));
  Stmt work = partOf(kernel.body, false);
  std::vector<Id> subjects;
  for (const BlockNode* b : annotatedBlocks(load, kRole)) subjects.push_back(b->block);
  if (kernel.block[0] != kWarpgroupThreads || kernel.block[2] != 1)
    return notAKernel(message("warps that load stand beside whole warpgroups, {} threads along threadIdx.x and "
                              "warpgroups along threadIdx.y; here {} × {} × {} threads multiply",
                              kWarpgroupThreads, kernel.block[0], kernel.block[1], kernel.block[2]),
                      subjects, {}, Forbids::Hardware);
  const auto turns = turnsOf(work);
  if (auto own = inTurns(kernel, work); own) {
    work = *own;
  } else {
    return Failure(own.error());
  }
  const std::int64_t workers = kernel.block[1] * *turns, multiplying = workers * kWarpgroupThreads;
  if (multiplying + kWarpgroupThreads > kThreadsOfBlock)
    return notAKernel(message("{} threads that multiply and {} that load are more than the {} of a block", multiplying,
                              kWarpgroupThreads, kThreadsOfBlock),
                      subjects, {}, Forbids::Hardware);
  const auto less = registersOf(load), more = registersOf(work);
  if (!less) return Failure(less.error());
  if (!more) return Failure(more.error());
  if (less->registers.has_value() != more->registers.has_value())
    return notAKernel(message("\"{}\" moves registers from the warps that load to those that multiply: both say how "
                              "many they keep",
                              kThreadRegisters),
                      {(less->block ? less->block : more->block)->block});
  std::vector<Stmt> loading, working;
  if (less->registers) {
    const std::int64_t all = *less->registers * kWarpgroupThreads + *more->registers * multiplying;
    if (all > kRegistersOfBlock)
      return notAKernel(
          message("{} registers for each of {} threads that multiply and {} for each of {} that load are "
                  "{}; a block has {}",
                  *more->registers, multiplying, *less->registers, kWarpgroupThreads, all, kRegistersOfBlock),
          {less->block->block, more->block->block}, {}, Forbids::Hardware);
    loading.push_back(registers(int(*less->registers), false));
    working.push_back(registers(int(*more->registers), true));
  }
  loading.push_back(when(ir::lt(kernel.threadIdx[0], ir::intImm(kWarpLanes)), load));
  working.push_back(work);
  kernel.block[1] = workers + 1;
  kernel.body =
      when(ir::lt(kernel.threadIdx[1], ir::intImm(workers)), seq(std::move(working)), seq(std::move(loading)));
  return {};
}

Stmt whereLoading(const Kernel& kernel, Stmt s) {
  return when(ir::eq(kernel.threadIdx[1], ir::intImm(kernel.block[1] - 1)), std::move(s));
}

}  // namespace loom::lower

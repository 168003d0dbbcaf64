#include "core/lower/transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/addressing.h"
#include "core/lower/clusters.h"
#include "core/lower/roles.h"

namespace loom::lower {

using namespace device;

namespace {

bool isTransfer(const Stmt& s) {
  return s->kind == StmtKind::Operation && as<OperationNode>(s)->row->completes == Token::Transfers;
}

// All that lands in one block, where each of those that get the box asks for such a one.
std::int64_t bytesOf(const OperationNode& n) {
  const BufferPlace& to = n.places[std::size_t(n.row->find("to"))];
  return to.elements() * to.buffer->dtype.bytes() * blocksThatGet(n);
}

std::vector<Landed> landedBy(const Stmt& s) {
  std::vector<Landed> all;
  forEach(s, [&](const Stmt& inner) {
    if (!isTransfer(inner)) return true;
    const Buffer& b = as<OperationNode>(inner)->places[0].buffer;
    if (std::ranges::find(all, b, &Landed::buffer) == all.end()) all.push_back({b, {}, inner->origin});
    return true;
  });
  return all;
}

Stmt awaited(Kernel& kernel, const Stmt& s) {
  if (!s) return s;
  if (onlyTransfers(s)) {
    bool told = true;
    forEach(s, [&](const Stmt& inner) {
      if (isTransfer(inner)) told &= as<OperationNode>(inner)->barrier >= 0;
      return told;
    });
    if (told) return s;
    const int barrier = addMbarrier(kernel, "landed", 1);
    const Expr slot = ir::intImm(0);
    return seq({expecting(kernel, barrier, slot, transferredBytes(s)), toldTo(s, barrier, slot),
                awaiting(barrier, slot, landedBy(s))});
  }
  return mapChildren(s, [&](const Stmt& child) { return awaited(kernel, child); });
}

}  // namespace

Axes allThreads(const Kernel& kernel) {
  Axes axes;
  for (int axis = 0; axis < 3; ++axis)
    if (kernel.block[std::size_t(axis)] > 1) axes.bits |= std::uint8_t(1 << axis);
  return axes;
}

bool hasTransfers(const Stmt& s) {
  bool found = false;
  if (s) forEach(s, [&](const Stmt& inner) { return !(found |= isTransfer(inner)); });
  return found;
}

bool onlyTransfers(const Stmt& s) {
  bool all = hasTransfers(s);
  if (all)
    forEach(s, [&](const Stmt& inner) {
      const bool acts = inner->kind != StmtKind::Seq && inner->kind != StmtKind::Block;
      return all &= !acts || isTransfer(inner);
    });
  return all;
}

std::int64_t transferredBytes(const Stmt& s) {
  std::int64_t bytes = 0;
  if (s)
    forEach(s, [&](const Stmt& inner) {
      if (isTransfer(inner)) bytes += bytesOf(*as<OperationNode>(inner));
      return true;
    });
  return bytes;
}

int addMbarrier(Kernel& kernel, const std::string& name, int slots) {
  const auto taken = [&](const std::string& n) {
    return std::ranges::any_of(kernel.allocations, [&](const Allocation& a) { return a.buffer->name == n; }) ||
           std::ranges::any_of(kernel.params, [&](const Buffer& b) { return b->name == n; });
  };
  std::string own = name;
  for (int n = 1; taken(own); ++n) own = fmt::format("{}_{}", name, n);
  Allocation a;
  a.buffer = ir::makeBuffer(Id{~std::uint32_t{3}, std::uint32_t(kernel.mbarriers.size())}, own, DType::UInt(64),
                            {ir::intImm(slots)}, "shared");
  a.memory = Memory::Shared;
  a.elements = slots;
  a.layout = rowsOf({slots}, {1});
  Mbarrier barrier;
  barrier.buffer = a.buffer;
  barrier.slots = slots;
  kernel.allocations.push_back(std::move(a));
  kernel.mbarriers.push_back(std::move(barrier));
  return int(kernel.mbarriers.size()) - 1;
}

int addOpenMbarrier(Kernel& kernel, const std::string& name, int slots, int arrivals) {
  const int number = addMbarrier(kernel, name, slots);
  kernel.mbarriers.back().arrivals = arrivals;
  kernel.mbarriers.back().open = true;
  return number;
}

Stmt arriving(int barrier, const Expr& slot, const Expr& target) {
  auto s = makeSync(Token::Transfers, SyncDoes::Arrive);
  s->barrier = barrier;
  s->slot = slot;
  s->target = target;
  s->uncovered.bits = 1;
  return s;
}

Stmt toldTo(const Stmt& s, int barrier, const Expr& slot) {
  if (!s) return s;
  if (isTransfer(s))
    return edit<OperationNode>(s, [&](OperationNode& n) {
      n.barrier = barrier;
      n.slot = slot;
    });
  return mapChildren(s, [&](const Stmt& child) { return toldTo(child, barrier, slot); });
}

Stmt expecting(const Kernel& kernel, int barrier, const Expr& slot, std::int64_t bytes) {
  auto s = makeSync(Token::Transfers, SyncDoes::Expect);
  s->barrier = barrier;
  s->slot = slot;
  s->bytes = bytes;
  s->uncovered = allThreads(kernel);
  return s;
}

Stmt awaiting(int barrier, const Expr& slot, std::vector<Landed> landed, const Expr& phase) {
  auto s = makeSync(Token::Transfers);
  s->barrier = barrier;
  s->slot = slot;
  s->phase = phase;
  s->landed = std::move(landed);
  return s;
}

namespace {

// By one thread of those that `axes` number.
Stmt byOne(const Axes& axes, const Stmt& s) {
  if (!s) return s;
  if (s->kind == StmtKind::Operation) return edit<OperationNode>(s, [&](OperationNode& n) { n.uncovered = axes; });
  if (s->kind == StmtKind::Sync) return edit<SyncNode>(s, [&](SyncNode& n) { n.uncovered = axes; });
  return mapChildren(s, [&](const Stmt& child) { return byOne(axes, child); });
}

}  // namespace

void awaitTransfers(Kernel& kernel, const Stmt& early) {
  if (!hasTransfers(kernel.body) && !early) return;
  Stmt body = awaited(kernel, kernel.body);
  std::vector<Stmt> all;
  for (std::size_t b = 0; b < kernel.mbarriers.size(); ++b) {
    auto s = makeSync(Token::Transfers, SyncDoes::Initialise);
    s->barrier = int(b);
    all.push_back(std::move(s));
  }
  all.push_back(early);
  const Stmt first = seq(std::move(all));
  // Who multiplies is not kept from it by asking.
  all = {early ? whereLoading(kernel, byOne(Axes{1}, first)) : byOne(allThreads(kernel), first)};
  if (useOthersMbarriers(body)) {
    all.push_back(clusterBarrier());
  } else if (kernel.threads() > 1) {
    all.push_back(barrier());
  }
  all.push_back(std::move(body));
  kernel.body = seq(std::move(all));
}

}  // namespace loom::lower

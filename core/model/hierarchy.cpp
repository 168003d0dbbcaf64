#include "core/model/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/packed.h"
#include "core/model/ownership.h"
#include "core/model/roles.h"

namespace loom::model {
namespace {

using device::Memory;

Place placeOf(Memory m) {
  switch (m) {
    case Memory::Global: return Place::Global;
    case Memory::Shared:
    case Memory::SharedDynamic: return Place::Shared;
    default: return Place::Registers;
  }
}

class LinkTable {
 public:
  Link& at(Place from, Place to) {
    for (Link& l : all)
      if (l.from == from && l.to == to) return l;
    all.push_back(
        {from, to, 0, 0, message("bytes that the lanes of all warps ask for, as the statements are written"), {}});
    return all.back();
  }
  std::vector<Link> all;
};

// The product that the statement is; null for others.
const device::OperationNode* productOf(const device::StmtNode& statement) {
  if (statement.kind != device::StmtKind::Operation) return nullptr;
  const auto& operation = static_cast<const device::OperationNode&>(statement);
  return operation.row->multiplies() ? &operation : nullptr;
}

// Where the statement puts what the load brings: registers, unless it only moves it. A tile passes the registers of the
// threads that move it.
Place targetOf(const KernelAccesses& k, const Access& load) {
  if (productOf(*load.statement)) return Place::TensorCore;
  if (load.tile && load.agent == device::Agent::Threads) return Place::Registers;
  for (const Work& w : k.work)
    if (w.statement == load.statement) return Place::Registers;
  for (const Access& a : k.accesses)
    if (a.statement == load.statement && a.write) return placeOf(a.memory);
  return Place::Registers;
}

// Distinct bytes over all accesses of the buffer: exact when one access covers the rest, or they differ in one loop;
// else those of the largest, and their sum is the most.
std::optional<Number> touched(const KernelAccesses& k, const ir::Buffer& buffer, const Chosen& chosen,
                              const Message& of) {
  std::vector<const Access*> all;
  for (const Access& a : k.accesses)
    if (a.buffer->data == buffer->data) all.push_back(&a);
  const std::size_t n = all.size();
  const auto elements = footprintsOf(k, all, chosen);
  if (n == 0 || !elements) return std::nullopt;
  std::int64_t most = 0, sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t bytes = elements->each[i] * all[i]->bytes;
    most = std::max(most, bytes);
    sum += bytes;
  }
  // Guards aren't asked: what they rule out lies outside the buffer, if anywhere.
  std::int64_t whole = buffer->dtype.bytes();
  for (const ir::Expr& e : buffer->shape) whole *= ir::constantOr(e, 1);
  most = std::min(most, whole);
  // A copy before a loop and those in it touch parts of their own, which no access touches alone.
  if (n > 1 && most < sum && most < whole && elements->together)
    return Number{double(std::min(*elements->together * all.front()->bytes, whole)),
                  message("distinct elements that {} accesses of {} touch together", n, of)};
  return Number{double(most), n == 1 || most == sum
                                  ? message("distinct elements that {} touches", of)
                                  : message("distinct elements that the largest of {} accesses of {} touches; together "
                                            "at most {} bytes",
                                            n, of, sum)};
}

void lives(BufferLifetime& r, const KernelAccesses& k, const KernelCount& count) {
  for (int i = 0; i < int(k.accesses.size()); ++i) {
    const Access& a = k.accesses[std::size_t(i)];
    if (a.buffer->data != r.buffer->data) continue;
    if (r.first < 0) r.first = i, r.firstBlock = a.blockName;
    r.last = i, r.lastBlock = a.blockName;
    (a.write ? r.written : r.read) += count.accesses[std::size_t(i)].bytes;
  }
}

// The warps that hold a tile of a fragment together.
int warpsOfTile(const KernelAccesses& k, const ir::Buffer& fragment) {
  for (const Access& a : k.accesses)
    if (a.buffer == fragment) return warpsTogether(*a.statement);
  return 1;
}

// Threads of a block that have local memory, or warps that have a fragment: of a fragment those that do something with
// it, since warps with another part of the kernel keep no registers for it.
double holdersOf(const KernelAccesses& k, const std::vector<WarpRole>& roles, const device::Allocation& a) {
  if (a.memory == Memory::Local) return double(k.kernel->threads());
  if (a.memory != Memory::Fragment) return 1;
  std::size_t all = 0, own = 0;
  for (const WarpRole& role : roles) {
    all += role.warps.size();
    const bool uses =
        std::ranges::any_of(k.accesses, [&](const Access& x) { return x.buffer == a.buffer && role.has(x.statement); });
    if (uses) own += role.warps.size();
  }
  return double(own > 0 ? own : all);
}

// Is the first that a block does with a buffer to write all that it touches of it?
bool isOwn(const KernelAccesses& k, const BufferLifetime& r, const Chosen& block) {
  if (r.first < 0 || !r.footprint) return false;
  const Access& first = k.accesses[std::size_t(r.first)];
  if (!first.write) return false;
  const auto elements = footprint(k, first, block);
  return elements && double(*elements * first.bytes) >= r.footprint->value;
}

}  // namespace

const char* nameOf(Place place) {
  static const char* kNames[] = {"memory", "l2", "global", "shared", "registers", "tensor_core"};
  return kNames[int(place)];
}

device::MemoryLevel levelOf(Place place) {
  using device::MemoryLevel;
  switch (place) {
    case Place::Memory: return MemoryLevel::kGlobal;
    case Place::L2:
    case Place::Global: return MemoryLevel::kL2;
    case Place::Shared: return MemoryLevel::kShared;
    case Place::Registers: return MemoryLevel::kRegisters;
    case Place::TensorCore: break;
  }
  return MemoryLevel::kTensorCore;
}

const Link* Hierarchy::find(Place from, Place to) const {
  for (const Link& l : links)
    if (l.from == from && l.to == to) return &l;
  return nullptr;
}

std::optional<Route> routeOf(const KernelAccesses& k, const Access& a) {
  const Place place = placeOf(a.memory);
  if (place == Place::Registers) return std::nullopt;
  if (!a.write) {
    const Place target = targetOf(k, a);
    return Route{place, target == place ? Place::Registers : target, a.agent};
  }
  for (const Access& l : k.accesses) {
    const Place from = placeOf(l.memory);
    if (l.statement == a.statement && !l.write && from != Place::Registers && from != place && targetOf(k, l) == place)
      return std::nullopt;
  }
  return Route{Place::Registers, place, a.agent};
}

Hierarchy hierarchyOf(const KernelAccesses& k, const KernelCount& count) {
  Hierarchy h;
  LinkTable links;
  for (int i = 0; i < int(k.accesses.size()); ++i) {
    const Access& a = k.accesses[std::size_t(i)];
    const AccessCost& c = count.accesses[std::size_t(i)];
    const std::optional<Route> route = routeOf(k, a);
    if (!route) continue;
    Link& l = links.at(route->from, route->to);
    l.bytes += c.bytes;
    l.accesses.push_back(i);
  }
  for (std::size_t i = 0; i < k.work.size(); ++i) {
    const Work& w = k.work[i];
    if (w.tensorFlops <= 0) continue;
    const double times = count.work[i].executions / warpsTogether(*w.product);
    for (const device::OperandRow& operand : w.product->row->operands) {
      if (operand.inMemory()) continue;
      const bool in = !operand.written();
      Link& l = in ? links.at(Place::Registers, Place::TensorCore) : links.at(Place::TensorCore, Place::Registers);
      l.bytes += times * tileBytes(*w.product, operand.name);
      l.how = in ? message("operands and accumulator of each tile product, once each")
                 : message("accumulator of each tile product");
    }
  }

  auto whole = [&](Memory memory, const ir::Buffer& buffer, double bytes) {
    BufferLifetime r;
    r.buffer = buffer, r.memory = memory, r.bytes = bytes;
    lives(r, k, count);
    return r;
  };
  Chosen block;
  chooseBlock(block, *k.kernel, 0);
  for (const ir::Buffer& b : k.kernel->params) {
    double elements = 1;
    for (const ir::Expr& e : b->shape) elements *= double(ir::constantOr(e, 0));
    BufferLifetime r = whole(Memory::Global, b, elements * b->dtype.bytes());
    r.footprint = touched(k, b, block, message("block 0"));
    r.gridFootprint = touched(k, b, {}, message("the grid"));
    r.own = isOwn(k, r, block);
    if (r.gridFootprint && r.gridFootprint->value > 0 && r.read > 0)
      r.reuse = {r.read / r.gridFootprint->value, message("bytes read, as written, per distinct byte")};
    h.residents.push_back(std::move(r));
  }
  const std::vector<WarpRole> roles = rolesOf(*k.kernel);
  for (const device::Allocation& a : k.kernel->allocations) {
    const double holders = holdersOf(k, roles, a);
    double bytes = double(a.bytes()) * holders;
    if (a.fragment)
      bytes = double(a.elements) * holders * ir::bytesEach(a.buffer->dtype) *
              a.fragment->tile.elements(a.fragment->operand) / double(warpsOfTile(k, a.buffer));
    BufferLifetime r = whole(a.memory, a.buffer, bytes);
    r.holders = holders;
    if (r.written > 0 && r.read > 0) r.reuse = {r.read / r.written, message("bytes read per byte written, as written")};
    h.residents.push_back(std::move(r));
  }

  double fetched = 0, reached = 0;
  bool known = true;
  for (const BufferLifetime& r : h.residents) {
    if (r.memory != Memory::Global || r.first < 0) continue;
    known &= r.footprint && r.gridFootprint;
    if (r.read <= 0 || r.own) continue;
    if (r.footprint) reached += r.footprint->value * double(k.kernel->blocks());
    if (r.gridFootprint) fetched += r.gridFootprint->value;
  }
  if (known) {
    h.links.push_back(
        {Place::Memory, Place::L2, fetched, 0, message("each distinct byte once: what must come at least"), {}});
    h.links.push_back(
        {Place::L2,
         Place::Global,
         reached,
         0,
         message("distinct bytes of block 0 times blocks: what must come at least when L1 keeps what a block reads"),
         {}});
  }
  std::move(links.all.begin(), links.all.end(), std::back_inserter(h.links));
  for (Link& l : h.links) l.perBlock = l.bytes / double(k.kernel->blocks());
  return h;
}

std::optional<Number> memoryBytes(const Hierarchy& hierarchy) {
  const Link* in = hierarchy.find(Place::Memory, Place::L2);
  if (!in) return std::nullopt;
  double bytes = in->bytes;
  for (const BufferLifetime& r : hierarchy.residents) {
    if (r.memory != Memory::Global || r.written <= 0) continue;
    if (!r.gridFootprint) return std::nullopt;
    bytes += r.gridFootprint->value;
  }
  return Number{bytes, message("each distinct byte once, read and written")};
}

}  // namespace loom::model

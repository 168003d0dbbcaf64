#include "core/model/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/model/ownership.h"

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

// Whether the statement only moves what it loads: no arithmetic is counted for it.
bool isCopy(const KernelAccesses& k, const Access& load) {
  if (load.tile) return false;
  for (const Work& w : k.work)
    if (w.statement == load.statement) return false;
  return true;
}

const Access* storeOf(const KernelAccesses& k, const Access& load) {
  for (const Access& a : k.accesses)
    if (a.statement == load.statement && a.write) return &a;
  return nullptr;
}

// Distinct bytes over all accesses of the buffer: exact when one access covers the rest, else their sum is the most.
std::optional<Number> touched(const KernelAccesses& k, const ir::Buffer& buffer, const Chosen& chosen,
                              const Message& of) {
  std::int64_t most = 0, sum = 0;
  int n = 0;
  for (const Access& a : k.accesses) {
    if (a.buffer->data != buffer->data) continue;
    auto elements = footprint(k, a, chosen);
    if (!elements) return std::nullopt;
    most = std::max(most, *elements * a.bytes);
    sum += *elements * a.bytes;
    ++n;
  }
  if (n == 0) return std::nullopt;
  // Guards aren't asked: what they rule out lies outside the buffer, if anywhere.
  std::int64_t whole = buffer->dtype.bytes();
  for (const ir::Expr& e : buffer->shape) whole *= ir::constantOr(e, 1);
  most = std::min(most, whole);
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

const Link* Hierarchy::find(Place from, Place to) const {
  for (const Link& l : links)
    if (l.from == from && l.to == to) return &l;
  return nullptr;
}

Hierarchy hierarchyOf(const KernelAccesses& k, const KernelCount& count) {
  Hierarchy h;
  LinkTable links;
  for (int i = 0; i < int(k.accesses.size()); ++i) {
    const Access& a = k.accesses[std::size_t(i)];
    const AccessCost& c = count.accesses[std::size_t(i)];
    Place place = placeOf(a.memory);
    const Access* store = a.write ? nullptr : storeOf(k, a);
    bool copied = store && isCopy(k, a);
    Place from = place, to = Place::Registers;
    if (a.write) {
      // A store of what a copy loaded is counted with the load.
      bool ofCopy = false;
      for (const Access& l : k.accesses) ofCopy |= !l.write && l.statement == a.statement && isCopy(k, l);
      if (ofCopy) continue;
      from = Place::Registers;
      to = place;
    } else if (copied) {
      to = placeOf(store->memory);
    }
    if (from == to) continue;  // registers to registers
    Link& l = links.at(from, to);
    l.bytes += c.bytes;
    l.accesses.push_back(i);
  }
  for (std::size_t i = 0; i < k.work.size(); ++i) {
    const Work& w = k.work[i];
    if (w.tensorFlops <= 0) continue;
    const double operands = tileBytes(*w.product, "a") + tileBytes(*w.product, "b");
    const double sums = tileBytes(*w.product, "d");
    Link& in = links.at(Place::Registers, Place::TensorCore);
    in.bytes += count.work[i].executions * (operands + sums);
    in.how = message("operands and accumulator of each tile product, once each");
    Link& out = links.at(Place::TensorCore, Place::Registers);
    out.bytes += count.work[i].executions * sums;
    out.how = message("accumulator of each tile product");
  }

  auto whole = [&](Memory memory, const ir::Buffer& buffer, double bytes) {
    BufferLifetime r{buffer, memory, bytes, -1, -1, "", "", 0, 0, {}, {}, {}, false};
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
  for (const device::Allocation& a : k.kernel->allocations) {
    const double warps = double((k.kernel->threads() + 31) / 32);
    double copies = a.memory == Memory::Local ? double(k.kernel->threads()) : a.memory == Memory::Fragment ? warps : 1;
    double bytes = double(a.bytes()) * copies;
    if (a.fragment) bytes *= a.fragment->tile.elements(a.fragment->operand);
    BufferLifetime r = whole(a.memory, a.buffer, bytes);
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

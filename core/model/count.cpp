#include "core/model/count.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "core/model/enumerate.h"

namespace loom::model {
namespace {

// The values of expressions in the lanes, as WarpState::evaluate returns them.
using Values = std::function<std::optional<device::LaneValues>(const ir::Expr&)>;

// Keeps addresses positive whatever the index subtracts; a multiple of 128.
constexpr std::int64_t kBase = std::int64_t{1} << 40;

WarpRequest requestOf(int width, std::uint32_t active) {
  WarpRequest r;
  r.request.width = width;
  r.request.active = active;
  return r;
}

// Of tiles that are moved by themselves, `weight` of them: lines in whole sectors, and shared memory 128 bytes a clock,
// the layout's pieces being spread over all banks.
void addBulk(AccessCost& c, const Access& a, double weight) {
  constexpr double kSector = 32, kLine = 128;
  const double line = double(a.tile->columns) * a.bytes, lines = a.tile->rows;
  if (isShared(a.memory)) {
    // What is multicast each block writes to the memories of several, and gets as much of what they ask for.
    const auto* copy = a.statement->kind == device::StmtKind::Operation
                           ? static_cast<const device::OperationNode*>(a.statement)
                           : nullptr;
    c.wavefronts += weight * lines * line / kLine * (copy && a.write ? device::blocksThatGet(*copy) : 1);
  } else if (a.memory == device::Memory::Global) {
    c.sectors += weight * lines * std::ceil(line / kSector);
    c.lines += weight * lines * std::ceil(line / kLine);
  }
}

// The fragment at the other end of a tile in memory, where the vendor gives its layout; else nothing.
std::optional<layout::Layout> heldOf(const Access& a) {
  if (a.statement->kind != device::StmtKind::Operation) return std::nullopt;
  const auto& operation = static_cast<const device::OperationNode&>(*a.statement);
  if (warpsTogether(*a.statement) > 1) return std::nullopt;  // as `tileRequests` has accumulators
  const device::OperandRow* registers = device::registersOf(operation, nullptr);
  if (!registers || !registers->held) return std::nullopt;
  return registers->held(registers->operand, a.buffer->dtype);
}

// Each lane loads or stores what its registers hold: a register's elements at once where every lane's lie side by side
// in memory, else one at a time.
std::vector<WarpRequest> heldRequests(const Access& a, const layout::Layout& held, std::int64_t first,
                                      std::int64_t leading) {
  const std::int64_t registers = held.inputs()[1].extent;
  const std::int64_t parts = held.inputs().size() > 2 ? held.inputs()[2].extent : 1;
  auto offset = [&](int lane, std::int64_t r, std::int64_t part) {
    const layout::Point at = held.apply(parts > 1 ? layout::Point{lane, r, part} : layout::Point{lane, r}).value();
    return first + (a.tile->alongRows ? at[0] * leading + at[1] : at[1] * leading + at[0]);
  };
  std::vector<WarpRequest> out;
  for (std::int64_t r = 0; r < registers; ++r) {
    bool together = true;
    for (int lane = 0; lane < layout::kLanes; ++lane)
      for (std::int64_t part = 1; part < parts; ++part)
        together = together && offset(lane, r, part) == offset(lane, r, 0) + part;
    for (std::int64_t part = 0; part < (together ? 1 : parts); ++part) {
      WarpRequest request = requestOf(together ? a.bytes * int(parts) : a.bytes, 0xffffffffu);
      for (int lane = 0; lane < layout::kLanes; ++lane)
        request.request.address[std::size_t(lane)] = offset(lane, r, part) * a.bytes;
      out.push_back(request);
    }
  }
  return out;
}

// What a warpgroup stores of its sum, of which a warp has 16 rows: two neighbours of a thread at once, in the order of
// the operation's text (core/device/operations/wgmma_texts.cpp), where odd rows of 128 bytes, and odd pairs of rows of
// 64, begin elsewhere. Nothing for other accesses.
std::optional<std::vector<WarpRequest>> storedSum(const Access& a, const Values& values, std::int64_t first) {
  if (a.statement->kind != device::StmtKind::Operation || a.operand < 0) return std::nullopt;
  const auto& n = static_cast<const device::OperationNode&>(*a.statement);
  const device::OperandRow& memory = n.row->operands[std::size_t(a.operand)];
  if (n.row->group != device::Group::Warpgroup || !memory.written() || memory.swizzle < 0) return std::nullopt;
  const auto value = [&](int number) -> std::int64_t {
    const auto v = values(n.values[std::size_t(number)]);
    return v && v->uniform ? v->one : 0;
  };
  const std::int64_t leading = value(memory.leading), slab = value(memory.slab), span = value(memory.swizzle);
  const std::int64_t line = span / a.bytes, piece = 16 / a.bytes;
  const bool columns = std::ranges::any_of(n.row->operands, [](const device::OperandRow& o) { return o.first >= 0; });
  const bool pairs = span == 64 && n.row->tile.n % 16 == 0;
  const bool oddElsewhere = columns && a.bytes == 4 && (pairs || (span == 128 && n.row->tile.n % 32 == 0));
  std::vector<WarpRequest> out;
  for (int group = 0; group < n.row->tile.n / 8; ++group) {
    for (int half = 0; half < 2; ++half) {
      WarpRequest request = requestOf(2 * a.bytes, 0xffffffffu);
      for (int lane = 0; lane < layout::kLanes; ++lane) {
        const std::int64_t row = lane / 4 + half * 8;
        const bool odd = oddElsewhere && row / (pairs ? 2 : 1) % 2 != 0;
        const std::int64_t column = lane % 4 * 2 + (group ^ (odd ? pairs ? 1 : 2 : 0)) * 8;
        std::int64_t at = first + row * leading + column;
        if (span > 0) {
          at = first + column / line * slab + row * line + column % line;
          at ^= (at * a.bytes >> 7 & (span / 16 - 1)) * piece;
        }
        request.request.address[std::size_t(lane)] = kBase + at * a.bytes;
      }
      out.push_back(request);
    }
  }
  return out;
}

// Whether the lanes give rows of 8 × 8 matrices to one operation of the warp: ldmatrix.
bool givesRows(const Access& a) {
  return a.statement->kind == device::StmtKind::Operation &&
         static_cast<const device::OperationNode&>(*a.statement).row->group == device::Group::Warp;
}

// Where the vendor leaves the layout open, what compilers were seen to do with wmma's tiles. A tile's rows and columns
// are lines in memory and elements of a line (device::MemoryTile), which are the matrix's columns and rows where it
// lies by columns.

// Whether compilers load the operand's tile with ldmatrix: of float16 in any order, of 8 bits where memory runs along k
// and so gives each lane neighbours; not of bfloat16.
bool byMatrices(const Access& a) {
  const bool alongK = a.tile->operand == device::Operand::A ? a.tile->alongRows : !a.tile->alongRows;
  return a.buffer->dtype == ir::DType::Float(16) || (a.bytes == 1 && alongK && a.tile->columns == 16);
}

// Tiles of 8 rows of 16 bytes in shared memory go by ldmatrix, up to four at a time; lane i gives row i % 8 of tile i
// / 8, tiles counted down the rows first.
void ldmatrix(const Tile& t, std::int64_t first, std::int64_t leading, int bytes, std::vector<WarpRequest>& out) {
  const int across = 16 / bytes;
  int down = t.rows / 8, tiles = down * (t.columns / across);
  for (int base = 0; base < tiles; base += 4) {
    int count = std::min(4, tiles - base);
    WarpRequest r = requestOf(16, count == 4 ? 0xffffffffu : (std::uint32_t{1} << 8 * count) - 1);
    r.ldmatrix = true;
    for (int lane = 0; lane < 8 * count; ++lane) {
      int tile = base + lane / 8;
      std::int64_t row = lane % 8 + tile % down * 8, column = tile / down * across;
      r.request.address[std::size_t(lane)] = (first + row * leading + column) * bytes;
    }
    out.push_back(r);
  }
}

// One instruction per 8×8 tile: lane g·4 + t has `each` neighbours of row g from column t·each on.
void byRegister(const Tile& t, std::int64_t first, std::int64_t leading, int bytes, std::vector<WarpRequest>& out) {
  for (int row = 0; row < t.rows; row += 8) {
    for (int column = 0; column < t.columns; column += 8) {
      WarpRequest r = requestOf(2 * bytes, 0xffffffffu);
      for (int lane = 0; lane < layout::kLanes; ++lane)
        r.request.address[std::size_t(lane)] = (first + (row + lane / 4) * leading + column + lane % 4 * 2) * bytes;
      out.push_back(r);
    }
  }
}

// An accumulator whose memory runs along its columns: each element is an instruction.
void byElement(const Tile& t, std::int64_t first, std::int64_t leading, int bytes, std::vector<WarpRequest>& out) {
  for (int column = 0; column < t.columns; column += 8) {
    for (int row = 0; row < t.rows; row += 8) {
      for (int half = 0; half < 2; ++half) {
        WarpRequest r = requestOf(bytes, 0xffffffffu);
        for (int lane = 0; lane < layout::kLanes; ++lane)
          r.request.address[std::size_t(lane)] =
              (first + (row + lane % 4 * 2 + half) * leading + column + lane / 4) * bytes;
        out.push_back(r);
      }
    }
  }
}

std::optional<std::vector<WarpRequest>> tileRequests(const Access& a, std::int64_t first, std::int64_t leading) {
  std::vector<WarpRequest> out;
  Tile t = *a.tile;
  t.rows /= warpsTogether(*a.statement);
  bool accumulator = t.operand == device::Operand::Accumulator;
  bool shared = isShared(a.memory);
  if (accumulator && (a.bytes == 4 || a.bytes == 2)) {
    if (t.alongRows) {
      byRegister(t, first, leading, a.bytes, out);
    } else {
      byElement(t, first, leading, a.bytes, out);
    }
  } else if (!accumulator && shared && byMatrices(a)) {
    ldmatrix(t, first, leading, a.bytes, out);
  } else if (!accumulator && a.bytes == 2) {
    byRegister(t, first, leading, a.bytes, out);
  } else {
    return std::nullopt;
  }
  return out;
}

std::optional<std::vector<WarpRequest>> tileRequestsAt(const Access& a, const LaneIndex& index,
                                                       const device::LaneValues& leading, const Values& values) {
  if (!index.lanes->uniform || !leading.uniform) return std::nullopt;
  if (auto stored = storedSum(a, values, index[0])) return stored;
  const std::int64_t base = kBase / a.bytes;
  if (const auto held = heldOf(a)) return heldRequests(a, *held, base + index[0], leading.one);
  return tileRequests(a, base + index[0], leading.one);
}

// Bytes that a thread moves in one instruction: up to 16 at once, when they're a power of two.
int widthOf(const Access& a) {
  const int all = a.elements * a.bytes;
  return all <= 16 && std::has_single_bit(unsigned(all)) ? all : all % 16 == 0 ? 16 : a.bytes;
}

// The instructions of an access that is no tile, one after the other.
template <class Index, class Visit>
void forEachRequest(const Access& a, const Index& index, std::uint32_t active, const Visit& visit) {
  const int width = widthOf(a);
  WarpRequest r = requestOf(width, active);
  r.ldmatrix = givesRows(a);
  for (int lane = 0; lane < layout::kLanes; ++lane)
    r.request.address[std::size_t(lane)] = kBase / a.bytes * a.bytes + index[lane] * a.bytes;
  for (int part = 0; part < a.elements * a.bytes / width; ++part) {
    visit(r);
    for (std::int64_t& address : r.request.address) address += width;
  }
}

// What one instruction costs.
struct RequestCost {
  layout::SharedCost shared;   // in shared memory
  int sectors = 0, lines = 0;  // in global memory
};

RequestCost costOf(const Access& a, WarpRequest& w) {
  w.request.store = a.write;
  if (isShared(a.memory)) return {w.ldmatrix ? layout::ldmatrixCost(w.request) : layout::sharedCost(w.request)};
  if (a.memory == device::Memory::Global) return {{}, layout::sectors(w.request), layout::lines(w.request)};
  return {};
}

void add(AccessCost& c, const Access& a, const RequestCost& cost, double weight) {
  int now = 0;
  if (isShared(a.memory)) {
    c.wavefronts += weight * cost.shared.wavefronts;
    c.conflicts += weight * cost.shared.conflicts();
    now = cost.shared.ways;
  } else if (a.memory == device::Memory::Global) {
    now = cost.sectors;
    c.sectors += weight * now;
    c.lines += weight * cost.lines;
  }
  c.least = c.requests == 0 ? now : std::min(c.least, now);
  c.most = std::max(c.most, now);
  c.requests += weight;
}

// What the instructions of an access that is no tile cost in the patterns of one enumeration. Patterns whose lanes lie
// at the same distances from each other, from addresses that a multiple of 128 bytes is between, cost the same: these
// are asked for once.
class RequestCosts {
 public:
  explicit RequestCosts(const Access& access) : access_(access) {}

  // The costs of the instructions, in order, until the next call.
  const std::vector<RequestCost>& of(const Pattern& pattern) {
    const LaneIndex& index = pattern.index;
    if (index.kind < 0) return made_ = made(pattern);
    const std::int64_t place = index.offset * access_.bytes % layout::kLineBytes + layout::kLineBytes;
    const std::uint64_t key = (std::uint64_t(index.kind) << 8 | std::uint64_t(place)) << 32 | pattern.active;
    const auto [at, isNew] = known_.try_emplace(key);
    if (isNew) at->second = made(pattern);
    return at->second;
  }

 private:
  std::vector<RequestCost> made(const Pattern& pattern) const {
    std::vector<RequestCost> all;
    forEachRequest(access_, pattern.index, pattern.active, [&](WarpRequest& r) { all.push_back(costOf(access_, r)); });
    return all;
  }

  const Access& access_;
  std::unordered_map<std::uint64_t, std::vector<RequestCost>> known_;
  std::vector<RequestCost> made_;
};

AccessCost count(const KernelAccesses& kernel, const std::vector<int>& loops, const std::vector<Guard>& guards,
                 const Access* access, const CountOptions& options) {
  AccessCost c;
  c.counted = true;
  const bool addressed = access && device::isVisible(access->memory);
  Enumeration e(kernel, loops, guards, addressed ? access->index : nullptr, addressed ? access->bytes : 1,
                addressed && access->tile ? access->tile->leading : nullptr);
  const auto values = [&](const ir::Expr& of) { return e.state().evaluate(of); };
  std::optional<RequestCosts> costs;
  if (addressed) costs.emplace(*access);
  e.run(options.patternsAtMost, [&](const Pattern& pattern) {
    const double weight = pattern.weight;
    c.executions += weight;
    const int lanes = std::popcount(pattern.active);
    c.lanes += weight * lanes;
    if (!access) return;
    // Tiles are moved by a group of warps together, boxes by each thread that asks for one.
    const double tiles = access->agent == device::Agent::CopyEngine ? lanes : 1.0 / warpsTogether(*access->statement);
    const double elements =
        access->tile ? tiles * access->tile->rows * access->tile->columns : double(lanes) * access->elements;
    c.bytes += weight * elements * access->bytes;
    if (!addressed) {
      c.requests += weight;
      return;
    }
    if (access->tile && movesByItself(*access)) return addBulk(c, *access, weight * tiles);
    if (pattern.index.lanes == nullptr) {
      c.counted = false;
      return;
    }
    if (!access->tile) {
      for (const RequestCost& cost : costs->of(pattern)) add(c, *access, cost, weight);
      return;
    }
    auto requests = pattern.leading ? tileRequestsAt(*access, pattern.index, *pattern.leading, values) : std::nullopt;
    if (!requests) {
      c.counted = false;
      return;
    }
    for (WarpRequest& r : *requests) add(c, *access, costOf(*access, r), weight);
  });
  c.exact = e.exact() && c.counted;
  c.how = c.exact ? message("{} of {:.0f} warp executions evaluated, one for each pattern", e.patterns(), e.total())
                  : message("{} of {:.0f} warp executions evaluated as a sample", e.patterns(), e.total());
  if (!c.counted) {
    AccessCost none;
    none.how = access && access->tile ? message("no one says which addresses the lanes of this fragment take")
                                      : message("the address depends on what is in memory");
    return none;
  }
  return c;
}

}  // namespace

std::uint32_t activeLanes(const std::vector<Guard>& guards, const device::WarpState& state, bool& known) {
  std::uint32_t active = 0xffffffffu;
  for (const Guard& g : guards) {
    auto v = state.evaluate(g.condition);
    if (!v) {
      known = false;
      continue;
    }
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      if (((*v)[lane] != 0) != g.holds) active &= ~(std::uint32_t{1} << lane);
    }
  }
  return active;
}

std::optional<std::vector<WarpRequest>> requestsOf(const Access& a, const device::WarpState& state,
                                                   std::uint32_t active) {
  const auto index = state.evaluate(a.index);
  if (!index) return std::nullopt;
  if (a.tile) {
    const auto leading = state.evaluate(a.tile->leading);
    if (!leading) return std::nullopt;
    return tileRequestsAt(a, {&*index}, *leading, [&](const ir::Expr& e) { return state.evaluate(e); });
  }
  std::vector<WarpRequest> out;
  forEachRequest(a, *index, active, [&](const WarpRequest& r) { out.push_back(r); });
  return out;
}

AccessCost countAccess(const KernelAccesses& kernel, const Access& access, const CountOptions& options) {
  return count(kernel, access.loops, access.guards, &access, options);
}

AccessCost countWork(const KernelAccesses& kernel, const Work& work, const CountOptions& options) {
  return count(kernel, work.loops, work.guards, nullptr, options);
}

KernelCount countKernel(const KernelAccesses& kernel, const CountOptions& options) {
  KernelCount k;
  // Executions of what has no address, by its loops and guards: the operands in registers of a statement have its own.
  struct Executed {
    const std::vector<int>* loops;
    const std::vector<Guard>* guards;
    AccessCost cost;
  };
  std::vector<Executed> known;
  const auto executions = [&](const std::vector<int>& loops, const std::vector<Guard>& guards) -> const AccessCost& {
    const auto same = [](const Guard& a, const Guard& b) { return a.condition == b.condition && a.holds == b.holds; };
    const auto found = std::ranges::find_if(
        known, [&](const Executed& e) { return *e.loops == loops && std::ranges::equal(*e.guards, guards, same); });
    if (found != known.end()) return found->cost;
    return known.emplace_back(&loops, &guards, count(kernel, loops, guards, nullptr, options)).cost;
  };
  for (const Access& a : kernel.accesses) {
    const bool addressed = a.memory == device::Memory::Global || isShared(a.memory);
    AccessCost c = addressed || a.tile ? countAccess(kernel, a, options) : executions(a.loops, a.guards);
    if (!addressed && !a.tile) c.requests = c.executions, c.bytes = c.lanes * a.elements * a.bytes;
    bool shared = isShared(a.memory);
    if (a.memory == device::Memory::Global || shared) k.exact &= c.exact;
    if (a.memory == device::Memory::Global) {
      (a.write ? k.globalStoreRequests : k.globalLoadRequests) += c.requests;
      (a.write ? k.globalStoreSectors : k.globalLoadSectors) += c.sectors;
    } else if (shared) {
      (a.write ? k.sharedStoreRequests : k.sharedLoadRequests) += c.requests;
      (a.write ? k.sharedStoreWavefronts : k.sharedLoadWavefronts) += c.wavefronts;
      (a.write ? k.sharedStoreConflicts : k.sharedLoadConflicts) += c.conflicts;
    }
    k.accesses.push_back(std::move(c));
  }
  for (const Work& w : kernel.work) {
    AccessCost c = executions(w.loops, w.guards);
    k.flops += c.lanes * w.flops;
    k.tensorFlops += c.executions * w.tensorFlops;
    k.work.push_back(std::move(c));
  }
  return k;
}

}  // namespace loom::model

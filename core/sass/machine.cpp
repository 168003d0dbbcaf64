#include "core/sass/machine.h"

#include <algorithm>
#include <bit>
#include <span>

#include "core/device/cluster_places.h"
#include "core/device/lane_values.h"

namespace loom::sass {
namespace {

using OperandKind = Operand::Kind;

// Buffers are this far apart, from a multiple of it on.
constexpr std::int64_t kBufferStride = std::int64_t{1} << 40;
// The upper word of addresses in the window of shared memory; below it stands the number of the block in the cluster,
// eight bits, and then the offset, as NVRTC's mapa puts them together (tests/sass/hopper_instructions_sm_90a.sass).
constexpr std::uint32_t kSharedWindow = 0x7f3f;

// Where constant bank 0 has the parameters: compute capability 10 and 12, 9.0, and up to 8.9. What lies below is the
// launch's shape. Where the architecture isn't known, each may be the one.
std::span<const std::int64_t> parametersAt(int architecture) {
  static constexpr std::int64_t kParameters[] = {0x380, 0x210, 0x160};
  const std::span<const std::int64_t> all = kParameters;
  if (architecture == 0) return all;
  return all.subspan(architecture >= 100 ? 0 : architecture >= 90 ? 1 : 2, 1);
}

// What the launch passes; none for narrow types, which share a word with others.
std::optional<std::uint64_t> valueBits(const device::Kernel::Scalar& s) {
  if (!s.value) return std::nullopt;
  if (const auto* whole = ir::asInt(s.value)) return std::uint64_t(whole->value);
  if (s.value->kind != ir::ExprKind::FloatImm) return std::nullopt;
  const double value = ir::as<ir::FloatImmNode>(s.value)->value;
  if (s.var->dtype.bits == 64) return std::bit_cast<std::uint64_t>(value);
  if (s.var->dtype.bits == 32) return std::bit_cast<std::uint32_t>(float(value));
  return std::nullopt;
}

// What Hopper's constant bank 0 says of clusters, by what NVRTC 13.0 for sm_90a reads for %cluster_nctaid, %nclusterid
// and %cluster_nctarank.
std::optional<std::uint32_t> clusterShape(const device::Kernel& kernel, int architecture, std::int64_t offset) {
  constexpr std::int64_t kBlocks = 0x144, kClusters = 0x15c, kAll = 0x188, kWord = 4;
  if (architecture < 90 || architecture > 99 || offset % kWord != 0) return std::nullopt;
  if (offset == kAll) return std::uint32_t(kernel.blocksOfCluster());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t at = kWord * std::int64_t(axis);
    if (offset == kBlocks + at) return std::uint32_t(kernel.cluster[axis]);
    if (offset == kClusters + at) return std::uint32_t(kernel.grid[axis] / kernel.cluster[axis]);
  }
  return std::nullopt;
}

}  // namespace

Machine::Machine(const device::Kernel& kernel, const Kernel& sass, std::int64_t block, int warp, std::uint32_t threads)
    : kernel_(kernel), sass_(sass), block_(device::blockAt(kernel, block)), threads_(threads) {
  for (int axis = 0; axis < 3; ++axis) {
    LaneBits& t = thread_[std::size_t(axis)];
    t.known = true;
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      std::int64_t n = std::int64_t(warp) * layout::kLanes + (threads >> lane & 1 ? lane : 0);
      t.each[std::size_t(lane)] = std::uint32_t(device::placeAt(kernel.block, n)[std::size_t(axis)]);
    }
    t.one = t.each[0];
    t.uniform = std::all_of(t.each.begin(), t.each.end(), [&](std::uint32_t v) { return v == t.each[0]; });
  }
  rank_ = device::rankInCluster(kernel, block);
  for (auto& r : registers_) r.known = false;
}

std::int64_t Machine::addressOf(int parameter) { return kBufferStride * (1 + parameter); }
bool Machine::isShared(std::int64_t address) { return address >> 32 == kSharedWindow; }

void Machine::put(const Operand& o, int word, const LaneBits& value) {
  active_ = threads_;
  write(o, word, value);
}

LaneBits Machine::constant(int bank, std::int64_t offset) const {
  LaneBits none;
  if (offset < 0) return none;
  if (bank != 0) {
    auto held = sass_.constants.find(bank);
    if (held == sass_.constants.end() || offset + 4 > std::int64_t(held->second.size())) return none;
    std::uint32_t word = 0;
    for (int n = 4; n-- > 0;)
      word = word << 8 | static_cast<unsigned char>(held->second[std::size_t(offset) + std::size_t(n)]);
    return LaneBits::of(word);
  }
  if (offset < 0xc) return LaneBits::of(std::uint32_t(kernel_.block[std::size_t(offset / 4)]));
  if (offset < 0x18) return LaneBits::of(std::uint32_t(kernel_.grid[std::size_t(offset / 4 - 3)]));
  if (offset == 0x28) return LaneBits::of(0xfffff0);  // the stack
  if (const auto shape = clusterShape(kernel_, sass_.architecture, offset)) return LaneBits::of(*shape);
  auto count = std::int64_t(kernel_.params.size());
  for (std::int64_t first : parametersAt(sass_.architecture)) {
    if (offset < first || offset >= first + 8 * count) continue;
    const auto address = std::uint64_t(addressOf(int((offset - first) / 8)));
    return LaneBits::of(std::uint32_t(offset % 8 ? address >> 32 : address));
  }
  // Numbers follow the buffers, each at a multiple of its size.
  for (std::int64_t first : parametersAt(sass_.architecture)) {
    std::int64_t at = first + 8 * count;
    for (const device::Kernel::Scalar& s : kernel_.scalars) {
      const std::int64_t bytes = std::max(1, int(s.var->dtype.bytes()));
      at = (at + bytes - 1) / bytes * bytes;
      if (offset / 4 * 4 == at / 4 * 4 || (bytes == 8 && offset == at + 4)) {
        const auto value = valueBits(s);
        if (!value || bytes < 4) return none;
        return LaneBits::of(std::uint32_t(offset == at ? *value : *value >> 32));
      }
      at += bytes;
    }
  }
  return none;
}

LaneBits Machine::special(SpecialRegister s) const {
  switch (s) {
    case SpecialRegister::TidX: return thread_[0];
    case SpecialRegister::TidY: return thread_[1];
    case SpecialRegister::TidZ: return thread_[2];
    case SpecialRegister::CtaidX: return LaneBits::of(std::uint32_t(block_[0]));
    case SpecialRegister::CtaidY: return LaneBits::of(std::uint32_t(block_[1]));
    case SpecialRegister::CtaidZ: return LaneBits::of(std::uint32_t(block_[2]));
    case SpecialRegister::ClusterRank: return LaneBits::of(std::uint32_t(rank_));
    case SpecialRegister::SharedWindow: return LaneBits::of(kSharedWindow);
    case SpecialRegister::Zero: return LaneBits::of(0);
    case SpecialRegister::Lane: {
      LaneBits v = LaneBits::of(0);
      v.uniform = false;
      for (int lane = 0; lane < layout::kLanes; ++lane) v.each[std::size_t(lane)] = std::uint32_t(lane);
      return v;
    }
    default: return {};
  }
}

LaneBits Machine::read(const Operand& o, int word) const {
  LaneBits v;
  switch (o.kind) {
    case OperandKind::Immediate: {
      // A wide operand's upper word is the sign.
      auto bits = std::uint64_t(o.value);
      v = LaneBits::of(std::uint32_t(word ? bits >> 32 : bits));
      break;
    }
    case OperandKind::Constant: v = constant(o.index, o.value < 0 ? -1 : o.value + 4 * word); break;
    case OperandKind::Special: v = special(SpecialRegister(o.index)); break;
    case OperandKind::Register:
      v.known = true;
      if (o.index != 255) v.assign(registers_[std::size_t(std::min(o.index + word, 254))]);
      break;
    case OperandKind::Uniform:
      v.known = true;
      if (o.index != 255) v.assign(uniform_[std::size_t(std::min(o.index + word, 62))]);
      break;
    default: return v;
  }
  if (!o.minus && !o.invert) return v;
  auto change = [&](std::uint32_t x) { return o.minus ? 0u - x : ~x; };
  v.one = change(v.one);
  if (!v.uniform)
    for (auto& x : v.each) x = change(x);
  return v;
}

LaneFlags Machine::flags(const Operand& p) const {
  LaneFlags f{true, 0xffffffff};
  if (p.index != 7)
    f = (p.kind == OperandKind::UniformPredicate ? uniformPredicates_ : predicates_)[std::size_t(p.index)];
  if (p.invert) f.bits = ~f.bits;
  return f;
}

void Machine::write(const Operand& o, int word, const LaneBits& value) {
  if (o.index == 255) return;
  if (o.kind == OperandKind::Uniform)
    uniform_[std::size_t(std::min(o.index + word, 62))].assign(value);
  else if (o.kind == OperandKind::Register)
    registers_[std::size_t(std::min(o.index + word, 254))].assign(value, active_, threads_);
}

void Machine::write(const Operand& o, LaneFlags value) {
  if (o.index == 7) return;
  if (o.kind == OperandKind::UniformPredicate) {
    uniformPredicates_[std::size_t(o.index)] = value;
  } else if (o.kind == OperandKind::Predicate) {
    LaneFlags& own = predicates_[std::size_t(o.index)];
    own.bits = (own.bits & ~active_) | (value.bits & active_);
    own.known = value.known;  // lanes outside were set before, or nobody reads them
  }
}

bool Machine::addresses(const Operand& m, std::uint32_t active, std::array<std::int64_t, 32>& out) const {
  out.fill(m.value);
  for (const Operand& part : m.parts) {
    LaneBits low = read(part), high = LaneBits::of(0);
    if (part.wide || (part.kind == OperandKind::Uniform && m.parts.front().wide)) high = read(part, 1);
    if (!low.known || !high.known) return false;
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      if (!(active >> lane & 1)) continue;
      std::int64_t word = part.wide ? std::int64_t(low[lane]) : std::int64_t(std::int32_t(low[lane]));
      out[std::size_t(lane)] += (word + (std::int64_t(high[lane]) << 32)) * part.scale;
    }
  }
  return true;
}

void Machine::forget(const DecodedInstruction& op, std::uint32_t active, std::uint32_t all) {
  active_ = active;
  if (!active && all) return;
  for (const Operand& o : op.destinations)
    for (int w = 0; w < op.words; ++w) write(o, w, {});
  for (const Operand& o : op.predicatesOut) write(o, LaneFlags{});
}

}  // namespace loom::sass

#include "core/sass/machine.h"

#include <algorithm>
#include <cmath>

#include "core/device/lane_values.h"

namespace loom::sass {
namespace {

using Kind = SassOp::Kind;
using Operand = SassOperand::Kind;

// Buffers are this far apart, from a multiple of it on.
constexpr std::int64_t kBufferStride = std::int64_t{1} << 40;
// Where constant bank 0 has the parameters: up to compute capability 8.9, 9.0, 10 and 12. What lies below is the
// launch's shape.
constexpr std::int64_t kParameters[] = {0x380, 0x210, 0x160};

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

std::uint32_t halfBits(double value) {
  if (value == 0) return std::signbit(value) ? 0x8000 : 0;
  std::uint32_t sign = value < 0 ? 0x8000 : 0;
  int exponent = 0;
  double fraction = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
  if (exponent + 14 <= 0) return sign | std::uint32_t(std::lround(std::ldexp(std::abs(value), 24)));
  return sign + (std::uint32_t(exponent + 14) << 10) + std::uint32_t(std::lround((fraction * 2 - 1) * 1024));
}

}  // namespace

SassMachine::SassMachine(const device::Kernel& kernel, const SassKernel& sass, std::int64_t block, int warp,
                         std::uint32_t threads)
    : kernel_(kernel), sass_(sass), block_(device::blockAt(kernel, block)), threads_(threads) {
  for (int axis = 0; axis < 3; ++axis) {
    LaneBits& t = thread_[std::size_t(axis)];
    t.known = true;
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      std::int64_t n = std::int64_t(warp) * layout::kLanes + (threads >> lane & 1 ? lane : 0);
      std::int64_t of[3] = {n % kernel.block[0], n / kernel.block[0] % kernel.block[1],
                            n / kernel.block[0] / kernel.block[1]};
      t.each[std::size_t(lane)] = std::uint32_t(of[axis]);
    }
    t.one = t.each[0];
    t.uniform = std::all_of(t.each.begin(), t.each.end(), [&](std::uint32_t v) { return v == t.each[0]; });
  }
  for (auto& r : registers_) r.known = false;
}

std::int64_t SassMachine::addressOf(int parameter) { return kBufferStride * (1 + parameter); }

void SassMachine::put(const SassOperand& o, int word, const LaneBits& value) {
  active_ = threads_;
  write(o, word, value);
}

LaneBits SassMachine::constant(int bank, std::int64_t offset) const {
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
  auto count = std::int64_t(kernel_.params.size());
  for (std::int64_t first : kParameters) {
    if (offset < first || offset >= first + 8 * count) continue;
    const auto address = std::uint64_t(addressOf(int((offset - first) / 8)));
    return LaneBits::of(std::uint32_t(offset % 8 ? address >> 32 : address));
  }
  // Numbers follow the buffers, each at a multiple of its size.
  for (std::int64_t first : kParameters) {
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

LaneBits SassMachine::special(SassSpecial s) const {
  switch (s) {
    case SassSpecial::TidX: return thread_[0];
    case SassSpecial::TidY: return thread_[1];
    case SassSpecial::TidZ: return thread_[2];
    case SassSpecial::CtaidX: return LaneBits::of(std::uint32_t(block_[0]));
    case SassSpecial::CtaidY: return LaneBits::of(std::uint32_t(block_[1]));
    case SassSpecial::CtaidZ: return LaneBits::of(std::uint32_t(block_[2]));
    case SassSpecial::Zero: return LaneBits::of(0);
    case SassSpecial::Lane: {
      LaneBits v = LaneBits::of(0);
      v.uniform = false;
      for (int lane = 0; lane < layout::kLanes; ++lane) v.each[std::size_t(lane)] = std::uint32_t(lane);
      return v;
    }
    default: return {};
  }
}

LaneBits SassMachine::read(const SassOperand& o, int word) const {
  LaneBits v;
  switch (o.kind) {
    case Operand::Immediate: {
      // A wide operand's upper word is the sign.
      auto bits = std::uint64_t(o.value);
      v = LaneBits::of(std::uint32_t(word ? bits >> 32 : bits));
      break;
    }
    case Operand::Constant: v = constant(o.index, o.value < 0 ? -1 : o.value + 4 * word); break;
    case Operand::Special: v = special(SassSpecial(o.index)); break;
    case Operand::Register:
      v.known = true;
      if (o.index != 255) v.assign(registers_[std::size_t(std::min(o.index + word, 254))]);
      break;
    case Operand::Uniform:
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

LaneFlags SassMachine::flags(const SassOperand& p) const {
  LaneFlags f{true, 0xffffffff};
  if (p.index != 7) f = (p.kind == Operand::UniformPredicate ? uniformPredicates_ : predicates_)[std::size_t(p.index)];
  if (p.invert) f.bits = ~f.bits;
  return f;
}

void SassMachine::write(const SassOperand& o, int word, const LaneBits& value) {
  if (o.index == 255) return;
  if (o.kind == Operand::Uniform)
    uniform_[std::size_t(std::min(o.index + word, 62))].assign(value);
  else if (o.kind == Operand::Register)
    registers_[std::size_t(std::min(o.index + word, 254))].assign(value, active_, threads_);
}

void SassMachine::write(const SassOperand& o, LaneFlags value) {
  if (o.index == 7) return;
  if (o.kind == Operand::UniformPredicate) {
    uniformPredicates_[std::size_t(o.index)] = value;
  } else if (o.kind == Operand::Predicate) {
    LaneFlags& own = predicates_[std::size_t(o.index)];
    own.bits = (own.bits & ~active_) | (value.bits & active_);
    own.known = value.known;  // lanes outside were set before, or nobody reads them
  }
}

bool SassMachine::addresses(const SassOperand& m, std::uint32_t active, std::array<std::int64_t, 32>& out) const {
  out.fill(m.value);
  for (const SassOperand& part : m.parts) {
    LaneBits low = read(part), high = LaneBits::of(0);
    if (part.wide || (part.kind == Operand::Uniform && m.parts.front().wide)) high = read(part, 1);
    if (!low.known || !high.known) return false;
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      if (!(active >> lane & 1)) continue;
      std::int64_t word = part.wide ? std::int64_t(low[lane]) : std::int64_t(std::int32_t(low[lane]));
      out[std::size_t(lane)] += (word + (std::int64_t(high[lane]) << 32)) * part.scale;
    }
  }
  return true;
}

void SassMachine::forget(const SassOp& op, std::uint32_t active, std::uint32_t all) {
  active_ = active;
  if (!active && all) return;
  for (const SassOperand& o : op.destinations)
    for (int w = 0; w < op.words; ++w) write(o, w, {});
  for (const SassOperand& o : op.predicatesOut) write(o, LaneFlags{});
}

template <class F>
LaneBits SassMachine::each(const SassOp& op, F f) const {
  LaneBits a = read(op.sources[0]), b = op.sources.size() > 1 ? read(op.sources[1]) : LaneBits::of(0),
           c = op.sources.size() > 2 ? read(op.sources[2]) : LaneBits::of(0), d;
  d.known = a.known && b.known && c.known;
  if (!d.known) return d;
  d.uniform = a.uniform && b.uniform && c.uniform;
  if (d.uniform) {
    d.one = f(a.one, b.one, c.one, 0);
  } else {
    for (int lane = 0; lane < layout::kLanes; ++lane) d.each[std::size_t(lane)] = f(a[lane], b[lane], c[lane], lane);
  }
  return d;
}

// Pairs of registers: Blackwell's IADD.64.
void SassMachine::addWide(const SassOp& op) {
  LaneBits low[3], high[3], outLow = LaneBits::zeros(), outHigh = LaneBits::zeros();
  for (std::size_t n = 0; n < 3; ++n) {
    low[n].assign(read(op.sources[n]));
    high[n].assign(read(op.sources[n], 1));
    const bool known = low[n].known && high[n].known && !op.sources[n].minus && !op.extended;
    outLow.known = outHigh.known = outLow.known && known;
  }
  for (int lane = 0; outLow.known && lane < layout::kLanes; ++lane) {
    std::uint64_t sum = 0;
    for (std::size_t n = 0; n < 3; ++n) sum += (std::uint64_t(high[n][lane]) << 32) | low[n][lane];
    outLow.each[std::size_t(lane)] = std::uint32_t(sum);
    outHigh.each[std::size_t(lane)] = std::uint32_t(sum >> 32);
  }
  write(op.destinations[0], 0, outLow);
  write(op.destinations[0], 1, outHigh);
}

// a + b + c (+ carry), with the carries out of 32 bits.
void SassMachine::add3(const SassOp& op) {
  LaneFlags carry{true, 0};
  if (op.extended && !op.predicatesIn.empty()) carry = flags(op.predicatesIn[0]);
  LaneFlags second{true, 0};
  if (op.extended && op.predicatesIn.size() > 1) second = flags(op.predicatesIn[1]);
  LaneBits a = read(op.sources[0]), b = read(op.sources[1]), c = read(op.sources[2]), d;
  LaneFlags out[2];
  std::uint32_t carries = carry.bits | second.bits;
  d.known = a.known && b.known && c.known && carry.known && second.known;
  bool same = (carries & threads_) == 0 || (carry.bits & threads_) == threads_;
  d.uniform = a.uniform && b.uniform && c.uniform && same;
  out[0].known = out[1].known = d.known;
  if (d.known) {
    int lanes = d.uniform ? 1 : layout::kLanes;
    for (int lane = 0; lane < lanes; ++lane) {
      int from = d.uniform ? std::max(0, __builtin_ctz(threads_)) : lane;
      std::uint64_t sum =
          std::uint64_t(a[lane]) + b[lane] + c[lane] + (carry.bits >> from & 1) + (second.bits >> from & 1);
      (d.uniform ? d.one : d.each[std::size_t(lane)]) = std::uint32_t(sum);
      std::uint32_t here = d.uniform ? 0xffffffff : std::uint32_t{1} << lane;
      if (sum >> 32) out[0].bits |= here;
      if (sum >> 33) out[1].bits |= here;
    }
  }
  write(op.destinations[0], 0, d);
  for (std::size_t n = 0; n < op.predicatesOut.size(); ++n)
    write(op.predicatesOut[n], out[std::min<std::size_t>(n, 1)]);
}

void SassMachine::compare(const SassOp& op) {
  LaneBits a = read(op.sources[0]), b = read(op.sources[1]);
  LaneFlags with{true, 0xffffffff}, low{true, 0};
  if (!op.predicatesIn.empty()) with = flags(op.predicatesIn[0]);
  if (op.extended && op.predicatesIn.size() > 1) low = flags(op.predicatesIn[1]);
  LaneFlags yes, no;
  yes.known = no.known = a.known && b.known && with.known && low.known;
  // What is sure whatever the rest: joined by "and" with nowhere.
  if (yes.known) {
    std::uint32_t holds = 0;
    for (int lane = 0; lane < layout::kLanes; ++lane) {
      auto x = op.isSigned ? std::int64_t(std::int32_t(a[lane])) : std::int64_t(a[lane]);
      auto y = op.isSigned ? std::int64_t(std::int32_t(b[lane])) : std::int64_t(b[lane]);
      int order = x < y ? 1 : x == y ? 2 : 4;
      bool is = op.extended && order == 2 && op.comparison != 2 && op.comparison != 5 ? low.bits >> lane & 1
                                                                                      : (op.comparison & order) != 0;
      if (op.extended && op.comparison == 2) is = order == 2 && (low.bits >> lane & 1);
      if (op.extended && op.comparison == 5) is = order != 2 || (low.bits >> lane & 1);
      if (is) holds |= std::uint32_t{1} << lane;
    }
    auto join = [&](std::uint32_t x) {
      return op.joined == 0 ? x & with.bits : op.joined == 1 ? x | with.bits : x ^ with.bits;
    };
    yes.bits = join(holds);
    no.bits = join(~holds);
  }
  write(op.predicatesOut[0], yes);
  if (op.predicatesOut.size() > 1) write(op.predicatesOut[1], no);
}

// a·b + the pair c: both words, or the upper one. IMAD.HI R4, R7, -0x6db6db6d, R6 adds R6 and R7·2³², as division by 7
// wants.
void SassMachine::wide(const SassOp& op) {
  LaneBits a = read(op.sources[0]), b = read(op.sources[1]), low = read(op.sources[2]), high = read(op.sources[2], 1);
  LaneBits outLow, outHigh;
  outLow.known = outHigh.known = a.known && b.known && low.known && high.known;
  outLow.uniform = outHigh.uniform = a.uniform && b.uniform && low.uniform && high.uniform;
  if (outLow.known) {
    for (int lane = 0; lane < (outLow.uniform ? 1 : layout::kLanes); ++lane) {
      std::uint64_t product =
          op.isSigned ? std::uint64_t(std::int64_t(std::int32_t(a[lane])) * std::int64_t(std::int32_t(b[lane])))
                      : std::uint64_t(a[lane]) * b[lane];
      product += (std::uint64_t(high[lane]) << 32) | low[lane];
      (outLow.uniform ? outLow.one : outLow.each[std::size_t(lane)]) = std::uint32_t(product);
      (outLow.uniform ? outHigh.one : outHigh.each[std::size_t(lane)]) = std::uint32_t(product >> 32);
    }
  }
  if (op.kind == Kind::MultiplyHigh) return write(op.destinations[0], 0, outHigh);
  write(op.destinations[0], 0, outLow);
  write(op.destinations[0], 1, outHigh);
}

// Bit n of the table is the result where the operands' bits are n = 4a + 2b + c.
void SassMachine::logic(const SassOp& op) {
  auto table = std::uint32_t(op.sources[3].value);
  LaneBits d = each(op, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, int) {
    std::uint32_t r = 0;
    for (int n = 0; n < 8; ++n)
      if (table >> n & 1) r |= (n & 4 ? a : ~a) & (n & 2 ? b : ~b) & (n & 1 ? c : ~c);
    return r;
  });
  write(op.destinations[0], 0, d);
  if (op.predicatesOut.empty()) return;
  LaneFlags set{d.known, 0};
  for (int lane = 0; lane < layout::kLanes; ++lane)
    if (d[lane]) set.bits |= std::uint32_t{1} << lane;
  write(op.predicatesOut[0], set);
}

void SassMachine::execute(const SassOp& op, std::uint32_t active, bool sure, std::uint32_t all) {
  if (!sure) return forget(op, all, all);
  active_ = active;
  if (!active) return;
  using u32 = std::uint32_t;
  switch (op.kind) {
    case Kind::Nothing:
    case Kind::Meet: return;
    case Kind::Move:
      for (int w = 0; w < op.words; ++w) write(op.destinations[0], w, read(op.sources[0], w));
      return;
    case Kind::Special: {
      LaneBits v = read(op.sources[0]);
      for (int w = 0; w < op.words; ++w) write(op.destinations[0], w, v);
      return;
    }
    case Kind::Constant:
      for (int w = 0; w < op.words; ++w) write(op.destinations[0], w, read(op.sources[0], w));
      return;
    case Kind::Multiply: {
      LaneFlags carry{true, 0};
      if (op.extended && !op.predicatesIn.empty()) carry = flags(op.predicatesIn[0]);
      if (op.extended && (carry.bits & threads_) != 0 && (carry.bits & threads_) != threads_) {
        SassOp sum = op;  // carries that differ: IMAD.X adds RZ·RZ
        sum.sources = {op.sources[2], sassOperand("RZ"), sassOperand("RZ")};
        return add3(sum);
      }
      u32 one = op.extended && carry.bits & threads_ ? 1 : 0;
      LaneBits d = each(op, [one](u32 a, u32 b, u32 c, int) { return a * b + c + one; });
      d.known &= carry.known;
      return write(op.destinations[0], 0, d);
    }
    case Kind::MultiplyWide:
    case Kind::MultiplyHigh: return wide(op);
    case Kind::CheckDivision: return write(op.predicatesOut[0], LaneFlags{true, 0});
    case Kind::Add3: return op.wide ? addWide(op) : add3(op);
    case Kind::Lea: {
      int shift = int(op.sources[2].value & 31);
      LaneBits d = each(op, [shift](u32 a, u32 b, u32, int) { return (a << shift) + b; });
      if (!op.predicatesOut.empty()) {
        LaneBits carries =
            each(op, [shift](u32 a, u32 b, u32, int) { return u32((std::uint64_t(a << shift) + b) >> 32); });
        LaneFlags out{carries.known, 0};
        for (int lane = 0; lane < layout::kLanes; ++lane)
          if (carries[lane]) out.bits |= u32{1} << lane;
        write(op.predicatesOut[0], out);
      }
      return write(op.destinations[0], 0, d);
    }
    case Kind::LeaHigh: {
      LaneFlags carry{true, 0};
      if (op.extended && !op.predicatesIn.empty()) carry = flags(op.predicatesIn[0]);
      int shift = int(op.sources[3].value & 31);
      LaneBits d = each(op, [&](u32 a, u32 b, u32 c, int) {
        if (op.signExtended) c = std::int32_t(a) < 0 ? 0xffffffff : 0;
        return u32((((std::uint64_t(c) << 32) | a) << shift) >> 32) + b;
      });
      if (carry.bits & threads_) {
        u32 first = carry.bits;
        if (d.uniform) d.each.fill(d.one);
        d.uniform = false;
        for (int lane = 0; lane < layout::kLanes; ++lane) d.each[std::size_t(lane)] += first >> lane & 1;
      }
      d.known &= carry.known;
      return write(op.destinations[0], 0, d);
    }
    case Kind::Logic: return logic(op);
    case Kind::PredicateLogic: {
      LaneFlags a = flags(op.predicatesIn[0]), b = flags(op.predicatesIn[1]), c = flags(op.predicatesIn[2]);
      for (std::size_t n = 0; n < op.predicatesOut.size(); ++n) {
        auto table = u32(op.sources[n].value);
        LaneFlags out{a.known && b.known && c.known, 0};
        for (int k = 0; k < 8; ++k)
          if (table >> k & 1)
            out.bits |= (k & 4 ? a.bits : ~a.bits) & (k & 2 ? b.bits : ~b.bits) & (k & 1 ? c.bits : ~c.bits);
        write(op.predicatesOut[n], out);
      }
      return;
    }
    case Kind::ShiftLeft:
      return write(op.destinations[0], 0, each(op, [](u32 a, u32 s, u32, int) { return s > 31 ? 0 : a << s; }));
    case Kind::ShiftLeftHigh:
      return write(op.destinations[0], 0, each(op, [](u32 a, u32 s, u32 c, int) {
                     return u32((((std::uint64_t(c) << 32) | a) << (s & 63)) >> 32);
                   }));
    case Kind::ShiftRight: {
      bool pair = op.wide, isSigned = op.isSigned && !op.wide;
      return write(op.destinations[0], 0, each(op, [=](u32 a, u32 s, u32 c, int) {
                     if (pair) return u32(((std::uint64_t(c) << 32) | a) >> (s & 63));
                     if (isSigned) return u32(std::int32_t(c) >> std::min(s, u32{31}));
                     return s > 31 ? 0 : c >> s;
                   }));
    }
    case Kind::Compare: return compare(op);
    case Kind::Select:
    case Kind::Least: {
      LaneFlags p = flags(op.predicatesIn[0]);
      bool least = op.kind == Kind::Least, isSigned = op.isSigned;
      bool mixed = (p.bits & threads_) != 0 && (p.bits & threads_) != threads_;
      SassOp two = op;
      two.sources.resize(2);
      if (mixed) {
        // Made to vary by lane.
        LaneBits a = read(op.sources[0]), b = read(op.sources[1]), d;
        d.known = a.known && b.known && p.known;
        d.uniform = false;
        for (int lane = 0; lane < layout::kLanes; ++lane) d.each[std::size_t(lane)] = p.bits >> lane & 1 ? a[lane] : b[lane];
        if (least) d.known = false;
        return write(op.destinations[0], 0, d);
      }
      bool first = (p.bits & threads_) != 0;
      LaneBits d = each(two, [=](u32 a, u32 b, u32, int) {
        if (!least) return first ? a : b;
        bool less = isSigned ? std::int32_t(a) < std::int32_t(b) : a < b;
        return less == first ? a : b;
      });
      d.known &= p.known;
      return write(op.destinations[0], 0, d);
    }
    case Kind::Permute:
      return write(op.destinations[0], 0, each(op, [](u32 a, u32 selector, u32 b, int) {
                     std::uint64_t bytes = (std::uint64_t(b) << 32) | a;
                     u32 r = 0;
                     for (int n = 0; n < 4; ++n) {
                       u32 s = selector >> 4 * n & 15;
                       u32 byte = u32(bytes >> 8 * (s & 7)) & 255;
                       if (s & 8) byte = byte & 128 ? 255 : 0;
                       r |= byte << 8 * n;
                     }
                     return r;
                   }));
    case Kind::Pack: {
      LaneBits v;
      bool zeros = op.sources[0].kind == Operand::Register && op.sources[0].index == 255 &&
                   op.sources[1].kind == Operand::Register && op.sources[1].index == 255;
      if (zeros && op.sources[2].kind == Operand::Immediate && op.sources[3].kind == Operand::Immediate)
        v = LaneBits::of(halfBits(op.sources[2].real) << 16 | halfBits(op.sources[3].real));
      return write(op.destinations[0], 0, v);
    }
    case Kind::FromPredicates: {
      LaneBits d = LaneBits::zeros();
      auto mask = u32(op.sources.back().value);
      for (int p = 0; p < 7; ++p) {
        if (!(mask >> p & 1)) continue;
        d.known &= predicates_[std::size_t(p)].known;
        for (int lane = 0; lane < layout::kLanes; ++lane)
          d.each[std::size_t(lane)] |= (predicates_[std::size_t(p)].bits >> lane & 1) << p;
      }
      return write(op.destinations[0], 0, d);
    }
    case Kind::ToPredicates: {
      // R2P PR, R54, 0x1: the first operand, PR, isn't a register.
      LaneBits v = read(op.sources[0]);
      auto mask = u32(op.sources.back().value);
      for (int p = 0; p < 7; ++p) {
        if (!(mask >> p & 1)) continue;
        LaneFlags f{v.known, 0};
        for (int lane = 0; lane < layout::kLanes; ++lane)
          if (v[lane] >> p & 1) f.bits |= u32{1} << lane;
        SassOperand to;
        to.kind = Operand::Predicate;
        to.index = p;
        write(to, f);
      }
      return;
    }
    case Kind::Vote: {
      const LaneFlags asked = flags(op.predicatesIn[0]);
      const u32 held = asked.bits & active;
      const bool all = held == active, none = held == 0;
      const bool yes = op.vote == 0 ? all : op.vote == 1 ? !none : all || none;
      for (const SassOperand& o : op.predicatesOut) write(o, LaneFlags{asked.known, yes ? ~u32{0} : 0});
      for (const SassOperand& o : op.destinations) write(o, 0, asked.known ? LaneBits::of(held) : LaneBits{});
      return;
    }
    case Kind::LocalStore:
    case Kind::LocalLoad: {
      const SassOperand& m = op.sources[0];
      std::array<std::int64_t, 32> at{};
      bool known = addresses(m, threads_, at);
      for (int w = 0; w < op.words; ++w) {
        std::int64_t cell = at[std::size_t(__builtin_ctz(threads_))] + 4 * w;
        if (op.kind == Kind::LocalLoad) {
          auto held = local_.find(cell);
          write(op.destinations[0], w, known && held != local_.end() ? held->second : LaneBits{});
        } else if (known) {
          local_[cell].assign(op.sources.size() > 1 ? read(op.sources[1], w) : LaneBits{}, active_, threads_);
        } else {
          local_.clear();
        }
      }
      return;
    }
    default: return forget(op, active, all);
  }
}

}  // namespace loom::sass

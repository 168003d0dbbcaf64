// What each kind of instruction does to the registers of the machine. What an instruction writes is unknown where an
// operand is, so that a wrong value never comes out of one that nobody computed.
#include <algorithm>
#include <bit>
#include <cmath>

#include "core/layout/request.h"
#include "core/sass/machine.h"

namespace loom::sass {
namespace {

using Kind = DecodedInstruction::Kind;
using OperandKind = Operand::Kind;

// The bits of the float16 nearest to the value, which must be within float16's range.
std::uint32_t halfBits(double value) {
  if (value == 0) return std::signbit(value) ? 0x8000 : 0;
  std::uint32_t sign = value < 0 ? 0x8000 : 0;
  int exponent = 0;
  double fraction = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
  if (exponent + 14 <= 0) return sign | std::uint32_t(std::lround(std::ldexp(std::abs(value), 24)));
  return sign + (std::uint32_t(exponent + 14) << 10) + std::uint32_t(std::lround((fraction * 2 - 1) * 1024));
}

}  // namespace

template <class F>
LaneBits Machine::each(const DecodedInstruction& op, F f) const {
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
void Machine::addWide(const DecodedInstruction& op) {
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
void Machine::add3(const DecodedInstruction& op) {
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

void Machine::compare(const DecodedInstruction& op) {
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
void Machine::wide(const DecodedInstruction& op) {
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

void Machine::addCarry(const DecodedInstruction& op, LaneBits& to) {
  if (!op.extended || op.predicatesIn.empty()) return;
  const LaneFlags carry = flags(op.predicatesIn[0]);
  to.known &= carry.known;
  const std::uint32_t ones = carry.bits & threads_;
  if (ones == 0) return;
  if (to.uniform && ones == threads_) {
    ++to.one;
    return;
  }
  if (to.uniform) to.each.fill(to.one);
  to.uniform = false;
  for (int lane = 0; lane < layout::kLanes; ++lane) to.each[std::size_t(lane)] += ones >> lane & 1;
}

// Bit n of the table is the result where the operands' bits are n = 4a + 2b + c.
void Machine::logic(const DecodedInstruction& op) {
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

// PTX ISA, shfl: the third operand's low bits are the last lane that may be read from, the bits from 8 on those of the
// lane's number that tell groups apart. A lane without a lane to read from keeps what it holds.
void Machine::shuffle(const DecodedInstruction& op) {
  const LaneBits held = read(op.sources[0]), by = read(op.sources[1]), bounds = read(op.sources[2]);
  LaneBits d = LaneBits::zeros();
  LaneFlags inRange{held.known && by.known && bounds.known, 0};
  d.known = inRange.known;
  for (int lane = 0; d.known && lane < layout::kLanes; ++lane) {
    const int b = int(by[lane] & 31), group = int(bounds[lane] >> 8 & 31), last = int(bounds[lane] & 31);
    const int highest = (lane & group) | (last & ~group & 31);
    int from = op.shuffle == 1   ? lane - b
               : op.shuffle == 2 ? lane + b
               : op.shuffle == 3 ? lane ^ b
                                 : (lane & group) | (b & ~group & 31);
    const bool is = op.shuffle == 1 ? from >= highest : from <= highest;
    if (!is) from = lane;
    if (is) inRange.bits |= std::uint32_t{1} << lane;
    d.each[std::size_t(lane)] = held[from];
  }
  write(op.destinations[0], 0, d);
  for (const Operand& o : op.predicatesOut) write(o, inRange);
}

void Machine::execute(const DecodedInstruction& op, std::uint32_t active, bool sure, std::uint32_t all) {
  if (!sure) return forget(op, all, all);
  active_ = active;
  if (!active) return;
  using u32 = std::uint32_t;
  switch (op.kind) {
    case Kind::Nothing:
    case Kind::Meet: return;
    case Kind::Move:
      for (int w = 0; w < op.words; ++w) {
        LaneBits v = read(op.sources[0], w);
        // R2UR: of the lanes that take part, the first one's.
        const bool warps = op.destinations[0].kind == OperandKind::Uniform;
        if (warps && v.known) v = LaneBits::of(v[std::countr_zero(active)]);
        write(op.destinations[0], w, v);
      }
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
      LaneBits d = each(op, [](u32 a, u32 b, u32 c, int) { return a * b + c; });
      addCarry(op, d);
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
      int shift = int(op.sources[3].value & 31);
      LaneBits d = each(op, [&](u32 a, u32 b, u32 c, int) {
        if (op.signExtended) c = std::int32_t(a) < 0 ? 0xffffffff : 0;
        return u32((((std::uint64_t(c) << 32) | a) << shift) >> 32) + b;
      });
      addCarry(op, d);
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
      DecodedInstruction two = op;
      two.sources.resize(2);
      if (mixed) {
        // Made to vary by lane.
        LaneBits a = read(op.sources[0]), b = read(op.sources[1]), d;
        d.known = a.known && b.known && p.known;
        d.uniform = false;
        for (int lane = 0; lane < layout::kLanes; ++lane)
          d.each[std::size_t(lane)] = p.bits >> lane & 1 ? a[lane] : b[lane];
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
      bool zeros = op.sources[0].kind == OperandKind::Register && op.sources[0].index == 255 &&
                   op.sources[1].kind == OperandKind::Register && op.sources[1].index == 255;
      if (zeros && op.sources[2].kind == OperandKind::Immediate && op.sources[3].kind == OperandKind::Immediate)
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
        Operand to;
        to.kind = OperandKind::Predicate;
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
      for (const Operand& o : op.predicatesOut) write(o, LaneFlags{asked.known, yes ? ~u32{0} : 0});
      for (const Operand& o : op.destinations) write(o, 0, asked.known ? LaneBits::of(held) : LaneBits{});
      return;
    }
    case Kind::Elect: {
      const LaneFlags asked = flags(op.predicatesIn[0]);
      const u32 of = asked.bits & active;
      const int first = of ? std::countr_zero(of) : 0;
      for (const Operand& o : op.predicatesOut) write(o, LaneFlags{asked.known, of ? u32{1} << first : 0});
      for (const Operand& o : op.destinations) write(o, 0, asked.known ? LaneBits::of(u32(first)) : LaneBits{});
      return;
    }
    case Kind::Granted:
      for (const Operand& o : op.predicatesOut) write(o, LaneFlags{true, ~u32{0}});
      return;
    case Kind::Shuffle: return shuffle(op);
    case Kind::LocalStore:
    case Kind::LocalLoad: {
      const Operand& m = op.sources[0];
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

#include "core/exec/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "core/device/lane_values.h"

namespace loom::exec {

Warp::Warp(BlockRun& block, int index)
    : block_(block),
      code_(block.code),
      alone_(code_.threads() == 1 && code_.grid[0] * code_.grid[1] * code_.grid[2] == 1),
      index_(index),
      ownBlock_(index / code_.warps()),
      ownAreas_(block.areas.data() + areaNumber(0, ownBlock_)) {
  lanes_ = int(std::min<std::int64_t>(kLanes, code_.threads() - std::int64_t(index % code_.warps()) * kLanes));
  all_ = lanes_ == kLanes ? ~0u : (1u << lanes_) - 1;
  uniforms_.resize(code_.uniforms);
  vectors_.resize(code_.vectors);
  unknown_.resize(code_.vectors);
  locals_.resize(code_.areas.size());
  fragments_.resize(code_.areas.size());
  for (std::size_t a = 0; a < code_.areas.size(); ++a) {
    const CodeArea& area = code_.areas[a];
    if (area.memory == device::Memory::Local) {
      locals_[a] = {area.elements, block.restricted[a], ZeroedArray<Value>(area.elements * kLanes),
                    ZeroedArray<std::uint8_t>(area.elements * kLanes)};
    } else if (area.memory == device::Memory::Fragment) {
      FragmentArea& f = fragments_[a];
      f.fragments = area.elements;
      f.tile = area.fragment ? area.fragment->tile.elements(area.fragment->operand) / area.warps : 1;
      f.restricted = block.restricted[a];
      f.values = ZeroedArray<double>(f.fragments * f.tile);
      f.states = ZeroedArray<std::uint8_t>(f.fragments);
      if (area.warps > 1) {
        f.groups = ZeroedArray<std::uint32_t>(f.fragments);
        f.unfenced = ZeroedArray<std::uint8_t>(f.fragments);
      }
    }
  }
}

std::array<std::int64_t, 3> Warp::placeOf(std::int64_t n) const {
  return device::placeAt(code_.block, n % code_.threads());
}

void Warp::start() {
  for (LocalArea& l : locals_) {
    if (l.elements) std::memset(l.states.data(), 0, std::size_t(l.elements * kLanes));
  }
  for (FragmentArea& f : fragments_) {
    if (f.fragments) std::memset(f.states.data(), 0, std::size_t(f.fragments));
    if (f.groups) std::fill_n(f.groups.data(), f.fragments, 0);
    if (f.unfenced) std::fill_n(f.unfenced.data(), f.fragments, 0);
  }
  std::fill(unknown_.begin(), unknown_.end(), 0);
  for (int axis = 0; axis < 3; ++axis) {
    uniforms_[code_.blockIdx[axis]].i = block_.blockIdx[std::size_t(block())][axis];
    if (code_.threadUniform[axis]) {
      uniforms_[code_.threadIdx[axis]].i = thread(0)[axis];
    } else {
      for (int l = 0; l < kLanes; ++l) vectors_[code_.threadIdx[axis]].i[l] = thread(l < lanes_ ? l : 0)[axis];
    }
  }
  frames_.clear();
  at_ = code_.instructions.data();
  mask_ = all_;
  stand_ = Stand::Ended;
  standSite_ = -1;
  commits_.clear();
  over_ = {};
}

Finding Warp::finding(Finding::Kind kind, std::int64_t at, int lane) const {
  const Site& s = code_.sites[std::size_t(at)];
  Finding f;
  f.kind = kind;
  f.kernel = code_.name;
  f.site = at;
  f.block = s.block;
  f.blockName = s.blockName;
  for (std::uint16_t l : s.loops) {
    const CodeLoop& loop = code_.loops[l];
    f.loops.emplace_back(loop.name, uniforms_[loop.var].i);
  }
  f.blockIdx = block_.blockIdx[std::size_t(block())];
  f.threads.push_back(thread(lane));
  if (s.area != kNone) {
    f.buffer = code_.areas[s.area].buffer->name;
    f.elements = code_.areas[s.area].elements;
  }
  return f;
}

void Warp::report(Finding::Kind kind, std::int64_t at, int lane, std::int64_t element, bool write, bool whole) {
  if (!block_.log.isNew(kind, block_.kernel, at)) return;
  Finding f = finding(kind, at, lane);
  f.element = element;
  f.write = write;
  f.wholeWarp = whole;
  block_.log.add(std::move(f));
}

void Warp::reportRace(Conflict conflict, const Touch& touch, std::int64_t at, int lane, std::int64_t element,
                      bool write, bool whole, bool repeated) {
  bool fromWrite = touch.writeEpoch >= touch.readEpoch || !write;
  if (conflict == Conflict::InBlock && touch.writeEpoch < block_.clock.since) fromWrite = false;
  std::uint16_t other = fromWrite ? touch.writer : std::uint16_t(touch.reader & kThreadMask);
  const auto own = std::uint16_t(whole ? kFirstWarp + index_ : index_ * kLanes + lane);
  if (!fromWrite && other == own) other = touch.secondReader;
  // Threads of a cluster's blocks are told apart by their numbers.
  const std::int64_t n = other >= kFirstWarp ? std::int64_t(other - kFirstWarp) * kLanes : other;
  const bool inCluster = code_.blocksOfCluster() > 1 && conflict == Conflict::InBlock && other != kNobody &&
                         n / code_.threads() != block();
  const auto kind = repeated                                      ? Finding::Kind::RepeatedStore
                    : conflict == Conflict::InBlock && !inCluster ? Finding::Kind::RaceInBlock
                                                                  : Finding::Kind::RaceBetweenBlocks;
  if (!block_.log.isNew(kind, block_.kernel, at)) return;
  Finding f = finding(kind, at, lane);
  f.element = element;
  f.write = write;
  f.wholeWarp = whole;
  f.otherBlockName = code_.sites[fromWrite ? touch.writeSite : touch.readSite].blockName;
  if (conflict == Conflict::InBlock && other != kNobody) {
    f.otherWholeWarp = other >= kFirstWarp;
    f.threads.push_back(placeOf(n));
  }
  f.otherBlockIdx = block_.blockIdx[inCluster ? std::size_t(n / code_.threads()) : std::size_t(block())];
  if (conflict == Conflict::BetweenBlocks) {
    std::uint32_t epoch = fromWrite ? touch.writeEpoch : touch.readEpoch;
    for (const auto& [start, blockIdx] : block_.blockStarts) {
      if (start <= epoch) f.otherBlockIdx = blockIdx;
    }
  }
  block_.log.add(std::move(f));
}

void Warp::vectorOperation(const Instruction& i) {
  Vector& d = vectors_[i.dst];
  const Vector& a = vectors_[i.a == kNone ? i.dst : i.a];
  const Vector& b = vectors_[i.b == kNone ? i.dst : i.b];
  const int n = lanes_;
  std::uint32_t unknown = i.a == kNone ? 0 : unknown_[i.a];
  if (i.b != kNone) unknown |= unknown_[i.b];
  [[maybe_unused]] const std::int64_t imm = i.imm;
  switch (i.op) {
#define LOOM_CASE(name, from, to, result)        \
  case Op::name:                                 \
    for (int l = 0; l < n; ++l) {                \
      [[maybe_unused]] const auto x = a.from[l]; \
      const auto y = b.from[l];                  \
      d.to[l] = result;                          \
    }                                            \
    break;
    LOOM_BINARY_OPERATIONS(LOOM_CASE)
#undef LOOM_CASE
#define LOOM_CASE(name, from, to, result) \
  case Op::name:                          \
    for (int l = 0; l < n; ++l) {         \
      const auto x = a.from[l];           \
      d.to[l] = result;                   \
    }                                     \
    break;
    LOOM_UNARY_OPERATIONS(LOOM_CASE)
#undef LOOM_CASE
    case Op::Select: {
      const Vector& c = vectors_[i.c];
      unknown |= unknown_[i.c];
      for (int l = 0; l < n; ++l) d.v[l] = a.i[l] ? b.v[l] : c.v[l];
      break;
    }
    case Op::Copy: d = a; break;
    default: break;
  }
  unknown_[i.dst] = unknown;
}

void Warp::broadcast(const Instruction& i) {
  std::ranges::fill(vectors_[i.dst].v, uniforms_[i.a]);
  unknown_[i.dst] = 0;
}

void Warp::maskedCopy(const Instruction& i) {
  const Vector& a = vectors_[i.a];
  Vector& d = vectors_[i.dst];
  for (int l = 0; l < lanes_; ++l) {
    if (mask_ >> l & 1) d.v[l] = a.v[l];
  }
  unknown_[i.dst] = (unknown_[i.dst] & ~mask_) | (unknown_[i.a] & mask_);
}

void Warp::enterIteration(const Frame& f) {
  const Instruction& i = *f.begin;
  const auto& sample = block_.samples[i.c];
  std::int64_t iteration = sample.empty() ? f.position : sample[std::size_t(f.position)];
  uniforms_[i.dst].i = iteration;
  mask_ = f.mask;
  if (i.b == 1) {
    for (int l = 0; l < lanes_; ++l) {
      if (iteration >= vectors_[i.a].i[l]) mask_ &= ~(1u << l);
    }
  }
}

void Warp::loopBegin(const Instruction& i) {
  Frame f;
  f.mask = mask_;
  f.begin = &i;
  if (i.b == 0) {
    f.trips = uniforms_[i.a].i;
  } else {
    for (int l = 0; l < lanes_; ++l) {
      if (mask_ >> l & 1) f.trips = std::max(f.trips, vectors_[i.a].i[l]);
    }
  }
  if (const auto& sample = block_.samples[i.c]; !sample.empty()) {
    f.trips = std::lower_bound(sample.begin(), sample.end(), f.trips) - sample.begin();
  }
  if (f.trips <= 0) {
    at_ = &i + i.imm;
    return;
  }
  frames_.push_back(f);
  enterIteration(f);
}

void Warp::loopNext(const Instruction& i) {
  Frame& f = frames_.back();
  if (++f.position < f.trips) {
    enterIteration(f);
    at_ -= i.imm + 1;
  } else {
    mask_ = f.mask;
    frames_.pop_back();
  }
  running_ = !block_.stopped();
}

void Warp::ifBegin(const Instruction& i) {
  std::uint32_t yes = 0;
  if (i.b == 0) {
    yes = uniforms_[i.a].i ? ~0u : 0u;
  } else {
    for (int l = 0; l < lanes_; ++l) yes |= std::uint32_t(vectors_[i.a].i[l] != 0) << l;
  }
  Frame f;
  f.mask = mask_;
  f.otherwise = mask_ & ~yes;
  frames_.push_back(f);
  mask_ &= yes;
  if (!mask_) at_ += i.imm - 1;
}

void Warp::otherLanes(const Instruction& i) {
  mask_ = frames_.back().otherwise;
  if (!mask_) at_ += i.imm - 1;
}

void Warp::endIf(const Instruction&) {
  mask_ = frames_.back().mask;
  frames_.pop_back();
}

void Warp::barrier(const Instruction& i) {
  if (!mask_) return;
  standSite_ = i.imm;
  if (mask_ != all_) {
    // Some lanes of this warp never come: named here, since the others can't wait for them.
    int waits = std::countr_zero(mask_), missing = std::countr_zero(all_ & ~mask_);
    if (block_.log.isNew(Finding::Kind::Deadlock, block_.kernel, i.imm)) {
      Finding f = finding(Finding::Kind::Deadlock, i.imm, waits);
      f.threads.push_back(thread(missing));
      block_.log.add(std::move(f));
    }
  }
  stand_ = Stand::Barrier;
  atCluster_ = i.b > 0;
  exchanges_ = i.b == 2;
  waiter_ = {};
  waiter_.thread = thread(0);
  running_ = false;
}

void Warp::end(const Instruction&) {
  stand_ = Stand::Ended;
  running_ = false;
}

Finding::Waiter Warp::waiter() const { return waiter_; }

bool Warp::run() {
  const bool waited = std::exchange(stand_, Stand::Ended) == Stand::Wait;
  passed_ = false;
  for (running_ = true; running_; ++at_) {
    const Instruction& i = *at_;
    switch (i.op) {
#define LOOM_CASE(name, handler) \
  case Op::name: handler(i); break;
      LOOM_CONTROL_OPERATIONS(LOOM_CASE)
#undef LOOM_CASE
      default:
        if (i.uniform) {
          Value none{0};
          uniforms_[i.dst] = apply(i.op, i.a == kNone ? none : uniforms_[i.a], i.b == kNone ? none : uniforms_[i.b],
                                   i.c == kNone ? none : uniforms_[i.c], i.imm);
        } else {
          vectorOperation(i);
        }
    }
  }
  return !waited || passed_ || stand_ != Stand::Wait;
}

}  // namespace loom::exec

// Accesses of single threads to global, shared and local memory.
#include <algorithm>
#include <bit>
#include <cstring>

#include "core/exec/warp.h"

namespace loom::exec {

void Warp::addresses(const Instruction& i, std::int64_t (&out)[kLanes]) const {
  const std::int64_t base = address(i);
  if (i.a == kNone) {
    for (int l = 0; l < lanes_; ++l) out[l] = base;
  } else {
    const auto& offsets = vectors_[i.a].i;
    for (int l = 0; l < lanes_; ++l) out[l] = base + offsets[l];
  }
}

bool Warp::readElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread,
                       int lane, Value& value, int other) {
  bool whole = thread >= kFirstWarp;
  if (element < 0 || element >= area.elements) {
    report(Finding::Kind::OutOfBounds, at, lane, element, false, whole);
    value.i = 0;
    return false;
  }
  if (!area.stored) {
    value = area.input.at(element);
    return true;
  }
  if (code_.areas[site.area].written) {
    checkAwaited(site, at, element, lane, false, whole, other < 0 ? block() : other);
    Conflict c = noteRead(area.touches[element], block_.clockOf(area), thread, std::uint16_t(at));
    if (area.asyncTouches) checkBeside(area, at, element, thread, lane, false);
    if (c == Conflict::InBlock && knownBefore(area.touches[element], false, thread)) c = Conflict::None;
    if (c != Conflict::None) reportRace(c, area.touches[element], at, lane, element, false, whole);
  }
  return contentOf(area, site, at, element, lane, whole, value);
}

bool Warp::contentOf(const Area& area, const Site& site, std::int64_t at, std::int64_t element, int lane, bool whole,
                     Value& value) {
  std::uint8_t state = area.states[element];
  value = area.values[element];
  if (!(state & kWritten)) {
    if (area.isInput) {
      value = area.input.at(element);
      return !area.restricted;
    }
    // Also in a sample, what no block writes before can't have been left out.
    if (!area.restricted || !site.required) report(Finding::Kind::Uninitialised, at, lane, element, false, whole);
    return false;
  }
  if (state & kUnknown) return false;
  return !area.restricted || (state & site.required) == site.required;
}

void Warp::writeElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread,
                        int lane, Value value, bool unknown) {
  bool whole = thread >= kFirstWarp;
  if (element < 0 || element >= area.elements) {
    report(Finding::Kind::OutOfBounds, at, lane, element, true, whole);
    return;
  }
  checkAwaited(site, at, element, lane, true, whole, block());
  Touch& touch = area.touches[element];
  const Conflict conflict = conflictOfWrite(touch, block_.clockOf(area), thread);
  if (area.asyncTouches) {
    checkBeside(area, at, element, thread, lane, true);
    area.changes.note(element, 1);
  }
  if (conflict != Conflict::None) reportWrite(conflict, area, at, element, thread, lane, value, unknown);
  if (const CodeArea& own = code_.areas[site.area]; !own.under.empty())
    checkUnder(own, at, element, 1, thread, lane, true);
  writtenBy(touch, block_.clock, thread, std::uint16_t(at));
  put(area, site, element, value, unknown);
}

void Warp::checkUnder(const CodeArea& own, std::int64_t at, std::int64_t element, std::int64_t count,
                      std::uint16_t thread, int lane, bool write) {
  const std::int64_t bytes = own.buffer->dtype.bytes();
  for (const CodeArea::Under& under : own.under) {
    Area& other = *areaOf(under.area);
    const std::int64_t each = code_.areas[under.area].buffer->dtype.bytes();
    const std::int64_t first = under.bytes + element * bytes,
                       end = std::min(first + count * bytes, other.elements * each);
    for (std::int64_t byte = std::max<std::int64_t>(0, first); byte < end; byte += each) {
      const Touch& touch = other.touches[byte / each];
      const bool fits = write ? conflictOfWrite(touch, block_.clockOf(other), thread) == Conflict::None
                              : touch.writeEpoch < block_.clock.blockStart || allBefore(touch, false, thread);
      if (!fits) reportRace(Conflict::InBlock, touch, at, lane, element, write, thread >= kFirstWarp);
      if (write && other.asyncTouches) checkBeside(other, at, byte / each, thread, lane, true);
    }
  }
}

void Warp::reportWrite(Conflict conflict, const Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread,
                       int lane, Value value, bool unknown) {
  const Touch& touch = area.touches[element];
  // Of a write after a write of the same value nobody can tell the order.
  const bool read = touch.readEpoch >= touch.writeEpoch;
  const bool same = (area.states[element] & kUnknown) || unknown || area.values[element].i == value.i;
  reportRace(conflict, touch, at, lane, element, true, thread >= kFirstWarp, same && !read);
}

void Warp::load(const Instruction& i) {
  const Site& site = code_.sites[std::size_t(i.imm)];
  Area* area = areaOf(i.c);
  if (!area) return loadLocal(i, site);
  Vector& d = vectors_[i.dst];
  std::uint32_t unknown = 0;
  const auto first = std::uint16_t(index_ * kLanes);
  const PlainAccess plain = plainAccess(*area, site);
  if (i.a == kNone && mask_) {
    // All lanes read one element: two of them meet everything that can go wrong. Of an input nothing can.
    Value v{0};
    const bool isInput = !area->stored && std::uint64_t(address(i)) < std::uint64_t(area->elements);
    if (isInput) v = area->input.at(address(i));
    std::uint32_t rest = isInput ? 0 : mask_;
    for (int n = 0; n < 2 && rest; ++n, rest &= rest - 1) {
      int l = std::countr_zero(rest);
      if (!readBy(plain, *area, site, i.imm, address(i), std::uint16_t(first + l), l, v)) unknown = ~0u;
    }
    if (mask_ == ~0u) {
      std::fill_n(d.v, kLanes, v);
    } else {
      for (int l = 0; l < lanes_; ++l) d.v[l] = mask_ >> l & 1 ? v : d.v[l];
    }
    unknown_[i.dst] = unknown;
    return;
  }
  std::int64_t at[kLanes];
  addresses(i, at);
  // Of lanes that read one element one after the other, two meet everything, too, where epochs tell of barriers alone.
  const bool twoAreEnough = !plain.noted || plain.clock.epoch == plain.clock.since;
  std::int64_t before = -1;  // the element of the last plain reads
  int reads = 0;             // how many there were
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    if (!area->stored && std::uint64_t(at[l]) < std::uint64_t(area->elements)) {
      d.v[l] = area->input.at(at[l]);
    } else if (reads >= 2 && at[l] == before && twoAreEnough) {
      d.v[l] = area->values[before];
    } else if (isPlainRead(plain, *area, i.imm, at[l], std::uint16_t(first + l))) {
      d.v[l] = area->values[at[l]];
      reads = at[l] == before ? reads + 1 : 1;
      before = at[l];
    } else {
      reads = 0;
      if (!readElement(*area, site, i.imm, at[l], std::uint16_t(first + l), l, d.v[l])) unknown |= 1u << l;
    }
  }
  unknown_[i.dst] = unknown;
}

void Warp::loadInBlock(const Instruction& i) {
  const InBlock from = InBlock::of(i);
  const std::int64_t number = from.site;
  const Site& site = code_.sites[std::size_t(number)];
  std::int64_t at[kLanes];
  addresses(i, at);
  const auto& blocks = vectors_[from.block].i;
  Vector& d = vectors_[i.dst];
  std::uint32_t unknown = 0;
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    const int other = int(std::clamp<std::int64_t>(blocks[l], 0, code_.blocksOfCluster() - 1));
    if (other != blocks[l]) report(Finding::Kind::OutOfBounds, number, l, blocks[l], false, false);
    if (other != block()) noteReachOfMemory(number, at[l], l);
    if (!readElement(*areaOf(i.c, other), site, number, at[l], std::uint16_t(firstThread() + l), l, d.v[l], other))
      unknown |= 1u << l;
  }
  unknown_[i.dst] = unknown;
}

void Warp::noteReachOfMemory(std::int64_t site, std::int64_t element, int lane) {
  if (std::ranges::any_of(block_.reachedMemory, [&](const Finding& f) { return f.site == site; })) return;
  Finding f = finding(Finding::Kind::MaybeEnded, site, lane);
  f.element = element;
  block_.reachedMemory.push_back(std::move(f));
}

void Warp::store(const Instruction& i) {
  const Site& site = code_.sites[std::size_t(i.imm)];
  Area* area = areaOf(i.c);
  if (!area) return storeLocal(i, site);
  const Vector& v = vectors_[i.dst];
  const std::uint32_t unknown = unknown_[i.dst];
  const auto first = std::uint16_t(index_ * kLanes);
  const PlainAccess plain = plainAccess(*area, site);
  if (i.a == kNone && mask_) {
    const std::int64_t one = v.i[std::countr_zero(mask_)];
    std::int64_t differing = 0;  // bits
    if (mask_ == ~0u) {
      for (int l = 0; l < kLanes; ++l) differing |= v.i[l] ^ one;
    } else {
      for (int l = 0; l < lanes_; ++l) differing |= mask_ >> l & 1 ? v.i[l] ^ one : 0;
    }
    if (differing == 0) {
      std::uint32_t rest = mask_;
      for (int n = 0; n < 2 && rest; ++n, rest &= rest - 1) {
        int l = std::countr_zero(rest);
        writeBy(plain, *area, site, i.imm, address(i), std::uint16_t(first + l), l, v.v[l], (unknown & mask_) != 0);
      }
      return;
    }
  }
  std::int64_t at[kLanes];
  addresses(i, at);
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    writeBy(plain, *area, site, i.imm, at[l], std::uint16_t(first + l), l, v.v[l], unknown >> l & 1);
  }
}

void Warp::loadLocal(const Instruction& i, const Site& site) {
  LocalArea& area = locals_[i.c];
  Vector& d = vectors_[i.dst];
  const std::uint8_t required = area.restricted ? std::uint8_t(site.required | kWritten) : kWritten;
  std::uint32_t unknown = 0;
  if (i.a == kNone && mask_ == ~0u && std::uint64_t(address(i)) < std::uint64_t(area.elements)) {
    // The usual case, a row of the warp's memory: every lane its own copy of one element.
    const std::uint8_t* states = &area.states[address(i) * kLanes];
    std::uint8_t bad = 0;
    for (int l = 0; l < kLanes; ++l) bad |= std::uint8_t((states[l] & (required | kUnknown)) ^ required);
    if (!bad) {
      std::memcpy(d.v, &area.values[address(i) * kLanes], sizeof d.v);
      unknown_[i.dst] = 0;
      return;
    }
  }
  std::int64_t at[kLanes];
  addresses(i, at);
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    if (std::uint64_t(at[l]) >= std::uint64_t(area.elements)) {
      report(Finding::Kind::OutOfBounds, i.imm, l, at[l], false, false);
      unknown |= 1u << l;
      continue;
    }
    std::uint8_t state = area.states[at[l] * kLanes + l];
    d.v[l] = area.values[at[l] * kLanes + l];
    if ((state & (required | kUnknown)) == required) continue;
    if (!(state & kWritten) && (!area.restricted || !site.required)) {
      report(Finding::Kind::Uninitialised, i.imm, l, at[l], false, false);
    }
    unknown |= 1u << l;
  }
  unknown_[i.dst] = unknown;
}

void Warp::storeLocal(const Instruction& i, const Site& site) {
  LocalArea& area = locals_[i.c];
  const Vector& v = vectors_[i.dst];
  const std::uint32_t unknown = unknown_[i.dst];
  if (i.a == kNone && mask_ == ~0u && unknown == 0 && std::uint64_t(address(i)) < std::uint64_t(area.elements)) {
    // The usual case, as of loadLocal.
    std::memcpy(&area.values[address(i) * kLanes], v.v, sizeof v.v);
    std::uint8_t* states = &area.states[address(i) * kLanes];
    const auto written = std::uint8_t(kWritten | site.writerBit);
    for (int l = 0; l < kLanes; ++l) states[l] = std::uint8_t((states[l] & ~kUnknown) | written);
    return;
  }
  std::int64_t at[kLanes];
  addresses(i, at);
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    if (std::uint64_t(at[l]) >= std::uint64_t(area.elements)) {
      report(Finding::Kind::OutOfBounds, i.imm, l, at[l], true, false);
      continue;
    }
    area.values[at[l] * kLanes + l] = v.v[l];
    std::uint8_t& state = area.states[at[l] * kLanes + l];
    state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (unknown >> l & 1 ? kUnknown : 0));
  }
}

void Warp::checkOperand(const Instruction& i) {
  const auto& operand = vectors_[i.a].i;
  const std::uint32_t lanes = mask_ & ~unknown_[i.a];
  const bool divides = i.b == 0;
  for (int l = 0; l < lanes_; ++l) {
    if (!(lanes >> l & 1)) continue;
    if (divides ? operand[l] != 0 : std::uint64_t(operand[l]) < std::uint64_t(i.b)) continue;
    const auto kind = divides ? Finding::Kind::DivisionByZero : Finding::Kind::ShiftTooFar;
    if (!block_.log.isNew(kind, block_.kernel, i.imm)) continue;
    Finding f = finding(kind, i.imm, l);
    f.element = operand[l];
    f.elements = i.b;
    f.write = true;
    block_.log.add(std::move(f));
  }
}

void Warp::checkAligned(const Instruction& i) {
  std::int64_t at[kLanes];
  addresses(i, at);
  const std::int64_t width = i.imm % 256, site = i.imm / 256;
  for (int l = 0; l < lanes_; ++l) {
    if ((mask_ >> l & 1) && at[l] % width != 0) report(Finding::Kind::Misaligned, site, l, at[l], false, false);
  }
}

}  // namespace loom::exec

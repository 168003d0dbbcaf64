// Accesses of single threads to global, shared and local memory.
#include "core/exec/warp.h"

namespace loom::exec {

void Warp::addresses(const Instruction& i, std::int64_t (&out)[kLanes]) const {
  std::int64_t base = i.b == kNone ? 0 : uniforms_[i.b].i;
  if (i.a == kNone) {
    for (int l = 0; l < lanes_; ++l) out[l] = base;
  } else {
    const auto& offsets = vectors_[i.a].i;
    for (int l = 0; l < lanes_; ++l) out[l] = base + offsets[l];
  }
}

bool Warp::readElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread,
                       int lane, Value& value) {
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
    Conflict c = noteRead(area.touches[element], block_.clockOf(area), thread, std::uint16_t(at));
    if (c != Conflict::None) reportRace(c, area.touches[element], at, lane, element, false, whole);
  }
  std::uint8_t state = area.states[element];
  value = area.values[element];
  if (!(state & kWritten)) {
    if (area.isInput) {
      value = area.input.at(element);
      return !area.restricted;
    }
    if (!area.restricted) report(Finding::Kind::Uninitialised, at, lane, element, false, whole);
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
  Touch& touch = area.touches[element];
  Conflict c = noteWrite(touch, block_.clockOf(area), thread);
  if (c != Conflict::None) reportRace(c, touch, at, lane, element, true, whole);
  writtenBy(touch, block_.clock, thread, std::uint16_t(at));
  area.values[element] = value;
  std::uint8_t& state = area.states[element];
  state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (unknown ? kUnknown : 0));
}

void Warp::load(const Instruction& i) {
  const Site& site = code_.sites[std::size_t(i.imm)];
  Area* area = block_.areas[i.c];
  if (!area) return loadLocal(i, site);
  std::int64_t at[kLanes];
  addresses(i, at);
  Vector& d = vectors_[i.dst];
  std::uint32_t unknown = 0;
  const auto first = std::uint16_t(index_ * kLanes);
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    if (!area->stored && std::uint64_t(at[l]) < std::uint64_t(area->elements)) {
      d.v[l] = area->input.at(at[l]);
    } else if (!readElement(*area, site, i.imm, at[l], std::uint16_t(first + l), l, d.v[l])) {
      unknown |= 1u << l;
    }
  }
  unknown_[i.dst] = unknown;
}

void Warp::store(const Instruction& i) {
  const Site& site = code_.sites[std::size_t(i.imm)];
  Area* area = block_.areas[i.c];
  if (!area) return storeLocal(i, site);
  std::int64_t at[kLanes];
  addresses(i, at);
  const Vector& v = vectors_[i.dst];
  const std::uint32_t unknown = unknown_[i.dst];
  const auto first = std::uint16_t(index_ * kLanes);
  for (int l = 0; l < lanes_; ++l) {
    if (!(mask_ >> l & 1)) continue;
    writeElement(*area, site, i.imm, at[l], std::uint16_t(first + l), l, v.v[l], unknown >> l & 1);
  }
}

void Warp::loadLocal(const Instruction& i, const Site& site) {
  LocalArea& area = locals_[i.c];
  std::int64_t at[kLanes];
  addresses(i, at);
  Vector& d = vectors_[i.dst];
  const std::uint8_t required = area.restricted ? std::uint8_t(site.required | kWritten) : kWritten;
  std::uint32_t unknown = 0;
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
    if (!(state & kWritten) && !area.restricted) {
      report(Finding::Kind::Uninitialised, i.imm, l, at[l], false, false);
    }
    unknown |= 1u << l;
  }
  unknown_[i.dst] = unknown;
}

void Warp::storeLocal(const Instruction& i, const Site& site) {
  LocalArea& area = locals_[i.c];
  std::int64_t at[kLanes];
  addresses(i, at);
  const Vector& v = vectors_[i.dst];
  const std::uint32_t unknown = unknown_[i.dst];
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

void Warp::checkAligned(const Instruction& i) {
  std::int64_t at[kLanes];
  addresses(i, at);
  const std::int64_t width = i.imm % 256, site = i.imm / 256;
  for (int l = 0; l < lanes_; ++l) {
    if ((mask_ >> l & 1) && at[l] % width != 0) report(Finding::Kind::Misaligned, site, l, at[l], false, false);
  }
}

}  // namespace loom::exec

// Operations of a whole warp on tensor-core fragments. A fragment is its whole tile: which lane holds which element is
// nothing a program can see.
#include <bit>

#include "core/exec/warp.h"

namespace loom::exec {

using device::WmmaNode;
using Operand = device::FragmentShape::Operand;

bool Warp::agreed(std::uint16_t reg, std::int64_t site, std::int64_t& value) {
  value = vectors_[reg].i[0];
  for (int l = 1; l < lanes_; ++l) {
    if (vectors_[reg].i[l] == value) continue;
    report(Finding::Kind::PartialWarp, site, l, 0, false, true);
    return false;
  }
  return true;
}

bool Warp::fragmentAt(const WmmaCode::Tile& t, std::int64_t site, bool write, FragmentArea*& area,
                      std::int64_t& index) {
  area = &fragments_[t.area];
  if (!agreed(t.index, site, index)) return false;
  if (index >= 0 && index < area->fragments) return true;
  report(Finding::Kind::OutOfBounds, site, 0, index, write, true);
  return false;
}

bool Warp::fragmentKnown(std::int64_t at, const FragmentArea& area, std::int64_t index) {
  const Site& site = code_.sites[std::size_t(at)];
  std::uint8_t state = area.states[index];
  if (!(state & kWritten) && (!area.restricted || !site.required)) {
    report(Finding::Kind::Uninitialised, at, 0, index, false, true);
  }
  if (!(state & kWritten) || (state & kUnknown)) return false;
  return !area.restricted || (state & site.required) == site.required;
}

// Between a fragment and memory, both ways.
void Warp::transfer(const WmmaCode& w, FragmentArea& fragments, std::int64_t fragment, std::int64_t offset,
                    std::int64_t leading) {
  Area& area = *block_.areas[w.memory];
  const Site& site = code_.sites[std::size_t(w.memorySite)];
  const auto thread = std::uint16_t(kFirstWarp + index_);
  const bool store = w.op == WmmaNode::Op::Store;
  const std::int64_t side = 16;
  double* tile = fragments.values.data() + fragment * fragments.tile;
  const ir::DType dtype = code_.areas[w.memory].buffer->dtype;
  const bool isFloat = dtype.isFloat();
  // CUDA programming guide, load_matrix_sync: the pointer is aligned to 256 bits.
  if (offset * dtype.bytes() % 32 != 0) report(Finding::Kind::Misaligned, w.memorySite, 0, offset, store, true);
  bool known = !store || fragmentKnown(w.dSite, fragments, fragment);
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column) {
      std::int64_t element = offset + (w.rowMajor ? row * leading + column : column * leading + row);
      double& held = tile[row * side + column];
      Value v{0};
      if (store) {
        if (isFloat) {
          v.f = held;
        } else {
          v.i = std::int64_t(held);
        }
        writeElement(area, site, w.memorySite, element, thread, 0, v, !known);
      } else {
        known &= readElement(area, site, w.memorySite, element, thread, 0, v);
        held = isFloat ? v.f : double(v.i);
      }
    }
  }
  if (store) return;
  std::uint8_t& state = fragments.states[fragment];
  state = std::uint8_t((state & ~kUnknown) | kWritten | code_.sites[std::size_t(w.dSite)].writerBit |
                       (known ? 0 : kUnknown));
}

void Warp::wmma(const Instruction& i) {
  const WmmaCode& w = code_.wmmas[std::size_t(i.imm)];
  if (mask_ == 0) return;
  if (mask_ != ~0u) {
    report(Finding::Kind::PartialWarp, w.dSite, std::countr_zero(mask_), 0, false, true);
    return;
  }
  FragmentArea *d = nullptr, *a = nullptr, *b = nullptr, *c = nullptr;
  std::int64_t di = 0, ai = 0, bi = 0, ci = 0;
  if (!fragmentAt(w.d, w.dSite, w.op != WmmaNode::Op::Store, d, di)) return;
  double* out = d->values.data() + di * d->tile;
  const std::uint8_t writerBit = code_.sites[std::size_t(w.dSite)].writerBit;
  if (w.op == WmmaNode::Op::Fill) {
    const Value v = vectors_[w.fill].v[0];
    const bool isFloat = code_.areas[w.d.area].buffer->dtype.isFloat();
    std::fill(out, out + d->tile, isFloat ? v.f : double(v.i));
    std::uint8_t& state = d->states[di];
    state = std::uint8_t((state & ~kUnknown) | kWritten | writerBit | (unknown_[w.fill] ? kUnknown : 0));
    return;
  }
  if (w.op != WmmaNode::Op::Mma) {
    std::int64_t offset = 0, leading = 0;
    if (agreed(w.offset, w.memorySite, offset) && agreed(w.leading, w.memorySite, leading)) {
      transfer(w, *d, di, offset, leading);
    }
    return;
  }
  if (!fragmentAt(w.a, w.aSite, false, a, ai) || !fragmentAt(w.b, w.bSite, false, b, bi) ||
      !fragmentAt(w.c, w.cSite, false, c, ci)) {
    return;
  }
  // All three are looked at, so that each fault is reported.
  bool known = fragmentKnown(w.aSite, *a, ai);
  known &= fragmentKnown(w.bSite, *b, bi);
  known &= fragmentKnown(w.cSite, *c, ci);
  const double* x = a->values.data() + ai * a->tile;
  const double* y = b->values.data() + bi * b->tile;
  const double* sum = c->values.data() + ci * c->tile;
  for (int m = 0; m < 16; ++m) {
    double row[16];
    for (int n = 0; n < 16; ++n) row[n] = sum[m * 16 + n];
    for (int k = 0; k < 16; ++k) {
      const double factor = x[m * 16 + k];
      for (int n = 0; n < 16; ++n) row[n] += factor * y[k * 16 + n];
    }
    for (int n = 0; n < 16; ++n) out[m * 16 + n] = row[n];
  }
  std::uint8_t& state = d->states[di];
  state = std::uint8_t((state & ~kUnknown) | kWritten | writerBit | (known ? 0 : kUnknown));
}

}  // namespace loom::exec

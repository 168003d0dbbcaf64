// Operations of a whole warp. A fragment is its whole tile: which lane holds which element is nothing a program can
// see. What lanes hold in registers of their own becomes a tile while the operation runs, by the layout of its row.
#include <algorithm>
#include <array>
#include <bit>

#include "core/exec/warp.h"

namespace loom::exec {

bool Warp::agreed(std::uint16_t reg, std::int64_t site, std::int64_t& value) {
  value = vectors_[reg].i[0];
  for (int l = 1; l < lanes_; ++l) {
    if (vectors_[reg].i[l] == value) continue;
    report(Finding::Kind::PartialWarp, site, l, 0, false, true);
    return false;
  }
  return true;
}

bool Warp::locate(const OperationCode& code, std::size_t operand, double* scratch, TileOperand& tile) {
  const device::OperandRow& row = code.row->operands[operand];
  const OperationCode::Operand& o = code.operands[operand];
  tile.view = {scratch, code.row->tile.rows(row.operand), code.row->tile.columns(row.operand)};
  if (row.isSpan()) {
    if (o.tile.empty()) tile.view = {scratch, lanes_, o.lanes};
    return true;
  }
  if (!agreed(o.index, o.site, tile.at)) return false;
  if (row.inMemory()) return agreed(code.values[std::size_t(row.leading)].reg, o.site, tile.leading);
  tile.area = &fragments_[o.area];
  if (tile.at < 0 || tile.at >= tile.area->fragments) {
    report(Finding::Kind::OutOfBounds, o.site, 0, tile.at, row.written(), true);
    return false;
  }
  tile.view.values = tile.area->values.data() + tile.at * tile.area->tile;
  return true;
}

template <class F>
void Warp::eachElement(const device::OperandRow& row, TileOperand& tile, F f) {
  for (std::int64_t r = 0; r < tile.view.rows; ++r) {
    for (std::int64_t c = 0; c < tile.view.columns; ++c) {
      const std::int64_t element = tile.at + (row.rowMajor ? r * tile.leading + c : c * tile.leading + r);
      f(element, tile.view.values[r * tile.view.columns + c]);
    }
  }
}

bool Warp::readSpans(const OperationCode& code, std::size_t operand, TileOperand& tile) {
  const device::OperandRow& row = code.row->operands[operand];
  const OperationCode::Operand& o = code.operands[operand];
  const Site& site = code_.sites[std::size_t(o.site)];
  const ir::DType dtype = code_.areas[o.area].buffer->dtype;
  const bool isFloat = dtype.isFloat();
  const auto& first = vectors_[o.index].i;
  bool known = unknown_[o.index] == 0;
  auto put = [&](int lane, int i, double number) {
    const std::size_t at = std::size_t(lane) * std::size_t(o.lanes) + std::size_t(i);
    tile.view.values[o.tile.empty() ? at : o.tile[at]] = number;
  };
  if (row.inMemory()) {
    const auto thread = std::uint16_t(index_ * kLanes);
    for (int lane = 0; lane < lanes_; ++lane) {
      if (first[lane] * dtype.bytes() % row.alignment != 0)
        report(Finding::Kind::Misaligned, o.site, lane, first[lane], false, false);
      for (int i = 0; i < o.lanes; ++i) {
        Value v{0};
        known &=
            readElement(*block_.areas[o.area], site, o.site, first[lane] + i, std::uint16_t(thread + lane), lane, v);
        put(lane, i, numberOf(v, isFloat));
      }
    }
    return known;
  }
  const LocalArea& area = locals_[o.area];
  const std::uint8_t required = area.restricted ? std::uint8_t(site.required | kWritten) : kWritten;
  for (int lane = 0; lane < lanes_; ++lane) {
    if (first[lane] < 0 || first[lane] + o.lanes > area.elements) {
      report(Finding::Kind::OutOfBounds, o.site, lane, first[lane], false, false);
      return false;
    }
    for (int i = 0; i < o.lanes; ++i) {
      const std::int64_t at = (first[lane] + i) * kLanes + lane;
      const std::uint8_t state = area.states[at];
      put(lane, i, numberOf(area.values[at], isFloat));
      if ((state & (required | kUnknown)) == required) continue;
      if (!(state & kWritten) && (!area.restricted || !site.required))
        report(Finding::Kind::Uninitialised, o.site, lane, first[lane] + i, false, false);
      known = false;
    }
  }
  return known;
}

void Warp::writeSpans(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known) {
  const OperationCode::Operand& o = code.operands[operand];
  const Site& site = code_.sites[std::size_t(o.site)];
  const bool isFloat = code_.areas[o.area].buffer->dtype.isFloat();
  const auto& first = vectors_[o.index].i;
  LocalArea& area = locals_[o.area];
  for (int lane = 0; lane < lanes_; ++lane) {
    if (first[lane] < 0 || first[lane] + o.lanes > area.elements) {
      report(Finding::Kind::OutOfBounds, o.site, lane, first[lane], true, false);
      continue;
    }
    for (int i = 0; i < o.lanes; ++i) {
      const std::size_t n = std::size_t(lane) * std::size_t(o.lanes) + std::size_t(i);
      const std::int64_t at = (first[lane] + i) * kLanes + lane;
      area.values[at] = valueOf(tile.view.values[o.tile.empty() ? n : o.tile[n]], isFloat);
      std::uint8_t& state = area.states[at];
      state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (known ? 0 : kUnknown));
    }
  }
}

bool Warp::read(const OperationCode& code, std::size_t operand, TileOperand& tile) {
  const device::OperandRow& row = code.row->operands[operand];
  if (row.isSpan()) return readSpans(code, operand, tile);
  const OperationCode::Operand& o = code.operands[operand];
  const Site& site = code_.sites[std::size_t(o.site)];
  if (tile.area) {
    const std::uint8_t state = tile.area->states[tile.at];
    if (!(state & kWritten) && (!tile.area->restricted || !site.required)) {
      report(Finding::Kind::Uninitialised, o.site, 0, tile.at, false, true);
    }
    if (!(state & kWritten) || (state & kUnknown)) return false;
    return !tile.area->restricted || (state & site.required) == site.required;
  }
  Area& area = *block_.areas[o.area];
  const ir::DType dtype = code_.areas[o.area].buffer->dtype;
  if (tile.at * dtype.bytes() % row.alignment != 0) report(Finding::Kind::Misaligned, o.site, 0, tile.at, false, true);
  const auto warp = std::uint16_t(kFirstWarp + index_);
  bool known = true;
  eachElement(row, tile, [&](std::int64_t element, double& held) {
    Value v{0};
    known &= readElement(area, site, o.site, element, warp, 0, v);
    held = numberOf(v, dtype.isFloat());
  });
  return known;
}

void Warp::write(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known) {
  const device::OperandRow& row = code.row->operands[operand];
  if (row.isSpan()) return writeSpans(code, operand, tile, known);
  const OperationCode::Operand& o = code.operands[operand];
  const Site& site = code_.sites[std::size_t(o.site)];
  if (tile.area) {
    std::uint8_t& state = tile.area->states[tile.at];
    state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (known ? 0 : kUnknown));
    return;
  }
  Area& area = *block_.areas[o.area];
  const ir::DType dtype = code_.areas[o.area].buffer->dtype;
  if (tile.at * dtype.bytes() % row.alignment != 0) report(Finding::Kind::Misaligned, o.site, 0, tile.at, true, true);
  const auto warp = std::uint16_t(kFirstWarp + index_);
  eachElement(row, tile, [&](std::int64_t element, double& held) {
    writeElement(area, site, o.site, element, warp, 0, valueOf(held, dtype.isFloat()), !known);
  });
}

void Warp::operation(const Instruction& i) {
  const OperationCode& code = code_.operations[std::size_t(i.imm)];
  if (mask_ == 0) return;
  if (code.row->group == device::Group::Thread) return threadOperation(code);
  const std::span<const device::OperandRow> rows = code.row->operands;
  if (mask_ != (code.row->everyLane ? ~0u : all_)) {
    const auto held = std::ranges::find_if(rows, [](const device::OperandRow& row) { return !row.inMemory(); });
    const std::int64_t site = code.operands[held == rows.end() ? 0 : std::size_t(held - rows.begin())].site;
    report(Finding::Kind::PartialWarp, site, std::countr_zero(mask_), 0, false, true);
    return;
  }
  std::array<TileOperand, device::kMostOperands> tiles;
  double scratch[device::kMostOperands][device::kMostTileElements];  // of operands in memory
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (!locate(code, n, scratch[n], tiles[n])) return;
  bool known = true;
  std::array<device::TileView, device::kMostOperands> views;
  // Every operand is looked at, so that each fault is reported.
  for (std::size_t n = 0; n < rows.size(); ++n) {
    views[n] = tiles[n].view;
    if (!rows[n].written()) known &= read(code, n, tiles[n]);
  }
  std::array<double, device::kMostValues> values{};
  for (std::size_t n = 0; n < code.values.size(); ++n) {
    const Value v = vectors_[code.values[n].reg].v[0];
    values[n] = numberOf(v, code.values[n].isFloat);
    known &= unknown_[code.values[n].reg] == 0;
  }
  code.row->run({views.data(), rows.size()}, {values.data(), code.values.size()});
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (rows[n].written()) write(code, n, tiles[n], known);
}

}  // namespace loom::exec

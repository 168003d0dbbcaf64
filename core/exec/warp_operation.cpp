// Operations of a whole warp. A fragment is its whole tile: which lane holds which element is nothing a program can
// see. What lanes hold in registers of their own becomes a tile while the operation runs, by the layout of its row.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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

bool Warp::gather(const OperationCode& code, ThreadOperation& o) {
  o.code = &code;
  o.thread = firstThread();
  for (std::size_t n = 0; n < code.operands.size(); ++n) {
    const device::OperandRow& row = code.row->operands[n];
    const OperationCode::Operand& operand = code.operands[n];
    if (row.isSpan()) continue;
    if (!agreed(operand.index, operand.site, o.at[n])) return false;
    std::int64_t same = 0;
    for (int value : {row.inMemory() ? row.leading : -1, row.slab, row.swizzle})
      if (value >= 0 && !agreed(code.values[std::size_t(value)].reg, operand.site, same)) return false;
  }
  for (std::size_t n = 0; n < code.values.size(); ++n) {
    o.values[n] = numberOf(vectors_[code.values[n].reg].v[0], code.values[n].isFloat);
    o.known &= unknown_[code.values[n].reg] == 0;
  }
  return true;
}

bool Warp::locate(const ThreadOperation& o, std::size_t operand, TileOperand& tile) {
  const OperationCode& code = *o.code;
  const device::OperandRow& row = code.row->operands[operand];
  const OperationCode::Operand& place = code.operands[operand];
  tile.view = {nullptr, code.row->tile.rows(row.operand), code.row->tile.columns(row.operand)};
  const auto own = [&] {
    std::vector<double>& values = scratch_[operand];
    values.resize(std::max(values.size(), tile.view.all().size()));
    tile.view.values = values.data();
  };
  if (row.isSpan()) {
    if (place.tile.empty()) tile.view = {nullptr, lanes_, place.lanes};
    own();
    return true;
  }
  // Of a warpgroup's rows a warp has its part; of the second factor each takes all.
  if (code.row->group == device::Group::Warpgroup && row.operand != device::Operand::B) {
    tile.view.rows /= kWarpsOfGroup;
    tile.first = index_ % kWarpsOfGroup * tile.view.rows;
  }
  tile.at = o.at[operand];
  if (row.inMemory()) {
    const auto value = [&](int n) { return n < 0 ? 0 : std::int64_t(o.values[std::size_t(n)]); };
    tile.packed = place.packed;
    tile.lines = {value(row.leading) / ir::perByte(place.packed), value(row.slab), value(row.swizzle),
                  code_.areas[place.area].buffer->dtype.bytes()};
    own();
    return true;
  }
  tile.area = &fragments_[place.area];
  if (tile.at < 0 || tile.at >= tile.area->fragments) {
    report(Finding::Kind::OutOfBounds, place.site, 0, tile.at, row.written(), true);
    return false;
  }
  double* held = tile.area->values.data() + tile.at * tile.area->tile;
  tile.view.values = held;
  if (row.first < 0) return true;
  // Columns of a sum that is wider.
  const std::int64_t wide = tile.area->tile / tile.view.rows, first = std::int64_t(o.values[std::size_t(row.first)]);
  if (first < 0 || first + tile.view.columns > wide) {
    report(Finding::Kind::OutOfBounds, place.site, 0, tile.at, row.written(), true);
    return false;
  }
  own();
  for (int r = 0; r < tile.view.rows; ++r)
    std::copy_n(held + r * wide + first, tile.view.columns, tile.view.values + r * tile.view.columns);
  return true;
}

namespace {

// The elements that share a byte, at every `step`-th part of the places that stand for it.
void spread(ir::DType t, std::int64_t byte, double* values, std::int64_t step) {
  const int per = ir::perByte(t);
  for (int e = 0; e < per; ++e) values[e * (step / per)] = double(packedElement(byte, e, t));
}

}  // namespace

template <class F>
void Warp::eachRun(const device::OperandRow& row, TileOperand& tile, F f, bool across) {
  // Lines in memory are the tile's rows or its columns.
  const std::int64_t lines = row.rowMajor ? tile.view.rows : tile.view.columns;
  const std::int64_t per = ir::perByte(tile.packed);  // of the tile's elements in one of the memory's
  const std::int64_t columns = (row.rowMajor ? tile.view.columns : tile.view.rows) / per;
  const std::int64_t ofLine = row.rowMajor ? tile.view.columns : 1,
                     ofColumn = (row.rowMajor ? 1 : tile.view.columns) * per;
  const std::int64_t firstLine = row.rowMajor ? tile.first : 0, first = row.rowMajor ? 0 : tile.first;
  const auto countAt = [&](std::int64_t column) { return tile.lines.run(tile.at, first + column, columns - column); };
  const auto run = [&](std::int64_t line, std::int64_t column, std::int64_t count) {
    f(Run{tile.lines.offset(tile.at, firstLine + line, first + column), count,
          tile.view.values + line * ofLine + column * ofColumn, ofColumn});
  };
  if (across) {
    for (std::int64_t column = 0, count = 0; column < columns; column += count) {
      count = countAt(column);
      for (std::int64_t line = 0; line < lines; ++line) run(line, column, count);
    }
    return;
  }
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t column = 0, count = 0; column < columns; column += count) {
      count = countAt(column);
      run(line, column, count);
    }
  }
}

namespace {

// Whether the spans of `count` elements that `lanes` lanes read or write of their own memory begin at the same element
// of it, as they do unless an index tells lanes apart, and lie inside it.
template <class Indices>
bool isTogether(const Indices& first, int lanes, std::int64_t count, const LocalArea& area) {
  return first[0] >= 0 && first[0] + count <= area.elements &&
         std::all_of(&first[0], &first[0] + lanes, [&](std::int64_t at) { return at == first[0]; });
}

}  // namespace

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
    Area& area = *areaOf(o.area);
    const PlainAccess plain = plainAccess(area, site);
    for (int lane = 0; lane < lanes_; ++lane) {
      if (first[lane] * dtype.bytes() % row.alignment != 0)
        report(Finding::Kind::Misaligned, o.site, lane, first[lane], false, false);
      for (int i = 0; i < o.lanes; ++i) {
        Value v{0};
        known &= readBy(plain, area, site, o.site, first[lane] + i, std::uint16_t(thread + lane), lane, v);
        put(lane, i, numberOf(v, isFloat));
      }
    }
    return known;
  }
  const LocalArea& area = locals_[o.area];
  const std::uint8_t required = area.restricted ? std::uint8_t(site.required | kWritten) : kWritten;
  if (isTogether(first, lanes_, o.lanes, area)) {
    // Memory of all lanes lies lane by lane for each element: in that order its lines are read once.
    const std::int64_t begin = first[0] * kLanes;
    bool plain = true;
    for (int i = 0; i < o.lanes; ++i) {
      const std::uint8_t* states = &area.states[std::size_t(begin + i * kLanes)];
      for (int lane = 0; lane < lanes_; ++lane) plain &= (states[lane] & (required | kUnknown)) == required;
    }
    if (plain) {
      for (int i = 0; i < o.lanes; ++i) {
        const Value* values = &area.values[std::size_t(begin + i * kLanes)];
        for (int lane = 0; lane < lanes_; ++lane) put(lane, i, numberOf(values[lane], isFloat));
      }
      return known;
    }
  }
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
  const auto put = [&](int lane, int i) {
    const std::size_t n = std::size_t(lane) * std::size_t(o.lanes) + std::size_t(i);
    const std::int64_t at = (first[lane] + i) * kLanes + lane;
    area.values[at] = valueOf(tile.view.values[o.tile.empty() ? n : o.tile[n]], isFloat);
    std::uint8_t& state = area.states[at];
    state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (known ? 0 : kUnknown));
  };
  if (isTogether(first, lanes_, o.lanes, area)) {
    for (int i = 0; i < o.lanes; ++i)
      for (int lane = 0; lane < lanes_; ++lane) put(lane, i);
    return;
  }
  for (int lane = 0; lane < lanes_; ++lane) {
    if (first[lane] < 0 || first[lane] + o.lanes > area.elements) {
      report(Finding::Kind::OutOfBounds, o.site, lane, first[lane], true, false);
      continue;
    }
    for (int i = 0; i < o.lanes; ++i) put(lane, i);
  }
}

bool Warp::read(const OperationCode& code, std::size_t operand, TileOperand& tile) {
  const device::OperandRow& row = code.row->operands[operand];
  if (row.isSpan()) return readSpans(code, operand, tile);
  const OperationCode::Operand& o = code.operands[operand];
  const Site& site = code_.sites[std::size_t(o.site)];
  const bool beside = code.row->completes.has_value();  // begun with its accesses in order
  if (tile.area) {
    if (!beside) checkSums(*tile.area, tile.at, o.site);
    const std::uint8_t state = tile.area->states[tile.at];
    if (!(state & kWritten) && (!tile.area->restricted || !site.required)) {
      report(Finding::Kind::Uninitialised, o.site, 0, tile.at, false, true);
    }
    if (!(state & kWritten) || (state & kUnknown)) return false;
    return !tile.area->restricted || (state & site.required) == site.required;
  }
  Area& area = *areaOf(o.area);
  const ir::DType dtype = code_.areas[o.area].buffer->dtype;
  const bool isFloat = dtype.isFloat();
  if (tile.at * dtype.bytes() % row.alignment != 0) report(Finding::Kind::Misaligned, o.site, 0, tile.at, false, true);
  const auto warp = std::uint16_t(kFirstWarp + index_);
  bool known = true;
  const PlainAccess plain = plainAccess(area, site);
  const auto copied = [&](const Run& run) {
    const Value* values = &area.values[run.element];
    if (isFloat && run.step == 1) {
      std::memcpy(run.values, values, std::size_t(run.count) * sizeof(double));
    } else {
      for (std::int64_t i = 0; i < run.count; ++i) run.values[i * run.step] = numberOf(values[i], isFloat);
    }
  };
  const auto allKnown = [&](const Run& run) {
    if (!area.stored || run.element < 0 || run.element + run.count > area.elements) return false;
    return plain.allKnown(&area.states[run.element], run.count);
  };
  if (beside) {
    SharedTile* shared = sharedTile(code, operand, tile, area);
    if (shared && shared->readAt != 0 && area.changes.isQuiet(shared->first, shared->end, shared->readAt)) {
      tile.view.values = shared->values.data();
      return true;
    }
    // Most are known. Lines that are the tile's columns then go across, since their elements lie far apart in the tile:
    // those of few lines at a time stay in the cache until their neighbours come.
    bool all = true;
    std::int64_t first = area.elements, end = 0;
    eachRun(row, tile, [&](const Run& run) {
      all = all && allKnown(run);
      first = std::min(first, run.element);
      end = std::max(end, run.element + run.count);
    });
    if (all && shared) {
      shared->values.resize(tile.view.all().size());
      tile.view.values = shared->values.data();
      shared->first = first;
      shared->end = end;
      shared->readAt = area.changes.now();
    }
    if (all) return eachRun(row, tile, copied, !row.rowMajor), true;
  }
  eachRun(row, tile, [&](const Run& run) {
    if (beside && allKnown(run)) return copied(run);
    for (std::int64_t i = 0; i < run.count; ++i) {
      const std::int64_t element = run.element + i;
      Value v{0};
      known &= beside ? element >= 0 && element < area.elements && contentOf(area, site, o.site, element, 0, true, v)
                      : readBy(plain, area, site, o.site, element, warp, 0, v);
      if (ir::isPacked(tile.packed)) {
        spread(tile.packed, v.i, run.values + i * run.step, run.step);
      } else {
        run.values[i * run.step] = numberOf(v, isFloat);
      }
    }
  });
  return known;
}

void Warp::write(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known) {
  const device::OperandRow& row = code.row->operands[operand];
  if (row.isSpan()) return writeSpans(code, operand, tile, known);
  const OperationCode::Operand& o = code.operands[operand];
  const Site& site = code_.sites[std::size_t(o.site)];
  if (tile.area) {
    if (!code.row->completes && tile.area->groups) {
      checkSums(*tile.area, tile.at, o.site);
      tile.area->unfenced[tile.at] = 1;
    }
    std::uint8_t& state = tile.area->states[tile.at];
    state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (known ? 0 : kUnknown));
    return;
  }
  Area& area = *areaOf(o.area);
  const ir::DType dtype = code_.areas[o.area].buffer->dtype;
  if (tile.at * dtype.bytes() % row.alignment != 0) report(Finding::Kind::Misaligned, o.site, 0, tile.at, true, true);
  const auto warp = std::uint16_t(kFirstWarp + index_);
  const PlainAccess plain = plainAccess(area, site);
  eachRun(row, tile, [&](const Run& run) {
    for (std::int64_t i = 0; i < run.count; ++i)
      writeBy(plain, area, site, o.site, run.element + i, warp, 0, valueOf(run.values[i * run.step], dtype.isFloat()),
              !known);
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
  ThreadOperation o;
  if (!gather(code, o)) return;
  if (code.row->completes) {
    begin(o);
  } else {
    performTiles(o);
  }
}

void Warp::performTiles(const ThreadOperation& o) {
  const OperationCode& code = *o.code;
  const std::span<const device::OperandRow> rows = code.row->operands;
  std::array<TileOperand, device::kMostOperands> tiles;
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (!locate(o, n, tiles[n])) return;
  bool known = o.known;
  std::array<device::TileView, device::kMostOperands> views;
  // Every operand is looked at, so that each fault is reported.
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if (!rows[n].written()) known &= read(code, n, tiles[n]);
    views[n] = tiles[n].view;  // which may be where another warp has read it
  }
  code.row->run({views.data(), rows.size()}, {o.values.data(), code.values.size()});
  for (std::size_t n = 0; n < rows.size(); ++n)
    if (rows[n].written()) write(code, n, tiles[n], known);
}

// --- products of a warpgroup ---

void Warp::checkSums(const FragmentArea& area, std::int64_t at, std::int64_t site) {
  if (!area.groups || block_.clocks.knows(index_, block_.clocks.products(index_), area.groups[at])) return;
  if (!block_.log.isNew(Finding::Kind::BeforeWait, block_.kernel, site)) return;
  Finding f = finding(Finding::Kind::BeforeWait, site, 0);
  f.element = at;
  f.wholeWarp = f.ofSums = true;
  block_.log.add(std::move(f));
}

SharedTile* Warp::sharedTile(const OperationCode& code, std::size_t operand, const TileOperand& tile,
                             const Area& area) {
  const device::OperandRow& row = code.row->operands[operand];
  if (!area.asyncTouches || row.operand != device::Operand::B || row.written() || ir::isPacked(tile.packed))
    return nullptr;
  return &block_.tiles.of(code, operand, area, tile.at, tile.lines);
}

void Warp::claimTile(const OperationCode& code, std::size_t operand, TileOperand& tile, std::uint32_t group) {
  const device::OperandRow& row = code.row->operands[operand];
  const std::int64_t site = code.operands[operand].site;
  Area& area = *areaOf(code.operands[operand].area);
  if (!area.asyncTouches) return;
  const AsyncAccess access{group, block_.clocks.products(index_), std::uint16_t(site)};
  SharedTile* shared = sharedTile(code, operand, tile, area);
  if (shared && shared->claimedAt != 0 && shared->claimed == access && !area.byThreads &&
      area.claims.isQuiet(shared->first, shared->end, shared->claimedAt) &&
      isOver(shared->written, std::uint16_t(kFirstWarp + index_)))
    return;
  Claim c{area, row.written(), std::uint16_t(kFirstWarp + index_), 0, access};
  std::int64_t first = area.elements, end = 0;
  eachRun(row, tile, [&](const Run& run) {
    claim(c, run.element, run.count);
    first = std::min(first, run.element);
    end = std::max(end, run.element + run.count);
  });
  if (!shared) return;
  shared->first = first;
  shared->end = end;
  shared->claimed = access;
  shared->written = c.written;
  shared->claimedAt = c.alike && c.any && first >= 0 && end <= area.elements ? area.claims.now() : 0;
}

void Warp::beginProducts(const ThreadOperation& o) {
  const OperationCode& code = *o.code;
  const auto group = std::uint32_t(block_.pending.commits(o.thread, *code.row->completes) + 1);
  for (std::size_t n = 0; n < code.operands.size(); ++n) {
    TileOperand tile;
    if (!locate(o, n, tile)) continue;
    const device::OperandRow& row = code.row->operands[n];
    const OperationCode::Operand& operand = code.operands[n];
    if (row.inMemory()) {
      claimTile(code, n, tile, group);
      continue;
    }
    if (!tile.area->groups) continue;
    if (tile.area->unfenced[tile.at] && block_.log.isNew(Finding::Kind::NotFenced, block_.kernel, operand.site)) {
      Finding f = finding(Finding::Kind::NotFenced, operand.site, 0);
      f.element = tile.at;
      f.wholeWarp = f.ofSums = true;
      block_.log.add(std::move(f));
    }
    if (row.written()) tile.area->groups[tile.at] = group;
  }
}

}  // namespace loom::exec

// Operations that each thread executes alone, on spans of elements in memory; boxes are in beside.cpp.
#include <algorithm>
#include <array>

#include "core/exec/warp.h"

namespace loom::exec {

void Warp::threadOperation(const OperationCode& code) {
  for (int lane = 0; lane < lanes_; ++lane) {
    if (!(mask_ >> lane & 1)) continue;
    ThreadOperation o;
    o.code = &code;
    o.thread = std::uint16_t(index_ * kLanes + lane);
    o.lane = lane;
    for (std::size_t n = 0; n < code.operands.size(); ++n) o.at[n] = vectors_[code.operands[n].index].i[lane];
    for (std::size_t n = 0; n < code.values.size(); ++n) {
      o.values[n] = numberOf(vectors_[code.values[n].reg].v[lane], code.values[n].isFloat);
      o.known = o.known && (unknown_[code.values[n].reg] >> lane & 1) == 0;
    }
    if (code.barrier >= 0) o.slot = slotNumber(code.barrier, code.slot, lane, block());
    o.block = block();
    if (code.blocks >= 0) {
      beginForAll(o);
      continue;
    }
    if (code.row->completes) {
      begin(o);
    } else {
      perform(o);
    }
  }
}

// The same for each block of the cluster that gets what is copied.
void Warp::beginForAll(const ThreadOperation& operation) {
  const auto blocks = std::uint64_t(operation.values[std::size_t(operation.code->blocks)]);
  const auto [barrier, slot] = block_.slots.placeOf(operation.slot);
  for (int n = 0; n < code_.blocksOfCluster(); ++n) {
    if (!(blocks >> n & 1)) continue;
    ThreadOperation o = operation;
    o.block = n;
    o.slot = block_.slots.number(barrier, slot, n);
    if (n != block()) reachOther(o);
    begin(o);
  }
}

// Of another block's mbarrier it is the phase at work that is told, so that the one before must be over, and known to
// be.
void Warp::reachOther(const ThreadOperation& o) {
  MbarrierSlot& slot = block_.slots.at(o.slot);
  if (!block_.clocks.knows(index_, block_.clocks.phases(o.slot), slot.completed))
    reportPhase(Finding::Phase::Early, o.slot, o.code->operands.front().site, o.lane, std::int64_t(slot.completed) + 1);
  block_.clocks.publishPhases(index_, slot.arriving);
  noteReach(o.slot, slot.completed + 1, o.code->operands.front().site, o.lane);
}

void Warp::perform(const ThreadOperation& o) {
  const OperationCode& code = *o.code;
  if (code.row->group != device::Group::Thread) return performTiles(o);
  if (code.row->operands.front().boxed) return moveBox(o);
  std::array<device::TileView, device::kMostOperands> views;
  double scratch[device::kMostOperands][device::kMostTileElements];
  bool known = o.known;
  for (std::size_t n = 0; n < code.operands.size(); ++n) {
    const OperationCode::Operand& operand = code.operands[n];
    const device::OperandRow& row = code.row->operands[n];
    const ir::DType dtype = code_.areas[operand.area].buffer->dtype;
    views[n] = {scratch[n], 1, operand.lanes};
    const int readsIf = code.row->readsIf;
    if (!row.written() && readsIf >= 0 && o.values[std::size_t(readsIf)] == 0) continue;
    if (o.at[n] * dtype.bytes() % row.alignment != 0)
      report(Finding::Kind::Misaligned, operand.site, o.lane, o.at[n], row.written(), false);
    if (row.written()) continue;
    Area& area = *areaOf(operand.area);
    const Site& site = code_.sites[std::size_t(operand.site)];
    const PlainAccess plain = plainAccess(area, site);
    for (int i = 0; i < operand.lanes; ++i) {
      Value v{0};
      known &= readBy(plain, area, site, operand.site, o.at[n] + i, o.thread, o.lane, v);
      scratch[n][i] = numberOf(v, dtype.isFloat());
    }
  }
  code.row->run({views.data(), code.operands.size()}, {o.values.data(), code.values.size()});
  for (std::size_t n = 0; n < code.operands.size(); ++n) {
    if (!code.row->operands[n].written()) continue;
    const OperationCode::Operand& operand = code.operands[n];
    const bool isFloat = code_.areas[operand.area].buffer->dtype.isFloat();
    Area& area = *areaOf(operand.area);
    const Site& site = code_.sites[std::size_t(operand.site)];
    const PlainAccess plain = plainAccess(area, site);
    for (int i = 0; i < operand.lanes; ++i)
      writeBy(plain, area, site, operand.site, o.at[n] + i, o.thread, o.lane, valueOf(scratch[n][i], isFloat), !known);
  }
}

// What landed before is the thread's own write from now on: others see it behind the next barrier.
void Warp::written(const ThreadOperation& o) {
  for (std::size_t n = 0; n < o.code->operands.size(); ++n) {
    if (!o.code->row->operands[n].written() || !o.code->row->operands[n].isSpan()) continue;
    const OperationCode::Operand& operand = o.code->operands[n];
    Area& area = *areaOf(operand.area);
    for (std::int64_t element = o.at[n]; element < o.at[n] + operand.lanes; ++element)
      if (element >= 0 && element < area.elements)
        writtenBy(area.touches[element], block_.clock, o.thread, std::uint16_t(operand.site));
  }
}

void Warp::checkAwaited(const Site& site, std::int64_t at, std::int64_t element, int lane, bool write, bool whole,
                        int block) {
  if (block_.pending.empty()) return;
  const std::uint16_t by = block_.pending.writerOf(areaNumber(site.area, block), element);
  if (by == kNone || !block_.log.isNew(Finding::Kind::BeforeWait, block_.kernel, at)) return;
  Finding f = finding(Finding::Kind::BeforeWait, at, lane);
  f.element = element;
  f.write = write;
  f.wholeWarp = whole;
  f.threads.push_back(placeOf(by));
  block_.log.add(std::move(f));
}

}  // namespace loom::exec

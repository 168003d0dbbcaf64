// Operations that run beside the warps: what must have happened before they begin, and before anybody meets them.
#include <array>
#include <cstring>
#include <limits>

#include "core/exec/warp.h"

namespace loom::exec {

namespace {
int warpOf(std::uint16_t thread) { return thread >= kFirstWarp ? thread - kFirstWarp : thread / kLanes; }
// Of a whole warp, whose lanes fence alike, the first.
std::uint16_t threadOf(std::uint16_t thread) {
  return thread >= kFirstWarp ? std::uint16_t((thread - kFirstWarp) * kLanes) : thread;
}

// Clears `clear` and sets `set` in so many states one after the other: eight at a time.
void setBits(std::uint8_t* states, std::int64_t count, std::uint8_t clear, std::uint8_t set) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  const std::uint64_t keep = kEach * std::uint8_t(~clear), add = kEach * set;
  std::int64_t n = 0;
  for (; n + 8 <= count; n += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, states + n, sizeof eight);
    eight = (eight & keep) | add;
    std::memcpy(states + n, &eight, sizeof eight);
  }
  for (; n < count; ++n) states[n] = std::uint8_t((states[n] & ~clear) | set);
}
}  // namespace

bool Warp::isBefore(std::uint16_t earlier, std::uint32_t epoch, std::uint16_t thread) const {
  if (epoch < block_.clock.since || earlier == thread) return true;
  // What lanes did comes before what their warp does as a whole, and the other way.
  if ((thread >= kFirstWarp || earlier >= kFirstWarp) && warpOf(earlier) == warpOf(thread)) return true;
  const int by = warpOf(earlier);
  if (block_.clocks.knows(index_, block_.clocks.warp(by), epoch)) return true;
  return earlier >= kFirstWarp ? block_.clocks.knows(index_, block_.clocks.whole(by), epoch)
                               : block_.clocks.knowsAlone(index_, earlier, epoch);
}

bool Warp::allBefore(const Touch& touch, bool write, std::uint16_t thread) const {
  const std::uint32_t since = block_.clock.since;
  if (touch.writeEpoch >= since && !isBefore(touch.writer, touch.writeEpoch, thread)) return false;
  if (!write || touch.readEpoch < since) return true;
  if (!isBefore(std::uint16_t(touch.reader & kThreadMask), touch.readEpoch, thread)) return false;
  return touch.secondReader == kNobody || isBefore(touch.secondReader, touch.secondEpoch, thread);
}

void Warp::reportMeeting(Finding::Kind kind, std::int64_t at, int lane, std::int64_t element, bool write, bool whole,
                         std::uint16_t other, std::int64_t otherSite) {
  if (!block_.log.isNew(kind, block_.kernel, at)) return;
  Finding f = finding(kind, at, lane);
  f.element = element;
  f.write = write;
  f.wholeWarp = whole;
  f.otherWholeWarp = other >= kFirstWarp;
  f.threads.push_back(placeOf(threadOf(other)));
  f.otherBlockName = code_.sites[std::size_t(otherSite)].blockName;
  f.otherBlockIdx = block_.blockIdx[std::size_t(block())];
  block_.log.add(std::move(f));
}

void Warp::checkBeside(Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane, bool write) {
  const AsyncTouch& touch = area.asyncTouches[area.pieceOf(element)];
  area.byThreads = true;
  const bool whole = thread >= kFirstWarp;
  if (!isOver(touch.write, thread))
    reportMeeting(Finding::Kind::BeforeWait, at, lane, element, write, whole, touch.writer, touch.write.site);
  if (!write) return;
  for (const AsyncAccess& read : touch.reads) {
    if (isOver(read, thread)) continue;
    const int reader = block_.clocks.warpOf(read.timeline);
    reportMeeting(Finding::Kind::StillRead, at, lane, element, true, whole, std::uint16_t(kFirstWarp + reader),
                  read.site);
  }
}

// What threads did to the element before: ordered, and what they wrote fenced.
void Warp::claimOfThreads(const Claim& c, std::int64_t element) {
  const bool whole = c.thread >= kFirstWarp;
  Touch& touch = c.area.touches[element];
  const std::uint32_t begin = block_.clock.blockStart;
  if (touch.writeEpoch >= begin || touch.readEpoch >= begin) {
    if (!allBefore(touch, c.write, c.thread))
      reportRace(Conflict::InBlock, touch, c.access.site, c.lane, element, c.write, whole);
    else if (touch.writeEpoch >= begin) {
      const std::uint16_t writer = threadOf(touch.writer);
      const std::uint32_t fence = block_.clocks.fenceAfter(writer, touch.writeEpoch);
      if (fence == 0 || !isBefore(touch.writer, fence, c.thread))
        reportMeeting(Finding::Kind::NotFenced, c.access.site, c.lane, element, c.write, whole, touch.writer,
                      touch.writeSite);
    }
  }
  if (!c.write) return;
  touch = {};
  touch.secondReader = kNobody;
}

void Warp::claim(Claim& c, std::int64_t first, std::int64_t count) {
  const Area& area = c.area;
  const std::int64_t end = first + count;
  if (const CodeArea& own = code_.areas[code_.sites[c.access.site].area]; !own.under.empty())
    checkUnder(own, c.access.site, first, count, c.thread, c.lane, c.write);
  if (first >= 0 && end <= area.elements && !area.byThreads) {
    const std::int64_t start = (first + area.piece - 1) & ~(area.piece - 1);
    for (std::int64_t e = start; e < end; e += area.piece) claimPiece(c, e);
    return;
  }
  for (std::int64_t e = first; e < end; ++e) {
    if (e < 0 || e >= area.elements) {
      report(Finding::Kind::OutOfBounds, c.access.site, c.lane, e, c.write, c.thread >= kFirstWarp);
      continue;
    }
    if (area.byThreads) claimOfThreads(c, e);
    if ((e & (area.piece - 1)) == 0) claimPiece(c, e);
  }
}

inline void Warp::claimPiece(Claim& c, std::int64_t element) {
  AsyncTouch& beside = c.area.asyncTouches[c.area.pieceOf(element)];
  c.alike =
      c.alike && (!c.any || (c.written.number == beside.write.number && c.written.timeline == beside.write.timeline));
  c.any = true;
  c.written = beside.write;
  const bool whole = c.thread >= kFirstWarp;
  if (!isOver(beside.write, c.thread))
    reportMeeting(Finding::Kind::BeforeWait, c.access.site, c.lane, element, c.write, whole, beside.writer,
                  beside.write.site);
  if (!c.write) {
    auto own = std::ranges::find_if(
        beside.reads, [&](const AsyncAccess& read) { return read.number == 0 || read.timeline == c.access.timeline; });
    if (own == beside.reads.end())
      own = std::ranges::find_if(beside.reads, [&](const AsyncAccess& read) { return isOver(read, c.thread); });
    if (own != beside.reads.end()) *own = c.access;
    return;
  }
  for (const AsyncAccess& read : beside.reads) {
    if (isOver(read, c.thread)) continue;
    reportMeeting(Finding::Kind::StillRead, c.access.site, c.lane, element, true, whole,
                  std::uint16_t(kFirstWarp + block_.clocks.warpOf(read.timeline)), read.site);
  }
  beside = {};
  beside.write = c.access;
  beside.writer = c.thread;
  c.area.claims.note(element, 1);
}

// --- what begins ---

void Warp::begin(const ThreadOperation& o) {
  const OperationCode& code = *o.code;
  if (code.row->operands.front().boxed) {
    claimBox(o);
    if (*code.row->completes == device::Token::Transfers) {
      block_.clocks.publish(index_, block_.clock.epoch, block_.slots.at(o.slot).asking);
      if (block_.landing == Landing::Early) return land(o);
      block_.slots.at(o.slot).inFlight.push_back(o);
      return;
    }
  } else if (code.row->group != device::Group::Thread) {
    beginProducts(o);
  }
  if (block_.landing == Landing::Early) perform(o);
  block_.pending.add(o);
}

// --- boxes ---

template <class F>
void Warp::eachOfBox(const ThreadOperation& o, F f) {
  const OperationCode& code = *o.code;
  const auto shared = std::size_t(code.row->operands[0].where == device::OperandRow::Where::Shared ? 0 : 1);
  const device::OperandRow& row = code.row->operands[shared];
  const OperationCode::Operand& operand = code.operands[shared];
  const auto value = [&](int n) { return n < 0 ? 0 : std::int64_t(o.values[std::size_t(n)]); };
  const SharedLines lines{value(row.leading), value(row.slab), value(row.swizzle),
                          code_.areas[operand.area].buffer->dtype.bytes()};
  const auto named = [&](std::string_view name) { return value(code.row->findValue(name)); };
  const std::int64_t firstRow = named("row"), firstColumn = named("column");
  for (std::int64_t r = 0; r < operand.box[0]; ++r) {
    for (std::int64_t c = 0, count = 0; c < operand.box[1]; c += count) {
      count = lines.run(o.at[shared], c, operand.box[1] - c);
      f(lines.offset(o.at[shared], r, c), count, firstRow + r, firstColumn + c);
    }
  }
}

void Warp::claimBox(const ThreadOperation& o) {
  const OperationCode& code = *o.code;
  const auto shared = std::size_t(code.row->operands[0].where == device::OperandRow::Where::Shared ? 0 : 1);
  for (std::size_t n = 0; n < 2; ++n) {
    const std::int64_t bytes = code_.areas[code.operands[n].area].buffer->dtype.bytes();
    if ((n == shared || code.map < 0) && o.at[n] * bytes % code.row->operands[n].alignment != 0)
      report(Finding::Kind::Misaligned, code.operands[n].site, o.lane, o.at[n], code.row->operands[n].written(), false);
  }
  Area& area = *areaOf(code.operands[shared].area, o.block);
  const bool write = code.row->operands[shared].written();
  AsyncAccess access;
  access.site = std::uint16_t(code.operands[shared].site);
  if (o.slot >= 0) {
    checkReady(o.slot, access.site, o.lane);
    access.timeline = block_.clocks.phases(o.slot);
    access.number = block_.slots.at(o.slot).completed + 1;
  } else {
    access.timeline = block_.clocks.stores(o.thread);
    access.number = std::uint32_t(block_.pending.commits(o.thread, *code.row->completes) + 1);
  }
  Claim claimed{area, write, o.thread, o.lane, access};
  eachOfBox(o, [&](std::int64_t e, std::int64_t count, std::int64_t, std::int64_t) { claim(claimed, e, count); });
}

namespace {

// Where the rows and columns of a box lie in global memory: those of the matrix that its map tells, or, without a map,
// elements of a line from the place on, all of which are meant.
struct InGlobal {
  InGlobal(const Code& code, const ThreadOperation& o, std::size_t operand) : first(o.at[operand]) {
    if (o.code->map < 0) return;
    const device::TensorMap& map = code.maps[std::size_t(o.code->map)];
    first = 0;
    strides = {map.strides[0], map.strides[1]};
    extents = {map.extents[0], map.extents[1]};
  }
  bool has(std::int64_t row, std::int64_t column) const {
    return row >= 0 && row < extents[0] && column >= 0 && column < extents[1];
  }
  std::int64_t at(std::int64_t row, std::int64_t column) const {
    return first + row * strides[0] + column * strides[1];
  }

  std::int64_t first = 0;
  std::array<std::int64_t, 2> strides{0, 1};
  std::array<std::int64_t, 2> extents{1, std::numeric_limits<std::int64_t>::max()};
};

}  // namespace

void Warp::moveBox(const ThreadOperation& o) {
  const OperationCode& code = *o.code;
  const bool loads = code.row->operands[0].where == device::OperandRow::Where::Shared;
  const OperationCode::Operand &inShared = code.operands[loads ? 0 : 1], &inGlobal = code.operands[loads ? 1 : 0];
  Area &shared = *areaOf(inShared.area, o.block), &global = *areaOf(inGlobal.area);
  const Site &sharedSite = code_.sites[std::size_t(inShared.site)],
             &globalSite = code_.sites[std::size_t(inGlobal.site)];
  const InGlobal matrix(code_, o, loads ? 1 : 0);
  const bool changes = loads && bool(shared.asyncTouches);
  const auto load = [&](std::int64_t e, std::int64_t g, bool inside) {
    Value v{0};
    bool known = o.known;
    if (inside && !global.stored && std::uint64_t(g) < std::uint64_t(global.elements))
      v = global.input.at(g);
    else if (inside)
      known &= readElement(global, globalSite, inGlobal.site, g, o.thread, o.lane, v);
    shared.values[e] = v;
    std::uint8_t& state = shared.states[e];
    state = std::uint8_t((state & ~kUnknown) | kWritten | sharedSite.writerBit | (known ? 0 : kUnknown));
  };
  const auto store = [&](std::int64_t e, std::int64_t g) {
    Value v{0};
    const bool known = contentOf(shared, sharedSite, inShared.site, e, o.lane, false, v) && o.known;
    checkStoredAgain(global, inGlobal.site, g, o, v, known);
    writeElement(global, globalSite, inGlobal.site, g, o.thread, o.lane, v, !known);
  };
  // Of an input, whose values are computed: a line that is inside, as most are.
  const auto loadLine = [&](std::int64_t first, std::int64_t count, std::int64_t g) {
    global.input.fill(g, matrix.strides[1], count, &shared.values[first]);
    const auto all = std::uint8_t(kWritten | sharedSite.writerBit | (o.known ? 0 : kUnknown));
    setBits(&shared.states[first], count, kUnknown, all);
    if (changes) shared.changes.note(first, count);
  };
  eachOfBox(o, [&](std::int64_t first, std::int64_t count, std::int64_t row, std::int64_t column) {
    const bool within = matrix.has(row, column) && matrix.has(row, column + count - 1);
    const std::int64_t begin = matrix.at(row, column), last = matrix.at(row, column + count - 1);
    if (loads && within && !global.stored && begin >= 0 && last < global.elements && first >= 0 &&
        first + count <= shared.elements)
      return loadLine(first, count, begin);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t e = first + i, c = column + i, g = matrix.at(row, c);
      const bool inside = matrix.has(row, c);
      if (e < 0 || e >= shared.elements) continue;
      if (loads) {
        load(e, g, inside);
        if (changes) shared.changes.note(e, 1);
      } else if (inside) {
        store(e, g);
      }
    }
  });
}

// Nothing waits until the copy engine has written, so that of two of its stores either may be the last one.
void Warp::checkStoredAgain(const Area& area, std::int64_t at, std::int64_t element, const ThreadOperation& o,
                            Value value, bool known) {
  if (element < 0 || element >= area.elements) return;
  const Touch& touch = area.touches[element];
  const bool differs = known && (area.states[element] & kUnknown) == 0 && area.values[element].i != value.i;
  if (touch.writeEpoch < block_.clock.blockStart || !differs) return;
  const bool byCopyEngine = std::ranges::any_of(code_.operations, [&](const OperationCode& code) {
    const auto& target = code.row->operands.front();
    return target.boxed && target.where != device::OperandRow::Where::Shared &&
           code.operands.front().site == touch.writeSite;
  });
  if (byCopyEngine)
    reportMeeting(Finding::Kind::BeforeWait, at, o.lane, element, true, false, touch.writer, touch.writeSite);
}

void Warp::reportUnannounced(const ThreadOperation& o) {
  const OperationCode::Operand& to = o.code->operands.front();
  if (!block_.log.isNew(Finding::Kind::Unannounced, block_.kernel, to.site)) return;
  Finding f = findingOfSlot(Finding::Kind::Unannounced, o.slot, to.site, o.lane);
  f.reached = bytesOf(o);
  block_.log.add(std::move(f));
}

std::int64_t Warp::bytesOf(const ThreadOperation& o) const {
  const OperationCode::Operand& to = o.code->operands.front();
  return to.box[0] * to.box[1] * code_.areas[to.area].buffer->dtype.bytes();
}

void Warp::land(const ThreadOperation& o) {
  moveBox(o);
  MbarrierSlot& slot = block_.slots.at(o.slot);
  slot.bytes -= bytesOf(o);
  // Bytes from another block may come before the own thread has announced them: it is still missing, then.
  if (slot.bytes < 0 && (o.block == block() || slot.missing <= 0)) reportUnannounced(o);
  complete(o.slot, o.code->operands.front().site, o.lane);
}

}  // namespace loom::exec

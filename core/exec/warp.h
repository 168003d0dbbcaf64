// A warp as a resumable fibre: it runs until a barrier, a wait for what hasn't happened yet, or its end.
#pragma once
#include <algorithm>
#include <bit>
#include <stop_token>
#include <vector>

#include "core/exec/bytecode.h"
#include "core/exec/findings.h"
#include "core/exec/mbarrier_slots.h"
#include "core/exec/memory.h"
#include "core/exec/pending_operations.h"
#include "core/exec/plain_access.h"
#include "core/exec/shared_tiles.h"

namespace loom::exec {

// What all warps of a block share; for a cluster, whose blocks run together, what all its blocks share: their areas of
// shared memory, mbarriers, threads and warps one after the other, by the blocks' ranks.
struct BlockRun {
  const Code& code;
  int kernel = 0;
  const std::vector<std::vector<std::int64_t>>& samples;  // by loop: the iterations to run; empty for all
  std::vector<Area*> areas;      // by block of the cluster and area: global and shared; null for local and fragments
  std::vector<bool> restricted;  // by area
  std::vector<std::pair<std::uint32_t, std::array<std::int64_t, 3>>> blockStarts;  // of this kernel: epoch, blockIdx
  Clock clock;
  std::vector<std::array<std::int64_t, 3>> blockIdx;  // by block of the cluster
  FindingLog& log;
  const std::stop_token* stop = nullptr;  // asked now and then, also inside long loops
  Landing landing = Landing::Early;
  PendingOperations pending{0, 1, {}};  // of the block that runs
  VectorClocks clocks{};                // active where the code has timelines
  MbarrierSlots slots{};
  class Warp* warps = nullptr;  // all of the block, or the cluster
  // Uses of other blocks' shared memory since the cluster met last.
  std::vector<Finding> reached{};
  SharedTiles tiles{};
  std::uint32_t steps = 0;
  bool stopped() { return stop && (++steps & 0xFFFF) == 0 && stop->stop_requested(); }

  Clock clockOf(const Area& a) const {
    return {clock.epoch, clock.blockStart, a.shared ? clock.blockStart : clock.kernelStart, clock.since};
  }
};

// A warp that executes bytecode until it has to wait, and can be resumed.
class Warp {
 public:
  Warp(BlockRun& block, int index);

  // Forgets everything: the warp stands at the start of a new block.
  void start();
  // Ended; at a barrier of the block; or at a wait, at which it looks again when it is run again.
  enum class Stand : std::uint8_t { Ended, Barrier, Wait };
  // Returns whether the barrier is one of the cluster.
  bool atCluster() const { return stand_ == Stand::Barrier && atCluster_; }
  // Returns whether its threads see what all others have written after that barrier.
  bool exchanges() const { return atCluster() && exchanges_; }
  // Returns the block's rank in its cluster.
  int block() const { return ownBlock_; }
  // Goes on as far as it can. Returns whether it has left the place where it stood.
  bool run();
  Stand stand() const { return stand_; }
  // Returns what the warp waits for, at a barrier or a wait, as findings name it.
  Finding::Waiter waiter() const;
  std::int64_t standSite() const { return standSite_; }  // of the barrier or the wait
  // Returns threadIdx of the block's thread number `n`.
  std::array<std::int64_t, 3> placeOf(std::int64_t n) const;
  std::array<std::int64_t, 3> thread(int lane) const { return placeOf(std::int64_t(index_) * kLanes + lane); }
  Finding finding(Finding::Kind kind, std::int64_t site, int lane) const;

 private:
  union alignas(64) Vector {
    std::int64_t i[kLanes];
    double f[kLanes];
    Value v[kLanes];
  };
  struct Frame {
    std::uint32_t mask = 0, otherwise = 0;  // of an If: lanes of the Else
    std::int64_t position = 0, trips = 0;   // of a loop
    const Instruction* begin = nullptr;
  };

  // The rows of control.h. One that leaves the warp standing, or ends it, sets `running_` to false.
#define LOOM_HANDLER(name, handler) void handler(const Instruction& i);
  LOOM_CONTROL_OPERATIONS(LOOM_HANDLER)
#undef LOOM_HANDLER

  void vectorOperation(const Instruction& i);
  void enterIteration(const Frame& f);
  void loadLocal(const Instruction& i, const Site& site);
  void storeLocal(const Instruction& i, const Site& site);
  void addresses(const Instruction& i, std::int64_t (&out)[kLanes]) const;
  // The element that all lanes access, where the instruction has no offsets by lane.
  std::int64_t address(const Instruction& i) const { return i.b == kNone ? 0 : uniforms_[i.b].i; }
  // What holds of all accesses of a site now, of memory of the own block.
  PlainAccess plainAccess(const Area& area, const Site& site) const {
    PlainAccess plain;
    plain.possible = area.stored && !area.asyncTouches;
    plain.alone = alone_;
    plain.noted = !alone_ && code_.areas[site.area].written;
    if (area.restricted) plain.wanted |= site.required;
    plain.clock = block_.clockOf(area);
    if (!block_.pending.empty()) plain.writers = block_.pending.writersOf(areaNumber(site.area, block()));
    return plain;
  }
  // The element as readElement and writeElement have it, by `plain` where that is enough; of memory of the own block.
  bool readBy(const PlainAccess& plain, Area& area, const Site& site, std::int64_t at, std::int64_t element,
              std::uint16_t thread, int lane, Value& value) {
    if (!isPlainRead(plain, area, at, element, thread))
      return readElement(area, site, at, element, thread, lane, value);
    value = area.values[element];
    return true;
  }
  void writeBy(const PlainAccess& plain, Area& area, const Site& site, std::int64_t at, std::int64_t element,
               std::uint16_t thread, int lane, Value value, bool unknown) {
    if (!plain.isThere(area, element)) return writeElement(area, site, at, element, thread, lane, value, unknown);
    const Conflict conflict =
        plain.alone ? Conflict::None : conflictOfWrite(area.touches[element], plain.clock, thread);
    if (conflict != Conflict::None) reportWrite(conflict, area, at, element, thread, lane, value, unknown);
    if (!plain.alone) writtenBy(area.touches[element], plain.clock, thread, std::uint16_t(at));
    put(area, site, element, value, unknown);
  }
  // Stores the value, which all has been said about.
  static void put(Area& area, const Site& site, std::int64_t element, Value value, bool unknown) {
    area.values[element] = value;
    std::uint8_t& state = area.states[element];
    state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (unknown ? kUnknown : 0));
  }
  // Whether nothing is to be said of a read, which has been noted then: it comes after all that it depends on.
  bool isPlainRead(const PlainAccess& plain, Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread) {
    if (!plain.isKnown(area, element)) return false;
    if (!plain.noted) return true;
    Touch& touch = area.touches[element];
    const Conflict conflict = noteRead(touch, plain.clock, thread, std::uint16_t(at));
    return conflict == Conflict::None || (conflict == Conflict::InBlock && knownBefore(touch, false, thread));
  }
  // A write's conflict with earlier accesses that aren't known to have come first.
  Conflict conflictOfWrite(const Touch& touch, const Clock& clock, std::uint16_t thread) const {
    const Conflict conflict = noteWrite(touch, clock, thread);
    return conflict == Conflict::InBlock && knownBefore(touch, true, thread) ? Conflict::None : conflict;
  }
  // Reports a write with a conflict, before it is noted.
  void reportWrite(Conflict conflict, const Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread,
                   int lane, Value value, bool unknown);
  // One element of global or shared memory by one thread (or the whole warp); reports what is wrong.
  // `other`: the number in the cluster of the block whose memory it is; the own one's where it is negative.
  bool readElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane,
                   Value& value, int other = -1);
  // What it reads, the access itself being in order.
  bool contentOf(const Area& area, const Site& site, std::int64_t at, std::int64_t element, int lane, bool whole,
                 Value& value);
  void writeElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane,
                    Value value, bool unknown);
  // Reports an access of what a pending operation writes.
  void checkAwaited(const Site& site, std::int64_t at, std::int64_t element, int lane, bool write, bool whole,
                    int block);
  void report(Finding::Kind kind, std::int64_t site, int lane, std::int64_t element, bool write, bool whole);
  void reportRace(Conflict conflict, const Touch& touch, std::int64_t site, int lane, std::int64_t element, bool write,
                  bool whole, bool repeated = false);

  // Returns whether an access since the last barrier of the block is known to have come first: to this warp, which now
  // acts as `thread`.
  bool isBefore(std::uint16_t earlier, std::uint32_t epoch, std::uint16_t thread) const;
  // Returns whether the accesses that an access conflicts with in its block are all known to have come first.
  bool allBefore(const Touch& touch, bool write, std::uint16_t thread) const;
  // The same, where clocks tell; false where barriers of the block alone do.
  bool knownBefore(const Touch& touch, bool write, std::uint16_t thread) const {
    return block_.clocks.active() && allBefore(touch, write, thread);
  }
  // Reports an access of shared memory that operations beside the warps still write or read.
  void checkBeside(Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane, bool write);
  // Returns whether the warp knows of it that it has happened.
  bool isOver(const AsyncAccess& access) {
    if (access.number == 0 || (access.timeline == over_.timeline && access.number <= over_.number)) return true;
    if (!block_.clocks.knows(index_, access.timeline, access.number)) return false;
    over_ = access;
    return true;
  }
  // What an operation beside the warps begins to access, and will have accessed when `access` says.
  struct Claim {
    Area& area;
    bool write;
    std::uint16_t thread;
    int lane;
    AsyncAccess access;
    // Of the pieces so far: the last write of the last one, and whether it is that of all.
    AsyncAccess written{};
    bool alike = true, any = false;
  };
  // It begins with an element, with 16 bytes from one on, or with so many elements.
  void claimOfThreads(const Claim& claim, std::int64_t element);
  void claimPiece(Claim& claim, std::int64_t element);
  void claim(Claim& claim, std::int64_t first, std::int64_t count);
  // A finding about an element and the thread, or warp, of another access.
  void reportMeeting(Finding::Kind kind, std::int64_t site, int lane, std::int64_t element, bool write, bool whole,
                     std::uint16_t other, std::int64_t otherSite);

  // The value of a register that must be the same in all lanes; false (and a finding) where it isn't.
  bool agreed(std::uint16_t reg, std::int64_t site, std::int64_t& value);
  // An operand of an operation at hand: its tile, and where that lies.
  struct TileOperand {
    device::TileView view;
    FragmentArea* area = nullptr;  // of registers; null for memory and for spans, whose tile is a copy
    std::int64_t at = 0;           // which fragment, or the first element; nothing of spans
    SharedLines lines;             // of memory
    ir::DType packed;              // of memory, as OperationCode::Operand has it
    std::int64_t first = 0;        // of a warpgroup's rows the warp's first one
  };
  // Finds what an operation of a warp works on; false (and a finding) where lanes don't agree.
  bool gather(const OperationCode& code, ThreadOperation& operation);
  // Finds an operand's tile; false (and a finding) where it can't.
  bool locate(const ThreadOperation& operation, std::size_t operand, TileOperand& tile);
  void performTiles(const ThreadOperation& operation);
  // Begins what completes a token: claims memory and sums.
  void begin(const ThreadOperation& operation);
  void beginForAll(const ThreadOperation& operation);
  void reachOther(const ThreadOperation& operation);
  // Notes that a slot of another block of the cluster is used, or an element of its memory.
  void noteReach(int slot, std::int64_t site, int lane);
  void noteReachOfMemory(std::int64_t site, std::int64_t element, int lane);
  void beginProducts(const ThreadOperation& operation);
  // A fragment is used by a statement of the warp itself.
  void checkSums(const FragmentArea& area, std::int64_t at, std::int64_t site);
  // Reads it, from memory or a fragment; false where not all of it is known. Reports what was never written.
  bool read(const OperationCode& code, std::size_t operand, TileOperand& tile);
  void write(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known);
  // Spans that each lane has for itself: a tile of what lanes hold of a matrix, else a row for each lane.
  bool readSpans(const OperationCode& code, std::size_t operand, TileOperand& tile);
  void writeSpans(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known);
  // Elements of a tile that lie one after the other in memory.
  struct Run {
    std::int64_t element, count;
    double* values;     // of the first in the tile
    std::int64_t step;  // there, from each to the next
  };
  // Calls f(run) for all elements of a tile: line by line, or `across` the lines, which has the same runs.
  template <class F>
  void eachRun(const device::OperandRow& row, TileOperand& tile, F f, bool across = false);
  // Returns what is known of a tile in shared memory that all warps of a group take whole; null of other operands.
  SharedTile* sharedTile(const OperationCode& code, std::size_t operand, const TileOperand& tile, const Area& area);
  void claimTile(const OperationCode& code, std::size_t operand, TileOperand& tile, std::uint32_t group);

  // Boxes of the copy engine: calls f(element, count, row, column) for elements that lie one after the other in shared
  // memory, the first one of them, and where that is in the matrix, or would be.
  template <class F>
  void eachOfBox(const ThreadOperation& operation, F f);
  void claimBox(const ThreadOperation& operation);
  void moveBox(const ThreadOperation& operation);
  void land(const ThreadOperation& operation);
  std::int64_t bytesOf(const ThreadOperation& operation) const;  // that its mbarrier counts
  void reportUnannounced(const ThreadOperation& operation);

  // Operations of single threads: starts one in each active lane, does what one does, and what its end means for
  // others.
  void threadOperation(const OperationCode& code);
  void perform(const ThreadOperation& operation);
  void written(const ThreadOperation& operation);

  // Statements about tokens. Waits return whether the warp goes on.
  void meetLanes(const SyncCode& code);
  int slotOf(const SyncCode& code, int lane) const;
  // The number (MbarrierSlots::number) of the slot that a register names, of an mbarrier of a block of the cluster.
  int slotNumber(int barrier, std::uint16_t slot, int lane, std::int64_t block) const;
  // A finding about a slot, of this number.
  Finding findingOfSlot(Finding::Kind kind, int number, std::int64_t site, int lane) const;
  std::uint32_t wantedOf(const SyncCode& code, const MbarrierSlot& slot, int lane) const;
  bool checkReady(int slot, std::int64_t site, int lane);
  void initialise(const SyncCode& code);
  void arrive(const SyncCode& code);
  // Returns whether every lane of the warp arrives, and all at one slot.
  bool allArriveTogether(const SyncCode& code) const;
  void complete(int slot, std::int64_t site, int lane);
  void reportPhase(Finding::Phase phase, int slot, std::int64_t site, int lane, std::int64_t wanted);
  void fence(const SyncCode& code);
  void commit(const SyncCode& code);
  bool awaitOwn(const SyncCode& code);
  bool awaitProducts(const SyncCode& code);
  bool awaitPhase(const SyncCode& code);
  std::uint16_t firstThread() const { return std::uint16_t(index_ * kLanes); }

  // The number of an area among those of all blocks of the cluster.
  std::size_t areaNumber(std::uint16_t area, int block) const { return std::size_t(block) * code_.areas.size() + area; }
  Area* areaOf(std::uint16_t area) const { return ownAreas_[area]; }
  Area* areaOf(std::uint16_t area, int block) const { return block_.areas[areaNumber(area, block)]; }

  BlockRun& block_;
  const Code& code_;
  const bool alone_;  // whether the kernel has one thread
  int index_;         // of all warps of the cluster
  int ownBlock_;
  Area* const* ownAreas_;  // by area
  int lanes_;              // threads in this warp
  std::vector<Value> uniforms_;
  std::vector<Vector> vectors_;
  std::vector<std::uint32_t> unknown_;  // by vector: lanes whose value isn't known
  std::vector<LocalArea> locals_;       // by area
  std::vector<FragmentArea> fragments_;
  std::vector<Frame> frames_;
  const Instruction* at_ = nullptr;
  std::uint32_t mask_ = 0, all_ = 0;
  bool running_ = false, passed_ = false;  // whether a wait was over since `run`
  bool atCluster_ = false, exchanges_ = false;
  Stand stand_ = Stand::Ended;
  std::int64_t standSite_ = -1;
  Finding::Waiter waiter_;
  AsyncAccess over_;                                                // one of which `isOver` was true
  std::vector<std::uint32_t> commits_;                              // of products: the epoch of each
  std::array<std::vector<double>, device::kMostOperands> scratch_;  // of operands in memory
};

}  // namespace loom::exec

// One warp of a kernel that the executor runs on the CPU. An area is the memory of one buffer, a site an access of one
// statement, by which findings (mistakes of the program, such as races) name it. A warp runs until a barrier, a wait
// for what hasn't happened yet, or its end, and can be resumed. Who runs warps (execute.cpp) does the following; an
// epoch is a number that grows with each barrier (memory.h).
//
//  - For a kernel: fills in a BlockRun, with `pending`, and `clocks` and `slots` if Code::hasClocks; makes its warps in
//    one array, to which BlockRun::warps then points; and sets all of `clock` to a new epoch.
//  - For a block, or the blocks of a cluster: sets `blockIdx`, sets clock.blockStart and clock.since to the current
//    epoch and appends it to `blockStarts`; resets the states of shared memory; clears `pending`, `clocks` and `slots`;
//    and calls `start` and `run` of each warp.
//  - Calls `run` of the warps at waits again, as long as any goes on. Once all warps of a block stand at one barrier of
//    the block, lets their clocks meet, moves clock.epoch on (clock.since, too, if these are all warps), and runs them
//    again; likewise once all warps of a cluster that haven't ended stand at barriers of the cluster, where the clocks
//    only meet if all of them exchange. Reports a deadlock if warps remain that can't go on.
//  - After the last warp's end: reports what `reachedSlots` and `reachedMemory` hold, and moves clock.epoch on.
#pragma once
#include <algorithm>
#include <bit>
#include <map>
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

// What all warps of the blocks that run together share: those of one block, or of all blocks of a cluster, whose areas
// of memory, mbarriers, threads and warps stand one after the other, by the ranks of the blocks. What references and
// pointers are to must outlive it.
struct BlockRun {
  const Code& code;
  int kernel = 0;  // index of the kernel in the program
  // By index in Code::loops: the iterations to run, ascending; an empty list stands for all.
  const std::vector<std::vector<std::int64_t>>& samples;
  std::vector<Area*> areas;      // by block and area: global and shared memory; null for local memory and fragments
  std::vector<bool> restricted;  // by area: whether sampling left out writers of the buffer
  // The first epoch and blockIdx of each block of this kernel that was begun (with a cluster, of its first block).
  std::vector<std::pair<std::uint32_t, std::array<std::int64_t, 3>>> blockStarts;
  Clock clock;  // the current epoch, and those in which the block and the kernel began and all threads last met
  std::vector<std::array<std::int64_t, 3>> blockIdx;  // by block of the cluster
  FindingLog& log;
  const std::stop_token* stop = nullptr;  // asked now and then in loops: warps then stand as if ended; null: never
  Landing landing = Landing::Early;       // when asynchronous operations write: when started, or when awaited
  PendingOperations pending{0, 1, {}};    // operations that were started and not awaited yet; by default of no threads
  VectorClocks clocks{};                  // active if Code::hasClocks
  MbarrierSlots slots{};
  class Warp* warps = nullptr;  // the first of all warps of the block, or of the cluster; null before they are made
  // A finding MaybeEnded for each slot of an mbarrier, by its number, that another block of the cluster last used
  // (MbarrierSlot::reached), and for each site that read another block's shared memory since all threads of the cluster
  // last met. That of memory is reported if the blocks end without meeting again; that of a slot, if they do and the
  // slot's block doesn't wait for the phase either.
  std::map<int, Finding> reachedSlots{};
  std::vector<Finding> reachedMemory{};
  SharedTiles tiles{};
  std::uint32_t steps = 0;  // number of calls of `stopped`
  // Returns whether the caller of the executor asks to stop; looks only once in 65536 calls.
  bool stopped() { return stop && (++steps & 0xFFFF) == 0 && stop->stop_requested(); }

  // Returns the clock for accesses of an area: shared memory begins with each block, global memory with each kernel.
  Clock clockOf(const Area& a) const {
    return {clock.epoch, clock.blockStart, a.shared ? clock.blockStart : clock.kernelStart, clock.since};
  }
};

// A warp that executes bytecode until it has to wait, and can be resumed.
class Warp {
 public:
  // Makes warp number `index` of all warps that run together. `block` must outlive the warp, and its `areas` and
  // `restricted` must be filled in and stay where they are.
  Warp(BlockRun& block, int index);

  // Sets the warp to the start of the code, for the blocks that BlockRun::blockIdx now has, and clears its own
  // registers' memory, but nothing of the BlockRun. Must be called before `run`.
  void start();
  // Where a warp has stopped: at its end; at a barrier of the block or the cluster; or at a wait for an asynchronous
  // operation, which `run` tests again.
  enum class Stand : std::uint8_t { Ended, Barrier, Wait };
  // Returns whether the warp stands at a barrier of the cluster.
  bool atCluster() const { return stand_ == Stand::Barrier && atCluster_; }
  // Returns whether the warp stands at a barrier of the cluster behind which all threads see what the others have
  // written.
  bool exchanges() const { return atCluster() && exchanges_; }
  // Returns the rank in its cluster of the warp's block.
  int block() const { return ownBlock_; }
  // Executes instructions from where the warp stands until it stands again. A warp at a barrier goes past it, so the
  // caller calls this only once all that must have come there have, and has moved the clocks on. A warp at a wait stays
  // if what it waits for hasn't happened. Returns whether the warp has left the place where it stood. Not for a warp
  // that has ended.
  bool run();
  Stand stand() const { return stand_; }
  // Returns what the warp waits for, at a barrier or a wait, as findings name it.
  Finding::Waiter waiter() const;
  // Returns the number of the site of the barrier or wait where the warp stands; -1 if it stands at none.
  std::int64_t standSite() const { return standSite_; }
  // Returns threadIdx of the block's thread number `n`.
  std::array<std::int64_t, 3> placeOf(std::int64_t n) const;
  // Returns threadIdx of a lane of this warp.
  std::array<std::int64_t, 3> thread(int lane) const { return placeOf(std::int64_t(index_) * kLanes + lane); }
  // Returns a finding of this kind at a site, with the place of the lane, and of the warp in the loops around.
  Finding finding(Finding::Kind kind, std::int64_t site, int lane) const;

 private:
  union alignas(64) Vector {
    std::int64_t i[kLanes];
    double f[kLanes];
    Value v[kLanes];
  };
  struct Frame {
    std::uint32_t mask = 0, otherwise = 0;  // of an If: lanes of the Else
    std::int64_t position = 0, trips = 0;   // of a loop: the current iteration's position, and the number of iterations
    const Instruction* begin = nullptr;
  };

  // The rows of control.h. One that leaves the warp standing, or ends it, sets `running_` to false.
#define LOOM_HANDLER(name, handler) void handler(const Instruction& i);
  LOOM_CONTROL_OPERATIONS(LOOM_HANDLER)
#undef LOOM_HANDLER

  void vectorOperation(const Instruction& i);  // arithmetic on vectors
  // Sets the loop variable, and the lanes that are active, for the current iteration of a loop.
  void enterIteration(const Frame& f);
  void loadLocal(const Instruction& i, const Site& site);
  void storeLocal(const Instruction& i, const Site& site);
  // Gets the element that each lane accesses.
  void addresses(const Instruction& i, std::int64_t (&out)[kLanes]) const;
  // Returns the element that all lanes access, for an instruction without offsets by lane.
  std::int64_t address(const Instruction& i) const { return i.b == kNone ? 0 : uniforms_[i.b].i; }
  // Returns what holds of all accesses of a site now, for memory of the own block.
  PlainAccess plainAccess(const Area& area, const Site& site) const {
    PlainAccess plain;
    plain.possible = area.stored && !area.asyncTouches && code_.areas[site.area].under.empty();
    plain.alone = alone_;
    plain.noted = !alone_ && code_.areas[site.area].written;
    if (area.restricted) plain.wanted |= site.required;
    plain.clock = block_.clockOf(area);
    if (!block_.pending.empty()) plain.writers = block_.pending.writersOf(areaNumber(site.area, block()));
    return plain;
  }
  // Read and write an element of the own block's memory like readElement and writeElement, faster where the access is
  // plain.
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
  // Stores a value, once the access has been checked.
  static void put(Area& area, const Site& site, std::int64_t element, Value value, bool unknown) {
    area.values[element] = value;
    std::uint8_t& state = area.states[element];
    state = std::uint8_t((state & ~kUnknown) | kWritten | site.writerBit | (unknown ? kUnknown : 0));
  }
  // Returns whether a read is known to be right: it comes after all that it depends on. The read has then been noted.
  bool isPlainRead(const PlainAccess& plain, Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread) {
    if (!plain.isKnown(area, element)) return false;
    if (!plain.noted) return true;
    Touch& touch = area.touches[element];
    const Conflict conflict = noteRead(touch, plain.clock, thread, std::uint16_t(at));
    return conflict == Conflict::None || (conflict == Conflict::InBlock && knownBefore(touch, false, thread));
  }
  // Returns the conflict of a write with earlier accesses that aren't known to have happened before it.
  Conflict conflictOfWrite(const Touch& touch, const Clock& clock, std::uint16_t thread) const {
    const Conflict conflict = noteWrite(touch, clock, thread);
    return conflict == Conflict::InBlock && knownBefore(touch, true, thread) ? Conflict::None : conflict;
  }
  // Reports a write with a conflict, before it is noted.
  void reportWrite(Conflict conflict, const Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread,
                   int lane, Value value, bool unknown);
  // Read and write one element of global or shared memory by one thread (or the whole warp), and report what is wrong.
  // `other` is the rank in the cluster of the block whose memory is read; negative: the own block.
  bool readElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane,
                   Value& value, int other = -1);
  // Gets the value that a read of one element gives, where the access itself is in order.
  bool contentOf(const Area& area, const Site& site, std::int64_t at, std::int64_t element, int lane, bool whole,
                 Value& value);
  void writeElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane,
                    Value value, bool unknown);
  // Reports a write of `count` elements from `element` on, or a read of them by an operation of the async proxy
  // (memory.h), if threads or such operations may still access the same bytes as another area's, or have written them
  // as that.
  void checkUnder(const CodeArea& own, std::int64_t at, std::int64_t element, std::int64_t count, std::uint16_t thread,
                  int lane, bool write);
  // Reports an access to an element that a pending operation writes.
  void checkAwaited(const Site& site, std::int64_t at, std::int64_t element, int lane, bool write, bool whole,
                    int block);
  void report(Finding::Kind kind, std::int64_t site, int lane, std::int64_t element, bool write, bool whole);
  void reportRace(Conflict conflict, const Touch& touch, std::int64_t site, int lane, std::int64_t element, bool write,
                  bool whole, bool repeated = false);

  // Returns whether this warp, which now acts as `thread`, knows that an access by the thread `earlier` since the last
  // barrier of the block has happened before.
  bool isBefore(std::uint16_t earlier, std::uint32_t epoch, std::uint16_t thread) const;
  // Returns whether the accesses that an access conflicts with in its block are all known to have come first.
  bool allBefore(const Touch& touch, bool write, std::uint16_t thread) const;
  // Returns `allBefore` if the kernel has vector clocks; else false.
  bool knownBefore(const Touch& touch, bool write, std::uint16_t thread) const {
    return block_.clocks.active() && allBefore(touch, write, thread);
  }
  // Reports an access of shared memory that operations of the async proxy still write or read.
  void checkBeside(Area& area, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane, bool write);
  // Returns whether this warp, which now acts as `thread`, knows that an access by an operation of the async proxy has
  // happened.
  bool isOver(const AsyncAccess& access, std::uint16_t thread) {
    if (access.number == 0 || (access.timeline == over_.timeline && access.number <= over_.number)) return true;
    if (!block_.clocks.knows(index_, access.timeline, access.number)) return hasAwaited(access, thread);
    over_ = access;
    return true;
  }
  // Returns whether the access is of a store that `thread`, or with a whole warp one of its lanes, has waited for.
  bool hasAwaited(const AsyncAccess& access, std::uint16_t thread) const {
    const bool whole = thread >= kFirstWarp;
    return block_.clocks.haveAwaited(whole ? (thread - kFirstWarp) * kLanes : thread, whole ? kLanes : 1,
                                     access.timeline, access.number);
  }
  // Memory that an operation of the async proxy (copy engine, tensor cores of a warpgroup) begins to access. The access
  // has happened once the event `access` has.
  struct Claim {
    Area& area;
    bool write;
    std::uint16_t thread;
    int lane;
    AsyncAccess access;
    // The last write of the latest piece of 16 bytes that was claimed; whether it is the last write of all claimed
    // pieces; whether a piece was claimed.
    AsyncAccess written{};
    bool alike = true, any = false;
  };
  // Claim an element against accesses of threads, the piece of 16 bytes that begins with an element, or `count`
  // elements.
  void claimOfThreads(const Claim& claim, std::int64_t element);
  void claimPiece(Claim& claim, std::int64_t element);
  void claim(Claim& claim, std::int64_t first, std::int64_t count);
  // Reports a finding about an element and the thread, or warp, of another access.
  void reportMeeting(Finding::Kind kind, std::int64_t site, int lane, std::int64_t element, bool write, bool whole,
                     std::uint16_t other, std::int64_t otherSite);

  // Gets the value of a register that must be the same in all lanes. Returns false, and reports a finding, if it isn't.
  bool agreed(std::uint16_t reg, std::int64_t site, std::int64_t& value);
  // An operand of the operation that is being executed: its tile, and where the tile lies.
  struct TileOperand {
    device::TileView view;
    FragmentArea* area =
        nullptr;             // for a fragment: its memory; null for tiles in memory and for spans, whose tile is a copy
    std::int64_t at = 0;     // number of the fragment, or the first element in memory; unused for spans
    SharedLines lines;       // how a tile in memory lies there
    ir::DType packed;        // type of elements in memory that share bytes; else void
    std::int64_t first = 0;  // this warp's first row of a warpgroup's tile
  };
  // Finds the operands of an operation of a warp. Returns false, and reports a finding, if lanes don't agree on one.
  bool gather(const OperationCode& code, ThreadOperation& operation);
  // Finds an operand's tile. Returns false, and reports a finding, if there is none.
  bool locate(const ThreadOperation& operation, std::size_t operand, TileOperand& tile);
  void performTiles(const ThreadOperation& operation);
  // Begins an asynchronous operation: claims the memory and the sums that it accesses.
  void begin(const ThreadOperation& operation);
  // Begins a multicast copy, once for each block that gets it. For another block than the own one, `reachOther` first
  // checks and notes the use of that block's mbarrier.
  void beginForAll(const ThreadOperation& operation);
  void reachOther(const ThreadOperation& operation);
  // Notes that a slot of another block of the cluster is used, in a phase counted from 1, or an element of its memory.
  void noteReach(int slot, std::uint32_t phase, std::int64_t site, int lane);
  void noteReachOfMemory(std::int64_t site, std::int64_t element, int lane);
  void beginProducts(const ThreadOperation& operation);
  // Checks that no product still adds to a fragment that a statement of the warp itself uses.
  void checkSums(const FragmentArea& area, std::int64_t at, std::int64_t site);
  // Read and write an operand's tile, in memory or a fragment. `read` returns false if not all elements are known, and
  // reports those that were never written.
  bool read(const OperationCode& code, std::size_t operand, TileOperand& tile);
  void write(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known);
  // Read and write operands that are spans of each lane's own: together a tile of a matrix, else a row for each lane.
  bool readSpans(const OperationCode& code, std::size_t operand, TileOperand& tile);
  void writeSpans(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known);
  // Elements of a tile that lie one after the other in memory.
  struct Run {
    std::int64_t element, count;  // the first one's offset in memory, and how many there are
    double* values;               // the value of the first one in the tile
    std::int64_t step;            // from one value in the tile to the next
  };
  // Calls f(run) for all elements of a tile: line by line, or `across` the lines, which has the same runs.
  template <class F>
  void eachRun(const device::OperandRow& row, TileOperand& tile, F f, bool across = false);
  // Returns what is known of a tile in shared memory that each warp of a group reads whole; null for other operands.
  SharedTile* sharedTile(const OperationCode& code, std::size_t operand, const TileOperand& tile, const Area& area);
  void claimTile(const OperationCode& code, std::size_t operand, TileOperand& tile, std::uint32_t group);

  // Boxes of the copy engine: calls f(element, count, row, column) for elements that lie one after the other in shared
  // memory, the first one of them, and where that is in the matrix, or would be.
  template <class F>
  void eachOfBox(const ThreadOperation& operation, F f);
  void claimBox(const ThreadOperation& operation);  // claims the box in shared memory, for a copy that begins
  void moveBox(const ThreadOperation& operation);   // copies the box between global and shared memory
  // Reports an element of global memory to which the copy engine stores another value than it has in this block before.
  void checkStoredAgain(const Area& area, std::int64_t at, std::int64_t element, const ThreadOperation& operation,
                        Value value, bool known);
  void land(const ThreadOperation& operation);  // copies the box, and counts its bytes at the mbarrier
  // Returns the number of bytes of a copy that its mbarrier counts.
  std::int64_t bytesOf(const ThreadOperation& operation) const;
  void reportUnannounced(const ThreadOperation& operation);

  // Operations of single threads: start one in each active lane, execute one, and note that one has written its target.
  void threadOperation(const OperationCode& code);
  void perform(const ThreadOperation& operation);
  void written(const ThreadOperation& operation);

  // Statements on asynchronous operations. Waits return whether the warp goes on.
  void meetLanes(const SyncCode& code);  // __syncwarp
  // Returns the number (MbarrierSlots::number) of the slot that a lane uses.
  int slotOf(const SyncCode& code, int lane) const;
  // Returns the number (MbarrierSlots::number) of the slot that a lane of register `slot` names. `block` is the rank of
  // the block whose mbarrier it is.
  int slotNumber(int barrier, std::uint16_t slot, int lane, std::int64_t block) const;
  // Returns a finding about the mbarrier slot with this number.
  Finding findingOfSlot(Finding::Kind kind, int number, std::int64_t site, int lane) const;
  // Returns how many phases must have ended for a lane's wait to be over.
  std::uint32_t wantedOf(const SyncCode& code, const MbarrierSlot& slot, int lane) const;
  // Reports a use of a slot of which the lane doesn't know that it is initialized. Returns false if it isn't.
  bool checkReady(int slot, std::int64_t site, int lane);
  void initialise(const SyncCode& code);
  void arrive(const SyncCode& code);
  // Returns whether every lane of the warp arrives, and all at one slot.
  bool allArriveTogether(const SyncCode& code) const;
  // Ends the slot's phase if nothing is missing, and reports warps that may still wait for the phase before.
  void complete(int slot, std::int64_t site, int lane);
  void reportPhase(Finding::Phase phase, int slot, std::int64_t site, int lane, std::int64_t wanted);
  void fence(const SyncCode& code);
  void commit(const SyncCode& code);
  bool awaitOwn(const SyncCode& code);
  bool awaitProducts(const SyncCode& code);
  bool awaitPhase(const SyncCode& code);
  std::uint16_t firstThread() const { return std::uint16_t(index_ * kLanes); }

  // Returns the number of an area among the areas of all blocks of the cluster.
  std::size_t areaNumber(std::uint16_t area, int block) const { return std::size_t(block) * code_.areas.size() + area; }
  Area* areaOf(std::uint16_t area) const { return ownAreas_[area]; }
  Area* areaOf(std::uint16_t area, int block) const { return block_.areas[areaNumber(area, block)]; }

  BlockRun& block_;
  const Code& code_;
  const bool alone_;  // whether the kernel has one thread
  int index_;         // number among all warps of the cluster
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
  AsyncAccess over_;                                                // the latest for which `isOver` found true
  std::vector<std::uint32_t> commits_;                              // the epoch of each commit of a group of products
  std::array<std::vector<double>, device::kMostOperands> scratch_;  // by operand: the values of a tile in memory
};

}  // namespace loom::exec

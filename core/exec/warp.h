// A warp as a resumable fibre: it runs until a barrier or its end.
#pragma once
#include <stop_token>
#include <vector>

#include "core/exec/bytecode.h"
#include "core/exec/findings.h"
#include "core/exec/memory.h"
#include "core/exec/pending_operations.h"

namespace loom::exec {

// What all warps of a block share.
struct BlockRun {
  const Code& code;
  int kernel = 0;
  const std::vector<std::vector<std::int64_t>>& samples;  // by loop: the iterations to run; empty for all
  std::vector<Area*> areas;                               // by area: global and shared; null for local and fragments
  std::vector<bool> restricted;                           // by area
  std::vector<std::pair<std::uint32_t, std::array<std::int64_t, 3>>> blockStarts;  // of this kernel: epoch, blockIdx
  Clock clock;
  std::array<std::int64_t, 3> blockIdx{};
  FindingLog& log;
  const std::stop_token* stop = nullptr;  // asked now and then, also inside long loops
  Landing landing = Landing::Early;
  PendingOperations pending{0, {}};  // of the block that runs
  std::uint32_t steps = 0;
  bool stopped() { return stop && (++steps & 0xFFFF) == 0 && stop->stop_requested(); }

  Clock clockOf(const Area& a) const {
    return {clock.epoch, clock.blockStart, a.shared ? clock.blockStart : clock.kernelStart};
  }
};

class Warp {
 public:
  Warp(BlockRun& block, int index);

  // Forgets everything: the warp stands at the start of a new block.
  void start();
  // False when the warp has ended, true when it stands at a barrier.
  bool run();
  bool atBarrier() const { return atBarrier_; }
  std::int64_t barrierSite() const { return barrierSite_; }
  // The threadIdx of the block's n-th thread, and of a lane's.
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
  // One element of global or shared memory by one thread (or the whole warp); reports what is wrong.
  bool readElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane,
                   Value& value);
  void writeElement(Area& area, const Site& site, std::int64_t at, std::int64_t element, std::uint16_t thread, int lane,
                    Value value, bool unknown);
  // Reports an access of what a pending operation writes.
  void checkAwaited(const Site& site, std::int64_t at, std::int64_t element, int lane, bool write, bool whole);
  void report(Finding::Kind kind, std::int64_t site, int lane, std::int64_t element, bool write, bool whole);
  void reportRace(Conflict conflict, const Touch& touch, std::int64_t site, int lane, std::int64_t element, bool write,
                  bool whole, bool repeated = false);

  // The value of a register that must be the same in all lanes; false (and a finding) where it isn't.
  bool agreed(std::uint16_t reg, std::int64_t site, std::int64_t& value);
  // An operand of an operation at hand: its tile, and where that lies.
  struct TileOperand {
    device::TileView view;
    FragmentArea* area = nullptr;  // of registers; null for memory and for spans, whose tile is a copy
    std::int64_t at = 0;           // which fragment, or the first element; nothing of spans
    std::int64_t leading = 0;      // of memory
  };
  // Finds an operand's tile; false (and a finding) where it can't.
  bool locate(const OperationCode& code, std::size_t operand, double* scratch, TileOperand& tile);
  // Reads it, from memory or a fragment; false where not all of it is known. Reports what was never written.
  bool read(const OperationCode& code, std::size_t operand, TileOperand& tile);
  void write(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known);
  // Spans that each lane has for itself: a tile of what lanes hold of a matrix, else a row for each lane.
  bool readSpans(const OperationCode& code, std::size_t operand, TileOperand& tile);
  void writeSpans(const OperationCode& code, std::size_t operand, TileOperand& tile, bool known);
  // Calls f(element in memory, value) for each element of a tile.
  template <class F>
  void eachElement(const device::OperandRow& row, TileOperand& tile, F f);

  // Operations of single threads: starts one in each active lane, does what one does, and what its end means for
  // others.
  void threadOperation(const OperationCode& code);
  void perform(const ThreadOperation& operation);
  void written(const ThreadOperation& operation);

  BlockRun& block_;
  const Code& code_;
  int index_;
  int lanes_;  // threads in this warp
  std::vector<Value> uniforms_;
  std::vector<Vector> vectors_;
  std::vector<std::uint32_t> unknown_;  // by vector: lanes whose value isn't known
  std::vector<LocalArea> locals_;       // by area
  std::vector<FragmentArea> fragments_;
  std::vector<Frame> frames_;
  const Instruction* at_ = nullptr;
  std::uint32_t mask_ = 0, all_ = 0;
  bool running_ = false, atBarrier_ = false;
  std::int64_t barrierSite_ = -1;
};

}  // namespace loom::exec

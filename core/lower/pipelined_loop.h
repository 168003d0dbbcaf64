// One loop whose iterations overlap (a software pipeline), and the statements that replace it: prologue, steady loop
// and epilogue; or, with specialized warps, one loop for the loading warps and one for the multiplying warps. A turn is
// what the pipeline executes at a time: each statement of the body once, each for another iteration, by its stage.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/pipeline_timetable.h"
#include "core/lower/ring_sizes.h"
#include "core/lower/versions.h"

namespace loom::lower {

using device::Buffer;
using device::BufferUses;
using device::Expr;
using device::Id;
using device::Kernel;
using device::Landed;
using device::LoopNode;
using device::LoopUse;
using device::Remark;
using device::Stmt;

// A statement of a pipelined loop's body, null if there is nothing to do, and the buffers that it uses.
struct Part {
  Stmt stmt;
  BufferUses uses;
  // Return whether the statement reads, or writes, the buffer.
  bool reads(const ir::BufferNode* b) const { return std::ranges::count(uses.read, b) > 0; }
  bool writes(const ir::BufferNode* b) const { return std::ranges::count(uses.written, b) > 0; }
};

// One loop whose iterations overlap, with the statements of its body. One asks for what replaces the loop once, by
// `run` or, if `hasRoles`, by `runRoles`; that gives the kernel's allocations their versions. The caller puts the
// returned statements in the place of the loop.
class PipelinedLoop {
 public:
  // `loop.overlap` is set, and its lists have an entry for each statement. `parts` are the statements of the body, in
  // order; `owned` are the buffers that only the loop uses; `sizes` says how many versions (copies, such as the slots
  // of a ring buffer) the program's blocks that write these buffers ask for. `around` are the serial loops around the
  // loop, outermost first. The kernel and the loops must outlive this object, which changes the kernel.
  PipelinedLoop(Kernel& kernel, const LoopNode& loop, std::vector<Part> parts, const std::vector<Buffer>& owned,
                const RingSizes& sizes, std::vector<const LoopNode*> around);

  // Returns the buffers that have several versions in this loop.
  Buffers versioned() const;

  // Returns the least number of turns after which every buffer for which `which` returns true uses its first version
  // again; 1 if there is no such buffer.
  int period(bool (*which)(const ir::BufferNode&)) const;

  // Returns the least number of versions that a buffer needs so that no writer overwrites a version before its last
  // reader; at least 1. For a writer and a reader, let n be by how many iterations the writer is ahead of the reader in
  // one turn, plus the number of turns for which products in flight go on reading. Then n versions suffice if the
  // reader comes before the writer in the turn, and n + 1 are needed if it comes after. With loading warps, which wait
  // for a free slot, being ahead doesn't count, so that n is the turns of products in flight alone.
  int leastVersions(const Buffer& b) const;

  // Returns whether loading warps, which do nothing else, start the copies (annotation tileloom.role).
  bool hasRoles() const;

  // Returns the loop of the loading warps and the loop of the multiplying warps, which hand slots of the ring buffers
  // to each other by mbarriers. Called only if `hasRoles`, instead of `run`.
  Stmt runRoles();

  // Lets what `block` writes behind the loop lie in the bytes of the loop's ring buffers (kOverRing, over_ring.h): the
  // multiplying warps then wait, at the end of what `runRoles` returns, until all have read the last tile. Called
  // before `runRoles`. Error "NotAKernel" if there are several ring buffers that become free at different times, or if
  // the block writes no shared memory.
  Result<void> putOverRing(const device::BlockNode& block);

  // Returns for how many iterations blocks ask to start the copies before the barrier at the beginning of the kernel
  // (the largest value of the annotation tileloom.early); 0 if no block asks. `runRoles` starts fewer if the loop has
  // fewer iterations or a ring buffer has fewer slots.
  int iterationsEarly() const;
  // Returns the statement that starts the copies of the early iterations, once `runRoles` was called; null before that,
  // or if there are none. The caller hands it to `awaitTransfers` (transfers.h), which puts it in front of that
  // barrier.
  const Stmt& early() const { return early_; }
  // Returns what the loading warps do at the end of the kernel, once `runRoles` was called: they wait until each slot
  // that other blocks of the cluster arrive at is free, so that the block, and its shared memory, is there until all
  // of them have. Null before that, or if no other block arrives.
  Stmt late() const;

  // Returns three statements: the prologue, the loop and the epilogue. Each is null if it has nothing to do.
  std::vector<Stmt> run();

  // Returns remarks on what is done in another way than the annotations ask.
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  struct Version {
    Buffer buffer;
    int count = 1;
  };

  const Part& partOf(const Timetable::Step& step) const { return parts_[std::size_t(step.part)]; }

  void makeVersions();

  // Returns the number of versions of a buffer, as TVM counts them: the number of stages from the one that writes the
  // buffer to the last one that reads it. If these are neighbours, one version is enough unless a writer comes first in
  // its turn. `sizes` may ask for another number.
  int versionsOf(const Buffer& b, const RingSizes& sizes) const;
  // Returns whether a statement may write the buffer for a later iteration in a turn before another statement reads it
  // for an earlier iteration. Accesses that are known to be to different versions don't count.
  bool overtakes(const Buffer& b) const;

  bool isTransferred(const ir::BufferNode* b) const;

  bool isReadInFlight(const ir::BufferNode* b) const;

  // A ring buffer: the copies by the copy engine in one stage, which all go to the same number of slots and signal one
  // mbarrier.
  struct Ring {
    int barrier = -1, stage = 0, slots = 1;
    int free = -1;               // the mbarrier that tells which slots are free, with loading warps; else -1
    std::int64_t bytes = 0;      // bytes that the copies of one iteration bring
    std::vector<int> writers;    // the steps that start the copies, in their order
    int reader = -1;             // the first step that reads what the copies of one iteration bring
    std::vector<Landed> landed;  // what the copies write, without the version
    std::vector<Expr> others;    // ranks of the other blocks of the cluster whose multicast copies arrive here, too
  };
  void findTransfers();
  static Stmt awaitingFull(const Ring& ring, const Expr& slot, const Expr& phase = nullptr);
  // Returns the statement of a step in an iteration, with the waits and arrivals at mbarriers that it needs before it.
  Stmt withRings(std::size_t step, Stmt s, const Expr& iteration) const;

  // --- roles ---

  // Returns the number of an iteration among all iterations of the loops around, across which a ring buffer is used on.
  Expr running(const Expr& iteration) const;
  Expr slotAt(const Ring& ring, const Expr& iteration) const;
  // Returns the number of the phase of a slot's mbarrier that belongs to an iteration. Warpgroups that take turns wait
  // for phases by number, because they don't wait for those of the other warpgroups' iterations.
  Expr phaseAt(const Ring& ring, const Expr& iteration) const;
  // Returns the number of warpgroups that take tiles in turns (turns.h), which isn't what a turn of the pipeline is; 1
  // without the annotation.
  int turns() const;
  bool takesTurns() const { return turns() > 1; }
  // Return what is done in iteration k. `loading`: the loading warps wait for free slots and start the copies.
  // `asking`: the start of the copies alone, to one ring buffer or to all. `working`: the multiplying warps wait for
  // full slots, execute all other statements of the body, and free the slots that the iteration `inFlight` before k has
  // read.
  Stmt loading(const Expr& k) const;
  Stmt asking(const Ring& ring, const Expr& k) const;
  Stmt asking(const Expr& k) const;
  Stmt working(const Expr& k, int inFlight) const;
  // Returns the arrivals by which the slots that the iteration `before` iterations earlier has read become free.
  Stmt released(const Expr& iteration, int before) const;
  // Returns, for behind the loop, the arrivals by which the slots become free that the iteration `fromEnd` iterations
  // before the loop's end has read, if the loop has so many iterations.
  Stmt releasedAtEnd(int fromEnd) const;

  // The most bytes that a thread holds in registers for copies through registers. For more, the compiler makes several
  // rounds of loads and stores, each of which waits for global memory. Mean number of rounds by the bytes that a thread
  // copies in a turn (NVRTC 13.0, sm_90a, f16 and s8, 200 schedules): 64: 1.3, 96: 1.8, 128: 2.2, 192: 3.1, 256: 3.9.
  static constexpr std::int64_t kMostHeldBytes = 64;
  // What a thread holds in registers for copies through registers.
  struct Held {
    std::int64_t bytes = 0;                     // size of all arrays, in bytes
    std::map<int, std::vector<Buffer>> arrays;  // by step: the arrays of registers that the step's loads go to
  };
  // Returns whether a statement is a product of tensor cores.
  bool multiplies() const;
  // Returns what a thread holds of the copies of these steps; nothing if a copy can't be divided into loads and stores.
  std::optional<Held> heldOf(const std::vector<std::size_t>& copies) const;

  // Marks stores to shared memory in asynchronous stages as asynchronous copies, unless each copy would be waited for
  // at once and going through registers is faster: where a thread can hold what it copies, and the loop has no products
  // of tensor cores or a multiprocessor has room for one block alone. What can't be divided into loads and stores goes
  // through registers, too.
  void markCopies();
  // Makes the copies of the steps `uncovered`, which would be waited for at once, copies through registers. If the
  // products of a turn come before its copies, the loads of the copies come first in the turn.
  void throughRegisters(const std::vector<std::size_t>& uncovered, const std::optional<Held>& held);
  // Returns the statement with its stores to shared memory marked as asynchronous copies.
  static Stmt started(const Stmt& s);

  // Returns, for each step, the steps whose asynchronous copies its statement reads.
  std::vector<std::vector<int>> needs() const;
  // Returns the buffers in shared memory that the statement of `writer` writes and the statement of `reader` reads.
  std::vector<const ir::BufferNode*> between(const Timetable::Step& writer, const Timetable::Step& reader) const;

  // --- statements ---

  static bool isShared(const ir::BufferNode& b);
  static bool isPrivate(const ir::BufferNode& b);
  static Expr simplified(const Expr& e);
  Expr number(std::int64_t n) const { return ir::intImm(n, loop_.var->dtype); }

  // Returns which of `count` versions an iteration uses.
  static Expr versionAt(const Expr& iteration, int count);

  // Returns the statement of a step in an iteration. `turn` is the number of the iteration by which its versions are
  // chosen.
  Stmt instance(const Timetable::Step& step, const Expr& iteration, const Expr& turn) const;

  Stmt wait(const Timetable::Wait& w, const Expr& time) const;
  static std::vector<Id> blocksOf(const Stmt& s);
  Buffer bufferOf(const ir::BufferNode* b) const;
  Stmt commit() const;

  // Returns all that is executed in one turn. `time` is the number of the turn; `condition` returns for an iteration
  // what must hold for its statement to be executed; null: statements are always executed.
  using Condition = std::function<Expr(const Expr& iteration)>;
  Stmt together(const Timetable::Turn& turn, const Expr& time, const Condition& condition = nullptr) const;
  // Returns all that is executed in one turn, with the early loads of copies through registers before everything else.
  Stmt withEarlyLoads(const Timetable::Turn& turn, const Expr& time) const;
  static Stmt guarded(const Stmt& s, const Expr& condition);

  Stmt loopOver(const Expr& extent, LoopUse use, const std::function<Stmt(const Expr&)>& body) const;

  bool isCounted() const { return ir::asInt(loop_.extent) != nullptr; }

  // Returns the prologue. Neighbouring turns of the same form become one loop that the compiler unrolls.
  Stmt beginning(const Timetable& timetable) const;

  // Returns the steady loop; null if a constant extent leaves it no turn.
  Stmt steady(const Timetable& timetable) const;
  int turnsTogether() const;

  // Returns the epilogue. If the extent isn't constant, turns that the prologue has already executed are left out by a
  // condition.
  Stmt ending(const Timetable& timetable) const;

  Kernel& kernel_;
  const LoopNode& loop_;
  std::vector<Part> parts_;  // the statements of the body, in their order
  std::vector<const LoopNode*> around_;
  std::vector<Timetable::Step> steps_;  // in their order within a turn
  std::vector<int> inFlight_;           // by statement: groups of products that the statement leaves in flight
  int last_ = 0;                        // the last stage
  std::int64_t earlyTurns_ = 0;         // iterations whose copies `early_` starts
  Stmt early_;
  const device::BlockNode* overRing_ = nullptr;  // the block that writes into the ring buffers' bytes
  std::vector<Remark> remarks_;
  std::vector<Ring> rings_;
  std::map<const ir::BufferNode*, Version> versions_;
  std::map<int, std::vector<Buffer>> loadedEarly_;  // by step: the arrays of registers of its early loads
};

}  // namespace loom::lower

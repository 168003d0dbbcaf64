#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/memory/view/time_bounds.h"
#include "app/session/state_model.h"
#include "core/device/memory_level.h"
#include "core/document/kernel.h"
#include "core/model/model.h"

namespace loom::session {

using device::kMemoryLevels;
using device::MemoryLevel;

/// A buffer of the program at its memory level.
struct MemoryBuffer {
  MemoryLevel level = MemoryLevel::kGlobal;
  /// Column of the operand: the index, among the function's parameters that are buffers, of the one whose data the
  /// buffer holds, as its name says ("A_shared" is of "A"); the index of the last of these parameters if the name says
  /// nothing.
  int column = 0;
  std::string name, dtype;
  /// Elements by dimension: as declared in global memory, else as allocated for a thread block. Padding of rows is
  /// counted in the last dimension; a dimension that isn't constant is 0.
  std::vector<std::int64_t> shape;
  /// Size in global memory; in shared memory, for a block; in registers, for all threads of a block, but if
  /// MemoryView::kernel is false, for one thread or, of fragments, one warp.
  double bytes = 0;
  std::vector<std::int64_t> declared;  ///< the shape in the program, if the allocated one differs; else empty
  double declaredBytes = 0;            ///< bytes of `declared`; 0 if that is empty
  double perThread = 0;   ///< bytes for one thread (local memory) or for one warp (fragments); 0 for other buffers
  bool fragment = false;  ///< whether the buffer holds fragments of tensor cores
  double lives = 1;       ///< how often a thread block fills the buffer
  std::string life;       ///< name of the loop whose every iteration fills it anew; empty: it is filled once
  /// For shared memory and registers: the positions of the first and last use among the kernel's accesses in program
  /// order, as shares from 0 to 1. Both are 0 if the buffer isn't used or MemoryView::kernel is false.
  double begins = 0, ends = 0;
  int stages = 1;  ///< slots of the ring buffer that iterations of a pipelined loop use in turn; `bytes` has all
  std::vector<std::string> sharing;  ///< shared memory: names of the buffers that lie over some of its bytes, which
                                     ///< are in use at other times
  bool forSync = false;              ///< whether it holds mbarriers, which MemoryView::mbarriers describes, and no data
  int ways = 0;  ///< shared memory: ways of the worst bank conflict of its accesses; 1: no conflict, 0: not known
  std::vector<ir::Id> ids;  ///< ids of the buffer in the program, to be selected with it
};

/// Bytes of shared memory that several buffers share. Those that lie over the same bytes are in use at different times.
struct MemorySharing {
  std::vector<std::string> buffers;  ///< names, by the buffers' first byte
  double bytes = 0;                  ///< what the buffers take together
};

/// The bytes that move from one memory level to another for one operand.
struct MemoryTraffic {
  MemoryLevel from = MemoryLevel::kGlobal, to = MemoryLevel::kL2;
  int column = 0;  ///< column of the operand, as in MemoryBuffer
  /// Bytes over the whole grid: between global memory and L2 each distinct byte once, elsewhere as often as it is
  /// requested. 0 where that isn't known, never NaN.
  double bytes = 0;
  double perBlock = 0;      ///< bytes of one thread block, as a mean over the grid; 0 as `bytes`
  Message how;              ///< how the number was obtained
  std::vector<ir::Id> ids;  ///< TIR blocks of the program whose statements cause the traffic
  /// Who moves the bytes without the registers of the threads: asynchronous copies, the copy engine (TMA), or tensor
  /// cores that read shared memory by themselves. Agent::Threads: they move through registers, by loads and stores.
  device::Agent agent = device::Agent::Threads;
  /// Whether all or some of the bytes are copied from global to shared memory by loads and stores, through registers.
  bool throughRegisters = false;
  std::vector<std::string> by;  ///< instructions other than loads and stores that move the bytes: "ldmatrix.x4"
  double byOthers = 0;  ///< bytes that a block gets beyond `perBlock`, by copies that other blocks of its cluster start
  double fromOthers = 0;  ///< bytes of `perBlock` that come from the shared memory of other blocks of the cluster
  // Only of the machine code (MemoryView::compiledTraffic):
  double moved = 0;              ///< bytes over the grid that the link carries: 32 for each sector of requests for
                                 ///< global memory, 128 for each wavefront of shared memory; 0: not known
  std::map<int, double> widths;  ///< bytes that a lane moves by one instruction → warp instructions over the grid
};

/// A resource of a multiprocessor, and how many blocks it allows at a time. Amounts are in the unit of the resource:
/// threads, blocks, registers or bytes.
struct MemoryBudget {
  model::Limiter resource = model::Limiter::Threads;
  double taken = 0, available = 0;  ///< amount that one block takes; amount that a multiprocessor has
  int fits = -1;        ///< blocks that this resource alone allows; −1: not known (registers before compiling)
  bool limits = false;  ///< whether this resource allows the fewest blocks
  double reserved = 0;  ///< part of `taken` that the driver keeps of each block's shared memory
};

/// The barriers of a kernel. Of the 16 barriers that the PTX ISA ("bar") gives a thread block, __syncthreads() uses
/// number 0.
struct MemoryBarriers {
  static constexpr int kAvailable = 16;
  int used = 0;            ///< barriers of the block in use: 0 or 1
  int written = 0;         ///< __syncthreads() statements in the kernel's text
  double perBlock = 0;     ///< how often one block executes __syncthreads(), all statements together
  double perStep = 0;      ///< how many of these executions are in one iteration of the loop `step`
  std::string step;        ///< name of the loop over k; empty: there is none, or it has no barriers
  bool sometimes = false;  ///< whether a condition may skip some of these executions
  double ofCluster = 0;    ///< how often one block meets all blocks of its cluster, which takes none of the 16
};

/// An array of mbarriers in shared memory, one for each slot of a ring buffer. At these mbarriers warps wait until a
/// slot is full, or until it is free.
struct MemoryMbarrier {
  std::string name;
  int slots = 1;                    ///< slots of the ring buffer, hence mbarriers of the array
  int arrivals = 1;                 ///< arrivals of threads after which a phase completes
  double bytes = 0;                 ///< bytes that must land as well before a phase completes; 0: none
  std::vector<std::string> filled;  ///< names of the buffers in which these bytes land
  double phases = 0;                ///< phases of all slots that complete in the life of one block; 0: not known
  /// Warps that wait for phases of the mbarriers, and warps that arrive at them: numbers in the block, ascending.
  std::vector<int> waiting, arriving;
  bool ofCluster = false;     ///< whether threads of other blocks of the cluster arrive too
  bool fedByCluster = false;  ///< whether copies that other blocks of the cluster start also land in these slots
};

/// How often each byte of a buffer is used once it has been brought to its level, as a mean over the grid.
struct MemoryReuse {
  std::string buffer;  ///< name of the buffer, at whatever level it is
  double times = 0;    ///< bytes read per byte written; in global memory, per distinct byte
  Message how;         ///< how the number was obtained
};

/// The memory hierarchy of one state, the program after some schedule steps: buffers by level, traffic between levels,
/// and the limits on both.
struct MemoryView {
  /// Whether the statements of a kernel, or of a draft of one, were counted; otherwise only the buffers are known, from
  /// their scopes, and all counts below are 0. "Without a kernel" below means that this is false.
  bool kernel = false;
  bool draft = false;      ///< whether the state is no kernel, but its statements could be counted (`kernel` is true)
  bool allocated = false;  ///< whether buffers have the sizes that lowering allocates; else the sizes in the program
  Message problem;         ///< why the state is no kernel, also for a draft; else empty
  std::string device;      ///< name of the device; empty: it has no description
  Message deviceProblem;   ///< why the device has no description, or `budgets` can't be computed; else empty
  std::int64_t blocks = 0, threads = 0;  ///< launch: thread blocks, and threads of a block
  std::int64_t cluster = 1;              ///< blocks of a cluster, which reach each other's shared memory
  int registers = 0;                     ///< registers of a thread; 0: not known
  std::vector<MemoryBuffer> buffers;
  std::vector<MemorySharing> sharing;          ///< empty without a kernel, and if each buffer has bytes of its own
  double sharedBytes = 0;                      ///< shared memory that the buffers of a block take; 0 without a kernel
  std::vector<MemoryTraffic> traffic;          ///< traffic of the program as written
  std::vector<MemoryTraffic> compiledTraffic;  ///< traffic of the machine code; empty where that isn't known
  std::vector<MemoryBudget> budgets;           ///< empty without a kernel, and if they can't be computed for the device
  MemoryBarriers barriers;
  std::vector<MemoryMbarrier> mbarriers;
  std::vector<double> barriersAt;  ///< positions of the barriers, on the scale of MemoryBuffer::begins
  std::vector<MemoryReuse> reuse;
  std::vector<MemoryTimeBound> floors;  ///< the shortest time that each rate of the device allows; empty for a draft
  double tiles = 0;                     ///< products of tiles by tensor cores in the life of a block: each is executed
                                        ///< by one warp, or by one warpgroup
  /// For a persistent kernel the fewest and the most turns of a block, in each of which it computes a tile; else 0.
  int leastTurns = 0, mostTurns = 0;
  int blocksFit = 0;                  ///< blocks that fit on a multiprocessor; 0, as all below, without `budgets`
  double blocksRun = 0;               ///< blocks resident on a busy multiprocessor: `blocksFit`, or fewer if the grid
                                      ///< has fewer for each multiprocessor
  int multiprocessors = 0, idle = 0;  ///< multiprocessors of the device; how many of these get no block
  double occupancy = 0;               ///< warps of `blocksFit` blocks, as a share of the most that a multiprocessor can
                                      ///< have, 0 to 1

  /// Returns whether the copy engine brings boxes from global to shared memory.
  bool readsBoxes() const;
  /// Return the entry of `buffers` with that name at that level, or that of `traffic` between those levels in that
  /// column; null if there is none.
  const MemoryBuffer* find(const std::string& name, MemoryLevel level) const;
  const MemoryTraffic* find(MemoryLevel from, MemoryLevel to, int column) const;
};

/// Makes the view of a state. `model` is the model of one of its kernels, or of its draft (MemoryView::draft); null if
/// it has neither. `resources` is what the assembler says of that kernel, null before compilation. `device` is null if
/// it has no description: budgets and time bounds are then empty, and the caller fills in `deviceProblem`. A pure
/// function.
MemoryView memoryView(const document::KernelText& text, const model::Device* device, const model::KernelModel* model,
                      const compile::KernelResources* resources = nullptr);
/// Returns the memory view of a state's model, as any thread may ask. The view is made in the first call and lives as
/// long as the model.
const MemoryView& memoryOf(const StateModel& model);

}  // namespace loom::session

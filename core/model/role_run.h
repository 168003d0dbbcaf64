// How long a multiprocessor takes for blocks whose warps have roles: on Hopper, some ask the copy engine (TMA) for
// boxes, which are parts of matrices, and others multiply them by tensor cores (wgmma). The copy engine, tensor cores
// and warps work in parallel and wait for each other through a ring buffer, so that the time isn't a sum over phases.
// Therefore the run is simulated: warpgroups execute a list of steps, boxes land one after the other, products of a
// group follow each other, and boxes and products share the bandwidth of shared memory.
#pragma once
#include "core/model/cluster_network.h"
#include "core/model/device.h"
#include "core/model/role_program.h"
#include "core/model/role_trace.h"
#include "core/model/role_use.h"

namespace loom::model {

// The constants of such a simulation. Times are in clocks of a multiprocessor unless a name says otherwise. The clock
// rate under load (wallFrom, wallTo, wallBeyondL2) was chosen with regard to recorded times of the lessons at 1024³ and
// 4096³, too; nothing else was fitted to a state of a lesson.
// *Ladder* is a measured ladder of CUDA kernels made for this project on one H200 (2026-11, CUDA 13.0, interleaved
// rounds, clocks by ncu), whose rows differ in one decision each; 19 rows at 512 × 256 × 1024, 1024³, 2048³ and 4096³
// were predicted with other values of the constants that name it, and these left 6.5 % in the median.
struct RoleConstants {
  double launchMicroseconds = 0.57;  // an empty kernel of the same shape, warm: ladder
  // `sharedBytes`: bytes per clock of shared memory (CUDA C++ Programming Guide, 32 banks of 4 bytes). `fillShare`: the
  // share of the bytes of boxes that takes bandwidth from the factors that products read. With 128 × 128 tiles, tensor
  // cores are busy for 89.5 % of the time (ladder, row 12), so that the share is 0.73 at most.
  double sharedBytes = 128, fillShare = 0.7;
  // The most bytes per clock that boxes bring to one multiprocessor: the width of its link to L2, as DeepGEMM counts
  // it.
  double boxBytes = 64;
  // Clocks from a request to the copy engine until the first bytes of the box arrive: ladder. (A load from L2 takes 290
  // clocks by a pointer chase on an H200.)
  double boxLatency = 300;
  // Clocks from the kernel's first instruction to its first request of a box: mbarriers are initialised, the block
  // synchronises, tensor maps are fetched. The first bytes arrive 0.7 µs after the launch (ladder).
  double firstBox = 500;
  double blockStart = 300;  // clocks from the first instruction to the first box of later blocks
  double boxIssue = 80;     // clocks of a thread's instructions to request one box: ladder, rows without roles
  double productIssue = 6;  // clocks of a warp's instructions for one product: two moves of descriptors and wgmma
  double productLatency =
      140;                    // from the end of the last product until warps that wait for it continue: ladder, wait 0
  double barrierWait = 40;    // a wait for an mbarrier whose phase has ended already: ladder, wait 0
  double arrival = 10;        // an arrival at an mbarrier
  double meeting = 30;        // from the last arrival at the block's barrier until the groups continue
  double storeLatency = 450;  // from the last store until the block has ended
  // The share of the bytes of boxes that L2 delivers, since multiprocessors that ask for the same lines at the same
  // time are served together: of 16.3 GB of a product at 8192, L2 delivered 10.2 to 11.8 (ladder, ncu).
  double l2Asked = 0.63;
  // `lineNanoseconds`: how long each 128-byte line that a box touches occupies the link from L2 to a multiprocessor,
  // however few of its bytes are requested. `offSectors`: the factor for boxes whose rows don't begin at multiples of a
  // sector. Measured for this project on an H100 (CUDA 13.0, 2026-11), 4096 × 4096 × K by tiles of 128 × 128, of which
  // two warpgroups take turns: with rows of 128 bytes 209, 243, 257 and 376 µs for K = 4096, 4064, 4080 and 4088, whose
  // rows touch 1, 1.5, 1.75 and 1.88 lines; with rows of 64 bytes 275, 267, 334 and 593 µs, whose rows touch 1, 1, 1.25
  // and 1.38 lines.
  double lineNanoseconds = 1.0, offSectors = 1.55;
  // Returns the number of lines, of boxes whose rows begin at multiples of a sector, that take as long as `lines`
  // lines.
  double asWholeLines(double lines, bool onSectors) const { return lines * (onSectors ? 1 : offSectors); }
  ClusterNetwork network;
  double chunk = 4096;  // bytes of a box that are simulated as one transfer; smaller ones change nothing
  // The power limit. Up to the share `wallFrom` of the tensor cores' peak the clock rate is the one that the device
  // states: 1024³ runs at 0.39 of the peak with 1980 MHz. From the share `wallTo` on it is the sustained rate
  // (Quantity::TensorClockMhz): the slowest kernels at 4096³ would reach 0.47 of the peak, and run at that rate.
  double wallFrom = 0.40, wallTo = 0.46;
  // `wallWithinL2`: the factor by which the sustained rate is higher if L2 holds all data: kernels at 2048³ run at 1600
  // MHz, those at 4096³ at 1390 (ladder, rows 3 to 5). `wallBeyondL2`: the share of the data that L2 doesn't hold at
  // 4096³.
  double wallWithinL2 = 1.15, wallBeyondL2 = 0.7;
};

// The multiprocessor on which the blocks run.
struct RoleMachine {
  int blocks = 1, resident = 1;  // number of blocks that the multiprocessor runs in all, and at a time
  double boxBytes = 64;          // bytes of boxes that L2 delivers to this multiprocessor per clock
  double lineClocks = 2;         // clocks of the link to L2 for each 128-byte line that a box touches
  double writeBytes = 64;        // bytes that this multiprocessor writes to L2 per clock
  int multiprocessors = 132;     // number of multiprocessors of the device
};

// Simulates the blocks of one multiprocessor, whose warpgroups execute `steps` (RoleStep: a request, a wait, or work of
// known clocks). Returns the clocks at which the blocks end, and how long each part of the multiprocessor was busy.
// Returns nothing if an index can't be computed, if groups wait for something that never happens, or if there are too
// many events. `trace`, unless null, receives what happens during the life of the first block; RoleTrace::megahertz
// isn't changed.
std::optional<RoleRun> runRoles(const device::Kernel& kernel, const std::vector<RoleStep>& steps,
                                const RoleMachine& machine, const RoleConstants& constants = {},
                                RoleTrace* trace = nullptr);

}  // namespace loom::model

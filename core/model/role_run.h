// How long a multiprocessor takes for blocks whose warps have roles: on Hopper, some ask the copy engine (TMA) for
// boxes, which are parts of matrices, and others multiply them by tensor cores (wgmma). The copy engine, tensor cores
// and warps work in parallel and wait for each other through a ring buffer, so that the time isn't a sum over phases.
// Therefore the run is simulated: warpgroups execute a list of steps, boxes land one after the other, products of a
// group follow each other, and boxes and products share the bandwidth of shared memory.
#pragma once
#include <algorithm>

#include "core/model/cluster_network.h"
#include "core/model/device.h"
#include "core/model/role_program.h"
#include "core/model/role_trace.h"
#include "core/model/role_use.h"

namespace loom::model {

// The constants of such a simulation, and those from which `estimateByRoles` (role_estimate.h) derives a RoleMachine
// and the clock rate: `launchMicroseconds`, `boxBytes`, `boxLatency`, `memoryLatency`, `l2Asked`, `writeShare`,
// `lineNanoseconds` and `wall…`, none of which `runRoles` reads. Times are in clocks of a multiprocessor unless a name
// says otherwise. The clock rate under load (`wall…`) was chosen with regard to recorded times of the lessons at 1024³
// and 4096³, too.
// *Parts* are kernels of the lesson *hopper* (4096³) and the same ones without their copies, and without waits for them
// either: clocks by ncu on one H200, CUDA 13.0, 2026-11-29. What a part takes is the difference of two.
// *Ladder* is a measured ladder of CUDA kernels made for this project on one H200 (2026-11, CUDA 13.0, interleaved
// rounds, clocks by ncu), whose rows differ in one decision each; 19 rows at 512 × 256 × 1024, 1024³, 2048³ and 4096³
// were predicted with other values of the constants that name it, and these left 6.5 % in the median.
struct RoleConstants {
  double launchMicroseconds = 0.57;  // an empty kernel of the same shape, warm: ladder
  // `sharedBytes`: bytes per clock of shared memory (CUDA C++ Programming Guide, 32 banks of 4 bytes). `fillShare`: the
  // share of the bytes of boxes that takes bandwidth from the factors that products read. Products of 64 × 112 that
  // read 100 bytes a clock are at work for 96.7 % of the time while boxes bring 66 bytes a clock, and for 97.7 %
  // without boxes (parts), so that the share is 0.43 at most.
  double sharedBytes = 128, fillShare = 0.4;
  // The most bytes that boxes bring to one multiprocessor, per clock of the stated rate: the width of its link to L2,
  // as DeepGEMM counts it. The link keeps that rate when the multiprocessors' clock falls: at 1485 MHz, boxes brought
  // 66 bytes per clock (parts).
  double boxBytes = 64;
  // Clocks from a request to the copy engine until the first bytes of the box arrive. `boxLatency`: from L2 (ladder; a
  // load from L2 takes 290 clocks by a pointer chase on an H200). `memoryLatency`: if L2 holds no more of the matrices
  // than at 4096³ (`wallBeyondL2`), where most boxes have a line that comes from memory: a ring of four slots that
  // waits for it takes 330,000 clocks instead of the 281,000 without copies (parts).
  double boxLatency = 300, memoryLatency = 900;
  // Clocks from the kernel's first instruction to its first request of a box: mbarriers are initialised, the block
  // synchronises, tensor maps are fetched. The first bytes arrive 0.7 µs after the launch (ladder).
  double firstBox = 500;
  double blockStart = 300;  // clocks from the first instruction to the first box of later blocks
  double boxIssue = 80;     // clocks of a thread's instructions to request one box: ladder, rows without roles
  double productIssue = 6;  // clocks of a warp's instructions for one product: two moves of descriptors and wgmma
  // From the end of the last product until warps that wait for it continue: a warpgroup that waits for each group of
  // products starts the next one 57 clocks after tensor cores were free, whatever the number of columns (a loop of
  // products of 64 × 64 and 64 × 128 alone, one H200, 2026-11-29).
  double productLatency = 50;
  // A wait for an mbarrier whose phase has ended already, and an arrival at one, with the instructions that find the
  // slot: a loop of products takes 119 clocks more for each wait (parts), and 30 for each arrival.
  double barrierWait = 119, arrival = 30;
  double meeting = 30;        // from the last arrival at the block's barrier until the groups continue
  double storeLatency = 450;  // from the last store until the block has ended
  // The bytes that L2 has to deliver, as a share of the bytes of boxes that arrive at multiprocessors: those that ask
  // for the same lines at the same time are served together. It is 0.59 to 0.77, in the median 0.66, in the twelve
  // chapters of *hopper* (sectors looked up over sectors that arrive, ncu, one H200, 2026-11-29); of 16.3 GB of a
  // product at 8192, 0.63 to 0.72 (ladder, ncu).
  double l2Asked = 0.66;
  // The rate of writes to L2 as a share of that of reads: threads of one multiprocessor alone store 30 bytes a clock
  // where its link reads 64, and 132 of them together 3.7 to 4.3 TB/s where L2 reads 9.7 (stores of a wgmma's sums,
  // 8 to 67 MB, one H200, 2026-11-29).
  double writeShare = 0.5;
  // `lineNanoseconds`: how long each 128-byte line of a box that a multiprocessor requests occupies L2 and the link
  // from it, however few of its bytes are requested. Measured for this project on an H100 (CUDA 13.0, 2026-11), 4096 ×
  // 4096 × K by tiles of 128 × 128, of which two warpgroups take turns: with rows of 128 bytes 209, 243 and 257 µs for
  // K = 4096, 4064 and 4080, whose rows touch 1, 1.5 and 1.75 lines. `offSectors`: the factor for boxes whose rows
  // don't begin at multiples of a sector. `offSectorsArriving`: the factor for lines of such boxes that arrive, also
  // those that other blocks of the cluster request and multicast. Both fitted to 30 kernels of 16 products of random
  // sizes (H200, 2026-11-30), which they predict with an error of 8 % in the mean, 1.55 without the second one, which
  // had been fitted to a product without clusters, with 10 %.
  double lineNanoseconds = 1.0, offSectors = 1.35, offSectorsArriving = 0.75;
  // Returns the number of requested lines, of boxes whose rows begin at multiples of a sector, that take as long as a
  // box of which `lines` lines are requested and `arriving` arrive.
  double asWholeLines(double lines, double arriving, bool onSectors) const {
    return onSectors ? lines : std::max(lines * offSectors, arriving * offSectorsArriving);
  }
  ClusterNetwork network;
  double chunk = 4096;  // bytes of a box that are simulated as one transfer; smaller ones change nothing
  // The power limit. Up to the share `wallFrom` of the tensor cores' peak the clock rate is the one that the device
  // states: 1024³ runs at 0.39 of the peak with 1980 MHz. From the share `wallTo` on, power binds. A clock then costs
  // energy in proportion to `wallRest` + share, and the rate falls with the cube root of that, as power grows with the
  // rate and the square of a voltage that grows with it: over recorded times of *hopper*, kernels that reach 0.43,
  // 0.75 and 0.95 of the peak ran at 1.60, 1.42 and 1.34 GHz, which `wallRest` fits. The sustained rate
  // (Quantity::TensorClockMhz) is that of the share `wallAt`, the middle of those that it was measured with.
  double wallFrom = 0.40, wallTo = 0.46, wallRest = 0.335, wallAt = 0.77;
  // `wallWithinL2`: the factor by which the sustained rate is higher if L2 holds all data: kernels at 2048³ run at 1600
  // MHz, those at 4096³ at 1390 (ladder, rows 3 to 5). `wallBeyondL2`: the share of the data that L2 doesn't hold at
  // 4096³. `wallEarlier`: how much earlier power binds there, as a share of the peak: the slowest kernels of *hopper*,
  // at 0.43, don't reach the stated rate.
  double wallWithinL2 = 1.15, wallBeyondL2 = 0.7, wallEarlier = 0.06;
};

// The multiprocessor on which the blocks run. `runRoles` takes these values as they are, at the clock rate of the run.
struct RoleMachine {
  int blocks = 1, resident = 1;  // number of blocks that the multiprocessor runs in all, and at a time
  double boxBytes = 64;          // bytes of boxes that arrive at this multiprocessor per clock, at most
  double boxLatency = 300;       // clocks from a request until the first bytes of the box arrive
  double lineClocks = 2;         // clocks of the link to L2 for each 128-byte line that a box touches
  double writeBytes = 64;        // bytes that this multiprocessor writes to L2 per clock
  int multiprocessors = 132;     // number of multiprocessors of the device
};

// Simulates the blocks of one multiprocessor, whose warpgroups execute `steps` (RoleStep: a request, a wait, or work of
// known clocks). Returns the clocks, counted from the first instruction of the first blocks (without the launch), at
// which the last block ends, and how long each part of the multiprocessor was busy. The power limit isn't applied.
// Returns nothing if an index can't be computed, if groups wait for something that never happens, or if there are too
// many events. `trace`, unless null, receives what happens during the life of the first block; RoleTrace::megahertz and
// RoleTrace::powerBound aren't changed.
std::optional<RoleRun> runRoles(const device::Kernel& kernel, const std::vector<RoleStep>& steps,
                                const RoleMachine& machine, const RoleConstants& constants = {},
                                RoleTrace* trace = nullptr);

}  // namespace loom::model

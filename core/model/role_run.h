// How long a multiprocessor takes for blocks whose warps have roles (Hopper's loaders and multipliers). What binds
// there is no sum over phases: the copy engine, tensor cores and warps work side by side and wait for each other
// through a ring of slots. So their meetings are played through in time: groups of warps take their steps
// (role_program.h), boxes land one after the other, products of a group follow each other, and both share the bytes
// that shared memory gives a clock.
#pragma once
#include "core/model/cluster_network.h"
#include "core/model/device.h"
#include "core/model/role_program.h"
#include "core/model/role_trace.h"
#include "core/model/role_use.h"

namespace loom::model {

// The constants of such a run. Clocks are a multiprocessor's. The clock under load (wallFrom, wallTo, wallBeyondL2) was
// chosen by looking at the lessons' recordings at 1024³ and 4096³, too; nothing else was fitted to a state of a lesson.
// *Ladder* is a measured ladder of CUDA kernels made for this project on one H200 (2026-11, CUDA 13.0, interleaved
// rounds, clocks by ncu), whose rows differ in one decision each; 19 rows at 512 × 256 × 1024, 1024³, 2048³ and 4096³
// were predicted with other values of the constants that name it, and these left 6.5 % in the median.
struct RoleConstants {
  double launchMicroseconds = 0.57;  // an empty kernel of the same shape, warm: ladder
  // Of shared memory a clock: CUDA C++ Programming Guide, 32 banks of 4 bytes. Of what boxes bring in this share counts
  // beside the factors that products read: 128 × 128 tiles keep tensor cores busy for 89.5 % of the time (ladder, row
  // 12), so that at most 0.73 of it can.
  double sharedBytes = 128, fillShare = 0.7;
  // That boxes bring to one multiprocessor in a clock, at most: the width of its link to L2, as DeepGEMM counts it.
  double boxBytes = 64;
  // From giving a box to the copy engine until its first bytes arrive: what a load takes from L2 (290 clocks by a
  // pointer chase on an H200), ladder.
  double boxLatency = 300;
  // From the kernel's first instruction to its first box: barriers are made, the block meets, maps are fetched. The
  // first bytes are there 0.7 µs after the launch (ladder).
  double firstBox = 500;
  double blockStart = 300;      // the same for blocks that follow on the same multiprocessor
  double boxIssue = 80;         // a thread's instructions for one box: ladder, rows without roles
  double productIssue = 6;      // a warp's for one product: machine code, two moves of descriptors and the product
  double productLatency = 140;  // from the last product's sums until warps that wait for them go on: ladder, wait 0
  double barrierWait = 40;      // a wait that finds its barrier completed: ladder, wait 0
  double arrival = 10;          // an arrival at a barrier
  double meeting = 30;          // after the last has come to the block's barrier
  double storeLatency = 450;    // from the last store until the block has ended
  // Of the bytes that boxes name, L2 gives this share: multiprocessors that ask for the same lines together are served
  // together. Of 16.3 GB of a product at 8192, L2 gave 10.2 to 11.8 (ladder, ncu).
  double l2Asked = 0.63;
  // A line that a box touches keeps L2's way to a multiprocessor for so long, however little of it the box wants, and
  // times as long where rows begin off the sectors. 4096 × 4096 × K by tiles of 128 × 128, of which two warpgroups take
  // turns, on an H100 (measured for this project, CUDA 13.0, 2026-11): with 128 bytes a row 209, 243, 257 and 376 µs
  // for K = 4096, 4064, 4080 and 4088, whose rows touch 1, 1.5, 1.75 and 1.88 lines; with 64 bytes a row 275, 267, 334
  // and 593 µs, whose rows touch 1, 1, 1.25 and 1.38.
  double lineNanoseconds = 1.0, offSectors = 1.55;
  // Returns how many lines with rows that begin on sectors take as long as these.
  double asWholeLines(double lines, bool onSectors) const { return lines * (onSectors ? 1 : offSectors); }
  ClusterNetwork network;
  double chunk = 4096;  // bytes of a box that move together; finer changes nothing
  // The power wall (Quantity::TensorClockMhz). Below the first share of the tensor cores' peak the clock stays what
  // the device states: 1024³ runs at 0.39 of it with 1980 MHz. From the second on the clock is the sustained one: the
  // slowest kernels at 4096³ would reach 0.47 and run at it.
  double wallFrom = 0.40, wallTo = 0.46;
  // Where L2 holds all data the sustained clock is higher by this: kernels at 2048³ take their clocks at 1600 MHz,
  // those at 4096³ at 1390 (ladder, rows 3 to 5).
  double wallWithinL2 = 1.15, wallBeyondL2 = 0.7;  // this share of the data is beyond L2 at 4096³
};

// The multiprocessor on which the blocks run.
struct RoleMachine {
  int blocks = 1, resident = 1;  // that the multiprocessor runs in all, and at a time
  double boxBytes = 64;          // of boxes from L2, a clock, for this multiprocessor
  double lineClocks = 2;         // for a line of which a box wants something
  double writeBytes = 64;        // of writes to L2, a clock, for this multiprocessor
  int multiprocessors = 132;
};

// Runs the blocks of one multiprocessor. Returns nothing if an index can't be computed, or if groups wait for what
// never comes. `trace`, unless null, receives what happens while the first block lives; its `megahertz` is left as it
// is.
std::optional<RoleRun> runRoles(const device::Kernel& kernel, const std::vector<RoleStep>& steps,
                                const RoleMachine& machine, const RoleConstants& constants = {},
                                RoleTrace* trace = nullptr);

}  // namespace loom::model

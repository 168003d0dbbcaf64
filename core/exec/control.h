// The executor's instructions other than arithmetic. Each row has an instruction and the function of Warp that executes
// it. A new one is a row with its meaning here, its function beside those of its kind (warp.cpp, warp_memory.cpp, …),
// and the statement that compiles to it (compile.cpp). dst, a, b, c and imm are members of Instruction (bytecode.h); a
// register is uniform (one value for the warp) or a vector (one value for each lane). Accesses, checks, Operation and
// Sync are done for the active lanes, arithmetic and Broadcast for all. After an instruction has reported a fault, the
// warp goes on.
//
//   Broadcast     vector dst ← uniform a
//   MaskedCopy    vector dst ← vector a where the lane is active
//   LoopBegin     uniform dst = 0, 1, …, while dst < a; a is uniform, or a vector if b is 1: then the loop runs while
//                 dst < a in some active lane, and the other lanes are inactive until the loop has ended; c is the
//                 index of the loop in Code::loops; without iterations, goes on at the instruction behind the loop's
//                 LoopNext, which stands imm + 1 instructions further on
//   LoopNext      begins the next iteration of the innermost loop, at the instruction behind its LoopBegin, which
//                 stands imm instructions further back; after the last iteration, goes on, and the lanes that were
//                 active before the loop become active again
//   IfBegin       the lanes in which a (uniform, or a vector if b is 1) is true stay active; if there are none, goes on
//                 at the Else or EndIf, which stands imm instructions further on
//   Else          the lanes in which the condition was false become active; if there are none, goes on at the EndIf,
//                 which stands imm instructions further on
//   EndIf         the lanes that were active before the IfBegin become active again
//   Load          vector dst ← the element of the buffer with index c in Code::areas that has the number vector a +
//                 uniform b, each of which is 0 if it is absent (kNone); imm is the number of the site, that is, of the
//                 statement's access
//   Store         such an element ← vector dst
//   CheckAligned  reports Misaligned for lanes in which the number of the element of area c, given as for Load, is no
//                 multiple of the width; imm is site * 256 + the width in elements
//   CheckOperand  if b is 0, reports DivisionByZero for lanes in which vector a, a divisor, is 0; else ShiftTooFar for
//                 lanes in which vector a is no distance that a value of b bits can be shifted by; imm is the site that
//                 uses the result
//   Operation     an operation of a group of threads; imm is the index in Code::operations
//   Sync          a statement on asynchronous operations; imm is the index in Code::syncs. The warp stays at it until
//                 what it waits for has happened
//   LoadInBlock   as Load, but from the shared memory of another block of the cluster; imm has the site and the number
//                 of the vector register with that block's rank (InBlock). Reports OutOfBounds for a rank outside the
//                 cluster, and reads from the block of the nearest rank
//   Barrier       b = 0: the warp waits until all warps of the block are here, and then sees what they have written;
//                 b = 1: it waits for all warps of the cluster, and doesn't see what they have written;
//                 b = 2: it waits for all warps of the cluster, and then sees what they have written; imm is the site
//   End           ends the warp
#pragma once

#define LOOM_CONTROL_OPERATIONS(X) \
  X(Broadcast, broadcast)          \
  X(MaskedCopy, maskedCopy)        \
  X(LoopBegin, loopBegin)          \
  X(LoopNext, loopNext)            \
  X(IfBegin, ifBegin)              \
  X(Else, otherLanes)              \
  X(EndIf, endIf)                  \
  X(Load, load)                    \
  X(LoadInBlock, loadInBlock)      \
  X(Store, store)                  \
  X(CheckAligned, checkAligned)    \
  X(CheckOperand, checkOperand)    \
  X(Operation, operation)          \
  X(Sync, sync)                    \
  X(Barrier, barrier)              \
  X(End, end)

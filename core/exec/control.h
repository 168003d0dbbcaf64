// The executor's instructions other than arithmetic. Each row has an instruction and the function of Warp that executes
// it. A new one is a row with its meaning here, its function beside those of its kind (warp.cpp, warp_memory.cpp, …),
// and the statement that compiles to it (compile.cpp). dst, a, b, c and imm are members of Instruction (bytecode.h); a
// register is uniform (one value for the warp) or a vector (one value for each lane). Accesses, checks, operations and
// statements are done for the active lanes, arithmetic for all.
//
//   Broadcast     vector dst ← uniform a
//   MaskedCopy    vector dst ← vector a where the lane is active
//   LoopBegin     uniform dst = 0, 1, …, while dst < a; a is uniform, or a vector if b is 1: then the loop runs while
//                 dst < a in some active lane, and the other lanes are inactive until the loop has ended; c is the
//                 index in Code::loops; without iterations, goes on behind the next imm instructions
//   LoopNext      goes back by imm instructions to the loop's first one; after the last iteration, the lanes that were
//                 active before the loop become active again
//   IfBegin       the lanes in which a (uniform, or a vector if b is 1) is true stay active; if there are none, goes on
//                 at the Else or EndIf, which stands imm instructions further on
//   Else          the lanes in which the condition was false become active; if there are none, goes on at the EndIf,
//                 which stands imm instructions further on
//   EndIf         the lanes that were active before the IfBegin become active again
//   Load, Store   between vector dst and the buffer with index c in Code::areas, at element vector a + uniform b, of
//                 which either may be absent (kNone); imm is the number of the site, that is, of the statement's access
//   CheckAligned  reports Misaligned, and goes on, for lanes in which the element of area c, given as for Load, is no
//                 multiple of the width; imm is site * 256 + the width in elements
//   CheckOperand  reports DivisionByZero for a divisor, vector a, of 0 (b is 0), or ShiftTooFar for a distance,
//                 vector a, that a value of b bits can't be shifted by, and goes on; imm is the site that uses the
//                 result
//   Operation     an operation of a group of threads; imm is the index in Code::operations
//   Sync          a statement on asynchronous operations; imm is the index in Code::syncs. The warp stays at it until
//                 what it waits for has happened
//   LoadInBlock   as Load, but from the shared memory of the block whose rank in the cluster is in a vector; imm says
//                 which, and the site (InBlock)
//   Barrier       the warp waits until all warps of the block are here, which then see what all have written (b is
//                 0), or all warps of the cluster, which then see that if b is 2, but not if b is 1; imm is the site
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

// What the executor's instructions do beside arithmetic, a row each: the instruction, and the function of Warp that
// does it. A new one is a row with its meaning here, its function beside those of its kind (warp.cpp, warp_memory.cpp,
// …), and the statement that compiles to it (compile.cpp).
//
//   Broadcast     vector dst ← uniform a
//   MaskedCopy    vector dst ← vector a where the lane is active
//   LoopBegin     uniform dst = 0 …, while dst < a (uniform, or a vector if b is 1); loop c of the code; skips imm
//   LoopNext      back by imm to the loop's first instruction, or on
//   IfBegin       lanes with a (uniform, or a vector if b is 1) go on; skips imm to the Else or EndIf if there is none
//   Else, EndIf   the other lanes; all lanes
//   Load, Store   vector dst ↔ area c at vector a + uniform b (either may be kNone); imm is the site
//   CheckAligned  as Load, imm is site * 256 + the width in elements
//   CheckOperand  vector a is a divisor (b 0) or shifts b bits; imm is the site that uses the result
//   Operation     imm is the index in `operations`
//   Sync          imm is the index in `syncs`; the warp stands at it until what it waits for has happened
//   LoadInBlock   as Load, of block n of the cluster, n being vector imm % 65536; imm / 65536 is the site
//   Barrier       the warp stands until all warps of the block do, of the cluster where b is 1, or 2, whose threads
//   then
//                 see what all have written; imm is the site
//   End           of the code
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

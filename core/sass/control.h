// What the compiler decided about the issue of each instruction, which the instruction carries in its own bits.
//
// NVIDIA documents none of it. The layout of the 128 bits is that found by Jia, Maggioni, Staiger and Scarpazza,
// "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (arXiv:1804.06826, section 2.1), as the
// assemblers TuringAs and CuAssembler write it: from bit 105 on, four bits of clocks, one that, if set, keeps the
// scheduler at this warp, three of the barrier that a result sets, three of the barrier that read sources set, six of
// the barriers waited for, four of sources kept in the reuse cache. What the fields do was found for Maxwell by Gray
// (maxas, "Control Codes"), for Ampere and later by Huerta et al., "Dissecting and Modeling the Architecture of Modern
// GPU Cores" (2025). `tests/model/issue_control_test.cpp` holds real code to it.
#pragma once
#include <cstdint>
#include <string>

namespace loom::sass {

// The scoreboards of a warp ("barriers" below), for instructions of variable latency.
inline constexpr int kScoreboards = 6;

// The control bits of an instruction, with which the compiler schedules its issue.
struct IssueControl {
  int stall = 0;           // clocks until the warp may issue its next instruction; 0–15
  bool yield = false;      // whether the scheduler then prefers another warp
  int writeBarrier = -1;   // barrier that is released when the result is written; −1: none, as for a fixed latency
  int readBarrier = -1;    // barrier that is released when the sources are read and may be overwritten; −1: none
  std::uint8_t waits = 0;  // bit n: the instruction isn't issued before barrier n is released
  std::uint8_t reuse = 0;  // bit n: source n stays in the reuse cache of the register file
};

// Returns whether instructions of an architecture, 90 for "sm_90", have 128 bits with this layout: Volta (70) to
// Blackwell (121).
bool hasIssueControl(int architecture);

// Decodes the control bits. `high` has bits 64 to 127 of the encoding, which is the second word that nvdisasm prints.
IssueControl issueControlOf(std::uint64_t high);

// Returns the control bits in the notation of maxas: "--:0:-:Y:04" is wait mask, read barrier, write barrier, yield,
// stall. Barriers are numbered from 0; `reuse` is left out.
std::string notationOf(const IssueControl& control);

}  // namespace loom::sass

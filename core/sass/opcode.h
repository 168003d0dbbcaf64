// The table of opcodes of the machine code (SASS): for each, the pipe that executes it, what it does, and what it
// writes. A new instruction needs a row in opcode.cpp, and its description in app/panels/code/view/mnemonics_sass.cpp.
//
// NVIDIA documents names ("CUDA Binary Utilities", instruction set reference), not operands; those of Hopper's are as
// nvdisasm 13 prints what NVRTC 13 makes of PTX (tests/sass/hopper_instructions_sm_90a.sass).
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace loom::sass {

// What kind of work an instruction does, by the pipe that executes it.
enum class Pipe : std::uint8_t {
  GlobalLoad,
  GlobalStore,
  SharedLoad,
  SharedStore,
  LdMatrix,
  LocalLoad,  // spills and arrays that didn't fit in registers
  LocalStore,
  Fma,     // FFMA, FADD, FMUL
  Half,    // HFMA2, HADD2, HMUL2
  Tensor,  // HMMA, IMMA, DMMA, BMMA; HGMMA, QGMMA, IGMMA, BGMMA of a warpgroup
  Integer,
  Special,     // MUFU, conversions
  Control,     // direct branches: BRA
  Barrier,     // barriers of a block's or a cluster's threads: BAR, UCGABAR_ARV
  Mbarrier,    // operations on mbarriers, which lie in shared memory: SYNCS
  CopyEngine,  // copies that one thread starts (TMA): UTMALDG, UTMASTG, UBLKCP
  Uniform,     // executed once for the warp: UIADD3, UMOV, R2UR, ELECT
  Other,       // all else: waiting and ordering (DEPBAR, MEMBAR), calls, shuffles, atomics, constants, double precision
};
inline constexpr int kPipes = int(Pipe::Other) + 1;  // number of values of Pipe
// Returns the English name of a pipe: "global load", …
const char* nameOf(Pipe pipe);

// What the machine (machine.h), which executes instructions of a warp on the CPU, does with an instruction.
enum class Operation : std::uint8_t {
  Nothing,  // barriers, waits, starting a copy by the copy engine: no register changes
  Meet,     // lanes that diverged wait here for each other and converge; each group of lanes executes it
  Exit,
  Branch,
  Memory,          // global and shared; sources.back() is the address; LDGSTS copies from there to sources.front()
  Forget,          // the machine takes what the instruction writes for unknown
  Refused,         // the machine can't go on: calls, indirect branches, atomics
  Move,            // MOV, R2UR: a register to another
  Multiply,        // a·b + c, 32 bits
  MultiplyWide,    // IMAD.WIDE: a·b + c, 64 bits
  MultiplyHigh,    // the upper word of a·b + the pair c
  Add3,            // IADD3: a + b + c
  Lea,             // LEA: (a << n) + b
  LeaHigh,         // LEA.HI: the upper word of a shifted pair, plus b
  Logic,           // LOP3: any bitwise function of three operands
  PredicateLogic,  // PLOP3: any function of three predicates
  ShiftLeft,       // SHF.L
  ShiftLeftHigh,   // SHF.L.HI: the upper word of a shifted pair
  ShiftRight,      // SHF.R
  Compare,         // ISETP: a comparison of integers
  Select,          // SEL: a or b, by a predicate
  Least,           // IMNMX, VIMNMX: minimum or maximum, by a predicate
  Permute,         // PRMT: bytes of a pair of registers in a given order
  Pack,            // HFMA2.MMA of constants
  CheckDivision,   // FCHK: whether operands are extreme enough for the slow path
  Special,         // S2R, S2UR, CS2R: a special register, such as the lane's number
  Constant,        // LDC, ULDC: a load from a constant bank
  ToPredicates,    // R2P: bits of a register to predicates
  FromPredicates,  // P2R: predicates to bits of a register
  Vote,            // VOTE, VOTEU: of the lanes that take part
  Elect,           // ELECT: one of the lanes that take part, taken to be the first
  Shuffle,         // SHFL: what another lane of the warp holds
  LocalLoad,       // LDL: a load from local memory
  LocalStore,      // STL: a store to local memory
  // SYNCS.PHASECHK (has a phase ended?), USETMAXREG.TRY_ALLOC (are registers free?): the answer depends on time and is
  // taken to be yes at once. A loop that asks until the answer is yes thus counts as one iteration.
  Granted,
};

// Which of its operands an instruction writes.
enum class Writes : std::uint8_t { Register, Nothing, Predicates };

// What is known of an opcode.
struct Opcode {
  std::string_view stem;  // what is before the first point: "LDG"
  Pipe pipe = Pipe::Other;
  Operation does = Operation::Forget;
  Writes writes = Writes::Register;
  bool counted = true;  // false: the instruction moves data or multiplies in a way that no analysis here counts
};

// Returns the row of an opcode such as "LDG.E.128", by the part before the first point. Uniform forms (UIADD3, UISETP)
// without a row of their own have that of the form without the U, on the uniform pipe. Returns nothing for an unknown
// opcode.
std::optional<Opcode> opcodeOf(std::string_view opcode);

// Returns whether an opcode has this modifier: "LDG.E.128" has "E" and "128", not "12" nor "LDG".
bool hasModifier(std::string_view opcode, std::string_view modifier);

}  // namespace loom::sass

// What is known of each opcode: one row each, from which every reader of machine code takes what concerns it. A new
// instruction is a row here, and words in app/panels/code/view/mnemonics_sass.cpp.
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
  Special,  // MUFU, conversions
  Control,
  Barrier,     // of a block's or a cluster's threads: BAR, UCGABAR_ARV
  Mbarrier,    // on barriers that lie in shared memory: SYNCS
  CopyEngine,  // asked for by one thread: UTMALDG, UTMASTG, UBLKCP
  Uniform,     // done once for the warp: UIADD3, UMOV, R2UR, ELECT
  Other,       // waiting and ordering: DEPBAR, MEMBAR, FENCE, WARPGROUP
};
inline constexpr int kPipes = int(Pipe::Other) + 1;
const char* nameOf(Pipe pipe);  // "global load", …

// What the machine (machine.h) does with an instruction.
enum class Operation : std::uint8_t {
  Nothing,  // barriers, waiting, what the copy engine is asked for: no register changes
  Meet,     // lanes that parted wait here for one another: each part executes it
  Exit,
  Branch,
  Memory,   // global and shared; sources.front() is the address
  Forget,   // what it writes isn't computed
  Refused,  // control that isn't followed: calls, indirect branches
  Move,
  Multiply,  // a·b + c, 32 bits
  MultiplyWide,
  MultiplyHigh,  // the upper word of a·b + the pair c
  Add3,
  Lea,
  LeaHigh,
  Logic,
  PredicateLogic,
  ShiftLeft,
  ShiftLeftHigh,
  ShiftRight,
  Compare,
  Select,
  Least,
  Permute,
  Pack,           // HFMA2.MMA of constants
  CheckDivision,  // FCHK: whether operands are extreme enough for the slow path
  Special,
  Constant,
  ToPredicates,
  FromPredicates,
  Vote,     // VOTE, VOTEU: of the lanes that take part
  Elect,    // ELECT: one of the lanes that take part, taken to be the first
  Shuffle,  // SHFL: what another lane of the warp holds
  LocalLoad,
  LocalStore,
  // SYNCS.PHASECHK, USETMAXREG.TRY_ALLOC: asks for what depends on time, and is taken to get it at once. Code that asks
  // until it gets it is thus counted as one pass that succeeds.
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
  bool counted = true;  // false: it moves data or multiplies in a way that has no count here
};

// Returns the row of an opcode such as "LDG.E.128", by the part before the first point. Uniform forms (UIADD3, UISETP)
// without a row of their own have that of the form without the U, on the uniform pipe. Returns nothing for an unknown
// opcode.
std::optional<Opcode> opcodeOf(std::string_view opcode);

// Returns whether an opcode has this modifier: "LDG.E.128" has "E" and "128", not "12" nor "LDG".
bool hasModifier(std::string_view opcode, std::string_view modifier);

}  // namespace loom::sass

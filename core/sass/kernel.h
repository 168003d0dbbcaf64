// Machine code as instructions: what nvdisasm prints, read back. Loops are the ranges that a backward branch closes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/result.h"
#include "core/sass/control.h"

namespace loom::sass {

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
  Tensor,  // HMMA, IMMA, DMMA, BMMA
  Integer,
  Special,  // MUFU, conversions
  Control,
  Barrier,
  Other,
};
const char* nameOf(Pipe pipe);  // "global load", …

struct Instruction {
  std::int64_t address = 0;
  std::string opcode;  // "LDG.E.128.CONSTANT"
  Pipe pipe = Pipe::Other;
  std::string operands;  // "R48, desc[UR4][R60.64]"
  std::string guard;     // "P0", "!UP1"; empty: always
  bool predicated = false;
  std::int64_t target = -1;  // of a branch or a call: the address
  int bytes = 0;             // of a memory instruction: per lane; of ldmatrix: 16 per matrix row, `matrices` of them
  int matrices = 0;
  // Registers as the estimate's latencies were fitted with them, wide operands by name; 256 + n for predicate n, 512 +
  // n for uniform register n. registers.h has all of them.
  std::vector<int> reads, writes;
  std::optional<IssueControl> control;  // there when the text has encodings, of an architecture whose layout is known
  int line = 0;                         // of the CUDA text, 0 when it comes from a header
  std::string inlined;                  // "mma.hpp:626": what the line calls, innermost first; empty: its own
  int loop = -1;                        // innermost
};

struct SassLoop {
  std::int64_t first = 0, last = 0;  // addresses, inclusive
  int parent = -1;
  int line = 0;  // of the branch that closes it
};

struct SassKernel {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<SassLoop> loops;           // outer before inner
  int architecture = 0;                  // 90 of "sm_90a"; 0: the text doesn't say
  std::map<int, std::string> constants;  // bytes of the constant banks beside the code; bank 0 is the launch's
};

// `sass` as compile::disassemble gives it. Error "SassError" when it holds no kernel's code.
Result<std::vector<SassKernel>> parseSass(const std::string& sass);

}  // namespace loom::sass

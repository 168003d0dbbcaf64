// Machine code as instructions, read from the text that nvdisasm prints. A loop is the range that a backward branch
// closes whose target all ways to it pass.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/result.h"
#include "core/sass/control.h"
#include "core/sass/opcode.h"

namespace loom::sass {

// Beyond the numbers of registers: what copies past registers write, and what products of warpgroups write. Both are
// waited for all at once.
inline constexpr int kCopies = 768, kProducts = 769;

// An instruction of SASS.
struct Instruction {
  std::int64_t address = 0;  // bytes from the start of the kernel
  std::string opcode;        // "LDG.E.128.CONSTANT"
  Pipe pipe = Pipe::Other;
  std::string operands;  // "R48, desc[UR4][R60.64]"
  std::string guard;     // predicate under which it is executed: "P0", "!UP1"; empty: always
  bool predicated = false;
  std::int64_t target = -1;  // address that a branch or a call leads to; -1: not a constant, or no branch
  int bytes = 0;             // that a memory instruction moves for each lane; ldmatrix: 16 for each row of a matrix
  int matrices = 0;          // of ldmatrix; else 0
  // True for a copy from global to shared memory past registers (LDGSTS): a global load whose first operand says where
  // the bytes go.
  bool toShared = false;
  // Registers that it reads and writes: n for register n, 256 + n for predicate n, 512 + n for uniform register n, and
  // kCopies for what copies past registers write and the wait for all of them reads (DEPBAR.LE SB0, 0x0), and
  // likewise kProducts (WARPGROUP.DEPBAR.LE gsb0, 0x0). A wide operand counts as the one register that is named, which
  // is what the estimate's latencies were fitted with; registers.h has all of them.
  std::vector<int> reads, writes;
  std::optional<IssueControl> control;  // nothing if the text has no encodings, or their layout isn't known
  int line = 0;                         // line of the CUDA text, from 1; 0: it comes from a header
  std::string inlined;  // header lines it was inlined from, "mma.hpp:626", innermost first; empty: the line's own code
  int loop = -1;        // innermost loop around it, as an index into the kernel's loops; -1: none
};

// A loop of the machine code: an address range that a backward branch closes.
struct Loop {
  std::int64_t first = 0, last = 0;  // addresses, inclusive
  int parent = -1;                   // index of the loop around it; -1: none
  int line = 0;                      // line of the CUDA text that the closing branch comes from
};

// The machine code of a kernel.
struct Kernel {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<Loop> loops;               // outer before inner
  int architecture = 0;                  // 90 of "sm_90a"; 0: the text doesn't say
  std::map<int, std::string> constants;  // bytes of the constant banks beside the code; bank 0 is the launch's
};

// Parses SASS as compile::disassemble gives it. Error "SassError" if it holds no kernel's code.
Result<std::vector<Kernel>> parse(const std::string& sass);

}  // namespace loom::sass

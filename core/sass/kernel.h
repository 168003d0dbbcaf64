// Machine code as instructions, read from the text that nvdisasm prints. A loop is the address range from the target of
// a backward branch to the branch, if every path to the branch passes through the target.
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

// Numbers in Instruction::reads and writes that are no registers. kCopies stands for the shared memory that
// asynchronous copies (LDGSTS) write, kProducts for the registers that products of warpgroups (wgmma) write; a wait is
// for all copies or all products at once. (In RegisterUse, registers.h, these numbers are uniform predicates.)
inline constexpr int kCopies = 768, kProducts = 769;

// An instruction of SASS.
struct Instruction {
  std::int64_t address = 0;  // bytes from the start of the kernel
  std::string opcode;        // "LDG.E.128.CONSTANT"
  Pipe pipe = Pipe::Other;
  std::string operands;      // "R48, desc[UR4][R60.64]"
  std::string guard;         // predicate under which it is executed: "P0", "!UP1"; empty: always
  bool predicated = false;   // whether there is a guard
  std::int64_t target = -1;  // address that a branch or a call leads to; -1: not a constant, or no branch
  // Bytes that a load or store of global, shared or local memory moves for each lane; of ldmatrix 16, one row of one
  // matrix, whatever `matrices` is; 0 for other instructions.
  int bytes = 0;
  int matrices = 0;  // number of 8 × 8 matrices that ldmatrix loads; 0 for other instructions
  // True for a copy from global to shared memory past registers (LDGSTS): a global load whose first operand says where
  // the bytes go.
  bool toShared = false;
  // Registers that the instruction reads and writes, without its guard. Register n has the number n, predicate n has
  // 256 + n and uniform register n 512 + n; RZ, PT and URZ aren't listed. LDGSTS writes kCopies, and the wait for all
  // copies (DEPBAR.LE SB0, 0x0) reads it; products of warpgroups write kProducts, and the wait for all products
  // (WARPGROUP.DEPBAR.LE gsb0, 0x0) reads it. Of a wide operand all registers count where memory is accessed, in matrix
  // products of a warp and in results of 64 bits, elsewhere only those that the text names, with which the estimate's
  // latencies were fitted; registers.h has all of them.
  std::vector<int> reads, writes;
  std::optional<IssueControl> control;  // nothing if the text has no encodings, or their layout isn't known
  int line = 0;  // line of the CUDA text that it comes from, or that calls the header it comes from; 0: unknown
  // Header lines it was inlined from, innermost first: "mma.hpp:626 ← mma.hpp:91"; empty: the line's own code.
  std::string inlined;
  int loop = -1;  // innermost loop around it, as an index into the kernel's loops; -1: none
};

// A loop of the machine code: an address range that a backward branch closes; of several branches to one target, the
// last one.
struct Loop {
  std::int64_t first = 0, last = 0;  // addresses, inclusive
  int parent = -1;                   // index of the loop around it; -1: none
  int line = 0;                      // line of the CUDA text that the closing branch comes from; 0: unknown
};

// The machine code of a kernel.
struct Kernel {
  std::string name;
  std::vector<Instruction> instructions;  // by address, without the NOPs that fill up the end of the code
  std::vector<Loop> loops;                // outer before inner
  int architecture = 0;                   // 90 of "sm_90a"; 0: the text doesn't say
  // By number of a constant bank: the bytes that the text has of it. Not of bank 0, which the launch fills.
  std::map<int, std::string> constants;
};

// Parses SASS as compile::disassemble gives it. Error "SassError" if it holds no kernel's code.
Result<std::vector<Kernel>> parse(const std::string& sass);

}  // namespace loom::sass

// The registers of one warp, and what integer instructions do to them: machine.cpp has the registers, constants and
// addresses, machine_execute.cpp what each kind of instruction does.
#pragma once
#include <map>

#include "core/device/program.h"
#include "core/sass/operand.h"
#include "core/sass/values.h"

namespace loom::sass {

// Which lanes take a branch. Each: those whose condition holds. Any: all lanes that run together, if the condition of
// any of them holds (BRA.U.ANY). Parted: all lanes that run together, if they are not exactly the lanes that a mask
// names (BRA.DIV).
enum class BranchIf : std::uint8_t { Each, Any, Parted };

// An instruction in the form that the machine executes, with its operands taken apart.
struct DecodedInstruction {
  using Kind = Operation;
  Kind kind = Kind::Forget;
  Operand guard;      // the predicate under which the instruction is executed; PT, which is always true, if it has none
  Operand condition;  // of a branch: a further predicate that must hold; PT if it has none
  int target = -1;    // of a branch: index of the instruction to go to; -1: none
  BranchIf branch = BranchIf::Each;
  int words = 1;  // number of consecutive registers that each destination stands for
  // Whether a memory instruction has generic addresses (LD, ST), of which only those in shared memory are followed.
  bool generic = false;
  // `isSigned`: integer operands are signed. `extended`: modifier X or EX, the instruction continues from the lower
  // word of a wider number. `wide`: modifier 64. `signExtended`: modifier SX32, an operand of 32 bits is extended by
  // its sign.
  bool isSigned = true, extended = false, wide = false, signExtended = false;
  int comparison = 0;  // 0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE, 7 T
  int vote = 0;        // 0 all, 1 any, 2 all or none
  int shuffle = 0;     // SHFL from lane b (0), from b lanes before (1), b lanes after (2), or from lane ^ b (3)
  int joined = 0;      // how a comparison is combined with a further predicate: 0 and, 1 or, 2 xor
  std::vector<Operand> predicatesOut, predicatesIn, destinations, sources;
};

// Returns a kernel's instructions in decoded form, by index in Kernel::instructions. One that isn't known gets
// Kind::Forget: the machine then takes what it writes for unknown.
std::vector<DecodedInstruction> decode(const Kernel& sass);

// A machine holds the registers, predicates and local memory of one warp, each with its value in all lanes or as
// unknown in all of them, and executes instructions one by one. The caller chooses the next instruction, evaluates
// guards and branches, and models global and shared memory, of whose contents the machine knows nothing. It computes no
// floats, and takes all lanes to access local memory at the address of the first that exists.
class Machine {
 public:
  // Makes the machine of warp number `warp` of block number `block` of the grid (counted along x first). `threads` is
  // the mask of the lanes that exist. Registers and predicates begin as unknown. `sass` provides the constants, and
  // device::Kernel::scalars the values of scalar parameters, which are unknown if they aren't set there; `sass` and
  // `kernel` must outlive the machine.
  Machine(const device::Kernel& kernel, const Kernel& sass, std::int64_t block, int warp, std::uint32_t threads);

  // Returns the byte address in global memory at which the buffer of the kernel parameter with this number begins. The
  // machine chooses these addresses, far apart.
  static std::int64_t addressOf(int parameter);
  // Returns whether a generic address of 64 bits lies in the shared memory of a block of the cluster; false: in global
  // memory. In shared memory bits 24 to 31 are the block's rank in the cluster, and the lower ones the byte offset in
  // its shared memory.
  static bool isShared(std::int64_t address);
  // Returns the lanes in which a predicate operand, negated if the operand says so, holds, or that it isn't known.
  LaneFlags flags(const Operand& predicate) const;
  // Returns the values of an operand in all lanes; for a register, of the one `word` registers after the one it names.
  LaneBits read(const Operand& o, int word = 0) const;
  // Sets the register `word` registers after the one that the operand names, in all lanes that exist. For instructions
  // that all lanes execute and whose results the caller computes.
  void put(const Operand& o, int word, const LaneBits& value);
  // Computes the byte address that a memory operand has in each lane of the mask `active`, by lane; what other lanes
  // get means nothing. The address of a shared or local operand (LDS, LDL) is one of that state space, not a generic
  // one. Returns false, and leaves `out` without meaning, if a part of an address isn't known.
  bool addresses(const Operand& memory, std::uint32_t active, std::array<std::int64_t, 32>& out) const;
  // Executes an instruction, whatever its guard: `all` is the mask of the lanes that have come to it together, never
  // empty, and `active` that of those among them in which the guard holds, as `flags` tells. `sure` is false if the
  // guard isn't known: then `active` says nothing, and what the instruction writes is unknown afterwards. Does nothing
  // if `active` is empty and `sure` is true.
  void execute(const DecodedInstruction& op, std::uint32_t active, bool sure, std::uint32_t all);
  // Makes all registers and predicates that an instruction writes unknown, in all lanes of the warp, even if only some
  // are in `active`; does nothing if `active` is empty. The masks are those of `execute`.
  void forget(const DecodedInstruction& op, std::uint32_t active, std::uint32_t all);

 private:
  void write(const Operand& o, int word, const LaneBits& value);
  void write(const Operand& o, LaneFlags value);
  LaneBits constant(int bank, std::int64_t offset) const;
  LaneBits special(SpecialRegister s) const;
  template <class F>
  LaneBits each(const DecodedInstruction& op, F f) const;
  void add3(const DecodedInstruction& op);
  void addCarry(const DecodedInstruction& op, LaneBits& to);
  void addWide(const DecodedInstruction& op);
  void compare(const DecodedInstruction& op);
  void wide(const DecodedInstruction& op);
  void logic(const DecodedInstruction& op);
  void shuffle(const DecodedInstruction& op);

  const device::Kernel& kernel_;
  const Kernel& sass_;
  std::array<std::int64_t, 3> block_;
  std::int64_t rank_ = 0;  // rank of the block in its cluster
  std::array<LaneBits, 3> thread_;
  std::array<LaneBits, 256> registers_;
  std::array<LaneBits, 64> uniform_;
  std::array<LaneFlags, 8> predicates_, uniformPredicates_;
  std::map<std::int64_t, LaneBits> local_;
  std::uint32_t threads_, active_ = 0;
};

}  // namespace loom::sass

// The registers of one warp, and what integer instructions do to them: machine.cpp has the registers, constants and
// addresses, machine_execute.cpp what each kind of instruction does.
#pragma once
#include <map>

#include "core/device/program.h"
#include "core/sass/operand.h"
#include "core/sass/values.h"

namespace loom::sass {

// Which lanes a branch takes along: each one whose condition holds; all of those that run together if that of any holds
// (BRA.U.ANY); all of them if they aren't the ones that a mask names (BRA.DIV).
enum class BranchIf : std::uint8_t { Each, Any, Parted };

// An instruction in the form that the machine executes, with its operands taken apart.
struct DecodedInstruction {
  using Kind = Operation;
  Kind kind = Kind::Forget;
  Operand guard;      // predicate
  Operand condition;  // of a branch: further predicate
  int target = -1;    // of a branch: index into the code
  BranchIf branch = BranchIf::Each;
  int words = 1;  // registers written from the first on
  // Of a memory instruction: it names an address of any memory (LD, ST); only those of shared memory are followed.
  bool generic = false;
  bool isSigned = true, extended = false, wide = false, signExtended = false;
  int comparison = 0;  // 0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE, 7 T
  int vote = 0;        // 0 all, 1 any, 2 all or none
  int shuffle = 0;     // from 0 the lane of a number, 1 one before, 2 one after, 3 one whose number differs in bits
  int joined = 0;      // with the further predicate: 0 and, 1 or, 2 xor
  std::vector<Operand> predicatesOut, predicatesIn, destinations, sources;
};

// Decodes a kernel's instructions, one for each of Kernel::instructions. What isn't known becomes Kind::Forget.
std::vector<DecodedInstruction> decode(const Kernel& sass);

// A machine holds the registers, predicates and local memory of one warp, each lane's value or that it isn't known, and
// executes instructions one by one. It computes no floats and knows nothing of what global and shared memory hold.
class Machine {
 public:
  // Makes the machine of warp `warp` in block `block`, of which the lanes in the mask `threads` exist. `sass` provides
  // the constants; it and `kernel` must outlive the machine.
  Machine(const device::Kernel& kernel, const Kernel& sass, std::int64_t block, int warp, std::uint32_t threads);

  // Returns the address at which the buffer of a kernel parameter begins. Buffers lie far apart.
  static std::int64_t addressOf(int parameter);
  // Returns whether an address of 64 bits lies in the shared memory of a block of the cluster (SR_SWINHI), and not in
  // global memory.
  static bool isShared(std::int64_t address);
  LaneFlags flags(const Operand& predicate) const;
  // Returns the register that is `word` registers after the operand's.
  LaneBits read(const Operand& o, int word = 0) const;
  // Sets that register in all lanes, for an instruction that the machine itself doesn't compute.
  void put(const Operand& o, int word, const LaneBits& value);
  // Computes the byte addresses of a memory operand. Returns false if a part of an address isn't known.
  bool addresses(const Operand& memory, std::uint32_t active, std::array<std::int64_t, 32>& out) const;
  // Executes an instruction. `sure` says whether it is known that the lanes of `active` take part; if not, what they
  // write is unknown afterwards. `all` are the lanes of the warp that run together here.
  void execute(const DecodedInstruction& op, std::uint32_t active, bool sure, std::uint32_t all);
  void forget(const DecodedInstruction& op, std::uint32_t active, std::uint32_t all);

 private:
  void write(const Operand& o, int word, const LaneBits& value);
  void write(const Operand& o, LaneFlags value);
  LaneBits constant(int bank, std::int64_t offset) const;
  LaneBits special(SpecialRegister s) const;
  template <class F>
  LaneBits each(const DecodedInstruction& op, F f) const;
  void add3(const DecodedInstruction& op);
  void addWide(const DecodedInstruction& op);
  void compare(const DecodedInstruction& op);
  void wide(const DecodedInstruction& op);
  void logic(const DecodedInstruction& op);
  void shuffle(const DecodedInstruction& op);

  const device::Kernel& kernel_;
  const Kernel& sass_;
  std::array<std::int64_t, 3> block_;
  std::int64_t rank_ = 0;  // of the block in its cluster
  std::array<LaneBits, 3> thread_;
  std::array<LaneBits, 256> registers_;
  std::array<LaneBits, 64> uniform_;
  std::array<LaneFlags, 8> predicates_, uniformPredicates_;
  std::map<std::int64_t, LaneBits> local_;
  std::uint32_t threads_, active_ = 0;
};

}  // namespace loom::sass

// Registers of one warp, and what integer instructions do to them.
#pragma once
#include <map>

#include "core/device/program.h"
#include "core/sass/operand.h"
#include "core/sass/values.h"

namespace loom::sass {

// An instruction as the machine takes it.
struct SassOp {
  enum class Kind : std::uint8_t {
    Nothing,  // barriers, waiting
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
    Vote,  // VOTE, VOTEU: of the lanes that take part
    LocalLoad,
    LocalStore,
  };
  Kind kind = Kind::Forget;
  SassOperand guard;      // predicate
  SassOperand condition;  // of a branch: further predicate
  int target = -1;        // of a branch: index into the code
  int words = 1;          // registers written from the first on
  bool isSigned = true, extended = false, wide = false, signExtended = false;
  int comparison = 0;  // 0 F, 1 LT, 2 EQ, 3 LE, 4 GT, 5 NE, 6 GE, 7 T
  int vote = 0;        // 0 all, 1 any, 2 all or none
  int joined = 0;      // with the further predicate: 0 and, 1 or, 2 xor
  std::vector<SassOperand> predicatesOut, predicatesIn, destinations, sources;
};

// As SassKernel::instructions.
std::vector<SassOp> decodeSass(const SassKernel& sass);

class SassMachine {
 public:
  // `sass` for its constants; it and the kernel must outlive this.
  SassMachine(const device::Kernel& kernel, const SassKernel& sass, std::int64_t block, int warp,
              std::uint32_t threads);

  // Where the buffer of the kernel's parameter begins: far from the others'.
  static std::int64_t addressOf(int parameter);
  LaneFlags flags(const SassOperand& predicate) const;
  // The register `word` words after the operand's.
  LaneBits read(const SassOperand& o, int word = 0) const;
  // What an instruction that the machine itself doesn't compute wrote there, in all lanes.
  void put(const SassOperand& o, int word, const LaneBits& value);
  // In bytes; false when a part isn't known.
  bool addresses(const SassOperand& memory, std::uint32_t active, std::array<std::int64_t, 32>& out) const;
  // `sure`: it is known that the lanes of `active` take part, else what is written is unknown after it. `all` are the
  // lanes of the warp that run together here.
  void execute(const SassOp& op, std::uint32_t active, bool sure, std::uint32_t all);
  void forget(const SassOp& op, std::uint32_t active, std::uint32_t all);

 private:
  void write(const SassOperand& o, int word, const LaneBits& value);
  void write(const SassOperand& o, LaneFlags value);
  LaneBits constant(int bank, std::int64_t offset) const;
  LaneBits special(SassSpecial s) const;
  template <class F>
  LaneBits each(const SassOp& op, F f) const;
  void add3(const SassOp& op);
  void addWide(const SassOp& op);
  void compare(const SassOp& op);
  void wide(const SassOp& op);
  void logic(const SassOp& op);

  const device::Kernel& kernel_;
  const SassKernel& sass_;
  std::array<std::int64_t, 3> block_;
  std::array<LaneBits, 3> thread_;
  std::array<LaneBits, 256> registers_;
  std::array<LaneBits, 64> uniform_;
  std::array<LaneFlags, 8> predicates_, uniformPredicates_;
  std::map<std::int64_t, LaneBits> local_;
  std::uint32_t threads_, active_ = 0;
};

}  // namespace loom::sass

#include <algorithm>
#include <array>
#include <string_view>

#include "core/sass/machine.h"
#include "core/sass/warpgroup_product.h"

namespace loom::sass {
namespace {

using std::string_view;
using Kind = DecodedInstruction::Kind;
using OperandKind = Operand::Kind;

bool isPredicate(const Operand& o) {
  return o.kind == OperandKind::Predicate || o.kind == OperandKind::UniformPredicate;
}

int comparisonOf(string_view opcode) {
  constexpr std::array<string_view, 8> kNames = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
  for (int n = 0; n < 8; ++n)
    if (hasModifier(opcode, kNames[std::size_t(n)])) return n;
  return 0;
}

DecodedInstruction decode(const Instruction& i) {
  DecodedInstruction op;
  const std::optional<Opcode> known = opcodeOf(i.opcode);
  op.kind = known ? known->does : Kind::Forget;
  op.guard = i.guard.empty() ? parseOperand("PT") : parseOperand(i.guard);
  op.condition = parseOperand("PT");
  op.isSigned = !hasModifier(i.opcode, "U32") && !hasModifier(i.opcode, "U64");
  op.extended = hasModifier(i.opcode, "X") || hasModifier(i.opcode, "EX");
  op.wide = hasModifier(i.opcode, "64");
  auto operands = parseOperands(i.operands);
  if (op.kind == Kind::Branch) {
    for (const Operand& o : operands)
      if (isPredicate(o)) op.condition = o;
    op.branch = hasModifier(i.opcode, "DIV")   ? BranchIf::Parted
                : hasModifier(i.opcode, "ANY") ? BranchIf::Any
                                               : BranchIf::Each;
    if (op.branch == BranchIf::Parted) op.sources.assign(operands.begin(), operands.begin() + 1);
    return op;
  }
  if (op.kind == Kind::Memory) {
    // LDGSTS.E.BYPASS.128 [R9], desc[UR6][R10.64]: to shared memory, from global.
    bool store = i.pipe == Pipe::GlobalStore || i.pipe == Pipe::SharedStore || i.toShared;
    for (const Operand& o : operands) {
      if (o.kind == OperandKind::Memory) {
        op.sources.push_back(o);
      } else if (!store && (o.kind == OperandKind::Register || isPredicate(o))) {
        (isPredicate(o) ? op.predicatesOut : op.destinations).push_back(o);
      }
    }
    // Turing's "LDG.E R4, [R8]": an address of 64 bits in a pair, which later ones write as R8.64.
    if (hasModifier(i.opcode, "E") && !op.sources.empty()) {
      auto& parts = op.sources.back().parts;
      if (parts.size() == 1 && parts.front().kind == OperandKind::Register &&
          i.operands.find(".U32") == std::string::npos)
        parts.front().wide = true;
    }
    op.generic = i.opcode.starts_with("LD.") || i.opcode.starts_with("ST.");
    op.words = i.pipe == Pipe::LdMatrix ? i.matrices : std::max(1, i.bytes / 4);
    if (op.sources.size() < (i.toShared ? 2U : 1U)) op.kind = Kind::Refused;
    return op;
  }
  if (op.kind == Kind::Vote) {  // VOTE.ANY R3, PT, P0: the ballot, the outcome; what is asked comes last
    op.vote = hasModifier(i.opcode, "ANY") ? 1 : hasModifier(i.opcode, "EQ") ? 2 : 0;
    for (const Operand& o : operands) (isPredicate(o) ? op.predicatesOut : op.destinations).push_back(o);
    if (op.predicatesOut.empty()) {
      op.kind = Kind::Forget;
      return op;
    }
    op.predicatesIn.push_back(op.predicatesOut.back());
    op.predicatesOut.pop_back();
    return op;
  }
  if (op.kind == Kind::Elect || op.kind == Kind::Granted) {
    // ELECT P1, URZ, PT: whether it is the lane, the lane's number; of which lanes. SYNCS.PHASECHK… P0, [UR9], R3.
    std::size_t n = 0;
    while (n < operands.size() && isPredicate(operands[n])) op.predicatesOut.push_back(operands[n++]);
    if (op.kind == Kind::Granted) return op;
    for (; n < operands.size(); ++n)
      (isPredicate(operands[n]) ? op.predicatesIn : op.destinations).push_back(operands[n]);
    if (op.predicatesIn.empty()) op.predicatesIn.push_back(parseOperand("PT"));
    return op;
  }
  if (op.kind == Kind::LocalLoad || op.kind == Kind::LocalStore) {
    for (const Operand& o : operands)
      (o.kind == OperandKind::Memory || op.kind == Kind::LocalStore ? op.sources : op.destinations).push_back(o);
    op.words = std::max(1, i.bytes / 4);
    if (op.sources.empty()) op.kind = Kind::Refused;
    return op;
  }
  // Predicates before the first value that is read are written, the ones after it are read; a comparison writes no
  // register.
  bool compares = i.opcode.find("SETP") != std::string::npos || op.kind == Kind::PredicateLogic;
  std::size_t n = 0;
  if (compares) {
    for (; n < operands.size() && n < 2; ++n) op.predicatesOut.push_back(operands[n]);
  } else if (!operands.empty()) {
    while (n < operands.size() && isPredicate(operands[n])) op.predicatesOut.push_back(operands[n++]);
    if (n < operands.size()) op.destinations.push_back(operands[n++]);
    // Blackwell's IADD3.X R3, PT, PT, R3, UR7, RZ, P0, !PT names both carries out even where nobody wants them.
    if (op.kind == Kind::Add3)
      while (n < operands.size() && isPredicate(operands[n])) op.predicatesOut.push_back(operands[n++]);
    if (op.kind != Kind::Select)
      while (n < operands.size() && isPredicate(operands[n]) && operands[n].index != 7 && !operands[n].invert &&
             op.kind != Kind::Least)
        op.predicatesOut.push_back(operands[n++]);
  }
  for (; n < operands.size(); ++n) (isPredicate(operands[n]) ? op.predicatesIn : op.sources).push_back(operands[n]);

  std::size_t wants = 0;
  switch (op.kind) {
    case Kind::Multiply:
      if (hasModifier(i.opcode, "WIDE")) op.kind = Kind::MultiplyWide;
      if (hasModifier(i.opcode, "HI")) op.kind = op.extended ? Kind::Forget : Kind::MultiplyHigh;
      op.words = op.kind == Kind::MultiplyWide ? 2 : 1;
      wants = 3;
      // IMAD.X R29, RZ, RZ, R29, P0 adds the carry; so does nothing else.
      break;
    case Kind::Lea:
      if (hasModifier(i.opcode, "HI")) op.kind = Kind::LeaHigh;
      // The first operand's upper word: its sign, or the third operand.
      if (hasModifier(i.opcode, "SX32") && op.sources.size() == 3)
        op.sources.insert(op.sources.begin() + 2, op.sources[0]);
      op.signExtended = hasModifier(i.opcode, "SX32");
      wants = op.kind == Kind::LeaHigh ? 4 : 3;
      break;
    case Kind::Logic: wants = 4; break;
    case Kind::PredicateLogic:
      if (op.predicatesIn.size() < 3) op.kind = Kind::Forget;
      wants = 2;
      break;
    case Kind::ShiftLeft:
      wants = 3;
      if (hasModifier(i.opcode, "R")) op.kind = Kind::ShiftRight;
      if (hasModifier(i.opcode, "L") && hasModifier(i.opcode, "HI")) op.kind = Kind::ShiftLeftHigh;
      // SHF.R.S32.HI and .U32.HI shift the third operand; .U64 the pair.
      break;
    case Kind::Compare:
      op.comparison = comparisonOf(i.opcode);
      op.joined = hasModifier(i.opcode, "OR") ? 1 : hasModifier(i.opcode, "XOR") ? 2 : 0;
      wants = 2;
      break;
    case Kind::Select:
    case Kind::Least:
      wants = 2;
      if (op.predicatesIn.empty()) op.kind = Kind::Forget;
      break;
    case Kind::Permute: wants = 3; break;
    case Kind::Pack: wants = 4; break;
    case Kind::Move:
    case Kind::Constant:
      wants = 1;
      op.words = hasModifier(i.opcode, "128") ? 4 : op.wide ? 2 : 1;
      break;
    case Kind::Special:
      wants = 1;
      op.words = i.opcode == "CS2R" ? 2 : 1;
      break;
    case Kind::Add3:
      while (op.sources.size() < 3) op.sources.push_back(parseOperand("RZ"));
      wants = 3;
      op.words = op.wide ? 2 : 1;
      break;
    case Kind::ToPredicates:
    case Kind::FromPredicates: wants = 2; break;
    case Kind::Shuffle:  // SHFL.DOWN PT, R4, R3, 0x10, 0x1f: whether in range, the value; of, by, bounds
      wants = 3;
      op.shuffle = hasModifier(i.opcode, "UP")     ? 1
                   : hasModifier(i.opcode, "DOWN") ? 2
                   : hasModifier(i.opcode, "BFLY") ? 3
                                                   : 0;
      break;
    case Kind::Forget:
      op.words = hasModifier(i.opcode, "WIDE") || op.wide ? 2 : 1;
      // m16n8 accumulators: four elements a lane, of float16 two in a register.
      if (i.pipe == Pipe::Tensor) op.words = i.opcode.ends_with(".F16") ? 2 : 4;
      if (const auto together = warpgroupProductOf(i)) op.words = together->sums();
      break;
    default: break;
  }
  if (op.sources.size() < wants) op.kind = Kind::Forget;
  return op;
}

}  // namespace

std::vector<DecodedInstruction> decode(const Kernel& sass) {
  std::vector<DecodedInstruction> code;
  for (const Instruction& i : sass.instructions) {
    code.push_back(decode(i));
    if (i.target < 0) continue;
    auto at = std::lower_bound(sass.instructions.begin(), sass.instructions.end(), i.target,
                               [](const Instruction& x, std::int64_t address) { return x.address < address; });
    code.back().target = int(at - sass.instructions.begin());
  }
  return code;
}

}  // namespace loom::sass

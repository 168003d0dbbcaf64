#include "core/sass/opcode.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace loom::sass {
namespace {

using std::string_view;

using P = Pipe;
using D = Operation;
using W = Writes;

// In the order of the stems. Figures of what HFMA2 does as a move ("HFMA2.MMA R, -RZ, RZ, 0, 0") count where it runs.
// clang-format off
constexpr Opcode kOpcodes[] = {
    {"ACQBULK", P::Other, D::Nothing, W::Nothing},
    {"ARRIVES", P::Mbarrier, D::Nothing, W::Nothing},
    {"ATOM", P::Other, D::Refused, W::Register, false},
    {"ATOMG", P::Other, D::Refused, W::Register, false},
    {"ATOMS", P::Other, D::Refused, W::Register, false},
    {"BAR", P::Barrier, D::Nothing, W::Nothing},
    {"BGMMA", P::Tensor},
    {"BMMA", P::Tensor},
    {"BMSK", P::Integer},
    {"BPT", P::Other, D::Nothing, W::Nothing},
    {"BRA", P::Control, D::Branch, W::Nothing},
    {"BREAK", P::Other, D::Nothing, W::Nothing},
    {"BREV", P::Integer},
    {"BRX", P::Other, D::Refused, W::Nothing},
    {"BRXU", P::Other, D::Refused, W::Nothing},
    {"BSSY", P::Other, D::Nothing, W::Nothing},
    {"BSYNC", P::Other, D::Meet, W::Nothing},
    {"CALL", P::Other, D::Refused, W::Nothing},
    {"CCTL", P::Other, D::Nothing, W::Nothing},
    {"CGAERRBAR", P::Other, D::Nothing, W::Nothing},
    {"CS2R", P::Other, D::Special},
    {"DADD"},
    {"DEPBAR", P::Other, D::Nothing, W::Nothing},
    {"DFMA"},
    {"DMMA", P::Tensor},
    {"DMNMX"},
    {"DMUL"},
    {"DSETP", P::Other, D::Forget, W::Predicates},
    {"ELECT", P::Uniform, D::Elect},
    {"ENDCOLLECTIVE", P::Other, D::Refused, W::Nothing},
    {"ERRBAR", P::Other, D::Nothing, W::Nothing},
    {"EXIT", P::Other, D::Exit, W::Nothing},
    {"F2F", P::Special},
    {"F2FP"},
    {"F2I", P::Special},
    {"FADD", P::Fma},
    {"FADD2", P::Fma},
    {"FCHK", P::Other, D::CheckDivision, W::Predicates},
    {"FENCE", P::Other, D::Nothing, W::Nothing},
    {"FFMA", P::Fma},
    {"FFMA2", P::Fma},
    {"FLO", P::Integer},
    {"FMNMX", P::Integer},
    {"FMUL", P::Fma},
    {"FMUL2", P::Fma},
    {"FRND", P::Special},
    {"FSEL", P::Integer},
    {"FSET", P::Integer},
    {"FSETP", P::Integer, D::Forget, W::Predicates},
    {"FSWZADD"},
    {"HADD2", P::Half},
    {"HFMA2", P::Half, D::Pack},
    {"HGMMA", P::Tensor},
    {"HMMA", P::Tensor},
    {"HMNMX2"},
    {"HMUL2", P::Half},
    {"HSETP2", P::Other, D::Forget, W::Predicates},
    {"I2F", P::Special},
    {"I2FP"},
    {"I2I"},
    {"IABS", P::Integer},
    {"IADD", P::Integer, D::Add3},
    {"IADD3", P::Integer, D::Add3},
    {"IDP", P::Integer},
    {"IGMMA", P::Tensor},
    {"IMAD", P::Integer, D::Multiply},
    {"IMMA", P::Tensor},
    {"IMNMX", P::Integer, D::Least},
    {"ISETP", P::Integer, D::Compare, W::Predicates},
    {"JMP", P::Other, D::Refused, W::Nothing},
    {"JMX", P::Other, D::Refused, W::Nothing},
    {"KILL", P::Other, D::Refused, W::Nothing},
    {"LD", P::SharedLoad, D::Memory},
    {"LDC", P::Other, D::Constant},
    {"LDCU", P::Uniform, D::Constant},
    {"LDG", P::GlobalLoad, D::Memory},
    {"LDGDEPBAR", P::Other, D::Nothing, W::Nothing},
    {"LDGSTS", P::GlobalLoad, D::Memory, W::Nothing},
    {"LDL", P::LocalLoad, D::LocalLoad},
    {"LDS", P::SharedLoad, D::Memory},
    {"LDSM", P::LdMatrix, D::Memory},
    {"LDT", P::Other, D::Forget, W::Register, false},
    {"LDTM", P::Other, D::Forget, W::Register, false},
    {"LEA", P::Integer, D::Lea},
    {"LOP3", P::Integer, D::Logic},
    {"MATCH"},
    {"MEMBAR", P::Other, D::Nothing, W::Nothing},
    {"MOV", P::Integer, D::Move},
    {"MUFU", P::Special},
    {"NANOSLEEP", P::Other, D::Nothing, W::Nothing},
    {"NOP", P::Other, D::Nothing, W::Nothing},
    {"OMMA", P::Other, D::Forget, W::Register, false},
    {"P2R", P::Other, D::FromPredicates},
    {"PLOP3", P::Other, D::PredicateLogic, W::Predicates},
    {"POPC", P::Integer},
    {"PREEXIT", P::Other, D::Nothing, W::Nothing},
    {"PRMT", P::Integer, D::Permute},
    {"QGMMA", P::Tensor},
    {"QMMA", P::Other, D::Forget, W::Register, false},
    {"R2P", P::Other, D::ToPredicates},
    {"R2UR", P::Uniform, D::Move},
    {"RED", P::Other, D::Refused, W::Nothing, false},
    {"REDAS", P::Other, D::Nothing, W::Nothing, false},
    {"REDG", P::Other, D::Refused, W::Nothing, false},
    {"RET", P::Other, D::Refused, W::Nothing},
    {"S2R", P::Other, D::Special},
    {"S2UR", P::Uniform, D::Special},
    {"SEL", P::Integer, D::Select},
    {"SGXT", P::Integer},
    {"SHF", P::Integer, D::ShiftLeft},
    {"SHFL", P::Other, D::Shuffle},
    {"ST", P::SharedStore, D::Memory, W::Nothing},
    {"STAS", P::Other, D::Nothing, W::Nothing, false},
    {"STG", P::GlobalStore, D::Memory, W::Nothing},
    {"STL", P::LocalStore, D::LocalStore, W::Nothing},
    {"STS", P::SharedStore, D::Memory, W::Nothing},
    {"STSM", P::Other, D::Refused, W::Nothing, false},
    {"STTM", P::Other, D::Forget, W::Register, false},
    {"SULD", P::Other, D::Forget, W::Register, false},
    {"SUST", P::Other, D::Forget, W::Register, false},
    {"SYNCS", P::Mbarrier},
    {"TEX", P::Other, D::Forget, W::Register, false},
    {"TLD", P::Other, D::Forget, W::Register, false},
    {"TLD4", P::Other, D::Forget, W::Register, false},
    {"UBLKCP", P::CopyEngine, D::Nothing, W::Nothing},
    {"UBLKPF", P::CopyEngine, D::Nothing, W::Nothing},
    {"UBLKRED", P::CopyEngine, D::Nothing, W::Nothing},
    {"UCGABAR_ARV", P::Barrier, D::Nothing, W::Nothing},
    {"UCGABAR_WAIT", P::Barrier, D::Nothing, W::Nothing},
    {"ULDC", P::Uniform, D::Constant},
    {"USETMAXREG", P::Other, D::Granted},
    {"UTCHMMA", P::Other, D::Forget, W::Register, false},
    {"UTCIMMA", P::Other, D::Forget, W::Register, false},
    {"UTCQMMA", P::Other, D::Forget, W::Register, false},
    {"UTMACCTL", P::CopyEngine, D::Nothing, W::Nothing},
    {"UTMACMDFLUSH", P::CopyEngine, D::Nothing, W::Nothing},
    {"UTMALDG", P::CopyEngine, D::Nothing, W::Nothing},
    {"UTMAPF", P::CopyEngine, D::Nothing, W::Nothing},
    {"UTMAREDG", P::CopyEngine, D::Nothing, W::Nothing},
    {"UTMASTG", P::CopyEngine, D::Nothing, W::Nothing},
    {"VIADD", P::Integer, D::Add3},
    {"VIMNMX", P::Integer, D::Least},
    {"VOTE", P::Other, D::Vote},
    {"VOTEU", P::Uniform, D::Vote},
    {"WARPGROUP", P::Other, D::Nothing, W::Nothing},
    {"WARPSYNC", P::Other, D::Nothing, W::Nothing},
    {"YIELD", P::Other, D::Nothing, W::Nothing},
};
// clang-format on
static_assert(std::is_sorted(std::begin(kOpcodes), std::end(kOpcodes),
                             [](const Opcode& a, const Opcode& b) { return a.stem < b.stem; }));

const Opcode* find(string_view stem) {
  const auto* at = std::lower_bound(std::begin(kOpcodes), std::end(kOpcodes), stem,
                                    [](const Opcode& row, string_view wanted) { return row.stem < wanted; });
  return at != std::end(kOpcodes) && at->stem == stem ? at : nullptr;
}

}  // namespace

std::optional<Opcode> opcodeOf(string_view opcode) {
  const string_view stem = opcode.substr(0, opcode.find('.'));
  std::optional<Opcode> found;
  if (const Opcode* own = find(stem)) {
    found = *own;
  } else if (const Opcode* plain = stem.starts_with('U') ? find(stem.substr(1)) : nullptr) {
    found = *plain;
    found->pipe = Pipe::Uniform;
  } else {
    return std::nullopt;
  }
  // One name of several things: a barrier is asked for its phase, or changed; registers are given back, or asked for.
  if (found->stem == "SYNCS" && hasModifier(opcode, "PHASECHK")) found->does = Operation::Granted;
  if (found->stem == "USETMAXREG" && !hasModifier(opcode, "TRY_ALLOC")) found->does = Operation::Nothing;
  return found;
}

bool hasModifier(string_view opcode, string_view modifier) {
  for (std::size_t at = opcode.find('.'); at != string_view::npos;) {
    const std::size_t next = opcode.find('.', at + 1);
    if (opcode.substr(at + 1, next == string_view::npos ? next : next - at - 1) == modifier) return true;
    at = next;
  }
  return false;
}

const char* nameOf(Pipe pipe) {
  static constexpr std::array<const char*, kPipes> kNames = {
      "global load", "global store", "shared load", "shared store", "ldmatrix", "local load",
      "local store", "fp32",         "fp16",        "tensor",       "integer",  "special",
      "control",     "barrier",      "mbarrier",    "copy engine",  "uniform",  "other"};
  return kNames[std::size_t(pipe)];
}

}  // namespace loom::sass

#include "core/sass/warpgroup_product.h"

#include <charconv>
#include <string_view>

namespace loom::sass {

using std::string_view;

std::optional<WarpgroupProduct> warpgroupProductOf(const Instruction& instruction) {
  const string_view opcode = instruction.opcode, stem = opcode.substr(0, opcode.find('.'));
  if (!stem.ends_with("GMMA") || stem.size() != 5) return std::nullopt;
  WarpgroupProduct p;
  const string_view shape = opcode.substr(std::min(opcode.size(), stem.size() + 1));
  constexpr string_view kRows = "64x";
  if (!shape.starts_with(kRows)) return std::nullopt;
  const char* end = shape.data() + shape.size();
  const auto columns = std::from_chars(shape.data() + kRows.size(), end, p.n);
  if (columns.ec != std::errc{} || columns.ptr == end || *columns.ptr != 'x') return std::nullopt;
  if (std::from_chars(columns.ptr + 1, end, p.k).ec != std::errc{}) return std::nullopt;
  if (stem == "HGMMA") {
    p.factorBits = hasModifier(opcode, "TF32") ? 32 : 16;
  } else if (stem == "QGMMA" || stem == "IGMMA") {
    p.factorBits = 8;
  } else if (stem == "BGMMA") {
    p.factorBits = 1;
  } else {
    return std::nullopt;
  }
  p.sumBits = (stem == "HGMMA" || stem == "QGMMA") && !hasModifier(opcode, "F32") ? 16 : 32;
  // "R24, gdesc[UR8], R24, …" or "R24, R152, gdesc[UR4], R24, …".
  const string_view operands = instruction.operands;
  const std::size_t second = operands.find(", ");
  p.registersOfA = second != string_view::npos && !operands.substr(second + 2).starts_with("gdesc");
  return p;
}

}  // namespace loom::sass

// What a probe showed of where wmma keeps its elements, as layouts.
#include <fmt/format.h>

#include "core/model/probed.h"

namespace loom::model {
namespace {

// "a", "b", "accumulator_f16", "accumulator_f32"; empty for what isn't probed.
std::string fragmentName(const FragmentKind& kind) {
  const bool halves = kind.element == ir::DType::Float(16);
  if (kind.m != kProbedTile || kind.n != kProbedTile || kind.k != kProbedTile || !kind.rowMajor) return "";
  if (kind.operand == layout::Operand::Accumulator)
    return halves ? "accumulator_f16" : kind.element == ir::DType::Float(32) ? "accumulator_f32" : "";
  return !halves ? "" : kind.operand == layout::Operand::A ? "a" : "b";
}

}  // namespace

Message fragmentNote(const ProbeResults& probed) {
  return message(
      "PTX leaves wmma's fragment layout open; this is the one that a probe kernel showed on {} (sm_{}{}) on {}",
      probed.device, probed.major, probed.minor, probed.date);
}

Result<layout::Layout> fragmentLayout(const ProbeResults& probed, const FragmentKind& kind) {
  const auto at = probed.fragments.find(fragmentName(kind));
  if (at == probed.fragments.end()) {
    return fail("UnknownFragment", message("no probe of {} on {}", kind.name(), probed.device), Forbids::Environment);
  }
  return fragmentOfElements(at->second, kind);
}

}  // namespace loom::model

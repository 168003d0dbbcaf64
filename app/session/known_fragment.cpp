#include "app/session/known_fragment.h"

#include <charconv>

#include "core/model/probed.h"

namespace loom::session {

namespace {

// 90 of "sm_90a".
int numberOf(const std::string& architecture) {
  int number = 0;
  const std::size_t digits = std::min(architecture.find('_') + 1, architecture.size());
  std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), number);
  return number;
}

Result<layout::Layout> layoutIn(const ProbeCode& code, const model::FragmentKind& kind) {
  auto kernels = sass::parse(code.sass);
  if (!kernels) return Failure(kernels.error());
  return model::fragmentOfCode(*kernels, kind);
}

}  // namespace

FragmentLayout fragmentOn(const std::string& architecture, const model::FragmentKind& kind,
                          const std::vector<model::ProbeResults>& shown, const ProbeCompiler& compile) {
  if (kind.held) return {kind.held(kind.operand, kind.element), message("the PTX ISA gives this fragment's layout")};
  for (const model::ProbeResults& probed : shown) {
    if (probed.major * 10 + probed.minor != numberOf(architecture)) continue;
    if (auto found = model::fragmentLayout(probed, kind)) return {*found, model::fragmentNote(probed)};
  }
  auto unknown = [&](const Error& why) {
    return FragmentLayout{
        fail(why.code,
             message("PTX leaves wmma's fragment layout open, and the machine code of a probe kernel for "
                     "{} doesn't tell it: {}",
                     architecture, why.message),
             Forbids::Environment),
        {}};
  };
  auto text = model::fragmentProbeText({kind});
  if (!text) return unknown(text.error());
  auto code = compile(*text);
  if (code) {
    auto layout = layoutIn(*code, kind);
    if (!layout) return unknown(layout.error());
    return {*layout,
            message("PTX leaves wmma's fragment layout open; this is the one in the machine code of a probe kernel, "
                    "made for {} by {} and followed by the model",
                    architecture, code->compiler)};
  }
  // What compiled before tells of these tiles; the tests hold it to what compiles now.
  const bool accumulator = kind.operand == layout::Operand::Accumulator;
  const bool halves = kind.element == ir::DType::Float(16);
  const bool seen = kind.m == 16 && kind.n == 16 && kind.k == 16 && numberOf(architecture) >= 75 &&
                    numberOf(architecture) <= 120 && (halves || (accumulator && kind.element == ir::DType::Float(32)));
  if (!seen || code.error().code == "Cancelled") return unknown(code.error());
  return {layout::wmmaFragmentSeen(kind.operand, accumulator && halves), layout::wmmaSeenNote()};
}

}  // namespace loom::session

#include "app/session/known_fragment.h"

#include <fmt/format.h>

#include <charconv>

#include "app/session/latest.h"
#include "app/session/parts.h"
#include "core/model/probed.h"

namespace loom::workbench {

namespace {

// 90 of "sm_90a".
int numberOf(const std::string& architecture) {
  int number = 0;
  const std::size_t digits = std::min(architecture.find('_') + 1, architecture.size());
  std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), number);
  return number;
}

Result<layout::Layout> layoutIn(const ProbeCode& code, const model::FragmentKind& kind) {
  auto kernels = sass::parseSass(code.sass);
  if (!kernels) return Failure(kernels.error());
  return model::fragmentOfCode(*kernels, kind);
}

}  // namespace

FragmentLayout fragmentOn(const std::string& architecture, const model::FragmentKind& kind,
                          const std::vector<model::ProbeResults>& shown, const ProbeCompiler& compile) {
  for (const model::ProbeResults& probed : shown) {
    if (probed.major * 10 + probed.minor != numberOf(architecture)) continue;
    if (auto found = model::fragmentLayout(probed, kind)) return {*found, model::fragmentNote(probed)};
  }
  auto unknown = [&](const Error& why) {
    return FragmentLayout{
        fail(why.code,
             fmt::format("PTX leaves wmma's fragment layout open, and the machine code of a probe kernel for "
                         "{} doesn't tell it: {}",
                         architecture, why.message),
             Forbids::Environment),
        ""};
  };
  auto text = model::fragmentProbeText({kind});
  if (!text) return unknown(text.error());
  auto code = compile(*text);
  if (code) {
    auto layout = layoutIn(*code, kind);
    if (!layout) return unknown(layout.error());
    return {
        *layout,
        fmt::format("PTX leaves wmma's fragment layout open; this is the one in the machine code of a probe kernel, "
                    "made for {} by {} and followed by the model",
                    architecture, code->compiler)};
  }
  // What compiled before tells of these tiles; the tests hold it to what compiles now.
  const bool accumulator = kind.operand == layout::Operand::Accumulator;
  const bool halves = kind.element == ir::DType::Float(16);
  const bool seen = kind.m == 16 && kind.n == 16 && kind.k == 16 && numberOf(architecture) >= 75 &&
                    numberOf(architecture) <= 120 && (halves || (accumulator && kind.element == ir::DType::Float(32)));
  if (!seen || code.error().code == "Cancelled") return unknown(code.error());
  return {layout::wmmaFragmentSeen(kind.operand, accumulator && halves), layout::kWmmaSeen};
}

void Workbench::Parts::wantFragment(const model::FragmentKind& kind) {
  if (!device.known || !fragments.emplace(kind.kernelName(), nullptr).second) return;
  compilingQueue->submitFirst(
      [this, kind, finishHere = finishForDevice(), here = architecture(), making = std::make_shared<Making>()] {
        const std::string architecture = compiledFor(here);
        auto compile = [&](const std::string& text) -> Result<ProbeCode> {
          const auto& with = compiler->compiler();
          if (!with) return Failure(with.error());
          auto binary = compiler->compile(text, architecture);
          if (!binary) return Failure(binary.error());
          const auto& tools = compiler->toolkit();
          if (!tools) return Failure(tools.error());
          auto sass = compile::disassemble(*tools, *binary, true);
          if (!sass) return Failure(sass.error());
          return ProbeCode{std::move(*sass), with->name()};
        };
        auto known = std::make_shared<const FragmentLayout>(
            fragmentOn(architecture, kind, document::knownProbes(described->sources()), compile));
        finishHere([this, kind, known, making] {
          if (!known->layout && known->layout.error().code == "Cancelled") {
            fragments.erase(kind.kernelName());
          } else {
            fragments[kind.kernelName()] = known;
          }
        });
      });
}

std::shared_ptr<const FragmentLayout> Workbench::fragment(const model::FragmentKind& kind) const {
  parts_->wantFragment(kind);
  const auto found = parts_->fragments.find(kind.kernelName());
  return found == parts_->fragments.end() ? nullptr : found->second;
}

}  // namespace loom::workbench

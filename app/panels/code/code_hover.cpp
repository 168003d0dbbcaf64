#include "app/panels/code/code_hover.h"

#include <fmt/ranges.h>
#include <imgui.h>

#include "app/panels/code/words.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/ui/quantity_text.h"
#include "app/ui/text.h"
#include "app/widgets/loop_tooltip.h"
#include "core/layout/fragment_scope.h"

namespace loom::panels {
namespace {

namespace words = text::code;
using session::CodeName;
using window::Look;
using window::Tone;

const text::Text& kindOf(ir::IterType type) {
  return type == ir::IterType::Spatial  ? words::kSpatial
         : type == ir::IterType::Reduce ? words::kReduction
                                        : words::kOpaque;
}

void drawAxis(const Look& look, const CodeName& name) {
  std::string kind = say(look, words::kOfBlock, look.say(kindOf(name.iter)), name.block);
  if (name.extent >= 0) kind += " · " + say(look, words::kExtent, name.extent);
  ImGui::TextUnformatted(kind.c_str());
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  ImGui::PushTextWrapPos(look.px(520));
  ImGui::TextUnformatted(("= " + name.value).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
}

void drawBuffer(const Look& look, const CodeName& name, bool declared) {
  const bool fragment = layout::isFragmentScope(name.scope);
  std::string kind = fmt::format("{} [{}] · {}", name.dtype, fmt::join(name.shape, ", "), name.scope);
  ImGui::TextUnformatted(kind.c_str());
  if (!name.strides.empty()) {
    ImGui::TextUnformatted(say(look, words::kStrides, fmt::format("{}", fmt::join(name.strides, ", "))).c_str());
  }
  if (fragment) ImGui::TextUnformatted(look.say(words::kFragment));
  if (name.bytes < 0) return;
  const std::string bytes = bytesText(name.bytes);
  const std::string size = name.scope == "global"           ? bytes
                           : declared                       ? say(look, words::kDeclared, bytes)
                           : name.scope.starts_with("shar") ? say(look, words::kEachBlock, bytes)
                                                            : say(look, words::kEachThread, bytes);
  ImGui::TextUnformatted(size.c_str());
}

}  // namespace

void drawCodeName(const Look& look, const CodeName& name, const session::LoopNest& nest, bool declared) {
  if (name.what == CodeName::What::kLoop) {
    if (name.row >= 0) drawLoopTooltip(look, nest.rows[std::size_t(name.row)]);
    return;
  }
  ImGui::PushFont(look.fonts.code, window::kTextSize);
  ImGui::TextUnformatted(name.name.c_str());
  ImGui::PopFont();
  ImGui::PushFont(look.fonts.text, window::kSecondarySize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  name.what == CodeName::What::kAxis ? drawAxis(look, name) : drawBuffer(look, name, declared);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace loom::panels

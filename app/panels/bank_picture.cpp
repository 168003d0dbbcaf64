#include "app/panels/bank_picture.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "app/panels/panel_text.h"
#include "app/text/binding.h"
#include "app/window/look.h"

namespace loom::panels::pictures {

namespace words = text::binding;
using window::Look;
using window::Tone;

namespace {

// "0–7"; lanes that are no run by the first of them.
std::string lanesText(std::uint32_t lanes) {
  if (lanes == 0) return "–";
  const int first = std::countr_zero(lanes), last = 31 - std::countl_zero(lanes);
  if (std::popcount(lanes) == last - first + 1)
    return first == last ? std::to_string(first) : fmt::format("{}–{}", first, last);
  return fmt::format("{}, … {}", first, last);
}

}  // namespace

float wavefrontHeight(const Look& look, const workbench::RequestPicture& request) {
  return std::clamp(std::floor(look.px(152) / float(std::max(1, request.shared.wavefronts))), look.px(3), look.px(14));
}

void banks(const Look& look, const char* id, const workbench::RequestPicture& request, float width, float height) {
  const float beside = look.px(26), head = look.px(13), between = look.px(2);
  const float s = std::clamp(std::floor((width - beside) / layout::kBanks), look.px(4), look.px(20));
  const float all = s * layout::kBanks, size = look.px(window::kUnitSize - 1);
  float down = head;
  for (const layout::Phase& phase : request.phases) down += height * float(std::max(1, phase.ways())) + between;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, {all + beside, down});
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 mouse = ImGui::GetMousePos();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float gap = s > 4 ? 1.0F : 0.0F, under = height > look.px(4) ? 1.0F : 0.0F;
  for (int bank : {0, 8, 16, 24, layout::kBanks - 1}) {
    const std::string label = std::to_string(bank);
    const float extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, label.c_str()).x;
    const float x = at.x + (float(bank) + 0.5F) * s - extent / 2;
    draw.AddText(look.fonts.code, size, {std::max(at.x, x), at.y}, look.paint(Tone::kTextFaint), label.c_str());
  }
  float y = at.y + head;
  for (std::size_t p = 0; p < request.phases.size(); ++p) {
    const layout::Phase& phase = request.phases[p];
    const int ways = std::max(1, phase.ways());
    const float end = y + height * float(ways);
    draw.AddRectFilled({at.x, y}, {at.x + all - gap, end - under}, look.paint(Tone::kStrip));
    for (int bank = 0; bank < layout::kBanks; ++bank) {
      const int count = int(phase.words[std::size_t(bank)].size());
      for (int wave = 0; wave < count; ++wave) {
        const float x = at.x + float(bank) * s, top = y + float(wave) * height;
        draw.AddRectFilled({x, top}, {x + s - gap, top + height - under},
                           look.paint(wave == 0 ? Tone::kShared : Tone::kError, 0.9F));
      }
    }
    if (ways > 1) {
      const std::string label = fmt::format("{}×", ways);
      draw.AddText(look.fonts.code, look.px(window::kUnitSize),
                   {at.x + all + look.px(4), (y + end) / 2 - look.px(window::kUnitSize) / 2}, look.paint(Tone::kError),
                   label.c_str());
    }
    if (hovered && mouse.y >= y && mouse.y < end + between && mouse.x < at.x + all) {
      const int wave = std::clamp(int((mouse.y - y) / height), 0, ways - 1);
      const int bank = std::clamp(int((mouse.x - at.x) / s), 0, layout::kBanks - 1);
      draw.AddRect({at.x - 1, y + float(wave) * height - 1}, {at.x + all, y + float(wave + 1) * height},
                   look.paint(Tone::kSelected));
      const int busy = int(std::count_if(phase.words.begin(), phase.words.end(),
                                         [&](const auto& words) { return int(words.size()) > wave; }));
      ImGui::SetTooltip("%s", say(look, words::kWavefrontHint, lanesText(phase.lanes), wave + 1, ways, busy, bank,
                                  phase.words[std::size_t(bank)].size())
                                  .c_str());
    }
    y = end + between;
  }
}

}  // namespace loom::panels::pictures

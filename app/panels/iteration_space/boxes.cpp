#include "app/panels/iteration_space/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/panels/iteration_space/labels.h"
#include "app/ui/box_renderer.h"

namespace loom::panels {

using session::IterationSpace;
using session::SceneBox;
using session::SpaceScene;
using window::Look;
using window::Tone;

namespace {

ImU32 mixed(ImU32 a, ImU32 b, float share) {
  auto channel = [&](int shift) {
    const float x = float(a >> shift & 0xff), y = float(b >> shift & 0xff);
    return ImU32(std::lround(x + (y - x) * share)) << shift;
  };
  return channel(IM_COL32_R_SHIFT) | channel(IM_COL32_G_SHIFT) | channel(IM_COL32_B_SHIFT) | IM_COL32_A_MASK;
}

}  // namespace

BoxPaints paintsOf(const Look& look, const IterationSpace& space, const SceneBox& box) {
  const ImU32 ground = look.paint(Tone::kPanel), text = look.paint(Tone::kText);
  const ImU32 own = look.paint(box.level < 0 ? Tone::kGhost : toneOf(space.levels()[std::size_t(box.level)]));
  switch (box.role) {
    case SceneBox::Role::kVeil: {
      const ImU32 fill = mixed(ground, own, 0.20F);
      // Faces are shaded, edges are not: on light ground they must be darker than the darkest face.
      return {fill, mixed(fill, text, look.theme == window::Theme::kLight ? 0.5F : 0.22F)};
    }
    case SceneBox::Role::kPiece: return {mixed(ground, own, 0.55F), mixed(ground, own, 0.12F)};
    case SceneBox::Role::kChosen: break;
  }
  return {own, text};
}

void drawBoxes(const Look& look, const IterationSpace& space, const SpaceScene& scene, ImVec2 middle, float pixels) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float unit = pixels / scene.radius;
  const auto& m = scene.rotation;
  auto place = [&](const std::array<float, 3>& world) {
    const auto seen = scene.seen(world);
    return ImVec2{middle.x + seen[0] * unit, middle.y - seen[1] * unit};
  };
  auto paint = [&](const SceneBox& box, float alpha) {
    const BoxPaints paints = paintsOf(look, space, box);
    for (std::size_t d = 0; d < 3; ++d) {
      if (std::abs(m[6 + d]) < 1e-4F || (box.hidden >> d & 1) != 0) continue;
      std::array<float, 3> p = box.from;
      p[d] = m[6 + d] > 0 ? box.to[d] : box.from[d];
      const std::size_t a = (d + 1) % 3, b = (d + 2) % 3;
      ImVec2 corner[4];
      for (int i = 0; i < 4; ++i) {
        p[a] = i == 1 || i == 2 ? box.to[a] : box.from[a];
        p[b] = i >= 2 ? box.to[b] : box.from[b];
        corner[i] = place(p);
      }
      const ImU32 fill = mixed(IM_COL32_BLACK, paints.fill, views::kFaceShade[d]);
      const auto opacity = ImU32(alpha * 255) << IM_COL32_A_SHIFT;
      draw->AddConvexPolyFilled(corner, 4, (fill & ~IM_COL32_A_MASK) | opacity);
      draw->AddPolyline(corner, 4, (paints.edge & ~IM_COL32_A_MASK) | opacity, 1.0F, ImDrawFlags_Closed);
    }
  };
  for (const SceneBox& box : scene.boxes) paint(box, 1);
  for (const SceneBox& box : scene.boxes)
    if (box.role != SceneBox::Role::kVeil) paint(box, 0.5F);  // shines through
}

void drawAxisLabels(const Look& look, const IterationSpace& space, const SpaceScene& scene,
                    const session::Cuboid* chosen, ImVec2 middle, float pixels) {
  const float unit = pixels / scene.radius, size = look.px(window::kSecondarySize);
  std::vector<ImVec4> written;  // corners of labels
  for (std::size_t d = 0; d < 3; ++d) {
    const session::SpaceAxis& axis = space.axes()[d];
    if (axis.name.empty()) continue;
    ImVec2 best{};
    float farthest = -1;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      if ((corner >> d & 1) != 0) continue;
      const auto a = scene.seen(scene.corners[corner]), b = scene.seen(scene.corners[corner | 1U << d]);
      const float x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
      const float out = std::hypot(x, y) - 0.01F * y;
      if (out <= farthest) continue;
      farthest = out;
      best = {x, y};
    }
    const auto& range = scene.range;
    const bool part = range.to[d] - range.from[d] != axis.extent;
    std::string label = part ? fmt::format("{} {}–{}", axis.name, range.from[d], range.to[d] - 1)
                             : fmt::format("{} {}", axis.name, axis.extent);
    // The corners are those of what is cut, which the chosen piece is a part of.
    if (part && chosen != nullptr && (chosen->from[d] != range.from[d] || chosen->to[d] != range.to[d]))
      label = fmt::format("{} {}–{} / {}–{}", axis.name, chosen->from[d], chosen->to[d] - 1, range.from[d],
                          range.to[d] - 1);
    const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, label.c_str());
    const float length = std::max(1e-4F, std::hypot(best.x, best.y));
    const float reach =
        look.px(8) + std::abs(best.x / length) * extent.x / 2 + std::abs(best.y / length) * extent.y / 2;
    const ImVec2 at = {middle.x + best.x * unit + best.x / length * reach - extent.x / 2,
                       middle.y - best.y * unit - best.y / length * reach - extent.y / 2};
    const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(),
                 high = ImGui::GetWindowDrawList()->GetClipRectMax();
    ImVec2 kept = {std::clamp(at.x, low.x + 2, std::max(low.x + 2, high.x - extent.x - 2)),
                   std::clamp(at.y, low.y + 2, std::max(low.y + 2, high.y - extent.y - 2))};
    // Edges that end near one another have their labels one below the other, or above where there is no room.
    for (const ImVec4& other : written) {
      const bool covers = kept.x < other.z + 4 && kept.x + extent.x + 4 > other.x && kept.y < other.w + 2 &&
                          kept.y + extent.y + 2 > other.y;
      if (covers) kept.y = other.w + extent.y + 4 < high.y ? other.w + 2 : other.y - extent.y - 2;
    }
    written.push_back({kept.x, kept.y, kept.x + extent.x, kept.y + extent.y});
    // On a face, edges would run through it.
    ImGui::GetWindowDrawList()->AddRectFilled({kept.x - 2, kept.y}, {kept.x + extent.x + 2, kept.y + extent.y},
                                              look.paint(Tone::kPanel, 0.75F), look.px(2));
    ImGui::GetWindowDrawList()->AddText(look.fonts.code, size, {std::floor(kept.x), std::floor(kept.y)},
                                        look.paint(axis.reduction ? Tone::kReduction : Tone::kText), label.c_str());
  }
}

}  // namespace loom::panels

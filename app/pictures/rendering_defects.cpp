#include "app/pictures/rendering_defects.h"
#include "app/notation/palette.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loom::window {
namespace {

constexpr float kMostOfIt = 0.6F;
constexpr float kTolerated = 0.6F;  // px of a character beyond an edge: the softness of its outline

bool scrolls(const ImGuiWindow* window, const ImGuiWindow* root, ImGuiAxis axis) {
  for (; window != nullptr; window = window->ParentWindow) {
    if (window->ScrollMax[axis] > 0) return true;
    if (window == root) break;
  }
  return false;
}

float beyondX(const TextRun& text) {
  // A j reaches back below the character before it, and stands at an edge with its tail beyond.
  const float before = std::min(text.clip.from.x - text.ink.from.x, text.clip.from.x - text.start);
  return std::max({text.trimmedX, before, text.ink.to.x - text.clip.to.x});
}

// Dear ImGui draws no character that lies wholly beyond the edge: text that comes close to it may have lost some. Where
// it ends on the very pixel it was set flush right.
bool comesToTheEdge(const TextRun& text) {
  constexpr float kBetween = 1.5F, kFlush = 0.6F;
  const float left = text.clip.to.x - text.end;
  return left < kBetween && std::abs(left) > kFlush;
}

float beyondY(const TextRun& text) {
  return std::max(text.clip.from.y - text.ink.from.y, text.ink.to.y - text.clip.to.y);
}

float areaOf(const PanelRect& r) { return std::max(0.0F, r.to.x - r.from.x) * std::max(0.0F, r.to.y - r.from.y); }

bool overlap(const PanelRect& a, const PanelRect& b) {
  constexpr float kLeast = 2, kShare = 0.08F;
  const PanelRect both = common(a, b);
  return both.to.x - both.from.x > kLeast && both.to.y - both.from.y > kLeast &&
         areaOf(both) > kShare * std::min(areaOf(a), areaOf(b));
}

// The colour that most pixels of a place have: its ground, as characters cover less than half of where they stand.
unsigned groundOf(const Image& picture, const PanelRect& at, ImVec2 scale) {
  auto pixel = [](float x, float by, int most) { return std::clamp(static_cast<int>(std::lround(x * by)), 0, most); };
  const int left = pixel(at.from.x - 1, scale.x, picture.width), right = pixel(at.to.x + 1, scale.x, picture.width);
  const int top = pixel(at.from.y - 1, scale.y, picture.height), bottom = pixel(at.to.y + 1, scale.y, picture.height);
  std::map<unsigned, int> counts;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const std::uint8_t* p = &picture.rgb[(std::size_t(y) * std::size_t(picture.width) + std::size_t(x)) * 3];
      ++counts[unsigned(p[0]) << 16 | unsigned(p[1]) << 8 | p[2]];
    }
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? 0 : most->first;
}

unsigned over(ImU32 colour, unsigned ground) {
  const double alpha = (colour >> IM_COL32_A_SHIFT & 0xff) / 255.0;
  auto mixed = [&](int from, int to) {
    return static_cast<unsigned>(std::lround((colour >> from & 0xff) * alpha + (ground >> to & 0xff) * (1 - alpha)))
           << to;
  };
  return mixed(IM_COL32_R_SHIFT, 16) | mixed(IM_COL32_G_SHIFT, 8) | mixed(IM_COL32_B_SHIFT, 0);
}

}  // namespace

bool isCertain(RenderingDefect::Kind kind) {
  return kind != RenderingDefect::Kind::kEdge && kind != RenderingDefect::Kind::kSideways;
}

std::string_view nameOf(RenderingDefect::Kind kind) {
  switch (kind) {
    case RenderingDefect::Kind::kCut: return "cut";
    case RenderingDefect::Kind::kEdge: return "edge";
    case RenderingDefect::Kind::kSideways: return "sideways";
    case RenderingDefect::Kind::kOver: return "over";
    case RenderingDefect::Kind::kFaint: return "faint";
    case RenderingDefect::Kind::kShortened: return "shortened";
  }
  return "";
}

std::vector<RenderingDefect> faultsOf(const std::string& window, const Image& whole, ImVec2 pixelsPerUnit,
                                      double least) {
  const ImGuiWindow* root = ImGui::FindWindowByName(window.c_str());
  const std::vector<TextRun> texts = drawnText(window);
  std::vector<RenderingDefect> faults;
  auto add = [&](RenderingDefect::Kind kind, const TextRun& text, std::string other, double contrast) {
    faults.push_back(
        {kind, text.text, std::move(other), {text.ink.from.x - root->Pos.x, text.ink.from.y - root->Pos.y}, contrast});
  };
  for (const TextRun& text : texts) {
    if (beyondX(text) > kTolerated) {
      add(scrolls(text.window, root, ImGuiAxis_X) ? RenderingDefect::Kind::kSideways : RenderingDefect::Kind::kCut,
          text, "", 0);
    } else if (text.trimmedY > kTolerated || (beyondY(text) > kTolerated && !scrolls(text.window, root, ImGuiAxis_Y))) {
      add(RenderingDefect::Kind::kCut, text, "", 0);
    }
    if (beyondX(text) <= kTolerated && comesToTheEdge(text)) add(RenderingDefect::Kind::kEdge, text, "", 0);
    const PanelRect visible = common(text.ink, text.clip);
    if (areaOf(visible) < kMostOfIt * areaOf(text.ink)) continue;  // of what scrolling shows in part
    const unsigned ground = groundOf(whole, visible, pixelsPerUnit);
    const double contrast = notation::contrastRatio(over(text.colour, ground), ground);
    if (contrast < least) add(RenderingDefect::Kind::kFaint, text, "", contrast);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      if (overlap(common(texts[i].ink, texts[i].clip), common(texts[j].ink, texts[j].clip))) {
        add(RenderingDefect::Kind::kOver, texts[i], texts[j].text, 0);
      }
    }
  }
  return faults;
}

}  // namespace loom::window

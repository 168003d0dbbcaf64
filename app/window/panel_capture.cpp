#include "app/window/panel_capture.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/report/svg.h"
#include "app/window/atlas_glyphs.h"

namespace loom::window {

namespace {

ImGuiWindow* shownWindow(const std::string& name) {
  ImGuiWindow* window = ImGui::FindWindowByName(name.c_str());
  const bool shown = window != nullptr && window->WasActive && !window->Hidden && window->DrawList != nullptr;
  return shown && window->Size.x > 1 && window->Size.y > 1 ? window : nullptr;
}

std::string colourOf(ImU32 colour) {
  const unsigned red = colour >> IM_COL32_R_SHIFT & 0xff, green = colour >> IM_COL32_G_SHIFT & 0xff,
                 blue = colour >> IM_COL32_B_SHIFT & 0xff, alpha = colour >> IM_COL32_A_SHIFT & 0xff;
  std::string text = fmt::format("fill=\"#{:02x}{:02x}{:02x}\"", red, green, blue);
  if (alpha < 255) text += fmt::format(" fill-opacity=\"{:.3f}\"", alpha / 255.0);
  return text;
}

// Dear ImGui's size of a face is its line, CSS' is its em: lines of JetBrains Mono and Inter in em.
constexpr float kCodeLine = 1.32F, kTextLine = 1.21F;

std::string number(float value) { return fmt::format("{}", std::round(value * 100) / 100); }

// Turns draw lists into elements, one after another.
class Writer {
 public:
  Writer(ImVec2 origin, const Look& look) : origin_(origin), look_(look) {}

  void add(const ImDrawList& list);
  std::string take() {
    endRun();
    if (clipped_) body_ += "</g>\n";
    clipped_ = false;
    return std::move(body_);
  }

 private:
  // Characters of one face and colour on one line.
  struct Run {
    const ImFontBaked* face = nullptr;
    ImU32 colour = 0;
    float scale = 1, left = 0, right = 0, baseline = 0;
    std::string text;
  };

  void clip(const ImVec4& rect);
  bool addGlyph(const ImDrawVert* corner[3], ImU32 colour);
  void addPolygon(const std::vector<ImVec2>& points, ImU32 colour);
  void endRun();
  std::string at(ImVec2 p) const { return number(p.x - origin_.x) + " " + number(p.y - origin_.y); }

  ImVec2 origin_;
  const Look& look_;
  AtlasGlyphs glyphs_;
  Run run_;
  bool clipped_ = false;
  int clips_ = 0;
  ImVec4 clip_;
  std::string body_;
};

void Writer::clip(const ImVec4& rect) {
  if (clipped_ && rect.x == clip_.x && rect.y == clip_.y && rect.z == clip_.z && rect.w == clip_.w) return;
  endRun();
  if (clipped_) body_ += "</g>\n";
  clipped_ = true;
  clip_ = rect;
  body_ += fmt::format(
      "<clipPath id=\"c{0}\"><rect x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\"/></clipPath>\n"
      "<g clip-path=\"url(#c{0})\">\n",
      clips_++, number(rect.x - origin_.x), number(rect.y - origin_.y), number(std::max(0.0F, rect.z - rect.x)),
      number(std::max(0.0F, rect.w - rect.y)));
}

void Writer::endRun() {
  if (run_.text.empty()) return;
  const Look& look = look_;
  const ImFont* font = run_.face->OwnerFont;
  const bool code = font == look.fonts.code;
  const char* family = code ? "JetBrains Mono, DejaVu Sans Mono, monospace"
                            : "Inter, Noto Sans, Noto Sans CJK SC, WenQuanYi Micro Hei, sans-serif";
  body_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-family=\"{}\" font-size=\"{}\"{} {} textLength=\"{}\" "
      "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>\n",
      number(run_.left - origin_.x), number(run_.baseline - origin_.y), family,
      number(run_.face->Size * run_.scale / (code ? kCodeLine : kTextLine)),
      font == look.fonts.strong ? " font-weight=\"600\"" : "", colourOf(run_.colour), number(run_.right - run_.left),
      report::escaped(run_.text));
  run_ = {};
}

// The first triangle of a glyph's quad: upper left, upper right, lower right.
bool Writer::addGlyph(const ImDrawVert* corner[3], ImU32 colour) {
  const AtlasGlyph* found = glyphs_.beginningAt(corner[0]->uv);
  if (found == nullptr) return false;
  const auto [face, glyph] = *found;
  const float inAtlas = glyph->X1 - glyph->X0;
  if (inAtlas <= 0 || corner[2]->uv.x != glyph->U1 || corner[2]->uv.y != glyph->V1) return false;
  const float scale = (corner[2]->pos.x - corner[0]->pos.x) / inAtlas;
  const float pen = corner[0]->pos.x - glyph->X0 * scale;
  const float baseline = corner[0]->pos.y - glyph->Y0 * scale + std::round(face->Ascent) * scale;
  const float blank = std::max(1.0F, face->Size * 0.22F * scale), gap = pen - run_.right;
  const bool goesOn = !run_.text.empty() && run_.face == face && run_.colour == colour &&
                      std::abs(run_.baseline - baseline) < 0.6F && gap > -blank && gap < 2.6F * blank;
  if (!goesOn) {
    endRun();
    run_ = {face, colour, scale, pen, pen, baseline, ""};
  } else if (gap > 0.6F * blank) {
    run_.text += ' ';
  }
  run_.text += found->text();
  run_.right = pen + glyph->AdvanceX * scale;
  return true;
}

void Writer::addPolygon(const std::vector<ImVec2>& points, ImU32 colour) {
  endRun();
  const bool rect = points.size() == 4 && ((points[0].y == points[1].y && points[1].x == points[2].x &&
                                            points[2].y == points[3].y && points[3].x == points[0].x) ||
                                           (points[0].x == points[1].x && points[1].y == points[2].y &&
                                            points[2].x == points[3].x && points[3].y == points[0].y));
  if (rect) {
    const float x = std::min(points[0].x, points[2].x), y = std::min(points[0].y, points[2].y);
    body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", number(x - origin_.x),
                         number(y - origin_.y), number(std::abs(points[2].x - points[0].x)),
                         number(std::abs(points[2].y - points[0].y)), colourOf(colour));
    return;
  }
  std::string path = "M";
  for (std::size_t i = 0; i < points.size(); ++i) path += (i > 0 ? "L" : "") + at(points[i]);
  body_ += "<path d=\"" + path + "Z\" " + colourOf(colour) + "/>\n";
}

// Dear ImGui draws an area as a fan of triangles around its first corner: they are joined to one polygon again.
void Writer::add(const ImDrawList& list) {
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr || command.ElemCount == 0) continue;
    clip(command.ClipRect);
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    auto vertex = [&](unsigned i) { return &list.VtxBuffer[int(command.VtxOffset + index[i])]; };
    for (unsigned i = 0; i + 2 < command.ElemCount;) {
      const ImDrawVert* corner[3] = {vertex(i), vertex(i + 1), vertex(i + 2)};
      const ImU32 colour = corner[0]->col;
      if (i + 5 < command.ElemCount && addGlyph(corner, colour)) {
        i += 6;
        continue;
      }
      std::vector<ImVec2> points = {corner[0]->pos, corner[1]->pos, corner[2]->pos};
      const ImDrawIdx first = index[i];
      ImDrawIdx last = index[i + 2];
      for (i += 3; i + 2 < command.ElemCount && index[i] == first && index[i + 1] == last; i += 3) {
        last = index[i + 2];
        points.push_back(vertex(i + 2)->pos);
      }
      if ((colour & IM_COL32_A_MASK) != 0) addPolygon(points, colour);
    }
  }
}

void addWindow(Writer& writer, const ImGuiWindow& window) {
  writer.add(*window.DrawList);
  for (const ImGuiWindow* child : window.DC.ChildWindows) {
    if (child->Active && !child->Hidden) addWindow(writer, *child);
  }
}

}  // namespace

std::optional<PanelRect> panelRect(const std::string& window) {
  const ImGuiWindow* found = shownWindow(window);
  if (found == nullptr) return std::nullopt;
  return PanelRect{found->Pos, {found->Pos.x + found->Size.x, found->Pos.y + found->Size.y}};
}

Image cropped(const Image& picture, const PanelRect& rect, ImVec2 pixelsPerUnit) {
  auto pixel = [](float at, float scale, int most) { return std::clamp(int(std::lround(at * scale)), 0, most); };
  const int left = pixel(rect.from.x, pixelsPerUnit.x, picture.width);
  const int right = pixel(rect.to.x, pixelsPerUnit.x, picture.width);
  const int top = pixel(rect.from.y, pixelsPerUnit.y, picture.height);
  const int bottom = pixel(rect.to.y, pixelsPerUnit.y, picture.height);
  Image out{std::max(0, right - left), std::max(0, bottom - top), {}};
  out.rgb.reserve(std::size_t(out.width) * std::size_t(out.height) * 3);
  for (int y = top; y < bottom && out.width > 0; ++y) {
    const auto from = picture.rgb.begin() + (std::ptrdiff_t(y) * picture.width + left) * 3;
    out.rgb.insert(out.rgb.end(), from, from + std::ptrdiff_t(out.width) * 3);
  }
  return out;
}

std::string panelSvg(const std::string& window, const Look& look) {
  const ImGuiWindow* found = shownWindow(window);
  if (found == nullptr) return "";
  Writer writer(found->Pos, look);
  addWindow(writer, *found);
  const std::string width = number(found->Size.x), height = number(found->Size.y);
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
             "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#{2:06x}\"/>\n",
             width, height, rgb(Tone::kPanel, look.theme)) +
         writer.take() + "</svg>\n";
}

ExactShapes::ExactShapes()
    : lines_(ImGui::GetStyle().AntiAliasedLines),
      linesByTexture_(ImGui::GetStyle().AntiAliasedLinesUseTex),
      fill_(ImGui::GetStyle().AntiAliasedFill) {
  ImGui::GetStyle().AntiAliasedLines = ImGui::GetStyle().AntiAliasedLinesUseTex = false;
  ImGui::GetStyle().AntiAliasedFill = false;
}

ExactShapes::~ExactShapes() {
  ImGui::GetStyle().AntiAliasedLines = lines_;
  ImGui::GetStyle().AntiAliasedLinesUseTex = linesByTexture_;
  ImGui::GetStyle().AntiAliasedFill = fill_;
}

}  // namespace loom::window

#include "app/pictures/text_runs.h"

#include <algorithm>
#include <cmath>

#include "app/window/atlas_glyphs.h"

namespace loom::window {
namespace {

struct Quad {
  PanelRect at;
  ImVec2 uvFrom, uvTo;
};

constexpr int kTriangle = 3;         // indices
constexpr int kPair = 2 * kTriangle;  // of a rectangle

// Whether six indices are a rectangle as Dear ImGui writes glyphs and bars: corners a b c, a c d, clockwise from the
// upper left, with upright sides.
bool isUprightRectangle(const ImDrawIdx* i, const ImDrawVert* vertices) {
  if (i[3] != i[0] || i[4] != i[2]) return false;
  const ImVec2 a = vertices[i[0]].pos, b = vertices[i[1]].pos, c = vertices[i[2]].pos, d = vertices[i[5]].pos;
  return a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
}

Quad quadOf(const ImDrawIdx* i, const ImDrawVert* vertices) {
  const ImDrawVert &a = vertices[i[0]], &c = vertices[i[2]];
  return {{a.pos, c.pos},
          {std::min(a.uv.x, c.uv.x), std::min(a.uv.y, c.uv.y)},
          {std::max(a.uv.x, c.uv.x), std::max(a.uv.y, c.uv.y)}};
}

// Dots and triangles of Unicode's "Geometric Shapes": drawn as marks of charts (app/panels/dot), which may lie
// anywhere.
bool isMark(unsigned codepoint) { return codepoint >= 0x25A0 && codepoint <= 0x25FF; }

bool covers(const PanelRect& over, const PanelRect& under) {
  return over.from.x <= under.from.x && over.from.y <= under.from.y && over.to.x >= under.to.x &&
         over.to.y >= under.to.y;
}

// Reads draw lists in the order in which they are drawn.
class Reader {
 public:
  void add(const ImGuiWindow& window);
  std::vector<TextRun> take();

 private:
  void add(const ImGuiWindow& window, const ImDrawCmd& command, const Quad& quad, ImU32 colour);
  void endRun();

  AtlasGlyphs glyphs_;
  std::vector<TextRun> texts_;
  std::vector<PanelRect> areas_;          // opaque ones
  std::vector<std::size_t> areasBefore_;  // of each text: how many were drawn before it
  TextRun run_;
  const ImFontBaked* face_ = nullptr;
  float baseline_ = 0, pen_ = 0;
};

void Reader::endRun() {
  if (run_.text.empty()) return;
  areasBefore_.push_back(areas_.size());
  texts_.push_back(std::move(run_));
  run_ = {};
}

void Reader::add(const ImGuiWindow& window, const ImDrawCmd& command, const Quad& quad, ImU32 colour) {
  const PanelRect clip = {{command.ClipRect.x, command.ClipRect.y}, {command.ClipRect.z, command.ClipRect.w}};
  const AtlasGlyph* found = glyphs_.beginningAt(quad.uvFrom);
  const bool textured = quad.uvFrom.x != quad.uvTo.x && quad.uvFrom.y != quad.uvTo.y;
  const bool whole = found != nullptr && quad.uvTo.x == found->glyph->U1 && quad.uvTo.y == found->glyph->V1;
  if (textured && !whole) found = glyphs_.around(quad.uvFrom, quad.uvTo);
  if (!textured || found == nullptr) {
    const bool opaque = (colour & IM_COL32_A_MASK) == IM_COL32_A_MASK;
    const PanelRect seen = common(quad.at, clip);
    if (opaque && seen.from.x < seen.to.x && seen.from.y < seen.to.y) {
      endRun();
      areas_.push_back(seen);
    }
    return;
  }
  const ImFontGlyph& glyph = *found->glyph;
  if ((colour & IM_COL32_A_MASK) == 0 || isMark(glyph.Codepoint)) return;
  const float scale = (quad.at.to.x - quad.at.from.x) / std::max(1e-9F, quad.uvTo.x - quad.uvFrom.x) *
                      (glyph.U1 - glyph.U0) / (glyph.X1 - glyph.X0);
  // Where all of it would lie.
  const float perU = (glyph.X1 - glyph.X0) * scale / (glyph.U1 - glyph.U0);
  const float perV = (glyph.Y1 - glyph.Y0) * scale / (glyph.V1 - glyph.V0);
  PanelRect ink;
  ink.from = {quad.at.from.x - (quad.uvFrom.x - glyph.U0) * perU, quad.at.from.y - (quad.uvFrom.y - glyph.V0) * perV};
  ink.to = {ink.from.x + (glyph.X1 - glyph.X0) * scale, ink.from.y + (glyph.Y1 - glyph.Y0) * scale};
  const float pen = ink.from.x - glyph.X0 * scale, baseline = ink.from.y - glyph.Y0 * scale;
  const float blank = std::max(1.0F, found->face->Size * 0.22F * scale), gap = pen - pen_;
  const bool sameClip = run_.clip.from.x == clip.from.x && run_.clip.to.x == clip.to.x;
  if (run_.text.empty() || face_ != found->face || run_.colour != colour || std::abs(baseline_ - baseline) >= 0.6F ||
      gap < -blank || gap > 2.6F * blank || !sameClip || run_.window != &window) {
    endRun();
    run_ = {"", ink, clip, colour, pen, pen, 0, 0, &window};
    face_ = found->face;
    baseline_ = baseline;
  } else if (gap > 0.6F * blank) {
    run_.text += ' ';
  }
  run_.text += found->text();
  pen_ = pen + glyph.AdvanceX * scale;
  run_.end = pen_;
  run_.trimmedX = std::max(run_.trimmedX, (ink.to.x - ink.from.x) - (quad.at.to.x - quad.at.from.x));
  run_.trimmedY = std::max(run_.trimmedY, (ink.to.y - ink.from.y) - (quad.at.to.y - quad.at.from.y));
  run_.ink.from = {std::min(run_.ink.from.x, ink.from.x), std::min(run_.ink.from.y, ink.from.y)};
  run_.ink.to = {std::max(run_.ink.to.x, ink.to.x), std::max(run_.ink.to.y, ink.to.y)};
}

void Reader::add(const ImGuiWindow& window) {
  const ImDrawList& list = *window.DrawList;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr || command.ElemCount == 0) continue;
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* at = list.IdxBuffer.Data + command.IdxOffset;
    const ImDrawIdx* end = at + command.ElemCount;
    while (at < end) {
      const bool rectangle = end - at >= kPair && isUprightRectangle(at, vertices);
      if (rectangle) add(window, command, quadOf(at, vertices), vertices[at[0]].col);
      at += rectangle ? kPair : kTriangle;
    }
  }
  endRun();
  for (const ImGuiWindow* child : window.DC.ChildWindows) {
    if (child->Active && !child->Hidden) add(*child);
  }
}

std::vector<TextRun> Reader::take() {
  endRun();
  std::vector<TextRun> seen;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const PanelRect visible = common(texts_[i].ink, texts_[i].clip);
    if (visible.from.x >= visible.to.x || visible.from.y >= visible.to.y) continue;
    const auto later = areas_.begin() + static_cast<std::ptrdiff_t>(areasBefore_[i]);
    if (std::any_of(later, areas_.end(), [&](const PanelRect& area) { return covers(area, visible); })) continue;
    seen.push_back(std::move(texts_[i]));
  }
  return seen;
}

}  // namespace

PanelRect common(const PanelRect& a, const PanelRect& b) {
  return {{std::max(a.from.x, b.from.x), std::max(a.from.y, b.from.y)},
          {std::min(a.to.x, b.to.x), std::min(a.to.y, b.to.y)}};
}

std::vector<TextRun> drawnText(const std::string& window) {
  Reader reader;
  const ImGuiWindow* found = ImGui::FindWindowByName(window.c_str());
  if (found == nullptr || !found->WasActive || found->Hidden || found->DrawList == nullptr) return {};
  reader.add(*found);
  return reader.take();
}

}  // namespace loom::window

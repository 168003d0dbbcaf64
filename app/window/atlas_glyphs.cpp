#include "app/window/atlas_glyphs.h"

namespace loom::window {

std::string AtlasGlyph::text() const {
  char bytes[5] = {};
  ImTextCharToUtf8(bytes, glyph->Codepoint);
  return bytes;
}

AtlasGlyphs::AtlasGlyphs() {
  const ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  if (atlas->Builder == nullptr) return;
  for (int i = 0; i < atlas->Builder->BakedPool.Size; ++i) {
    const ImFontBaked& face = atlas->Builder->BakedPool[i];
    if (face.WantDestroy) continue;
    for (const ImFontGlyph& glyph : face.Glyphs) {
      if (glyph.Visible) glyphs_[{glyph.U0, glyph.V0}] = {&face, &glyph};
    }
  }
}

const AtlasGlyph* AtlasGlyphs::beginningAt(ImVec2 uv) const {
  const auto found = glyphs_.find({uv.x, uv.y});
  return found == glyphs_.end() ? nullptr : &found->second;
}

const AtlasGlyph* AtlasGlyphs::around(ImVec2 from, ImVec2 to) const {
  for (const auto& [corner, of] : glyphs_) {
    const ImFontGlyph& glyph = *of.glyph;
    if (glyph.U0 <= from.x && to.x <= glyph.U1 && glyph.V0 <= from.y && to.y <= glyph.V1) return &of;
  }
  return nullptr;
}

}  // namespace loom::window

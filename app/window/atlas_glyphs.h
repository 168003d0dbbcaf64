#pragma once

#include <imgui_internal.h>

#include <map>
#include <string>
#include <utility>

namespace loom::window {

/// A glyph as it lies in the font atlas.
struct AtlasGlyph {
  const ImFontBaked* face = nullptr;
  const ImFontGlyph* glyph = nullptr;

  std::string text() const;  ///< the character, as UTF-8
};

/// The glyphs that the faces have baked so far, by what part of the atlas a rectangle shows.
class AtlasGlyphs {
 public:
  /// Reads the glyphs of the present atlas. Valid until the next frame begins.
  AtlasGlyphs();

  /// Returns the glyph whose picture begins at this corner of the atlas; null if there is none.
  const AtlasGlyph* beginningAt(ImVec2 uv) const;
  /// Returns the glyph whose picture contains these texels, for one that was drawn only in part; null if there is none.
  /// Looks at all glyphs.
  const AtlasGlyph* around(ImVec2 from, ImVec2 to) const;

 private:
  std::map<std::pair<float, float>, AtlasGlyph> glyphs_;
};

}  // namespace loom::window

#pragma once

#include <imgui_internal.h>

#include <map>
#include <string>
#include <utility>

namespace loom::window {

/// A glyph that is drawn in the font atlas, the texture from which characters are copied.
struct AtlasGlyph {
  const ImFontBaked* face = nullptr;   ///< the face in the size of the glyph
  const ImFontGlyph* glyph = nullptr;  ///< the glyph's character and its rectangle in the atlas

  std::string text() const;  ///< returns the character as UTF-8; `glyph` must not be null
};

/// The glyphs that are in the font atlas now. They are found by their place in the atlas, in texture coordinates from 0
/// to 1, which tells which character a rectangle of a draw list shows.
class AtlasGlyphs {
 public:
  /// Reads the glyphs of the present ImGui context's atlas, but those without a picture, such as the blank. The object
  /// and the pointers that it returns are valid until the next frame begins.
  AtlasGlyphs();

  /// Returns the glyph whose picture has its upper left corner at exactly these texture coordinates; null if there is
  /// none.
  const AtlasGlyph* beginningAt(ImVec2 uv) const;
  /// Returns the glyph whose picture contains the rectangle from `from` to `to`, for a glyph of which only a part was
  /// drawn; null if there is none. Takes time in proportion to the number of glyphs.
  const AtlasGlyph* around(ImVec2 from, ImVec2 to) const;

 private:
  std::map<std::pair<float, float>, AtlasGlyph> glyphs_;
};

}  // namespace loom::window

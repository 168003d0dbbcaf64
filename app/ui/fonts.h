#pragma once

#include <string>

struct ImFont;

namespace loom::window {

/// A font face that fontconfig found on the machine.
struct FontFile {
  std::string file;  ///< path of the font file; empty: no installed face fits
  int index = 0;     ///< index of the face within a collection (.ttc)
};

/// A request for a font face: one of the families, in order of preference, at a weight. No other family is accepted;
/// of a family the face with the nearest weight is taken. The first family is never null.
struct FontWish {
  const char* families[3];  ///< null: no further family
  bool semibold = false;    ///< whether the weight is 600, else 400
};

/// Returns the installed face of the first family of a request that the machine has.
FontFile findFont(const FontWish& wish);

/// The font faces of the window. Code that uses a face gives its size, in px at 100 %: `ImGui::PushFont(fonts.code,
/// 12)`.
struct Fonts {
  ImFont* text = nullptr;    ///< Inter 400, or else DejaVu Sans; Chinese characters are from another face
  ImFont* strong = nullptr;  ///< Inter 600, or else DejaVu Sans, for headings and the value that matters
  ImFont* code = nullptr;    ///< JetBrains Mono, or else DejaVu Sans Mono, for code, figures and names
  bool chinese = false;      ///< whether a face with Chinese characters was found
};

/// Loads the faces into the current Dear ImGui context, which owns them; to be called once, before the first frame. A
/// face that is missing is replaced by Dear ImGui's built-in face. If `system` is false, no installed face is looked
/// for, so all three are the built-in one and `chinese` is false.
Fonts loadFonts(bool system = true);

}  // namespace loom::window

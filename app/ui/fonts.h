#pragma once

#include <string>

struct ImFont;

namespace loom::window {

/// A face as fontconfig found it. `file` is empty when the machine has none that fits.
struct FontFile {
  std::string file;
  int index = 0;  ///< face within a collection (.ttc)
};

/// The face that is wanted: one of the families, in order of preference, at a weight. No other family is taken for it.
struct FontWish {
  const char* families[3];
  bool semibold = false;
};

/// Asks fontconfig for an installed face.
FontFile findFont(const FontWish& wish);

/// The faces of the window. Sizes are given where they are used (`ImGui::PushFont(fonts.code, 12)`), in px at 100 %.
struct Fonts {
  ImFont* text = nullptr;    ///< Inter 400, with a Chinese face behind it
  ImFont* strong = nullptr;  ///< Inter 600, for headings and the value that matters
  ImFont* code = nullptr;    ///< JetBrains Mono, for code, numbers in columns and names from the program
  bool chinese = false;      ///< whether a face with Chinese characters was found
};

/// Loads the faces into the current Dear ImGui context; its built-in face stands in for one that is missing, and
/// for all without `system`.
Fonts loadFonts(bool system = true);

}  // namespace loom::window

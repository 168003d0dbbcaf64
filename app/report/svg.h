#pragma once

#include <string>

#include "app/notation/palette.h"

namespace loom::report {

/// Returns a text for the content or an attribute of XML and HTML: characters with a meaning there are escaped; control
/// characters that XML forbids and bytes that are no UTF-8 become U+FFFD.
std::string escaped(const std::string& text);

/// Returns the columns that a text takes in a monospaced face, where Chinese characters take two.
int columnsOf(const std::string& text);
/// Returns at most `columns` columns of a text, the end of a longer one replaced by "…".
std::string cut(const std::string& text, int columns);

/// A picture under construction. Lengths are CSS px, y points down. Colours are classes ("f-tx" fills, "s-tx" strokes,
/// "i-tx" inks what stands on a fill), whose rules `paletteStyle` writes, so that the page decides on light or dark.
class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };
  struct TextStyle {
    std::string colour = "f-txt";  ///< class
    double size = 12;
    bool code = false, strong = false;
    Anchor anchor = Anchor::kStart;
  };

  void rect(double x, double y, double width, double height, const std::string& classes, double radius = 0,
            double opacity = 1);
  void line(double x1, double y1, double x2, double y2, const std::string& classes, double width = 1,
            const std::string& dash = "");
  void circle(double x, double y, double radius, const std::string& classes, const std::string& title = "",
              const std::string& attributes = "");
  void triangle(double x1, double y1, double x2, double y2, double x3, double y3, const std::string& classes);
  /// Draws a text with its baseline at y.
  void text(double x, double y, const std::string& text, const TextStyle& style);

  /// Returns the element, `width` × `height`, which shrinks with its container. `label` is for screen readers. With
  /// `standalone` it is a file of its own, with the rules of its colours.
  std::string finish(double width, double height, const std::string& label, bool standalone) const;

 private:
  std::string body_;
};

inline std::string fill(notation::Tone tone) { return std::string("f-") + notation::entryOf(tone).key; }
inline std::string stroke(notation::Tone tone) { return std::string("s-") + notation::entryOf(tone).key; }
inline std::string ink(notation::Tone tone) { return std::string("i-") + notation::entryOf(tone).key; }

/// Returns CSS: the values of the palette as custom properties (light, and dark if the reader prefers that on a
/// screen), and the classes of the pictures. A standalone picture has plain values, for programs that know no custom
/// properties.
std::string paletteStyle(bool standalone);

}  // namespace loom::report

#pragma once

#include <string>

#include "app/notation/palette.h"

namespace loom::report {

/// Text as the content or an attribute of XML and HTML: what has a meaning there is escaped, control characters that
/// XML forbids and bytes that are no UTF-8 become U+FFFD.
std::string escaped(const std::string& text);

/// Columns that a text takes in a monospaced face: Chinese characters take two.
int columnsOf(const std::string& text);
/// At most `columns` of it, its end as "…".
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
  /// With its baseline at y.
  void text(double x, double y, const std::string& text, const TextStyle& style);

  /// The element: `width` × `height`, shrinking with its container. `label` is what a screen reader says. With
  /// `standalone` it is a file of its own, with the rules of its colours.
  std::string finish(double width, double height, const std::string& label, bool standalone) const;

 private:
  std::string body_;
};

inline std::string fill(notation::Tone tone) { return std::string("f-") + notation::entryOf(tone).key; }
inline std::string stroke(notation::Tone tone) { return std::string("s-") + notation::entryOf(tone).key; }
inline std::string ink(notation::Tone tone) { return std::string("i-") + notation::entryOf(tone).key; }

/// CSS: the palette's values as custom properties (light, and dark where the reader prefers it on a screen), and the
/// classes of the pictures. For programs that know no custom properties a standalone picture has plain values.
std::string paletteStyle(bool standalone);

}  // namespace loom::report

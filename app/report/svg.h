#pragma once

#include <string>

#include "app/notation/palette.h"

namespace loom::report {

/// Returns a text as it is written in the content or an attribute of XML and HTML: `&`, `<`, `>` and quotes are
/// escaped; control characters, except tab and line feed, and bytes that are no UTF-8 become U+FFFD.
std::string escaped(const std::string& text);

/// Returns the columns that a text takes in a monospaced face, where Chinese characters take two.
int columnsOf(const std::string& text);
/// Returns the text if it takes at most `columns` columns, or else its beginning and "…", in `columns`, at least 1,
/// together.
std::string cut(const std::string& text, int columns);

/// An SVG picture under construction. Each drawing function adds an element on top of the earlier ones. Texts, titles
/// and labels are given as they are, since the functions escape them. Lengths are in CSS px, and y points down.
/// `classes` are CSS classes, separated by blanks: for the colour with the key K (palette.h), "f-K" fills with it,
/// "s-K" strokes with it, and "i-K" fills with the colour of text on a ground of that colour. "none" leaves a shape
/// unfilled (a shape without "f-", "i-" or "none" is black, a line without "s-" invisible); "dashed" and "thick" change
/// its line, whatever `dash` and `width` say. `paletteStyle` writes the rules of all these, so that the page decides on
/// light or dark.
class Svg {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };
  struct TextStyle {
    std::string colour = "f-txt";       ///< CSS class that fills the characters
    double size = 12;                   ///< font size in px
    bool code = false, strong = false;  ///< whether the face is monospaced, and whether it is semibold
    Anchor anchor = Anchor::kStart;     ///< which point of the text lies at x
  };

  /// Draws a rectangle from its upper left corner; `radius` rounds its corners, `opacity` (0 to 1) is that of its fill.
  void rect(double x, double y, double width, double height, const std::string& classes, double radius = 0,
            double opacity = 1);
  /// Draws a line from (x1, y1) to (x2, y2). `dash` is the value of stroke-dasharray; empty: a solid line.
  void line(double x1, double y1, double x2, double y2, const std::string& classes, double width = 1,
            const std::string& dash = "");
  /// Draws a circle around (x, y). `title` is its tooltip; empty: none. `attributes` are further XML attributes of the
  /// element, written as given, with a leading blank.
  void circle(double x, double y, double radius, const std::string& classes, const std::string& title = "",
              const std::string& attributes = "");
  /// Draws a filled triangle with these three corners.
  void triangle(double x1, double y1, double x2, double y2, double x3, double y3, const std::string& classes);
  /// Draws a text with its baseline at y.
  void text(double x, double y, const std::string& text, const TextStyle& style);

  /// Returns the `<svg>` element with all that was drawn, `width` × `height` px. `label` is what screen readers say.
  /// With `standalone` it is a whole SVG file, with the rules of its colours and a background; otherwise it is for a
  /// page that has the rules of `paletteStyle(false)`.
  std::string finish(double width, double height, const std::string& label, bool standalone) const;

 private:
  std::string body_;
};

/// Returns the CSS class that fills with the colour of a tone.
inline std::string fill(notation::Tone tone) { return std::string("f-") + notation::entryOf(tone).key; }
/// Returns the CSS class that strokes with the colour of a tone.
inline std::string stroke(notation::Tone tone) { return std::string("s-") + notation::entryOf(tone).key; }
/// Returns the CSS class that fills with the colour of text on a ground of the tone's colour.
inline std::string ink(notation::Tone tone) { return std::string("i-") + notation::entryOf(tone).key; }

/// Returns the CSS rules of the classes of pictures. For a page, the colours are custom properties, whose values are
/// given for the light theme, and for the dark one if the reader prefers it on a screen. With `standalone`, the colours
/// are plain values of the light theme, for programs that don't support custom properties.
std::string paletteStyle(bool standalone);

}  // namespace loom::report

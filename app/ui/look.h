#pragma once

#include <imgui.h>

#include <string>

#include "app/text/messages.h"
#include "app/text/text.h"
#include "app/ui/fonts.h"
#include "app/ui/palette.h"

namespace loom::window {

/// The look of everything at the moment: theme, scale, fonts, language. It is handed to every panel and changes only
/// between frames.
struct Look {
  Theme theme = Theme::kDark;
  text::Language language = text::Language::kEnglish;
  float scale = 1;             ///< px per design px: the user's 75–300 % times the monitor's content scale
  bool reducedMotion = false;  ///< objects appear in place instead of gliding
  Fonts fonts;

  /// Returns the colour of a tone for ImDrawList. `alpha` is its opacity, 0 to 1, also below.
  ImU32 paint(Tone tone, float alpha = 1) const;
  /// Returns the colour of a tone for ImGui's style functions.
  ImVec4 colour(Tone tone, float alpha = 1) const;
  /// Returns a text in the current language.
  const char* say(const text::Text& words) const { return words.in(language); }
  /// Returns a message of the core in the current language.
  std::string tell(const Message& message) const { return text::wordsOf(language, message); }
  /// Returns a message of the core in the current language as a sentence of its own, with a capital letter.
  std::string tellSentence(const Message& message) const { return text::sentenceOf(language, message); }
  /// Converts px of the design, which is drawn at a scale of 100 %, to px of the screen.
  float px(float designPx) const { return designPx * scale; }
};

/// Type sizes in px at 100 %, for PushFont, without `Look::px`: applyStyle sets the scale of all fonts.
inline constexpr float kHeadingSize = 16;    ///< titles of chapters, help and the like
inline constexpr float kTextSize = 13;       ///< text that no other size is set for
inline constexpr float kSecondarySize = 12;  ///< explanations, tables and figures
inline constexpr float kUnitSize = 11;       ///< labels in plots and other pictures

/// Sets Dear ImGui's style from the look: colours, measures, font scale.
void applyStyle(const Look& look);

}  // namespace loom::window

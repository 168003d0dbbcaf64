#pragma once

#include "app/text/text.h"

namespace loom::text {

/// A panel's help, the answer to "What am I looking at?"; each panel has a constant of this type in its `words.h`.
/// Paragraphs of rich text: `**strong**`, `*emphasis*`, `` `code` ``.
struct PanelHelp {
  Text shown;    ///< what is drawn
  Text reading;  ///< how to read it: colours, marks, letters
  Text numbers;  ///< where its numbers come from
  Text mouse;    ///< what can be done in it with mouse and keyboard
};

/// The button of a panel's help, and the headings of its four parts.
namespace help {
inline constexpr Text kWhat{"What am I looking at?", "这里显示的是什么？"};
inline constexpr Text kShown{"What is drawn", "画的是什么"};
inline constexpr Text kReading{"How to read it", "怎么看"};
inline constexpr Text kNumbers{"Where the numbers come from", "数字从哪里来"};
inline constexpr Text kMouse{"What you can do", "可以做什么"};
}  // namespace help

}  // namespace loom::text

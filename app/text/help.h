#pragma once

#include <span>
#include <string_view>

#include "app/text/text.h"

namespace loom::text {

/// A panel's answer to "what am I looking at?". Paragraphs of rich text: `**strong**`, `*emphasis*`, `` `code` ``.
struct PanelHelp {
  const char* panel;  ///< its id in the panel table
  Text shown;         ///< what is drawn
  Text reading;       ///< how to read it: colours, marks, letters
  Text numbers;       ///< where its numbers come from
  Text mouse;         ///< what can be done in it with mouse and keyboard
};

/// One row a panel (`help_table.cpp`). A new panel has its "?" as soon as its row is here.
std::span<const PanelHelp> panelHelp();
/// Null for a panel without a row.
const PanelHelp* helpOf(std::string_view panel);

namespace help {
inline constexpr Text kWhat{"What am I looking at?", "这里显示的是什么？"};
inline constexpr Text kShown{"What is drawn", "画的是什么"};
inline constexpr Text kReading{"How to read it", "怎么看"};
inline constexpr Text kNumbers{"Where the numbers come from", "数字从哪里来"};
inline constexpr Text kMouse{"What you can do", "可以做什么"};
}  // namespace help

}  // namespace loom::text

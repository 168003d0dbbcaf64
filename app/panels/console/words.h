#pragma once

#include "app/text/text.h"

/// The words of the panel Console.
namespace loom::text::console {

inline constexpr Text kHint{"sch.… or several pasted lines; Enter applies, Ctrl+Enter starts a line, ↑ ↓ earlier lines",
                            "输入或粘贴步骤；Enter 应用，Ctrl+Enter 换行，↑ ↓ 浏览历史"};
inline constexpr Text kEmpty{
    "What you enter here, and what is refused, is listed here. The steps so far are in History.",
    "在此输入的步骤和拒绝原因会列在这里。已有的步骤在“历史”中。"};
inline constexpr Text kMade{"step {}", "第 {} 步"};
inline constexpr Text kMadeSeveral{"{} steps, now at step {}", "{} 步，现位于第 {} 步"};
inline constexpr Text kNoStep{"no change of the program", "程序未改变"};

}  // namespace loom::text::console

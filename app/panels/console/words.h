#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The phrases of the panel Console, each in English and Chinese. `{}` stands for a number that is filled in. kHint
/// stands below the input field, and kEmpty in place of the list of entered lines while that is empty. In the list,
/// behind "→" below the lines that were entered together, stand: kNoStep if they made no step; kMade with the step's
/// number if they made one; else kMadeSeveral with how many steps they made and the number of the last one.
namespace loom::text::console {

inline constexpr Text kHint{"sch.… or several pasted lines; Enter applies, Ctrl+Enter starts a line, ↑ ↓ earlier lines",
                            "输入或粘贴步骤；Enter 应用，Ctrl+Enter 换行，↑ ↓ 浏览历史"};
inline constexpr Text kEmpty{
    "What you enter here, and what is refused, is listed here. The steps so far are in History.",
    "在此输入的步骤和拒绝原因会列在这里。已有的步骤在“历史”中。"};
inline constexpr Text kMade{"step {}", "第 {} 步"};
inline constexpr Text kMadeSeveral{"{} steps, now at step {}", "{} 步，现位于第 {} 步"};
inline constexpr Text kNoStep{"no change of the program", "程序未改变"};

inline constexpr PanelHelp kHelp{
    {"Step lines, in the Python that TVM prints for a schedule.", "步骤行，即 TVM 为调度打印的 Python。"},
    {"A line that was refused says why, and changes nothing.", "被拒绝的行会说明原因，且不改变任何东西。"},
    {"The lines are those of the document; they run unchanged in TVM.",
     "这些行就是文档中的内容，可原样在 TVM 中运行。"},
    {"Type or paste lines, Enter applies; ↑ and ↓ bring back earlier ones.",
     "输入或粘贴步骤行，回车应用；↑ 和 ↓ 取回之前的行。"}};

}  // namespace loom::text::console

#pragma once

#include "app/text/text.h"

/// The words of the bar of steps beside the menus, in English and Chinese. Behind the word "step", "{}" stands for the
/// number of a step, and a second one for its line, abbreviated.
namespace loom::text::step_bar {

inline constexpr Text kUndo{"Undo", "撤销"};
inline constexpr Text kRedo{"Redo", "重做"};
/// `kUndo` or `kRedo`, and one of the texts from `kGoTo` to `kMarked`, `kStays` excepted, which say what would be
/// undone or redone.
inline constexpr Text kWhat{"{}: {}", "{}：{}"};
inline constexpr Text kGoTo{"go to step {}", "转到第 {} 步"};
inline constexpr Text kGoBackTo{"go back to step {}", "回到第 {} 步"};
inline constexpr Text kApplied{"step {}, {}", "第 {} 步，{}"};
/// The number of the last of the steps, and their title.
inline constexpr Text kAppliedAsOne{"the steps up to {}: {}", "直到第 {} 步的各步：{}"};
/// Follows kWhat of an undo of applied steps.
inline constexpr Text kStays{"The state stays in the tree.", "该状态仍留在历史树中。"};
inline constexpr Text kRemoved{"deletion of step {}, {}", "删除第 {} 步，{}"};
/// The last {} is the number of states after it.
inline constexpr Text kRemovedAll{"deletion of step {}, {}, and the {} after it",
                                  "删除第 {} 步，{}，以及其后的 {} 个状态"};
inline constexpr Text kEdited{"change of step {}, {}", "修改第 {} 步，{}"};
inline constexpr Text kMarked{"name, note or pin of step {}", "第 {} 步的名称、备注或固定"};
inline constexpr Text kBack{"Step back", "上一步"};
inline constexpr Text kForward{"Step forward", "下一步"};
inline constexpr Text kPlay{"Play the steps", "播放步骤"};
/// The number of the current step, and that of the last step of the path.
inline constexpr Text kOf{"{} of {}", "{} / {}"};
/// The tooltip of a step's mark, with the next two texts where they apply.
inline constexpr Text kStep{"Step {}", "步骤 {}"};
/// The title of a lesson's chapter.
inline constexpr Text kChapterEnd{"End of “{}”", "“{}”到此结束"};
inline constexpr Text kCompared{"Compared with this state", "正与此状态比较"};
/// The next three stand in place of the current state's time.
inline constexpr Text kNoKernel{"no kernel", "不是核函数"};
inline constexpr Text kWrong{"wrong result", "结果错误"};
inline constexpr Text kFailed{"failed", "运行失败"};
/// The texts from here on are tooltips of the time; "its" is the kernel's. |A|·|B| is the product of the factors'
/// absolute values, element by element of the result.
inline constexpr Text kChecked{
    "Its result was compared with the reference: largest difference {:.2g} of |A|·|B|, {:.2g} allowed",
    "结果已与参考值比较：最大差为 |A|·|B| 的 {:.2g}，允许 {:.2g}"};
/// In the next text and in `kNotExecuted`: a sentence on what the execution found, or why there was none.
inline constexpr Text kExecuted{"Executed on the CPU beside the original program: {}", "在 CPU 上与原程序对照执行：{}"};
/// Follows kExecuted if only a part was executed.
inline constexpr Text kRestRuns{"The rest is being executed in the background.", "其余部分正在后台执行。"};
inline constexpr Text kNotExecuted{"Not executed on the CPU: {}", "未能在 CPU 上执行：{}"};
inline constexpr Text kNotChecked{"Its result was not compared", "结果未经比较"};

}  // namespace loom::text::step_bar

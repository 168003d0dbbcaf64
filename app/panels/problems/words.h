#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel Problems, each in English and Chinese; {} stands for the number of a state (the program after
/// that many steps): first that of the state that the text is about, and second, where this state is on a branch, that
/// of the state after which the branch begins.
namespace loom::text::problems {

inline constexpr Text kNone{"No problems known: nothing was refused, and no kernel has failed.",
                            "没有已知问题：没有被拒绝的步骤，也没有失败的核函数。"};
// What kind of problem an entry is; it begins with one of these, and the place (kAtStep…) follows.
inline constexpr Text kRefused{"Refused", "被拒绝"};
inline constexpr Text kUnreadable{"Not readable", "无法解析"};
inline constexpr Text kNotAKernel{"Not a kernel", "不能成为核函数"};
inline constexpr Text kWrong{"Wrong result", "结果错误"};
inline constexpr Text kFailed{"Failed", "执行失败"};
inline constexpr Text kRemark{"Remark", "备注"};
inline constexpr Text kAtStep{"at step {}", "位于第 {} 步"};
inline constexpr Text kAtStepOfBranch{"at step {} of the branch after {}", "位于第 {1} 步之后分支的第 {0} 步"};
// The button of an entry, which goes to its state, and the button above the list.
inline constexpr Text kShow{"Show", "显示"};
inline constexpr Text kClear{"Clear refusals", "清除拒绝记录"};
// The heading of the model's advice below the entries, and the line under that heading if no machine code is known.
inline constexpr Text kAdviceOf{"Advice on step {}", "对第 {} 步的建议"};
inline constexpr Text kAdviceOnBranch{"Advice on step {} of the branch after {}",
                                      "对第 {1} 步之后分支中第 {0} 步的建议"};
inline constexpr Text kAsWritten{"Predicted from the program as written; nothing is known of its machine code.",
                                 "按程序所写预测；还没有机器码。"};

inline constexpr PanelHelp kHelp{
    {"What was refused, can't be a kernel, is wrong, or failed while it was measured; below it what costs "
     "the most time in this state.",
     "被拒绝的步骤、不能成为核函数的状态、错误的结果、测量中的失败；其下是此状态的主要瓶颈。"},
    {"Each entry names the state, the rule, and the place.", "每条写明状态、规则和位置。"},
    {"Wrong results are found by comparing with the unscheduled program on the same inputs.",
     "错误结果通过与未调度的程序在相同输入上比较得到。"},
    {"Click an entry to go to its state. Where a step would help, a button applies it.",
     "单击一条即转到该状态。如有可行的步骤，按钮可直接应用。"}};

}  // namespace loom::text::problems

#pragma once

#include "app/text/text.h"

/// The words of the panel Problems.
namespace loom::text::problems {

inline constexpr Text kNone{"No problems known: nothing was refused, and no kernel has failed.",
                            "没有已知问题：没有被拒绝的步骤，也没有失败的核函数。"};
inline constexpr Text kRefused{"Refused", "被拒绝"};
inline constexpr Text kUnreadable{"Not readable", "无法解析"};
inline constexpr Text kNotAKernel{"Not a kernel", "不能成为核函数"};
inline constexpr Text kWrong{"Wrong result", "结果错误"};
inline constexpr Text kFailed{"Failed", "执行失败"};
inline constexpr Text kRemark{"Remark", "备注"};
inline constexpr Text kAtStep{"at step {}", "位于第 {} 步"};
inline constexpr Text kAtStepOfBranch{"at step {} of the branch after {}", "位于第 {1} 步之后分支的第 {0} 步"};
inline constexpr Text kShow{"Show", "显示"};
inline constexpr Text kClear{"Clear refusals", "清除拒绝记录"};
inline constexpr Text kAdviceOf{"Advice on step {}", "对第 {} 步的建议"};
inline constexpr Text kAdviceOnBranch{"Advice on step {} of the branch after {}",
                                      "对第 {1} 步之后分支中第 {0} 步的建议"};
inline constexpr Text kAsWritten{"Predicted from the program as written; nothing is known of its machine code.",
                                 "按程序所写预测；还没有机器码。"};

}  // namespace loom::text::problems

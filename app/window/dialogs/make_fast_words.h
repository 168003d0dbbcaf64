#pragma once

#include "app/text/text.h"

/// The words of the dialog "Make it fast", and of the commands and buttons that open it, in English and Chinese. "{}"
/// stands for a value that the caller puts in.
namespace loom::text::make_fast {

inline constexpr Text kTitle{"Make it fast", "一键提速"};
inline constexpr Text kCommand{"Make it fast…", "一键提速…"};
inline constexpr Text kCommandHelp{"Constructs a good schedule by rules and shows its steps before it applies them.",
                                   "按规则构造一个好的调度，先列出各步，再应用。"};
/// The button of the dialog for a new program; its tooltip has kCommandHelp and, where they apply, kSketch and
/// kNotByWarpgroups.
inline constexpr Text kCreateFast{"Create and make it fast…", "创建并提速…"};
/// {}: the name of the sketch, the kind of kernel that the rules construct.
inline constexpr Text kSketch{"Rules take this program to: {}.", "规则可使此程序成为：{}。"};
/// {}: the reason.
inline constexpr Text kNotByWarpgroups{"The rule for warpgroups doesn't fit: {}.", "warpgroup 规则不适用：{}。"};
/// Beside the button kCommand in a panel, for a program without thread bindings.
inline constexpr Text kOffer{"No loop is bound to threads yet.", "还没有循环绑定到线程。"};
inline constexpr Text kNone{"No rule fits.", "没有合适的规则。"};
inline constexpr Text kAsking{"The rules look at the program…", "规则正在查看程序……"};
/// For one step, and for several, whose number is {}.
inline constexpr Text kWhatOne{
    "No search and no GPU: the rules write {} ordinary step, under a title of the history. It can be looked at, "
    "changed and undone.",
    "不搜索，也不需要 GPU：以下规则写出 {} 个普通的步骤，收在历史的一个标题下，可以逐步查看、修改和撤销。"};
inline constexpr Text kWhat{
    "No search and no GPU: these rules write {} ordinary steps, under one title of the history. They can be looked at "
    "one by one, changed and undone.",
    "不搜索，也不需要 GPU：以下规则写出 {} 个普通的步骤，收在历史的一个标题下，可以逐步查看、修改和撤销。"};
/// The number of the state to which the rules' first step is applied.
inline constexpr Text kFrom{"They begin at step {}, where the loops are as they were written: a branch of the history.",
                            "从第 {} 步开始，那里的循环仍是原样：在历史中形成分支。"};
inline constexpr Text kDecisions{"How its sizes were chosen", "各取值如何选定"};
inline constexpr Text kDone{"The state has all these steps already.", "当前状态已有全部步骤。"};
inline constexpr Text kApply{"Apply", "应用"};
inline constexpr Text kClose{"Close", "关闭"};

}  // namespace loom::text::make_fast

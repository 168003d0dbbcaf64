#pragma once

#include "app/text/text.h"

/// The words of the panel Step.
namespace loom::text::step {

inline constexpr Text kFilter{"Filter primitives", "筛选原语"};
inline constexpr Text kChoose{"Choose a primitive to apply to the state shown.", "请选择要应用于当前状态的原语。"};
inline constexpr Text kNoMatch{"No primitive matches.", "没有匹配的原语。"};
inline constexpr Text kGroupLoops{"Loops", "循环"};
inline constexpr Text kGroupBindings{"Bindings", "绑定"};
inline constexpr Text kGroupMemory{"Memory", "存储"};
inline constexpr Text kGroupReduction{"Reduction", "归约"};
inline constexpr Text kGroupBlocks{"Blocks", "块"};
inline constexpr Text kGroupInspect{"Inspect", "查询"};
inline constexpr Text kChooseValue{"choose", "选择"};
inline constexpr Text kLegal{"legal", "可用"};
inline constexpr Text kTrying{"Trying what is legal …", "正在检查哪些可用……"};
inline constexpr Text kFirst{"Choose what stands above first.", "请先选择上面的参数。"};
inline constexpr Text kNothing{"Nothing to choose here.", "没有可选的内容。"};
inline constexpr Text kLine{"Step", "步骤"};
inline constexpr Text kMissing{"Not chosen yet: {}", "尚未选择：{}"};
inline constexpr Text kOutcome{"+{} −{} ~{} loops and blocks", "循环与块：+{} −{} ~{}"};
inline constexpr Text kSame{"Changes no loop or block", "不改变任何循环或块"};
inline constexpr Text kApply{"Apply", "应用"};
inline constexpr Text kClear{"Clear", "清空"};
inline constexpr Text kWrite{"e.g. {}", "例如 {}"};

}  // namespace loom::text::step

#pragma once

#include "app/text/text.h"

/// Texts on the preview of a schedule step that isn't applied yet; {} stands for a number or a text.
namespace loom::text::preview {

inline constexpr Text kPreview{"Preview", "预览"};
inline constexpr Text kKeys{"↵ apply · Esc discard", "↵ 应用 · Esc 放弃"};
/// In place of kKeys if the step can't be applied.
inline constexpr Text kRefusedKeys{"Esc discard", "Esc 放弃"};
inline constexpr Text kWorking{"Working it out…", "正在计算……"};
/// The numbers of loops and blocks that the step adds, removes and alters.
inline constexpr Text kChanges{"+{} −{} ~{} loops and blocks", "循环与计算块：+{} −{} ~{}"};
inline constexpr Text kSame{"changes no loop or block", "不改变任何循环或计算块"};
/// The predicted times before and after the step, and their ratio: kAsFast below 1.01, text::comparing::kMoreTime or
/// kLessTime below 1.1, else kFaster or kSlower with the ratio of the longer to the shorter time.
inline constexpr Text kEffect{"model, program as written: {0} → {1} ({2})", "模型按程序所写估计：{0} → {1}（{2}）"};
inline constexpr Text kCompiledEffect{"model, machine code: {0} → {1} ({2})", "模型按机器码估计：{0} → {1}（{2}）"};
inline constexpr Text kCompiling{"compiling for the model of its machine code…", "正在编译，以便按机器码估计……"};
/// {}: the reason.
inline constexpr Text kNoKernel{"gives no kernel: {}", "不成为核函数：{}"};
inline constexpr Text kFaster{"{}× as fast", "速度是原来的 {} 倍"};
inline constexpr Text kSlower{"{}× the time", "时间是原来的 {} 倍"};
inline constexpr Text kAsFast{"as fast", "一样快"};

}  // namespace loom::text::preview

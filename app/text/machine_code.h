#pragma once

#include "app/text/text.h"

/// The words of the panels PTX and SASS.
namespace loom::text::machine_code {

inline constexpr Text kPtx{"PTX", "PTX"};
inline constexpr Text kSass{"SASS", "SASS"};
inline constexpr Text kAsking{"Asking the compiler for PTX …", "正在向编译器索取 PTX……"};
inline constexpr Text kNoPtx{"No PTX: {}", "没有 PTX：{}"};
inline constexpr Text kResources{"{} registers a thread", "每线程 {} 个寄存器"};
inline constexpr Text kNoSpills{"no spills", "无溢出"};
inline constexpr Text kSpills{"{} B spilled, {} B read back", "溢出 {} B，读回 {} B"};
inline constexpr Text kInstructions{"{} instructions", "{} 条指令"};
inline constexpr Text kSameInstructions{"the same instructions", "指令相同"};
inline constexpr Text kComparedBy{
    "Marked lines are instructions that the other kernel has not; which registers they use doesn't count.",
    "有标记的行是另一核函数没有的指令；所用寄存器的编号不算差异。"};
inline constexpr Text kHotLoop{"hot loop: lines {}–{}, {} of them", "热循环：第 {}–{} 行，{} 条"};
inline constexpr Text kCounted{"run {} times by warps", "线程束执行 {} 次"};
inline constexpr Text kColumns{"Second column: line of the CUDA text. Bracket: hot loop.",
                               "第二列：CUDA 行号；括线：热循环。"};
inline constexpr Text kCalls{"through {}", "经由 {}"};

}  // namespace loom::text::machine_code

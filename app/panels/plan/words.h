#pragma once

#include "app/text/help.h"

/// The words of the panel Plan.
namespace loom::text::plan {

inline constexpr Text kTitle{"Plan", "计划"};
inline constexpr Text kToTensorCores{"To tensor cores", "到张量核心"};
inline constexpr Text kAsking{"The passes look at the program …", "各遍正在查看程序……"};
inline constexpr Text kAll{"Apply all four", "应用全部四遍"};
inline constexpr Text kPress{"Apply", "应用"};
inline constexpr Text kUpTo{"Applies the {} step lines of the passes up to this one.",
                            "应用到这一遍为止的 {} 行步骤。"};
inline constexpr Text kAtStart{"The lines begin at step {}, where the product is a plain loop nest: a branch.",
                               "这些步骤从第 {} 步开始，那里乘积是普通的循环嵌套：成为一个分支。"};
inline constexpr Text kDone{"applied", "已应用"};
inline constexpr Text kNoKernel{"By itself it is no kernel: other blocks of the function have no threads.",
                                "单独还不是核函数：函数的其他计算块没有线程。"};
inline constexpr Text kExpected{"expected", "期望"};
inline constexpr Text kFound{"found", "实际"};
inline constexpr Text kUnequal{"first unequal", "首个不同"};
inline constexpr Text kTile{"tile", "分块"};
inline constexpr Text kSwap{"Swap a and b", "交换 a 和 b"};
inline constexpr Text kLies{"lies", "存放"};
inline constexpr Text kByRows{"by rows", "按行"};
inline constexpr Text kByColumns{"by columns", "按列"};
inline constexpr Text kTurned{"{}, turned in shared memory", "{}，在共享内存中转置"};
inline constexpr Text kBefore{"before: by lanes", "之前：按线程"};
inline constexpr Text kAfter{"after: by tiles", "之后：按分块"};
inline constexpr Text kLoop{"loop", "循环"};
inline constexpr Text kWas{"before", "之前"};
inline constexpr Text kIs{"after", "之后"};
inline constexpr Text kReason{"why", "原因"};
inline constexpr Text kLine{"{} step line", "{} 行步骤"};
inline constexpr Text kLines{"{} step lines", "{} 行步骤"};
inline constexpr Text kPerformance{"Performance", "性能"};
inline constexpr Text kFasterQuestion{"What makes it faster, as it makes any kernel faster?", "哪些与任何核函数相同的做法能使其更快？"};
inline constexpr Text kPredict{"Predict", "预测"};
inline constexpr Text kPredicting{"Each row is tried and its time predicted …", "正在逐行试做并预测其时间……"};
inline constexpr Text kOnTheEnd{"Each applies the four passes as well.", "每一行也会应用四遍。"};

inline constexpr PanelHelp kHelp{
    {"Four passes that take a matrix product to tensor cores. Each has a question, what it looked at, its answer, and "
     "the "
     "step lines that do it.",
     "把矩阵乘积带到张量核心的四遍。每一遍都有一个问题、所查看的内容、回答，以及实现它的步骤。"},
    {"✓ and ✗ say whether a pass succeeds; what follows a failed one is not reached. Where threads compute the product "
     "already, the third says what of them is kept, and the lines begin where the product was still a plain loop nest.",
     "✓ 和 ✗ 表示某一遍是否成功；失败之后的各遍不再进行。若乘积已由线程计算，第三遍说明保留了什么，"
     "步骤则从乘积还是普通循环嵌套的地方开始。"},
    {"All lines have been tried on the program. Tiles that the model's device lacks are greyed, with the reason.",
     "所有步骤都已在程序上试过。模型设备没有的分块显示为灰色，并给出原因。"},
    {"Hover over or click a pass: what it looked at is selected in all panels. *Apply* takes the passes up to that "
     "one.",
     "悬停或单击某一遍：它所查看的内容在所有面板中被选中。“应用”会应用到这一遍为止。"}};

}  // namespace loom::text::plan

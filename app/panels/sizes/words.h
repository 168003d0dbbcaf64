#pragma once

#include "app/text/text.h"

/// The texts of the page Sizes of the panel Performance, and from kNumbers on those of the field for sizes in the panel
/// History, each in English and Chinese; {} stands for a number, a name or a text.
namespace loom::text::sizes {

inline constexpr Text kTitle{"Sizes", "规模"};
/// Why the command that saves the sweep can't be chosen yet, with the path to this page.
inline constexpr Text kNotRun{"Run Performance › Sizes first.", "请先运行“性能 › 规模”。"};
inline constexpr Text kSizes{"sizes", "规模"};
inline constexpr Text kSizesHint{
    "Edge lengths, or M×N×K: \"512 1024 2048x512x1024\". \"512..8192\" doubles from one to the other.",
    "边长或 M×N×K：“512 1024 2048x512x1024”。“512..8192” 表示逐次加倍。"};
inline constexpr Text kTypes{"types", "类型"};
inline constexpr Text kTypesHint{"Element types of the operands and of the sum.", "操作数与累加结果的元素类型。"};
/// The element types of the operands and of the result of the open program.
inline constexpr Text kOwnTypes{"{}/{} (as here)", "{}/{}（与当前相同）"};
inline constexpr Text kStates{"states", "状态"};
inline constexpr Text kStatesHint{"The states whose steps are applied at each size.",
                                  "在每个规模上应用哪些状态的步骤。"};
inline constexpr Text kMostStates{"No more than {} at once.", "一次最多 {} 个。"};
inline constexpr Text kRun{"Run", "运行"};
inline constexpr Text kSave{"Save as CSV", "存为 CSV"};
inline constexpr Text kNoProduct{"Only a program that is one product of two matrices has other sizes.",
                                 "只有单个、两个矩阵相乘的程序才有其他规模。"};
inline constexpr Text kNoKernel{"Choose a state that is a kernel.", "请选择一个是核函数的状态。"};
inline constexpr Text kEmpty{
    "The same steps on a matrix product of other sizes or element types: which of them is refused there, where a block "
    "needs guards, and how fast it is.",
    "把同样的步骤用在其他规模或元素类型的矩阵乘法上：哪一步会被拒绝，哪里需要保护条件，速度如何。"};
inline constexpr Text kCancelled{"cancelled", "已取消"};
/// {}: where the times are from, "recorded: NVIDIA H200, 2026-11-20".
inline constexpr Text kMeasuredOn{"filled: measured, {}", "实心：实测，{}"};
/// {}: the name of the device.
inline constexpr Text kPredictedFor{"ring: predicted for {}", "空心：预测，{}"};
inline constexpr Text kRefusedMark{"×: refused, no kernel or wrong", "×：被拒绝、不是核函数或结果错误"};
inline constexpr Text kAxis{"TFLOP/s of the product", "矩阵乘的 TFLOP/s"};
inline constexpr Text kLogarithmic{"log scale", "对数刻度"};

// Heads of columns of the table, down to kRemarks; kOfPeaksHint is the tooltip of kOfPeaks.
inline constexpr Text kSize{"size", "规模"};
inline constexpr Text kPredicted{"predicted", "预测"};
/// {}: the first word of the name of the unit that computes.
inline constexpr Text kOfPeak{"% {} peak", "% {} 峰值"};
inline constexpr Text kOfPeaks{"% unit's peak", "% 单元峰值"};
inline constexpr Text kOfPeaksHint{"Of the peak of the unit that each state uses; the hover of a row names it.",
                                   "相对各状态所用单元的峰值；各行的悬停提示会注明。"};
inline constexpr Text kRemarks{"remarks", "备注"};

/// The number of the step, and the message of the error; in kNotKernel … kFailed and kUnpredicted the message alone.
inline constexpr Text kRefused{"step {} is refused: {}", "步骤 {} 被拒绝：{}"};
inline constexpr Text kNotKernel{"no kernel: {}", "不是核函数：{}"};
inline constexpr Text kNotCompiled{"not compiled: {}", "未能编译：{}"};
inline constexpr Text kWrong{"wrong result: {}", "结果错误：{}"};
inline constexpr Text kTooLong{"took too long: {}", "用时过长：{}"};
inline constexpr Text kFailed{"failed: {}", "失败：{}"};
// The name of a block, and the percentage of its executions whose condition holds.
inline constexpr Text kGuarded{"{} has a guard", "{} 带有保护条件"};
inline constexpr Text kGuardedShare{"{} has a guard: {} % of its runs work", "{} 带有保护条件：{} % 的执行有效"};
/// How many times the FLOP of the matrix product the kernel executes.
inline constexpr Text kExtra{"{} × the product's FLOP", "FLOP 为乘积的 {} 倍"};
inline constexpr Text kUnpredicted{"no prediction: {}", "无法预测：{}"};
inline constexpr Text kChecked{"right, as executed on the CPU", "结果正确（在 CPU 上执行）"};
inline constexpr Text kResources{"registers per thread: {}, bytes spilled: {}", "每线程寄存器：{}，溢出字节：{}"};
/// The name of an arithmetic unit, its rate, and a word on whether that is measured or from a data sheet.
inline constexpr Text kPeakOf{"Peak of {}: {} TFLOP/s {}", "{} 的峰值：{} TFLOP/s {}"};
// Texts of the panel History on the sizes that a function takes as parameters (n, m, …). {}: "n = 1024, m = 512".
inline constexpr Text kNumbers{"Sizes", "规模"};
inline constexpr Text kShownAt{"{}: what is shown; every combination is checked", "当前显示 {}；检查所有组合"};
inline constexpr Text kShownByDefault{
    "{}, partly by default: name others as n = 1000, 1024; each kernel is one for all",
    "{}（部分为默认值）：可写 n = 1000, 1024 指定；每个核函数适用于所有规模"};

}  // namespace loom::text::sizes

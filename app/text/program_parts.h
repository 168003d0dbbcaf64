#pragma once

#include "app/text/text.h"

/// The texts, for the window and the command line, about programs in several parts, each a kernel or some, for which
/// schedules are constructed one by one (core/tune/rules/plan_of_parts.h). A sketch is a schedule whose decisions, such
/// as tile sizes, are still open. `kOpen` marks the one part that a search may change, and `kFixed` the others.
/// Placeholders: in `kSummary` the number of parts; in `kPredicted` and `kUnpredicted` the names of the part's TIR
/// blocks and the sketch that it is scheduled by, and in `kPredicted` its predicted time with the unit; in
/// `kOneKernel`, which stands where one kernel alone is shown, the number of kernels and its name. `kTip` is the
/// tooltip of a part's line.
namespace loom::text::parts {

inline constexpr Text kSummary{
    "{} parts, planned one by one: the one that is predicted to take longest is open to the search, the others stay as "
    "constructed.",
    "程序分为 {} 个部分，逐一规划：预测用时最长的部分留给搜索，其余保持构造结果。"};
inline constexpr Text kOpen{"open", "可搜索"};
inline constexpr Text kFixed{"fixed", "已固定"};
inline constexpr Text kPredicted{"{}: {}, {} predicted", "{}：{}，预测 {}"};
inline constexpr Text kUnpredicted{"{}: {}, no time predicted", "{}：{}，没有预测时间"};
inline constexpr Text kTip{
    "Blocks of the part, the sketch that it is scheduled by, and what it is predicted to take as constructed, alone",
    "该部分的计算块、其所用的调度框架，以及按构造结果单独执行的预测时间"};
inline constexpr Text kOneKernel{"The program has {} kernels; this is {} alone.", "程序有 {} 个核函数；此处只是 {}。"};

}  // namespace loom::text::parts

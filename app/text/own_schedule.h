#pragma once

#include "app/text/text.h"

/// The texts for the command line that say whether a person's schedule is in the space of a sketch (a schedule whose
/// decisions, such as tile sizes, are still open).
namespace loom::text::own {

/// {}: the number of step lines.
inline constexpr Text kHeading{"Your schedule, {} lines:", "你的调度，{} 行："};
/// {0}: the sketch's name; {1}: the number of decisions whose values were read from the schedule; {2}: the number of
/// all decisions. kInsideOther: {3} says why the sketch makes another kernel with these values.
inline constexpr Text kInside{
    "in the space of {}: {} of {} decisions read, and it makes the very same kernel with them",
    "在 {0} 的空间中：读出 {2} 个决策中的 {1} 个，所得核函数完全相同"};
inline constexpr Text kInsideOther{"{} of {} decisions of {} read, values of its space, but {}",
                                   "读出 {2} 的 {1} 个决策中的 {0} 个，取值都在其空间中，但{3}"};
/// {0}: the sketch's name; {1}: the number of decisions read; {2}: that of all; {3}: the reasons.
inline constexpr Text kOutside{"not in the space of {}, {} of {} decisions read: {}",
                               "不在 {0} 的空间中，读出 {2} 个决策中的 {1} 个：{3}"};
/// {0}: the sketch's name; {1}: why.
inline constexpr Text kUnknown{"whether it is in the space of {} is not known: {}", "尚不知是否在 {} 的空间中：{}"};
/// Stands before the values that were read: "tile.m = 64, …".
inline constexpr Text kRead{"read: {}", "读出：{}"};

}  // namespace loom::text::own

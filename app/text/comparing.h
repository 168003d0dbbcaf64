#pragma once

#include "app/text/text.h"

/// The texts of the user interface for comparing two states (programs after some schedule steps). While states are
/// compared, a strip shows `kBanner` (`kSame` if both states are one; `kBannerHelp` is the tooltip), a button
/// `kBothSides` (`kBothSidesHelp`) and two buttons without text, whose tooltips are `kExchange` and `kEnd`.
/// `kBothSidesMenu` and `kCompareWith` are menu items; `kOther` marks the other state in lists and plots. Placeholders:
/// in `kBanner`, name and time, as one text, of the state compared with, and of the current one; in `kInOther`, the
/// number of a state and a text on it; in `kWas`, a value in the current state and in the other one.
namespace loom::text::comparing {

inline constexpr Text kBanner{"Compared: {}  →  {}", "比较：{}  →  {}"};
inline constexpr Text kBannerHelp{
    "Every panel tells the current state against the first of these, or draws both side by side. Esc or × ends this.",
    "所有面板都把当前状态与前者比较，也可将两者并排绘制。Esc 或 × 结束比较。"};
inline constexpr Text kExchange{"Swap the two states", "交换两个状态"};
inline constexpr Text kSame{"Compared with itself: go to another state", "与自身比较：请转到另一个状态"};
inline constexpr Text kBothSides{"side by side", "并排"};
inline constexpr Text kBothSidesMenu{"Compared states side by side", "并排显示所比较的状态"};
inline constexpr Text kBothSidesHelp{"Draw both states in every panel, beside or below each other",
                                     "在每个面板中同时绘制两个状态：左右或上下并排"};
inline constexpr Text kEnd{"End the comparison (Esc)", "结束比较 (Esc)"};
inline constexpr Text kCompareWith{"Compare all panels with this state", "让所有面板与此状态比较"};
inline constexpr Text kInOther{"state {}: {}", "状态 {}：{}"};
inline constexpr Text kWas{"{0} (was {1})", "{0}（原为 {1}）"};
inline constexpr Text kOther{"B", "B"};
/// By how much one time differs from another, in percent of the other.
inline constexpr Text kMoreTime{"{} % more time", "用时多 {} %"};
inline constexpr Text kLessTime{"{} % less time", "用时少 {} %"};

}  // namespace loom::text::comparing

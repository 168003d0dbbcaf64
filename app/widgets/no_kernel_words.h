#pragma once

#include "app/text/text.h"

/// The texts, in English and Chinese, that panels about kernels show for a program that can't be lowered to a kernel.
/// kNext and kBefore each stand above a button that goes to a state: the next one on the path that is a kernel, and the
/// last one before. kBetween stands below the first button; `{}` stands for the primitives of the steps to that state:
/// "compute_at, split × 4". kWillShow stands above the first part of the panel's help.
namespace loom::text::no_kernel {

inline constexpr Text kNext{"The next kernel on the way", "路径上的下一个核函数"};
inline constexpr Text kBetween{"Steps to it: {}.", "到那里还需：{}。"};
inline constexpr Text kBefore{"The last kernel before", "之前的最后一个核函数"};
inline constexpr Text kWillShow{"What this panel shows of a kernel:", "对于核函数，此面板显示："};

}  // namespace loom::text::no_kernel

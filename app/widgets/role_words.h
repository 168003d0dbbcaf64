#pragma once

#include "app/text/text.h"

/// Texts on warp roles: what the warps of a block do if they don't all run the same part of the kernel. {} stands for
/// the warps' numbers, "4–7", in kWarp and kWarps, for a number of registers in kRegisters, and else for the text that
/// kWarp or kWarps gives. kWarp and kLoads are for a single warp, kWarps and kLoad for several.
namespace loom::text::roles {

inline constexpr Text kWarp{"warp {}", "线程束 {}"};
inline constexpr Text kWarps{"warps {}", "线程束 {}"};

inline constexpr Text kMultiply{"{} multiply", "{}：做乘法"};
inline constexpr Text kLoads{"{} asks for copies", "{}：请求拷贝"};
inline constexpr Text kLoad{"{} ask for copies", "{}：请求拷贝"};
inline constexpr Text kWork{"{}: a part of their own", "{}：另有自己的部分"};
inline constexpr Text kIdle{"{}: nothing to do", "{}：无事可做"};
inline constexpr Text kRegisters{" · {} registers a thread", " · 每线程 {} 个寄存器"};

}  // namespace loom::text::roles

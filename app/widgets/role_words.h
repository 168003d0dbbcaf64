#pragma once

#include "app/text/text.h"

/// What warps of a block with a part of the kernel of their own are called.
namespace loom::text::roles {

inline constexpr Text kWarp{"warp {}", "线程束 {}"};
inline constexpr Text kWarps{"warps {}", "线程束 {}"};

}  // namespace loom::text::roles

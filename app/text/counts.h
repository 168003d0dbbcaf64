#pragma once

#include "app/text/text.h"

/// The words that say how bytes are counted and whether a rate is measured or stated, for all panels and reports.
namespace loom::text::counts {

inline constexpr Text kWritten{"as written", "按程序所写"};
inline constexpr Text kCompiled{"as compiled", "按编译结果"};
/// Over the whole kernel.
inline constexpr Text kDistinct{"each byte once", "每字节一次"};
inline constexpr Text kDistinctOfBlock{"each byte once per block", "每线程块每字节一次"};
inline constexpr Text kSectors{"in sectors of 32 B", "按 32 B 扇区"};
inline constexpr Text kWavefronts{"in wavefronts of 128 B", "按 128 B 波前"};
inline constexpr Text kMeasured{"measured", "实测"};
inline constexpr Text kStated{"stated", "标称"};

}  // namespace loom::text::counts

#pragma once

#include "app/text/text.h"

/// The words of the panel Performance.
namespace loom::text::performance {

inline constexpr Text kThroughput{"TFLOP/s", "TFLOP/s"};
inline constexpr Text kTime{"Time, µs", "时间 µs"};
inline constexpr Text kTimeOf{"time", "时间"};
inline constexpr Text kNoTimes{"No state has a time yet.", "尚无任何状态的用时。"};
inline constexpr Text kNoDevice{"Nothing can be measured here: {}", "此处无法测量：{}"};
inline constexpr Text kMeasure{"Measure all", "全部测量"};
inline constexpr Text kCancel{"Cancel", "取消"};
inline constexpr Text kStep{"step", "步骤"};
inline constexpr Text kState{"state", "状态"};
inline constexpr Text kPrevious{"× previous", "× 上一个"};
inline constexpr Text kFirst{"× first", "× 首个"};
inline constexpr Text kVendorShare{"% {}", "% {}"};
inline constexpr Text kOrigin{"origin", "来源"};
inline constexpr Text kMeasured{"measured here: {}, {}", "本机测量：{}，{}"};
inline constexpr Text kRecorded{"recorded: {}, {}", "录制：{}，{}"};
inline constexpr Text kTooSlow{"too slow", "过慢"};
inline constexpr Text kStart{"start", "初始"};
inline constexpr Text kLegend{"log scale; ○ no kernel or not measured, triangle: too slow to time",
                              "对数刻度；○ 不是核函数或未测量，三角：过慢，未计时"};
inline constexpr Text kQuartiles{"quartiles {} … {} µs of {} samples", "四分位 {} … {} µs，共 {} 次采样"};

}  // namespace loom::text::performance

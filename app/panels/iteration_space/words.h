#pragma once

#include "app/text/text.h"

/// The words of the panel Iteration space.
namespace loom::text::iteration {

inline constexpr Text kTitle{"Iteration space", "迭代空间"};
inline constexpr Text kNone{"No iteration space: {}", "没有迭代空间：{}"};
inline constexpr Text kWhole{"{}: {}", "{}：{}"};
inline constexpr Text kHidden{"besides {}, along which the pieces are seen", "另有 {}，图中沿其方向看去"};
inline constexpr Text kBlocks{"{} blocks ({}): {}", "{} 个线程块（{}）：{}"};
inline constexpr Text kWarps{"{} warps ({}): {}", "{} 个线程束（{}）：{}"};
inline constexpr Text kLanes{"{} lanes ({}): {}", "{} 个 lane（{}）：{}"};
inline constexpr Text kLoop{"{} runs of {}: {}", "{} 次 {}：{}"};
inline constexpr Text kLoopUneven{"{} runs of {}, this: {}", "{} 次 {}，本次：{}"};
inline constexpr Text kUneven{"{} ({}), this: {}", "{}（{}），本个：{}"};
inline constexpr Text kTile{"One run of {} is a tile of {} for the tensor core.",
                            "{} 每执行一次，张量核心计算一个 {} 分块。"};
inline constexpr Text kEvery{"{} (every {})", "{}（每隔 {}）"};
inline constexpr Text kRuns{"{} ({} at a time, every {})", "{}（每 {} 取连续 {}）"};
inline constexpr Text kScattered{"{} (scattered)", "{}（零散）"};
inline constexpr Text kOdd{"{} iterations that are no box: {} boxes within {}",
                           "{} 次迭代，不成长方体：{} 个部分，范围 {}"};
inline constexpr Text kOddMany{"{} iterations that are no box, within {}", "{} 次迭代，不成长方体，范围 {}"};
inline constexpr Text kNothing{"no iterations", "没有迭代"};
inline constexpr Text kMerged{"{}: {} are drawn as one", "{}：每 {} 个画作一个"};
inline constexpr Text kBounds{"{}: parts lie among each other, each piece is drawn by its bounds",
                              "{}：各部分互相交错，按各自的外框绘制"};
inline constexpr Text kRepeated{"{} threads reach each iteration: no loop around {} tells them apart.",
                                "每次迭代都有 {} 个线程到达：{} 外没有循环把它们区分开。"};
inline constexpr Text kOneWorks{
    "{} threads reach each iteration: no loop around {} tells them apart. One does it, the others wait.",
    "每次迭代都有 {} 个线程到达：{} 外没有循环把它们区分开。一个执行，其余等待。"};
inline constexpr Text kBlockNames{"blocks", "线程块"};
inline constexpr Text kWarpNames{"warps", "线程束"};
inline constexpr Text kLaneNames{"lanes", "lane"};
inline constexpr Text kBlock{"block {}", "线程块 {}"};
inline constexpr Text kWarp{"warp {}", "线程束 {}"};
inline constexpr Text kLane{"lane {}", "lane {}"};
inline constexpr Text kExplode{"explode", "拆开"};
inline constexpr Text kCut{"{} from", "{} 起点"};
inline constexpr Text kCutHint{"What lies before along this axis is taken away.", "此轴上之前的部分不画。"};
inline constexpr Text kReset{"Reset", "复位"};
inline constexpr Text kNoPicture{"The picture can't be drawn: {}", "无法绘制：{}"};
inline constexpr Text kHint{
    "Drag to rotate, wheel to cut by the next loop, click a piece to choose it, Ctrl+wheel to zoom.",
    "拖动旋转，滚轮切换到下一层循环，点击选择分块，Ctrl+滚轮缩放。"};

}  // namespace loom::text::iteration

#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The phrases of the panel Iteration space, each in English and Chinese. In each, `{}` stands for a number or name
/// that is filled in; in kNone and kNoPicture, for the reason. A piece is what one thread block, warp, lane or
/// iteration of a loop executes.
namespace loom::text::iteration {

inline constexpr Text kTitle{"Iteration space", "迭代空间"};
inline constexpr Text kNone{"No iteration space: {}", "没有迭代空间：{}"};
// The block's name, and the extents of its axes; below, what the block has besides the three axes that are drawn.
inline constexpr Text kWhole{"{}: {}", "{}：{}"};
inline constexpr Text kHidden{"besides {}, along which the pieces are seen", "另有 {}，图中沿其方向看去"};
// How a level is partitioned: the number of children (of a loop: iterations, with the loop's name), how many lie along
// each axis, and what the chosen one covers. The texts with "this" are for children that differ in size; in kUneven,
// the number of children has their kind with it, "8 warps".
inline constexpr Text kBlocks{"{} blocks ({}): {}", "{} 个线程块（{}）：{}"};
inline constexpr Text kWarps{"{} warps ({}): {}", "{} 个线程束（{}）：{}"};
inline constexpr Text kLanes{"{} lanes ({}): {}", "{} 个 lane（{}）：{}"};
inline constexpr Text kLoop{"{} runs of {}: {}", "{} 次 {}：{}"};
inline constexpr Text kLoopUneven{"{} runs of {}, this: {}", "{} 次 {}，本次：{}"};
inline constexpr Text kUneven{"{} ({}), this: {}", "{}（{}），本个：{}"};
// The block's name, and the extents of the tile.
inline constexpr Text kTile{"One run of {} is a tile of {} for the tensor core.",
                            "{} 每执行一次，张量核心计算一个 {} 分块。"};
// What a piece covers along one axis: the number of coordinates; in kRuns, the length of each run of consecutive ones;
// and the distance between the starts of runs (in the Chinese text before the length) or, in kEvery, between
// coordinates.
inline constexpr Text kEvery{"{} (every {})", "{}（每隔 {}）"};
inline constexpr Text kRuns{"{} ({} at a time, every {})", "{}（每 {} 取连续 {}）"};
inline constexpr Text kScattered{"{} (scattered)", "{}（零散）"};
// Iterations of a piece, number of cuboids that they consist of, and extents of the bounding box.
inline constexpr Text kOdd{"{} iterations that are no box: {} boxes within {}",
                           "{} 次迭代，不成长方体：{} 个部分，范围 {}"};
inline constexpr Text kOddMany{"{} iterations that are no box, within {}", "{} 次迭代，不成长方体，范围 {}"};
inline constexpr Text kNothing{"no iterations", "没有迭代"};
// The level or loop; how many children are drawn as one.
inline constexpr Text kMerged{"{}: {} are drawn as one", "{}：每 {} 个画作一个"};
/// The level or loop, as in kMerged.
inline constexpr Text kBounds{"{}: parts lie among each other, each piece is drawn by its bounds",
                              "{}：各部分互相交错，按各自的外框绘制"};
// The number of threads, and the block's name.
inline constexpr Text kRepeated{"{} threads reach each iteration: no loop around {} tells them apart.",
                                "每次迭代都有 {} 个线程到达：{} 外没有循环把它们区分开。"};
inline constexpr Text kGuarded{
    "{} threads reach each iteration: no loop around {} tells them apart. One does it, the others wait.",
    "每次迭代都有 {} 个线程到达：{} 外没有循环把它们区分开。一个执行，其余等待。"};
// The kinds of pieces, as other texts name a level; and one piece by its number.
inline constexpr Text kBlockNames{"blocks", "线程块"};
inline constexpr Text kWarpNames{"warps", "线程束"};
inline constexpr Text kLaneNames{"lanes", "lane"};
inline constexpr Text kBlock{"block {}", "线程块 {}"};
inline constexpr Text kWarp{"warp {}", "线程束 {}"};
inline constexpr Text kLane{"lane {}", "lane {}"};
// The names of the sliders; kCut's holds the name of an axis. And the button that resets the view.
inline constexpr Text kExplode{"explode", "拆开"};
inline constexpr Text kCut{"{} from", "{} 起点"};
inline constexpr Text kCutHint{"What lies before along this axis is taken away.", "此轴上之前的部分不画。"};
inline constexpr Text kReset{"Reset", "复位"};
inline constexpr Text kNoPicture{"The picture can't be drawn: {}", "无法绘制：{}"};
inline constexpr Text kHint{
    "Drag to rotate, wheel to cut by the next loop, click a piece to choose it, Ctrl+wheel to zoom.",
    "拖动旋转，滚轮切换到下一层循环，点击选择分块，Ctrl+滚轮缩放。"};

inline constexpr PanelHelp kHelp{
    {"All iterations of the block that does most, as a box with an axis for each of its iterators, cut as the "
     "schedule cuts it: into the blocks of the grid, their warps, the runs of each loop, the tiles of a tensor "
     "instruction.",
     "运算最多的那个计算块的全部迭代，画成一个长方体，每个迭代变量一条轴，并按调度切开：网格的线程块、线程束、"
     "每个循环的各次运行、张量内建函数的分块。"},
    {"The rows below are the cuts from the outside in; the one in front is drawn. Its pieces have the colour of "
     "their axis, the chosen one in full; what is not chosen at the cuts before is veiled.",
     "下面各行由外到内逐级切开，选中的一行就是图中所画的。各部分用其轴的颜色，被选中者为全色；"
     "之前各级未选中的部分变淡。"},
    {"By evaluating what the loops give to the block's iterators: a piece that is no box, or has gaps, is told as "
     "what it is.",
     "对循环赋给计算块迭代变量的值逐一求值而得：不成长方体或有间隔的部分会如实说明。"},
    {"Drag or Shift+arrows turn it, the wheel or Shift+PgDn cuts deeper, Ctrl+wheel comes nearer; explode pulls "
     "the "
     "pieces apart, the other sliders cut it open. Click a piece: Thread binding follows. Shift+Home resets.",
     "拖动或 Shift+方向键旋转，滚轮或 Shift+PgDn 逐级切开，Ctrl+滚轮缩放；“拆开”滑杆拉开各部分，其余滑杆剖开。"
     "单击某一部分，“线程绑定”随之选中。Shift+Home 复位。"}};

}  // namespace loom::text::iteration

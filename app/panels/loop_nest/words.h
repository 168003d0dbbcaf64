#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The phrases of the panel Loop nest and of its tooltips and menus, each in English and Chinese. In each, `{}`, or
/// `{}` with a number in it, stands for a number or name that is filled in; after a colon at the end of kCant…, and in
/// kMakesNoKernel, for a sentence with the reason.
namespace loom::text::loop_nest {

inline constexpr Text kTitle{"Loop nest", "循环嵌套"};
/// Stands in the panel while no program is open.
inline constexpr Text kEmpty{"Open a lesson or a function: its loops are drawn here as bars, one inside the other.",
                             "请打开课程或函数：这里把它的循环画成层层嵌套的条。"};
/// The heads of the columns; kRunsMoved is the head of the only column of figures in a narrow panel.
inline constexpr Text kLoops{"extent, loop", "长度与循环"};
inline constexpr Text kRuns{"runs", "运行次数"};
inline constexpr Text kWork{"work", "运算量"};
inline constexpr Text kMoved{"moved, grid total", "搬运量（整个网格）"};
inline constexpr Text kRunsMoved{"runs · moved", "次数 · 搬运量"};
/// Stands behind the name on the bar of a block's T.init.
inline constexpr Text kInit{"start value", "初值"};
/// Stands behind the name on the bar of a loop that is bound to the same axis as a loop around it.
inline constexpr Text kSameThreads{"the same threads", "同一批线程"};
/// Stands on the bar of a pipelined loop; kShortStages where there is little room.
inline constexpr Text kStages{"{} stages", "{} 个阶段"};
inline constexpr Text kShortStages{"{} st.", "{} 段"};
/// Stands on the bar of a statement of a pipelined loop, and is the head of a stage's column while a statement is
/// dragged to another stage.
inline constexpr Text kStage{"stage {}", "阶段 {}"};
/// Stands in place of `kStage` where there is little room.
inline constexpr Text kShortStage{"st. {}", "段 {}"};
/// On the bar of a block, how warps share its work: the number of warpgroups that take turns, the number of groups of
/// products that are on their way, and which warps execute the block, where not all do.
inline constexpr Text kTakeTurns{"{} take turns", "{} 个轮流"};
/// In place of kTakeTurns if there is room: the warps of each of the groups that take turns, "0–3, 4–7".
inline constexpr Text kWarpsTakeTurns{"warps {} take turns", "线程束 {} 轮流"};
inline constexpr Text kInFlight{"{} in flight", "{} 组在途"};
inline constexpr Text kByWarp{"warp {}", "线程束 {}"};
inline constexpr Text kByWarps{"warps {}", "线程束 {}"};
/// The head of the last column while a statement is dragged: of a stage that the loop doesn't have yet.
inline constexpr Text kNewStage{"+ stage {}", "+ 阶段 {}"};
/// The tooltip of kStage on a bar, which is the handle for such a drag.
inline constexpr Text kStageHandle{
    "Drag: to another stage. Right-click, or the menu key: stage, order, asynchronous copies.",
    "拖动：移到其他阶段。右键或菜单键：阶段、次序、异步拷贝。"};
/// Stands beside the mouse during such a drag, as long as letting go would change nothing; kStageMove stands there
/// otherwise.
inline constexpr Text kStageHelp{
    "Let go over another column: it goes to that stage. A filled box copies asynchronously.",
    "在另一列松开即移到该阶段。着色的方框表示异步拷贝。"};
/// The name of the statement, its stage, and the stage that it is dragged to.
inline constexpr Text kStageMove{"{}: stage {} → {}", "{}：阶段 {} → {}"};
// Entries of the context menu. kPipelineMenu, with the present stage, is the entry of a statement of a pipelined loop,
// and has the entries kToStage to kAsyncOff in its submenu. kPipelineOfLoop is the entry of a pipelined loop, with
// kAsyncOn or kAsyncOff for each stage. These two say what the copies of the stage are after the change.
inline constexpr Text kPipelineMenu{"pipeline: stage {}", "软件流水线：阶段 {}"};
inline constexpr Text kPipelineOfLoop{"pipeline", "软件流水线"};
inline constexpr Text kToStage{"to stage {}", "移到阶段 {}"};
inline constexpr Text kToNewStage{"to a new stage {}", "移到新阶段 {}"};
inline constexpr Text kEarlier{"one place earlier", "次序提前一位"};
inline constexpr Text kLater{"one place later", "次序推后一位"};
inline constexpr Text kAsyncOn{"stage {}: copies asynchronous", "阶段 {}：改为异步拷贝"};
inline constexpr Text kAsyncOff{"stage {}: copies waited for at once", "阶段 {}：改为同步拷贝"};
/// Lines of a bar's tooltip: of a pipelined loop; of a statement of such a loop (its stage, and its place in the order
/// of what is executed together, from 1); and of such a statement whose copies are asynchronous.
inline constexpr Text kOverlap{
    "Its iterations overlap: what is of stage 1 runs beside stage 0 of the next iteration, and so on.",
    "各次迭代相互重叠：阶段 1 的语句与下一次迭代的阶段 0 同时进行，依此类推。"};
inline constexpr Text kStageAndOrder{"stage {}, number {} of what is done together",
                                     "阶段 {}，同时进行的语句中排第 {}"};
inline constexpr Text kStartedAhead{"its copies to shared memory are started ahead and waited for by their readers",
                                    "它到共享内存的拷贝提前启动，由读取者等待完成"};
/// Warnings on a block's bar; "it" is the block's work. {0} is an axis, "threadIdx.x", or "blockIdx.y" in those of
/// thread blocks, and {1} its extent; where FLOP are told, {3} are those without repetition and {2} those with it.
inline constexpr Text kRepeat{"{0}: {1} threads repeat it", "{0}：{1} 个线程重复同样的工作"};
inline constexpr Text kRepeatFlops{"{0}: {1} threads repeat it, {2} for {3}",
                                   "{0}：{1} 个线程重复同样的工作，{3} 变成 {2}"};
inline constexpr Text kGuarded{"{0}: 1 thread of {1} works, the others wait",
                               "{0}：{1} 个线程中只有 1 个工作，其余等待"};
inline constexpr Text kBlocksRepeat{"{0}: {1} blocks repeat it", "{0}：{1} 个线程块重复同样的工作"};
inline constexpr Text kBlocksRepeatFlops{"{0}: {1} blocks repeat it, {2} for {3}",
                                         "{0}：{1} 个线程块重复同样的工作，{3} 变成 {2}"};
inline constexpr Text kBlocksGuarded{"{0}: 1 block of {1} works, the others skip it",
                                     "{0}：{1} 个线程块中只有 1 个工作，其余跳过"};
/// A warning, too: the share, in percent with the sign, of the iterations of the loops around the block in which its
/// condition is true.
inline constexpr Text kCondition{"its condition holds in {} of the runs", "其条件仅在 {} 的次数中成立"};

/// What executes a loop's iterations, in its tooltip and in the legend (notation::wordOf).
inline constexpr Text kBlockIdx{"block of the grid", "网格中的线程块"};
inline constexpr Text kThreadIdx{"thread", "线程"};
inline constexpr Text kVirtual{"virtual thread", "虚拟线程"};
inline constexpr Text kVectorized{"vectorized", "向量化"};
inline constexpr Text kUnrolled{"unrolled", "展开"};
inline constexpr Text kSerial{"serial", "串行"};
inline constexpr Text kReduction{"reduction", "归约"};

/// Lines of a bar's tooltip, down to kAsWritten: a loop's extent; how often the body of the loop or block is executed.
inline constexpr Text kExtent{"extent {}", "长度 {}"};
inline constexpr Text kRunsOf{"{} runs over the whole grid", "整个网格共运行 {} 次"};
inline constexpr Text kUnknownRuns{"runs depend on values", "运行次数取决于运行时的值"};
/// {0} is a buffer's name with its bytes, {1} a memory: `kGlobal`, `kShared` or `kRegisters`.
inline constexpr Text kReads{"reads {0} from {1}", "从 {1} 读取 {0}"};
inline constexpr Text kWrites{"writes {0} to {1}", "向 {1} 写入 {0}"};
/// Stands below kReads and kWrites.
inline constexpr Text kAsWritten{"As the program is written; the compiler may keep values in registers.",
                                 "按程序所写统计；编译器可能把值留在寄存器中。"};
/// The names of the memory levels, wherever the window names one (notation::wordOf).
inline constexpr Text kGlobal{"global", "全局内存"};
inline constexpr Text kShared{"shared", "共享内存"};
inline constexpr Text kRegisters{"registers", "寄存器"};
/// A line of a block's tooltip: the name of the tensor intrinsic that has replaced the block.
inline constexpr Text kIntrinsic{"tensor intrinsic {}", "张量内建函数 {}"};
/// A line of the tooltip of a block that computes: the letters of the memory levels that it reads and of those that it
/// writes, with an arrow between them, "G→S" (session::routeText).
inline constexpr Text kComputedRoute{"{}: it computes from the first and writes to the second",
                                     "{}：从前者取数计算，写到后者"};
/// The entry of the legend for the handle at the right end of bars.
inline constexpr Text kHandleKey{"drag: split", "拖动：拆分"};
/// In the lines of a tooltip on the steps that made a loop or block: the number of the step.
inline constexpr Text kStep{"step {}", "第 {} 步"};
/// Stand beside the mouse while a bar (kDropHelp) or a bar's handle (kSplitHelp, kNoDivisor) is dragged, as long as
/// letting go would change nothing. kNoDivisor is for a loop whose extent {} has no divisors but 1 and itself.
inline constexpr Text kDropHelp{"Between two bars: reorder. Onto the next bar: fuse.",
                                "放在两条之间：重排。放到相邻的条上：融合。"};
inline constexpr Text kSplitHelp{"Drag to the left: split by a divisor of the extent.", "向左拖动：按长度的约数拆分。"};
inline constexpr Text kNoDivisor{"No factor divides {}: a factor typed into the form of split leaves a guard.",
                                 "{} 没有可用的约数：在 split 表单中输入其他因子会留下边界条件。"};
/// The tooltip of a bar's handle. kHandleOf is for a bar of several loops, with the name of the loop that the handle
/// splits.
inline constexpr Text kHandle{"Drag or click: split", "拖动或点击：拆分"};
inline constexpr Text kHandleOf{"Drag or click: split {}; select another loop of the line to split that",
                                "拖动或点击：拆分 {}；选中此行的另一个循环则拆分它"};
/// The button below a refused entry of the context menu. It applies step lines that do what was refused; {} is their
/// number.
inline constexpr Text kInOneStep{"Do it in {} line", "用 {} 行完成"};
inline constexpr Text kInSteps{"Do it in {} lines", "用 {} 行完成"};
/// Stands in the context menu in place of entries if several things are selected and a block is among them.
inline constexpr Text kOnlyLoops{"Several loops can be fused or reordered; among these is a block.",
                                 "多个循环可以 fuse 或 reorder；所选中有计算块。"};
/// Stands in a list of possible steps, where others have their predicted time, for a step whose result is no kernel.
inline constexpr Text kOptionNoKernel{"no kernel", "非核函数"};
/// The tooltip of such a step in the context menu.
inline constexpr Text kMakesNoKernel{"It can be applied, but what it makes is no kernel: {}",
                                     "可以应用，但结果不是核函数：{}"};
// Lines of a loop's tooltip. The last {} is the work and bytes of all blocks inside the loop, over the whole grid
// (kBelow), or for one of its iterations; kBelowMean if these can't all have the same. The first of two {} is the
// number of the loop's iterations over the whole grid.
inline constexpr Text kBelow{"below, in all: {}", "其下合计：{}"};
inline constexpr Text kBelowEach{"below, in each of {} iterations: {}", "其下每次迭代（共 {} 次）：{}"};
inline constexpr Text kBelowMean{"below, in the mean of {} iterations: {}", "其下平均每次迭代（共 {} 次）：{}"};
inline constexpr Text kBelowUnknown{"what lies below it depends on values", "其下的量取决于运行时的值"};
/// A line of a loop's tooltip: the number of other loops that the same step has made, and that of the further loops
/// related to the loop by split and fuse.
inline constexpr Text kKin{"outlined: {} made by the same step, {} further relatives by split and fuse",
                           "加框：同一步骤得到的循环 {} 个，经 split 与 fuse 相关的另有 {} 个"};
/// Stand beside the mouse while a drag would make a step that is refused: the dragged loop, the loop that it would be
/// dropped at or, for a split, the extents ("128 × 8"), and the reason.
inline constexpr Text kCantOutside{"{} can't go outside {}: {}", "{} 不能放到 {} 外面：{}"};
inline constexpr Text kCantInside{"{} can't go inside {}: {}", "{} 不能放到 {} 里面：{}"};
inline constexpr Text kCantFuse{"{} can't be fused with {}: {}", "{} 不能与 {} 融合：{}"};
inline constexpr Text kCantSplit{"{} can't be split into {}: {}", "{} 不能拆分为 {}：{}"};
/// Stands below the entries of the context menu.
inline constexpr Text kOptionTimes{"right: predicted change of the time, program as written",
                                   "右侧：按程序所写预测的时间变化"};

inline constexpr PanelHelp kHelp{
    {"The loops and blocks of the program as nested bars, in program order: what is inside a bar runs as often as "
     "the bar says.",
     "程序的循环和计算块，按程序顺序画成嵌套的条：条里的内容按条上的次数执行。"},
    {"Colour and letter say what runs a loop: blocks of the grid, threads, vector lanes, or one thread in turn. "
     "The "
     "columns: how often the body runs, floating-point operations, bytes moved. An outlined bar with `+` or `~` is "
     "new or "
     "changed; a dashed one is a preview. Where warps have roles, a block names those that execute it. With the mouse "
     "on a bar, outlines mark the loops that came from the same "
     "split or fuse.",
     "颜色和字母表示由谁执行循环：网格的线程块、线程、向量 lane，还是一个线程依次执行。各列：循环体执行次数、"
     "浮点运算、搬运字节。带 `+` 或 `~` "
     "的框是新增或改变的；虚线框是预览。线程束有分工时，计算块上标出执行它的线程束。鼠标停在条上时，同一次 "
     "split 或 fuse 得到的循环带轮廓。"},
    {"Counted from the program as written, over the whole grid.", "按程序所写计数，对整个网格。"},
    {"Click selects, Ctrl+click several. Drag a bar to reorder, drop it on another to fuse, drag the handle at its "
     "right end to split, double-click to bind. In a pipelined loop, drag the word of a stage to move what it is of to "
     "another one. Right-click: every primitive, with the reason where one is not "
     "allowed.",
     "单击选择，Ctrl+"
     "单击多选。拖动条可重排，放到另一条上可融合，拖动右端的手柄可拆分，双击可绑定。在软件流水线的循环中，拖动“阶段”字"
     "样可移到其他阶段。"
     "右键：所有原语，不允许的会说明原因。"}};

}  // namespace loom::text::loop_nest

#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The phrases of the panel Loop nest and of its tooltips and menus, each in English and Chinese. In each, `{}`, or
/// `{}` with a number in it, stands for a number or name that is filled in; after a colon at the end of kCant…, and in
/// kMakesNoKernel, for a sentence with the reason.
namespace loom::text::loop_nest {

inline constexpr Text kTitle{"Loop nest", "循环嵌套"};
inline constexpr Text kEmpty{"Open a lesson or a function: its loops are drawn here as bars, one inside the other.",
                             "请打开课程或函数：这里把它的循环画成层层嵌套的条。"};
inline constexpr Text kLoops{"extent, loop", "长度与循环"};
inline constexpr Text kRuns{"runs", "运行次数"};
inline constexpr Text kWork{"work", "运算量"};
inline constexpr Text kMoved{"moved, grid total", "搬运量（整个网格）"};
inline constexpr Text kRunsMoved{"runs · moved", "次数 · 搬运量"};
inline constexpr Text kInit{"start value", "初值"};
inline constexpr Text kSameThreads{"the same threads", "同一批线程"};
inline constexpr Text kStages{"{} stages", "{} 个阶段"};
inline constexpr Text kShortStages{"{} st.", "{} 段"};
inline constexpr Text kStage{"stage {}", "阶段 {}"};
/// Stands in place of `kStage` where there is little room.
inline constexpr Text kShortStage{"st. {}", "段 {}"};
/// How warps share the work of a block: warpgroups that take turns, groups of products that are on their way, and which
/// warps execute it, where not all do.
inline constexpr Text kTakeTurns{"{} take turns", "{} 个轮流"};
/// The same with the warps of each group: "0–3, 4–7".
inline constexpr Text kWarpsTakeTurns{"warps {} take turns", "线程束 {} 轮流"};
inline constexpr Text kInFlight{"{} in flight", "{} 组在途"};
inline constexpr Text kByWarp{"warp {}", "线程束 {}"};
inline constexpr Text kByWarps{"warps {}", "线程束 {}"};
inline constexpr Text kNewStage{"+ stage {}", "+ 阶段 {}"};
inline constexpr Text kStageHandle{
    "Drag: to another stage. Right-click, or the menu key: stage, order, asynchronous copies.",
    "拖动：移到其他阶段。右键或菜单键：阶段、次序、异步拷贝。"};
inline constexpr Text kStageHelp{
    "Let go over another column: it goes to that stage. A filled box copies asynchronously.",
    "在另一列松开即移到该阶段。着色的方框表示异步拷贝。"};
/// The name of the statement, its stage, and the stage that it is dragged to.
inline constexpr Text kStageMove{"{}: stage {} → {}", "{}：阶段 {} → {}"};
// Entries of the menu.
inline constexpr Text kPipelineMenu{"pipeline: stage {}", "软件流水线：阶段 {}"};
inline constexpr Text kPipelineOfLoop{"pipeline", "软件流水线"};
inline constexpr Text kToStage{"to stage {}", "移到阶段 {}"};
inline constexpr Text kToNewStage{"to a new stage {}", "移到新阶段 {}"};
inline constexpr Text kEarlier{"one place earlier", "次序提前一位"};
inline constexpr Text kLater{"one place later", "次序推后一位"};
inline constexpr Text kAsyncOn{"stage {}: copies asynchronous", "阶段 {}：改为异步拷贝"};
inline constexpr Text kAsyncOff{"stage {}: copies waited for at once", "阶段 {}：改为同步拷贝"};
inline constexpr Text kOverlap{
    "Its iterations overlap: what is of stage 1 runs beside stage 0 of the next iteration, and so on.",
    "各次迭代相互重叠：阶段 1 的语句与下一次迭代的阶段 0 同时进行，依此类推。"};
inline constexpr Text kStageAndOrder{"stage {}, number {} of what is done together",
                                     "阶段 {}，同时进行的语句中排第 {}"};
inline constexpr Text kStartedAhead{"its copies to shared memory are started ahead and waited for by their readers",
                                    "它到共享内存的拷贝提前启动，由读取者等待完成"};
/// {0} is an axis, "threadIdx.x", or "blockIdx.y" in those of blocks, and {1} its extent; where FLOP are told, {3} are
/// those without repetition and {2} those with it.
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
/// The share of the runs.
inline constexpr Text kCondition{"its condition holds in {} of the runs", "其条件仅在 {} 的次数中成立"};

inline constexpr Text kBlockIdx{"block of the grid", "网格中的线程块"};
inline constexpr Text kThreadIdx{"thread", "线程"};
inline constexpr Text kVirtual{"virtual thread", "虚拟线程"};
inline constexpr Text kVectorized{"vectorized", "向量化"};
inline constexpr Text kUnrolled{"unrolled", "展开"};
inline constexpr Text kSerial{"serial", "串行"};
inline constexpr Text kReduction{"reduction", "归约"};

inline constexpr Text kExtent{"extent {}", "长度 {}"};
inline constexpr Text kRunsOf{"{} runs over the whole grid", "整个网格共运行 {} 次"};
inline constexpr Text kUnknownRuns{"runs depend on values", "运行次数取决于运行时的值"};
/// {0} is a buffer's name with its bytes, {1} a memory: `kGlobal`, `kShared` or `kRegisters`.
inline constexpr Text kReads{"reads {0} from {1}", "从 {1} 读取 {0}"};
inline constexpr Text kWrites{"writes {0} to {1}", "向 {1} 写入 {0}"};
inline constexpr Text kAsWritten{"As the program is written; the compiler may keep values in registers.",
                                 "按程序所写统计；编译器可能把值留在寄存器中。"};
inline constexpr Text kGlobal{"global", "全局内存"};
inline constexpr Text kShared{"shared", "共享内存"};
inline constexpr Text kRegisters{"registers", "寄存器"};
inline constexpr Text kIntrinsic{"tensor intrinsic {}", "张量内建函数 {}"};
/// Two storage scopes with an arrow between them.
inline constexpr Text kComputedRoute{"{}: it computes from the first and writes to the second",
                                     "{}：从前者取数计算，写到后者"};
inline constexpr Text kHandleKey{"drag: split", "拖动：拆分"};
inline constexpr Text kStep{"step {}", "第 {} 步"};
inline constexpr Text kDropHelp{"Between two bars: reorder. Onto the next bar: fuse.",
                                "放在两条之间：重排。放到相邻的条上：融合。"};
inline constexpr Text kSplitHelp{"Drag to the left: split by a divisor of the extent.", "向左拖动：按长度的约数拆分。"};
inline constexpr Text kNoDivisor{"No factor divides {}: a factor typed into the form of split leaves a guard.",
                                 "{} 没有可用的约数：在 split 表单中输入其他因子会留下边界条件。"};
inline constexpr Text kHandle{"Drag or click: split", "拖动或点击：拆分"};
inline constexpr Text kHandleOf{"Drag or click: split {}; select another loop of the line to split that",
                                "拖动或点击：拆分 {}；选中此行的另一个循环则拆分它"};
inline constexpr Text kInOneStep{"Do it in {} line", "用 {} 行完成"};
inline constexpr Text kInSteps{"Do it in {} lines", "用 {} 行完成"};
inline constexpr Text kOnlyLoops{"Several loops can be fused or reordered; among these is a block.",
                                 "多个循环可以 fuse 或 reorder；所选中有计算块。"};
inline constexpr Text kOptionNoKernel{"no kernel", "非核函数"};
inline constexpr Text kMakesNoKernel{"It can be applied, but what it makes is no kernel: {}",
                                     "可以应用，但结果不是核函数：{}"};
// The number of the loop's iterations over the whole grid, and the sum of the work and bytes of the blocks inside it.
inline constexpr Text kBelow{"below, in all: {}", "其下合计：{}"};
inline constexpr Text kBelowEach{"below, in each of {} iterations: {}", "其下每次迭代（共 {} 次）：{}"};
inline constexpr Text kBelowMean{"below, in the mean of {} iterations: {}", "其下平均每次迭代（共 {} 次）：{}"};
inline constexpr Text kBelowUnknown{"what lies below it depends on values", "其下的量取决于运行时的值"};
/// The number of loops that the same step has made, and that of other loops related to the loop by split and fuse.
inline constexpr Text kKin{"outlined: {} made by the same step, {} further relatives by split and fuse",
                           "加框：同一步骤得到的循环 {} 个，经 split 与 fuse 相关的另有 {} 个"};
inline constexpr Text kCantOutside{"{} can't go outside {}: {}", "{} 不能放到 {} 外面：{}"};
inline constexpr Text kCantInside{"{} can't go inside {}: {}", "{} 不能放到 {} 里面：{}"};
inline constexpr Text kCantFuse{"{} can't be fused with {}: {}", "{} 不能与 {} 融合：{}"};
inline constexpr Text kCantSplit{"{} can't be split into {}: {}", "{} 不能拆分为 {}：{}"};
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

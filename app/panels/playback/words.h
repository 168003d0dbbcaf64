#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The words of the panel Playback.
namespace loom::text::playback {

inline constexpr Text kTitle{"Playback", "执行回放"};
inline constexpr Text kNoKernel{"No kernel, so no block that could be played: {}",
                                "还不是核函数，没有线程块可以回放：{}"};
inline constexpr Text kNoTime{"No predicted time to share out: {}", "没有可以分配的预测时间：{}"};
inline constexpr Text kNothing{"The kernel's statements take no time that the model knows of.",
                               "模型不知道该核函数的语句耗时。"};
inline constexpr Text kWorking{"Working out a block's lifetime …", "正在推算线程块的执行过程……"};
inline constexpr Text kPlay{"Play", "播放"};
inline constexpr Text kPause{"Pause", "暂停"};
inline constexpr Text kPlayHint{"Space", "空格"};
inline constexpr Text kStepBack{"One k step back (Page Up)", "后退一个 k 步（Page Up）"};
inline constexpr Text kBack{"To the action before (Ctrl ←)", "到上一个动作（Ctrl ←）"};
inline constexpr Text kForward{"To the next action (Ctrl →)", "到下一个动作（Ctrl →）"};
inline constexpr Text kStepForward{"One k step on (Page Down)", "前进一个 k 步（Page Down）"};
inline constexpr Text kSpeed{"How fast it plays", "播放速度"};
inline constexpr Text kStepBudget{"One {} step: {} clocks = {}", "{} 的一步：{} 个周期 = {}"};
inline constexpr Text kWholeBudget{"A block's lifetime: {} clocks = {}", "全程：{} 个周期 = {}"};
inline constexpr Text kPart{"{} {}", "{} {}"};
inline constexpr Text kHidden{"; {} overlapped: +0", "；{}被重叠：+0"};
inline constexpr Text kHiddenBehind{"hidden behind {}, the busiest of this phase", "被{}掩盖（本阶段最忙）"};
inline constexpr Text kCompiled{"predicted from the machine code", "由机器码预测"};
inline constexpr Text kWritten{"predicted from the program; waits need its machine code",
                               "由程序预测；有机器码才知道等待"};
inline constexpr Text kShared1{"a block alone on its multiprocessor", "每个 SM 一个线程块"};
inline constexpr Text kShared{"{} blocks take turns on a multiprocessor", "一个 SM 上 {} 个线程块轮流执行"};
inline constexpr Text kTotal{"lifetime {} clocks × {} + launch = {} predicted, {}, {}",
                             "全程 {} 周期 × {} + 启动 = 预测 {}，{}，{}"};
inline constexpr Text kCopy{"global", "全局内存"};
inline constexpr Text kSharedMemory{"shared", "共享内存"};
inline constexpr Text kTensor{"tensor", "张量核心"};
inline constexpr Text kFma{"fp32", "fp32"};
inline constexpr Text kHalf{"fp16", "fp16"};
inline constexpr Text kConvert{"convert", "转换"};
inline constexpr Text kIssue{"issue", "发射"};
inline constexpr Text kCopies{"global memory", "全局内存"};
inline constexpr Text kSharedLong{"shared memory", "共享内存"};
inline constexpr Text kTensorLong{"tensor cores", "张量核心"};
inline constexpr Text kFmaLong{"fp32", "fp32"};
inline constexpr Text kHalfLong{"fp16", "fp16"};
inline constexpr Text kConvertLong{"fp16 → fp32 conversion", "fp16 → fp32 转换"};
inline constexpr Text kIssueLong{"issue and barriers", "指令发射与屏障"};
inline constexpr Text kPass{"{} = {}, pass {} of {}", "{} = {}，第 {} 次迭代，共 {} 次"};
inline constexpr Text kClocks{"{} clocks", "{} 个周期"};
inline constexpr Text kClocksAxis{"clocks", "周期"};
inline constexpr Text kBefore{"before and after the steps", "步之外"};
inline constexpr Text kWaits{"waits for {}: {} clocks; drawn in one piece, it comes in many",
                             "等待{}：{} 个周期；图中画成一段，实际分散发生"};
inline constexpr Text kWait{"wait", "等待"};
inline constexpr Text kBarrier{"barrier", "屏障"};
inline constexpr Text kStart{"start value", "初值"};
inline constexpr Text kCopyAction{"copies to shared memory", "拷贝到共享内存"};
inline constexpr Text kLoadAction{"loads", "加载"};
inline constexpr Text kMultiplyAction{"multiplies", "乘"};
inline constexpr Text kStoreAction{"stores", "存储"};
inline constexpr Text kIssuePiece{"drawn in one piece from the phase's beginning; it is spread over the phase",
                                  "图中从阶段开头画成一段，实际分散在整个阶段"};
inline constexpr Text kCopyBar{"copy", "拷贝"};
inline constexpr Text kLoadBar{"load", "加载"};
inline constexpr Text kMultiplyBar{"multiply", "乘"};
inline constexpr Text kStoreBar{"store", "存储"};
inline constexpr Text kWithConversions{
    "the fp16 pipe converts each operand to float32; the fp32 pipe multiplies meanwhile",
    "fp16 管线把每个操作数转换为 float32；乘法同时在 fp32 管线上进行"};
inline constexpr Text kBarClocks{"{} clocks of {}", "{} 个周期，{}"};
inline constexpr Text kOwnClocks{"{} of its own; blocks take turns", "自身 {}；各线程块轮流"};
inline constexpr Text kCounts{
    "per pass: {} warp instructions, {} lines, {} wavefronts, {} multiply-adds, {} tensor products",
    "每趟：{} 条线程束指令，{} 行，{} 个波前，{} 次乘加，{} 次张量乘"};
inline constexpr Text kBytes{"{} from or to global, {} from or to shared memory, {} (as written)",
                             "全局内存 {}，共享内存 {}，{}（按程序所写）"};
inline constexpr Text kAtBarrier{"Barrier: warps wait for each other", "屏障：各线程束互相等待"};
inline constexpr Text kAtWait{"Waiting; nothing runs", "等待；没有动作"};
inline constexpr Text kNow{"Now: {}", "此刻：{}"};
inline constexpr Text kTile{"{} {}[{}:{}, {}:{}]", "{} {}[{}:{}, {}:{}]"};
inline constexpr Text kReads{"reads", "读取"};
inline constexpr Text kWrites{"writes", "写入"};
inline constexpr Text kScrubHint{"Drag here, or press Play: the other panels follow.",
                                 "在此拖动或点击播放：其他面板随之变化。"};
inline constexpr Text kAllWarps{" Bars are all warps that share the SM: one loads while another multiplies.",
                                "每条为 SM 上全部线程束之和：有的在加载，有的在计算。"};
/// On a bar of what a statement named {} needs before it computes.
inline constexpr Text kLoadFor{"load for {}", "为 {} 加载"};
inline constexpr Text kConvertFor{"convert for {}", "为 {} 转换"};
inline constexpr Text kSumOf{"a bar sums up to {} passes of inner loops", "每条最多为内层循环 {} 次迭代之和"};
inline constexpr Text kPassesOf{"{} passes drawn as one", "{} 次迭代画成一条"};
inline constexpr Text kBusyExposed{"busy {} · adds {}", "忙 {} · 关键路径 {}"};
inline constexpr Text kBusyWaits{"busy {} · adds {} + {} waiting", "忙 {} · 关键路径 {} + 等待 {}"};

// A pipeline's rows.
inline constexpr Text kOnTheirWay{"on their way", "在途拷贝"};
inline constexpr Text kSlot{"slot {}", "槽 {}"};
/// What a slot holds; {} is the iteration, "k = 5".
inline constexpr Text kSlotInFlight{"{} in flight", "{} 在途"};
inline constexpr Text kSlotLanded{"{} landed", "{} 已到达"};
inline constexpr Text kSlotRead{"{} being read", "{} 正被读取"};
inline constexpr Text kSlotFree{"free", "空闲"};
inline constexpr Text kSlotBytes{"{} slots of {}", "{} 个槽，各 {}"};
inline constexpr Text kSlotOf{"Slot {} of {}", "{1} 的槽 {0}"};
inline constexpr Text kExposed{"up to {} groups · {} clocks exposed", "最多 {} 组 · 暴露 {} 个周期"};
inline constexpr Text kExposedUnknown{"waits: as compiled only", "等待：仅按编译结果可知"};
inline constexpr Text kGroupHint{"{}: {} · {} clocks from the first copy to the wait that it has landed for",
                                 "{}：{} · 从第一次拷贝到确认到达的等待共 {} 个周期"};
inline constexpr Text kGroupNote{
    "Asynchronous copies (cp.async) go on while the block computes. A dashed frame: nothing hides them there.",
    "异步拷贝（cp.async）在线程块计算时继续进行。虚线框：此处没有被隐藏。"};
inline constexpr Text kNoGroupHint{"No copy is on its way here.", "此时没有在途的拷贝。"};
inline constexpr Text kInFlightNote{"Copies into it have been started; the wait that tells that they landed comes later.",
                                    "拷贝已发起；确认其到达的等待在后面。"};
inline constexpr Text kLandedNote{"The values are there, to be read later.", "数据已在其中，稍后读取。"};
inline constexpr Text kReadNote{"Statements read it; it may be filled again behind the next barrier.",
                                "语句正在读取；下一个屏障之后才可再次写入。"};
inline constexpr Text kFreeNote{"Free: read for the last time, and not filled again yet.",
                                "空闲：已最后一次读取，尚未再次写入。"};

inline constexpr PanelHelp kHelp{
    {"The life of one block on a multiprocessor, from its start to its last store: above the whole of it, below "
     "one "
     "pass of the loop that brings in operands, a row for each pipe. A pipelined program has more rows: copies on their "
     "way, and the slots of each ring of buffers with the iteration that each one holds.",
     "一个线程块在 SM 上从开始到最后一次存储的全过程：上方为全程，下方为装入操作数的循环的一趟，每条执行管线"
     "一行。软件流水线的程序还有：在途的拷贝，以及各环形缓冲区的槽和每个槽所存的迭代。"},
    {"Bars above each other run at the same time. The busiest pipe of a phase sets its length; copies and shared "
     "memory are one pipe and take turns. Dashed boxes are waits that nothing hides; a barrier ends a phase. A slot is in flight from "
     "the first copy to the wait for it, then landed, then read, then free.",
     "上下对齐的条同时执行。阶段的长度由其中最忙的执行管线决定；拷贝与共享内存共用一条执行管线，轮流进行。"
     "虚线框是暴露的（没有被隐藏的）等待；屏障结束一个阶段。"
     "槽从第一次拷贝到对应的等待为在途，之后为已到达、正被读取、空闲。"},
    {"From the model: the lengths add up to the predicted time. As compiled they come from the machine code, with "
     "its waits; as written, from the program's statements.",
     "来自模型：各段长度之和即预测时间。“按编译结果”时来自机器码及其等待；“按程序所写”时来自程序语句。"},
    {"Drag the cursor; ← → by a hundredth, Ctrl+← → by an action, PgUp PgDn by a k step, Home, End; Space plays, "
     "Esc ends. Loop nest, Thread binding and Memory hierarchy follow. A click selects the statement everywhere.",
     "拖动游标；← → 移动百分之一，Ctrl+← → 移动一个动作，PgUp PgDn 移动一个 k 步，Home、End；空格播放，Esc "
     "结束。循环嵌套、线程绑定、存储层次随之变化。单击条即在各处选中该语句。"}};

}  // namespace loom::text::playback

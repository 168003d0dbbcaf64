#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel Playback, each in English and Chinese; {} stands for a value that is filled in. At the end of
/// `kNoKernel` and `kNoTime` it is the reason, a sentence. Bytes, FLOP and times have their units; clocks are numbers.
namespace loom::text::playback {

inline constexpr Text kTitle{"Playback", "执行回放"};
// From here to kWorking: what stands in place of the picture.
inline constexpr Text kNoKernel{"No kernel, so no block that could be played: {}",
                                "还不是核函数，没有线程块可以回放：{}"};
inline constexpr Text kNoTime{"No predicted time to share out: {}", "没有可以分配的预测时间：{}"};
inline constexpr Text kNothing{"The kernel's statements take no time that the model knows of.",
                               "模型不知道该核函数的语句耗时。"};
inline constexpr Text kWorking{"Working out a block's lifetime…", "正在推算线程块的执行过程……"};
// The buttons: kPlay, or kPause while it plays, with the tooltip kPlayHint; tooltips of those with signs; and that of
// the list of speeds.
inline constexpr Text kPlay{"Play", "播放"};
inline constexpr Text kPause{"Pause", "暂停"};
inline constexpr Text kPlayHint{"Play or stop (Space)", "播放或停止（空格）"};
inline constexpr Text kStepBack{"One k step back (Page Up)", "后退一个 k 步（Page Up）"};
inline constexpr Text kBack{"To the action before (Ctrl ←)", "到上一个动作（Ctrl ←）"};
inline constexpr Text kForward{"To the next action (Ctrl →)", "到下一个动作（Ctrl →）"};
inline constexpr Text kStepForward{"One k step on (Page Down)", "前进一个 k 步（Page Down）"};
inline constexpr Text kSpeed{"How fast it plays", "播放速度"};
// The variable of the loop over k, the clocks of a pass (below: of the life), and the parts of these, by pipe.
inline constexpr Text kStepBudget{"One {} step: {} clocks = {}", "{} 的一步：{} 个周期 = {}"};
inline constexpr Text kWholeBudget{"A block's lifetime: {} clocks = {}", "全程：{} 个周期 = {}"};
/// A pipe, and the clocks that it adds.
inline constexpr Text kPart{"{} {}", "{} {}"};
/// A pipe that works only while another one is busier, so that it adds no time.
inline constexpr Text kHidden{"; {} overlapped: +0", "；重叠：{}（+0）"};
/// The busiest pipe.
inline constexpr Text kHiddenBehind{"hidden behind {}, the busiest of this phase", "被{}掩盖（本阶段最忙）"};
inline constexpr Text kCompiled{"predicted from the machine code", "由机器码预测"};
inline constexpr Text kWritten{"predicted from the program; waits need its machine code",
                               "由程序预测；有机器码才知道等待"};
inline constexpr Text kShared1{"a block alone on its multiprocessor", "每个 SM 一个线程块"};
inline constexpr Text kShared{"{} blocks take turns on a multiprocessor", "一个 SM 上 {} 个线程块轮流执行"};
/// Clocks of a block's life, rounds of blocks, the kernel's time; kCompiled or kWritten; kShared or kShared1. The next
/// text has the last three.
inline constexpr Text kTotal{"lifetime {} clocks × {} + launch = {}, {}, {}", "全程 {} 周期 × {} + 启动 = {}，{}，{}"};
inline constexpr Text kTotalOfRoles{"With the launch {}, {}, {}", "加上启动共 {}，{}，{}"};
// Names of the pipes: short ones, on the rows, and from kCopies on those in sentences.
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
/// The variable of a loop, its value, the number of the pass from 1 on, and how many passes there are.
inline constexpr Text kPass{"{} = {}, pass {} of {}", "{} = {}，第 {} 次迭代，共 {} 次"};
inline constexpr Text kClocks{"{} clocks", "{} 个周期"};
inline constexpr Text kClocksAxis{"clocks", "周期"};
/// In place of kPass if a phase before or after the k steps is shown.
inline constexpr Text kBefore{"before and after the steps", "步之外"};
/// The pipe that is waited for, and the clocks; in the tooltip of the bar on which kWait stands.
inline constexpr Text kWaits{"waits for {}: {} clocks; drawn in one piece, it comes in many",
                             "等待{}：{} 个周期；图中画成一段，实际分散发生"};
inline constexpr Text kWait{"wait", "等待"};
inline constexpr Text kBarrier{"barrier", "屏障"};
// What an action does. Behind its name in sentences stands one of kStart to kStoreAction, or kBarrier; on its bar one
// of kCopyBar to kStoreBar, kStart or kBarrier. kIssuePiece and kWithConversions are notes in the tooltip of a bar.
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
/// The clocks of a bar, and its pipe; in the next text the clocks that it would take without the other blocks of the
/// multiprocessor.
inline constexpr Text kBarClocks{"{} clocks of {}", "{} 个周期，{}"};
inline constexpr Text kOwnClocks{"{} of its own; blocks take turns", "自身 {}；各线程块轮流"};
inline constexpr Text kCounts{
    "per pass: {} warp instructions, {} lines, {} wavefronts, {} multiply-adds, {} tensor products",
    "每趟：{} 条线程束指令，{} 行，{} 个波前，{} 次乘加，{} 次张量乘"};
/// Bytes of an action from or to either memory, and its FLOP.
inline constexpr Text kBytes{"{} from or to global, {} from or to shared memory, {} (as written)",
                             "全局内存 {}，共享内存 {}，{}（按程序所写）"};
inline constexpr Text kAtBarrier{"Barrier: warps wait for each other", "屏障：各线程束互相等待"};
inline constexpr Text kAtWait{"Waiting; nothing runs", "等待；没有动作"};
/// What runs at the cursor.
inline constexpr Text kNow{"Now: {}", "此刻：{}"};
/// "reads" or "writes", a buffer, and its first row, the row behind the last one, and the same for columns.
inline constexpr Text kTile{"{} {}[{}:{}, {}:{}]", "{} {}[{}:{}, {}:{}]"};
inline constexpr Text kReads{"reads", "读取"};
inline constexpr Text kWrites{"writes", "写入"};
inline constexpr Text kScrubHint{"Drag here, or press Play: the other panels follow.",
                                 "在此拖动或点击播放：其他面板随之变化。"};
/// Stands behind kScrubHint if several warps share the multiprocessor.
inline constexpr Text kAllWarps{" Bars are all warps that share the SM: one loads while another multiplies.",
                                "每条为 SM 上全部线程束之和：有的在加载，有的在计算。"};
/// In the tooltip of an asynchronous copy's bar, of what was started before.
inline constexpr Text kStartedBefore{"Started in a phase before, or in the pass before.",
                                     "在前面的阶段或上一趟中发起。"};
/// Texts on the bars of loads and conversions of operands; {} is the name of the statement that needs them.
inline constexpr Text kLoadFor{"load for {}", "为 {} 加载"};
inline constexpr Text kConvertFor{"convert for {}", "为 {} 转换"};
// Numbers of passes.
inline constexpr Text kSumOf{"a bar sums up to {} passes of inner loops", "每条最多为内层循环 {} 次迭代之和"};
inline constexpr Text kPassesOf{"{} passes drawn as one", "{} 次迭代画成一条"};
// Clocks in which a pipe is busy; clocks that it adds because it is the busiest; and clocks for which it is waited for.
inline constexpr Text kBusyExposed{"busy {} · adds {}", "忙 {} · 关键路径 {}"};
inline constexpr Text kBusyWaits{"busy {} · adds {} + {} waiting", "忙 {} · 关键路径 {} + 等待 {}"};

// Texts of the rows of a software pipeline.
inline constexpr Text kNotAwaited{"not awaited", "未等待的拷贝"};
inline constexpr Text kSlot{"slot {}", "槽 {}"};
/// What a slot of a ring buffer holds; {} is the iteration that its values are for, "k = 5". Not awaited: copies have
/// been started, and may have ended, but nothing has waited for them yet; in flight: the copy engine is at it.
inline constexpr Text kSlotNotAwaited{"{} not awaited yet", "{} 尚未等待"};
inline constexpr Text kSlotInFlight{"{} in flight", "{} 在途"};
inline constexpr Text kSlotLanded{"{} landed", "{} 已到达"};
inline constexpr Text kSlotRead{"{} being read", "{} 正被读取"};
inline constexpr Text kSlotFree{"free", "空闲"};
/// Slots of a ring buffer, and the bytes of each; in kSlotOf a slot's number and the buffer.
inline constexpr Text kSlotBytes{"{} slots of {}", "{} 个槽，各 {}"};
inline constexpr Text kSlotOf{"Slot {} of {}", "{1} 的槽 {0}"};
/// Groups of asynchronous copies that nothing has waited for yet at a time, and the clocks in which the block waits for
/// copies, or they make it longer, without products beside them.
inline constexpr Text kExposed{"up to {} groups · {} clocks exposed", "最多 {} 组 · 暴露 {} 个周期"};
inline constexpr Text kExposedUnknown{"waits: as compiled only", "等待：仅按编译结果可知"};
/// The buffers that a group of asynchronous copies fills, the iteration that it is for, and the clocks from
/// the first copy to the wait for it.
inline constexpr Text kGroupHint{"{}: {} · {} clocks from the first copy to the wait that it has landed for",
                                 "{}：{} · 从第一次拷贝到确认到达的等待共 {} 个周期"};
inline constexpr Text kGroupNote{
    "Asynchronous copies (cp.async) go on while the block computes. A dashed frame: nothing hides them there.",
    "异步拷贝（cp.async）在线程块计算时继续进行。虚线框：此处没有被隐藏。"};
inline constexpr Text kNoGroupHint{"All copies that were started have been waited for here.",
                                   "此时已发起的拷贝都已等待过。"};
inline constexpr Text kNotAwaitedNote{
    "Copies into it have been started and may have ended; the wait that makes sure comes later.",
    "拷贝已发起，可能已经完成；确认其完成的等待在后面。"};
inline constexpr Text kInFlightNote{"The copy engine was asked for it, and isn't done yet.",
                                    "已向拷贝引擎请求，尚未完成。"};
inline constexpr Text kLandedNote{"The values are there, to be read later.", "数据已在其中，稍后读取。"};
inline constexpr Text kReadNote{"Statements read it; it may be filled again behind the next barrier.",
                                "语句正在读取；下一个屏障之后才可再次写入。"};
inline constexpr Text kFreeNote{"Free: read for the last time, and not filled again yet.",
                                "空闲：已最后一次读取，尚未再次写入。"};

// Texts of the rows of a block whose operands the copy engine (TMA) copies to shared memory and tensor cores read
// there. A box is a tile that the copy engine copies; sums are the accumulators of the products; a turn is the time in
// which tensor cores belong to one group of warps.
inline constexpr Text kCopyEngine{"copy engine", "拷贝引擎"};
inline constexpr Text kRing{"{} slots", "{} 个槽"};
inline constexpr Text kOneSlot{"1 slot", "1 个槽"};
/// Slots of a ring, the bytes of each, and the names of its buffers.
inline constexpr Text kSlotsOf{"{} slots of {}: {}", "{} 个槽，各 {}：{}"};
/// The same without how many there are.
inline constexpr Text kSlotsEach{"{} each: {}", "各 {}：{}"};
inline constexpr Text kOneSlotOf{"1 slot of {}: {}", "1 个槽，{}：{}"};
/// Clocks, the time that they take, the clock rate, and the share of the clocks in percent.
inline constexpr Text kRolesBudget{"A block: {} clocks = {} at {} MHz · tensor cores busy {} %",
                                   "线程块全程：{} 个周期 = {}（{} MHz）· 张量核心忙 {} %"};
inline constexpr Text kRolesBudgetByPower{"A block: {} clocks = {} at {} MHz (power limit) · tensor cores busy {} %",
                                          "线程块全程：{} 个周期 = {}（功耗限制下 {} MHz）· 张量核心忙 {} %"};
/// Follows the share of busy tensor cores: the share, in percent, for which the same products would take at the full
/// rate.
inline constexpr Text kAtFullRate{" ({} at full rate)", "（按全速为 {}）"};
inline constexpr Text kHeldUpNote{
    "Products take longer than at the full rate of tensor cores, by which limits are told, as they read shared memory "
    "no "
    "faster than it delivers while boxes land in it.",
    "乘积比按张量核心全速（各限制即按此计）更久：它们读取共享内存的速度受其带宽限制，同时 box 也在写入。"};
inline constexpr Text kPowerNote{
    "The clock is what the power limit leaves while tensor cores are this busy: less, the busier they are.",
    "时钟频率是张量核心如此忙碌时功耗限制所允许的：越忙则越低。"};
/// A share in percent, and some of the texts from `kIdleBegin` to `kIdleBlock`, the largest first.
inline constexpr Text kRolesIdle{", idle {} %: {}", "，空闲 {} %：{}"};
/// The same where no reason is told.
inline constexpr Text kRolesIdleOnly{", idle {} %", "，空闲 {} %"};
/// Follows the reasons that have room.
inline constexpr Text kIdleRest{"other {}", "其他 {}"};
inline constexpr Text kRolesOfBlocks{"the first of {} blocks that this multiprocessor runs, {} at a time",
                                     "该 SM 运行的 {} 个线程块中的第一个，同时驻留 {} 个"};
inline constexpr Text kRolesOneBlock{"the one block that this multiprocessor runs", "该 SM 运行的唯一线程块"};
/// Of a block of a cluster: the number of its blocks.
inline constexpr Text kRolesOfCluster{"; waits within its cluster of {}: not counted",
                                      "；其 {} 个线程块的簇内等待未计入"};
inline constexpr Text kClusterNote{
    "A slot is free only when all blocks of the cluster that it was filled for have read it. The model takes them to "
    "be "
    "equally far at any time: how long the slower one holds up the others it doesn't know.",
    "一个槽要等簇中共用它的所有线程块都读完才空闲。模型假定它们任何时候进度相同：较慢者拖住其他线程块多久，模型不知道"
    "。"};
inline constexpr Text kRolesTold{
    "From the model, which plays warps, the copy engine and tensor cores through in time as they wait for each other. "
    "Bars of one lane don't overlap; faint bars belong to other blocks on this multiprocessor.",
    "来自模型：按时间推演线程束、拷贝引擎与张量核心如何彼此等待。同一行的条互不重叠；淡色条属于该 SM 上的其他线程块。"};
/// What tensor cores wait for while they are idle; {} is a share of the block's life in percent.
inline constexpr Text kIdleBegin{"the start {}", "启动 {}"};
inline constexpr Text kIdleInstructions{"instructions {}", "指令 {}"};
inline constexpr Text kIdleLook{"looks at slots {}", "查看槽 {}"};
inline constexpr Text kIdleWork{"sums zeroed or staged {}", "累加器清零或转存 {}"};
inline constexpr Text kIdleAsk{"asking for boxes {}", "发出 box 请求 {}"};
inline constexpr Text kIdleWrite{"sums written {}", "写出结果 {}"};
inline constexpr Text kIdleBox{"boxes {}", "等 box {}"};
inline constexpr Text kIdleSlot{"free slots {}", "等空槽 {}"};
inline constexpr Text kIdleTurn{"turns {}", "等轮次 {}"};
inline constexpr Text kIdleProducts{"the products' end {}", "等乘积结束 {}"};
inline constexpr Text kIdleStores{"stores {}", "等写回 {}"};
inline constexpr Text kIdleBlock{"the block's barrier {}", "等线程块屏障 {}"};
/// Texts on the bars in these rows: what warps, the copy engine or tensor cores do or wait for.
inline constexpr Text kBeginBar{"start", "启动"};
inline constexpr Text kWorkBar{"sums", "累加器"};
inline constexpr Text kAskBar{"asks", "请求"};
inline constexpr Text kWriteBar{"writes sums", "写出结果"};
inline constexpr Text kBoxBar{"box", "box"};
inline constexpr Text kStoreBoxBar{"store", "写回"};
inline constexpr Text kProductBar{"product", "乘积"};
inline constexpr Text kAwaitBox{"waits for box", "等 box"};
/// The number of a box, and the warps that handed its slot back late.
inline constexpr Text kAwaitKeptBox{"waits for box {}: its slot was with {}", "等 box {}：其槽由{}占用"};
inline constexpr Text kAwaitSlot{"waits for free slot", "等空槽"};
inline constexpr Text kAwaitTurn{"waits for its turn", "等轮次"};
inline constexpr Text kAwaitProducts{"products", "乘积"};
inline constexpr Text kAwaitStores{"waits for stores", "等写回"};
inline constexpr Text kAwaitBlock{"waits for the block", "等线程块屏障"};
inline constexpr Text kAwaitWrites{"waits for writes", "等其他写出"};
inline constexpr Text kInstructionsBar{"instructions", "指令"};
inline constexpr Text kLookBar{"looks at slot", "查看槽"};
/// What the warps of the next product do meanwhile, a text on their bar.
inline constexpr Text kIdleBar{"idle: {}", "空闲：{}"};
inline constexpr Text kIdleShort{"idle", "空闲"};
/// What warps wait for besides boxes: on a bar that has no room for more, and in the key of the bars.
inline constexpr Text kAwaitedSlot{"slot", "空槽"};
inline constexpr Text kAwaitedTurn{"turn", "轮次"};
inline constexpr Text kAwaitedStores{"stores", "写回"};
inline constexpr Text kAwaitedBlock{"barrier", "屏障"};
inline constexpr Text kAwaitedWrites{"writes", "写出"};
/// Texts in the tooltips of the bars of warps, the copy engine and tensor cores. In `kBarTime` {} are the clocks of the
/// bar, and as times its length, beginning and end. Elsewhere {} stands for warps ("warps 0–3") or the copy engine; the
/// second one is a slot's number in `kProductOfSlotNote`, and the text on a bar of these warps in `kIdleNote` and
/// `kIdleLateNote`.
inline constexpr Text kBarTime{"{} clocks = {} · from {} to {} of the block's life",
                               "{} 个周期 = {} · 线程块生命期的 {} 至 {}"};
inline constexpr Text kBeginNote{"Barriers are made, the block meets, and maps are fetched; nothing is asked for yet.",
                                 "建立屏障、线程块全体会合、取描述符；尚未请求任何数据。"};
inline constexpr Text kInstructionsNote{"Instructions between what has a name: slots handed back, products given out.",
                                        "其余指令：归还槽、发出乘积。"};
inline constexpr Text kLookNote{
    "The instructions of a wait for a slot or a turn (mbarrier): finding it, and seeing that it is there. It takes "
    "them "
    "also where there is nothing left to wait for.",
    "等待槽或轮次（mbarrier）所需的指令：找到它并看到它已就绪。即使不必再等，也要花这些时间。"};
inline constexpr Text kWorkNote{"Sums become zero, or go from registers to shared memory.",
                                "累加器清零，或由寄存器转存到共享内存。"};
inline constexpr Text kAskNote{"One thread gives a box to the copy engine and goes on.",
                               "一个线程把 box 交给拷贝引擎后继续执行。"};
inline constexpr Text kWriteNote{"Sums go from registers to global memory.", "结果由寄存器写入全局内存。"};
/// Warps, and the time from their request to the copy's end.
inline constexpr Text kBoxNote{"{} asked for it {} before it was there.", "由{}请求，{}后到达。"};
inline constexpr Text kOthersNote{"Of another block that lives on this multiprocessor at the same time.",
                                  "属于同时驻留在该 SM 上的另一个线程块。"};
inline constexpr Text kStoreNote{"The copy engine reads sums in shared memory and writes them to global memory.",
                                 "拷贝引擎从共享内存读取结果并写入全局内存。"};
inline constexpr Text kProductNote{"Tensor cores multiply for {}.", "张量核心为{}做乘法。"};
inline constexpr Text kProductOfSlotNote{"Tensor cores multiply for {} what slot {} holds.",
                                         "张量核心为{}计算槽 {} 中的数据。"};
inline constexpr Text kAwaitBoxNote{
    "The boxes haven't landed: the copy engine ends this wait. Unless other warps multiply meanwhile, it is exposed.",
    "box 尚未到达：由拷贝引擎结束此等待。除非此时有其他线程束在做乘法，否则它是暴露的。"};
/// Follows the note before; warps.
inline constexpr Text kKeptBoxNote{
    " It was asked for late: {} had not read its slot yet, so that the ring could be no further ahead.",
    "它请求得晚：{}尚未读完其槽，环无法再提前。"};
inline constexpr Text kAwaitSlotNote{"The ring is full, so the loader is ahead: {} will hand the slot back.",
                                     "环已满，加载方领先：将由{}归还该槽。"};
inline constexpr Text kAwaitTurnNote{"Tensor cores belong to {} until their products of a tile are given out.",
                                     "张量核心归{}使用，直到其一个分块的乘积全部发出。"};
inline constexpr Text kAwaitProductsNote{
    "Tensor cores are at the products of these warps, which go on when no more groups of them than allowed are "
    "pending.",
    "张量核心正在执行这些线程束的乘积；未完成的组不超过允许数时继续。"};
inline constexpr Text kAwaitStoresNote{"The copy engine still reads the sums before; then their slot is free again.",
                                       "拷贝引擎仍在读取先前的结果；读完后其槽才空闲。"};
inline constexpr Text kAwaitBlockNote{"All warps of the block meet; {} come last.", "线程块全体会合；{}最后到达。"};
inline constexpr Text kAwaitWritesNote{
    "Sums are to go to global memory, behind those of {}: the model lets writes through one group after the other, "
    "where "
    "the device may mix them.",
    "结果要写入全局内存，排在{}之后：模型让各组的写入依次通过，设备上可能交错进行。"};
inline constexpr Text kAwaitWritesOfBlocksNote{
    "Sums are to go to global memory, behind those of other blocks on this multiprocessor: the model lets writes "
    "through "
    "one group after the other, where the device may mix them.",
    "结果要写入全局内存，排在该 SM 上其他线程块之后：模型让各组的写入依次通过，设备上可能交错进行。"};
inline constexpr Text kIdleNote{"Tensor cores do nothing. The next product is of {}, which meanwhile: {}.",
                                "张量核心空闲。下一个乘积属于{}，其间：{}。"};
inline constexpr Text kIdleLateNote{
    "Tensor cores do nothing. The next product is of {}; it is late because of: {}. Without that wait it would have "
    "begun by "
    "now.",
    "张量核心空闲。下一个乘积属于{}，它因以下原因而推迟：{}。若无该等待，它此时已经开始。"};
inline constexpr Text kDrainNote{"The last writes are on their way; then the block has ended.",
                                 "最后的写入尚在途中；之后线程块结束。"};
/// Figures to the right of the rows of warps, the copy engine and tensor cores; {} is a share of the block's life in
/// percent.
inline constexpr Text kTurnFigures{"waits: boxes {} %, turns {} %", "等 box {} % · 等轮次 {} %"};
inline constexpr Text kMultiplyFigures{"waits for boxes {} %, writes {} %", "等 box {} % · 写结果 {} %"};
/// The same of warps that wait for others' writes before their own.
inline constexpr Text kWriteFigures{"waits: boxes {}, to write {} %; writes {} %",
                                    "等 box {}、等写 {} % · 写结果 {} %"};
inline constexpr Text kLoadFigures{"waits for free slots {} %", "等空槽 {} %"};
inline constexpr Text kBusyShare{"busy {} %", "忙 {} %"};
/// Of tensor cores: the share in which products take longer than at the full rate.
inline constexpr Text kBusyHeldUp{"busy {} %, {} of it held up by shared", "忙 {} %，其中 {} 因共享内存拖慢"};
/// Buttons that show a part of a block's life.
inline constexpr Text kFill{"Fill", "填充"};
inline constexpr Text kFillHint{"The first boxes are on their way, and nobody can multiply.",
                                "第一批 box 在途，尚无法做乘法。"};
inline constexpr Text kSteady{"Steady", "稳态"};
inline constexpr Text kSteadyHint{"The middle of the life: slots fill and drain by turns.",
                                  "生命期中段：各槽轮流填充与读空。"};
inline constexpr Text kBetween{"Between tiles", "分块之间"};
inline constexpr Text kBetweenHint{"The first sums are written while there are products to come.",
                                   "写出第一批结果，其后还有乘积。"};
inline constexpr Text kDrain{"Drain", "排空"};
inline constexpr Text kDrainHint{"The last product ends, sums are written, writes arrive.",
                                 "最后的乘积结束，写出结果，写入到达。"};
inline constexpr Text kShownParts{"Part", "片段"};
inline constexpr Text kAll{"All", "全程"};
inline constexpr Text kAllHint{"The whole life", "整个生命期"};
/// The begin and the end of the part that is shown, and the whole life, as times.
inline constexpr Text kShownPart{"{} – {} of {}", "{} – {}，全程 {}"};
inline constexpr Text kRoleStripHint{
    "How busy tensor cores are over the block's life; orange: they wait for boxes. Drag to look elsewhere.",
    "线程块全程张量核心的忙碌程度；橙色：在等 box。拖动可查看别处。"};
inline constexpr Text kKeyProducts{"products", "乘积"};
inline constexpr Text kKeySums{"sums", "结果"};
inline constexpr Text kKeyBoxes{"boxes", "box"};
inline constexpr Text kKeyAwaitsBoxes{"waits for boxes", "等 box"};
inline constexpr Text kKeyAwaits{"other waits", "其他等待"};
/// Some of the texts from kAwaitedSlot to kAwaitedWrites.
inline constexpr Text kKeyAwaitsOf{"other waits: {}", "其他等待：{}"};
/// What the figures to the right of the rows are shares of; where several blocks share a multiprocessor, {} blocks.
inline constexpr Text kKeyShares{"%: of the block's life.", "%：占线程块全程。"};
inline constexpr Text kKeySharesOfBlocks{"%: of one block's life; tensor cores serve all {} at a time.",
                                         "%：占一个线程块全程；张量核心服务同时驻留的 {} 个。"};
inline constexpr Text kKeyZoom{"Wheel: zoom.", "滚轮：缩放。"};

inline constexpr PanelHelp kHelp{
    {"The life of one block on a multiprocessor, from its start to its last store: above the whole of it, below "
     "one "
     "pass of the loop that brings in operands, a row for each pipe. A pipelined program has more rows: copies that "
     "nothing has waited for yet, and the slots of each ring of buffers with the iteration that each one holds. Where "
     "the copy engine feeds "
     "tensor cores (Hopper), there is a lane for each role instead: warps that load, each warpgroup that multiplies, "
     "the copy engine, tensor cores, and the ring's slots; the strip above shows how busy tensor cores are over the "
     "whole life.",
     "一个线程块在 SM 上从开始到最后一次存储的全过程：上方为全程，下方为装入操作数的循环的一趟，每条执行管线"
     "一行。软件流水线的程序还有：尚未等待的拷贝，以及各环形缓冲区的槽和每个槽所存的迭代。由拷贝引擎向张量核心供数时"
     "（Hopper），改为每个角色一行：加载线程束、各做乘法的 warpgroup、拷贝引擎、张量核心，以及环的各槽；上方的"
     "条带显示全程张量核心的忙碌程度。"},
    {"Bars above each other run at the same time. The busiest pipe of a phase sets its length; copies and shared "
     "memory are one pipe and take turns. Dashed boxes are waits that nothing hides; a barrier ends a phase. Where L2 "
     "limits asynchronous copies they run beside shared memory, and what a phase has no time for goes on behind it "
     "(…). "
     "A slot is not awaited from the first copy to the wait for it, though its data may be there, then landed, then "
     "read, then free. In lanes of roles an orange dashed box "
     "waits "
     "for boxes, a grey one for a free slot, a turn, stores or other warps; #5 is what fills a slot for "
     "the sixth time, counted over the whole ring. What tensor cores are idle for is what the next product's warps do "
     "meanwhile, or waited for before, as far as that wait made the product late; “instructions” are slots handed back "
     "and products given out, “looks at slots” what a wait costs that finds nothing to wait for. Products take longer "
     "than at the full rate where shared memory holds them up.",
     "上下对齐的条同时执行。阶段的长度由其中最忙的执行管线决定；拷贝与共享内存共用一条执行管线，轮流进行。"
     "虚线框是暴露的（没有被隐藏的）等待；屏障结束一个阶段。"
     "受 L2 限制的异步拷贝与共享内存并行，本阶段来不及做的在其后继续（…）。"
     "槽从第一次拷贝到对应的等待为“尚未等待”（数据可能已到），之后为已到达、正被读取、空闲。在角色各行中，橙色虚线框等 "
     "box，灰色虚线框等空槽、"
     "轮次、写回或其他线程束；#5 "
     "是整个环的第六次填充。张量核心为何空闲，取决于下一个乘积所属线程束此时在做什么，或此前等了什么（以该等待使乘积推"
     "迟的时间为限）；"
     "“指令”指归还槽与发出乘积，“查看槽”指不必再等的等待本身的开销。受共享内存限制时，乘积比全速更久。"},
    {"From the model: the lengths add up to the predicted time. As compiled they come from the machine code, with "
     "its waits; as written, from the program's statements. Lanes of roles are the run that the predicted time comes "
     "from: warps, copy engine and tensor cores played through in time, in clocks of the rate that power leaves.",
     "来自模型：各段长度之和即预测时间。“按编译结果”时来自机器码及其等待；“按程序所写”时来自程序语句。角色各行即得出预"
     "测时间的那次推演："
     "线程束、拷贝引擎与张量核心按时间逐步执行，以功耗允许的时钟频率计周期。"},
    {"Drag the cursor; ← → by a hundredth, Ctrl+← → by an action, PgUp PgDn by a k step, Home, End; Space plays, "
     "Esc ends; over lanes of roles the wheel zooms. Loop nest, Thread binding and Memory hierarchy follow. A click "
     "selects the statement everywhere.",
     "拖动游标；← → 移动百分之一，Ctrl+← → 移动一个动作，PgUp PgDn 移动一个 k 步，Home、End；空格播放，Esc "
     "结束；在角色各行上滚轮缩放。循环嵌套、线程绑定、存储层次随之变化。单击条即在各处选中该语句。"}};

}  // namespace loom::text::playback

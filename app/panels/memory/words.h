#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel Memory hierarchy, each in English and Chinese. {} stands for the next value that is filled
/// in, {0}, {1}… for the value with that index. Bytes and times come with their unit unless it stands in the phrase.
namespace loom::text::memory {

inline constexpr Text kTitle{"Memory hierarchy", "存储层次"};
/// The two buttons that choose whether bytes are told of one thread block or of the whole grid.
inline constexpr Text kPerBlock{"per block", "每线程块"};
inline constexpr Text kWholeGrid{"whole grid", "整个网格"};
inline constexpr Text kGlobal{"global", "全局内存"};
inline constexpr Text kL2{"L2 cache", "L2 缓存"};
inline constexpr Text kShared{"shared", "共享内存"};
inline constexpr Text kRegisters{"registers", "寄存器"};
inline constexpr Text kTensorCore{"tensor core", "张量核心"};
/// Short names of the levels, for where there is little room.
inline constexpr Text kShortGlobal{"global", "全局"};
inline constexpr Text kShortShared{"shared", "共享"};
inline constexpr Text kShortRegisters{"regs", "寄存器"};
inline constexpr Text kShortTensorCore{"tensor", "张量核"};
/// The tooltip of each pipe ("it") in the table under the heading kStepBudget.
inline constexpr Text kAddsHint{
    "Adds: clocks while it is the busiest; waiting: those in which the step waits for what it brings (latency) and "
    "nothing runs.",
    "关键路径：它最忙时的周期数；等待：等待其数据（延迟）而无动作的周期数。"};
/// In this, kOnlyDeclared and kDraft: the sentence on why the state is no kernel.
inline constexpr Text kNoKernel{
    "No kernel, so no traffic yet; buffers as lowering would allocate them, as far as it knows. {}",
    "还不是核函数，没有数据传输；缓冲区按下降（lowering）时所知的分配显示。{}"};
inline constexpr Text kOnlyDeclared{"No kernel, so no traffic yet; these are the declared buffers. {}",
                                    "还不是核函数，没有数据传输；以下为声明的缓冲区。{}"};
/// The declared shape with the element type ("64 × 32 float16"), and its bytes.
inline constexpr Text kDeclared{"declared: {}, {}", "声明：{}，{}"};
/// The bytes of shared memory that a block takes by itself, and those that the driver adds.
inline constexpr Text kReserved{"shared: {} per block, +{} reserved by the driver",
                                "共享内存：每线程块 {}，另有驱动保留 {}"};
/// How the bytes of each are counted, as texts: "each byte once".
inline constexpr Text kLeastCounts{"memory: {}; L2: {}; shared: {}", "显存：{}；L2：{}；共享内存：{}"};
/// Follows kLeastCounts: the number of multiprocessors that have blocks, and that of all.
inline constexpr Text kRatesOfSome{"; arithmetic and shared on {} of {} SMs", "；算术与共享内存按 {} / {} 个 SM 计"};
inline constexpr Text kDraft{
    "No kernel yet, counted as its statements are written, a fragment's by one lane for its warp. {}",
    "还不是核函数；按语句原样统计，片段语句由一个 lane 代表整个线程束执行。{}"};
inline constexpr Text kWorking{"Counting what moves…", "正在统计数据传输……"};
/// In this and kScaleCompiled: how the bytes beside the arrows are counted ("as written", "as compiled"), and how those
/// of global memory are ("each byte once").
inline constexpr Text kScale{"Arrow width: bytes, log scale; {}, before compiler and caches; from global memory {}.",
                             "箭头宽度：字节数（对数）；{}，未计编译器与缓存；全局内存：{}。"};
inline constexpr Text kLifeNote{"Line in a box: first to last use; notches: barriers.",
                                "方框内的横线：首次到末次使用；刻度：屏障。"};
inline constexpr Text kWaysNote{"Red: bank conflicts, in how many ways.", "红色：bank 冲突的路数。"};
/// Why a link carries other bytes than those beside the arrows: for L2 kCarriedTogether or kCarriedByL2, for shared
/// memory kCarriedByShared, with kCarriedBoth between them if it is both.
inline constexpr Text kCarriedNote{"Carried, as Roofline counts it: {}.", "“实传”按屋顶线的口径：{}。"};
inline constexpr Text kCarriedTogether{"L2 reads once what several blocks ask for together",
                                       "多个线程块同时请求的数据，L2 只读一次"};
inline constexpr Text kCarriedByL2{"of L2 the sectors that L1 lacks", "L2 只计 L1 未命中的扇区"};
inline constexpr Text kCarriedBoth{"; ", "；"};
inline constexpr Text kCarriedByShared{"shared memory's writes and bank conflicts, too, by wavefronts",
                                       "共享内存的写入与 bank 冲突也计入，按波前"};
/// The same where the copy engine writes boxes: the share of their bytes that counts.
inline constexpr Text kCarriedByBoxes{
    "shared memory's bank conflicts, too, and {} of what boxes write: so much it takes from what is read",
    "共享内存还计入 bank 冲突，以及 box 写入的 {}：只占用读取这么多带宽"};
/// Of a kernel some of whose persistent blocks have {} tiles and others {}.
inline constexpr Text kMeanNote{"Per block: the mean, as blocks have {} or {} tiles.",
                                "“每线程块”为平均值：各线程块有 {} 或 {} 个分块。"};
/// FLOP per byte that the link carries, a number.
inline constexpr Text kCarriedPerByte{"{} carried", "实传 {}"};
inline constexpr Text kScaleCompiled{
    "Arrow width: bytes, log scale; {}: what the lanes of each instruction ask for, before caches; of global memory "
    "{}.",
    "箭头宽度：字节数（对数）；{}：各指令的 lane 所请求的字节数，未计缓存；全局内存：{}。"};
/// The lines of an arrow's tooltip: bytes; for each width, the number of instructions that access so many bytes per
/// lane; and the bytes that a link carries for these instructions ("them").
inline constexpr Text kMovedBytes{"{} a block · {} in the whole grid", "每线程块 {} · 整个网格 {}"};
inline constexpr Text kWidthsHint{"{} warp instructions, {} B per lane", "{} 条线程束指令，每 lane {} B"};
inline constexpr Text kSectorsCarried{"L2 carries {} B for them, in sectors of 32 B (before L1)",
                                      "L2 为此传输 {} B（32 B 扇区，未计 L1）"};
inline constexpr Text kWavefrontsCarried{"shared memory carries {} B for them, in wavefronts of 128 B",
                                         "共享内存为此传输 {} B（128 B 波前）"};
/// The tooltip of the choice "as compiled" while the bytes of the machine code aren't known.
inline constexpr Text kNotCompiledHint{"Arrows as the machine code has them: not known here.",
                                       "按编译结果画箭头：此处未知。"};
/// Above kFlopPerByte, between two levels: whether the bytes beside the arrows there are those of one block or
/// of the whole grid.
inline constexpr Text kOfBlock{"per block", "每线程块"};
inline constexpr Text kInAll{"in all", "总计"};
/// Stand there instead if the bytes of global memory aren't known: the text, and its tooltip.
inline constexpr Text kNotCounted{"not counted", "未计数"};
inline constexpr Text kNotCountedHint{
    "Which bytes of global memory the whole grid touches can't be told from this kernel's indices, such as those of "
    "blocks that stay and compute their tiles' places.",
    "无法由此核函数的下标得知整个网格访问全局内存的哪些字节，例如常驻线程块自行计算分块位置时。"};
inline constexpr Text kFlopPerByte{"{} FLOP/B", "{} FLOP/B"};
/// FLOP, bytes over the link, how those bytes are counted, and how those beside the arrows are.
inline constexpr Text kFlopPerByteHint{
    "Arithmetic intensity of this link, whole grid: {} over {} ({}).\nThe bytes beside the arrows are {}.",
    "此链路的算术强度（整个网格）：{} / {}（{}）。\n箭头旁的字节数：{}。"};
/// How the page Roofline counts the bytes of the link, and the intensity that follows.
inline constexpr Text kRooflineCounts{"\nRoofline counts them {}: {} FLOP/B.", "\n屋顶线{}统计：{} FLOP/B。"};
/// How often a block fills the buffer, and the name of the loop whose every iteration fills it anew.
inline constexpr Text kRewritten{"filled {}×, lifetime: one {}", "写入 {} 次，生存期：一次 {}"};
inline constexpr Text kLifeBar{
    "The line at the foot: used from {} % to {} % of the kernel's accesses in program order; notches are barriers.",
    "底部的线：从核函数全部访问（按程序次序）的 {} % 用到 {} %；刻痕是屏障。"};
inline constexpr Text kWaysBrief{"{}-way", "{} 路"};
/// Names of instructions, with commas between.
inline constexpr Text kMovedBy{"moved by {}", "由 {} 传输"};
inline constexpr Text kPastRegisters{
    "Asynchronous copies: from global to shared memory past the registers; a wait tells later that they landed.",
    "异步拷贝：从全局内存直达共享内存，不经过寄存器；之后由等待确认到达。"};
inline constexpr Text kByCopyEngine{
    "The copy engine (TMA): one thread asks for a box, and it moves between global and shared memory by itself, past "
    "registers and threads.",
    "拷贝引擎（TMA）：一个线程请求一个 box，它自行在全局内存与共享内存之间传输，不经过寄存器和线程。"};
inline constexpr Text kByTensorCores{
    "Tensor cores of a warpgroup read shared memory by themselves (descriptors tell where): past the registers.",
    "warpgroup 的张量核心按描述符自行读取共享内存，不经过寄存器。"};
inline constexpr Text kMbarriers{"Mbarriers: when a slot is full, or free again", "mbarrier：槽何时填满，何时再次空闲"};
/// The letters that stand for mbarriers in the picture, and their names.
inline constexpr Text kLettersNote{"{}: mbarriers {}, a mark a slot.", "{}：mbarrier {}，每槽一个标记。"};
/// In this and kMbarrierLands: 0 the array of mbarriers, 1 its number of slots, 2 who arrives (one of the next three
/// texts), 3 bytes, 4 the names of the buffers that they land in.
inline constexpr Text kMbarrierArrives{"{0}[{1}]: once {2} has arrived", "{0}[{1}]：{2}到达后"};
inline constexpr Text kMbarrierLands{"{0}[{1}]: once {2} has arrived and {3} have landed in {4}",
                                     "{0}[{1}]：{2}到达，且 {3} 已写入 {4} 后"};
inline constexpr Text kOneThread{"a thread", "一个线程"};
inline constexpr Text kSomeThreads{"each of {} threads", " {} 个线程均"};
inline constexpr Text kClusterThreads{"each of {} threads of the cluster's blocks", "簇内各线程块的 {} 个线程均"};
/// Follows kMbarrierLands.
inline constexpr Text kMbarrierOthers{" (by copies of all the cluster's blocks)", "（由簇内各线程块的拷贝写入）"};
/// Bytes that a block gets by copies of other blocks.
inline constexpr Text kOthersBring{"+{}", "+{}"};
inline constexpr Text kOthersBringHint{
    "and {} B a block that other blocks of the cluster ask for: each asks for a part, and all get it (multicast)",
    "另有 {} B / 线程块由簇内其他线程块请求：各请求一部分，全部得到（多播）"};
inline constexpr Text kClusterBlocks{"cluster of {}", "{} 个一簇"};
inline constexpr Text kClusterHead{"Cluster: blocks that reach each other's shared memory",
                                   "簇：可互相访问共享内存的线程块"};
inline constexpr Text kClusterShared{"{0} blocks × {1} = {2} of shared memory, on as many multiprocessors of one GPC",
                                     "{0} 个线程块 × {1} = {2} 共享内存，位于同一 GPC 的同样多个 SM"};
/// In this and kClusterBrings: 0 a buffer's name, 1 and 2 bytes.
inline constexpr Text kClusterReads{"{0}: of {1} read a block, {2} in the shared memory of other blocks",
                                    "{0}：每线程块读取的 {1} 中，{2} 在其他线程块的共享内存"};
inline constexpr Text kClusterBrings{"{0}: of {1} a block, {2} by copies that its neighbours ask for",
                                     "{0}：每线程块 {1} 中，{2} 由相邻线程块请求的拷贝带来"};
/// Follows the text on what a slot of an mbarrier waits for: how many uses all slots together have in a block's life.
inline constexpr Text kMbarrierPhases{", {} times a block", "，每线程块 {} 次"};
/// Stands behind kMbarrierPhases, at the end; both are lists of warps: "warps 0–3, 8".
inline constexpr Text kMbarrierWarps{"; waiting: {0}, arriving: {1}", "；等待：{0}，到达：{1}"};
inline constexpr Text kMbarriersHint{
    "An mbarrier is 8 bytes of shared memory for each slot of a ring. Each use of the slot is one phase of it, which "
    "ends when what is named here has happened; who waits for it sees what has landed.",
    "mbarrier：环中每个槽在共享内存里占 8 字节。槽的每次使用是它的一个阶段，在此处所列的条件满足时结束；等待者可见已到"
    "达的数据。"};
inline constexpr Text kThroughRegisters{
    "Loaded to registers and stored from there: the arrows as compiled show both ways.",
    "先加载到寄存器再存储：“按编译结果”的箭头分别显示这两段。"};
inline constexpr Text kStages{"{} stages, used by turns", "{} 个阶段，轮流使用"};
/// Number of stages, and bytes of one.
inline constexpr Text kStageBytes{"{} × {}", "{} × {}"};
inline constexpr Text kStageHint{
    "Stages of a ring: {} copies of {} each; each iteration of the pipelined loop uses the next.",
    "环形缓冲的阶段：{} 份，每份 {}；软件流水线循环的每次迭代使用下一份。"};
inline constexpr Text kOutlives{"lifetime: outlives the kernel", "生存期：比核函数长"};
inline constexpr Text kWholeLife{"lifetime: the whole block", "生存期：整个线程块"};
/// Names of buffers, with commas between.
inline constexpr Text kShares{"shares bytes with {}", "与 {} 共用字节"};
/// Follows kShares; "they" are all these buffers.
inline constexpr Text kSharesHint{": they are in use at different times", "：使用的时间不同"};
/// Bytes of a buffer in one warp or thread; or, in kAThread, the number of registers of a thread.
inline constexpr Text kAWarp{"{}/warp", "{}/线程束"};
inline constexpr Text kAThread{"{}/thread", "{}/线程"};
inline constexpr Text kWays{"{}-way bank conflict", "{} 路 bank 冲突"};
inline constexpr Text kWaysHint{"so many times the wavefronts that its accesses would need without",
                                "访问所用波前是无冲突时的这么多倍"};
inline constexpr Text kTiles{"{} tile products per block", "每线程块 {} 次分块乘"};
inline constexpr Text kBudgets{"Budgets on {}, per SM", "{} 每个 SM 的资源"};
/// The reason, a sentence.
inline constexpr Text kNoDevice{"No figures for the device: {}", "没有设备数据：{}"};
inline constexpr Text kThreads{"threads", "线程"};
inline constexpr Text kSlots{"block slots", "线程块槽位"};
inline constexpr Text kBarriers{"barriers", "屏障"};
/// How often, and the name of the loop over k.
inline constexpr Text kBarriersStep{"{} __syncthreads() a pass of {}", "{1} 每轮 {0} 次 __syncthreads()"};
inline constexpr Text kBarriersBlock{"{} __syncthreads() in a block's life", "线程块一生中 {} 次 __syncthreads()"};
inline constexpr Text kBarriersCluster{"and the cluster meets {}×", "另有簇会合 {} 次"};
inline constexpr Text kBarriersClusterInstead{"the cluster meets instead, {}×", "改由簇会合 {} 次"};
/// Follows the hint of a kernel of clusters.
inline constexpr Text kBarriersClusterHint{
    "\nAll threads of the cluster's blocks meet by barrier.cluster, which has hardware of its own.",
    "\n簇内各线程块的全部线程由 barrier.cluster 会合，它有专用硬件。"};
inline constexpr Text kBarriersHint{
    "PTX ISA, bar: a block has sixteen barriers; __syncthreads() is number 0, and kernels here use no other. The "
    "program "
    "has {} of them in its text; a block executes {}, by the loops around them.",
    "PTX ISA 的 bar 指令：每线程块十六个屏障；__syncthreads() 是 0 号，此处核函数不用其他屏障。程序文本中有 {} "
    "处；按外层循环计，一个线程块执行 {} 次。"};
inline constexpr Text kBarriersHintSome{
    "PTX ISA, bar: a block has sixteen barriers; __syncthreads() is number 0, and kernels here use no other. The "
    "program "
    "has {} of them in its text; a block executes at most {}, by the loops around them: conditions may skip some.",
    "PTX ISA 的 bar 指令：每线程块十六个屏障；__syncthreads() 是 0 号，此处核函数不用其他屏障。程序文本中有 {} "
    "处；按外层循环计，一个线程块至多执行 {} 次：条件可能略过一些。"};
/// How many blocks fit a multiprocessor by a resource that isn't the scarcest, and by the scarcest: kLeastRoom if the
/// grid has fewer blocks than fit, kLimit if it has enough.
inline constexpr Text kFits{"room for {}", "可容 {} 个线程块"};
inline constexpr Text kLeastRoom{"room for {}: the limit", "可容 {} 个线程块：受限于此"};
/// Threads of a block, and that number rounded up to a multiple of 32.
inline constexpr Text kInWholeWarps{"{} (whole warps: {})", "{}（整线程束：{}）"};
inline constexpr Text kLimit{"room for {}: the limit", "可容 {} 个线程块：受限于此"};
inline constexpr Text kUnknownFit{"not compiled", "未编译"};
/// What a block takes of a resource, and what a multiprocessor has.
inline constexpr Text kOfBudget{"{} of {}", "{} / {}"};
inline constexpr Text kRuns{"blocks on an SM: room for {}, running {}; SMs idle: {} of {}",
                            "每个 SM 可容 {} 个线程块；实际运行 {} 个，{} / {} 个 SM 空闲"};
inline constexpr Text kReuse{"Reuse: bytes read per byte brought in", "复用：每搬入一字节被读取的字节数"};
/// The name of the loop, and a number of clocks.
inline constexpr Text kStepBudget{"One {} step by pipe: {} clocks", "{} 循环每一步中各执行管线：{} 个周期"};
inline constexpr Text kFloors{"What each limit alone would take", "各限制单独所需时间"};
inline constexpr Text kFloorTimes{
    "The model's times, as in Advice. (× n): that much longer than bytes, or arithmetic, over rate: for arithmetic "
    "where lanes of a warp are idle; for L2 where it is asked for parts of lines; for LSU, "
    "as each request takes {1} clocks more than its wavefronts, {0} each (fitted), and lines of global memory count, "
    "too.",
    "时间取自模型，与“建议”相同。（× n）：比“字节或运算 ÷ 速率”长的倍数：算术因线程束中有 lane 空闲；L2 "
    "的行只用到一部分；LSU 的每个波前需 {0} "
    "个周期，每次请求再加 {1} 个（拟合所得），且全局内存的行也计入。"};
/// A time, and how many times as long it is as the one at the rate alone.
inline constexpr Text kTimesAtRate{"{0} (× {1})", "{0}（× {1}）"};
inline constexpr Text kAtRate{"{} at this rate alone", "仅按此速率：{}"};
/// Follow the words on how L2's bytes are counted in kLeastCounts: bytes that L2 would deliver; the second of a kernel
/// with boxes, which count as they are delivered in any case.
inline constexpr Text kOnceABlock{" ({} if each byte came once a block)", "（每线程块每字节一次则为 {}）"};
inline constexpr Text kOnceBesideBoxes{" ({} if each byte that no box brings came once a block)",
                                       "（若不由 box 带来的每字节每线程块只传输一次，则为 {}）"};
inline constexpr Text kAdvice{"What costs the most", "主要瓶颈"};
inline constexpr Text kApply{"Apply", "应用"};
/// 0 a buffer's name, 1 ways, 2 kRead or kWritten.
inline constexpr Text kConflictAdvice{"{0} {2}: {1}-way bank conflicts", "{2} {0}：{1} 路 bank 冲突"};
inline constexpr Text kRead{"read", "读取"};
inline constexpr Text kWritten{"written", "写入"};
inline constexpr Text kConflictHelp{"Rows that lie further apart begin in other banks: storage_align.",
                                    "行与行之间拉开距离，便落在不同 bank：storage_align。"};
/// 0 a buffer's name, 1 and 2 numbers of sectors.
inline constexpr Text kScatteredAdvice{"{0}: a warp's request touches {1} sectors where {2} would do",
                                       "{0}：线程束一次请求触及 {1} 个扇区，本只需 {2} 个"};
inline constexpr Text kScatteredHelp{
    "Neighbouring lanes should take neighbouring elements: bind the loop along the last dimension so that it runs "
    "fastest over the threads, or bring a tile to shared memory first (cache_read).",
    "相邻 lane 应访问相邻元素：绑定沿最后一维的循环，使其成为线程间变化最快的下标；或先用 cache_read "
    "把分块搬入共享内存。"};
/// The help with kScatteredAdvice for a statement that itself copies to shared memory.
inline constexpr Text kScatteredCopyHelp{
    "Neighbouring lanes should copy neighbouring elements: bind the copy's loop along the last dimension so that it "
    "runs fastest over the threads.",
    "相邻 lane 应拷贝相邻元素：绑定拷贝中沿最后一维的循环，使其成为线程间变化最快的下标。"};
inline constexpr Text kWaits{"The machine code is on its way: advice follows.", "机器码正在生成，随后给出建议。"};
inline constexpr Text kEachAlone{"What each would save by itself, at most; they overlap and don't add up.",
                                 "各项为单独消除时至多可省的时间，互有重叠，不能相加。"};
/// An advice, and the number of accesses to which it applies.
inline constexpr Text kTimesOver{"{} ({} such accesses)", "{}（{} 处）"};
/// 0 the name of a TIR block, 1 the mean number of lanes.
inline constexpr Text kIdleAdvice{"{0}: lanes at work: {1} of a warp's 32, the others wait",
                                  "{0}：线程束 32 个 lane 中仅 {1} 个工作，其余等待"};
/// An axis: "threadIdx.x".
inline constexpr Text kIdleHelp{
    "No loop around it is bound to {}: bind one of 32 there, or tensorize: an intrinsic takes the whole warp.",
    "它外层没有循环绑定到 {}：把一个长度为 32 的循环绑定上去，或用 tensorize，让整个线程束一起工作。"};
/// 0 the name of a TIR block, 1 a number of threads.
inline constexpr Text kRepeatedAdvice{"{0}: {1} threads of a block all do the same work",
                                      "{0}：线程块的 {1} 个线程都在做同样的工作"};
inline constexpr Text kRepeatedHelp{
    "None of its loops is bound to them: fuse, split and bind, and each does its share.",
    "它没有循环绑定到这些线程：用 fuse、split 和 bind，让每个线程各做一份。"};
inline constexpr Text kGuardedHelp{"A condition keeps the others out: loops whose extents divide evenly need none.",
                                   "条件把其余 lane 挡在外面：能整除的循环长度不需要条件。"};
inline constexpr Text kFewBlocksAdvice{"{0} of {1} SMs have a block, the others have nothing to do",
                                       "{1} 个 SM 中仅 {0} 个有线程块，其余空闲"};
inline constexpr Text kFewBlocksHelp{
    "Smaller tiles make more blocks: choose other factors in the splits of the loops bound to blockIdx.",
    "分块更小则线程块更多：在拆分出绑定到 blockIdx 的循环处换用别的因子。"};
inline constexpr Text kOneThreadAdvice{"One GPU thread does everything", "全部工作由一个 GPU 线程完成"};
inline constexpr Text kOneThreadHelp{"Bind an outer loop to blockIdx.x and one inside of it to threadIdx.x.",
                                     "把一个外层循环绑定到 blockIdx.x，并把其内的一个循环绑定到 threadIdx.x。"};
inline constexpr Text kSmallBlockAdvice{"A block has {0} of the 32 threads that a warp has room for",
                                        "一个线程束可容 32 个线程，每个线程块只有 {0} 个"};
inline constexpr Text kSmallBlockHelp{"Bind a loop of 32 or more to threadIdx.x.",
                                      "把一个长度不小于 32 的循环绑定到 threadIdx.x。"};
/// An advice, the time that following it saves at most, and the predicted time of the kernel.
inline constexpr Text kCosts{"{}: up to {} of {} predicted", "{}：消除后至多省 {}（预测总时间 {}）"};

// The help with the advice that a pipe or a wait limits the kernel, by model::Advice::subject.
struct Busiest {
  const char* subject;
  Text help;
};
inline constexpr Busiest kBusiest[] = {
    {"copy",
     {"Fewer trips for the same products: larger tiles in shared memory (cache_read), 16 bytes at a time (vectorize); "
      "or more blocks, where SMs idle.",
      "用更少的搬运完成同样的乘法：共享内存中更大的分块（cache_read），每次 16 字节（vectorize）；SM "
      "空闲时则用更多线程块。"}},
    {"shared",
     {"Larger tiles per warp, kept in registers; or more blocks, where SMs idle.",
      "线程束在寄存器中保存更大的分块，使读出的数据服务更多乘法；SM 空闲时则用更多线程块。"}},
    {"tensor",
     {"That is where the time should go; the blocks should fill all SMs in whole waves.",
      "时间本应花在这里；线程块应以整波占满所有 SM。"}},
    {"arithmetic",
     {"Tensor cores do products of float16 many times faster: tensorize.",
      "张量核心做 float16 乘法快许多倍：tensorize。"}},
    {"issue",
     {"Fewer instructions for the same work: vectorize, unroll, tensorize.",
      "用更少的指令完成同样的工作：vectorize、unroll、tensorize。"}},
    {"waits",
     {"More warps on an SM hide it, or more independent loads of a thread: smaller tiles, unroll.",
      "SM 上更多的线程束，或一个线程更多互不依赖的读取，可以隐藏它：更小的分块、unroll。"}},
};
// The help of the same kind for kernels whose warps have roles, where it differs from that in `kBusiest`: there, ring
// buffers hide latency, not other blocks.
inline constexpr Busiest kBusiestOfRoles[] = {
    {"copy",
     {"Larger tiles ask for fewer bytes a product; blocks of a cluster can ask for a tile once for all.",
      "更大的分块使每个乘积请求的字节更少；一个簇的线程块可为大家只请求一次分块。"}},
    {"shared",
     {"Products of more columns read each row of the other factor for more of them: a wider tile.",
      "列数更多的乘积使另一因子的每一行服务更多的列：更宽的分块。"}},
    {"waits",
     {"Playback shows who waits for whom. Warps of their own that load, more slots, products left on their way or "
      "warpgroups that take turns fill gaps; more warps on an SM don't, as a ring of slots hides latency here.",
      "“执行回放”显示谁在等谁。专门加载的线程束、更多的槽、保持在途的乘积或轮流计算的 warpgroup "
      "可填补空隙；此处由环的各槽掩盖延迟，增加 SM 上的线程束无济于事。"}},
};
// The same where there is one slot: other blocks hide latency as in kernels without roles, as far as they do.
inline constexpr Busiest kWaitsOfOneSlot{
    "waits",
    {"While the one buffer is filled, only other blocks of the SM multiply: there are too few. A ring of slots is "
     "filled ahead; then more warps aren't needed.",
     "唯一的缓冲填充期间，只有该 SM 的其他线程块在做乘法，而它们太少。多槽的环可提前填充，不再需要更多线程束。"}};

inline constexpr PanelHelp kHelp{
    {"The levels of memory from far to near as bands, each buffer at its level in the column of its operand, and "
     "what is copied between levels as arrows.",
     "从远到近的各级存储画成横带，缓冲区位于其层级和所属操作数的列中，层级之间的拷贝画成箭头。"},
    {"An arrow is as wide as its traffic. What the last step changed has the colour of change, with the number "
     "from "
     "before. The line at the foot of a buffer's box: when it is written and read in a block's life. Bars below: "
     "what a block takes of a multiprocessor; the fullest one limits how many blocks fit.",
     "箭头的宽度表示流量。上一步改变的部分用“改变”的颜色，并附上之前的数值。缓冲区框底部的线：它在线程块一生中何时"
     "被写入和读取。下面的条：一个线程块占用"
     "SM 资源的份额；最满的一条限制能容纳的线程块数。"},
    {"Bytes are counted from the program as written, or from the machine code, as chosen above; registers are the "
     "compiler's; limits and rates are the "
     "device's, with their source in the hover.",
     "字节数按程序所写或按编译结果计数，在上方选择；寄存器数来自编译器；上限与速率属于设备，悬停提示给出来源。"},
    {"Switch between one block and the whole grid. An arrow with two walls is an asynchronous copy, past the "
     "registers; "
     "a stack of boxes is a ring, one for each stage. Click a buffer or arrow: its statement is selected everywhere.",
     "可在一个线程块和整个网格之间切换。带双壁的箭头是异步拷贝，不经过寄存器；叠放的方框是环形缓冲，每个阶段一个。单击"
     "缓冲区或箭头：对应语句在各处被选中。"}};

}  // namespace loom::text::memory

#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel Performance, each in English and Chinese; {} stands for a value that is filled in: a number,
/// a name, a time or an amount of bytes with its unit, or, where a text says that something is missing, the reason.
namespace loom::text::performance {

/// The choice of the unit in which the page Steps draws times; kTime alone if the FLOP aren't known.
inline constexpr Text kThroughput{"TFLOP/s", "TFLOP/s"};
inline constexpr Text kTime{"Time, µs", "时间 µs"};
/// Heads of columns of the table of the page Steps: here, and from kStep to kOrigin.
inline constexpr Text kTimeOf{"time", "时间"};
inline constexpr Text kNoTimes{"No state has a time yet.", "尚无任何状态的时间。"};
inline constexpr Text kNoDevice{"Nothing can be measured here: {}", "此处无法测量：{}"};
inline constexpr Text kMeasure{"Measure all", "全部测量"};
inline constexpr Text kCancel{"Cancel", "取消"};
inline constexpr Text kStep{"step", "步骤"};
inline constexpr Text kState{"state", "状态"};
inline constexpr Text kPrevious{"× prev. speed", "× 上一步速度"};
/// In a row's tooltip: a ratio, and the title of the state that the row's state is compared with.
inline constexpr Text kTimesSpeedOf{"{} × the speed of {}", "速度是此状态的 {} 倍：{}"};
inline constexpr Text kFirst{"× first speed", "× 起点速度"};
/// The name of the vendor's library.
inline constexpr Text kVendorShare{"% {}", "% {}"};
inline constexpr Text kOrigin{"origin", "来源"};
/// By gpu::ResultOrigin: the device, and the date of the measurement.
inline constexpr Text kOrigins[] = {{"measured here: {}, {}", "本机测量：{}，{}"},
                                    {"recorded: {}, {}", "记录：{}，{}"},
                                    {"executed on the CPU here: {}, {}", "本机 CPU 执行：{}，{}"}};
inline constexpr Text kTooSlow{"too slow", "过慢"};
inline constexpr Text kStart{"start", "起点"};
/// Of a state on a branch: the number of the state after which the branch begins, and its own title.
inline constexpr Text kBranch{"after {}: {}", "自第 {} 步：{}"};
inline constexpr Text kAfter{"[branch after {}]", "[自第 {} 步的分支]"};  ///< stands before a step of a branch
inline constexpr Text kLegend{
    "log scale; strong: way to this state; star: fastest; ○ predicted, at the edge no kernel; triangle: too slow",
    "对数刻度；加粗：通往此状态的路径；星号：最快；○ 为预测值，落在底边则不是核函数；三角：过慢，未计时"};
inline constexpr Text kQuartiles{"quartiles {} … {} µs of {} samples", "四分位 {} … {} µs，共 {} 次采样"};

inline constexpr Text kSteps{"Steps", "步骤"};
inline constexpr Text kRoofline{"Roofline", "屋顶线"};
inline constexpr Text kOccupancy{"Occupancy", "占用率"};
inline constexpr Text kInstructions{"Instructions", "指令"};
inline constexpr Text kAdviceTab{"Advice", "建议"};
inline constexpr Text kCompare{"Compare", "比较"};
inline constexpr Text kModelling{"Running the model…", "正在计算模型……"};
inline constexpr Text kNoKernel{"No kernel here: {}", "此处不是核函数：{}"};
inline constexpr Text kNoFigures{"No figures for the device: {}", "没有设备数据：{}"};

/// The names of the links whose bytes are counted, in Roofline.
inline constexpr Text kMemoryBytes{"memory", "显存"};
inline constexpr Text kL2Bytes{"L2", "L2"};
inline constexpr Text kSharedBytes{"shared", "共享内存"};
/// The device that the roofs are of.
inline constexpr Text kRooflineNote{"TFLOP/s over FLOP per byte of that link, log-log; {}",
                                    "纵轴 TFLOP/s，横轴 FLOP/字节（该链路），双对数；{}"};
inline constexpr Text kMeasureCeilings{"Measure ceilings", "测量上限"};
inline constexpr Text kMeasureCeilingsAgain{"Measure again", "重新测量"};
/// How many ceilings are measured already, and how many will be.
inline constexpr Text kMeasuringCeilings{"Measuring: {} of {}", "测量中：{} / {}"};
inline constexpr Text kMeasureCeilingsTip{
    "Runs small kernels on this {}: fused multiply-adds, mma.sync of each type, copies, reads of L2 and shared memory. "
    "The medians become the roofs where they are higher than what was known, and are kept for later.",
    "在本机 {} 上运行小核函数：融合乘加、各类型的 mma.sync、复制、L2 与共享内存读取。"
    "中位数若高于已知值即成为屋顶，并保存供以后使用。"};
/// The day of the last measurement; for kCeilingsProblem, why the last one failed.
inline constexpr Text kCeilingsKnown{"Measured on {}.", "测量于 {}。"};
inline constexpr Text kCeilingsProblem{"The last time: {}", "上一次：{}"};
inline constexpr Text kRooflineEmpty{"No measured state has counted bytes on this link.",
                                     "没有已测状态在此链路上有字节数。"};
inline constexpr Text kNoPoint{"State {} has no point: it is no kernel.", "状态 {} 没有点：它不是核函数。"};
inline constexpr Text kNoPointYet{"State {} has no point: it isn't measured.", "状态 {} 没有点：尚未测量。"};
/// Multiprocessors that have blocks, all multiprocessors, and the share of a unit's peak that these allow, in TFLOP/s;
/// in kOnSomeThreads, {2} is how much of those the kernel's threads can keep busy at most.
inline constexpr Text kOnSome{"{} of {} SMs: {}", "{} / {} 个 SM：{}"};
inline constexpr Text kOnSomeThreads{"{0} of {1} SMs, {2} % full: {3}", "{0} / {1} 个 SM，其线程的 {2} %：{3}"};
inline constexpr Text kAtIntensity{"{} TFLOP/s at {} FLOP per byte", "{} TFLOP/s，每字节 {} FLOP"};
/// FLOP, the number of bytes over a link, without a unit, and the name of the link.
inline constexpr Text kBytesOver{"{} FLOP over {} {} bytes", "{} FLOP / {} {} 字节"};
/// The sentence for a state that is far below every ceiling; {0} is the nearest one.
inline constexpr Text kFarFromRoofs{"far below every roof: it waits ({0}: {1} % of {2} TFLOP/s)",
                                    "远低于所有屋顶：时间花在等待上（{0}：{2} TFLOP/s 的 {1} %）"};
inline constexpr Text kMarks{"■ other links · gray: other branches · dashed: SMs with blocks",
                             "■ 其他链路 · 灰点：其他分支 · 虚线：有线程块的 SM"};
inline constexpr Text kNearestRoof{"nearest roof: {0}, {1} % of its {2} TFLOP/s",
                                   "最近的屋顶：{0}，达到其 {2} TFLOP/s 的 {1} %"};
inline constexpr Text kPastRoof{"past the nearest roof: {0}, {1} % of its measured {2} TFLOP/s",
                                "超过最近的屋顶：{0}，为其实测 {2} TFLOP/s 的 {1} %"};
/// The name of the link, what it allows at the point's intensity, and how much of that the point reaches.
inline constexpr Text kAllowed{"{} allows {} TFLOP/s here: {} % reached", "{} 在此允许 {} TFLOP/s：达到 {} %"};
/// How bytes over a link are counted: whether "as written" or "as compiled" (not in kBytesCounted), and in what.
inline constexpr Text kBytesCounted{"bytes {}", "字节数{}"};
inline constexpr Text kBytesOfHow{"bytes {}, {}", "字节数{}，{}"};
inline constexpr Text kSectorsMissed{"bytes {}, {}: loads that L1 lacks, and stores",
                                     "字节数{}，{}：L1 未命中的加载与全部存储"};
inline constexpr Text kAboveMemory{"△ above its roof: L2 held it already", "△ 高于屋顶：数据已在 L2"};
inline constexpr Text kAboveL2{"△ above its roof: registers or L1 served part, or one reading of L2 several blocks",
                               "△ 高于屋顶：部分由寄存器或 L1 提供，或 L2 读取一次供多个线程块"};
/// Of bytes that several blocks ask L2 for at the same time.
inline constexpr Text kServedTogether{"boxes that several blocks ask for at once are counted as L2 delivers them",
                                      "多个线程块同时请求的 box 按 L2 实际送出计"};
/// {}: bytes.
inline constexpr Text kServedTogetherOf{
    "{} more are asked for, of boxes that several blocks want at once: L2 serves these together. The share is that of "
    "a "
    "product at 8192, as ncu counted it.",
    "另有 {} 被请求，属于多个线程块同时所要的 box：L2 一并送出。比例取自 ncu 对规模 8192 的一次乘法的计数。"};
/// The share of the bytes.
inline constexpr Text kBoxesWrite{"of what boxes write {} counts: so much it takes from other accesses",
                                  "box 的写入按 {} 计：只占用其他访问这么多带宽"};
inline constexpr Text kAboveShared{"△ above its roof: registers kept part", "△ 高于屋顶：部分留在寄存器"};

inline constexpr Text kRegistersAThread{"registers per thread", "每线程寄存器"};
inline constexpr Text kSharedABlock{"shared memory per block", "每线程块共享内存"};
inline constexpr Text kThreadsABlock{"threads per block", "每线程块线程数"};
inline constexpr Text kResident{"room for {} of {} warps on an SM: {} %", "每个 SM 可容纳 {} / {} 个线程束：{} %"};
inline constexpr Text kAtMost{"room for at most {} of {} warps on an SM: registers are not known before compilation",
                              "每个 SM 至多容纳 {} / {} 个线程束：编译前寄存器数未知"};
inline constexpr Text kHowOccupancy{
    "CUDA's occupancy calculation from the device's figures: registers and shared memory as they are allocated, "
    "rounded "
    "up, the driver's reserve included. The curves are the same with another amount.",
    "按设备数据做 CUDA 的占用率计算：寄存器和共享内存按实际分配（向上取整，含驱动保留）。曲线为取其他数量时的结果。"};
inline constexpr Text kBlocksBy{"blocks that fit an SM, by threads: {}, slots: {}, registers: {}, shared memory: {}",
                                "每个 SM 可容纳的线程块，按线程：{}，槽位：{}，寄存器：{}，共享内存：{}"};
inline constexpr Text kPartRegisters{"registers of a block: {} of {}", "线程块的寄存器：{} / {}"};
inline constexpr Text kPartShared{"shared memory of a block: {} of {}", "线程块的共享内存：{} / {}"};
/// Registers per thread, threads of a role, and registers of them all; below, a buffer, its stages and their size.
inline constexpr Text kPartOfRole{"{} × {} threads = {}", "{} × {} 线程 = {}"};
inline constexpr Text kPartStages{"{}: {} × {}", "{}：{} × {}"};
/// Names of buffers with commas between, and the bytes that they take together.
inline constexpr Text kShareBytes{"{} share {}: what lies in the same bytes is in use at different times.",
                                  "{} 共用 {}：位于相同字节的缓冲区在不同时间使用。"};
inline constexpr Text kPartMbarriers{"mbarriers", "mbarrier"};
inline constexpr Text kPartReserve{"kept by the driver", "驱动保留"};
inline constexpr Text kPartRounding{"between buffers and rounded up", "缓冲区之间的空隙与取整"};
inline constexpr Text kPartFurther{"a further block that fits an SM", "SM 还能容纳的线程块"};
inline constexpr Text kRegistersMove{
    "The launch gives every warp the same: {} registers for the block. setmaxnreg then moves them between warpgroups.",
    "启动时各线程束相同：线程块共 {} 个寄存器；之后由 setmaxnreg 在 warpgroup 之间调配。"};
inline constexpr Text kRegistersShort{
    "warps ask for {} registers, the launch gives {}: those that take more wait for ever",
    "线程束共要求 {} 个寄存器，启动只给 {} 个：要增加的线程束将永远等待"};
/// A predicted time, and kFromCode or kFromProgram.
inline constexpr Text kTimeFrom{"{} ({})", "{}（{}）"};
inline constexpr Text kListed{", ", "、"};  ///< separates the items of a list
inline constexpr Text kLimitedBy{"the limit: {}", "受限于：{}"};
inline constexpr Text kLimitRegisters{"registers", "寄存器"};
inline constexpr Text kLimitShared{"shared memory", "共享内存"};
inline constexpr Text kLimitThreads{"threads", "线程数"};
inline constexpr Text kLimitBlocks{"block slots", "线程块槽位"};
inline constexpr Text kLimitTooLarge{"a block is too large", "线程块过大"};
inline constexpr Text kGridRuns{"● {} of {} warps run on an SM: {} %, all that the grid gives",
                                "● 每个 SM 实际运行 {} / {} 个线程束：{} %，网格只有这么多"};
inline constexpr Text kGridGives{"the grid has blocks for {} of {} SMs", "网格使 {} / {} 个 SM 有线程块"};
/// The heading of the picture of active clusters: how many are active at a time, on how many of the places for blocks.
inline constexpr Text kClustersActive{"clusters of {} blocks: {} active at a time, {} of {} places",
                                      "{} 个线程块的簇：同时活跃 {} 个，占 {} / {} 个位置"};
inline constexpr Text kClustersWaves{"the grid's {} blocks take waves: {}", "网格的 {} 个线程块需 {} 波"};
inline constexpr Text kClustersMore{"without clusters: {}", "不用簇：{} 波"};
inline constexpr Text kClustersByGpcs{"the limit: each cluster within one GPC", "受限于：簇须在一个 GPC 之内"};
inline constexpr Text kClustersUnknown{"at most: the sizes of this device's GPCs are not known",
                                       "为上限：该设备各 GPC 的大小未知"};
inline constexpr Text kHowClusters{
    "All blocks of a cluster run within one graphics processing cluster (GPC), so what is left of a GPC stays empty. "
    "Which multiprocessors a GPC has differs from chip to chip; the device's file says where these sizes come from.",
    "一个簇的线程块都在同一个图形处理簇（GPC）内运行，GPC 中剩余的位置空着。"
    "各 GPC 的 SM 数因芯片而异；来源见设备文件。"};
inline constexpr Text kGpc{"GPC of {} SMs: {} clusters, {} places stay empty",
                           "{} 个 SM 的 GPC：{} 个簇，{} 个位置空着"};
inline constexpr Text kNotCompiled{"registers not known: not compiled", "寄存器数未知：未编译"};
/// Another amount of the resource that a curve is of, and the warps that have room with it.
inline constexpr Text kWouldGive{"{}: room for {} warps", "{} 时可容纳 {} 个线程束"};
inline constexpr Text kAtMostWouldGive{"at most {}: room for {} warps", "不超过 {} 时可容纳 {} 个线程束"};
inline constexpr Text kNoOtherSize{"no divisor of {} has more room", "{} 的其他因数都不会容纳更多"};
inline constexpr Text kNothingBound{"nothing is bound to threads", "没有循环绑定到线程"};
/// The name of a resource, and an amount of it; for kIfOther also the warps that have room with it.
inline constexpr Text kNoSuchBlock{"{}: {} → no such block fits an SM", "{}：{} → SM 放不下这样的线程块"};
/// {}: the threads of the whole grid, as in kNoOtherSize above.
inline constexpr Text kDoesNotDivide{"not this kernel's: it doesn't divide the grid's {} threads",
                                     "不适用于此核函数：不能整除网格的 {} 个线程"};
inline constexpr Text kMostAlready{"already the most", "已达上限"};
inline constexpr Text kWarpsAxis{"↑ warps on an SM", "↑ 每 SM 线程束"};
inline constexpr Text kIfOther{"{}: {} → {} warps on an SM", "{}：{} → 每 SM {} 个线程束"};

inline constexpr Text kNoSass{"No machine code: {}", "没有机器码：{}"};
inline constexpr Text kSassNotCounted{
    "The machine code isn't counted: {}. Figures and times are of the program as written.",
    "机器码未计入：{}。数值和时间按程序所写推算。"};
inline constexpr Text kHowDisassembler{
    "nvdisasm comes with the CUDA toolkit; app/run also fetches it. Or let TILELOOM_CUDA name a toolkit that has it.",
    "nvdisasm 随 CUDA 工具包提供，app/run 也会获取；或用 TILELOOM_CUDA 指定含有它的工具包。"};
inline constexpr Text kDisassembling{"Reading the machine code…", "正在读取机器码……"};
inline constexpr Text kWaitingForCode{"Not compiled yet…", "尚未编译……"};
/// The instructions in the loop's code, its iterations by all warps, and the instructions that warps execute in the
/// whole kernel, outside of the loop, too.
inline constexpr Text kHotLoop{"Hot loop: {} instructions, run {} times by warps; {} in all",
                               "热循环：{} 条指令，线程束共执行 {} 次；总计 {}"};
inline constexpr Text kNoLoop{"No loop; {} instructions executed by warps", "没有循环；线程束共执行 {} 条指令"};
/// Follows kHotLoop or kNoLoop: how the figures were found.
inline constexpr Text kMixNote{"as compiled, {}", "按编译结果，{}"};
inline constexpr Text kInLoop{"in the loop", "循环内"};
inline constexpr Text kExecuted{"executed", "执行"};
inline constexpr Text kPipe{"instructions", "指令类别"};
inline constexpr Text kOpcode{"memory instruction", "访存指令"};
inline constexpr Text kLine{"CUDA line", "CUDA 行"};
inline constexpr Text kTimes{"count", "条数"};
inline constexpr Text kWidth{"bytes per lane", "每线程字节"};
inline constexpr Text kPerRequest{"sectors or wavefronts,\nactual / least", "扇区或波前，\n实际 / 最少"};
inline constexpr Text kOfLeast{"{} / {}", "{} / {}"};

inline constexpr Text kNoneAsks{
    "No lane asks memory in the hot loop: what the copy engine and tensor cores move by themselves has no addresses in "
    "the code.",
    "热循环中没有 lane 访存：拷贝引擎与张量核心自行搬运的数据，在代码中没有地址。"};
inline constexpr Text kNoLoopAsks{"Accesses are listed of the hottest loop; this kernel has no loop.",
                                  "此处列出最热循环中的访存；该核函数没有循环。"};
inline constexpr Text kGlobalLoad{"global load", "全局内存加载"};
inline constexpr Text kGlobalStore{"global store", "全局内存存储"};
inline constexpr Text kSharedLoad{"shared load", "共享内存加载"};
inline constexpr Text kSharedStore{"shared store", "共享内存存储"};
inline constexpr Text kLdMatrix{"ldmatrix", "ldmatrix"};
inline constexpr Text kLocalLoad{"local load", "局部内存加载"};
inline constexpr Text kLocalStore{"local store", "局部内存存储"};
inline constexpr Text kFma{"fp32", "fp32"};
inline constexpr Text kHalf{"fp16", "fp16"};
inline constexpr Text kHalfHelp{
    "Arithmetic of float16 pairs (HFMA2) and their conversion to float32 (HADD2.F32). Compilers also set a register to "
    "a "
    "constant with one of these.",
    "成对 float16 的算术（HFMA2）和到 float32 的转换（HADD2.F32）。编译器也用它把寄存器设为常数。"};
inline constexpr Text kTensor{"tensor core", "张量核心"};
inline constexpr Text kInteger{"integer", "整数"};
inline constexpr Text kSpecial{"special function", "特殊函数"};
inline constexpr Text kControl{"control", "控制"};
inline constexpr Text kBarrier{"barrier", "屏障"};
inline constexpr Text kMbarrier{"mbarrier", "mbarrier"};
inline constexpr Text kCopyEngine{"copy engine", "拷贝引擎"};
inline constexpr Text kUniform{"uniform datapath", "统一数据通路"};
inline constexpr Text kOther{"other", "其他"};

inline constexpr Text kNoAdvice{"The model finds nothing that would help.", "模型没有发现可改进之处。"};
/// The time; kFromCode or kFromProgram; and what is known of the real time, one of kKnownTimes or kNotMeasured.
inline constexpr Text kPredictedOf{"The model predicts {} from {}; {}", "模型预测 {}（{}）；{}"};
inline constexpr Text kPipesAlone{"What each limit alone would take in the model, of its {}",
                                  "模型中各限制单独所需时间（模型总时间 {}）"};
inline constexpr Text kPipesAloneAt{"What each limit alone would take in the model, of its {} at its clock of {} MHz",
                                    "模型中各限制单独所需时间（模型总时间 {}，模型时钟 {} MHz）"};
/// The row beside these for the time in which none of them works.
inline constexpr Text kWaitsRow{"warps wait", "线程束等待"};
inline constexpr Text kWaitsRowTip{
    "No limit alone: the time in which, at the full rate of the units, warps only wait for each other or for copies.",
    "不是某一项限制：按各单元全速计，线程束只在互相等待或等待拷贝的时间。"};
/// Follows a known time.
inline constexpr Text kRestIsModels{". All other figures here are the model's, the clock rate too.",
                                    "。此处其余数据（包括时钟频率）均来自模型。"};
/// The number of blocks of a cluster.
inline constexpr Text kClusterUncounted{
    "Not in the model's time: a slot is free only when all {} blocks of a cluster have read it, so that the slower one "
    "holds up the others; the model takes them to be equally far.",
    "模型时间未计：簇的 {} 个线程块都读完后槽才空闲，较慢者会拖住其他线程块；模型假定它们进度相同。"};
inline constexpr Text kSlowerModel{
    "A limit alone takes longer in the model than the {} that all of it took: the model is {} times too slow here. The "
    "bars are shares of the model's time.",
    "模型中有一项单独就超过实际总时间（{}）：模型在此偏慢，为实际的 {} 倍。条长按模型总时间计。"};
/// The remark that the prediction is far off; {2} is the known time, "recorded 8.10 µs".
inline constexpr Text kPredictsMore{
    "The model predicts {0}, {1} % more than the {2} ({3} % off is usual): its parts may be as far off.",
    "模型预测 {0}，比{2} 多 {1} %（通常偏差约 {3} %）：其各部分的偏差可能同样大。"};
inline constexpr Text kPredictsTimes{
    "The model predicts {0}, {1} times the {2} ({3} % off is usual): its parts may be as far off.",
    "模型预测 {0}，为{2} 的 {1} 倍（通常偏差约 {3} %）：其各部分的偏差可能同样大。"};
inline constexpr Text kPredictsLess{
    "The model predicts {0}, {1} % less than the {2} ({3} % off is usual): its parts may be as far off.",
    "模型预测 {0}，比{2} 少 {1} %（通常偏差约 {3} %）：其各部分的偏差可能同样大。"};
/// Remarks on a change that was predicted otherwise than it was measured: {0} is by how many percent the two differ,
/// {1} by how many the model is usually off.
inline constexpr Text kDisputedAsUsual{
    "These are {0} % apart, less than the {1} % by which the model is usually off: it doesn't tell which is faster.",
    "两者相差 {0} %，小于模型通常的偏差 {1} %：模型分辨不出谁更快。"};
inline constexpr Text kDisputed{
    "These are {0} % apart, where the model is usually {1} % off: of one of the two states it is wrong.",
    "两者相差 {0} %，而模型通常的偏差为 {1} %：模型对其中一个状态的预测有误。"};
/// {}: the time that device memory alone would take.
inline constexpr Text kColdMemory{"{} if L2 is cold", "{}（若 L2 为空）"};
inline constexpr Text kLaunch{"launch", "启动"};
inline constexpr Text kFromCode{"machine code", "机器码"};
inline constexpr Text kFromProgram{"the program", "程序"};
/// By gpu::ResultOrigin: a time.
inline constexpr Text kKnownTimes[] = {
    {"measured {}", "实测 {}"}, {"recorded {}", "记录值 {}"}, {"executed on the CPU {}", "CPU 执行 {}"}};
inline constexpr Text kNotMeasured{"not measured", "未测量"};
/// The text on a time, one of kKnownTimes; the device that it is of; the model's device.
inline constexpr Text kOtherDevice{"{} on {}, which is another device than the model's {}",
                                   "{}，设备是 {}，与模型的 {} 不是同一设备"};
/// The model's device, and another one that times are known of.
inline constexpr Text kPredictedPoints{"○ predicted for {}; times of {} aren't drawn",
                                       "○ 对 {} 的预测；不画 {} 的时间"};

inline constexpr Text kPreviewNotSampled{"A preview isn't sampled: apply it first.", "预览没有采样：先应用它。"};
inline constexpr Text kPreviewCompiling{"Compiling the preview…", "正在编译预览……"};
inline constexpr Text kPreviewNotCounted{"No instructions are known of this preview: it isn't compiled.",
                                         "这个预览没有编译，指令未知。"};
inline constexpr Text kPredictedPoint{"preview: {} TFLOP/s, predicted", "预览：预测 {} TFLOP/s"};
inline constexpr Text kFindState{"Find a state", "查找状态"};
inline constexpr Text kNoState{"No kernel like that", "没有这样的核函数"};
inline constexpr Text kCompareWith{"Compare with", "对比对象"};
inline constexpr Text kAsLesson{"as the lesson does", "与课程正文一致"};
inline constexpr Text kLessonCompares{"The chapter whose time the lesson's text quotes here; else the one before.",
                                      "课程正文在本章引用其时间的那一章；没有引用时为上一章。"};
inline constexpr Text kOnlyDifferent{"differences only", "仅看差异"};
inline constexpr Text kNothingToCompare{"No kernel comes before this state. Choose one to compare with above.",
                                        "此状态之前没有核函数。请在上方选择要比较的状态。"};
inline constexpr Text kNoFiguresNow{"State {} is no kernel: it has no figures.", "状态 {} 不是核函数：没有指标。"};
inline constexpr Text kFigure{"figure", "指标"};
inline constexpr Text kNow{"now", "当前"};
/// How the current state's time is to that of the state compared with, down to kAsFast.
inline constexpr Text kSlowerBecause{"{}× the time", "时间为 {} 倍"};
inline constexpr Text kFasterBecause{"{}× as fast", "速度是原来的 {} 倍"};
inline constexpr Text kAsFast{"as fast", "一样快"};
/// How one state's time is to the other's, where they differ by no more than two runs of one kernel.
inline constexpr Text kWithinNoise{"{}, within the 2 % by which two runs of one kernel may differ",
                                   "{}，不超过同一核函数两次运行之间可能的 2 %"};
/// {}: how the times of the two states are to each other: known times, by gpu::ResultOrigin, or predicted ones.
inline constexpr Text kByOrigin[] = {
    {"Measured: {}", "实测：{}"}, {"Recorded: {}", "记录：{}"}, {"Executed on the CPU: {}", "CPU 执行：{}"}};
inline constexpr Text kByPredicted{"Predicted: {}", "预测：{}"};
inline constexpr Text kModelSays{"the model predicts: {}", "模型预测：{}"};
/// The same of a difference that is small beside the model's errors.
inline constexpr Text kModelGuesses{"the model predicts: {}, less than it can tell",
                                    "模型预测：{}，小于它能分辨的差别"};
inline constexpr Text kStateNumber{"state {}", "状态 {}"};
inline constexpr Text kChapterNumber{"chapter {}", "第 {} 章"};
/// A reason for the time that the current state has and the one compared with hasn't.
inline constexpr Text kNewReason{"new: {}", "新出现：{}"};
/// A reason that is the other state's only; the name of that state.
inline constexpr Text kGoneReason{"only in {1}: {0}", "仅见于{1}：{0}"};
/// Numbers of warps that have room on an SM, and of those that it can hold; what limits them; the other state's number
/// and its name.
inline constexpr Text kFewerWarps{"fewer warps: {0} of {1} on an SM (the limit: {2}), {3} in {4}",
                                  "线程束更少：每个 SM {0} / {1} 个（受限于{2}），{4}为 {3} 个"};
/// Between the two states compared: the number of the first and of the last state, or of the only one.
inline constexpr Text kNoKernelsBetween{"no kernels: {} to {}", "{} 至 {} 不是核函数"};
inline constexpr Text kNoKernelBetween{"no kernel: {}", "{} 不是核函数"};
/// In the column kTimesColumn: which of the two states alone has the figure.
inline constexpr Text kOnlyNow{"new", "新增"};
inline constexpr Text kOnlyThen{"gone", "消失"};
inline constexpr Text kTimesColumn{"factor", "倍数"};
/// By gpu::ResultOrigin.
inline constexpr Text kTimeFigures[] = {{"time, measured", "时间（实测）"},
                                        {"time, recorded", "时间（记录）"},
                                        {"time, executed on the CPU", "时间（CPU 执行）"}};
inline constexpr Text kPredictedFigure{"time, predicted", "时间（预测）"};
/// The translation of a name of the performance model: of a pipe, a memory level or a link.
struct FigureLabel {
  const char* label;
  Text words;
};
inline constexpr FigureLabel kFigureLabels[] = {
    {"issue", {"issue", "发射"}},
    {"instruction cache", {"instruction cache", "指令缓存"}},
    {"memory instructions", {"LSU (global + shared)", "LSU（全局 + 共享内存）"}},
    {"barrier", {"barrier", "屏障"}},
    {"integer", {"integers", "整数"}},
    {"integer products", {"integer products", "整数乘法"}},
    {"tensor", {"tensor", "张量核心"}},
    {"tensor core", {"tensor core", "张量核心"}},
    {"copy engine", {"copy engine, from L2", "拷贝引擎（自 L2）"}},
    {"l2 stores", {"stores to L2", "写入 L2"}},
    {"cluster", {"cluster", "线程块簇"}},
    {"latency", {"latency", "延迟"}},
    {"global", {"global", "全局内存"}},
    {"memory", {"memory", "显存"}},
    {"cold memory", {"memory", "显存"}},
    {"l2", {"L2", "L2"}},
    {"shared", {"shared", "共享内存"}},
    {"registers", {"registers", "寄存器"}},
    {"as written", {"as written", "按程序所写"}},
    {"as compiled", {"as compiled", "按编译结果"}},
};
inline constexpr Text kClockFigure{"   the model's clock, by the power limit", "   模型的时钟（功耗限制下）"};
inline constexpr Text kByClock{
    "The same number of clocks: only the clock rate is another, as the power limit leaves less of it the busier tensor "
    "cores are.",
    "周期数相同，只是时钟频率不同：张量核心越忙，功耗限制留下的频率越低。"};
inline constexpr Text kPipeFigure{"   {} alone", "   {}（单独）"};
inline constexpr Text kProductsFigure{"   products at full rate, of the time without launch",
                                      "   乘积以全速所占时间（不计启动）"};
inline constexpr Text kLaunchFigure{"   launch", "   启动"};
inline constexpr Text kBlocksFigure{"blocks", "线程块"};
inline constexpr Text kThreadsFigure{"threads per block", "每线程块线程数"};
inline constexpr Text kRegistersFigure{"registers per thread", "每线程寄存器"};
inline constexpr Text kSpillsFigure{"spilled", "溢出"};
inline constexpr Text kSharedFigure{"shared per block", "每线程块共享内存"};
inline constexpr Text kOccupancyFigure{"occupancy", "占用率"};
inline constexpr Text kFitFigure{"blocks that fit an SM", "每 SM 可容线程块"};
inline constexpr Text kWavesFigure{"waves", "波次"};
inline constexpr Text kTrafficFigure{"as written", "按程序所写"};
inline constexpr Text kIntensityFigure{"FLOP per byte carried", "每实传字节 FLOP"};
inline constexpr Text kLoadFigure{"sectors per load", "每次加载的扇区"};
inline constexpr Text kStoreFigure{"sectors per store", "每次存储的扇区"};
inline constexpr Text kConflictFigure{"bank conflicts", "bank 冲突"};
inline constexpr Text kWaysFigure{"worst conflict", "最坏冲突"};
inline constexpr Text kInstructionsFigure{"warp instructions", "线程束指令"};

inline constexpr PanelHelp kHelp{
    {"How fast each state is and why. **Steps**: throughput by step. **Roofline**: what each memory link and unit "
     "would allow. **Occupancy**: warps that fit, and what limits them. **Instructions**: the hot loop by pipe. "
     "**Stalls**: what warps wait for, and where. **Advice**: what costs most, and the steps, of all that were "
     "tried, that the model predicts to help. "
     "**Compare**: figures of two states. **Sizes**: "
     "the "
     "same steps on other sizes and element types.",
     "每个状态有多快、为什么。**各步**：每步的吞吐量。**屋顶线**：各存储链路与计算单元的上限。**占用率**："
     "能驻留的线程束及其限制。**指令**：热循环按执行管线的组成。**停顿**：线程束在等什么、在哪里。**建议**"
     "：主要瓶颈，以及试过的步骤中模型预测有用的那些。"
     "**比较**：两个状态的数据。**规模**：把同样的步骤用于其他规模和元素类型。"},
    {"The dashed line is cuBLASLt's best on the same data. Scales are logarithmic. A hollow mark is a model's, not "
     "a "
     "measurement.",
     "虚线是 cuBLASLt 在相同数据上的最好成绩。刻度为对数。空心记号是模型值，不是测量值。"},
    {"Measured here, recorded on a named device, or the model's; each hover says which and how.",
     "本机测量、在指明的设备上记录、或由模型给出；悬停提示会说明来源和方法。"},
    {"Click a point or a row to go to its state. Advice has a button that applies its steps. Ctrl+M measures all "
     "states.",
     "单击点或行即转到该状态。建议带有应用其步骤的按钮。Ctrl+M 测量所有状态。"}};

}  // namespace loom::text::performance

#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel Thread binding, each in English and Chinese; {} stands for a value that is filled in: a
/// number, unless the text or a comment says otherwise. At the end of a text that says that there is no kernel or no
/// waves, or that something isn't known, it stands for the reason, a sentence. Before "B" it is a number of bytes.
namespace loom::text::binding {

inline constexpr Text kTitle{"Thread binding", "线程绑定"};
inline constexpr Text kNoKernel{"No kernel, so no threads yet: {}", "还不是核函数，没有线程：{}"};
inline constexpr Text kDraft{"no kernel yet: as written", "还不是核函数：按程序所写"};
inline constexpr Text kDraftHelp{
    "No kernel yet: {}\nUntil then one lane stands for its warp where a statement fills or reads a fragment.",
    "还不是核函数：{}\n在此之前，读写片段的语句由一个 lane 代表整个线程束。"};
inline constexpr Text kNoAccess{"The kernel touches no memory.", "核函数不访问内存。"};
// A block of the program (a statement with its iterators) and a buffer.
inline constexpr Text kReads{"{} reads {}", "{} 读取 {}"};
inline constexpr Text kUnderCondition{"under a condition", "有条件"};
inline constexpr Text kWrites{"{} writes {}", "{} 写入 {}"};
/// How often a thread executes the statement; tells apart statements that read or write the same buffer.
inline constexpr Text kTimesRun{"{} iterations", "{} 次迭代"};
inline constexpr Text kBlock{"block", "线程块"};
inline constexpr Text kWarp{"warp", "线程束"};
inline constexpr Text kLane{"lane", "lane"};
/// Beside kLoops, if none of the loops is fixed to one iteration.
inline constexpr Text kAll{"all", "全部"};
inline constexpr Text kLoops{"loops", "循环"};
inline constexpr Text kLoopsHint{"Which values of the loops around the statement are shown",
                                 "显示语句外各循环的哪些取值"};
inline constexpr Text kLoopHint{"Left of 0: all values of the loop.", "小于 0：循环的所有取值。"};
inline constexpr Text kGrid{"Grid: {} blocks", "网格：{} 个线程块"};
inline constexpr Text kGridOne{"Grid: one block", "网格：一个线程块"};
inline constexpr Text kWholeGrid{"whole grid", "整个网格"};
inline constexpr Text kZoomHint{"Wheel or click: nearer, until blocks can be clicked.",
                                "滚轮或单击：放大，直到可以单击线程块。"};
inline constexpr Text kZoomOutHint{"Click: look at this block. Wheel or Esc: further away.",
                                   "单击：查看该线程块。滚轮、Esc：缩小。"};
inline constexpr Text kWaves{"waves", "波次"};
inline constexpr Text kWavesHint{"Number the blocks by the wave in which they run.", "按所在波次给线程块编号。"};
// Blocks of the grid; multiprocessors; blocks that fit on one, and what limits that; the product of the two numbers; in
// kManyWaves, the number of waves as a fraction, "7.75"; and how full the last one is.
inline constexpr Text kOneWave{"Blocks: {}; {} SMs × {} (the limit: {}) = {} at once: one wave, {} % full",
                               "{} 个线程块，{} 个 SM × {}（受限于{}）= 同时 {} 个：一个波次，填充率 {} %"};
inline constexpr Text kManyWaves{"Blocks: {}; {} SMs × {} (the limit: {}) = {} at once: {} waves, the last {} % full",
                                 "{} 个线程块，{} 个 SM × {}（受限于{}）= 同时 {} 个：{} 个波次，末波填充率 {} %"};
/// {0} blocks of the grid, {1} blocks per cluster, {3} blocks in the {2} clusters that run at once, {4} blocks for
/// which the device would have room without clusters, {5} waves.
inline constexpr Text kWavesOfClusters{
    "Blocks: {0}, in clusters of {1}: {2} clusters at once, {3} of {4} places; waves: {5}, the last {6} % full.",
    "{0} 个线程块，每 {1} 个一簇：同时 {2} 个簇，占 {3} / {4} 个位置；{5} 个波次，末波填充率 {6} %。"};
/// The number of waves that the grid would take without clusters.
inline constexpr Text kWavesWithout{"Without clusters: {}.", "不用簇：{} 个波次。"};
/// The size of clusters in blocks along the axes x, y, z, and the chosen block's number in its cluster.
inline constexpr Text kClusters{
    "lines bound clusters of {0} × {1} × {2} blocks; block {3} is number {4} of cluster {5}",
    "线框：{0} × {1} × {2} 个线程块的簇；线程块 {3} 是簇 {5} 的第 {4} 个"};
inline constexpr Text kClusterTile{"Tile of {} × {} that the cluster's blocks bring each other",
                                   "簇内线程块互相带来的 {} × {} 分块"};
/// In the picture of a cluster, the name of a block over its tile.
inline constexpr Text kClusterOf{"block {}", "线程块 {}"};
// The number of the block that requests a part of the tile, or that has a slice.
inline constexpr Text kAskedBy{"by {}", "由 {}"};
inline constexpr Text kClusterSlices{"Slices in the shared memory of the cluster's blocks, as each block reads them",
                                     "各线程块读取的、位于簇内各线程块共享内存的分片"};
inline constexpr Text kSliceOf{"of {}", "{} 的"};
inline constexpr Text kSlicesNote{
    "Each block writes its own slice; after a barrier of the cluster they read each other's (distributed shared "
    "memory).",
    "每个线程块写自己的分片；簇屏障之后互相读取（分布式共享内存）。"};
inline constexpr Text kClusterSlice{"slice of block {}, read by blocks {}", "线程块 {} 的分片，被线程块 {} 读取"};
inline constexpr Text kClusterNote{
    "Each block asks the copy engine (TMA) for one part; it lands at the same place in the shared memory of all that "
    "get it, and an mbarrier of each is told.",
    "每个线程块向拷贝引擎（TMA）请求一部分；它落到所有接收线程块共享内存的同一位置，并通知各自的 mbarrier。"};
inline constexpr Text kClusterPart{"rows {} to {} of the tile: block {} asks, blocks {} get them",
                                   "分块的第 {} 至 {} 行：线程块 {} 请求，线程块 {} 得到"};
/// Bytes read, counting a byte once for each block; distinct bytes; these by buffer; the size of L2; "yes" or "no".
inline constexpr Text kWaveReads{
    "The blocks of one wave read {}, each byte once per block; {} of it distinct ({}); fits in L2 ({}): {}",
    "一个波次的各线程块共读取 {0}（每线程块每字节一次），其中不同的 {1}（{2}）；{4}（容量 {3}）"};
inline constexpr Text kTurnsRead{
    "The blocks read {} in one turn, each byte once per block; {} of it distinct ({}); fits in L2 ({}): {}",
    "各线程块在一轮中共读取 {0}（每线程块每字节一次），其中不同的 {1}（{2}）；{4}（容量 {3}）"};
/// Of a persistent kernel: {0} turns, {1} of {2} blocks have a tile in the last one, which are {3} percent.
inline constexpr Text kTurns{
    "Blocks stay: each goes on to its next tile, {} turns; in the last, {} of {} have one ({} %)",
    "线程块常驻：每个依次处理自己的分块，共 {} 轮；最后一轮有 {} / {} 个线程块有分块（{} %）"};
inline constexpr Text kSmOfLastTurn{"SM {}: blocks with a tile in the last turn: {}; room for {}",
                                    "SM {}：最后一轮有分块的线程块 {} 个，可容纳 {} 个"};
/// Over the strip with a bar for each multiprocessor, if there is one wave.
inline constexpr Text kSmsWith{"{} of {} SMs have a block; height: how full an SM is",
                               "{} / {} 个 SM 有线程块；高度：SM 的占用程度"};
/// The same over a strip with two rows: of the first wave and the last one, or of all blocks and of those with a tile
/// in the last turn. The tooltips of its bars: kSmOfFirst in the upper row, kSmOfLast or kSmOfLastTurn in the lower
/// one; "room for" is the number of blocks that fit on a multiprocessor.
inline constexpr Text kSmsWithWaves{"{} of {} SMs have a block; below: in the last wave",
                                    "{} / {} 个 SM 有线程块；下行：末波"};
inline constexpr Text kSmsWithTurns{"{} of {} SMs have a block; below: those with a tile in the last turn",
                                    "{} / {} 个 SM 有线程块；下行：最后一轮有分块者"};
/// Of the picture of a persistent kernel's tiles.
inline constexpr Text kTilesOfTurns{
    "their tiles, where they lie in the result; lit: the first turn, at work together; orange: the last, if not full; "
    "framed: this block's",
    "它们的分块，按在结果中的位置；亮：第一轮，同时计算；橙色：未满的最后一轮；加框：本线程块的"};
inline constexpr Text kTileOf{"block {}: its tile {} of up to {}", "线程块 {}：第 {} 个分块，至多 {} 个"};
/// Of the picture of the grid, if blocks are coloured by their waves.
inline constexpr Text kWavesPainted{"lit: the first wave, which runs at once; orange: the last, if not full",
                                    "亮：第一个波次，同时运行；橙色：未满的末波"};
inline constexpr Text kSmOfFirst{"SM {}: blocks in the first wave: {}; room for {}",
                                 "SM {}：第一个波次有 {} 个线程块，可容纳 {} 个"};
inline constexpr Text kSmOfLast{"SM {}: blocks in the last wave: {}; room for {}",
                                "SM {}：最后一个波次有 {} 个线程块，可容纳 {} 个"};
inline constexpr Text kHowWaves{
    "As many blocks at once as occupancy allows on all SMs, in the order of their numbers: what comes of it while all "
    "take the same time. What a wave reads, or one turn of blocks that stay: the program's own addresses, each byte "
    "once, and once a block.",
    "同时执行的线程块数由占用率和 SM 数得出，按编号顺序发放；各线程块用时相同时即为波次。"
    "波次（或常驻线程块的一轮）所读取的数据按程序的地址计算：每字节一次，以及每个线程块一次。"};
inline constexpr Text kWavesAtMost{"At most so many at once: registers are known once it is compiled.",
                                   "尚未编译：寄存器未知，同时数为上限。"};
// Whether what is read fits in L2: the last value of kWaveReads and kTurnsRead.
inline constexpr Text kYes{"yes", "可全部放入 L2"};
inline constexpr Text kNo{"no", "不能全部放入 L2"};
inline constexpr Text kWavesUnknown{"What a wave reads isn't known: {}", "无法得知一个波次读取的数据：{}"};
inline constexpr Text kNoWaves{"No waves: {}", "没有波次：{}"};
/// The elements from one row to the next, the same in bytes with their unit, and the ways of the bank conflict.
inline constexpr Text kPadded{"with rows {} elements ({}) apart: {} ways", "行距为 {} 个元素（{}）时：{} 路"};
inline constexpr Text kPaddedFree{"with rows {} elements ({}) apart: no conflict", "行距为 {} 个元素（{}）时：无冲突"};
/// In these three, the first {} is the name of the buffer or block.
inline constexpr Text kConflictsElsewhere{"▲ {}: bank conflicts, {} ways", "▲ {}：{} 路 bank 冲突"};
inline constexpr Text kScatteredElsewhere{"▲ {}: {} sectors where {} would do", "▲ {}：{} 个扇区，最少 {} 个"};
inline constexpr Text kIdleElsewhere{"▲ {}: {} of 32 lanes work", "▲ {}：32 个 lane 中 {} 个工作"};
inline constexpr Text kElsewhereHelp{
    "The statement whose lanes cost the most, by where they lie in memory or stand idle. Click: show it.",
    "因各 lane 的访存位置或空闲而代价最大的语句。单击：查看。"};
/// Over small pictures of the other buffers that the statement's block of the program accesses; its name.
inline constexpr Text kOthersOf{"What else {} touches", "{} 还访问的缓冲区"};
/// Behind the name of such a buffer.
inline constexpr Text kReadBuffer{"read", "读取"};
inline constexpr Text kWrittenBuffer{"written", "写入"};
inline constexpr Text kOtherHelp{"Click: look at this buffer.", "单击：查看这个缓冲区。"};
inline constexpr Text kPadNoHelp{"No row padding that keeps all accesses aligned helps here.",
                                 "在保持访存对齐的前提下，行填充在此没有改善。"};
inline constexpr Text kPad{"Pad the rows", "应用行填充"};
inline constexpr Text kSwizzledFree{"with the pieces of a row swizzled ({} B): no conflict",
                                    "行内交错（{} B）后：无冲突"};
inline constexpr Text kSwizzledWays{"with the pieces of a row swizzled ({} B): {} ways", "行内交错（{} B）后：{} 路"};
inline constexpr Text kPlainFree{"without the swizzle ({} B): no conflict either", "不交错（{} B）时：同样无冲突"};
inline constexpr Text kPlainWays{"without the swizzle ({} B): {} ways", "不交错（{} B）时：{} 路"};
inline constexpr Text kSwizzle{"Swizzle the rows", "应用交错"};
inline constexpr Text kSwizzleNote{"16-byte pieces of each row change places by the row's number; nothing is padded.",
                                   "每行的 16 字节片按行号互换位置；不占用填充空间。"};
/// Below the picture of the banks, for ldmatrix.
inline constexpr Text kRowLanes{"numbers: the lane that gives the row's address; a row takes four banks",
                                "数字：给出该行地址的 lane；一行占四个 bank"};
// How the blocks are arranged in the picture of the grid.
inline constexpr Text kByResult{"each where its part of the result lies", "按各自结果所在的位置排列"};
inline constexpr Text kByResultInTurn{"in the order of their parts of the result", "按各自结果的次序排列"};
inline constexpr Text kByNumber{"in the order of their numbers", "按编号排列"};
// The picture of the chosen block's warps: its heading with the block's number, and the line below it: kBlockOf if all
// warps are full (kWarpgroups if the picture has a row for each warpgroup), else kBlockPartly.
inline constexpr Text kBlockHead{"Block {}", "线程块 {}"};
inline constexpr Text kBlockOf{"warps of 32 threads: {}", "{} 个线程束，每个 32 线程"};
inline constexpr Text kBlockPartly{"threads: {}, warps: {}", "{} 个线程，{} 个线程束"};
/// Over the picture of the chosen warp's lanes.
inline constexpr Text kActive{"Warp {}: {} of 32 lanes take part", "线程束 {}：32 个 lane 中 {} 个参与"};
/// A buffer's name, its rows and its columns.
inline constexpr Text kTouched{"{} {} × {}", "{} {} × {}"};
/// {0} the buffer's name, {1} the number of fragments or sums, {2} rows and {3} columns of each.
inline constexpr Text kTouchedFragments{"{0}: fragments of {2} × {3}: {1}", "{0}：{2} × {3} 片段 {1} 个"};
inline constexpr Text kTouchedSums{"{0}: sums of {2} × {3}: {1}", "{0}：{2} × {3} 累加分块 {1} 个"};
inline constexpr Text kSumsOf{"sums touched, each warpgroup's own:", "访问的累加分块（每个 warpgroup 各有自己的）："};
/// Behind kTouched, if the elements from one row to the next in memory are more than the columns.
inline constexpr Text kPitch{"pitch {}", "行距 {}"};
inline constexpr Text kElementsOf{"elements touched:", "访问的元素数："};
inline constexpr Text kFragmentsOf{"fragments touched, each warp's own:", "访问的片段数（每个线程束各有自己的）："};
// The lines below kElementsOf, kFragmentsOf or kSumsOf: the number of the block, warp or lane, and how many elements,
// fragments or sums it touches.
inline constexpr Text kOfTheBlock{"block {}: {}", "线程块 {}：{}"};
inline constexpr Text kOfTheWarp{"warp {}: {}", "线程束 {}：{}"};
inline constexpr Text kOfTheLane{"lane {}: {}", "lane {}：{}"};
/// Below the picture of a buffer's elements, if a cell stands for several.
inline constexpr Text kCell{"a cell is {} × {} elements, coloured if any of them is touched",
                            "一格为 {} × {} 个元素，其中任一被访问即着色"};
// Row and column of an element, how many blocks touch it, and how many threads (of a tile: warps) in all.
inline constexpr Text kOwners{"[{}, {}]: touched by blocks: {}, threads: {}", "[{}, {}] 被 {} 个线程块、{} 个线程访问"};
inline constexpr Text kOwnersOfTile{"[{}, {}]: touched by blocks: {}, warps: {}",
                                    "[{}, {}] 被 {} 个线程块、{} 个线程束访问"};
inline constexpr Text kOwnersMore{"[{}, {}] is touched by more than {} threads", "[{}, {}] 被超过 {} 个线程访问"};
// The choice of what the picture of a buffer's elements shows: who accesses each, or how often a scope does.
inline constexpr Text kWhoTouches{"who touches them", "由谁访问"};
/// One of the four texts after it.
inline constexpr Text kHowOften{"how often: {}", "访问次数：{}"};
inline constexpr Text kScopeLane{"lane {}", "lane {}"};
inline constexpr Text kScopeWarp{"warp {}", "线程束 {}"};
inline constexpr Text kScopeBlock{"block {}", "线程块 {}"};
inline constexpr Text kScopeGrid{"the grid", "整个网格"};
inline constexpr Text kElements{"elements: {}", "{} 个元素"};
inline constexpr Text kFragments{"fragments: {}", "{} 个片段"};
// kElements or kFragments, and how often each of these is touched.
inline constexpr Text kTouchedEven{"{}, touched {} × each over the kernel", "{}，整个核函数中各访问 {} 次"};
inline constexpr Text kTouchedUneven{"{}, touched {} to {} × over the kernel, {} in the mean",
                                     "{}，整个核函数中访问 {} 至 {} 次，平均 {} 次"};
inline constexpr Text kTouchedTogether{"{} lanes at once on one element", "同一元素同时有 {} 个 lane 访问"};
inline constexpr Text kTouchedOnce{"nothing is touched again", "没有重复访问"};
// A loop, how often its later iterations touch elements again, and the bytes touched in between.
inline constexpr Text kAgainBy{"{} touches again {} ×", "{} 重复访问 {} 次"};
inline constexpr Text kAgainAfter{"{} touches again {} ×, after {} of others", "{} 重复访问 {} 次，其间访问其他 {}"};
inline constexpr Text kTouchesAtMost{"At most: a condition depends on memory.", "为上限：有条件依赖内存。"};
inline constexpr Text kPickElement{"Click an element or write its row and column: who touches it",
                                   "点击元素或输入行列号，查看谁访问它"};
inline constexpr Text kPickFragment{"Click a fragment or write its row and column: who touches it",
                                    "点击片段或输入行列号，查看谁访问它"};
inline constexpr Text kElementHint{"Row and column of an element, \"5, 77\"", "元素的行和列，如“5, 77”"};
inline constexpr Text kNoElement{"A row from 0 to {} and a column from 0 to {}, please.",
                                 "请写 0 到 {} 的行和 0 到 {} 的列。"};
inline constexpr Text kOwner{"block {}, warp {}, lane {}", "线程块 {}，线程束 {}，lane {}"};
inline constexpr Text kOwnerWarp{"block {}, warp {}", "线程块 {}，线程束 {}"};
// The button below a part of the list of an element's owners, which shows the next part: how many are left; if that
// isn't known, a lower bound; at the list's end, kOwnersFirst.
inline constexpr Text kOwnersRest{"… and {} more", "……另有 {} 个"};
inline constexpr Text kOwnersRestMore{"… and more than {} more", "……另有超过 {} 个"};
inline constexpr Text kOwnersFirst{"the first again", "回到最前"};
inline constexpr Text kOwnersRestHint{"Shows the next ones.", "显示接下来的。"};
inline constexpr Text kOwnersFramed{"framed in the pictures of grid and block", "在网格和线程块的图中加框"};
inline constexpr Text kLanesOf{"One execution by the warp", "线程束的一次执行"};
/// A lane, and the elements that it touches, or its registers with the elements that each holds.
inline constexpr Text kLaneTouches{"lane {}: {}", "lane {}：{}"};
inline constexpr Text kFragment{"Tile of {} × {} in registers", "寄存器中的 {} × {} 分块"};
inline constexpr Text kMatrices{"Matrices of {} × {} in registers: {}", "寄存器中的 {} × {} 矩阵：{} 个"};
inline constexpr Text kOwnFragment{"the statement's own layout", "语句自身的布局"};
inline constexpr Text kLayoutHint{
    "Whose layout is drawn: that of this statement's tile, or one to hold against it: of the PTX ISA's tables, or of "
    "wmma as the device that the model answers for has it.",
    "画的是哪种布局：本语句分块的布局，或用来对照的布局：PTX ISA 的表格，或模型所用设备上的 wmma。"};
inline constexpr Text kProbing{"looking at the machine code of a probe kernel…", "正在查看探测核函数的机器码……"};
// The choice of what the numbers in the picture of a fragment mean.
inline constexpr Text kByLane{"lanes", "lane"};
inline constexpr Text kByLaneHint{"A cell's number: the lane that holds the element.",
                                  "格中的数字：持有该元素的 lane。"};
inline constexpr Text kByRegister{"registers", "寄存器"};
inline constexpr Text kByRegisterHint{
    "A cell's number: which of the lane's registers of this fragment holds the element; with a line below it, in the "
    "high half; of 8-bit elements the line is the longer the higher the byte.",
    "格中的数字：该元素在 lane 的第几个片段寄存器中；带下划线者在高 16 位；8 位元素的线越长，字节越高。"};
// A lane, the number of its register, and the element that this register or a part of it holds.
inline constexpr Text kHeldBy{"lane {}, R{}: {}", "lane {}，R{}：{}"};
inline constexpr Text kHeldLow{"lane {}, R{} low half: {}", "lane {}，R{} 低 16 位：{}"};
inline constexpr Text kHeldHigh{"lane {}, R{} high half: {}", "lane {}，R{} 高 16 位：{}"};
inline constexpr Text kHeldByte{"lane {}, R{} byte {}: {}", "lane {}，R{} 第 {} 字节：{}"};
/// Over each matrix in the picture of ldmatrix, and in names of its elements.
inline constexpr Text kMatrix{"matrix {}", "矩阵 {}"};
inline constexpr Text kRowOf{"lane {} gives the row's address", "该行的地址由 lane {} 给出"};
inline constexpr Text kGivesAddress{"lane {} gives the address of matrix {}, row {}: 16 bytes of shared memory",
                                    "lane {} 给出矩阵 {} 第 {} 行的地址：共享内存的 16 字节"};
inline constexpr Text kAddressesLeft{"left of each row: the lane that gives its address",
                                     "每行左侧：给出该行地址的 lane"};
inline constexpr Text kPtxSection{"PTX ISA, “{}”", "PTX ISA，“{}”"};
/// A list of opcodes with their numbers, "8 × LDSM"; and then the PTX instruction that none of them comes from.
inline constexpr Text kMatrixCode{"in this kernel's machine code: {}", "本核函数的机器码中：{}"};
inline constexpr Text kNoneOfThem{"; none of them is {}", "；其中没有 {}"};
inline constexpr Text kNoMatrixCode{"this kernel's machine code has neither ldmatrix nor tensor core instructions",
                                    "本核函数的机器码中既无 ldmatrix，也无张量核心指令"};
inline constexpr Text kSectors{"Sectors: {} moved, {} at least: 100 % of the bytes used",
                               "传输 {} 个扇区（最少 {} 个），字节利用率 100 %"};
/// Sectors that the request moves, bytes that it uses of them, the least number of sectors that would do.
inline constexpr Text kSectorsPartly{"Sectors: {} moved for {}, {} at least: {} % of the bytes used",
                                     "为 {1} 数据传输 {0} 个扇区（最少 {2} 个），字节利用率 {3} %"};
inline constexpr Text kSectorLines{"a row is a 128-byte line of {}, a box a 32-byte sector, its numbers lanes",
                                   "每行：{} 的 128 字节；每格：32 字节扇区；数字：lane"};
inline constexpr Text kMoreLines{"further lines: {}", "还有 {} 行"};
/// In these two and in `kSectorLines`, the first {} is the buffer's name.
inline constexpr Text kBanksFree{"{}: no bank conflict", "{}：无 bank 冲突"};
inline constexpr Text kBanks{"{}: {}-way bank conflict", "{}：{} 路 bank 冲突"};
inline constexpr Text kWavefronts{"wavefronts: {}, at best {}; request 1 of {}",
                                  "{} 个波前，最少 {} 个；{} 个请求中的第 1 个"};
inline constexpr Text kBankAxis{"across: banks 0 to 31; down: wavefronts, a clock each",
                                "横向：bank 0 至 31；纵向：逐个波前，各一周期"};
inline constexpr Text kBankRed{"; red: wavefronts that the conflict adds", "；红色：因冲突多出的波前"};
/// The lanes that are served together, the number of the wavefront and how many these lanes take, how many banks work
/// in it; the number of a bank, and how many different words it has to deliver to these lanes.
inline constexpr Text kWavefrontHint{"lanes {}: wavefront {} of {}, {} banks at work\nbank {}: different words: {}",
                                     "lane {}：第 {} 个波前，共 {} 个，{} 个 bank 工作\nbank {}：不同的字 {} 个"};
/// Beside the row of lanes over the picture of the banks.
inline constexpr Text kLanesAxis{"lane", "lane"};
inline constexpr Text kReplayHint{"wavefronts of this request: {}; step through them",
                                  "本次请求的波前：{} 个；可逐个查看"};
inline constexpr Text kOneWavefront{"one wavefront serves all lanes of this request",
                                    "本次请求的所有 lane 由一个波前完成"};
/// The number of the wavefront, how many there are, and the numbers of lanes and of banks as ranges, "0–7, 16".
inline constexpr Text kWavefrontNow{"wavefront {} of {}; lanes: {}; banks: {}",
                                    "第 {} 个波前，共 {} 个：lane {}，bank {}"};
inline constexpr Text kWavefrontRows{"wavefront {} of {}; rows of lanes: {}; banks: {}",
                                     "第 {} 个波前，共 {} 个：lane {} 的行，bank {}"};
inline constexpr Text kWaveBack{"The wavefront before", "上一个波前"};
inline constexpr Text kWaveForward{"The next wavefront", "下一个波前"};
inline constexpr Text kWaveOrder{
    "How many wavefronts there are follows from the addresses. Which word of a bank goes first isn't published: here "
    "the "
    "lowest address does.",
    "波前的个数由地址决定。同一 bank 中哪个字先行并未公布：这里按地址由低到高。"};
inline constexpr Text kLaneServed{"lane {}; wavefronts: {}", "lane {}：第 {} 个波前"};
inline constexpr Text kLaneIdle{"lane {} takes no part", "lane {} 不参与"};
inline constexpr Text kInWarpgroup{"The sum lies in the registers of a warpgroup's 128 threads: no traffic.",
                                   "累加结果存于 warpgroup 128 个线程的寄存器：没有访存。"};
inline constexpr Text kWarpgroups{"warps of 32 threads: {}; a row is a warpgroup",
                                  "{} 个线程束，每个 32 线程；每行一个 warpgroup"};
inline constexpr Text kWarpgroupSum{"Sum of {} × {} in a warpgroup's registers",
                                    "warpgroup 寄存器中的 {} × {} 累加分块"};
inline constexpr Text kBandRows{"warp {} of the group: rows {}–{}", "组内线程束 {}：第 {}–{} 行"};
inline constexpr Text kBandsHint{"Which rows of the sum a warp's registers hold. Click a warp.",
                                 "每个线程束的寄存器持有累加分块的哪些行。可单击选择线程束。"};
inline constexpr Text kColumnsAgain{"columns 0–{0}; the same again for each further {1}, {2} registers on: R0–R{3}",
                                    "列 0–{0}；之后每 {1} 列相同，寄存器号加 {2}：R0–R{3}"};
inline constexpr Text kBoxGlobal{
    "One thread asks the copy engine (TMA) for a box of {} × {} elements; no lane's registers see them.",
    "一个线程向拷贝引擎（TMA）请求 {} × {} 个元素的 box；数据不经过任何 lane 的寄存器。"};
/// In these two, in `kLocal`, `kNotByThreads` and `kRequestUnknown`, the buffer's name.
inline constexpr Text kDescriptor{"{}: tensor cores read it by a descriptor", "{}：张量核心按描述符读取"};
inline constexpr Text kBoxShared{"{}: the copy engine moves it by swizzled lines", "{}：拷贝引擎按交错的行传输"};
inline constexpr Text kStart{"begins at byte {}", "起始字节 {}"};
inline constexpr Text kStartHint{
    "Of the block's shared memory, with the chosen iterations. Descriptor: bits 0–13, "
    "without the last four bits.",
    "在线程块的共享内存中（按所选迭代）。描述符第 0–13 位，去掉末四位。"};
inline constexpr Text kGroupOf8{"8 lines on: +{} B", "每 8 行：+{} B"};
inline constexpr Text kGroupHint{
    "From eight lines to the next eight: 8 × the line. Descriptor: bits 32–45, in units of 16 B.",
    "从 8 行到下 8 行：8 × 行长。描述符第 32–45 位，单位 16 B。"};
inline constexpr Text kSlabOf{"next slab: +{} B", "下一段：+{} B"};
inline constexpr Text kSlabHint{
    "The tile is wider than a line: it lies in slabs. Descriptor: bits 16–29, in units of 16 B.",
    "分块比一行宽，分成若干段存放。描述符第 16–29 位，单位 16 B。"};
inline constexpr Text kSpanOf{"swizzle: {} B", "交错：{} B"};
inline constexpr Text kSpanHint{"Lines of so many bytes, whose 16-byte pieces change places. Descriptor: bits 62–63.",
                                "行长为此字节数，其 16 字节片互换位置。描述符第 62–63 位。"};
// The picture of swizzled lines: the head of the column with the lines' numbers, and the text below the picture.
inline constexpr Text kLinesHead{"line", "行"};
inline constexpr Text kLinesNote{
    "The first 1 KiB, 128 B a row; above: the first of four banks; a number: which 16 bytes of the line lie there; "
    "filled: of this tile.",
    "前 1 KiB，每行 128 B；上方：四个 bank 中的第一个；数字：该处是行内第几个 16 字节片；着色：属于本分块。"};
inline constexpr Text kPieceHint{"line {}, its 16 bytes number {}: banks {}–{}",
                                 "第 {} 行的第 {} 个 16 字节片：bank {}–{}"};
/// `kNoConflict` or `kWaysBrief`, twice.
inline constexpr Text kWaysOfLines{"The same 16 bytes of 8 lines, taken at once: {}; unswizzled {}.",
                                   "一次取 8 行的同一 16 字节片：{}；若不交错则 {}。"};
inline constexpr Text kNoConflict{"no bank conflict", "无 bank 冲突"};
inline constexpr Text kWaysBrief{"{}-way conflict", "{} 路冲突"};
inline constexpr Text kLocal{"Each thread has {} of its own: no traffic.", "每个线程各有自己的 {}：没有访存。"};
inline constexpr Text kNotByThreads{"No thread accesses {} itself: hardware beside the threads does.",
                                    "没有线程自己访问 {}：由线程以外的硬件访问。"};
inline constexpr Text kNoLane{"No lane of warp {} takes part: it asks for nothing.",
                              "线程束 {} 没有 lane 参与：不发出请求。"};
inline constexpr Text kRequestUnknown{"It is not known where in {} the warp accesses: its addresses can't be computed.",
                                      "无法得知线程束访问 {} 的位置：其地址无法计算。"};
inline constexpr Text kInFragment{"A fragment lies in the registers of its warp's 32 lanes: no traffic.",
                                  "片段由线程束的 32 个 lane 共同存于寄存器：没有访存。"};
inline constexpr Text kUnknown{"It is not known which elements: {}", "无法得知具体元素：{}"};
inline constexpr Text kGuardUnknown{"A guard depends on memory; it is taken to hold.", "条件依赖内存，按成立处理。"};
// While two states are compared: the number of the other state, and what the same statement costs in it.
inline constexpr Text kOtherBanks{"state {}: ways: {}, wavefronts: {}", "状态 {}：{} 路，{} 个波前"};
inline constexpr Text kOtherSectors{"state {}: sectors: {} moved, {} at least", "状态 {}：传输 {} 个扇区，最少 {} 个"};
inline constexpr Text kNotInOther{"state {} has no such statement", "状态 {} 没有这条语句"};

inline constexpr PanelHelp kHelp{
    {"Who computes what: the grid of blocks, the warps of one block, the lanes of one warp, and the elements that "
     "the chosen one touches in one statement. Below: what a request of that warp costs, as sectors of global "
     "memory "
     "or as the 32 banks of shared memory.",
     "谁计算什么：网格中的线程块、一个线程块的线程束、一个线程束的 lane，以及被选中者在一条语句中访问的元素。"
     "下面是该线程束一次请求的代价：全局内存的扇区，或共享内存的 32 个 bank。"},
    {"Darker to lighter: touched by the block, by the warp, by the lane; or, of whom one chooses, the fuller the "
     "more "
     "often touched. A bank in red is asked for more than once "
     "in a pass: a conflict of that many ways. Of ldmatrix each row is "
     "named by its lane; below, the same read with the rows swizzled, or without. In the grid the row and the column "
     "of the chosen block are lighter: "
     "these "
     "blocks share operands with it. Of several waves the first one is lit instead.",
     "由暗到亮：被线程块、线程束、lane 访问的元素；或按所选范围，颜色越满访问次数越多。红色的 bank 在一遍中被多次请"
     "求，即多路冲突。ldmatrix 的每一行标有给出地址的 "
     "lane；下方是同一读取在交错（或不交错）时的情形。网格中与所选线程块同行、同列的较亮：它们与它共用操作数；有多个波"
     "次时则点亮第一个波次。"},
    {"By evaluating the addresses of the warp's 32 lanes in the program as written; fragments by the PTX tables or "
     "a "
     "probe of the architecture.",
     "按程序所写对线程束 32 个 lane 的地址求值；片段的分布来自 PTX 表或对该架构的探测。"},
    {"Choose statement, block, warp, lane and loop values above, or click in the pictures. Click an element or "
     "write "
     "its row and column: its owners. < and > go through the wavefronts of a request.",
     "在上方选择语句、线程块、线程束、lane 和循环值，或在图中单击。单击元素或写出其行列，可查看它的所有者。"
     "< 和 > 逐个查看一次请求的波前。"}};

}  // namespace loom::text::binding

#pragma once

#include "app/text/text.h"

/// Texts of advice on software pipelines: how many clocks of the copies nothing hides, and what a proposed step does
/// about it. A turn is an iteration of the loop over k, a slot is one of the buffers that turns use one after another.
/// Placeholders stand for numbers; of kSharedCost, for bytes with their unit, before and after the step.
namespace loom::text::advice {

/// Texts on how far a kernel's copies overlap with its products.
struct PipelineWords {
  /// model::Advice::subject, which says how copies overlap with products: "turns" (not at all), "registers" (through
  /// registers), "ring" (asynchronously) or "passing" (so that they arrive in time, and only their number costs time).
  const char* subject;
  /// Whether copies are exposed, for {0} of the {1} clocks of a k step, or hidden for nearly all; and what helps.
  Text exposed, covered, help;
};
inline constexpr PipelineWords kPipelines[] = {
    {"turns",
     {"Copies and products take turns: for {0} of the {1} clocks of a k step nothing hides the copies",
      "拷贝与乘法轮流进行：一个 k 步的 {1} 个周期中，有 {0} 个周期的拷贝没有其他工作掩盖"},
     {"Copies and products take turns; other blocks of the SM hide the copies",
      "拷贝与乘法轮流进行；拷贝被同一 SM 上的其他线程块掩盖"},
     {"A software pipeline copies the next tile while this one is multiplied: software_pipeline_stage and "
      "software_pipeline_order on the loop over k.",
      "软件流水线在计算当前分块的同时拷贝下一个分块：给 k 循环加注解 software_pipeline_stage 和 "
      "software_pipeline_order。"}},
    {"registers",
     {"Copies run ahead through registers: for {0} of the {1} clocks of a k step nothing hides them",
      "拷贝经寄存器提前进行：一个 k 步的 {1} 个周期中，有 {0} 个周期的拷贝没有其他工作掩盖"},
     {"Copies run ahead through registers, hidden by products", "拷贝经寄存器提前进行，被乘法掩盖"},
     {"Asynchronous copies need no registers, and no thread waits between load and store: "
      "software_pipeline_async_stages.",
      "异步拷贝不占寄存器，线程也不必在加载与存储之间等待：software_pipeline_async_stages。"}},
    {"ring",
     {"Asynchronous copies: for {0} of the {1} clocks of a k step nothing hides them",
      "异步拷贝：一个 k 步的 {1} 个周期中，有 {0} 个周期的拷贝没有其他工作掩盖"},
     {"Asynchronous copies are hidden by products", "异步拷贝被乘法掩盖"},
     {"A further slot of shared memory gives copies a turn more to arrive; what is left is instructions and reads of "
      "shared memory.",
      "共享内存中多一个槽位，拷贝便多一轮时间到达；其余时间花在指令与共享内存读取上。"}},
    {"passing",
     {"Asynchronous copies arrive in time, but for {0} of the {1} clocks of a k step their bytes pass through L1 and "
      "nothing hides that",
      "异步拷贝按时到达，但一个 k 步的 {1} 个周期中，有 {0} 个周期其数据经过 L1，没有其他工作掩盖"},
     {"Asynchronous copies arrive in time, and products hide them", "异步拷贝按时到达，并被乘法掩盖"},
     {"A further slot changes little: it gives time to arrive, not fewer bytes. A larger tile copies fewer for each "
      "product; fewer barriers and instructions help, too: products first, and an iteration of as many turns as there "
      "are slots.",
      "多一个槽位作用不大：它只给拷贝更多到达时间，并不减少数据。更大的分块使每次乘法的拷贝更少；减少屏障与指令也有帮"
      "助：先乘后拷，并且一次迭代所做的轮数与槽位数相同。"}}};
/// Stand behind PipelineWords::help, or in its place if copies run through registers: why they aren't asynchronous yet.
inline constexpr Text kOddCopy{
    "No asynchronous copy yet: a thread copies {0} bytes at once, and GPUs copy 4, 8 or 16 past registers: vectorize "
    "the copy's innermost loop.",
    "尚不能异步拷贝：一个线程一次拷贝 {0} 字节，而 GPU 绕过寄存器时每次拷贝 4、8 或 16 字节：对拷贝的最内层循环用 "
    "vectorize。"};
inline constexpr Text kNoAsync{"No asynchronous copies on this device: cp.async is there since sm_80.",
                               "此设备没有异步拷贝：cp.async 自 sm_80 起才有。"};

/// What a proposed step does, a sentence for each of its moves, in the order of tune::PipelineMove.
inline constexpr Text kMoves[] = {
    {"A software pipeline: each turn copies the tile of a later iteration while it multiplies that of its own.",
     "软件流水线：每一轮在计算自己那个分块的同时，拷贝后面迭代的分块。"},
    {"Threads only start a copy (cp.async) and wait for it a turn later: no registers hold it, no instruction stores "
     "it.",
     "线程只启动拷贝（cp.async），下一轮才等待它：不用寄存器暂存，也不用指令写入共享内存。"},
    {"One more tile is on its way at a time, so that a copy may take a turn longer.",
     "同时在途的分块多一个，一次拷贝可以多用一轮时间。"},
    {"A turn begins with the products: what its copies overwrite was read before its one barrier.",
     "每一轮先做乘法：拷贝要覆盖的数据在该轮唯一的屏障之前已读完。"},
    {"The operands of the next products are read from shared memory while these are computed: registers for two.",
     "在计算当前乘法的同时，从共享内存读取下一次乘法的操作数：寄存器要存两份。"},
    {"One iteration does as many turns as there are slots, so that each turn's slot is a constant and takes no "
     "instructions: more code, perhaps more registers.",
     "一次迭代做与槽位数相同的轮数，每轮所用槽位成为常数，不再用指令计算：代码更长，寄存器可能更多。"},
    {"The 16-byte pieces of a row change places with each other: all banks are reached without padding.",
     "一行中的 16 字节单元互换位置：不用填充也能用到所有 bank。"},
    {"It is known which lane holds which element, so that the compiler places loads between products as it likes, and "
     "rows may be swizzled.",
     "哪个 lane 持有哪个元素是已知的，编译器可以自由地把加载穿插在乘法之间，行也可以 swizzle。"},
    {"Two blocks have a tile twice as large, and half of k each: they read less, and sum what both keep in shared "
     "memory.",
     "两个线程块共有大一倍的分块，各做 k 的一半：读得更少，再把双方共享内存中的部分相加。"},
    {"Another number of tiles is on its way or used at a time.", "同时在途或在用的分块数不同。"},
    {"The copy engine brings whole boxes to shared memory, tensor cores take both factors from there, and a warpgroup "
     "holds the sum.",
     "拷贝引擎把矩形区域整个送入共享内存，张量核心从那里读取两个因子，warpgroup 保存和。"},
    {"The next products begin while the last ones are on their way; at 0, each group is waited for.",
     "前一组乘积仍在途时下一组就开始；为 0 时每组都要等待。"},
    {"Warps that do nothing else ask for copies as soon as a slot is free.", "专门的线程束在槽位空出时立即发起拷贝。"},
    {"A tile of other rows, columns or steps along k: what is read for a product, and how tiles fill waves of SMs.",
     "分块的行数、列数或沿 k 的步数不同：改变每个乘积的读取量，以及分块填满 SM 各波的程度。"},
    {"Warps that load need few registers: those that multiply take them.",
     "负责加载的线程束只需少量寄存器，其余让给做乘法的线程束。"},
    {"As many blocks as SMs stay and take one tile after another, and load the next one while this one's sums are "
     "stored.",
     "与 SM 数相同的线程块常驻，逐个处理分块，在写出当前分块的和时加载下一个。"},
    {"Tiles run in an order in which neighbours share rows and columns in the L2 cache.",
     "分块按相邻者在 L2 缓存中共用行与列的次序执行。"},
    {"Sums go to shared memory in whole slabs, and the copy engine stores those while threads go on.",
     "和分段进入共享内存，由拷贝引擎写出，线程同时继续工作。"},
    {"Two warpgroups each multiply tiles of their own: while one stores its sums, tensor cores have the other's "
     "products.",
     "两个 warpgroup 各自计算自己的分块：一个写出和时，张量核心计算另一个的乘积。"},
    {"One thread asks for a block's first tiles before the threads of the block meet.",
     "在线程块的线程会合之前，由一个线程请求首批分块。"},
    {"Two neighbours run together, each asks for half of a tile that both need, and both get all of it: L2 is asked "
     "half "
     "as often. A slot is free when both have read it.",
     "两个相邻的线程块同时运行，各请求共用分块的一半，两者都得到全部：L2 缓存被请求的次数减半。两者都读完，槽才空出来"
     "。"},
};
/// The help of the advice with the code "warpgroups", in place of PipelineWords::help.
inline constexpr Text kWarpgroupsHelp{
    "A schedule from the plain program on, by the rule for warpgroups, which the panel Plan shows: each of its "
    "decisions "
    "is tried with the values next to it, everything else kept.",
    "由 warpgroup 规则（见“计划”面板）从原程序开始构造的调度：逐个尝试每个决定的相邻取值，其余不变。"};

/// Parts of a line on what a proposed step costs; each stands only if the number changes.
inline constexpr Text kSharedCost{"shared memory of a block {0} → {1}", "每线程块共享内存 {0} → {1}"};
inline constexpr Text kRegisterCost{"registers of a thread {0} → {1}", "每线程寄存器 {0} → {1}"};
/// A part of the same line: the number of slots with the step, if there are several.
inline constexpr Text kSlotCount{"{} slots", "{} 个槽位"};
/// Stands behind the first step lines of a long step.
inline constexpr Text kMoreLines{"… further lines: {}", "……另有 {} 行"};

}  // namespace loom::text::advice

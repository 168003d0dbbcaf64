#pragma once

#include <string_view>

#include "app/text/text.h"

/// The texts of the page Stalls of the panel Performance: the stall reasons that Nsight Compute samples, what each
/// means and what helps against it. They follow NVIDIA's Nsight Compute documentation (Profiling Guide, "Warp Stall
/// Reasons").
namespace loom::text::stalls {

/// The texts on one stall reason.
struct Reason {
  std::string_view name;  ///< as in profile::stallReasons()
  Text means;             ///< what a warp waits for
  Text helps;             ///< what helps against it, with the primitives that do so
};

inline constexpr Reason kReasons[] = {
    {"selected",
     {"Not a stall: the scheduler took this warp, and it issued.", "不是停顿：调度器选中了这个线程束，它正在发射。"},
     {"Nothing: the larger its share, the better.", "无需处理：占比越大越好。"}},
    {"not selected",
     {"Could have issued, but the scheduler took another warp.", "本可发射，但调度器选了另一个线程束。"},
     {"Warps enough: there is room for larger tiles a thread (split), even at the price of fewer warps.",
      "线程束足够多：可以让每个线程负责更大的分块（split），即使线程束因此变少。"}},
    {"long scoreboard",
     {"Waits for data of a load from global or local memory: tens of clocks from L1, hundreds from further on. "
      "Waits at an mbarrier for the copy engine count here, too.",
      "等待从全局或局部内存加载的数据：L1 命中需数十个周期，否则数百个。在 mbarrier 处等待拷贝引擎也计入此项。"},
     {"Fetch once and reuse from shared memory (cache_read, compute_at); wider and adjacent accesses (vectorize, "
      "reorder); more loads in flight before the first use (unroll), or more warps.",
      "取一次，再从共享内存复用（cache_read、compute_at）；更宽且相邻的访问（vectorize、reorder）；在首次使用前"
      "发出更多加载（unroll），或增加线程束。"}},
    {"short scoreboard",
     {"Waits for a result of shared memory, of a special function or of another unit behind the memory input/output "
      "queue (MIO). Loads of global memory count as long scoreboard.",
      "等待共享内存、特殊函数或内存输入/输出（MIO）队列之后其他单元的结果。经 L1 的全局内存加载属于 long scoreboard。"},
     {"No bank conflicts (storage_align); each value read once into registers (cache_read to local or a fragment); "
      "more independent work between load and use (unroll).",
      "消除 bank 冲突（storage_align）；每个值只读取一次到寄存器（cache_read 到 local 或片段）；在加载与使用之间安排"
      "更多独立的工作（unroll）。"}},
    {"wait",
     {"Waits the fixed number of clocks that its last instruction takes, as the compiler noted in the code.",
      "等待前一条指令的固定周期数，由编译器写在指令里。"},
     {"Larger where everything else is good. More independent work a warp (a larger tile a thread, unroll), or more "
      "warps.",
      "其他方面都好时占比才大。让每个线程束有更多独立的工作（每线程更大的分块、unroll），或增加线程束。"}},
    {"barrier",
     {"Waits for the other warps of its block at a barrier.", "在屏障处等待同一线程块的其他线程束。"},
     {"Copies spread evenly over the threads (split, bind); fewer barriers, each with more work between (a larger k "
      "step); smaller blocks, several on a multiprocessor.",
      "把拷贝均匀分给各线程（split、bind）；减少屏障，使其间的工作更多（更大的 k 步）；更小的线程块，一个 SM "
      "上放几个。"}},
    {"math pipe throttle",
     {"Waits for the arithmetic unit that its next instruction needs, which is busy.",
      "等待下一条指令所需的运算单元，它正被占用。"},
     {"The unit is the limit. Another one with more throughput (tensorize), or fewer instructions for addresses "
      "(vectorize, unroll).",
      "该单元是瓶颈。换用吞吐量更高的单元（tensorize），或减少地址计算指令（vectorize、unroll）。"}},
    {"MIO throttle",
     {"The queue to shared memory, special functions and dynamic branches is full.",
      "通往共享内存、特殊函数与动态分支的队列已满。"},
     {"Fewer and wider accesses of shared memory (vectorize, tensorize: fragments are loaded at once); operands kept "
      "in "
      "registers (cache_read to local).",
      "更少、更宽的共享内存访问（vectorize；tensorize：片段一次加载）；把操作数留在寄存器（cache_read 到 local）。"}},
    {"LG throttle",
     {"The queue to L1 for local and global memory is full: too many accesses at once.",
      "通往 L1 的局部/全局内存队列已满：同时的访问太多。"},
     {"Fewer and wider accesses (vectorize); no spills; data shared by the block fetched once (cache_read).",
      "更少、更宽的访问（vectorize）；没有寄存器溢出；线程块共用的数据只取一次（cache_read）。"}},
    {"TEX throttle",
     {"The queue of L1 for textures is full.", "L1 的纹理队列已满。"},
     {"Fewer texture and surface accesses; the kernels here have none.",
      "减少纹理与表面访问；这里的核函数没有这类访问。"}},
    {"GMMA",
     {"Waits for warpgroup instructions of the tensor cores (wgmma, Hopper).",
      "等待张量核心的 warpgroup 指令（wgmma，Hopper）。"},
     {"The tensor cores are at work: larger tiles, or a second group of warps to copy meanwhile.",
      "张量核心正在工作：使用更大的分块，或由另一组线程束同时拷贝。"}},
    {"warpgroup arrive",
     {"Waits at a warpgroup's arrive or wait instruction (Hopper).",
      "在 warpgroup 的 arrive 或 wait 指令处等待（Hopper）。"},
     {"More products between two such waits.", "在两次等待之间安排更多乘积。"}},
    {"membar",
     {"Waits for a memory fence.", "等待内存栅栏。"},
     {"Fewer fences, and less written before each.", "减少栅栏，并减少其前的写入。"}},
    {"no instruction",
     {"Waits for its next instruction to be fetched: after a jump, or where code doesn't fit in the instruction cache.",
      "等待取下一条指令：跳转之后，或代码装不进指令缓存。"},
     {"Shorter code (unroll less); at the very beginning it is the first fetch, and short kernels show it.",
      "缩短代码（少用 unroll）；在最开头是首次取指，短的核函数会看到它。"}},
    {"branch resolving",
     {"Waits for a branch to find its target.", "等待分支确定目标。"},
     {"Fewer and longer trips of loops (split, unroll); no conditions within (tile sizes that divide the extents).",
      "循环趟数更少、每趟更长（split、unroll）；循环内没有条件（分块大小整除长度）。"}},
    {"IMC miss",
     {"Waits for a constant that isn't in the cache of immediate constants: the kernel's arguments, at first.",
      "等待不在立即常量缓存中的常量：开头时是核函数的参数。"},
     {"Nothing in a schedule; longer kernels feel it less.", "调度无法改变；核函数越长影响越小。"}},
    {"dispatch",
     {"The dispatcher held it back, for ports of the register file or other conflicts.",
      "派发器因寄存器堆端口等冲突而推迟了它。"},
     {"Nothing in a schedule is known to help.", "没有已知有效的调度手段。"}},
    {"drain",
     {"Has ended, but its last stores are still on their way.", "已结束，但最后的存储仍在途中。"},
     {"Wider, adjacent stores at the end (vectorize, cache_write, reverse_compute_at).",
      "末尾使用更宽且相邻的存储（vectorize、cache_write、reverse_compute_at）。"}},
    {"sleeping",
     {"All its threads were told to sleep (nanosleep).", "其全部线程在休眠（nanosleep）。"},
     {"The kernels here don't sleep.", "这里的核函数不休眠。"}},
    {"misc",
     {"Something else, which NVIDIA doesn't tell apart.", "NVIDIA 未加区分的其他原因。"},
     {"Nothing in a schedule is known to help.", "没有已知有效的调度手段。"}},
    {"other",
     {"Samples for which this ncu gives no reason known here.", "此版本 ncu 给出的、这里不认识的原因。"},
     {"Not known.", "未知。"}},
};

/// {0}: main reasons; {1}: samples; {2}: their origin; {3}: share without a stall.
inline constexpr Text kHead{"Stalls in {1} samples: none {3}, {0} · {2}", "停顿（{1} 个样本）：无停顿 {3}，{0} · {2}"};
/// The device, the profiler with its version, and the date; for kShippedOn, too.
inline constexpr Text kSampledOn{"sampled on {} by {}, {}", "由 {1} 采样于 {0}，{2}"};
inline constexpr Text kShippedOn{"recorded on {} by {}, {}", "由 {1} 记录于 {0}，{2}"};
inline constexpr Text kTitle{"Stalls", "停顿"};
inline constexpr Text kSample{"Sample stalls", "采样停顿"};
/// {}: the profiler.
inline constexpr Text kSampleWhat{
    "Runs the state's kernels under {} and shows, by instruction, by line and by reason, what its warps wait for. The "
    "second launch is profiled, with caches and clocks as they are. No time comes of it.",
    "在 {} 下运行此状态的核函数，并按指令、按行、按原因显示线程束在等待什么。采样第二次启动，缓存与时钟保持原样；"
    "不得到时间。"};
/// The reason; for kProblem, too.
inline constexpr Text kNoSampling{"No stalls are recorded for this state, and none can be sampled here: {}",
                                  "此状态没有停顿记录，此处也无法采样：{}"};
/// In place of kHead.
inline constexpr Text kNotSampled{"Stalls: not sampled", "停顿：未采样"};
inline constexpr Text kProblem{"No stalls: {}", "没有停顿：{}"};
inline constexpr Text kHowItIs{
    "Shares of the samples: at fixed intervals ncu looks at one warp of each sub-partition, at the instruction that it "
    "would issue next, and why it doesn't. None: the warp issued, or could have. A wait at a barrier may be told of a "
    "line beside it: machine code has another order.",
    "占全部样本的比例：ncu 按固定间隔查看每个子分区的一个线程束、它将发射的指令，以及未发射的原因。无停顿：正在发射或本"
    "可发射。屏障处的等待可能记在旁边的行上：机器码的顺序与源码不同。"};

// Texts of the column of stall samples beside code.
inline constexpr Text kColumnHead{"samples", "样本"};
inline constexpr Text kColumnWhat{
    "Share of the kernel's samples in which a warp stood before this, and the letters of what most of them waited for; "
    "the bar is in its colour. The hover says which.",
    "线程束停在此处的样本占核函数全部样本的比例，以及其中最多的等待原因的字母；横条为其颜色。悬停显示具体原因。"};
// The share of the samples, and their number.
inline constexpr Text kTip{"{} of the kernel's samples ({}) stand here:", "核函数 {} 的样本（{} 个）停在这里："};
/// The entry of the menu of a view of code that shows or hides this column.
inline constexpr Text kColumn{"What warps wait for", "线程束的等待"};

// Texts of the table of stall reasons.
inline constexpr Text kReasonHead{"waits for", "等待原因"};
inline constexpr Text kShareHead{"samples", "占样本"};
inline constexpr Text kUnissuedHead{"not issued", "未发射"};
inline constexpr Text kUnissuedWhat{
    "The share among samples of clocks in which the scheduler issued from no warp at all: stalls that no other warp "
    "hid.",
    "在调度器未从任何线程束发射的周期样本中的占比：没有其他线程束隐藏的停顿。"};
/// The head of the column of the state compared with, if there is one.
inline constexpr Text kOtherHead{"compared", "对比状态"};
inline constexpr Text kMeansHead{"what it means", "含义"};
/// The choice of what a second table lists the samples by.
inline constexpr Text kByLine{"by line", "按行"};
inline constexpr Text kByStep{"by step", "按步骤"};
inline constexpr Text kByLoop{"by loop of the machine code", "按机器码的循环"};
/// The head of the last column of that table, by line; then the rows for samples of no step and of no loop.
inline constexpr Text kWaitingLine{"CUDA line that waits", "等待的 CUDA 行"};
inline constexpr Text kNoStep{"no step by itself", "不属于任何步骤"};
inline constexpr Text kNoLoop{"outside of loops", "循环之外"};
/// {}: Reason::helps.
inline constexpr Text kHelps{"What helps: {}", "改善办法：{}"};

/// Returns the texts on the reason with this name; null: there is none.
constexpr const Reason* reasonOf(std::string_view name) {
  for (const Reason& r : kReasons)
    if (r.name == name) return &r;
  return nullptr;
}

}  // namespace loom::text::stalls

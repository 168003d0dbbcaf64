#pragma once

#include "app/text/help.h"

/// The words of the panel Barriers.
namespace loom::text::barriers {

inline constexpr Text kTitle{"Barriers", "屏障"};
inline constexpr Text kNone{"No thread of this kernel waits for others.", "这个核函数中没有线程等待其他线程。"};
inline constexpr Text kMbarriersAlone{
    "No barrier at which all threads of a block wait. Warps wait for slots at mbarriers: Memory hierarchy lists them, "
    "Playback has who waits when.",
    "没有让线程块内全部线程等待的屏障。线程束在 mbarrier 上等待槽：“存储层次”列出它们，“执行回放”显示谁在何时等待。"};
inline constexpr Text kLine{"CUDA line", "CUDA 行"};
inline constexpr Text kPerBlock{"per block", "每线程块"};
inline constexpr Text kOrders{"what it keeps in order", "保证的先后次序"};
inline constexpr Text kAtMost{"at most {}", "至多 {}"};
inline constexpr Text kVaries{"varies", "不定"};
inline constexpr Text kReadAfterWrite{"{}: written before by {}, read after by {}",
                                      "{}：之前由 {} 写入，之后由 {} 读取"};
inline constexpr Text kWriteAfterRead{"{}: read before by {}, overwritten after by {}",
                                      "{}：之前由 {} 读取，之后由 {} 覆盖"};
inline constexpr Text kWriteAfterWrite{"{}: written before by {}, overwritten after by {}",
                                       "{}：之前由 {} 写入，之后由 {} 覆盖"};
inline constexpr Text kUnnamed{"a block without a name", "无名计算块"};
inline constexpr Text kNoReason{"no accesses: the program asks for it itself", "没有访问：程序自己要求的屏障"};

inline constexpr PanelHelp kHelp{
    {"The barriers of the kernel (`__syncthreads()`), in program order: at each, all threads of a block wait for each "
     "other.",
     "核函数的屏障（`__syncthreads()`），按程序顺序：一个线程块的所有线程在此互相等待。"},
    {"A row for each buffer that a barrier keeps in order: which blocks of the program access it before the barrier "
     "and "
     "which after. In a loop, “after” may be in the next iteration: a tile is not overwritten before all threads have "
     "read it. A number is *at most* where a condition may skip the barrier, and *varies* where a loop around it has "
     "no "
     "constant extent.",
     "屏障保证先后次序的每个缓冲区占一行：程序中哪些计算块在屏障之前访问它，哪些在之后。在循环中，“之后”可能是下一次迭"
     "代："
     "所有线程"
     "读完之前，分块不会被覆盖。若条件可能跳过屏障，次数为“至多”；若外层循环的长度不是常数，则为“不定”。"},
    {"Counted from the program as written; the reasons are those for which lowering has placed the barrier.",
     "按程序所写计数；原因即下降时放置该屏障的依据。"},
    {"Click a row: its line is selected in CUDA, PTX and SASS.", "单击一行：该行在 CUDA、PTX 和 SASS 中被选中。"}};

}  // namespace loom::text::barriers

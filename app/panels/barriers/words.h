#pragma once

#include "app/text/help.h"

/// The phrases of the panel Barriers and waits, each in English and Chinese. In each, `{}` stands for a number, name or
/// phrase that is filled in; {0}, {1}, … number several.
namespace loom::text::barriers {

inline constexpr Text kTitle{"Barriers and waits", "屏障与等待"};
inline constexpr Text kNone{"No thread of this kernel waits for others, or for what it has started.",
                            "这个核函数中没有线程等待其他线程，或等待自己启动的操作。"};
// The heads of the table's columns. kPerBlock: how often each of those who wait does so in the life of a block; below
// it stand numbers, kAtMost with a number where a condition may skip the wait, or kVaries. The texts below kWho and
// kFor follow.
inline constexpr Text kLine{"CUDA line", "CUDA 行"};
inline constexpr Text kStatement{"statement", "语句"};
inline constexpr Text kWho{"who waits", "等待者"};
inline constexpr Text kPerBlock{"per block", "每线程块"};
inline constexpr Text kFor{"for what", "等待什么"};
inline constexpr Text kAtMost{"at most {}", "至多 {}"};
inline constexpr Text kVaries{"varies", "不定"};

// In the column kWho: the threads that wait.
inline constexpr Text kEachThread{"each thread", "每个线程"};
inline constexpr Text kEachWarp{"each warp", "每个线程束"};
inline constexpr Text kEachWarpgroup{"each warpgroup", "每个 warpgroup"};
inline constexpr Text kWholeBlock{"all of the block", "整个线程块"};
inline constexpr Text kWholeCluster{"all of the cluster", "整个簇"};
inline constexpr Text kOneThread{"one thread", "一个线程"};
/// {}: the warps, "warps 8–11".
inline constexpr Text kOneThreadOf{"one thread of {}", "{} 中的一个线程"};

// In the column kFor. The next three: the accesses that a barrier keeps in order, by the name of the buffer, the names
// of the program's blocks (kUnnamed for one without a name) before the barrier, and of those after it.
inline constexpr Text kReadAfterWrite{"{}: written before by {}, read after by {}",
                                      "{}：之前由 {} 写入，之后由 {} 读取"};
inline constexpr Text kWriteAfterRead{"{}: read before by {}, overwritten after by {}",
                                      "{}：之前由 {} 读取，之后由 {} 覆盖"};
inline constexpr Text kWriteAfterWrite{"{}: written before by {}, overwritten after by {}",
                                       "{}：之前由 {} 写入，之后由 {} 覆盖"};
inline constexpr Text kUnnamed{"a block without a name", "无名计算块"};
// For a barrier of the block that keeps no accesses in order: kMbarriersMade if it stands behind the initialization of
// mbarriers, else kNoReason. For a barrier of the warp: kLanes. For those of the cluster (device::Token): kCluster for
// a ClusterBarrier, kClusterSees for a ClusterExchange.
inline constexpr Text kNoReason{"no accesses: the program asks for it itself", "没有访问：程序自己要求的屏障"};
inline constexpr Text kMbarriersMade{"mbarriers are made before anybody uses them", "mbarrier 在使用之前已建立"};
inline constexpr Text kLanes{"all lanes of the warp have come", "线程束的所有线程均已到达"};
inline constexpr Text kCluster{"all threads of the cluster have come: mbarriers are made",
                               "簇内所有线程均已到达：mbarrier 已建立"};
inline constexpr Text kClusterSees{"all threads of the cluster have come, and see what any of them wrote",
                                   "簇内所有线程均已到达，并可见彼此写入的数据"};

// The asynchronous operations, counted in groups, that threads have started and wait for. In kCopies and kStores, {}
// stands for the names of buffers; in the texts on groups, for kCopies, kProducts or kStores.
inline constexpr Text kCopies{"copies of the thread have landed in {}", "本线程的拷贝已写入 {}"};
inline constexpr Text kProducts{"products of the warpgroup are done", "warpgroup 的乘积已完成"};
inline constexpr Text kStores{"stores have read {}, which may be overwritten", "写出操作已读完 {}，可以覆盖"};
/// In place of buffers' names, where the program doesn't tell which buffers are meant.
inline constexpr Text kSharedMemory{"shared memory", "共享内存"};
inline constexpr Text kAllGroups{"{}: all groups", "{}：所有组"};
inline constexpr Text kButLatest{"{}: all groups but the latest", "{}：除最后一组外的所有组"};
inline constexpr Text kButLatestOf{"{0}: all groups but the latest {1}", "{0}：除最后 {1} 组外的所有组"};

// The event that ends a phase of the mbarrier of a slot of a ring buffer. {0}: the name of the mbarriers; in kFull,
// {1}: bytes, "16 KiB", and {2}: names of buffers; in kFree and kFreeOfCluster, {1}: their number.
inline constexpr Text kFull{"{0}: {1} have landed in {2}", "{0}：{1} 已写入 {2}"};
inline constexpr Text kFree{"{0}: {1} threads that used the slot have arrived", "{0}：用过该槽的 {1} 个线程已到达"};
inline constexpr Text kFreeByOne{"{0}: the thread that used the slot has arrived", "{0}：用过该槽的线程已到达"};
inline constexpr Text kFreeOfCluster{"{0}: {1} threads of the cluster that used the slot have arrived",
                                     "{0}：簇内用过该槽的 {1} 个线程已到达"};
/// {}: one of the four sentences above on an mbarrier. kNamedPhase: a wait for the phase whose number the program
/// gives; kNextPhase: a wait for the phase that comes next in the slot. kOpen stands around either if the slots are
/// free at first.
inline constexpr Text kNamedPhase{"{} (the phase that is named)", "{}（指明的阶段）"};
inline constexpr Text kNextPhase{"{} (the slot's next phase)", "{}（该槽的下一个阶段）"};
inline constexpr Text kOpen{"{}; free at first", "{}；起初即为空闲"};

inline constexpr PanelHelp kHelp{
    {"The statements of the kernel at which threads wait, in program order: for each other (barriers), for copies, "
     "products and stores that they have started, or for a slot of an mbarrier.",
     "核函数中线程等待的语句，按程序顺序：互相等待（屏障），等待自己启动的拷贝、乘积和写出，或等待 mbarrier "
     "的一个槽。"},
    {"Of a barrier, a row for each buffer that it keeps in order: which blocks of the program access it before and "
     "which after; in a loop, “after” may be in the next iteration. What is started is counted in **groups**: a wait "
     "leaves so many of the latest on their way. An **mbarrier** has a **phase** for each use of a slot: it ends when "
     "all have arrived and all bytes have landed. A number is *at most* where a condition may skip the wait, and "
     "*varies* where a loop around it has no constant extent.",
     "屏障保证先后次序的每个缓冲区占一行：程序中哪些计算块在之前访问它，哪些在之后；在循环中，“之后”可能是下一次迭代。"
     "启动的操作按**组**计数：等待时可留下最后若干组仍在途。**mbarrier** 的槽每用一次有一个**阶段**：全部到达且全部字节"
     "写入后结束。若条件可能跳过等待，次数为“至多”；若外层循环的长度不是常数，则为“不定”。"},
    {"Counted from the program as written; the reasons are those for which lowering has placed the statement.",
     "按程序所写计数；原因即下降时放置该语句的依据。"},
    {"Click a row: its line is selected in CUDA, PTX and SASS.", "单击一行：该行在 CUDA、PTX 和 SASS 中被选中。"}};

}  // namespace loom::text::barriers

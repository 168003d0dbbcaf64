#pragma once

#include "app/text/text.h"

/// The words of the panel Memory hierarchy.
namespace loom::text::memory {

inline constexpr Text kTitle{"Memory hierarchy", "存储层次"};
inline constexpr Text kPerBlock{"per block", "每线程块"};
inline constexpr Text kWholeGrid{"whole grid", "整个网格"};
inline constexpr Text kGlobal{"global", "全局内存"};
inline constexpr Text kL2{"L2 cache", "L2 缓存"};
inline constexpr Text kShared{"shared", "共享内存"};
inline constexpr Text kRegisters{"registers", "寄存器"};
inline constexpr Text kTensorCore{"tensor core", "张量核心"};
inline constexpr Text kNoKernel{"No kernel, so no traffic yet; these are the declared buffers. {}",
                                "还不是核函数，没有数据传输；以下为声明的缓冲区。{}"};
inline constexpr Text kWorking{"Counting what moves …", "正在统计数据传输……"};
inline constexpr Text kScale{"Arrow width: bytes, log scale; as written, before compiler and caches.",
                             "箭头宽度：字节数（对数）；按程序所写，未计编译器与缓存。"};
inline constexpr Text kOfBlock{"a block", "每线程块"};
inline constexpr Text kInAll{"in all", "总计"};
inline constexpr Text kFlopPerByte{"{} FLOP/B", "{} FLOP/B"};
inline constexpr Text kFlopPerByteHint{
    "Arithmetic for each byte that crosses here, whole grid: {} over {}.\nThe bytes beside the arrows are {}.",
    "每跨越此处一字节的运算量（整个网格）：{} / {}。\n箭头旁的字节数：{}。"};
inline constexpr Text kWas{"{}, was {}", "{}，原为 {}"};
inline constexpr Text kNew{"new", "新"};
inline constexpr Text kRewritten{"filled {}×, life: one {}", "写入 {} 次，生存期：一次 {}"};
inline constexpr Text kWholeLife{"life: the whole block", "生存期：整个线程块"};
inline constexpr Text kAWarp{"{} a warp", "{}/束"};
inline constexpr Text kAThread{"{} a thread", "每线程 {}"};
inline constexpr Text kWays{"{}-way bank conflict", "{} 路存储体冲突"};
inline constexpr Text kTiles{"{} tile products a block", "每线程块 {} 次分块乘"};
inline constexpr Text kBudgets{"Budgets on {}, per SM", "{} 每个 SM 的资源"};
inline constexpr Text kNoDevice{"No device figures: {}", "没有设备数据：{}"};
inline constexpr Text kThreads{"threads", "线程"};
inline constexpr Text kSlots{"block slots", "线程块槽位"};
inline constexpr Text kFits{"room for {}", "可容 {} 块"};
inline constexpr Text kLimit{"room for {}: the limit", "可容 {} 块：瓶颈"};
inline constexpr Text kUnknownFit{"not compiled", "未编译"};
inline constexpr Text kOfBudget{"{} of {}", "{} / {}"};
inline constexpr Text kRuns{"blocks on an SM: room for {}, {} run; SMs idle: {} of {}",
                            "每个 SM 可容 {} 块；实际运行 {} 块，{} / {} 个 SM 空闲"};
inline constexpr Text kReuse{"Reuse: bytes read per byte brought", "复用：每搬入一字节被读的字节数"};
inline constexpr Text kStepBudget{"One {} step by pipe: {} clocks", "{} 一步的各流水线：{} 个周期"};
inline constexpr Text kFloors{"Shortest time by each rate", "各速率下的最短时间"};
inline constexpr Text kAdvice{"What costs the most", "代价最大之处"};
inline constexpr Text kApply{"Apply", "应用"};
inline constexpr Text kConflictAdvice{"{1}: {0}-way bank conflicts cost about {2} of {3} µs",
                                      "{1}：{0} 路存储体冲突约耗 {2} µs（共 {3} µs）"};
inline constexpr Text kScatteredAdvice{"{}: a warp's request touches {} sectors where {} would do",
                                       "{}：线程束一次请求触及 {} 个扇区，本只需 {} 个"};
inline constexpr Text kTimesOver{"{} ({} such accesses)", "{}（{} 处）"};
inline constexpr Text kIdleAdvice{"{}: lanes at work: {} of 32", "{}：32 个通道中仅 {} 个工作"};
inline constexpr Text kFewBlocksAdvice{"SMs with a block: {} of {}; smaller tiles make more blocks",
                                       "有线程块的 SM：{} / {}；分块更小则块更多"};

}  // namespace loom::text::memory

#pragma once

#include "app/text/text.h"

/// The words of reports (report.h), in English and Chinese. "{}" and "{0}", "{1}" … stand for values that the writer of
/// the report puts in. Where the words around don't say which: of kFastestIs, {1} is the step line, or kStart; of
/// kOverFirst, how many times faster than the first state that has a time; of kOfVendor, {0} is a share with its "%",
/// {1} the library's version and {2} its time; of kMeasuredHere and kRecordedOn, {0} is the device, {2} the compiler
/// and {3} the day; of kPredicted, {0} is the device and {1} a time; of kBusiest the name of a pipe; of kWhyNoKernel a
/// sentence; of kFirstRemedy a step line.
namespace loom::text::report {

inline constexpr Text kReport{"Tileloom report", "Tileloom 报告"};
inline constexpr Text kMadeBy{"Made by Tileloom {0} on {1}.", "由 Tileloom {0} 生成于 {1}。"};
inline constexpr Text kTarget{"Program", "程序"};
inline constexpr Text kWorkload{"Workload", "计算"};
inline constexpr Text kFastest{"Fastest state", "最快的状态"};
inline constexpr Text kFastestIs{"step {0}, {1}", "第 {0} 步，{1}"};
inline constexpr Text kOverFirst{"{}× the first", "为首个的 {} 倍"};
inline constexpr Text kOfVendor{"{0} of cuBLASLt {1} ({2})", "达到 cuBLASLt {1}（{2}）的 {0}"};
inline constexpr Text kTimesFrom{"Times", "时间来源"};
inline constexpr Text kMeasuredHere{"measured on {0}, driver {1}, {2}, on {3}", "本机测量：{0}，驱动 {1}，{2}，{3}"};
inline constexpr Text kRecordedOn{"recorded on {0}, driver {1}, {2}, on {3}", "记录：{0}，驱动 {1}，{2}，{3}"};
inline constexpr Text kMethod{"method: {}", "方法：{}"};
inline constexpr Text kNoTimes{"none: no state has been measured", "无：没有测量过任何状态"};
inline constexpr Text kNoCompiler{"Registers and shared memory are missing: there is no CUDA compiler here.",
                                  "缺少寄存器与共享内存一列：此处没有 CUDA 编译器。"};
inline constexpr Text kChart{"Time by step, log scale", "各步时间（对数刻度）"};
inline constexpr Text kChartAxis{"step; a line leads from the state before; ○ no kernel or not measured",
                                 "步；线从前一个状态引来；○ 不是核函数或未测量"};
inline constexpr Text kTable{"All steps", "全部步骤"};
inline constexpr Text kContents{"Chapters", "章节"};
inline constexpr Text kSteps{"Steps", "步骤"};
inline constexpr Text kStep{"step", "步"};
inline constexpr Text kLine{"line", "语句"};
inline constexpr Text kTime{"time", "时间"};
inline constexpr Text kPrevious{"× previous", "相对上一步"};
inline constexpr Text kFirst{"× first", "相对起点"};
inline constexpr Text kVendorShare{"of cuBLASLt", "占 cuBLASLt"};
inline constexpr Text kRegisters{"registers", "寄存器"};
inline constexpr Text kShared{"shared", "共享内存"};
inline constexpr Text kStart{"the unscheduled program", "未调度的程序"};
inline constexpr Text kTooLong{"too long", "过慢"};
inline constexpr Text kNoKernel{"no kernel", "不是核函数"};
inline constexpr Text kNotMeasured{"not measured", "未测量"};
inline constexpr Text kFailed{"failed", "失败"};
inline constexpr Text kOneThread{"one GPU thread does everything", "只有一个 GPU 线程在工作"};
inline constexpr Text kQuartile{"quartiles {0} … {1} µs of {2} sample", "四分位 {0} … {1} µs，共 {2} 次采样"};
inline constexpr Text kQuartiles{"quartiles {0} … {1} µs of {2} samples", "四分位 {0} … {1} µs，共 {2} 次采样"};
inline constexpr Text kSpills{"{} bytes spilled", "溢出 {} 字节"};
inline constexpr Text kAfter{"The loop nest after this chapter", "本章之后的循环嵌套"};
inline constexpr Text kNest{"Loop nest", "循环嵌套"};
inline constexpr Text kMemory{"Memory hierarchy, traffic per block as written",
                              "存储层次：每线程块的数据传输（按程序所写）"};
inline constexpr Text kPredicted{"predicted for {0}: {1}", "对 {0} 的预测：{1}"};
inline constexpr Text kBusiest{"busiest: {}", "最忙：{}"};
inline constexpr Text kOccupancy{"room for {} of {} warps on an SM", "每个 SM 可容纳 {} / {} 个线程束"};
inline constexpr Text kTflops{"{} TFLOP/s", "{} TFLOP/s"};
inline constexpr Text kNoChange{"no line changed", "没有行改变"};
inline constexpr Text kChange{"{0} line added, {1} changed, {2} removed", "新增 {0} 行，改变 {1} 行，删除 {2} 行"};
inline constexpr Text kChanges{"{0} lines added, {1} changed, {2} removed", "新增 {0} 行，改变 {1} 行，删除 {2} 行"};
inline constexpr Text kWhyNoKernel{"No kernel yet: {}", "还不是核函数：{}"};
inline constexpr Text kFirstRemedy{"first: {}", "先做：{}"};

}  // namespace loom::text::report

#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The phrases of the panels PTX and SASS, each in English and Chinese. In each, `{}` stands for a number, name or text
/// that is filled in.
namespace loom::text::machine_code {

inline constexpr Text kStillState{"This is state {}'s: the preview's machine code isn't there.",
                                  "这是状态 {} 的：预览的机器码还没有。"};

inline constexpr Text kPtx{"PTX", "PTX"};
inline constexpr Text kSass{"SASS", "SASS"};
inline constexpr Text kAsking{"Asking the compiler for PTX…", "正在向编译器索取 PTX……"};
/// {}: the reason; also in kNoControl and kNoAlive, which say why columns beside SASS are missing.
inline constexpr Text kNoPtx{"No PTX: {}", "没有 PTX：{}"};
// Parts of the line above the code. While two states are compared, a second line has the same of the other state's
// kernel, with kSameInstructions or the numbers of lines that differ, and the tooltip kComparedBy. Spilled bytes
// (kSpills) are those of one thread.
inline constexpr Text kResources{"{} registers per thread", "每线程 {} 个寄存器"};
inline constexpr Text kNoSpills{"no spills", "无溢出"};
inline constexpr Text kSpills{"{} B spilled, {} B read back", "溢出 {} B，读回 {} B"};
inline constexpr Text kInstructions{"{} instructions", "{} 条指令"};
inline constexpr Text kSameInstructions{"the same instructions", "指令相同"};
inline constexpr Text kComparedBy{
    "Marked lines are instructions that the other kernel has not; which registers they use doesn't count.",
    "有标记的行是另一核函数没有的指令；所用寄存器的编号不算差异。"};
inline constexpr Text kHotLoop{"hot loop: lines {}–{}, {} instructions", "热循环：第 {}–{} 行，{} 条指令"};
/// In an instruction's tooltip: how often warps execute it, over the grid.
inline constexpr Text kCounted{"run {} times by warps", "线程束执行 {} 次"};
/// The tooltip of the line above the code, and of the head of the column with lines of the CUDA text.
inline constexpr Text kColumns{"Second column: line of the CUDA text. Bracket: hot loop.",
                               "第二列：CUDA 行号；括线：热循环。"};
/// {}: the header and line of the inlined function that the instruction is from, "mma.hpp:91".
inline constexpr Text kCalls{"through {}", "经由 {}"};

// In an instruction's tooltip, too: the pipe that executes it.
inline constexpr Text kOnPipe{"pipe: {}", "执行单元：{}"};
/// The n and k of a product of a warpgroup, and its clocks.
inline constexpr Text kWarpgroupClocks{
    "all four warps together: {} columns, {} deep; {} clocks of the tensor cores at their peak",
    "四个线程束合作：{} 列，深 {}；张量核心按峰值需 {} 个周期"};
/// Of an instruction that is repeated until it succeeds: a test of an mbarrier's phase, or a request for registers.
inline constexpr Text kCountedOnce{
    "How often it has to ask depends on when another role is ready: counted as one try that succeeds.",
    "要问多少次取决于其他角色何时就绪：按一次成功的尝试计。"};

// The columns beside SASS: the number of live registers, and the control bits with which the compiler schedules the
// issue of an instruction.
inline constexpr Text kAliveHead{"live", "活跃"};
inline constexpr Text kAliveWhat{
    "General registers that hold a value still needed at this instruction, or that it writes: found by following the "
    "control flow backwards over all operands with their widths. Where they are the most, in colour.",
    "在这条指令处仍需要其值、或由它写入的通用寄存器数：沿控制流反向分析全部操作数及其宽度得到。最多之处以颜色标出。"};
inline constexpr Text kStallHead{"stall", "发射间隔"};
inline constexpr Text kStallWhat{
    "Clocks until the warp may issue its next instruction, as the compiler wrote it into this one: long enough for "
    "results of fixed latency. y: another warp is preferred then.",
    "线程束发射下一条指令前的周期数，由编译器写在这条指令里：足以等到固定延迟的结果。y：此后优先换另一个线程束。"};
inline constexpr Text kBarriersHead{"012345", "012345"};
inline constexpr Text kBarriersWhat{
    "The warp's six scoreboards, for results whose latency isn't fixed (loads, special functions). Square: the "
    "instruction "
    "sets it, to be released when its result is written; hollow: when its sources have been read. Line: it may be "
    "outstanding. Bar: the instruction waits for it, however long that takes.",
    "线程束的六个 scoreboard，用于延迟不固定的结果（加载、特殊函数）。方块：指令设置它，结果写入时释放；空心："
    "源操作数读完时释放。竖线：可能尚未释放。横条：指令等待它，无论多久。"};
// Lines of the tooltip of a row of these columns; the instructions that set a scoreboard are listed below kWaits, at
// most four, and kMore has the number of the others.
inline constexpr Text kAlive{"{} registers alive", "{} 个活跃寄存器"};
inline constexpr Text kAlivePeak{"{} registers alive: the most in this kernel", "{} 个活跃寄存器：此核函数中最多"};
inline constexpr Text kStall{"{} clocks until the next instruction issues", "{} 个周期后发射下一条指令"};
inline constexpr Text kStallYields{"{} clocks until the next instruction issues; another warp goes first",
                                   "{} 个周期后发射下一条指令；优先换另一个线程束"};
inline constexpr Text kSetsWrite{"sets scoreboard {} until its result is written", "设置 scoreboard {}，直到结果写入"};
inline constexpr Text kSetsRead{"sets scoreboard {} until its sources have been read",
                                "设置 scoreboard {}，直到源操作数读完"};
inline constexpr Text kWaits{"waits for scoreboard {}, set by", "等待 scoreboard {}，由以下指令设置："};
inline constexpr Text kMore{"and {} more", "另有 {} 条"};
/// {}: the numbers of source operands, from 0.
inline constexpr Text kReuse{"keeps source {} in the reuse cache", "源操作数 {} 保留在复用缓存中"};
/// In the line above SASS: the most registers that are live at one instruction, and those that a thread is given.
inline constexpr Text kPeakLive{"peak {} live of {}", "最多 {} 个活跃，共 {} 个"};
/// In the same line: the registers of a thread that a setmaxnreg sets, and the most that are live where that holds.
inline constexpr Text kPeakAllotted{"setmaxnreg {}: peak {} live", "setmaxnreg {}：最多 {} 个活跃"};
inline constexpr Text kNoControl{"No control bits: {}", "没有控制位：{}"};
inline constexpr Text kNoAlive{"No live registers: {}", "没有活跃寄存器数：{}"};
/// The menu item that shows or hides the columns beside SASS.
inline constexpr Text kMargin{"Live registers and control bits", "活跃寄存器与控制位"};

// The line over SASS on one iteration of the hot loop: with or without scoreboard waits, or without known clocks; its
// tooltip; and what a click opens: instructions by what they work on, and the heads of the columns of a table.
inline constexpr Text kTrip{"One iteration of the hot loop: {} instructions, {} issue clocks",
                            "热循环一趟：{} 条指令，{} 个发射周期"};
inline constexpr Text kTripWaits{
    "One iteration of the hot loop: {} instructions, {} issue clocks + {} scoreboard waits",
    "热循环一趟：{} 条指令，{} 个发射周期 + {} 次等待 scoreboard"};
inline constexpr Text kTripUnknown{"One iteration of the hot loop: {} instructions", "热循环一趟：{} 条指令"};
inline constexpr Text kTripWhat{
    "Issue clocks are the sum of what the instructions' control bits make one warp wait before its next instruction: "
    "the least that an iteration takes it. How long a scoreboard wait lasts isn't in the code. Click: by line of the "
    "CUDA "
    "text, with the step that made it.",
    "发射周期是各指令控制位规定的、一个线程束发射下一条指令前的等待之和：一趟至少要这么久。等待 scoreboard 要多久，"
    "代码里没有。单击：按 CUDA 行列出，并注明产生它的步骤。"};
inline constexpr Text kGlobal{"global memory", "全局内存"};
inline constexpr Text kShared{"shared memory", "共享内存"};
inline constexpr Text kSpilled{"local memory", "局部内存"};
inline constexpr Text kInteger{"integer and addresses", "整数与地址"};
inline constexpr Text kControl{"control", "控制"};
inline constexpr Text kClocksHead{"clocks", "周期"};
inline constexpr Text kInstructionsHead{"instructions", "指令"};
inline constexpr Text kWaitsHead{"waits", "等待"};
inline constexpr Text kMadeByHead{"made by", "来源步骤"};
inline constexpr Text kLineHead{"CUDA line", "CUDA 行"};

inline constexpr PanelHelp kPtxHelp{
    {"The kernel in PTX, what NVRTC makes of the CUDA text.", "核函数的 PTX，由 NVRTC 从 CUDA 文本生成。"},
    {"The second number is the CUDA line that an instruction comes from. The hot loop is bracketed.",
     "第二列数字是指令来自的 CUDA 行。热循环用括线标出。"},
    {"Compiled here, for the architecture of the device.", "在本机为该设备的架构编译。"},
    {"Click a line: its CUDA line is selected, and the other way round. Ctrl+F finds.",
     "单击一行会选中它的 CUDA 行，反之亦然。Ctrl+F 查找。"}};

inline constexpr PanelHelp kSassHelp{
    {"The machine code that runs, disassembled by nvdisasm. A pipelined kernel copies by LDGSTS, closes groups of "
     "copies by LDGDEPBAR and waits for them by DEPBAR.LE; LDSM loads what HMMA or IMMA multiplies. On Hopper UTMALDG "
     "copies boxes, SYNCS waits for them, HGMMA multiplies from shared memory, WARPGROUP.DEPBAR waits for the "
     "products.",
     "实际运行的机器码，由 nvdisasm 反汇编。软件流水线的核函数用 LDGSTS 拷贝，用 LDGDEPBAR 结束一组，用 DEPBAR.LE "
     "等待；LDSM 加载 HMMA 或 IMMA 所乘的矩阵。Hopper 上由 UTMALDG 拷贝分块，SYNCS 等待其到达，HGMMA "
     "直接从共享内存相乘，WARPGROUP.DEPBAR 等待乘积完成。"},
    {"The second number is the CUDA line. Then registers alive, clocks until the next issue, and the warp's six "
     "scoreboards: a square sets one, a bar waits for it. Where stalls were sampled, the share of samples that stood "
     "before the line, and why. The hot loop is bracketed; spills are red.",
     "第二列数字是 CUDA 行。其后是活跃寄存器数、到下次发射的周期数，以及线程束的六个 scoreboard：方块设置，横条等待。"
     "采样过停顿时，还有停在该行之前的样本占比及原因。热循环用括线标出；寄存器溢出为红色。"},
    {"Compiled here. Clocks and scoreboards are the control bits in each instruction's encoding, registers alive our "
     "own analysis of it: neither is measured. Stalls are ncu's, sampled on the device named above.",
     "在本机编译。周期与 scoreboard 是每条指令编码中的控制位，活跃寄存器由我们自己分析得出：都不是测量值。停顿由 ncu "
     "在上方注明的设备上采样。"},
    {"Click a line: its CUDA line is selected, and the other way round; on an instruction the hover says what it "
     "does. Click the line over the code: one iteration of the hot loop by CUDA line and step. Ctrl+F finds; a right "
     "click hides columns.",
     "悬停在指令上会说明它做什么。单击一行会选中它的 CUDA 行，反之亦然。单击代码上方那一行：按 CUDA "
     "行与步骤列出热循环的一趟。Ctrl+F "
     "查找；右键可隐藏列。"}};

}  // namespace loom::text::machine_code

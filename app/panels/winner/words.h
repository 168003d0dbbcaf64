#pragma once

#include <string_view>

#include "app/text/help.h"

/// The texts of the panel Winner, each in English and Chinese; {} stands for a value that is filled in, {0} and {1} for
/// the first and the second of them.
namespace loom::text::winner {

inline constexpr Text kTitle{"Winner", "胜者"};
/// Stand in the panel while there is no winner; kSearching also below the last winner while a search runs.
inline constexpr Text kNone{"A search (panel Search) finds the winner; here it is explained.",
                            "搜索（“搜索”面板）找出胜者，这里加以解释。"};
inline constexpr Text kSearching{"The search is running; its winner is explained when it ends.",
                                 "搜索正在进行，结束后解释其胜者。"};
/// Stands in the panel until there is a path, and below a measured path while it is looked for anew.
inline constexpr Text kExplaining{"The path to the winner is looked for…", "正在查找通往胜者的路径……"};
/// Stands below the path's gain until the states are measured.
inline constexpr Text kMeasuring{"The states of the path are being measured…", "正在测量路径上的状态……"};
/// How many times as fast the winner is as the path's first state, and the name of that state, kOwn or kConstructed.
inline constexpr Text kGain{"{} × as fast as {}", "速度为{1}的 {0} 倍"};
/// Joins the heading that kGain ends with another kGain.
inline constexpr Text kNextGain{"{}, {}", "{}，{}"};
/// The names of the state at which the path begins: the user's schedule if the winner's sketch (a schedule with open
/// decisions) has it, else the construction, which is the schedule that the rules make of that sketch without a search.
inline constexpr Text kOwn{"your schedule", "你的调度"};
inline constexpr Text kConstructed{"the construction", "构造的调度"};
/// Stands in place of the gain if the path has no step: the name of its only state, kOwn or kConstructed.
inline constexpr Text kSame{"The winner is {} itself.", "胜者就是{}本身。"};
/// Stands below the gain once the path's times are known, if they were measured; else kPredicted, or kPredictedByCode,
/// stands there.
inline constexpr Text kMeasured{"All states measured in one run.", "所有状态在同一次运行中测量。"};
/// The device that predictions are for, and why nothing was measured: kNoGpu, kOnCpu or kFailed, which has the error's
/// message.
inline constexpr Text kPredicted{"Times are predicted from the program for {}, not measured: {}.",
                                 "用时由程序按 {} 预测，并非实测：{}。"};
inline constexpr Text kPredictedByCode{"Times are predicted from the machine code for {}, not measured: {}.",
                                       "用时由机器码按 {} 预测，并非实测：{}。"};
inline constexpr Text kNoGpu{"there is no GPU to measure with", "没有可供测量的 GPU"};
inline constexpr Text kOnCpu{"the CPU measures here, whose times say nothing of a GPU",
                             "此处由 CPU 测量，其用时不能说明 GPU"};
inline constexpr Text kFailed{"measuring failed ({})", "测量失败（{}）"};
/// Buttons, each with its tooltip.
inline constexpr Text kApply{"Branch to the winner", "建立胜者分支"};
inline constexpr Text kApplyTip{"Appends the winner's steps to the start, as a branch of the history",
                                "从起点追加胜者的步骤，成为历史的一个分支"};
inline constexpr Text kFromHere{"Path from the current state", "从当前状态出发"};
inline constexpr Text kFromHereTip{
    "Finds the path anew: from the current state if it differs from the winner only in its decisions, else from the "
    "construction, which is the schedule that the rules make without a search",
    "重新查找路径：若当前状态与胜者只有决策不同，则从它出发，否则从构造的调度（规则不经搜索直接得出的调度）出发"};

/// The heading of the lines on a schedule of the user's at which no path to the winner begins; kYourSchedule unless the
/// winner is known to be faster.
inline constexpr Text kYours{"Why yours is slower", "你的调度为何更慢"};
inline constexpr Text kYourSchedule{"Your schedule", "你的调度"};
/// Its lines: its time and how many times as fast the winner is, or why measuring it failed; the model's advice on what
/// limits it; and why there is no path.
inline constexpr Text kYourTime{"{}: the winner is {} × as fast", "{}：胜者的速度是它的 {} 倍"};
inline constexpr Text kYourFailure{"Measuring it failed: {}.", "测量失败：{}。"};
inline constexpr Text kNoPath{"No path leads from it to the winner: {}.", "没有从它通往胜者的路径：{}。"};

/// The heading, with its tooltip, of a table with a column for each of at most three schedules, whose names are
/// kConstructed, kOwn and kValue, and rows of decisions (headed kDecision), then of figures (headed kFigure, of which
/// kMeasuredTime is the first).
inline constexpr Text kSideBySide{"Side by side", "并排比较"};
inline constexpr Text kSideBySideTip{
    "What the schedules decide otherwise, and the model's figures of their machine code, or of the program where a row "
    "says so: what each pipe alone would take of the predicted time (on the multiprocessor with the most blocks; L2 "
    "with "
    "what lines that are asked for in parts cost, which a roof leaves out), the grid and its waves, what a block "
    "needs, "
    "what travels between memories. What is the same in all is faint.",
    "各调度的不同决策，以及模型由机器码得出的指标（有一行注明者由程序得出）："
    "各执行管线单独所需的用时（以线程块最多的 SM 计；L2 计入只请求部分缓存行的额外代价，屋顶不计）、"
    "网格及波次、线程块的资源、各级存储间的流量。各列相同者颜色较淡。"};
inline constexpr Text kFigure{"figure", "指标"};
/// The row that tells what figures are counted from, where that isn't the machine code of all, and its values.
inline constexpr Text kBasis{"figures from", "指标来自"};
inline constexpr Text kOfCode{"machine code", "机器码"};
inline constexpr Text kOfProgram{"the program", "程序"};
inline constexpr Text kMeasuredTime{"time, measured", "时间（实测）"};
/// The head of its last rows, which say what share of a kernel's samples found a warp waiting for something; and the
/// name of the row of those that found it issuing an instruction.
inline constexpr Text kWaits{"warps sampled", "线程束采样"};
inline constexpr Text kIssues{"issues an instruction", "发射指令"};
/// The head of the same rows where samples divide the measured times; the row of the time in which there was no warp,
/// with what it means; and the last row, which has the small parts together.
inline constexpr Text kWaitTimes{"time, by what warps did", "用时，按线程束所为"};
inline constexpr Text kNoWarp{"no warp there", "没有线程束"};
inline constexpr Text kNoWarpMeans{
    "Before the first block comes; places that stay empty in the last turn of blocks; the end. Its share "
    "is "
    "that of one launch under the profiler, as all shares of these rows.",
    "首个线程块到来之前；最后一轮线程块中空着的位置；收尾。其占比与这些行的其他占比一样，"
    "来自分析器下的一次启动。"};
inline constexpr Text kTheRest{"the rest", "其余"};
/// Why a kernel is faster or slower than another: sentences with a list of kCause, each after kNextCause. Behind them
/// stand those of parts that move the other way.
inline constexpr Text kFasterBecause{"Faster because less of the time goes to {}.",
                                     "更快，因为花在以下方面的用时减少：{}。"};
inline constexpr Text kSlowerBecause{"Slower because more of the time goes to {}.",
                                     "更慢，因为花在以下方面的用时增加：{}。"};
inline constexpr Text kMoreGoes{"Against that, more goes to {}.", "与之相反，增加的有：{}。"};
inline constexpr Text kLessGoes{"Against that, less goes to {}.", "与之相反，减少的有：{}。"};
/// A time or count of a kernel that is compared with another one, and the other's.
inline constexpr Text kInsteadOf{"{} instead of {}", "{}，而非 {}"};
/// What warps do, and how much of the time it took before and after; then counts that moved with it.
inline constexpr Text kCause{"{} ({})", "{}（{}）"};
inline constexpr Text kNextCause{", ", "、"};
/// What takes the time in which a multiprocessor has no warp.
inline constexpr Text kWithoutWarps{"places without a warp", "没有线程束的位置"};

/// What warps do for a part of the time, in kCause.
struct Doing {
  std::string_view reason;  ///< as in profile::stallReasons()
  Text words;
};
inline constexpr Doing kDoings[] = {
    {"long scoreboard",
     {"waiting for global memory or the copy engine (long scoreboard)", "等待全局内存或拷贝引擎（long scoreboard）"}},
    {"short scoreboard",
     {"waiting for shared memory or special functions (short scoreboard)",
      "等待共享内存或特殊函数（short scoreboard）"}},
    {"wait", {"the fixed waits between instructions (wait)", "指令之间的固定等待（wait）"}},
    {"barrier", {"waiting for other warps at barriers (barrier)", "在屏障处等待其他线程束（barrier）"}},
    {"math pipe throttle",
     {"waiting for a busy arithmetic unit (math pipe throttle)", "等待繁忙的运算单元（math pipe throttle）"}},
    {"MIO throttle",
     {"waiting for the full queue to shared memory (MIO throttle)", "等待通往共享内存的满队列（MIO throttle）"}},
    {"LG throttle",
     {"waiting for the full queue to global memory (LG throttle)", "等待通往全局内存的满队列（LG throttle）"}},
    {"TEX throttle", {"waiting for the queue of textures (TEX throttle)", "等待纹理队列（TEX throttle）"}},
    {"GMMA", {"waiting for wgmma (GMMA)", "等待 wgmma（GMMA）"}},
    {"warpgroup arrive",
     {"waiting before wgmma for registers (warpgroup arrive)", "在 wgmma 之前等待寄存器（warpgroup arrive）"}},
    {"membar", {"waiting at memory fences (membar)", "在内存栅栏处等待（membar）"}},
    {"no instruction", {"fetching instructions (no instruction)", "取指令（no instruction）"}},
    {"branch resolving", {"finding the targets of branches (branch resolving)", "确定分支目标（branch resolving）"}},
    {"IMC miss", {"waiting for constants (IMC miss)", "等待常量（IMC miss）"}},
    {"dispatch", {"waiting for the dispatcher (dispatch)", "等待分派（dispatch）"}},
    {"drain", {"waiting at the end for stores (drain)", "结束时等待写出（drain）"}},
    {"sleeping", {"sleeping", "休眠（sleeping）"}},
    {"misc", {"other waits (misc)", "其他等待（misc）"}},
    {"other", {"other waits", "其他等待"}},
};
/// Stands below the table while samples are taken; and where they are missing, with why.
inline constexpr Text kSampling{"What warps wait for is being sampled, which takes seconds for each schedule…",
                                "正在采样线程束等待什么，每个调度需数秒……"};
inline constexpr Text kNotSampled{"What warps wait for isn't sampled: {}.", "未采样线程束等待什么：{}。"};
/// Stands in place of that table until its figures are known.
inline constexpr Text kModelling{"The states' machine code is being modelled…", "正在对各状态的机器码建模……"};
/// The time that the model predicts for the winner from its machine code, and the one that the search measured.
inline constexpr Text kModelTime{"The model predicts {}.", "模型预测 {}。"};
inline constexpr Text kSearchTime{"In the search it took {}.", "搜索中测得 {}。"};
/// Behind them: percent of a time below which measured differences say nothing.
inline constexpr Text kNoise{"Differences below {} % are noise.", "小于 {} % 的差异属于噪声。"};
/// Behind that: how many other schedules of the search took as long as the winner, within the noise.
inline constexpr Text kTied{"Schedules of the search that are as fast within that: {} more.",
                            "搜索中在此范围内同样快的调度：另有 {} 个。"};
/// Below a measured gain that is less than twice the noise: the name of the path's first state, kOwn or kConstructed.
inline constexpr Text kHardly{"That is hardly more than noise: the search found nothing clearly faster than {}.",
                              "这几乎不超过噪声：搜索没有找到明显快于{}的调度。"};
/// Stands before what the model says of a step, which isn't measured.
inline constexpr Text kByModel{"by the model", "模型"};
/// Below a step that changes one decision: the threads of a block before and after where all other decisions are as in
/// the winner ("256 → 128", or one number if they are the same), and the gain that the same change has there.
inline constexpr Text kElsewhere{
    "With all other decisions as in the winner, in blocks of {} threads, the same change gains {} ×.",
    "其他决策均如胜者时（线程块为 {} 个线程），同一改动收益 {} ×。"};
/// Below a measured gain that the model doesn't explain: the gain that it predicts.
inline constexpr Text kUnexplained{"The model doesn't explain this: it predicts {} ×.",
                                   "模型不能解释这一点：它预测 {} ×。"};
/// Behind that, if what binds the schedule by the model stands next.
inline constexpr Text kNotWhy{"So what it says of the schedule by itself, below, isn't why it is slower.",
                              "因此下面它对该调度本身的判断并不是变慢的原因。"};
/// Below a measured gain that is within the noise, in place of what moved.
inline constexpr Text kWithinNoise{"within the noise", "在噪声之内"};

/// The heading of the table of the path's states, and the heads of its columns: the decisions that change from the
/// state before, their values before and after ("4 → 8"), the time of the state, and how many times as fast as the
/// state before it is.
inline constexpr Text kPath{"What each decision gained", "各决策的收益"};
inline constexpr Text kDecision{"decision", "决策"};
inline constexpr Text kChange{"change", "改动"};
inline constexpr Text kTime{"time", "用时"};
inline constexpr Text kGained{"gain", "收益"};
/// Stands below a row in which several decisions change: the sentence that says why they change at once.
inline constexpr Text kTogether{"Not one alone: {}", "不能单独改动：{}"};
/// Stands below the table: the gains of its rows as factors ("1.20 × 1.05"), and their product, the gain of all.
inline constexpr Text kProduct{"{} = {} ×", "{} = {} ×"};

/// The heading, with its tooltip, of the table of decisions, whose columns are kDecision, kValue, kLower and kHigher.
inline constexpr Text kWorth{"What each decision is worth", "各决策的价值"};
inline constexpr Text kWorthTip{
    "The winner with this decision at its next lower and next higher value. *: changing it alone "
    "gives no schedule, so one other decision changes, too.",
    "胜者将此决策改为相邻的更小或更大取值。*：单独改动不成调度，故另有一个决策随之改动。"};
/// Stands below that table if a value in it has a star.
inline constexpr Text kStar{"*: with one other decision changed, which the tooltip names",
                            "*：同时改动另一个决策，见悬停提示"};
/// A line of the tooltip of a value with a star: the other decision that had to be changed, its value in the winner,
/// and the value that it took.
inline constexpr Text kWith{"with {}: {} → {}", "同时 {}：{} → {}"};
/// The heads of the columns with the decision's value in the winner, and with its next lower and next higher value.
inline constexpr Text kValue{"winner", "胜者"};
inline constexpr Text kLower{"lower", "更小"};
inline constexpr Text kHigher{"higher", "更大"};
/// Behind a lower or higher value with which the time differs from the winner's by no more than about 0.5 %.
inline constexpr Text kEqual{"same", "相同"};
/// Behind a lower or higher value that is in no schedule, even with one other decision changed, or only in one that
/// makes no kernel.
inline constexpr Text kNotAlone{"impossible", "不可行"};
/// Behind a lower or higher value whose time is not known: not measured if the path's times are, else not predicted.
inline constexpr Text kNoTime{"no time", "无用时"};

/// Stands first below kWhy, if the vendor's library was measured: the winner's speed in per cent of that library's
/// ("98.5 %"), its name, and both times in the search, the winner's last.
inline constexpr Text kOfVendor{"In the search it reached {} of {}: {} and {}.", "搜索中达到 {1} 的 {0}：{2} 与 {3}。"};
/// The heading of the advice on what limits the winner; kNoReason stands below it if there is none.
inline constexpr Text kWhy{"Why not faster", "为何不能更快"};
inline constexpr Text kNoReason{"The model finds nothing that binds it.", "模型未发现限制因素。"};

inline constexpr PanelHelp kHelp{
    {"The winner of the last search, explained: the way to it, one decision after another, and what each gained. It "
     "begins at your schedule, or, if yours differs in more than its decisions, at the construction: the schedule that "
     "the rules make without a search.",
     "解释上次搜索的胜者：逐个决策地通往它的路径，以及各自的收益。路径从你的调度出发；若你的调度与它不只是决策不同，"
     "则从构造的调度出发，即规则不经搜索直接得出的调度。"},
    {"Each row of the path changes one decision; several change together where the space has no schedule between them, "
     "and the row says why. A **gain** of 1.25 × means that the time is divided by 1.25; all gains multiplied are the "
     "total. Below a step stands what it moved most. **Side by side** are the model's figures that account for the "
     "times: "
     "a pipe that is busy nearly all of the time binds. Where NVIDIA's ncu is installed, the warps of the measured "
     "schedules are sampled, too: how much of the time they waited for what, which no model says, and so why one is "
     "faster. Last, each decision is set to its "
     "neighbours: how much more or "
     "less time the winner would take.",
     "路径的每一行改动一个决策；若中间没有可行的调度，则几个一起改动，并说明原因。**收益** 1.25 × 即用时除以 "
     "1.25；各收益之积即总收益。每步下方列出其改变最大的指标。**并排比较**"
     "列出解释用时的模型指标：几乎全程繁忙的执行管线"
     "即为瓶颈。若装有 NVIDIA 的 "
     "ncu，还对实测调度的线程束采样：它们把多少用时花在等待什么上，这不出自模型，由此可知一个调度为何更快。最后把各决策"
     "改为相邻取值：胜者的用时会多或少多少。"},
    {"With a GPU all states are measured in one run, so that they compare. Without one they are predicted from the "
     "program. Of the changes that are possible next, the path takes the one that is predicted to be fastest.",
     "有 GPU 时所有状态在同一次运行中测量，可以相互比较；否则由程序预测。路径的顺序是每步都走向预测最快的状态。"},
    {"Point at a row: all panels show its program. Click: its steps become a branch of the history.",
     "指向一行：所有面板显示其程序。单击：其步骤成为历史的一个分支。"}};

}  // namespace loom::text::winner

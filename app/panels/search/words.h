#pragma once

#include "app/text/help.h"

/// The texts of the panel Search, each in English and Chinese; {} stands for a value that is filled in, a number unless
/// a comment says otherwise. Times come with their unit, "86.5 µs"; kBest has the best time.
namespace loom::text::search {

inline constexpr Text kTitle{"Search", "搜索"};
// The button: kStart, or kRace if several strategies are chosen; kStop while a search runs.
inline constexpr Text kStart{"Search", "搜索"};
inline constexpr Text kRace{"Race", "对比"};
inline constexpr Text kStop{"Stop", "停止"};
inline constexpr Text kStartTip{
    "Looks for the fastest schedule of those that rules make of the open program. Rounds of candidates are compiled "
    "and "
    "measured; the history stays as it is until a dot is clicked.",
    "在规则由当前程序生成的调度中寻找最快者。候选调度分轮编译并测量；点击圆点之前历史不变。"};
inline constexpr Text kStopTip{"Ends after the running round; what was found stays", "本轮结束后停止，已找到的保留"};
inline constexpr Text kStopping{"stops after this round…", "本轮结束后停止……"};
inline constexpr Text kStrategiesTip{
    "Several make a race: each begins anew and has the whole budget, one after another, all in one plot",
    "选多个即为对比：逐个从头开始，各用全部预算，画在同一幅图中"};
inline constexpr Text kTrials{"candidates", "候选数"};
inline constexpr Text kTrialsTip{"How many each strategy measures at most; a change holds from the next round on",
                                 "每种策略最多测量的候选数；改动从下一轮起生效"};
inline constexpr Text kSeconds{"GPU seconds", "GPU 秒数"};
inline constexpr Text kSecondsTip{
    "How long each strategy may use the device; a change holds from the next round on, and a round that has begun is "
    "finished",
    "每种策略可使用设备的时间；改动从下一轮起生效，已开始的一轮会做完"};

inline constexpr Text kFunnel{"funnel", "漏斗"};
/// The prediction is corrected by what was measured until then.
inline constexpr Text kFunnelTip{"By corrected prediction: children and neighbours of the best, half drawn uniformly",
                                 "按修正后的预测：最佳者的子代与邻居，一半均匀抽取"};
inline constexpr Text kEvolution{"evolution", "进化"};
inline constexpr Text kEvolutionTip{"Children of the best measured, ranked by prediction",
                                    "实测最佳者的子代，按预测排序"};
inline constexpr Text kCoordinate{"one at a time", "逐项改动"};
inline constexpr Text kCoordinateTip{"The best measured with one decision changed", "实测最佳者改动一个决策"};
inline constexpr Text kRandom{"random", "随机"};
inline constexpr Text kRandomTip{"Drawn uniformly, whatever is predicted", "均匀抽取，不看预测"};

inline constexpr Text kExhaustive{"exhaustive", "穷举"};
inline constexpr Text kExhaustiveTip{
    "All schedules of the counted space in a fixed order, those first that the formula likes, until the budget is "
    "spent",
    "按固定顺序遍历已计数空间中的全部调度，公式认为快的在前，直到预算用尽"};
inline constexpr Text kEnumerated{"in order", "依序"};
/// Schedules that an exhaustive search has enumerated, all schedules, and the share of the former.
inline constexpr Text kSeen{"{} of {} schedules seen, {} %", "已遍历 {} / {} 个调度，{} %"};

inline constexpr Text kConstruction{"construction", "构造"};
inline constexpr Text kFormula{"formula", "公式"};
inline constexpr Text kUniform{"drawn", "抽取"};
inline constexpr Text kChild{"child", "子代"};
inline constexpr Text kNeighbour{"neighbour", "邻居"};

inline constexpr Text kBest{"best {}", "最佳 {}"};
/// The best kernel's speed in per cent of the vendor's library's ("98.5 %"), the name of that library, and its time.
inline constexpr Text kOfVendor{"{} of {}, which takes {}", "为 {1} 的 {0}，后者用时 {2}"};
/// In the plot, on the line of the user's own schedule, whose time is known once the winner is explained.
inline constexpr Text kYourSchedule{"your schedule", "你的调度"};
inline constexpr Text kTie{"The first two are a tie: their times overlap.", "前两名不分胜负：用时重叠。"};
inline constexpr Text kIdle{
    "A search draws schedules from the space that rules make of this program, ranks them by the models, and measures "
    "the "
    "most promising ones.",
    "搜索从规则由此程序生成的空间中抽取调度，按模型排序，并测量最有希望的。"};
/// The name of the device that the models are for.
inline constexpr Text kNoDevice{
    "There is no GPU here: schedules are drawn and ranked by the models for {}, nothing is measured.",
    "这里没有 GPU：按 {} 的模型抽取调度并排序，不作测量。"};
inline constexpr Text kOnCpu{"The CPU executor's times say nothing of a GPU.", "CPU 执行器的用时不能说明 GPU 的快慢。"};
/// The message of the error.
inline constexpr Text kFailed{"The search ended: {}", "搜索中止：{}"};
/// Kernels measured and the limit for that; seconds of the GPU spent and the limit for that.
inline constexpr Text kSpent{"{} of {} measured, {} of {} GPU s", "已测量 {} / {}，GPU 用时 {} / {} 秒"};
/// The number of schedules that were ranked; nothing is measured.
inline constexpr Text kRanked{"{} looked at", "已查看 {}"};

// Plots: their titles (kRankedPlot in place of the other two without a device), the titles' tooltips, the names of the
// x axes, and what stands in a plot without dots.
inline constexpr Text kBestSoFar{"Best so far", "当前最佳"};
inline constexpr Text kBestSoFarTip{"Time of each candidate, by the GPU seconds used until then",
                                    "各候选的用时，横轴为当时已用的 GPU 秒数"};
inline constexpr Text kRankedPlot{"Predicted", "预测"};
inline constexpr Text kRankedTip{"Predicted time of each schedule, in the order in which they were drawn",
                                 "各调度的预测用时，按抽取顺序"};
inline constexpr Text kError{"Predicted and measured", "预测与实测"};
inline constexpr Text kErrorTip{
    "On the line a prediction is right; filled: of the machine code, rings: of the program as written",
    "线上为预测正确；实心：由机器码预测，空心：由程序预测"};
inline constexpr Text kAxisGpu{"GPU s", "GPU 秒"};
inline constexpr Text kAxisDrawn{"drawn", "序号"};
inline constexpr Text kAxisPredicted{"predicted µs", "预测 µs"};
inline constexpr Text kNothingYet{"nothing measured yet", "尚无测量结果"};

// The table of tiers (the counted space, the formula, the two models and the device): heads of its columns (kEach: the
// time for one schedule), and names of the tiers.
inline constexpr Text kTiers{"What each tier cost", "各层的代价"};
inline constexpr Text kTier{"tier", "层"};
inline constexpr Text kCount{"schedules", "调度数"};
inline constexpr Text kCost{"took", "用时"};
inline constexpr Text kEach{"each", "每个"};
inline constexpr Text kOffBy{"off by", "误差"};
inline constexpr Text kOffByTip{"Median of how far its predictions are from the measured times",
                                "其预测与实测用时之差的中位数"};
inline constexpr Text kSpaceTier{"space, counted", "空间（计数）"};
/// A family: the schedules with the same tile sizes and number of pipeline stages.
inline constexpr Text kFormulaTier{"formula of all families", "公式（全部族）"};
inline constexpr Text kProgramTier{"model of the program", "程序模型"};
inline constexpr Text kCodeTier{"model of the machine code", "机器码模型"};
inline constexpr Text kDeviceTier{"device", "设备"};
inline constexpr Text kUncounted{"not counted", "未计数"};

inline constexpr Text kPreparing{"Counts the space, and asks workers which devices they have…",
                                 "正在统计空间，并查询工作进程的设备……"};
inline constexpr Text kWorkers{"Workers", "工作进程"};
// The field for commands that start workers: its label, what it shows while it is empty, and its tooltip.
inline constexpr Text kWorkersField{"workers", "工作进程"};
inline constexpr Text kWorkersHint{"this machine's device", "本机设备"};
inline constexpr Text kWorkersTip{
    "Commands that start workers on other machines or GPUs, several separated by \";\", each repeated by the count at "
    "its "
    "end:\n"
    "ssh host tileloom worker ×4; srun -N1 --gres=gpu:1 tileloom worker ×8\n"
    "They start with the search and end with it. Empty: this machine's device measures.",
    "在其他机器或 GPU 上启动工作进程的命令，多条以“;”分隔，末尾的数字为重复次数：\n"
    "ssh host tileloom worker ×4; srun -N1 --gres=gpu:1 tileloom worker ×8\n"
    "它们随搜索启动和结束。留空：由本机设备测量。"};
/// Kernels that have a result, all kernels, those that wait for a worker, and those that another worker gets because
/// their first one ended.
inline constexpr Text kQueue{"{} of {} settled · {} wait · {} go to another worker",
                             "已完成 {} / {} · {} 个等待 · {} 个转给其他工作进程"};
// The table of workers: heads of its columns and their tooltips, and from kHolds to kOver what stands in the column
// kDoes. Where there is no room for the table, kFigures, kLeaseLeft and kEndedLast stand below what a worker does.
inline constexpr Text kWorkerNumber{"no.", "编号"};
inline constexpr Text kWorkerNumberTip{"Its command is shown while the mouse is over the row",
                                       "鼠标悬停于行上时显示其命令"};
inline constexpr Text kDoes{"does", "状态"};
inline constexpr Text kDoesTip{"What it does: it starts, waits for a kernel, or holds one of the round",
                               "正在做什么：启动中、等待核函数，或持有本轮的一个核函数"};
inline constexpr Text kLease{"lease", "租约"};
inline constexpr Text kLeaseTip{
    "How long it may still be silent: after {} s without a sign of life it is killed, and what it holds goes to "
    "another "
    "worker, once",
    "还可以沉默多久：{} 秒没有动静即被终止，所持核函数转给另一工作进程，仅一次"};
inline constexpr Text kDone{"done", "完成"};
inline constexpr Text kDoneTip{"Kernels that it measured, or reported a failure of", "已测量或报告失败的核函数数"};
inline constexpr Text kLost{"lost", "丢失"};
inline constexpr Text kLostTip{"Kernels that were lost with it, because it died or was too late",
                               "因其终止或超时而丢失的核函数数"};
inline constexpr Text kLastEnd{"ended last", "上次结束"};
inline constexpr Text kLastEndTip{"Why its process ended last, or why it was taken out",
                                  "其进程上次结束或被剔除的原因"};
/// Of one worker: kernels that it answered, which kDone counts, too, whether it measured them or reported a failure,
/// and kernels that it held when it ended.
inline constexpr Text kFigures{"{} done, {} lost", "完成 {} 个，丢失 {} 个"};
/// The reason, a sentence.
inline constexpr Text kEndedLast{"ended last: {}", "上次结束：{}"};
inline constexpr Text kLeaseLeft{"lease {} s", "租约剩余 {} 秒"};
/// In this and kHoldsAgain: the number of the kernel in its round, from 1, and seconds since the worker got it.
inline constexpr Text kHolds{"holds {} for {} s", "持有 {}，已 {} 秒"};
inline constexpr Text kHoldsAgain{"holds {} for {} s, second try", "持有 {}，已 {} 秒，第二次尝试"};
inline constexpr Text kIdleWorker{"waits", "空闲"};
inline constexpr Text kStarting{"starts", "启动中"};
inline constexpr Text kStartsIn{"starts again in {} s", "{} 秒后重新启动"};
inline constexpr Text kEnding{"is killed", "正在终止"};
inline constexpr Text kOut{"taken out", "已剔除"};
inline constexpr Text kOver{"ended", "已结束"};

// The table of the fastest schedules: heads of its columns, and parts of a text under kWhat, in which {} is a number of
// threads or of pipeline stages.
inline constexpr Text kFastest{"Fastest", "最快"};
inline constexpr Text kTime{"time", "用时"};
inline constexpr Text kOfBest{"of best", "相对最佳"};
inline constexpr Text kOrigin{"origin", "来源"};
inline constexpr Text kWhat{"what", "内容"};
inline constexpr Text kThreads{"{} threads", "{} 个线程"};
inline constexpr Text kStage{"{} stage", "{} 级"};
inline constexpr Text kStages{"{} stages", "{} 级"};
// The title of the list of reasons why candidates were discarded, and what stands there without any.
inline constexpr Text kDeaths{"Why some failed", "失败原因"};
inline constexpr Text kNoDeaths{"None failed.", "没有失败。"};
/// Four values of a schedule: a text of its tile sizes, threads and stages; where it comes from (kConstruction to
/// kNeighbour, or kEnumerated); its measured and its predicted time ("–" if not known).
inline constexpr Text kTip{"{} · {}\nmeasured {} · predicted {}", "{} · {}\n实测 {} · 预测 {}"};
inline constexpr Text kClick{"Click: a branch of the history with its steps", "单击：以其步骤在历史中建立分支"};
/// The name of the state that a clicked schedule becomes in the history; {}: the schedule's time.
inline constexpr Text kName{"search: {}", "搜索：{}"};

inline constexpr PanelHelp kHelp{
    {"A search for the fastest schedule of the open program, as it runs: the best time so far, each candidate as a "
     "dot, "
     "and how far predictions are off.",
     "对当前程序最快调度的搜索过程：当前最佳用时、以圆点表示的各候选，以及预测的误差。"},
    {"A dot is a measured candidate, its colour says where it came from: *construction* by rules, best by a "
     "*formula*, *drawn* from the space, "
     "*child* of two good ones, *neighbour* with one decision changed, *in order* of all. In a race the colour is the "
     "strategy's. The "
     "dashed lines are the vendor's library and, once the winner is explained, your schedule. The table of tiers: how "
     "many schedules each looked at, what that took, and its "
     "error.",
     "圆点是已测量的候选，颜色表示来源：规则的*构造*、*公式*排序靠前者、空间中的*抽取*、两个优者的*子代*"
     "、改动一个决策的*邻居*、全部调度*依序*。对比时颜色代表策略。"
     "虚线是厂商库，以及解释胜者后你的调度。各层表：各查看了多少调度、用时与误差。"},
    {"Times are measured on the device here, results are checked before they are timed, and the fastest four are "
     "measured "
     "once more side by side. Without a GPU everything is predicted.",
     "用时在此处的设备上测量，先检查结果再计时，最快的四个再并排测量一次。没有 GPU 时全为预测。"},
    {"Point at a dot or a row: all panels show its program. Click: its steps become a branch of the history. The "
     "budget "
     "can be changed while the search runs.",
     "指向圆点或行：所有面板显示其程序。单击：其步骤成为历史的一个分支。搜索过程中可更改预算。"}};

}  // namespace loom::text::search

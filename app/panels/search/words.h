#pragma once

#include "app/text/help.h"

/// The words of the panel Search.
namespace loom::text::search {

inline constexpr Text kTitle{"Search", "搜索"};
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
inline constexpr Text kStrategies{"strategy", "策略"};
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
inline constexpr Text kSeen{"{} of {} schedules seen, {} %", "已遍历 {} / {} 个调度，{} %"};

inline constexpr Text kConstruction{"construction", "构造"};
inline constexpr Text kFormula{"formula", "公式"};
inline constexpr Text kUniform{"drawn", "抽取"};
inline constexpr Text kChild{"child", "子代"};
inline constexpr Text kNeighbour{"neighbour", "邻居"};

inline constexpr Text kBest{"best {}", "最佳 {}"};
inline constexpr Text kOfVendor{"{} of {}, which takes {}", "为 {1} 的 {0}，后者用时 {2}"};
inline constexpr Text kTie{"The first two are a tie: their times overlap.", "前两名不分胜负：用时重叠。"};
inline constexpr Text kIdle{
    "A search draws schedules from the space that rules make of this program, ranks them by the models, and measures "
    "the "
    "most promising ones.",
    "搜索从规则由此程序生成的空间中抽取调度，按模型排序，并测量最有希望的。"};
inline constexpr Text kNoDevice{
    "There is no GPU here: schedules are drawn and ranked by the models for {}, nothing is measured.",
    "这里没有 GPU：按 {} 的模型抽取调度并排序，不作测量。"};
inline constexpr Text kOnCpu{"The CPU executor's times say nothing of a GPU.", "CPU 执行器的用时不能说明 GPU 的快慢。"};
inline constexpr Text kFailed{"The search ended: {}", "搜索中止：{}"};
inline constexpr Text kSpent{"{} of {} measured, {} of {} GPU s", "已测量 {} / {}，GPU 用时 {} / {} 秒"};
inline constexpr Text kRanked{"{} looked at", "已查看 {}"};

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

inline constexpr Text kTiers{"What each tier cost", "各层的代价"};
inline constexpr Text kTier{"tier", "层"};
inline constexpr Text kCount{"schedules", "调度数"};
inline constexpr Text kCost{"took", "用时"};
inline constexpr Text kEach{"each", "每个"};
inline constexpr Text kOffBy{"off by", "误差"};
inline constexpr Text kOffByTip{"Median of how far its predictions are from the measured times",
                                "其预测与实测用时之差的中位数"};
inline constexpr Text kSpaceTier{"space, counted", "空间（计数）"};
inline constexpr Text kFormulaTier{"formula of all families", "公式（全部族）"};
inline constexpr Text kProgramTier{"model of the program", "程序模型"};
inline constexpr Text kCodeTier{"model of the machine code", "机器码模型"};
inline constexpr Text kDeviceTier{"device", "设备"};
inline constexpr Text kUncounted{"not counted", "未计数"};

inline constexpr Text kFastest{"Fastest", "最快"};
inline constexpr Text kTime{"time", "用时"};
inline constexpr Text kOfBest{"of best", "相对最佳"};
inline constexpr Text kOrigin{"origin", "来源"};
inline constexpr Text kWhat{"what", "内容"};
inline constexpr Text kThreads{"{} threads", "{} 个线程"};
inline constexpr Text kStage{"{} stage", "{} 级"};
inline constexpr Text kStages{"{} stages", "{} 级"};
inline constexpr Text kDeaths{"Died of", "失败原因"};
inline constexpr Text kNoDeaths{"None died.", "没有失败。"};
inline constexpr Text kTip{"{} · {}\nmeasured {} · predicted {}", "{} · {}\n实测 {} · 预测 {}"};
inline constexpr Text kClick{"Click: a branch of the history with its steps", "单击：以其步骤在历史中建立分支"};
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
     "dashed "
     "line is the vendor's library. The table of tiers: how many schedules each looked at, what that took, and its "
     "error.",
     "圆点是已测量的候选，颜色表示来源：规则的*构造*、*公式*排序靠前者、空间中的*抽取*、两个优者的*子代*"
     "、改动一个决策的*邻居*、全部调度*依序*。对比时颜色代表策略。"
     "虚线是厂商库。各层表：各查看了多少调度、用时与误差。"},
    {"Times are measured on the device here, results are checked before they are timed, and the fastest four are "
     "measured "
     "once more side by side. Without a GPU everything is predicted.",
     "用时在此处的设备上测量，先检查结果再计时，最快的四个再并排测量一次。没有 GPU 时全为预测。"},
    {"Point at a dot or a row: all panels show its program. Click: its steps become a branch of the history. The "
     "budget "
     "can be changed while the search runs.",
     "指向圆点或行：所有面板显示其程序。单击：其步骤成为历史的一个分支。搜索过程中可更改预算。"}};

}  // namespace loom::text::search

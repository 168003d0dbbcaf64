#pragma once

#include "app/text/help.h"

/// The texts of the panel Plan, each in English and Chinese; {} stands for a value that is filled in.
namespace loom::text::plan {

inline constexpr Text kTitle{"Plan", "计划"};
// From here to kBranch: the page kRules. kAskingRules stands there until the rules have been evaluated, and
// kStageInline to kStageRest are headings over the rules of a stage.
inline constexpr Text kRules{"Rules", "规则"};
inline constexpr Text kAskingRules{"The rules look at the program…", "规则正在查看程序……"};
inline constexpr Text kStageInline{"Inline", "内联"};
inline constexpr Text kStageMemory{"Memory hierarchy", "存储层次"};
inline constexpr Text kStageRest{"The rest", "其余"};
// The condition under which a rule applies.
inline constexpr Text kAppliesTo{"Applies to: {}", "适用于：{}"};
// Stands before the list from which a sketch is chosen.
inline constexpr Text kSketch{"sketch", "调度框架"};
// Names of sketches (schedules with open decisions), for translation: the core has them in English.
inline constexpr Text kByThreads{"threads", "线程"};
inline constexpr Text kByCores{"CUDA cores", "CUDA 核心"};
inline constexpr Text kByCoresByWarps{"CUDA cores, warps", "CUDA 核心，按线程束"};
inline constexpr Text kByCoresInSlices{"CUDA cores, k in slices", "CUDA 核心，k 分片"};
inline constexpr Text kAcrossCluster{" across a cluster", "，跨线程块簇"};
inline constexpr Text kFactorsSwapped{", factors swapped", "，交换因子"};
inline constexpr Text kInParts{", k in {} parts", "，k 分为 {} 份"};

inline constexpr Text kTf32{"allow tf32", "允许 tf32"};
inline constexpr Text kTf32Tip{
    "Tensor cores multiply float32 as tf32: of each factor's 23 digits 10 count, and the sum stays float32. Without "
    "this, "
    "rules use CUDA cores. The search goes by it, too.",
    "张量核心把 float32 当作 tf32 相乘：每个因子的 23 位尾数只保留 10 位，累加仍为 float32。不勾选时规则使用 CUDA "
    "核心。搜索也依此进行。"};
// The name of a decision.
inline constexpr Text kDecisionTip{"{}: the values that go with the others and with the steps that are taken",
                                   "{}：与其他取值及已有步骤相容的取值"};
// Ends the list of the values of a decision: how many more it has, none of which goes with the other decisions' values.
inline constexpr Text kDeadValues{"{} others go with none of them", "另有 {} 个取值与之不相容"};
// The tooltip of the button kPress of a rule; {}: the number of step lines.
inline constexpr Text kUpToRule{
    "Appends the lines of the rules up to this one, {} in all: a fold of the history for each.",
    "追加到这条规则为止的步骤，共 {} 行：每条规则在历史中为一组。"};
inline constexpr Text kReadAgain{"Read rule files again", "重新读取规则文件"};
inline constexpr Text kReadAgainTip{
    "Rules of one's own are files in the folder rules of tileloom's user data; assets/rules/README.md says how.",
    "自定义规则是用户数据文件夹 tileloom/rules 中的文件，写法见 assets/rules/README.md。"};
// The button that applies all rules: kApplyAll while none is applied, else kRest; kRestTip is its tooltip, and kAllDone
// stands in its place once all are applied.
inline constexpr Text kRest{"Apply the rest", "应用其余规则"};
inline constexpr Text kApplyAll{"Apply all", "全部应用"};
inline constexpr Text kRestTip{"Appends the {} lines of all rules that are left, a fold of the history for each rule.",
                               "追加其余规则的步骤，共 {} 行，每条规则在历史中为一组。"};
inline constexpr Text kAllDone{"All rules are applied.", "所有规则均已应用。"};
// The name of the sketch, the predicted time with its unit, and the device.
inline constexpr Text kBuilt{"{}: {} predicted on {}", "{0}：在 {2} 上预测 {1}"};
inline constexpr Text kBuiltUnpredicted{"{}: no time predicted", "{}：没有预测时间"};
// The title of the folded list of choices, each with its reason, by which the values of the decisions were constructed.
inline constexpr Text kOneStep{"Constructed in {} step", "构造共 {} 步"};
inline constexpr Text kSteps{"Constructed in {} steps", "构造共 {} 步"};
// Stands below the button kRest or kApplyAll if it makes a branch; {}: the number of the step at which this begins.
inline constexpr Text kBranch{"A branch at step {}: from there on the history has other steps.",
                              "在第 {} 步形成分支：之后历史中是其他步骤。"};
// From here on: the page kToTensorCores, of the four passes. kAsking stands there until they have been tried; kPress is
// the button of one pass, rule or row, kUpTo its tooltip for a pass, and kDone marks an applied pass or rule.
inline constexpr Text kToTensorCores{"To tensor cores", "到张量核心"};
inline constexpr Text kAsking{"The passes look at the program…", "各遍正在查看程序……"};
inline constexpr Text kAll{"Apply all four", "应用全部四遍"};
inline constexpr Text kPress{"Apply", "应用"};
inline constexpr Text kUpTo{"Applies the {} step lines of the passes up to this one.",
                            "应用到这一遍为止的 {} 行步骤。"};
inline constexpr Text kAtStart{"The lines begin at step {}, where the product is a plain loop nest: a branch.",
                               "这些步骤从第 {} 步开始，那里乘积是普通的循环嵌套：成为一个分支。"};
inline constexpr Text kDone{"applied", "已应用"};
// Pass 1: headings over the statement that tensor cores compute, over the block's, and over the first part that
// differs; kTile stands before the buttons that choose the size of the product.
inline constexpr Text kExpected{"expected", "期望"};
inline constexpr Text kFound{"found", "实际"};
inline constexpr Text kUnequal{"first unequal", "首个不同"};
inline constexpr Text kTile{"tile", "分块"};
// Pass 2: the button that exchanges the operands, and the head of the column with kByRows, kByColumns or kTurned.
inline constexpr Text kSwap{"Swap a and b", "交换 a 和 b"};
inline constexpr Text kLies{"lies", "存放"};
inline constexpr Text kByRows{"by rows", "按行"};
inline constexpr Text kByColumns{"by columns", "按列"};
// How an operand lies in memory: kByRows or kByColumns.
inline constexpr Text kTurned{"{}, turned in shared memory", "{}，在共享内存中转置"};
// Pass 3: titles of the two pictures of a warp's tile (lanes.h).
inline constexpr Text kBefore{"before: by lanes", "之前：按线程"};
inline constexpr Text kAfter{"after: by tiles", "之后：按分块"};
// Pass 4: heads of the table of loops: a loop, its extent before and after, and why it changes.
inline constexpr Text kLoop{"loop", "循环"};
inline constexpr Text kWas{"before", "之前"};
inline constexpr Text kIs{"after", "之后"};
inline constexpr Text kReason{"why", "原因"};
// The title of the folded step lines of a rule or pass.
inline constexpr Text kLine{"{} step line", "{} 行步骤"};
inline constexpr Text kLines{"{} step lines", "{} 行步骤"};
// The part below the four passes: its title, a question, the button kPredict, and what stands while rows are tried.
// Each row is a further change of the schedule; kOnTheEnd stands above the rows while not all passes are applied.
inline constexpr Text kPerformance{"Performance", "性能"};
inline constexpr Text kFasterQuestion{"What general measures make it faster?", "有哪些通用的做法能使其更快？"};
inline constexpr Text kPredict{"Predict", "预测"};
inline constexpr Text kPredicting{"Each row is tried and its time predicted…", "正在逐行试做并预测其时间……"};
inline constexpr Text kOnTheEnd{"Each applies the four passes as well.", "每一行也会应用四遍。"};

inline constexpr PanelHelp kHelp{
    {"**Rules**: what an automatic scheduler decides, one rule after the other, each as step lines to press. **To "
     "tensor "
     "cores**: four passes that take a matrix product there, each with a question and its answer.",
     "**规则**：自动调度器逐条作出的决定，每条都是可以按下的步骤。**到张量核心**"
     "：把矩阵乘积带到张量核心的四遍，每一遍都有"
     "一个问题和回答。"},
    {"✓ is a rule that applies, – one that doesn't; both with the numbers that they looked at. Below a rule stand the "
     "decisions that it opens, with the values that were constructed. ✓ and ✗ of the passes say whether one succeeds.",
     "✓ 表示规则适用，– 表示不适用，都附有所查看的数字。规则下方是它留下的决策及构造出的取值。各遍的 ✓ 和 ✗ "
     "表示是否成功。"},
    {"A schedule is constructed in less than a second, without a search and without a GPU; its time is predicted. All "
     "lines have been tried on the program.",
     "调度在一秒内构造完成，无需搜索和 GPU；时间为预测值。所有步骤都已在程序上试过。"},
    {"*Apply* takes the rules up to that one, *Apply the rest* all. A value can be changed before, or later by editing "
     "the "
     "step. Hover over or click a pass: what it looked at is selected in all panels.",
     "“应用”会应用到这条规则为止，“应用其余规则”则应用全部。取值可事先更改，也可之后修改步骤。悬停或单击某一遍：它所查"
     "看的内容"
     "在所有面板中被选中。"}};

}  // namespace loom::text::plan

#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The texts of the panel History; texts that it shares with other panels are in app/text/panels.h. Each is in English
/// and Chinese. In each, `{…}` stands for a number, name or text that is filled in.
namespace loom::text::history {

// From here to kCancel: the editor of a step's arguments, which kEdit opens from the context menu of a row.
inline constexpr Text kEdit{"Edit step…", "修改这一步…"};
inline constexpr Text kEditTitle{"Step {} with other arguments", "修改第 {} 步的参数"};
/// Stands below the arguments until one of them is changed.
inline constexpr Text kEditHelp{
    "Change the arguments: here stands what becomes of the states that follow, before anything is replaced.",
    "修改参数后，这里会先说明之后的状态会怎样，然后才会替换。"};
inline constexpr Text kReplaying{"Replaying what follows…", "正在重放之后的步骤……"};
inline constexpr Text kNothingChanges{"No program changes.", "没有程序会改变。"};
/// The number of states, and the numbers of the steps that lead to them, "3–5, 8"; also in kNoKernels.
inline constexpr Text kChanges{"states that change: {0} ({1})", "{0} 个状态会改变：{1}"};
/// {1}: the predicted times before and after the edit, or kCompilingEffect.
inline constexpr Text kEffect{"State {0}: {1}", "状态 {0}：{1}"};
inline constexpr Text kCompilingEffect{"compiling both programs…", "正在编译前后两个程序……"};
inline constexpr Text kNothingBreaks{"Every step that follows still applies, and what is a kernel stays one.",
                                     "之后的每一步仍然可用，原来是核函数的状态仍是核函数。"};
inline constexpr Text kLooking{"Looking whether all that are kernels stay kernels…",
                               "正在检查原来的核函数是否仍是核函数……"};
inline constexpr Text kNoKernels{"states that are no kernel any more: {0} ({1})", "{0} 个状态不再是核函数：{1}"};
/// The heading of the list of these steps, each with the reason, behind which kGone stands: how many states that follow
/// the step's state would be deleted with it.
inline constexpr Text kBreaks{"steps that no longer apply: {}", "{} 个步骤不再可用："};
inline constexpr Text kGone{"states after it that go, too: {}", "其后 {} 个状态也会消失"};
inline constexpr Text kReplay{"Replace and replay", "替换并重放"};
inline constexpr Text kReplayHelp{"↵  The states that change are changed in their places; undo brings them back.",
                                  "↵  会改变的状态就地更新；撤销可恢复。"};
inline constexpr Text kReplayBranch{"Replay as a branch", "作为分支重放"};
inline constexpr Text kReplayBranchHelp{
    "What is there stays; the step and what follows it on this way become a branch, to be compared with it.",
    "现有状态保留；这一步及其后的步骤成为一条分支，可与原来的比较。"};
inline constexpr Text kCancel{"Cancel", "取消"};
// Tags at the right of a row, on its step (kAnnotated, kForeign) or state (kBest). The other texts stand in the row's
// tooltip.
inline constexpr Text kAnnotated{"annotated", "注解"};
inline constexpr Text kAnnotatedHelp{
    "Annotated: computes the same in order, and TVM applies and prints the step; only kernels made here follow it.",
    "注解：按顺序执行的结果不变，TVM 能应用并打印这一步；只有这里生成的核函数按它执行。"};
inline constexpr Text kForeign{"foreign", "外来"};
inline constexpr Text kForeignHelp{
    "Foreign: memory or an operation that TVM doesn't have. It takes the step as another one, and its kernel computes "
    "something else or can't be built; only kernels made here follow it.",
    "外来：TVM 没有的存储或操作。TVM "
    "会把这一步当作别的，它的核函数算出别的结果或无法生成；只有这里生成的核函数按它执行。"};
inline constexpr Text kBest{"best", "最快"};
inline constexpr Text kBestOf{"Of the times that were measured or recorded; predicted ones (≈) don't count.",
                              "在测量或记录的时间中最快；预测值（≈）不算在内。"};
/// The nearest earlier step whose state has a time: its number, and the predicted and the measured time of that state.
inline constexpr Text kPredictedBase{"To compare with: of step {0} the model says {1}; measured or recorded is {2}.",
                                     "可比较：模型对第 {0} 步的预测是 {1}，测量或记录的是 {2}。"};
inline constexpr Text kSlower{"▲ slower: {0:.2f} × the time of step {1}", "▲ 变慢：时间是第 {1} 步的 {0:.2f} 倍"};
inline constexpr Text kNumber{"step {} from the start; states on other branches with this number: {}",
                              "从起点数第 {} 步；其他分支上有 {} 个状态同号"};
// Entries of context menus: kDeleteAll in that of a state, with the number of states after it; the next two in that of
// a fold's title.
inline constexpr Text kDeleteAll{"Delete with the {} after it", "连同其后 {} 个状态一起删除"};
inline constexpr Text kDeleteSteps{"Delete these {} steps", "删除这 {} 步"};
inline constexpr Text kDeleteStepsAll{"Delete these {0} steps with the {1} after them",
                                      "删除这 {0} 步及其后 {1} 个状态"};
/// The number of steps of a fold: kSteps at the right of its title while the steps are hidden; kMoreSteps at the end of
/// the list of its first steps in the tooltip.
inline constexpr Text kSteps{"{} steps", "{} 步"};
inline constexpr Text kMoreSteps{"and {} more", "另有 {} 步"};
// Tooltips of the triangles before the title of a fold and, from kFold on, at a branch; kFolded stands in the
// tooltip of the row of a folded branch.
inline constexpr Text kShowSteps{"Show the steps one by one", "逐步显示"};
inline constexpr Text kHideSteps{"Hide the steps under this title", "把各步收在此标题下"};
inline constexpr Text kFold{"Fold this branch", "折叠此分支"};
inline constexpr Text kUnfold{"Unfold this branch", "展开此分支"};
inline constexpr Text kFolded{"a branch of {} states", "分支，共 {} 个状态"};
/// Stands behind kFolded: the number of the step to the fastest state of the branch, and its time.
inline constexpr Text kFastest{", the fastest: step {}, {}", "，最快：第 {} 步，{}"};

inline constexpr PanelHelp kHelp{
    {"Every state that you or the lesson made, as a tree: each row is one step applied to the state above it; "
     "another step from the same state begins a branch. Steps that a rule, a construction or advice applied at once "
     "stand under one title.",
     "你和课程得到的所有状态，排成一棵树：每行是在其上方状态上应用的一步；从同一状态再走另一步就形成分支。"
     "规则、构造或建议一次应用的若干步收在一个标题下。"},
    {"The first way that was taken goes straight on, others branch off and are folded until one goes there. The "
     "filled dot has a time, a ring has none. The bold line leads to the state on show; the star marks the "
     "fastest, and green dots with a tick the path to it. `*` is pinned. **B** is the state that all panels are "
     "compared with. An orange triangle: slower "
     "than the measured state before. Numbers count the steps from the start, here and in the comments of the CUDA "
     "text, so that "
     "branches repeat them.",
     "最先走的路径一直向下，其他路径是分支，进入之前折叠着。实心点有时间，圆环没有。粗线通向当前状态，星号标出最快"
     "的状态，"
     "带短线的绿点是通往它的路径。`*` 表示已固定。**B** 是所有面板与之比较的状态。"
     "橙色三角：比之前测得的状态慢。编号从起点数起，CUDA 注释中也是，因此各分支会有相同的编号。"},
    {"Times are measured here, or recorded on the device that the hover names.",
     "时间在本机测得，或在悬停提示所说的设备上记录。"},
    {"Click a row to go there; the triangle before a title shows its steps. Right-click: name, note, pin, edit the "
     "step's arguments and replay (F2), compare with, delete (Del). Ctrl+Z takes back.",
     "单击一行即可回到该状态；标题前的三角形展开其各步。右键：名称、备注、固定、修改这一步的参数并重放（F2）、与之比较"
     "、"
     "删除（Del）。Ctrl+Z 撤销。"}};

}  // namespace loom::text::history

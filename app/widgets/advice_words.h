#pragma once

#include "app/text/text.h"

/// The texts of advice on a kernel's performance, and of the schedule steps that the workbench has tried and proposes.
/// Each is in English and Chinese; `{}`, or `{}` with a number in it, stands for a number or name that is filled in.
namespace loom::text::advice {

inline constexpr Text kNotSearched{"The search for faster steps is off (menu View).",
                                   "未开启搜索更快的步骤（“视图”菜单）。"};
inline constexpr Text kSearchHere{"Search here", "在此搜索"};
/// The texts from here to kNothingToTry, and kStandsBelow, stand below a piece of advice. They say how far the search
/// has come for steps against the problem that the advice names ("it", "this", "that").
inline constexpr Text kBegins{"Steps against it are tried next.", "随后将尝试针对它的步骤。"};
/// {0}: the number of candidates (one or several steps) whose time is predicted already; {1}: the number of all.
inline constexpr Text kTrying{"Trying steps against it: {0} of {1}…", "正在尝试可行的步骤：{0} / {1}……"};
inline constexpr Text kExecutingBest{"All are tried; the best are executed as a check…",
                                     "已全部尝试；正在执行最好的几个以核对……"};
/// {}: number of programs tried. kNoneHelps: no faster one was found at all; kNoneAgainst: only against other problems.
inline constexpr Text kNoneHelps{"Tried {} programs that could help: none is predicted faster.",
                                 "试了 {} 个可能有用的程序：预测都不会更快。"};
inline constexpr Text kNoneAgainst{"None of {} tries against this alone is predicted faster.",
                                   "针对这一项的 {} 个程序均未预测更快。"};
inline constexpr Text kNothingToTry{"No single step does that here: others have to come first.",
                                    "此处任何单个步骤都做不到：须先做其他步骤。"};
/// The heading of a proposal against the problems of several pieces of advice; it stands before kFaster.
inline constexpr Text kTogether{"Against several of these at once", "同时解决上面几项"};
/// The heading of the list of proposed steps.
inline constexpr Text kFaster{"Steps that the model predicts to be faster", "模型预测会更快的步骤"};
inline constexpr Text kBestOf{"Best of {0} programs, from {1} steps.", "从 {1} 个步骤得到的 {0} 个候选程序中选出。"};
inline constexpr Text kTriedSteps{
    "Tried are the steps of all menus, short sequences of them, and other factors of past splits.",
    "尝试了各菜单中的步骤、短步骤序列，以及已用 split 的其他因子。"};
inline constexpr Text kNoneFaster{"Of {0} programs, from {1} steps, the model predicts none to be faster.",
                                  "{1} 个步骤得到 {0} 个程序，模型预测没有一个更快。"};
/// Follows kNoneFaster.
inline constexpr Text kBelowError{"The model may be off by more than a further step would gain.",
                                  "再走一步的收益可能小于模型的误差。"};
inline constexpr Text kExecuted{
    "What is offered was executed on the CPU beside the original program: what was compared is equal.",
    "所列步骤已在 CPU 上与原程序对照执行：比较过的结果一致。"};
/// {}: number of programs.
inline constexpr Text kWrong{
    "{} that promised more compute something else, race or can't be executed; they are left out.",
    "另有 {} 个预测更快，但结果不同、有竞争或无法执行，已舍去。"};
inline constexpr Text kLastWave{"The last wave has {0} blocks where {1} run at once",
                                "最后一波只有 {0} 个线程块，可同时运行 {1} 个"};
inline constexpr Text kLastWaveHelp{
    "Choose other factors in the splits of the loops bound to blockIdx, so that whole waves are filled.",
    "在拆分出绑定到 blockIdx 的循环处换用别的因子，可填满整波。"};
/// {2} is `kRegisters` or `kSharedMemory`.
inline constexpr Text kFewWarps{"{2} allow {0} of {1} warps on an SM", "{2}只容许 SM 上 {1} 个线程束中的 {0} 个"};
inline constexpr Text kFewWarpsHelp{
    "A smaller tile needs less of them: choose other factors in the splits of the thread's, or the block's, loops.",
    "分块更小则占用更少：在拆分出线程或线程块内循环处换用别的因子。"};
/// The same of a kernel whose copy engine fills one buffer.
inline constexpr Text kFewWarpsOneSlotHelp{
    "While there is one buffer, other blocks hide its filling: smaller tiles would let more of them live. With a ring "
    "of slots few warps do no harm.",
    "只有一个缓冲时，靠其他线程块掩盖填充：分块更小则可驻留更多。改用多槽的环后，线程束少也无妨。"};
inline constexpr Text kRegisters{"Registers", "寄存器"};
inline constexpr Text kSharedMemory{"Shared memory's bytes", "共享内存"};
/// The number of the step that is replaced; in kInPlaces, second, how many after it are replaced, too.
inline constexpr Text kInPlace{"in place of step {}", "替换第 {} 步"};
inline constexpr Text kInPlaces{"in place of step {} and {} after it", "替换第 {} 步及其后 {} 步"};
inline constexpr Text kStandsBelow{"The best step against it stands below.", "针对这一项的最好步骤列在下面。"};
inline constexpr Text kAgainst{"Against: {}", "针对：{}"};
inline constexpr Text kSearching{"The search goes on: what it finds comes below.", "搜索仍在进行：新找到的排在下面。"};
inline constexpr Text kBranch{"A branch: in place of step {0} stands this, and the steps after it are applied again.",
                              "新建分支：用它替换第 {0} 步，之后的步骤重新应用。"};

}  // namespace loom::text::advice

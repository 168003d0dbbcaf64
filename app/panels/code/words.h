#pragma once

#include "app/text/help.h"
#include "app/text/text.h"

/// The phrases of the panels TVMScript, CUDA, PTX and SASS: the controls of the code view, and what a hover says of a
/// word of the code, each in English and Chinese. In each phrase `{}` stands for a number or name that is filled in.
/// kLines stands behind the first line of a fold, with the number of hidden lines; kFold and kUnfold are tooltips of
/// the triangle beside it. kWrap, kGone, kOnlyChanges and kUnfoldAll are entries of the context menu; with kGone
/// ticked, the text also shows the lines that only the program compared with has. From kSpatial to kFragment, what a
/// hover shows of an axis or a buffer: kOfBlock takes kSpatial, kReduction or kOpaque and a TIR block's name, kStrides
/// takes strides in elements with commas between, and kDeclared, kEachBlock and kEachThread a size, "16 KiB".
namespace loom::text::code {

inline constexpr Text kLines{"{} lines", "{} 行"};
inline constexpr Text kFold{"Fold (Ctrl+Shift+[)", "折叠（Ctrl+Shift+[）"};
inline constexpr Text kUnfold{"Unfold (Ctrl+Shift+])", "展开（Ctrl+Shift+]）"};
inline constexpr Text kWrap{"Wrap long lines", "长行换行"};
inline constexpr Text kGone{"Lines that only the other state has", "只有另一状态才有的行"};
inline constexpr Text kOnlyChanges{"Fold what did not change", "折叠未改变的部分"};
inline constexpr Text kUnfoldAll{"Unfold all", "全部展开"};

inline constexpr Text kSpatial{"spatial axis", "空间轴"};
inline constexpr Text kReduction{"reduction axis", "归约轴"};
inline constexpr Text kOpaque{"opaque axis", "不透明轴"};
inline constexpr Text kOfBlock{"{} of block {}", "计算块 {1} 的{0}"};
inline constexpr Text kExtent{"extent {}", "长度 {}"};
inline constexpr Text kDeclared{"{} as declared; the kernel allocates what a block needs at a time",
                                "声明为 {}；核函数只分配一个线程块每次所需的部分"};
inline constexpr Text kStrides{"strides [{}]: rows are padded", "步长 [{}]：行有填充"};
inline constexpr Text kEachBlock{"{} per thread block", "每个线程块 {}"};
inline constexpr Text kEachThread{"{} per thread", "每个线程 {}"};
inline constexpr Text kFragment{"spread over the registers of a warp", "分布在一个线程束的寄存器中"};

inline constexpr PanelHelp kScriptHelp{
    {"The program of this state, as TVM 0.22 prints it, letter by letter.",
     "这个状态的程序，与 TVM 0.22 打印的文本逐字相同。"},
    {"`+` and `~` mark lines that the last step added or changed; while two states are compared, what differs from "
     "the other one, and `−` lines that only the other has (the menu hides them). Names of threads and memories "
     "have the colour of their axis or level.",
     "`+` 和 `~` 标出上一步新增或修改的行；比较两个状态时，标出与另一状态的差别，`−` "
     "是只有另一状态才有的行（可在菜单中隐藏）。线程与存储的名称"
     "用其轴或层级的颜色。"},
    {"Nothing here is a number of its own: it is the program.", "这里没有另外的数字：它就是程序本身。"},
    {"Click a line: its loop, block or buffer is selected in every panel. Shift+click or Shift+↑↓ selects several, "
     "Ctrl+C copies, Ctrl+F finds.",
     "单击一行：它的循环、计算块或缓冲区在所有面板中被选中。Shift+单击或 Shift+↑↓ 选多行，Ctrl+C 复制，Ctrl+F "
     "查找。"}};

inline constexpr PanelHelp kCudaHelp{
    {"The CUDA kernel that this state becomes; or why it can't be one, and the step that would make it one.",
     "这个状态变成的 CUDA 核函数；若还不能成为核函数，则说明原因以及能让它成为核函数的步骤。"},
    {"A comment before each block names it and the step that made it. `+` and `~` as in TVMScript.",
     "每个计算块前的注释写明其名称和产生它的步骤。`+` 和 `~` 与 TVMScript 面板相同。"},
    {"This text is what is compiled by NVRTC and measured.", "用 NVRTC 编译并测量的正是这段文本。"},
    {"Click a line: its loop and block are selected everywhere, its instructions in PTX and SASS. Ctrl+C, Ctrl+F "
     "as "
     "in TVMScript. File › Export writes it.",
     "单击一行：它的循环与计算块在各处被选中，它的指令在 PTX 和 SASS 中被选中。Ctrl+C、Ctrl+F 与 TVMScript "
     "面板相同。"
     "“文件 › 导出”可写出。"}};

}  // namespace loom::text::code

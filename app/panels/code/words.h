#pragma once

#include "app/text/text.h"

/// The phrases of the panels TVMScript, CUDA, PTX and SASS: the controls of the code view, and what a hover says of a
/// word of the code. In each phrase `{}` stands for a number or name that is filled in.
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

}  // namespace loom::text::code

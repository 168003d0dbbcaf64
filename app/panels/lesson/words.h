#pragma once

#include "app/text/help.h"

/// The texts of the panel Lesson that no other panel uses; shared texts are in app/text/panels.h. Each is in English
/// and Chinese; `{}` stands for a number or name that is filled in.
namespace loom::text::lesson {

/// The first predicted time in a chapter's text, where none was measured; further ones in the same text are drawn
/// without this phrase.
inline constexpr Text kFigurePredicted{"{} (predicted, not measured)", "{}（预测，并非实测）"};
/// Drawn where no program is open: how to open one.
inline constexpr Text kHowToOpen{
    "The menu Lesson has guided examples. Ctrl+O opens a document or a function, Ctrl+N makes a matrix product, and "
    "Ctrl+V opens a program from the clipboard.",
    "“课程”菜单中有分步示例。Ctrl+O 打开文档或函数，Ctrl+N 新建矩阵乘法，Ctrl+V 打开剪贴板中的程序。"};

/// {0} is the time of the chapter that the text compares with, whose number is {2} and title {3}; {1} is the time of
/// the chapter that is shown.
inline constexpr Text kGain{"{0} → {1}, compared with chapter {2}: {3}", "{0} → {1}，与第 {2} 章“{3}”相比"};
/// A button that scrolls to the chapter's steps, with their number.
inline constexpr Text kStepsBelow{"↓ schedule steps: {}", "↓ 调度步骤：{} 条"};
/// Over the chapter's schedule steps: those that it adds, or those by which it differs from another chapter.
inline constexpr Text kOwnSteps{"Schedule steps of this chapter", "本章的调度步骤"};
/// The title of the other chapter.
inline constexpr Text kOtherSteps{"Schedule steps other than in “{}”", "与“{}”不同的调度步骤"};

// The plot of the configurations that a chapter compares, a dot for each: the lines over it, …
inline constexpr Text kMakingAll{"All configurations are being made…", "正在生成全部配置……"};
inline constexpr Text kKernels{"{} configurations, {} different kernels.", "{} 种配置，{} 个不同的核函数。"};
inline constexpr Text kNoTimes{"None of them has been measured yet.", "它们都还没有测量。"};
/// The button by which the plot's horizontal axis is the predicted time, beside one button for each decision.
inline constexpr Text kOverPredicted{"predicted", "预测"};
// The names of the plot's axes, the vertical one first.
inline constexpr Text kMeasuredAxis{"measured, µs", "测量，µs"};
inline constexpr Text kPredictedAxis{"predicted from the program, µs", "由程序预测，µs"};
/// In a dot's tooltip: the configuration's time divided by that of the fastest one, "1.25".
inline constexpr Text kTimesBest{"{} × the time of the fastest", "最快者用时的 {} 倍"};
inline constexpr Text kClickDot{"Click: a branch with its steps", "单击：带有其步骤的分支"};
// … and the sentences below the plot. A configuration, and its measured time.
inline constexpr Text kFastest{"Fastest: {}, {}.", "最快：{}，{}。"};
/// A configuration, its measured time, and how many kernels are faster.
inline constexpr Text kModelsChoice{"The model would have chosen {}: {}, with {} kernels faster.",
                                    "模型会选 {}：{}，有 {} 个核函数更快。"};
/// The device, the CUDA version of its driver, and the day of the measurement.
inline constexpr Text kRun{"One run on {}, driver {}, {}.", "在 {} 上的一次运行，驱动 {}，{}。"};

inline constexpr PanelHelp kHelp{
    {"One chapter of the lesson: what its steps do, and what to look at. The list above has all chapters.",
     "课程的一章：它的步骤做了什么，该看什么。上面的列表中有所有章节。"},
    {"Underlined words point at something in another panel; under the mouse, words with dots below say what they mean. "
     "`Code` is written as in TVMScript or CUDA. Below the text stand the schedule steps that this chapter has and the "
     "one that it is compared with doesn't, and the other way round.",
     "带下划线的词指向其他面板中的内容；鼠标停在带点线的词上会说明其含义。`代码`的写法与 TVMScript 或 CUDA 相同。"
     "正文下方是本章与其比较的那一章互不相同的调度步骤。"},
    {"Numbers in the text were measured on an H200 or come from the model; the text says which.",
     "正文中的数字来自 H200 上的测量或模型，正文会说明是哪一种。"},
    {"Next and Back go by chapters (PgDn, PgUp), the arrow keys by steps, Play (F5) all the way. Hold the mouse "
     "over underlined words: what they mean lights up; a click opens its panel.",
     "“下一步”“上一步”按章移动（PgDn、PgUp），方向键按步移动，“播放”（F5）走完全程。"
     "把鼠标停在带下划线的词上，所指的内容会亮起；单击则打开对应的面板。"}};

}  // namespace loom::text::lesson

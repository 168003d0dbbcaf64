#pragma once

#include "app/text/text.h"

/// The texts of the panels Lesson, History, TVMScript and CUDA. The values that stand for `{}` are, in `kKnownFrom`, a
/// device and a date, and in `kFigureFrom`, a time with its unit and a device, both by gpu::ResultOrigin; in
/// `kPredictedOn` and `kPredictedFor`, a time with its unit, a device, and `kFromMachineCode` or `kFromProgram`; in
/// `kNextIs`, the title of the next chapter, and in `kNextLesson` that of a lesson; in `kLessonOther`, the model's
/// device and that of the times; in `kChapterOf`, the chapter's number and how many there are; in `kFound`, the number
/// of the match shown, from 1 (0: there is none), and that of all; in `kChanged`, the numbers of lines added, changed
/// and removed.
namespace loom::text::panels {

inline constexpr Text kNext{"Next", "下一步"};
inline constexpr Text kNextIs{"Next: {}", "下一步：{}"};
/// In place of kNextIs, before the end of the chapter shown. Where there is no room for these, the button has kNext,
/// and they are its tooltip.
inline constexpr Text kToChapterEnd{"To this chapter's end", "到本章末尾"};
/// In the last chapter, in place of kNext; its menu has the next four texts.
inline constexpr Text kWhatNext{"What comes next…", "接下来…"};
inline constexpr Text kNextLesson{"Lesson: {}", "课程：{}"};
inline constexpr Text kNextFreely{"On by yourself: choose a step", "自己继续：选择步骤"};
inline constexpr Text kNextExport{"Export this kernel as CUDA…", "把这个核函数导出为 CUDA…"};
inline constexpr Text kNextReport{"Report of the whole lesson…", "整个课程的报告…"};
inline constexpr Text kBack{"Back", "上一章"};
inline constexpr Text kPlay{"Play", "播放"};
inline constexpr Text kPause{"Pause", "暂停"};
inline constexpr Text kChapterOf{"{} of {}", "第 {} 章，共 {} 章"};
inline constexpr Text kNoLesson{
    "This program is no lesson; the menu Lesson has some. \"Make it fast\" finds steps for it; the panel Step and the "
    "console take yours.",
    "当前程序不是课程；“课程”菜单中有课程。“一键提速”可为它找到步骤；步骤面板和控制台可以输入你的步骤。"};
inline constexpr Text kLoading{"Opening…", "正在打开……"};
inline constexpr Text kStart{"start", "起点"};
inline constexpr Text kRename{"Name", "名称"};
inline constexpr Text kNote{"Note", "备注"};
inline constexpr Text kPin{"Pin", "固定"};
inline constexpr Text kDelete{"Delete", "删除"};
inline constexpr Text kNotKernel{"No kernel", "不是核函数"};
inline constexpr Text kKnownFrom[] = {{"measured on {}, {}", "测量于 {}，{}"},
                                      {"recorded on {}, {}", "记录于 {}，{}"},
                                      {"executed on the CPU ({}), {}", "在 CPU（{}）上执行，{}"}};
inline constexpr Text kFigureFrom[] = {{"{} (measured on {})", "{}（测量于 {}）"},
                                       {"{} (recorded on {})", "{}（记录于 {}）"},
                                       {"{} (executed on the CPU, {})", "{}（在 CPU 上执行，{}）"}};
inline constexpr Text kLessonChanged{
    "A step of this chapter or before it was changed: the text speaks of the lesson's own.",
    "本章或之前的某一步已被修改：正文讲的仍是课程原来的步骤。"};
/// In the list of chapters, the tooltip of a chapter that can't be chosen; "its" is the chapter's.
inline constexpr Text kLessonBroken{"Its steps no longer apply since an earlier one was changed.",
                                    "之前的某一步被修改后，本章的步骤不再可用。"};
/// {}: the number of the state at the chapter's end.
inline constexpr Text kLessonLeft{
    "This state is on a branch of your own: the text speaks of step {}, where the chapter ends.",
    "此状态在您自己的分支上：正文讲的是第 {} 步，即本章结束时的状态。"};
inline constexpr Text kNotMeasured{"not measured", "未测量"};
inline constexpr Text kPredictedOn{"the model predicts {} for {}, {}", "模型预计 {}（{}，{}）"};
inline constexpr Text kLessonOther{
    "What the model says here is of {}, recorded times are of {}: the text compares figures of the latter only.",
    "此处模型的数值属于 {}，记录的时间属于 {}：正文只比较后者的数值。"};
inline constexpr Text kPredictedFor{"not measured; the model predicts {} for {}, {}", "未测量；模型预计 {}（{}，{}）"};
inline constexpr Text kFromMachineCode{"from its machine code", "依据机器码"};
inline constexpr Text kFromProgram{"from the program as written", "依据程序所写"};
inline constexpr Text kDeriving{"Working it out…", "正在计算……"};
inline constexpr Text kNoKernelHere{"This state can't be a kernel yet.", "这个状态还不能成为核函数。"};
inline constexpr Text kWouldHelp{"This would help:", "可以这样做："};
inline constexpr Text kCopy{"Copy", "复制"};
inline constexpr Text kFind{"Find", "查找"};
inline constexpr Text kFound{"{} of {}", "{} / {}"};
inline constexpr Text kChanged{"+{} ~{} -{} lines", "+{} ~{} -{} 行"};

}  // namespace loom::text::panels

#pragma once

#include "app/text/text.h"

/// The words of the window's frame: menus, status line, panel titles.
namespace loom::text::window {

inline constexpr Text kFile{"File", "文件"};
inline constexpr Text kQuit{"Quit", "退出"};
inline constexpr Text kView{"View", "视图"};
inline constexpr Text kPanels{"Panels", "面板"};
inline constexpr Text kTheme{"Theme", "主题"};
inline constexpr Text kDark{"Dark", "深色"};
inline constexpr Text kLight{"Light", "浅色"};
inline constexpr Text kScale{"Scale", "缩放"};
inline constexpr Text kLarger{"Larger", "放大"};
inline constexpr Text kSmaller{"Smaller", "缩小"};
inline constexpr Text kLanguage{"Language", "语言"};
inline constexpr Text kReducedMotion{"Reduced motion", "减少动画"};
inline constexpr Text kLayout{"Layout", "布局"};
inline constexpr Text kResetLayout{"Reset", "恢复默认"};
inline constexpr Text kSaveLayout{"Save as", "另存为"};
inline constexpr Text kLayoutName{"Name", "名称"};
inline constexpr Text kSave{"Save", "保存"};
inline constexpr Text kSavePicture{"Save picture of the window", "保存窗口截图"};
inline constexpr Text kPictureSaved{"Picture saved: {}", "截图已保存：{}"};
inline constexpr Text kCannotWrite{"Can't write {}", "无法写入 {}"};
inline constexpr Text kNoChineseFont{"No font with Chinese characters was found", "未找到包含中文字符的字体"};

inline constexpr Text kLesson{"Lesson", "课程"};
inline constexpr Text kHistory{"History", "历史"};
inline constexpr Text kTvmScript{"TVMScript", "TVMScript"};
inline constexpr Text kCuda{"CUDA", "CUDA"};
inline constexpr Text kStep{"Step", "步骤"};
inline constexpr Text kPerformance{"Performance", "性能"};
inline constexpr Text kProblems{"Problems", "问题"};
inline constexpr Text kConsole{"Console", "控制台"};

inline constexpr Text kNoProgram{"No program is open.", "没有打开的程序。"};

}  // namespace loom::text::window

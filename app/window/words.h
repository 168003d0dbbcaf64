#pragma once

#include "app/text/text.h"

/// The words of the window's frame, in English and Chinese: menus, dialogs, status line, panel titles. "{}" and "{0}",
/// "{1}" … stand for values that the caller puts in. Names with Title are titles of dialogs; kOpenTitle and kExport are
/// also buttons of theirs.
namespace loom::text::window {

inline constexpr Text kFile{"File", "文件"};
inline constexpr Text kNewMatmul{"New program…", "新建程序…"};
inline constexpr Text kNewMatmulTitle{"New program", "新建程序"};
inline constexpr Text kMatrixProduct{"Matrix product, types of your choice", "矩阵乘法（自选类型）"};
inline constexpr Text kOpen{"Open…", "打开…"};
inline constexpr Text kOpenTitle{"Open", "打开"};
inline constexpr Text kSaveAs{"Save as…", "另存为…"};
inline constexpr Text kSaveAsTitle{"Save as", "另存为"};
inline constexpr Text kExport{"Export", "导出"};
inline constexpr Text kProject{"CUDA project", "CUDA 工程"};
inline constexpr Text kReport{"Report of the steps so far (HTML)", "到此为止的报告 (HTML)"};
inline constexpr Text kLessonReport{"Report of the whole lesson (HTML)", "整个课程的报告 (HTML)"};
inline constexpr Text kTable{"Table of the steps so far (CSV)", "到此为止的表格 (CSV)"};
inline constexpr Text kSizesTable{"Table of other sizes (CSV)", "其他规模的表格 (CSV)"};
inline constexpr Text kSavePanel{"Save picture of a panel", "保存面板图片"};
inline constexpr Text kSavePictureTitle{"Save picture", "保存图片"};
inline constexpr Text kPictureFormats{"A name that ends in .svg gives areas and text instead of pixels.",
                                      "文件名以 .svg 结尾时保存为矢量图，文字可选取。"};
inline constexpr Text kPanelHidden{"This panel is not shown: open it first.", "此面板没有显示：请先打开它。"};
// A kind of export, as kProject to kSizesTable; TVM's trace of the schedule.
inline constexpr Text kTrace{"Trace (JSON)", "轨迹 (JSON)"};
// Buttons of dialogs, as kLater, kDiscard, kKeepFastest and kSave below: kReplace stands in place of the usual one when
// there is such a file already.
inline constexpr Text kReplace{"Replace", "替换"};
inline constexpr Text kOk{"OK", "确定"};
inline constexpr Text kCancel{"Cancel", "取消"};
inline constexpr Text kCreate{"Create", "创建"};
// Labels in the dialog for a new program: of its sizes, and of the types of the operands X and Y and of the result.
inline constexpr Text kSizes{"Sizes", "规模"};
inline constexpr Text kPasteProgram{"Ctrl+V opens a pasted function, script or page instead.",
                                    "也可以用 Ctrl+V 粘贴函数、脚本或整页文字来打开。"};
inline constexpr Text kOperands{"Operands", "操作数"};
inline constexpr Text kResult{"Result and sum", "结果与累加"};
// The factor, "X" or "Y".
inline constexpr Text kStoredTransposed{"{} is stored transposed", "{} 转置存放"};
inline constexpr Text kRecoverTitle{"Recover", "恢复"};
// When the recovery copy was written.
inline constexpr Text kRecoverWhy{"An earlier session did not end well. Open what it had kept by {}?",
                                  "之前的会话没有正常结束。打开它在 {} 自动保存的内容吗？"};
inline constexpr Text kLater{"Later", "以后再说"};
// What an export is of: the number of the current state, and its name or the step that led to it.
inline constexpr Text kOfState{"State {}: {}", "状态 {}：{}"};
inline constexpr Text kDiscard{"Discard", "丢弃"};
inline constexpr Text kUnsavedTitle{"Not saved", "尚未保存"};
// The title of the open program.
inline constexpr Text kUnsavedWhy{"{} has changes that are in no file.", "{} 有尚未存入文件的修改。"};
inline constexpr Text kRecordsTitle{"Records of the tuner's database", "调优数据库中的记录"};
// "It" is the database; {}: the number of its records in the list below, from which another one can be opened.
inline constexpr Text kRecordsWhy{"It has {} records; the fastest is open. The times are the tuner's. Another one:",
                                  "共有 {} 条记录，已打开最快的一条。时间由调优器测得。也可选择："};
inline constexpr Text kKeepFastest{"Keep", "保留"};
inline constexpr Text kOpenFailed{"It could not be opened", "无法打开"};
inline constexpr Text kHelp{"Help", "帮助"};
inline constexpr Text kNoGpu{"no GPU here", "本机没有 GPU"};
// The device that the recorded times are of, and their date.
inline constexpr Text kRecordedOn{"{} recorded {}", "{} 记录于 {}"};
// The name of the report's file, the number of states that are done, and that of all states.
inline constexpr Text kMakingReport{"Making {}: state {} of {}", "正在生成 {}：第 {} 个状态，共 {} 个"};
inline constexpr Text kMeasureCeilings{"Measure the ceilings of the GPU here", "测量本机 GPU 的上限"};
inline constexpr Text kModelDevice{"Model's device", "模型的设备"};
// In the status line, before the GPU here, if the user has chosen another device for the model: its name.
inline constexpr Text kModelOf{"model: {}", "模型：{}"};
inline constexpr Text kDeviceHere{"This GPU: {}", "本机 GPU：{}"};
inline constexpr Text kDeviceRecorded{"The recorded one: {}", "有记录时间的设备：{}"};
inline constexpr Text kModelDeviceHint{
    "The device that occupancy, roofs, predictions and machine code are of. Measured and recorded times stay those of "
    "the "
    "device that they were taken on.",
    "占用率、上限、预测和机器码所属的设备。实测与记录的时间仍属于当时测量的设备。"};
// In the status line: the launch of the current state's first kernel.
inline constexpr Text kOneBlock{"1 block", "1 个线程块"};
inline constexpr Text kBlocks{"{} blocks", "{} 个线程块"};
inline constexpr Text kOneThread{"1 thread", "1 个线程"};
inline constexpr Text kThreads{"{} threads", "{} 个线程"};
// The shared memory of a block, with its unit.
inline constexpr Text kShared{"{} shared", "共享内存 {}"};
// In the status line: what the background threads do.
inline constexpr Text kOpening{"Opening…", "正在打开……"};
inline constexpr Text kCompiling{"Compiling", "正在编译"};
inline constexpr Text kSearching{"Searching", "正在搜索"};
inline constexpr Text kMeasuring{"Measuring", "正在测量"};
inline constexpr Text kMeasureAll{"Measure all states", "测量所有状态"};
// {0}: the number of the deleted state's step; {1}: how many states after it were deleted with it.
inline constexpr Text kOneDeleted{"step {0} is deleted; Ctrl+Z brings it back", "已删除第 {0} 步；Ctrl+Z 可恢复"};
inline constexpr Text kDeleted{"step {0} and {1} after it are deleted; Ctrl+Z brings them back",
                               "已删除第 {0} 步及其后 {1} 个状态；Ctrl+Z 可恢复"};
inline constexpr Text kWritten{"Written: {}", "已写入：{}"};
// The list of keys in the menu Help: names that begin with kKey say what keys do, and kKeysSeveral is the name of the
// key for kKeySeveral. kKeyEdit is also an entry of the menu History.
inline constexpr Text kKeyStep{"Step back, step forward", "上一步、下一步"};
inline constexpr Text kKeyChapter{"Chapter back, chapter forward", "上一章、下一章"};
inline constexpr Text kKeyPlay{"Play, pause", "播放、暂停"};
inline constexpr Text kKeyEdit{"Edit the step on show", "修改当前步骤"};
inline constexpr Text kGoFastest{"Go to the fastest state", "转到最快的状态"};
inline constexpr Text kKeyLine{"Select a line of code", "选择代码行"};
inline constexpr Text kKeyApply{"Apply the step filled in", "应用填好的步骤"};
inline constexpr Text kKeyClear{"Clear the form of a step", "清空步骤表单"};
inline constexpr Text kKeyStop{"Cancel what runs in the background", "取消后台任务"};
inline constexpr Text kKeyUndo{"Undo, redo", "撤销、重做"};
inline constexpr Text kKeyFind{"Find in the code", "在代码中查找"};
inline constexpr Text kKeyCopy{"Copy the lines selected", "复制所选的行"};
inline constexpr Text kKeyHelp{"What a panel shows", "面板显示的内容"};
inline constexpr Text kKeySeveral{"Select several loops", "选择多个循环"};
inline constexpr Text kKeysSeveral{"Ctrl+click", "Ctrl+单击"};
inline constexpr Text kKeyPanels{"Go to a panel", "转到面板"};
inline constexpr Text kKeyScale{"Larger, smaller", "放大、缩小"};
inline constexpr Text kQuit{"Quit", "退出"};
inline constexpr Text kView{"View", "视图"};
inline constexpr Text kPanels{"Panels", "面板"};
inline constexpr Text kTheme{"Theme", "主题"};
inline constexpr Text kDark{"Dark", "深色"};
inline constexpr Text kLight{"Light", "浅色"};
inline constexpr Text kContrast{"High contrast", "高对比度"};
inline constexpr Text kScale{"Scale", "缩放"};
inline constexpr Text kLarger{"Larger", "放大"};
inline constexpr Text kSmaller{"Smaller", "缩小"};
inline constexpr Text kLanguage{"Language", "语言"};
inline constexpr Text kWholeWindow{"Panel over the whole window", "面板占满窗口"};
inline constexpr Text kWholeWindowHelp{"The panel that has the keyboard. A double click on its tab does the same.",
                                       "对拥有键盘焦点的面板。双击其标签也可以。"};
inline constexpr Text kReducedMotion{"Reduced motion", "减少动画"};
inline constexpr Text kSearchFaster{"Search for faster steps", "搜索更快的步骤"};
inline constexpr Text kSearchFasterHelp{"For Advice, at each state that you rest at: 20 to 60 s of one core.",
                                        "供“建议”使用：在每个停留的状态上占用一个核心 20 到 60 秒。"};
inline constexpr Text kLayout{"Layout", "布局"};
inline constexpr Text kDefaultLayout{"Default: code in the middle", "默认：代码居中"};
inline constexpr Text kPicturesLayout{"Pictures side by side", "图并排"};
inline constexpr Text kMachineLayout{"CUDA beside SASS", "CUDA 与 SASS 并排"};
// Short names of the same three layouts, on the buttons in the status line; kLayoutHover is the buttons' tooltip, with
// the layout's full name.
inline constexpr Text kCodeBrief{"Code", "代码"};
inline constexpr Text kPicturesBrief{"Pictures", "图"};
inline constexpr Text kMachineBrief{"SASS", "SASS"};
inline constexpr Text kLayoutHover{"Layout: {}", "布局：{}"};
inline constexpr Text kSaveLayout{"Save as", "另存为"};
inline constexpr Text kLayoutName{"Name", "名称"};
inline constexpr Text kSave{"Save", "保存"};
inline constexpr Text kSavePicture{"Save picture of the window", "保存窗口截图"};
inline constexpr Text kPictureSaved{"Picture saved: {}", "截图已保存：{}"};
inline constexpr Text kPictureCut{"Picture saved: {}; the panel is longer than a picture can be, this is its beginning",
                                  "截图已保存：{}；面板内容超出图片大小的上限，仅保存了开头部分"};
inline constexpr Text kCannotWrite{"Can't write {}", "无法写入 {}"};
inline constexpr Text kNoChineseFont{"No font with Chinese characters was found", "未找到包含中文字符的字体"};

inline constexpr Text kLesson{"Lesson", "课程"};
inline constexpr Text kSchedule{"Schedule", "调度"};
inline constexpr Text kHistory{"History", "历史"};
inline constexpr Text kTvmScript{"TVMScript", "TVMScript"};
inline constexpr Text kCuda{"CUDA", "CUDA"};
inline constexpr Text kStep{"Step", "步骤"};
inline constexpr Text kPerformance{"Performance", "性能"};
inline constexpr Text kProblems{"Problems", "问题"};
inline constexpr Text kConsole{"Console", "控制台"};

// The list of all commands (Ctrl+P): its entry in the menu Help, the hint in its field, and what it shows if none fits.
inline constexpr Text kCommands{"Find a command…", "查找命令…"};
inline constexpr Text kCommandHint{"A command, a panel, a chapter, a primitive", "命令、面板、章节或原语"};
inline constexpr Text kNoCommand{"Nothing has this name.", "没有匹配的命令。"};
// What an entry of that list is, beside its name.
inline constexpr Text kPrimitive{"Primitive", "原语"};
inline constexpr Text kChapter{"Chapter", "章节"};
inline constexpr Text kPanel{"Panel", "面板"};

inline constexpr Text kNoProgram{"No program is open.", "没有打开的程序。"};

}  // namespace loom::text::window

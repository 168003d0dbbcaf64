#pragma once

#include "app/text/text.h"

/// The words of the part of dialogs that asks for a file's name, in English and Chinese. "{}" stands for the name of
/// the file or folder; in kMore for a number of files and folders, and at the end of kUnreadable for the reason.
/// kFileName or kFolderName stands in the empty field for the name; kUp is the button beside the folder's path;
/// kReading, kNothing and kMore stand in the list of the folder's files, kMore below those that it has room for. The
/// other texts stand below the field: why the name can't be taken (kNotPlain: it is no regular file), that an ending is
/// added to it (kWithEnding), or that something is there already.
namespace loom::text::file {

inline constexpr Text kFileName{"File name", "文件名"};
inline constexpr Text kFolderName{"Name of a folder", "文件夹名"};
inline constexpr Text kUp{"Folder above", "上级文件夹"};
inline constexpr Text kReading{"Reading the folder…", "正在读取文件夹……"};
inline constexpr Text kNothing{"Nothing here to choose from.", "此处没有可选的文件。"};
inline constexpr Text kMore{"{} more: type the name.", "还有 {} 个：请输入名称。"};
inline constexpr Text kNoFile{"There is no file {}.", "没有文件 {}。"};
inline constexpr Text kNoFolder{"There is no folder {}.", "没有文件夹 {}。"};
inline constexpr Text kNotPlain{"{} is no file that can be opened.", "{} 不是可以打开的文件。"};
inline constexpr Text kNotAFolder{"{} is a file, no folder.", "{} 是文件，不是文件夹。"};
inline constexpr Text kUnreadable{"{} can't be read: {}", "无法读取 {}：{}"};
inline constexpr Text kWithEnding{"It will be called {}.", "将命名为 {}。"};
inline constexpr Text kExists{"{} is there already. Replace it?", "{} 已存在。要替换吗？"};
inline constexpr Text kChanged{"{} was written by somebody else since it was opened or saved here. Replace it?",
                               "{} 在此处打开或保存之后被他人写过。要替换吗？"};
inline constexpr Text kFolderExists{"The folder {} is there already. Write into it, over files of the same names?",
                                    "文件夹 {} 已存在。写入其中并覆盖同名文件吗？"};

}  // namespace loom::text::file

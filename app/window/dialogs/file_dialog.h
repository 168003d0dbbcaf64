#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/look.h"
#include "app/window/dialogs/folder_reader.h"

struct ImGuiInputTextCallbackData;

namespace loom::window {

/// The part of the dialogs Open, Save, Export and Save picture between their title and their buttons: the contents of a
/// folder to choose from, and a field for a name. If the file can't be read or written, this part says so, and the
/// dialog stays open.
class FileDialog {
 public:
  static constexpr float kWidth = 520;  ///< width of the dialog's contents in px at a scale of 100 %
  /// What the chosen path is for: a file to read, a file to write, or a folder to write files into.
  enum class Purpose { kRead, kWrite, kWriteFolder };
  /// Which answers the dialog accepts.
  struct Terms {
    Purpose purpose = Purpose::kRead;
    /// The endings of the files to list, with their dot; empty: all files. A name to write that has none of them gets
    /// the first.
    std::vector<std::string> endings = {};
    bool foreignEnding = false;      ///< for writing: whether a name with any other ending stays as it is
    std::filesystem::path own = {};  ///< a file that may be replaced without a question; empty: none
    /// For reading: words that are accepted instead of a file, such as names of lessons.
    std::vector<std::string> words = {};
    /// The document's file if another program has written it since, which the question about replacing it says; else
    /// empty.
    std::filesystem::path changed = {};
  };

  /// Prepares the dialog for a new question, with `name` in the field. It begins in `folder`; an empty one stands for
  /// the folder of the last answer, or else for the one that the program was started in.
  void ask(Terms terms, std::filesystem::path folder, std::string name);
  /// Makes the next question begin in the folder in which the last one began, because the answer could not be used.
  void takeBack() { folder_ = before_; }
  /// Draws the folder, the list and the name. Returns true if Enter was pressed or an entry was double-clicked, which
  /// is the same as pressing the dialog's button: the caller then calls `take`.
  bool draw(const Look& look);
  /// Returns whether a name was entered.
  bool hasName() const { return !name_.empty(); }
  /// Returns whether the user has been asked about replacing the named file. The button then says so, and Enter has no
  /// effect.
  bool replaces() const { return !replaced_.empty() && replaced_ == answer(); }
  /// Returns the answer: a path, or one of `Terms::words`. Returns nothing, and the dialog goes on, if no name was
  /// entered, if the name is that of a folder, which is then listed, if the name is refused, or if the user must first
  /// be asked about replacing the file. With `Purpose::kWriteFolder` a folder's name is the answer, unless it ends in
  /// "/"; if the folder exists and isn't empty, the user is asked first.
  std::optional<std::string> take(const Look& look);
  /// Returns the path of the named file, with its folder and its ending; empty if no name was entered.
  std::filesystem::path answer() const;

 private:
  void drawFolder(const Look& look);
  bool drawEntries(const Look& look);
  bool drawName(const Look& look);
  void go(std::filesystem::path folder);
  void move(ImGuiInputTextCallbackData& field, int rows);
  int rowOf(const std::string& name) const;
  std::string refusal(const Look& look, const std::filesystem::path& file) const;

  Terms terms_;
  std::filesystem::path folder_, before_;  // the folder that is listed, and the one in which the question began
  std::string name_;
  std::string kept_;                // the name that another folder begins with
  std::string problem_;             // why the present name is refused; empty: it isn't
  std::filesystem::path replaced_;  // the file that the user was asked about replacing; empty: none
  FolderReader reader_;
  bool moved_ = false;   // whether arrow keys have chosen another row, to which the list is to scroll
  bool typing_ = false;  // whether the field of the name takes the keyboard in the next frame
};

}  // namespace loom::window

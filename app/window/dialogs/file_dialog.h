#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/look.h"
#include "app/window/dialogs/folder_reader.h"

struct ImGuiInputTextCallbackData;

namespace loom::window {

/// Which file? A folder's contents to choose from, and a name to type: what the dialogs Open, Save, Export and Save
/// picture have between their title and their buttons. What can't be read or written is said here, and the question
/// stays.
class FileDialog {
 public:
  static constexpr float kWidth = 520;  ///< design px
  enum class Purpose { kRead, kWrite, kWriteFolder };
  struct Terms {
    Purpose purpose = Purpose::kRead;
    /// Of the files that are listed, with their dot. A name to be written that has none of them gets the first.
    std::vector<std::string> endings = {};
    bool foreignEnding = false;      ///< to be written: any other ending is kept, too
    std::filesystem::path own = {};  ///< is replaced without a question
    /// To be read: what may stand instead of a file, such as a lesson's name.
    std::vector<std::string> words = {};
    std::filesystem::path changed = {};  ///< the document's file, where somebody else has written it: is asked about
  };

  /// Asks anew. `folder` empty: the one of the last answer, else the one the program was started in.
  void ask(Terms terms, std::filesystem::path folder, std::string name);
  /// The answer couldn't be used: the next question begins in the folder that this one found.
  void takeBack() { folder_ = before_; }
  /// Draws folder, list and name. True where Enter was pressed, or a file chosen twice: as the dialog's button.
  bool draw(const Look& look);
  /// Whether there is something to answer with.
  bool hasName() const { return !name_.empty(); }
  /// Whether the answer would replace a file, which was asked about: then the button says so, and Enter doesn't do it.
  bool replaces() const { return !replaced_.empty() && replaced_ == answer(); }
  /// The name as an answer: a whole path, or one of the words; none while it leads to a folder (which is gone into), is
  /// refused or has to be asked about.
  std::optional<std::string> take(const Look& look);
  /// The file that is named, with the folder and the ending that belong to it.
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
  std::filesystem::path folder_, before_;  // `before_`: when it was asked
  std::string name_;
  std::string kept_;                // the name that another folder begins with
  std::string problem_;             // of the name as it is
  std::filesystem::path replaced_;  // what the question was asked about
  FolderReader reader_;
  bool moved_ = false;   // by keys: the list scrolls to what they chose
  bool typing_ = false;  // the name takes the keyboard in the next frame
};

}  // namespace loom::window

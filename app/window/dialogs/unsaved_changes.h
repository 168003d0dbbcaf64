#pragma once

#include <functional>

#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/window/dialogs/file_dialogs.h"

namespace loom::window {

/// "Save, discard or go back?" before something takes the place of a document with changes that are in no file.
class UnsavedQuestion {
 public:
  /// Runs `then` at once where nothing would be lost; else once the document is saved or given up. Whoever asks again
  /// meanwhile takes the place of the one before.
  void before(const session::Session& model, std::function<void()> then);
  /// After the file dialogs, in each frame.
  void draw(const Look& look, session::Session& model, FileDialogs& dialogs);

 private:
  void go();

  std::function<void()> then_;
  bool wanted_ = false;  // to be shown
  bool saving_ = false;  // the file is being named or written
};

}  // namespace loom::window

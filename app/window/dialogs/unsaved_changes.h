#pragma once

#include <functional>

#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/window/dialogs/file_dialogs.h"

namespace loom::window {

/// The dialog that asks whether to save or discard a document's unsaved changes, or to cancel, before the document is
/// replaced.
class UnsavedQuestion {
 public:
  /// Runs `then` at once if nothing is open or the document has no unsaved changes, or else opens the dialog, and runs
  /// `then` after the user has saved or discarded the changes; if the user cancels or saving fails, `then` is dropped.
  /// A second call while the dialog is open or the file is being saved replaces the first.
  void before(const session::Session& model, std::function<void()> then);
  /// Draws the dialog, and runs `then` when it is due. To be called in each frame after the file dialogs.
  void draw(const Look& look, session::Session& model, FileDialogs& dialogs);

 private:
  void go();

  std::function<void()> then_;
  bool wanted_ = false;  // whether the dialog is to be opened in the next frame
  bool saving_ = false;  // whether the document's file is being named or written
};

}  // namespace loom::window

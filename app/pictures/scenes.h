#pragma once

#include <span>

#include "app/text/text.h"
#include "app/ui/palette.h"

namespace loom::window {

class Workbench;

/// One picture of `tileloom screenshots`: what the window is brought to.
struct Scene {
  const char* name;  ///< of the file
  text::Language language;
  Theme theme;
  double chapter;           ///< 0 the lesson's first, 1 its last
  int scale = 100;          ///< percent
  const char* target = "";  ///< a lesson to open first; empty: what is open stays
  const char* lines = "";   ///< applied there, line by line: what is refused fills Problems, the rest makes a branch
  const char* block = "";   ///< selected, so that its lines are marked in both texts
  enum class Ask { kNothing, kMatmul, kConsole } ask = Ask::kNothing;  ///< what is opened over it
  const char* panel = "loopnest";                                      ///< whose tab is in front
  const char* layout = "reset";                                        ///< id of an arrangement
};

std::span<const Scene> scenes();

/// Brings the model, the settings and the dialogs to the scene. Its target is open.
void set(Workbench& workbench, const Scene& scene);

}  // namespace loom::window

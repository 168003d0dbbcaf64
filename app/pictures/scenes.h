#pragma once

#include <span>

#include "app/text/text.h"
#include "app/ui/palette.h"

namespace loom::window {

class Workbench;

/// One picture of the whole window that `tileloom screenshots` takes: what the window is made to show for it.
struct Scene {
  const char* name;  ///< name of the picture's file, without its ending
  text::Language language;
  Theme theme;
  double chapter;           ///< the chapter to go to, as a share of the last one's index: 0 is the first, 1 the last
  int scale = 100;          ///< scale of the window in percent
  const char* target = "";  ///< name of the lesson to open before; empty: the open one stays
  const char* lines = "";   ///< step lines to apply to the chapter's state; the panel Problems shows refused ones
  const char* block = "";   ///< name of the block to select, which marks its lines in TVMScript and CUDA; empty: none
  /// What to open besides `panel`. kMatmul: over it, the dialog for a new matrix product. kConsole: the panel in which
  /// step lines are typed, with some lines in it.
  enum class Ask { kNothing, kMatmul, kConsole } ask = Ask::kNothing;
  const char* panel = "loopnest";  ///< id of the panel to bring to the front
  const char* layout = "reset";    ///< id of a layout preset (Arrangement)
};

/// Returns all scenes, in the order in which their pictures are taken.
std::span<const Scene> scenes();

/// Brings the open program, the settings and the dialogs to the scene, and draws two frames. `scene.target` must be
/// open already.
void set(Workbench& workbench, const Scene& scene);

}  // namespace loom::window

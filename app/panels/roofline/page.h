#pragma once

#include <cstdint>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/plot.h"
#include "app/panels/roofline/view/roofline.h"

namespace loom::panels {

/// The page Roofline of the panel Performance: throughput over arithmetic intensity, with the device's ceilings and a
/// point for each state (the program after some schedule steps) that has a time and a model. The intensity counts the
/// bytes over one link: from device memory, from L2 or from shared memory. The page draws the user's choices and
/// collects the data; `drawRooflinePlot` draws the plot.
class Roofline {
 public:
  /// Draws the page: a sentence in place of the plot while the device is looked for, and the plot without ceilings if
  /// the device isn't known.
  void draw(PanelContext& context);

 private:
  /// Collects the data anew if Session::opened or Session::revision has changed since the last frame.
  void follow(PanelContext& context);
  /// Returns the data of all states that have a time and a model. Requests missing models from the background.
  session::RooflineInput collect(session::Session& session);
  /// Draws the choice between the bytes of the program as written and those of the machine code. Begins a new line
  /// unless it fits into the current one, which ends at x = `edge` (px).
  void drawCounting(const PanelContext& context, float edge);
  /// Draws the choice of the link over which intensities are computed, with each link's rate, up to x = `edge`.
  void drawLinks(const PanelContext& context, float edge);
  /// Draws which device the ceilings are of, or why it isn't known, in the rest of the line up to x = `edge`.
  void drawNote(PanelContext& context, float edge) const;
  /// Draws the figures of the current state and of the one compared with; nothing if either has no point.
  void drawComparedFigures(const PanelContext& context) const;
  /// Returns whether the bytes are those of the machine code: the user has chosen them, and programs can be compiled.
  bool showsCompiled() const { return compiled_ && codeComes_; }

  session::Traffic link_ = session::Traffic::kL2;  // the chosen link, over which intensities are computed
  bool compiled_ = true;                           // whether the user has chosen the bytes of the machine code
  bool codeComes_ = false;                         // whether programs can be compiled here
  std::uint64_t opened_ = 0, revision_ = ~std::uint64_t{0};  // Session::opened and ::revision of `view_`
  session::RooflineView view_;
  std::string device_;  // name of the device that the ceilings are of; empty: not known
  Message problem_;     // why the device isn't known; empty if it is
  std::string others_;  // device of the measured times if it isn't the chosen one; else empty
};

}  // namespace loom::panels

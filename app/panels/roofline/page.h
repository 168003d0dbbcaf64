#pragma once

#include <cstdint>
#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/plot.h"
#include "app/panels/roofline/view/roofline.h"

namespace loom::panels {

/// Throughput over arithmetic intensity: the device's ceilings, and each measured state as a point. The page has the
/// choices and collects what is known; the plot is drawn by `drawRooflinePlot`.
class Roofline {
 public:
  void draw(PanelContext& context);

 private:
  void follow(PanelContext& context);
  session::RooflineInput collect(session::Session& session);
  /// Whose bytes: the program's or the machine code's. Ends before `edge`, else it begins a line.
  void drawCounting(const PanelContext& context, float edge);
  void drawLinks(const PanelContext& context, float edge);
  void drawNote(PanelContext& context, float edge) const;
  void drawComparedFigures(const PanelContext& context) const;
  /// What is counted is the machine code's: it was chosen, and there is machine code to be had.
  bool showsCompiled() const { return compiled_ && codeComes_; }

  session::Traffic link_ = session::Traffic::kL2;
  bool compiled_ = true;    // what ran is what a time is of
  bool codeComes_ = false;  // there is machine code to be had
  std::uint64_t opened_ = 0, revision_ = ~std::uint64_t{0};
  session::RooflineView view_;
  std::string device_;
  Message problem_;     // why the device is not known
  std::string others_;  // device of the times where that isn't the chosen one; else empty
};

}  // namespace loom::panels

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel.h"
#include "app/ui/palette.h"
#include "app/widgets/state_finder.h"
#include "core/ir/message.h"

namespace loom::tune {
struct Sweep;
struct SweptSize;
struct SweptState;
}  // namespace loom::tune

namespace loom::panels {

/// The steps of chosen states on products of other sizes and element types: throughput by size, and what is refused,
/// guarded or wrong there.
class Sizes {
 public:
  void draw(PanelContext& context);

 private:
  struct Plot;

  void drawChoice(PanelContext& context);
  void drawTypes(PanelContext& context);
  void drawStates(PanelContext& context);
  void drawRun(PanelContext& context);
  void drawKey(PanelContext& context, const tune::Sweep& sweep);

  // sizes_plot.cpp
  static bool needsDecades(const tune::Sweep& sweep);
  void drawPlot(PanelContext& context, const tune::Sweep& sweep, float width, float height) const;
  void drawAxes(const PanelContext& context, const Plot& plot) const;
  void drawVendor(const PanelContext& context, const Plot& plot) const;
  void drawState(const PanelContext& context, const Plot& plot, std::size_t at) const;

  // sizes_table.cpp
  void drawTable(PanelContext& context, const tune::Sweep& sweep) const;

  Message problem_;  // of what is typed as sizes
  StateFinder finder_;
  std::optional<bool> logarithmic_;  ///< as the user has it; none: as the values need it
  bool isLogarithmic_ = false;       ///< as drawn last
};

/// The nodes that are swept: those chosen, else the current state and the one that it is compared with. Kernels only.
std::vector<int> sweptNodes(const session::Session& session);

/// A point's throughput in TFLOP/s; none: not known.
struct SweptThroughput {
  std::optional<double> measured, predicted;
  std::optional<double> best() const { return measured ? measured : predicted; }
};
SweptThroughput throughputOf(const tune::SweptSize& size, const tune::SweptState& state);
/// The same in terms of the device that the sweep's model answers for: times of another one are left out.
SweptThroughput modelledOf(const tune::Sweep& sweep, const tune::SweptSize& size, const tune::SweptState& state);
/// Of cuBLASLt at that size, in µs; 0: not known.
double vendorTime(const tune::SweptSize& size);
/// How a state stands out: the current one, the one that it is compared with, another.
window::Tone toneOf(const session::Session& session, int node);
/// Neither fast nor slow: refused, no kernel, or with a wrong result.
bool fails(const tune::SweptState& state);
/// What is to be said of it, a line each; empty: nothing.
std::vector<std::string> remarksOn(const window::Look& look, const tune::SweptSize& size,
                                   const tune::SweptState& state);
/// The peak that its shares are of: unit, figure, and the source of that. Requires one.
std::string peakText(const window::Look& look, const tune::SweptState& state);
/// All that is known of a state at a size, for a hover.
std::string sweptTip(const PanelContext& context, const tune::Sweep& sweep, const tune::SweptSize& size,
                     const tune::SweptState& state);

}  // namespace loom::panels

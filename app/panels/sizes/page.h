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

/// The page Sizes of the panel Performance: a sweep, which applies the schedule steps of chosen states to matrix
/// products of other sizes and element types. Shows the throughput by size, and where a step is refused, guarded or
/// wrong. A state is the program after some steps, given by its index in the history; a tune::SweptState is what is
/// known of one at one size.
class Sizes {
 public:
  /// Draws the page; only a sentence if the program computes no matrix product.
  void draw(PanelContext& context);

 private:
  struct Plot;

  void drawChoice(PanelContext& context);
  void drawTypes(PanelContext& context);
  void drawStates(PanelContext& context);
  void drawRun(PanelContext& context);
  void drawKey(PanelContext& context, const tune::Sweep& sweep);

  // In plot.cpp.
  // Returns whether, on a linear scale, the line of some state would lie so low that it can't be told from the axis.
  static bool needsDecades(const tune::Sweep& sweep);
  void drawPlot(PanelContext& context, const tune::Sweep& sweep, float width, float height) const;
  void drawAxes(const PanelContext& context, const Plot& plot) const;
  void drawVendor(const PanelContext& context, const Plot& plot) const;
  void drawState(const PanelContext& context, const Plot& plot, std::size_t at) const;

  // In table.cpp.
  void drawTable(PanelContext& context, const tune::Sweep& sweep) const;

  Message problem_;  // what is wrong with the sizes that were typed; empty: nothing
  StateFinder finder_;
  std::optional<bool> logarithmic_;  ///< the user's choice of scale; nothing: the values decide
  bool isLogarithmic_ = false;       ///< whether the scale that was drawn last is logarithmic
};

/// Returns the states to sweep, each once: those that the user has chosen for the sweep, or else the current one and
/// then the one compared with. States that are no kernel are left out, so there may be none.
std::vector<int> sweptNodes(const session::Session& session);

/// The throughput of a state at one size, in TFLOP/s: 2·m·n·k of the matrix product over the time, however many FLOP
/// the kernel executes. Nothing if it isn't known.
struct SweptThroughput {
  std::optional<double> measured, predicted;
  /// Returns the measured throughput, or else the predicted one; nothing if neither is known.
  std::optional<double> best() const { return measured ? measured : predicted; }
};
/// Returns the throughput of a state at a size; `state` is one of those of `size`, here and below.
SweptThroughput throughputOf(const tune::SweptSize& size, const tune::SweptState& state);
/// Returns the throughput of a state at a size, without the measured one if that was taken on another device than the
/// one that the predictions are for.
SweptThroughput modelledOf(const tune::Sweep& sweep, const tune::SweptSize& size, const tune::SweptState& state);
/// Returns the measured time of cuBLASLt at a size, in µs; 0 if it isn't known.
double vendorTime(const tune::SweptSize& size);
/// Returns the colour of a state: one each for the current state, the one compared with, and all others.
window::Tone toneOf(const session::Session& session, int node);
/// Returns whether the state can have no measured throughput: a step is refused, it is no kernel, it can't be compiled,
/// or its run failed, took too long or gave a wrong result.
bool fails(const tune::SweptState& state);
/// Returns sentences on a state at a size, one per line: why it fails, which blocks are guarded, that the result was
/// checked, and the like; empty if there are none.
std::vector<std::string> remarksOn(const window::Look& look, const tune::SweptSize& size,
                                   const tune::SweptState& state);
/// Returns the peak rate of the units that the state computes with, as text with its source. SweptState::peak must be
/// known.
std::string peakText(const window::Look& look, const tune::SweptState& state);
/// Returns everything that is known of a state at a size, for a tooltip.
std::string sweptTip(const PanelContext& context, const tune::Sweep& sweep, const tune::SweptSize& size,
                     const tune::SweptState& state);

}  // namespace loom::panels

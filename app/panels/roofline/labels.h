#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/view/roofline.h"
#include "app/text/text.h"
#include "app/ui/palette.h"

namespace loom::panels {

/// Return the name, and the colour in the plot, of a link: the path by which bytes reach a multiprocessor from device
/// memory or L2, or a thread from shared memory. Intensities are FLOP per byte over a link.
const text::Text& nameOf(session::Traffic link);
window::Tone toneOf(session::Traffic link);

/// Returns the rate of a ceiling as text with its unit: TB/s for a link, TFLOP/s for an arithmetic unit.
std::string rateText(const session::Ceiling& ceiling);

/// Returns a sentence on how the bytes over a link are counted: with `isCompiled` for the machine code, else for the
/// program as written.
std::string countedText(const window::Look& look, session::Traffic link, bool isCompiled);
/// Returns a sentence on why a point may lie above the ceiling of a link: why fewer bytes may move than are counted.
const text::Text& aboveText(session::Traffic link);

/// Returns a sentence on the ceiling, of a link or an arithmetic unit, that the current state comes closest to, and the
/// share of it that the state reaches; empty if that isn't known.
std::string nearestRoofText(PanelContext& context, const session::RooflineView& view);

/// Returns the tooltip of a point: its throughput, its intensity over a link, where its time and its bytes come from,
/// and the throughput that the link allows. Requires `point.has(link)`.
std::string pointText(PanelContext& context, const session::RooflineView& view,
                      const session::RooflineView::Point& point, session::Traffic link);

}  // namespace loom::panels

#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/view/roofline.h"
#include "app/text/text.h"
#include "app/ui/palette.h"

namespace loom::panels {

/// Returns the name and the colour of a link that an intensity is taken over.
const text::Text& nameOf(session::Traffic link);
window::Tone toneOf(session::Traffic link);

/// Returns a ceiling's rate with its unit: TB/s of a link, TFLOP/s of arithmetic.
std::string rateText(const session::Ceiling& ceiling);

/// Returns what the bytes over a link are; `isCompiled`: those of the machine code, else those of the program.
std::string countedText(const window::Look& look, session::Traffic link, bool isCompiled);
/// Returns why a state may be faster than a link allows for the bytes that are counted.
const text::Text& aboveText(session::Traffic link);

/// Returns what the current state comes closest to, on the multiprocessors that have blocks; empty where nothing is
/// known.
std::string nearestRoofText(PanelContext& context, const session::RooflineView& view);

/// Returns all that is known of a point, for its hover: throughput and intensity over a link, where its time and its
/// bytes are from, and what the link allows. Requires `point.has(link)`.
std::string pointText(PanelContext& context, const session::RooflineView& view,
                      const session::RooflineView::Point& point, session::Traffic link);

}  // namespace loom::panels

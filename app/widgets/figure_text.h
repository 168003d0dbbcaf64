#pragma once

#include <optional>
#include <string>

#include "app/panels/performance/view/performance.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Returns what a figure of a kernel is called, with its label (ComparedFigure::label; empty: it has none): "blocks",
/// "L2 → shared memory, as written". Names of times within the predicted time begin with spaces, by which a table sets
/// them off.
std::string figureName(const window::Look& look, session::ComparedFigure::Kind kind, const std::string& label);

/// Returns the value of a figure with its unit, as its kind has one; "–" for nothing.
std::string figureValue(session::ComparedFigure::Kind kind, const std::optional<double>& value);

}  // namespace loom::panels

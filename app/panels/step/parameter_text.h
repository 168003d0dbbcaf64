#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/schedule/instruction.h"
#include "core/tune/wave_hints.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns whether a parameter is typed into a text field, beside the list of values that it can take.
bool isWritten(schedule::ParameterType type);

/// Returns an example of a parameter's value, as a text field shows it while it is empty: "[None, 16]".
const char* example(const schedule::Parameter& parameter);

/// Returns the last of the two factors that a split is given, 128 of [None, 128]; nothing for other values.
std::optional<std::int64_t> innerFactor(const schedule::Value& factors);

/// Returns what a split with that inner factor does to the waves of tiles: "1024 tiles, 8 waves, 1024". The last number
/// is waves times the inner factor, by which splits are ranked.
std::string wavesText(const window::Look& look, const tune::WaveHints& hints, std::int64_t inner);

}  // namespace loom::panels

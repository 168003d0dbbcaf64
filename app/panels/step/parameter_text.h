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

/// Returns whether the form of a step has a text field for parameters of this type. For the other types, a value can
/// only be chosen from a list.
bool isWritten(schedule::ParameterType type);

/// Returns whether what is typed for a parameter stands for itself as a string, since only a string fits there and it
/// has no quotes. Anything else is read as Python.
bool isPlainWord(const schedule::Parameter& parameter, const std::string& typed);

/// Returns what would have to be typed for a parameter to give it a value. Loops and blocks, which can't be typed, are
/// given by the names that the program of `state` prints.
std::string typedText(const schedule::Parameter& parameter, const schedule::Value& value, const schedule::State& state);

/// Returns an example of a parameter's value, as a text field shows it while it is empty: "[None, 16]". Returns "…" in
/// quotes for types without an example of their own.
const char* example(const schedule::Parameter& parameter);

/// Returns the inner one of the two factors of the primitive `split`: 128 for [None, 128]. Returns nothing for a value
/// that isn't a list of two whose last is a positive number.
std::optional<std::int64_t> innerFactor(const schedule::Value& factors);

/// Returns how the output tiles fill waves of multiprocessors if a loop is split by the inner factor `inner`, as text:
/// "1024 tiles, 8 waves: 1024". The last number, by which splits are ranked, is the number of waves times `inner`: how
/// many rows or columns of the output the busiest multiprocessor computes, tile after tile. `hints` has the figures of
/// the loop and the device.
std::string wavesText(const window::Look& look, const tune::WaveHints& hints, std::int64_t inner);

}  // namespace loom::panels

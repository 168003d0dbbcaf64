#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/setup.h"

namespace loom::cli {

/// A row of the table of states: a state (the program after some steps of its schedule), its kernel and its time.
struct StateLine {
  Row row;                                // index of the state, and the title of the chapter that begins with it
  document::KernelText kernel;            // the state's kernel, or why it is none
  std::optional<compile::Binary> binary;  // nothing if it wasn't compiled
  std::optional<Error> compileProblem;    // why compiling failed; else nothing
  document::KnownTime timed;              // the stored time of the kernel, or why there is none
  // The cost model's figures: an object with "device", "architecture" and "kernels", an array with an object for each
  // kernel. Only for --json: null otherwise, if nothing of the state can be counted (KernelText::statements), and if
  // the device has no description.
  nlohmann::ordered_json model;
};

/// Prints the states on stdout as a table for people: a row for each state and one for the vendor's library, where
/// recorded times come from, and why states are no kernels. `target` is what the states are of. `vendor` is nothing if
/// the time of the vendor's library isn't known.
void printTable(const document::Target& target, const std::vector<StateLine>& lines,
                const std::optional<document::VendorLine>& vendor);

/// Returns the text padded with blanks to `width` characters (Unicode code points, not bytes or columns): on its right,
/// or with `right` on its left. A longer text is returned as it is.
std::string padded(const std::string& text, std::size_t width, bool right);

}  // namespace loom::cli

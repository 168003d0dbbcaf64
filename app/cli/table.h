#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/setup.h"

namespace loom::cli {

/// What is known of one state.
struct Line {
  Row row;
  document::KernelText kernel;
  std::optional<compile::Binary> binary;
  std::optional<Error> compileProblem;
  document::KnownTime timed;
  nlohmann::ordered_json model;  // what the model says of each kernel; null without --json
};

/// The states as a table for people: a row each, the vendor's line, where times come from, and why states are no
/// kernels.
void printTable(const document::Target& target, const std::vector<Line>& lines,
                const std::optional<document::VendorLine>& vendor);

/// Pads by characters that are seen, not by bytes; `right`: what stands there is pushed to the right.
std::string padded(const std::string& text, std::size_t width, bool right);

}  // namespace loom::cli

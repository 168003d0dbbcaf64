#pragma once

#include "app/cli/verb.h"

/// The `declare` function of each verb, one file each.
namespace loom::cli {

Action declareScreenshots(CLI::App& command, const Context& context);

}  // namespace loom::cli

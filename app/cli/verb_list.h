#pragma once

#include "app/cli/verb.h"

/// The `declare` function of each verb, one file each.
namespace loom::cli {

Action declareSteps(CLI::App& command, const Context& context);
Action declareExport(CLI::App& command, const Context& context);
Action declareSweep(CLI::App& command, const Context& context);
Action declareTensorize(CLI::App& command, const Context& context);
Action declareRecord(CLI::App& command, const Context& context);
Action declareProfile(CLI::App& command, const Context& context);
Action declareProbe(CLI::App& command, const Context& context);
Action declareLessons(CLI::App& command, const Context& context);
Action declareRules(CLI::App& command, const Context& context);
Action declareFunctions(CLI::App& command, const Context& context);
Action declareDevices(CLI::App& command, const Context& context);
Action declareDoctor(CLI::App& command, const Context& context);
Action declareWorker(CLI::App& command, const Context& context);
Action declareReplay(CLI::App& command, const Context& context);
Action declareCheck(CLI::App& command, const Context& context);
Action declareTune(CLI::App& command, const Context& context);
Action declareScreenshots(CLI::App& command, const Context& context);

}  // namespace loom::cli

#pragma once

#include "app/cli/verb.h"

/// The function `Verb::declare` of each verb of the command line (`declareSteps` belongs to `tileloom steps`), defined
/// in the file of that name, or in machine.cpp (worker, devices, doctor, lessons). It adds the verb's own options to
/// `command`, and returns the action that runs the verb after the command line has been parsed; the action returns the
/// program's exit status. `command` and `context` must outlive the action. The rows of `verbs.cpp` refer to these
/// functions.
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
